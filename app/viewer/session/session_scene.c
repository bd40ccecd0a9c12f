#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include <stdlib.h>
#include "app/viewer/state/live_parameters.h"
#include "scene/scene.h"

static void clear_stage(tacSession *s, const char *file) {
  tacExhibit old;
  pthread_mutex_lock(&s->lock);
  tac_session_show_nothing(s, &old);
  s->state.phase =
      file[0] != 0 ? TAC_VIEW_LOADING : TAC_VIEW_IN_GALLERY; /* the devices are the worker's from here on */
  pthread_mutex_unlock(&s->lock);
  tac_session_halt(s); /* which may end a recording and a sketch */
  tac_loading_begin(file, tac_session_send_loading, s, &s->loading);
  pthread_mutex_lock(&s->lock);
  s->state = (tacViewState){.phase = s->state.phase, .demo = s->state.demo, .follow = s->state.follow, .speed = 1.0};
  snprintf(s->state.file, sizeof s->state.file, "%s", file);
  if (file[0] != 0) {
    s->state.loading = s->loading.moment;
    snprintf(s->state.loading.what, sizeof s->state.loading.what, "reading");
  }
  tac_session_send_state(s, 0);
  pthread_mutex_unlock(&s->lock);
  tac_exhibit_free(&old);
  tac_tape_close(s->tape);
  s->tape = NULL;
  tac_stage_destroy(&s->stage);
  tac_whole_bake_stop(s->whole); /* after the new one was announced: it may take a moment */
  s->whole = NULL;
  s->watched.count = 0;
}

/* The whole scene is baked behind the small version that is shown. */
static void bake_whole(tacSession *s, const char *file) {
  tacError error = {0};
  char *path = tac_gallery_path(&s->gallery, file, &error);
  pthread_mutex_lock(&s->lock);
  s->state.is_small = true;
  s->state.whole = (tacWholeBakeMoment){.fraction = -1.0, .remaining = -1.0};
  pthread_mutex_unlock(&s->lock);
  if (path == NULL || tac_whole_bake_start(path, s->def.cache, tac_session_send_whole, s, &s->whole, &error) != TAC_OK)
    tac_session_notice_unlocked(s, true, error.text);
  free(path);
}

static tacStatus load(tacSession *s, const char *file, tacExhibit *exhibit, tacError *error) {
  char *path = tac_gallery_path(&s->gallery, file, error);
  if (path != NULL) tac_watched_files_begin(&s->watched, path); /* what changes meanwhile is a change */
  tacStatus status = path != NULL ? tac_stage_load(path, s->def.cache, !s->def.whole, &s->loading, &s->stage, error)
                                  : TAC_ERR_ARGUMENT;
  free(path);
  if (status == TAC_OK) tac_watched_files_add(&s->watched, s->stage.scene);
  if (status == TAC_OK) status = tac_exhibit_make_stage(s, s->load, exhibit, error);
  if (status != TAC_OK) tac_stage_destroy(&s->stage);
  return status;
}

void tac_session_open(tacSession *s, const char *file) {
  tacError error = {0};
  tacExhibit exhibit = {0};
  clear_stage(s, file);
  if (file[0] == 0) return;
  tacStatus status = load(s, file, &exhibit, &error);
  tac_session_end_loading(s, status);
  tac_badges_look(s->badges);
  if (status == TAC_ERR_CANCELLED) return; /* another one is to be opened */
  if (status != TAC_OK) {
    tac_session_fail(s, &error);
    return;
  }
  pthread_mutex_lock(&s->lock);
  tac_hands_begin(&s->hands, &s->stage);
  tac_live_parameters_list(&s->stage, &s->state);
  pthread_mutex_unlock(&s->lock);
  tac_session_list_recordings(s);
  if (tac_scene_is_small(s->stage.scene)) bake_whole(s, file);
  if (tac_session_run(s, NULL)) {
    TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
    tac_session_show_stage(s, &exhibit);
  }
  tac_exhibit_free(&exhibit);
}

void tac_session_reopen(tacSession *s) {
  char file[sizeof s->state.file];
  snprintf(file, sizeof file, "%s", s->state.file); /* the worker alone changes it */
  if (file[0] != 0) tac_session_open(s, file);
}

void tac_session_look_at_files(tacSession *s) {
  if (s->watched.count == 0 || s->tape != NULL) return;
  tacFilesLook look = tac_watched_files_look(&s->watched);
  pthread_mutex_lock(&s->lock);
  bool again = look.changed && look.rests && s->state.follow && s->state.recording[0] == 0;
  s->state_changed = s->state_changed || look.changed != s->state.changed;
  s->state.changed = look.changed;
  pthread_mutex_unlock(&s->lock);
  if (again) tac_session_reopen(s);
}
