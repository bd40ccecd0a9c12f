#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include <string.h>
#include "app/viewer/library/recordings.h"

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Takes the tape and its exhibit over. */
static void put_tape(tacSession *s, tacTape *tape, tacExhibit *exhibit, const char *path, double moment) {
  double period = tac_world_period(tac_tape_world(tape));
  char remark[400];
  snprintf(remark, sizeof remark, "%s", tac_tape_remark(tape));
  pthread_mutex_lock(&s->lock);
  s->reel = (tacReel){.sent = -1, .time = moment >= 0.0 ? moment : (double)tac_tape_peak(tape) * period};
  s->state.paused = false;
  s->state.replay_duration = tac_tape_duration(tape);
  s->state.replay_speed = 0.0;
  snprintf(s->state.replay, sizeof s->state.replay, "%s", name_of(path));
  tac_session_show_tape(s, &tape, exhibit);
  if (remark[0] != 0) tac_session_notice(s, false, remark);
  pthread_mutex_unlock(&s->lock);
  /* Those before, where there were any. */
  tac_exhibit_free(exhibit);
  tac_tape_close(tape);
}

/* The world goes on where one was shown. */
static void give_up(tacSession *s, bool held, const tacError *error) {
  if (s->shows == TAC_SHOWS_NOTHING) {
    tac_session_fail(s, error);
    return;
  }
  bool resumes = held && tac_session_run(s, NULL);
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tac_session_notice(s, true, error->text);
  if (resumes) tac_session_resume(s);
  s->state.loading.what[0] = 0;
  s->state_changed = true;
}

void tac_session_open_tape(tacSession *s, const char *path, double moment) {
  tacError error = {0};
  tacTape *tape = NULL;
  tacExhibit exhibit = {0};
  char why[sizeof s->state.busy];
  snprintf(why, sizeof why, "opening %.100s", name_of(path));
  pthread_mutex_lock(&s->lock);
  bool held = s->shows == TAC_SHOWS_WORLD;
  if (held) tac_session_hold(s, why);
  tac_loading_begin(name_of(path), tac_session_send_loading, s, &s->loading);
  s->state.loading = s->loading.moment;
  snprintf(s->state.loading.what, sizeof s->state.loading.what, "reading");
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  if (held) tac_session_halt(s);
  tac_session_list_recordings(s);
  tacStatus status = tac_tape_open(path, s->def.cache, &s->loading, &tape, &error);
  if (status == TAC_OK) status = tac_exhibit_make_tape(s, s->load + 1, tape, &exhibit, &error);
  tac_session_end_loading(s, status);
  if (status == TAC_OK) {
    put_tape(s, tape, &exhibit, path, moment);
    return;
  }
  tac_tape_close(tape);
  if (status != TAC_ERR_CANCELLED) give_up(s, held, &error); /* else another scene is to be opened */
}

/* The live world again. */
static void return_to_world(tacSession *s) {
  tacError error = {0};
  tacExhibit exhibit = {0};
  if (s->tape == NULL) return;
  if (s->stage.scene == NULL) { /* there was none */
    tac_session_open(s, "");
    return;
  }
  tac_loading_begin(tac_scene_name(s->stage.scene), tac_session_send_loading, s, &s->loading);
  tacStatus status = tac_exhibit_make_stage(s, s->load + 1, &exhibit, &error);
  tac_session_end_loading(s, status);
  if (status == TAC_ERR_CANCELLED) return;
  if (status != TAC_OK) {
    tac_session_fail(s, &error);
    return;
  }
  pthread_mutex_lock(&s->lock);
  tac_hands_release(&s->hands, &s->stage);
  pthread_mutex_unlock(&s->lock);
  if (tac_session_run(s, NULL)) {
    tacTape *tape = s->tape;
    pthread_mutex_lock(&s->lock);
    tac_session_show_stage(s, &exhibit);
    s->tape = NULL;
    pthread_mutex_unlock(&s->lock);
    tac_exhibit_free(&exhibit); /* the one before, which looks at the tape's world */
    tac_tape_close(tape);
  } else {
    tac_exhibit_free(&exhibit);
  }
}

/* Names from outside open no others; the worker alone lists them. */
static bool find(tacSession *s, const char *file) {
  bool found = tac_view_state_lists(&s->state, file);
  if (!found) tac_session_notice_unlocked(s, true, "There is no such recording.");
  return found;
}

void tac_session_replay(tacSession *s, const char *file) {
  char folder[1024], path[1400];
  if (file[0] == 0) {
    return_to_world(s);
    return;
  }
  if (!find(s, file)) return;
  tac_session_output_folder(s, folder, sizeof folder);
  snprintf(path, sizeof path, "%s/%s", folder, file);
  tac_session_open_tape(s, path, 0.0);
}

/* ---- files ---- */

/* False, and told, where it may not be changed now. */
static bool may_change(tacSession *s, const char *file) {
  if (!find(s, file)) return false;
  const char *why = strcmp(s->state.replay, file) == 0                 ? "it is being shown; go back to the scene first"
                    : strcmp(name_of(s->state.sketch.done), file) == 0 ? "the last sketch refers to it"
                                                                       : NULL;
  char text[400];
  if (why == NULL) return true;
  snprintf(text, sizeof text, "%.200s was not changed: %s.", file, why);
  tac_session_notice_unlocked(s, true, text);
  return false;
}

static void report_change(tacSession *s, tacStatus status, const tacError *error) {
  if (status != TAC_OK) tac_session_notice_unlocked(s, true, error->text);
  tac_session_list_recordings(s);
}

void tac_session_rename(tacSession *s, const char *text) {
  tacError error = {0};
  char folder[1024], from[256], to[600];
  const char *slash = strchr(text, '/');
  snprintf(from, sizeof from, "%.*s", slash != NULL ? (int)(slash - text) : 0, text);
  if (!may_change(s, from)) return;
  size_t length = strlen(slash + 1);
  bool ends = length > 7 && strcmp(slash + 1 + length - 7, ".tacrec") == 0;
  snprintf(to, sizeof to, "%s%s", slash + 1, ends ? "" : ".tacrec");
  tac_session_output_folder(s, folder, sizeof folder);
  report_change(s, tac_recordings_rename(folder, from, to, &error), &error);
}

void tac_session_delete(tacSession *s, const char *file) {
  tacError error = {0};
  char folder[1024];
  if (!may_change(s, file)) return;
  tac_session_output_folder(s, folder, sizeof folder);
  report_change(s, tac_recordings_delete(folder, file, &error), &error);
}
