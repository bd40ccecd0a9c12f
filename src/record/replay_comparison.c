#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <tactus/recording.h>
#include "base/error.h"
#include "record/record_column.h"

static tacStatus check(const tacRecordingInfo *info, const tacWorld *world, tacError *error) {
  if (info->tool_count != tac_world_tool_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the recording has %d tools, the world %d; they must be the same",
                         info->tool_count, tac_world_tool_count(world));
  if (info->period != tac_world_period(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has a period of %.9g s, the world %.9g s; they must be the same", info->period,
                         tac_world_period(world));
  return TAC_OK;
}

/* The world's parameters as they were when the recording began. */
tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  if (info->parameter_count > 0 && info->parameter_count != tac_world_parameter_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has %d parameters, the world %d; they must be the same", info->parameter_count,
                         tac_world_parameter_count(world));
  tacStatus status = TAC_OK;
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

tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                               int64_t *first_difference, char *difference, size_t size, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  int64_t count = tac_recording_tick_count(recording), next = 0;
  *first_difference = -1;
  if (size > 0) difference[0] = 0;
  tacStatus status = check(info, world, error);
  if (status != TAC_OK) return status;
  tac_world_reset(world);
  status = tac_recording_begin(recording, world, error);
  if (status != TAC_OK) return status;
  for (int64_t i = 0; i < count; ++i) {
    tacTickRecord record, again;
    if (progress != NULL && progress->report != NULL && i % 256 == 0 &&
        !progress->report("replay", (double)i / (double)count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "the replay was cancelled");
    status = tac_recording_tick(recording, i, &record, error);
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
    if (column >= 0) {
      *first_difference = record.tick;
      describe(column, &record, &again, info->period, difference, size);
      return TAC_OK;
    }
  }
  return TAC_OK;
}
