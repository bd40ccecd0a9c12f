#include "record/replay_comparison.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "record/record_column.h"
#include "record/recorded_world.h"
#include "record/recording.h"
#include "world/world.h"
#include "world/world_tick.h"
#include "world/world_view.h"

/* Steps the world with the record's inputs; `again` gets its outputs. */
static void step(tacWorld *world, int tool_count, const tacTickRecord *record, tacTickRecord *again) {
  tacToolInput inputs[TAC_MOST_TOOLS] = {0};
  tacToolOutput outputs[TAC_MOST_TOOLS] = {0};
  for (int t = 0; t < tool_count; ++t) {
    const tacToolRecord *tool = &record->tool[t];
    inputs[t].position = tool->position;
    memcpy(inputs[t].orientation, tool->orientation, sizeof inputs[t].orientation);
    inputs[t].grab = (tool->grab & 1) != 0;
    inputs[t].grip = TAC_BUTTON_GRIP_OF((uint32_t)tool->grab) / 255.0;
    inputs[t].lifted = tool->lifted != 0;
  }
  *again = *record;
  /* When what the bodies did was there was a matter of time. */
  if (tac_world_simulate_every(world) > 1) tac_world_replay_taking(world, (record->flags & TAC_TICK_TAKEN) != 0);
  tac_world_replay_renewed(world, record->report.renewed);
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

/* Memory of a replay. */
typedef struct {
  tacArrays arrays;
  double *was, *is;                  /* states of the bodies */
  tacVec3 *was_surface, *is_surface; /* vertices of any body */
} Memory;

static void free_memory(Memory *memory) {
  tac_arrays_free(&memory->arrays);
}

static tacStatus make_memory(const tacWorld *world, Memory *memory, tacError *error) {
  size_t state = (size_t)tac_world_state_size(world), vertices = 0;
  for (int b = 0; b < tac_world_body_count(world) && state > 0; ++b) {
    size_t own = (size_t)tac_world_body_surface(world, tac_world_body(world, b))->vertex_count;
    if (own > vertices) vertices = own;
  }
  memory->was = tac_arrays_add(&memory->arrays, state, sizeof *memory->was);
  memory->is = tac_arrays_add(&memory->arrays, state, sizeof *memory->is);
  memory->was_surface = tac_arrays_add(&memory->arrays, vertices, sizeof *memory->was_surface);
  memory->is_surface = tac_arrays_add(&memory->arrays, vertices, sizeof *memory->is_surface);
  return tac_arrays_status(&memory->arrays, "states and surfaces of bodies", error);
}

static void widen(tacReplayGap *gap, double distance, int64_t tick, int index) {
  if (isnan(distance)) distance = INFINITY;
  if (distance > gap->most) *gap = (tacReplayGap){distance, tick, index};
}

/* Two that are the same bits are no distance apart, numbers or not. */
static double distance(tacVec3 was, tacVec3 is) {
  return memcmp(&was, &is, sizeof was) == 0 ? 0.0 : tac_vec3_distance(was, is);
}

static void measure_tools(int tool_count, const tacTickRecord *record, const tacTickRecord *again,
                          tacReplayReport *report) {
  bool felt = false, far = false;
  for (int t = 0; t < tool_count; ++t) {
    const tacToolOutput *was = &record->tool[t].output, *is = &again->tool[t].output;
    double force = distance(was->force, is->force), torque = distance(was->torque, is->torque),
           proxy = distance(was->proxy, is->proxy);
    widen(&report->force_gap, force, record->tick, t);
    widen(&report->torque_gap, torque, record->tick, t);
    widen(&report->proxy_gap, proxy, record->tick, t);
    felt = felt || tac_vec3_norm2(was->force) + tac_vec3_norm2(was->torque) + tac_vec3_norm2(is->force) +
                           tac_vec3_norm2(is->torque) !=
                       0.0;
    far = far || !(force <= TAC_REPLAY_FAR_SHARE * report->force) ||
          !(torque <= TAC_REPLAY_FAR_SHARE * report->torque) || !(proxy <= TAC_REPLAY_FAR);
  }
  report->felt_ticks += felt || far;
  report->far_ticks += far;
}

/* Surfaces of bodies with a state, as they were and as they are. */
static tacStatus measure_surfaces(tacRecording *recording, const tacWorld *world, int64_t index,
                                  const tacTickRecord *again, Memory *memory, tacReplayReport *report,
                                  tacError *error) {
  tacSnapshot was;
  tacError reason;
  tacStatus status = tac_recording_snapshot(recording, world, index, memory->was, &was, &reason);
  if (status == TAC_ERR_FORMAT) { /* of another world, or not finite: nothing to measure by */
    widen(&report->surface_gap, INFINITY, again->tick, 0);
    return TAC_OK;
  }
  if (status != TAC_OK) return tac_error_set(error, status, "%s", reason.text);
  tacSnapshot is = was;
  is.state = memory->is;
  for (int t = 0; t < is.tool_count; ++t) is.output[t] = again->tool[t].output;
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    tacBodyId id = tac_world_body(world, b);
    if (tac_world_body_state(world, id) < 0) continue;
    tac_world_surface(world, &was, id, memory->was_surface);
    tac_world_surface(world, &is, id, memory->is_surface);
    int count = tac_world_body_surface(world, id)->vertex_count;
    for (int v = 0; v < count; ++v)
      widen(&report->surface_gap, distance(memory->was_surface[v], memory->is_surface[v]), again->tick, b);
  }
  return TAC_OK;
}

/* Compares the bodies' state with what was stored of this tick, if it was. */
static tacStatus compare_state(tacRecording *recording, const tacWorld *world, int64_t index,
                               const tacTickRecord *again, Memory *memory, tacReplayReport *report, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  const tacStateRecord *stored;
  int64_t tick = again->tick;
  tacStatus status = tac_recording_stored_state(recording, tick, &stored, error);
  if (status != TAC_OK || stored->tick != tick) return status;
  tac_world_state(world, memory->is);
  int number = 0;
  for (; number < info->state_size; ++number) {
    float is = (float)memory->is[number];
    if (memcmp(&is, &stored->values[number], sizeof is) != 0) break;
  }
  if (number == info->state_size) return TAC_OK;
  if (report->first_difference < 0) {
    int own;
    const char *body = find_body(world, number, &own);
    report->first_difference = tick;
    snprintf(report->difference, sizeof report->difference,
             "tick %" PRId64 " (%.6f s): body %s, state.%d was %.9g, is %.9g", tick, (double)tick * info->period, body,
             own, (double)stored->values[number], (double)(float)memory->is[number]);
  }
  return measure_surfaces(recording, world, index, again, memory, report, error);
}

static tacStatus compare_tick(tacRecording *recording, tacWorld *world, int64_t index, const tacTickRecord *record,
                              Memory *memory, tacReplayReport *report, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  tacTickRecord again;
  TAC_TRY(tac_recording_change(record, world, error));
  step(world, info->tool_count, record, &again);
  ++report->tick_count;
  int column = find_difference(info->tool_count, record, &again);
  if (column >= 0 && report->first_difference < 0) {
    report->first_difference = record->tick;
    describe(column, record, &again, info->period, report->difference, sizeof report->difference);
  }
  measure_tools(info->tool_count, record, &again, report);
  return info->state_size > 0 ? compare_state(recording, world, index, &again, memory, report, error) : TAC_OK;
}

/* What forces and torques are measured by. */
static tacStatus find_largest(tacRecording *recording, tacReplayReport *report, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  for (int64_t i = 0; i < tac_recording_tick_count(recording); ++i) {
    tacTickRecord record;
    TAC_TRY(tac_recording_tick(recording, i, &record, error));
    for (int t = 0; t < info->tool_count && (record.flags & TAC_TICK_FAULT) == 0; ++t) {
      report->force = fmax(report->force, tac_vec3_norm(record.tool[t].output.force));
      report->torque = fmax(report->torque, tac_vec3_norm(record.tool[t].output.torque));
    }
  }
  return TAC_OK;
}

static tacStatus run_again(tacRecording *recording, tacWorld *world, Memory *memory, const tacProgress *progress,
                           tacReplayReport *report, tacError *error) {
  int64_t count = tac_recording_tick_count(recording), next = 0;
  for (int64_t i = 0; i < count; ++i) {
    tacTickRecord record;
    if (progress != NULL && progress->report != NULL && i % 256 == 0 &&
        !progress->report("replay", (double)i / (double)count, progress->user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "the replay was cancelled");
    TAC_TRY(tac_recording_tick(recording, i, &record, error));
    /* The world stepped in ticks that are not there, so nothing after them can be compared. */
    if (i > 0 && record.tick != next) {
      report->ended = true;
      if (report->first_difference >= 0) return TAC_OK;
      report->first_difference = next;
      snprintf(report->difference, sizeof report->difference,
               "tick %" PRId64 " was lost while recording (tick %" PRId64 " follows)", next, record.tick);
      return TAC_OK;
    }
    next = (int64_t)((uint64_t)record.tick + 1);
    if ((record.flags & TAC_TICK_FAULT) != 0) continue; /* forces ramp out; the world rests */
    TAC_TRY(compare_tick(recording, world, i, &record, memory, report, error));
  }
  if (progress != NULL && progress->report != NULL) progress->report("replay", 1.0, progress->user);
  return TAC_OK;
}

tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                               tacReplayReport *report, tacError *error) {
  TAC_REQUIRE(error, recording, world, report);
  const tacRecordingInfo *info = tac_recording_info(recording);
  const tacReplayGap none = {.tick = -1};
  *report = (tacReplayReport){
      .first_difference = -1, .force_gap = none, .torque_gap = none, .proxy_gap = none, .surface_gap = none};
  if (info->period != tac_world_period(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recording has a period of %.9g s, but the world has %.9g s; both must be equal",
                         info->period, tac_world_period(world));
  if (info->simulate_every != tac_world_simulate_every(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the recorded bodies step every %d ticks, but those of the world every %d; both must be "
                         "equal",
                         info->simulate_every, tac_world_simulate_every(world));
  TAC_TRY(tac_recording_begin(recording, world, error));
  TAC_FREED(free_memory, Memory, memory) = {0};
  TAC_TRY(make_memory(world, &memory, error));
  TAC_TRY(find_largest(recording, report, error));
  /* After the parameters, as the servo does: what they change over several ticks is then done. */
  tac_world_reset(world);
  return run_again(recording, world, &memory, progress, report, error);
}

bool tac_replay_report_within(const tacReplayReport *report) {
  return !report->ended && 10 * report->far_ticks <= report->felt_ticks;
}
