#include "app/viewer/stage/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "record/port_work.h"
#include "record/recorded_assets.h"

/* A parameter that was set before a tick. */
typedef struct {
  int64_t index;
  int parameter;
  double value;
} Change;

struct tacTape {
  tacRecording *recording;
  tacScene *scene;
  tacWorld *world;
  int64_t tick_count, peak;
  int tool_count;
  float *energy; /* [tick][tool], J, absorbed at the port */
  double *state; /* of the tick that is shown */
  Change *changes;
  size_t change_count, change_room;
  char remark[360];
};

void tac_tape_close(tacTape *tape) {
  if (tape == NULL) return;
  tac_world_destroy(tape->world);
  tac_scene_destroy(tape->scene);
  tac_recording_close(tape->recording);
  free(tape->energy);
  free(tape->state);
  free(tape->changes);
  free(tape);
}

static tacStatus keep_change(tacTape *tape, int64_t index, const tacTickRecord *record, tacError *error) {
  if (record->parameter == 0) return TAC_OK;
  /* Those that take time are set at the start only; another one is not from a servo of ours. */
  if (record->parameter < 0 || !tac_world_parameter(tape->world, record->parameter - 1).in_tick)
    return tac_error_set(
        error, TAC_ERR_FORMAT,
        "the recording sets parameter number %d in a tick, which its scene does not have or cannot set in a tick",
        (int)record->parameter);
  TAC_TRY(tac_array_reserve((void **)&tape->changes, &tape->change_room, tape->change_count + 1, sizeof *tape->changes,
                            "changes of parameters", error));
  tape->changes[tape->change_count++] = (Change){index, record->parameter - 1, record->parameter_value};
  return TAC_OK;
}

static tacStatus go_through(tacTape *tape, tacLoading *loading, tacError *error) {
  const tacProgress progress = tac_loading_progress(loading);
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_RECORDING, "recording", error));
  TAC_MEMORY(tacTickRecord, records) = tac_array_create(2, sizeof *records, "ticks", error); /* this one and the last */
  if (records == NULL) return TAC_ERR_MEMORY;
  double sums[TAC_MOST_TOOLS] = {0.0}, most = -1.0;
  for (int64_t i = 0; i < tape->tick_count; ++i) {
    tacTickRecord *now = &records[i & 1], *last = &records[~i & 1];
    if (i % 4096 == 0 && !progress.report("recording", (double)i / (double)tape->tick_count, progress.user))
      return tac_error_set(error, TAC_ERR_CANCELLED, "reading the recording was cancelled");
    TAC_TRY(tac_recording_tick(tape->recording, i, now, error));
    TAC_TRY(keep_change(tape, i, now, error));
    for (int t = 0; t < tape->tool_count; ++t) {
      if (i > 0) sums[t] -= tac_port_work(&last->tool[t], &now->tool[t]);
      tape->energy[i * tape->tool_count + t] = (float)sums[t];
      double force = tac_vec3_norm(now->tool[t].written);
      if (force > most) {
        most = force;
        tape->peak = i;
      }
    }
  }
  return TAC_OK;
}

static tacStatus fill(tacTape *tape, const char *path, const char *cache, tacLoading *loading, tacError *error) {
  const char *slash = strrchr(path, '/');
  const tacProgress progress = tac_loading_progress(loading);
  TAC_TRY(tac_recording_open(path, &tape->recording, error));
  const tacRecordingInfo *info = tac_recording_info(tape->recording);
  tape->tick_count = tac_recording_tick_count(tape->recording);
  tape->tool_count = info->tool_count;
  if (tape->tick_count == 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the recording has no ticks to show", path);
  TAC_TRY(tac_scene_recorded(tape->recording, &tape->scene, error));
  tac_loading_plan(loading, tape->scene, cache, slash != NULL ? slash + 1 : path, tape->tick_count);
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_BAKE, "reading", error));
  TAC_TRY(tac_scene_bake(tape->scene, cache, false, &progress, NULL, error));
  char assets[300];
  if (!tac_recording_same_assets(tape->recording, tac_scene_assets(tape->scene), assets, sizeof assets))
    snprintf(tape->remark, sizeof tape->remark, "%s. Deformable bodies may look different from the run.", assets);
  TAC_TRY(tac_loading_enter(loading, TAC_LOADING_WORLD, "building the world", error));
  TAC_TRY(tac_scene_world(tape->scene, &tape->world, error));
  TAC_TRY(tac_recording_begin(tape->recording, tape->world, error));
  size_t energies = (size_t)tape->tick_count * (size_t)tape->tool_count;
  TAC_TRY(TAC_ARRAY(tape->energy, energies, "energies of a recording", error));
  TAC_TRY(TAC_ARRAY(tape->state, (size_t)tac_world_state_size(tape->world), "the state of bodies", error));
  return go_through(tape, loading, error);
}

tacStatus tac_tape_open(const char *path, const char *cache, tacLoading *loading, tacTape **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacTape, tape) = tac_array_create(1, sizeof *tape, "a recording to show", error);
  if (tape == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(fill(tape, path, cache, loading, error));
  *result = tac_give(&tape);
  return TAC_OK;
}

const char *tac_tape_remark(const tacTape *tape) {
  return tape->remark;
}

const tacScene *tac_tape_scene(const tacTape *tape) {
  return tape->scene;
}

const tacWorld *tac_tape_world(const tacTape *tape) {
  return tape->world;
}

int64_t tac_tape_tick_count(const tacTape *tape) {
  return tape->tick_count;
}

double tac_tape_duration(const tacTape *tape) {
  return (double)(tape->tick_count - 1) * tac_world_period(tape->world);
}

int64_t tac_tape_peak(const tacTape *tape) {
  return tape->peak;
}

/* The value that a parameter had in a tick: the last one set until then, or that of the start. */
static double value_at(const tacTape *tape, int parameter, int64_t index) {
  const tacRecordingInfo *info = tac_recording_info(tape->recording);
  double value = parameter < info->parameter_count ? info->parameters[parameter]
                                                   : tac_world_parameter(tape->world, parameter).value;
  for (size_t i = 0; i < tape->change_count && tape->changes[i].index <= index; ++i)
    if (tape->changes[i].parameter == parameter) value = tape->changes[i].value;
  return value;
}

static tacStatus set_parameters(tacTape *tape, int64_t index, tacError *error) {
  if (tape->change_count == 0) return TAC_OK;
  for (int p = 0; p < tac_world_parameter_count(tape->world); ++p) {
    double value = value_at(tape, p, index);
    tacParameter now = tac_world_parameter(tape->world, p);
    if (now.in_tick && now.value != value) TAC_TRY(tac_world_set_parameter(tape->world, p, value, error));
  }
  return TAC_OK;
}

tacStatus tac_tape_show(tacTape *tape, int64_t index, tacSnapshot *snapshot, tacError *error) {
  TAC_TRY(tac_recording_snapshot(tape->recording, tape->world, index, tape->state, snapshot, error));
  return set_parameters(tape, index, error);
}

tacStatus tac_tape_sample(tacTape *tape, int64_t index, tacTickSample *sample, tacError *error) {
  tacTickRecord record;
  TAC_TRY(tac_recording_tick(tape->recording, index, &record, error));
  *sample = (tacTickSample){.tick = record.tick,
                            .compute = (float)(1e-9 * (double)record.compute_ns),
                            .late = (float)(1e-9 * (double)record.late_ns),
                            .contact_count = record.report.contact_count};
  for (int t = 0; t < tape->tool_count; ++t) {
    const tacToolRecord *tool = &record.tool[t];
    sample->force[t] = (float)tac_vec3_norm(tool->written);
    sample->asked[t] = (float)tac_vec3_norm(tool->output.force);
    sample->limits[t] = tool->limits;
    sample->energy[t] = tape->energy[index * tape->tool_count + t];
    if (tool->output.contact.state != TAC_CONTACT_NONE) sample->penetration[t] = (float)tool->output.depth;
  }
  return TAC_OK;
}
