#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include <string.h>
#include "app/viewer/library/recordings.h"
#include "app/viewer/state/live_parameters.h"
#include "world/world_view.h"

/* ---- start and end ---- */

/* With the lock: what clients are told of a sketch and of the parameter that it sets. */
static void note_sketch(tacSession *s, const tacSketch *sketch, const char *advice) {
  s->state.sketch = *sketch;
  if (advice != NULL) snprintf(s->state.sketch_advice, sizeof s->state.sketch_advice, "%s", advice);
  tac_live_parameters_note(&s->stage, sketch->parameter, &s->state);
  s->state_changed = true;
}

static void end_sketch(tacSession *s, const char *recording) {
  tacSketch sketch = s->state.sketch; /* the worker alone changes it */
  char advice[sizeof s->state.sketch_advice];
  const tacWorld *world = s->stage.world;
  tac_sketch_end(&sketch, s->stage.world, recording);
  tacShownBasis basis = {0};
  tac_world_body_basis(world, tac_world_body(world, sketch.body), &basis);
  tac_sketch_advice(&sketch, tac_scene_path(s->stage.scene), basis.size, advice, sizeof advice);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  note_sketch(s, &sketch, advice);
}

/* What came of a recording that has ended; "": there was none. */
static void report_recording(tacSession *s, const char *recording, tacStatus status, const tacError *error) {
  char text[sizeof s->stage.recording + 32];
  if (recording[0] == 0) return;
  snprintf(text, sizeof text, "Recorded to %s", recording);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  s->state.recording[0] = 0;
  tac_session_notice(s, status != TAC_OK, status == TAC_OK ? text : error->text);
}

void tac_session_halt(tacSession *s) {
  tacError error = {0};
  char recording[sizeof s->stage.recording];
  snprintf(recording, sizeof recording, "%s", s->stage.recording);
  tacStatus status = tac_stage_halt(&s->stage, &error);
  if (s->state.sketch.active) end_sketch(s, status == TAC_OK ? recording : "");
  report_recording(s, recording, status, &error);
}

bool tac_session_run(tacSession *s, const char *recording) {
  tacError error = {0};
  pthread_mutex_lock(&s->lock);
  s->state.fault[0] = s->state.remark[0] = 0;
  s->state.paused = s->state.stalled = false;
  tac_live_parameters_apply(&s->stage, &s->state);
  pthread_mutex_unlock(&s->lock);
  tacStatus status = tac_stage_run(&s->stage, recording, s->def.program, &error);
  if (status == TAC_OK && recording != NULL) {
    TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
    snprintf(s->state.recording, sizeof s->state.recording, "%s", strrchr(recording, '/') + 1);
  } else if (status != TAC_OK && recording != NULL) {
    tac_session_notice_unlocked(s, true, error.text);
    status = tac_stage_run(&s->stage, NULL, s->def.program, &error);
  }
  if (status != TAC_OK) tac_session_fail(s, &error);
  return status == TAC_OK;
}

/* ---- recordings ---- */

void tac_session_output_folder(const tacSession *s, char *folder, size_t size) {
  if (s->def.output != NULL)
    snprintf(folder, size, "%s", s->def.output);
  else
    snprintf(folder, size, "out/%s", s->stage.scene != NULL ? tac_scene_name(s->stage.scene) : "view");
}

void tac_session_list_recordings(tacSession *s) {
  char folder[1024];
  tac_session_output_folder(s, folder, sizeof folder);
  int count = tac_recordings_list(folder, s->state.recording, TAC_VIEW_MOST_RECORDINGS, s->listed);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  memcpy(s->state.recordings, s->listed, (size_t)count * sizeof *s->listed);
  s->state.recording_count = count;
  snprintf(s->recordings_folder, sizeof s->recordings_folder, "%s", folder);
  s->state_changed = true;
}

/* ---- a world that stands and goes on ---- */

/* False where no world runs. */
static bool hold_world(tacSession *s, const char *why) {
  pthread_mutex_lock(&s->lock);
  bool runs = s->shows == TAC_SHOWS_WORLD;
  if (runs) tac_session_hold(s, why);
  pthread_mutex_unlock(&s->lock);
  if (runs) tac_session_halt(s);
  return runs;
}

static void resume(tacSession *s) {
  tac_session_list_recordings(s);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tac_session_resume(s);
}

/* True where the sketch has begun. */
static bool begin_sketch(tacSession *s, int body) {
  tacError error = {0};
  tacSketch sketch = s->state.sketch;
  if (tac_sketch_begin(&sketch, s->stage.world, body, &error) != TAC_OK) {
    tac_session_notice_unlocked(s, true, error.text);
    return false;
  }
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  note_sketch(s, &sketch, NULL);
  return true;
}

static void start_recording(tacSession *s, int sketched) {
  tacError error = {0};
  char folder[1024], path[1400];
  tac_session_output_folder(s, folder, sizeof folder);
  if (tac_recordings_new(folder, path, sizeof path, &error) != TAC_OK) {
    tac_session_notice_unlocked(s, true, error.text);
    return;
  }
  if (!hold_world(s, "starting a recording")) return;
  bool sketches = sketched >= 0 && begin_sketch(s, sketched);
  bool runs = tac_session_run(s, sketched >= 0 && !sketches ? NULL : path);
  if (runs && sketches && s->state.recording[0] == 0) { /* it could not be written */
    tac_session_halt(s);
    runs = tac_session_run(s, NULL);
  }
  if (runs) resume(s);
}

/* The world goes on, unless a body has to be made as it was before a sketch. */
static void end_recording(tacSession *s) {
  tacError error = {0};
  char recording[sizeof s->stage.recording];
  if (s->state.sketch.active) {
    if (hold_world(s, "ending the sketch") && tac_session_run(s, NULL)) resume(s);
    return;
  }
  snprintf(recording, sizeof recording, "%s", s->stage.recording);
  tacStatus status = tac_stage_end_recording(&s->stage, &error);
  report_recording(s, recording, status, &error);
  tac_session_list_recordings(s);
}

void tac_session_record(tacSession *s, bool on, int sketched) {
  if (s->shows != TAC_SHOWS_WORLD || on == (s->state.recording[0] != 0)) return;
  if (on)
    start_recording(s, sketched);
  else
    end_recording(s);
}

bool tac_session_reset(tacSession *s) {
  pthread_mutex_lock(&s->lock);
  bool shown = s->shows == TAC_SHOWS_WORLD, paused = s->state.paused;
  bool ended = shown && (s->stage.servo == NULL || !tac_servo_running(s->stage.servo));
  if (shown && !ended) tac_hands_release(&s->hands, &s->stage);
  pthread_mutex_unlock(&s->lock);
  if (ended) return false;
  if (!shown || !hold_world(s, "starting again") || !tac_session_run(s, NULL)) return true;
  if (paused) { /* one tick shows where it begins */
    tac_servo_pause(s->stage.servo, true);
    tac_servo_step(s->stage.servo, 1);
    TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
    s->state.paused = true;
  }
  resume(s);
  return true;
}

/* ---- parameters ---- */

/* The body is made while nothing runs; clients are told of it as it is then. */
static void rebuild_body(tacSession *s, const tacViewParameter *asked, uint32_t index) {
  tacError error = {0};
  if (tac_world_set_parameter(s->stage.world, asked->index, asked->value, &error) != TAC_OK)
    tac_session_notice_unlocked(s, true, error.text);
  tac_show_measure_masks(&s->show, s->stage.world);
  json_t *scene = tac_exhibit_stage_scene(s);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tacViewParameter *p = &s->state.parameters[index];
  if (p->value == asked->value) /* else another one is asked for already */
    p->value = tac_world_parameter(s->stage.world, asked->index).value;
  if (scene != NULL) {
    json_decref(s->state.scene);
    s->state.scene = scene;
  }
}

void tac_session_rebuild(tacSession *s, uint32_t index) {
  char why[sizeof s->state.busy];
  if (s->shows != TAC_SHOWS_WORLD || index >= (uint32_t)s->state.parameter_count) return;
  pthread_mutex_lock(&s->lock);
  tacViewParameter asked = s->state.parameters[index];
  pthread_mutex_unlock(&s->lock);
  snprintf(why, sizeof why, "setting %.100s", asked.name);
  if (!hold_world(s, why)) return;
  rebuild_body(s, &asked, index);
  if (tac_session_run(s, NULL)) resume(s);
}
