#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "record/record_column.h"
#include "record/recording.h"

tacStatus tac_recording_check_world(const tacRecording *recording, const tacWorld *world, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  if (info->tool_count != tac_world_tool_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the recording has %d tools, the world %d; they must be the same",
                         info->tool_count, tac_world_tool_count(world));
  if (info->state_size != tac_world_state_size(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has a state of %d numbers, the world of %d; they must be the same",
                         info->state_size, tac_world_state_size(world));
  return TAC_OK;
}

/* The world's parameters as they were when the recording began. */
tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  tacStatus status = tac_recording_check_world(recording, world, error);
  if (status != TAC_OK) return status;
  if (info->parameter_count > 0 && info->parameter_count != tac_world_parameter_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has %d parameters, the world %d; they must be the same", info->parameter_count,
                         tac_world_parameter_count(world));
  for (int i = 0; i < info->parameter_count && status == TAC_OK; ++i)
    if (tac_world_parameter(world, i).value != info->parameters[i])
      status = tac_world_set_parameter(world, i, info->parameters[i], error);
  return status;
}

tacStatus tac_recording_change(const tacTickRecord *record, tacWorld *world, tacError *error) {
  if (record->parameter == 0) return TAC_OK;
  /* Those that take time are set at the start only; another one is not from a servo of ours. */
  if (record->parameter < 0 || !tac_world_parameter(world, record->parameter - 1).in_tick)
    return tac_error_set(error, TAC_ERR_FORMAT, "tick %" PRId64 " sets a parameter (%d) that none can set in a tick",
                         record->tick, (int)record->parameter);
  return tac_world_set_parameter(world, record->parameter - 1, record->parameter_value, error);
}

/* Steps the world with the record's inputs; `again` gets its outputs. */
static void step(tacWorld *world, int tool_count, const tacTickRecord *record, tacTickRecord *again) {
  tacToolInput inputs[TAC_MOST_TOOLS] = {0};
  tacToolOutput outputs[TAC_MOST_TOOLS] = {0};
  for (int t = 0; t < tool_count; ++t) {
    const tacToolRecord *tool = &record->tool[t];
    inputs[t].position = tool->position;
    memcpy(inputs[t].orientation, tool->orientation, sizeof inputs[t].orientation);
    inputs[t].grab = tool->grab != 0;
    inputs[t].lifted = tool->lifted != 0;
  }
  *again = *record;
  tac_world_step(world, inputs, outputs, &again->report);
  for (int t = 0; t < tool_count; ++t) again->tool[t].output = outputs[t];
}

/* The first column that the world computed and that has other bits; -1 for none. Those of the tools come first: they say more
 * than those of the tick. */
static int find_difference(int tool_count, const tacTickRecord *record, const tacTickRecord *again) {
  int count = tac_record_column_count(tool_count), of_tick = tac_record_column_count(0);
  for (int i = 0; i < count; ++i) {
    int index = (of_tick + i) % count;
    tacRecordColumn column = tac_record_column(index);
    if (column.output && tac_record_column_bits(&column, record) != tac_record_column_bits(&column, again))
      return index;
  }
  return -1;
}

static void describe(int index, const tacTickRecord *record, const tacTickRecord *again, double period, char *text,
                     size_t size) {
  tacRecordColumn column = tac_record_column(index);
  char was[TAC_RECORD_COLUMN_TEXT_SIZE], is[TAC_RECORD_COLUMN_TEXT_SIZE], tool[32] = "";
  tac_record_column_print(&column, record, was);
  tac_record_column_print(&column, again, is);
  if (column.tool >= 0) snprintf(tool, sizeof tool, "tool %d, ", column.tool);
  const char *space = column.unit[0] != 0 ? " " : "";
  snprintf(text, size, "tick %" PRId64 " (%.6f s): %s%s was %s%s%s, is %s%s%s", record->tick,
           (double)record->tick * period, tool, column.name, was, space, column.unit, is, space, column.unit);
}

/* The body to whose state a number belongs, and which of its numbers it is. */
static const char *find_body(const tacWorld *world, int number, int *own) {
  const char *name = "";
  *own = number;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    int begin = tac_world_body_state(world, id);
    if (begin < 0 || begin > number || (name[0] != 0 && number - begin >= *own)) continue;
    name = tac_world_body_name(world, id);
    *own = number - begin;
  }
  return name;
}

/* Compares the bodies' state with what was stored of this tick, if it was; `state` is memory for it. */
static tacStatus compare_state(tacRecording *recording, const tacWorld *world, int64_t tick, double *state,
                               bool *differs, char *text, size_t size, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  const tacStateRecord *stored;
  tacStatus status = tac_recording_stored_state(recording, tick, &stored, error);
  if (status != TAC_OK || stored->tick != tick) return status;
  tac_world_state(world, state);
  for (int i = 0; i < info->state_size && !*differs; ++i) {
    float again = (float)state[i];
    if (memcmp(&again, &stored->values[i], sizeof again) == 0) continue;
    int own;
    const char *body = find_body(world, i, &own);
    snprintf(text, size, "tick %" PRId64 " (%.6f s): body %s, state.%d was %.9g, is %.9g", tick,
             (double)tick * info->period, body, own, (double)stored->values[i], (double)again);
    *differs = true;
  }
  return TAC_OK;
}

/* Ticks of a replay; `state` is memory for the bodies' state. */
static tacStatus run_again(tacRecording *recording, tacWorld *world, double *state, const tacProgress *progress,
                           int64_t *first_difference, char *difference, size_t size, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  int64_t count = tac_recording_tick_count(recording), next = 0;
  for (int64_t i = 0; i < count; ++i) {
    tacTickRecord record, again;
    if (progress != NULL && progress->report != NULL && i % 256 == 0 &&
        !progress->report("replay", (double)i / (double)count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "the replay was cancelled");
    tacStatus status = tac_recording_tick(recording, i, &record, error);
    if (status != TAC_OK) return status;
    /* The world stepped in ticks that are not there, so nothing after them can be compared. */
    if (i > 0 && record.tick != next) {
      *first_difference = next;
      snprintf(difference, size, "tick %" PRId64 " was lost while recording (tick %" PRId64 " follows)", next,
               record.tick);
      return TAC_OK;
    }
    next = (int64_t)((uint64_t)record.tick + 1);
    if ((record.flags & TAC_TICK_FAULT) != 0) continue; /* forces ramp out; the world rests */
    status = tac_recording_change(&record, world, error);
    if (status != TAC_OK) return status;
    step(world, info->tool_count, &record, &again);
    int column = find_difference(info->tool_count, &record, &again);
    bool differs = column >= 0;
    if (differs)
      describe(column, &record, &again, info->period, difference, size);
    else if (info->state_size > 0)
      status = compare_state(recording, world, record.tick, state, &differs, difference, size, error);
    if (status != TAC_OK) return status;
    if (differs) {
      *first_difference = record.tick;
      return TAC_OK;
    }
  }
  if (progress != NULL && progress->report != NULL) progress->report("replay", 1.0, progress->user);
  return TAC_OK;
}

tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                               int64_t *first_difference, char *difference, size_t size, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  *first_difference = -1;
  if (size > 0) difference[0] = 0;
  if (info->period != tac_world_period(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has a period of %.9g s, the world %.9g s; they must be the same", info->period,
                         tac_world_period(world));
  tacStatus status = tac_recording_begin(recording, world, error);
  if (status != TAC_OK) return status;
  double *state = tac_array_create((size_t)info->state_size, sizeof *state, "the state of bodies", error);
  if (state == NULL) return TAC_ERR_MEMORY;
  /* After the parameters, as the servo does: what they change over several ticks is then done. */
  tac_world_reset(world);
  status = run_again(recording, world, state, progress, first_difference, difference, size, error);
  free(state);
  return status;
}
