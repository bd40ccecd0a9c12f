#include "app/viewer/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include "app/viewer/session/session_core.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory/array.h"

/* ---- callbacks of the server ---- */

static void joined(void *context, int client) {
  tacSession *s = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  while (!s->begun && !s->ending) pthread_cond_wait(&s->changed, &s->lock);
  tac_session_clients_join(&s->clients, client);
  if (s->state.phase == TAC_VIEW_RUNNING) tac_hands_join(&s->hands, &s->stage, client);
  tac_session_update_hands(s);
  tac_session_send_welcome(s, client);
  tac_session_send_state(s, client);
  tac_session_send_bodies(s, client);
  if (s->show.maker != NULL) tac_frame_maker_refresh(s->show.maker);
  s->reel.sent = -1; /* a tape's plots from the start */
  tac_badges_look(s->badges);
}

static void left(void *context, int client) {
  tacSession *s = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tac_session_clients_leave(&s->clients, client);
  if (s->state.phase == TAC_VIEW_RUNNING) tac_hands_leave(&s->hands, &s->stage, client);
  tac_session_update_hands(s);
}

static void take_requests(tacSession *s, int number, const tacViewMessage *message) {
  tacSessionClient *client = tac_session_clients_find(&s->clients, number);
  if (client == NULL) return;
  client->requests = message->shown.requests;
  bool wants = (client->requests & TAC_VIEW_REQUEST_SHELLS) != 0 && s->show.shell_count > 0;
  if (wants && client->shells != s->load + 1 && tac_session_queue(s, number, message)) client->shells = s->load + 1;
}

static void point(tacSession *s, int number, const tacViewMessage *message) {
  tacSessionClient *client = tac_session_clients_find(&s->clients, number);
  if (client == NULL || s->state.phase != TAC_VIEW_RUNNING) return;
  bool may = tac_hands_point(&s->hands, &s->stage, number, message);
  if (!may && !client->refused) tac_session_send_held(s, number, message->pointer.tool);
  client->refused = !may || (client->refused && message->pointer.touch);
  tac_session_update_hands(s);
}

static void receive(void *context, int client, const tacViewMessage *message) {
  tacSession *s = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  if (!s->ending) switch (message->kind) {
      case TAC_VIEW_POINTER: point(s, client, message); break;
      case TAC_VIEW_SHOWN: take_requests(s, client, message); break;
      case TAC_VIEW_COMMAND: tac_session_command(s, client, message); break;
      case TAC_VIEW_ASK: tac_session_queue(s, client, message); break;
    }
}

static bool picture(void *context, const char *name, char *path, size_t size) {
  const tacSession *s = context;
  return tac_gallery_picture(&s->gallery, name, path, size);
}

static bool recording(void *context, const char *name, char *path, size_t size) {
  tacSession *s = context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  return tac_view_state_lists(&s->state, name) && /* names from outside open no others */
         snprintf(path, size, "%s/%s", s->recordings_folder, name) < (int)size;
}

static void drawn(void *context, const unsigned char *bytes, size_t size) {
  const tacSession *s = context;
  s->def.drawn(s->def.context, bytes, size);
}

tacViewHandler tac_session_handler(tacSession *session) {
  return (tacViewHandler){.context = session,
                          .joined = joined,
                          .left = left,
                          .message = receive,
                          .picture = picture,
                          .recording = recording,
                          .drawn = session->def.drawn != NULL ? drawn : NULL};
}

/* ---- begin and end ---- */

static tacStatus copy_texts(tacSession *s, tacError *error) {
  const char **texts[TAC_SESSION_TEXTS] = {&s->def.folder, &s->def.scene,  &s->def.recording,
                                           &s->def.cache,  &s->def.output, &s->def.program};
  for (int i = 0; i < TAC_SESSION_TEXTS; ++i) {
    if (*texts[i] == NULL) continue;
    s->texts[i] = tac_array_text(*texts[i], error);
    *texts[i] = s->texts[i];
    if (s->texts[i] == NULL) return TAC_ERR_MEMORY;
  }
  return TAC_OK;
}

static tacStatus read_gallery(tacSession *s, tacError *error) {
  if (s->def.folder == NULL) return TAC_OK;
  TAC_TRY(tac_gallery_read(s->def.folder, &s->gallery, error));
  if (s->gallery.count == 0)
    tac_log(TAC_LOG_WARNING, "%s: no scenes (files that end with .yaml) in this folder", s->def.folder);
  return TAC_OK;
}

tacStatus tac_session_create(const tacSessionDef *def, tacSession **session, tacError *error) {
  static const char what[] = "a viewer's session";
  *session = NULL;
  TAC_OWN(tacSession, s) = tac_array_create(1, sizeof *s, what, error);
  if (s == NULL) return TAC_ERR_MEMORY;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  s->def = *def;
  s->state.speed = 1.0;
  TAC_TRY(copy_texts(s, error));
  TAC_TRY(TAC_ARRAY(s->samples, TAC_SESSION_MOST_SAMPLES, what, error));
  TAC_TRY(TAC_ARRAY(s->listed, TAC_VIEW_MOST_RECORDINGS, what, error));
  TAC_TRY(read_gallery(s, error));
  *session = tac_give(&s);
  return TAC_OK;
}

tacStatus tac_session_begin(tacSession *s, const tacViewSink *sink, tacError *error) {
  tacBadges *badges = NULL;
  TAC_TRY(s->def.folder != NULL
              ? tac_badges_start(&s->gallery, s->def.cache, tac_session_send_badges, s, &badges, error)
              : TAC_OK);
  pthread_mutex_lock(&s->lock);
  s->badges = badges;
  s->sink = *sink;
  s->begun = true;
  s->frames_since = tac_clock_now();
  s->spacemouse = tac_spacemouse_open();
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-view-work";
  TAC_TRY(tac_thread_create(&def, tac_session_work, s, &s->worker, error));
  s->working = true;
  def.name = "tac-view-show";
  TAC_TRY(tac_thread_create(&def, tac_session_display, s, &s->display, error));
  s->displaying = true;
  return TAC_OK;
}

void tac_session_end(tacSession *s) {
  pthread_mutex_lock(&s->lock);
  s->ending = true;
  atomic_store(&s->cancelled, true);
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (s->working) tac_thread_join(&s->worker);
  if (s->displaying) tac_thread_join(&s->display);
  s->working = s->displaying = false;
  tac_whole_bake_stop(s->whole);
  s->whole = NULL;
  pthread_mutex_lock(&s->lock);
  tacBadges *badges = s->badges;
  s->badges = NULL;
  pthread_mutex_unlock(&s->lock);
  tac_badges_stop(badges); /* without the lock, which they may wait for */
  /* The worker has gone: what was its is ours. */
  tacExhibit old;
  pthread_mutex_lock(&s->lock);
  tac_session_show_nothing(s, &old);
  s->state.phase = TAC_VIEW_IN_GALLERY;
  pthread_mutex_unlock(&s->lock);
  tac_session_halt(s);
  tac_exhibit_free(&old);
  tac_tape_close(s->tape);
  s->tape = NULL;
  tac_stage_destroy(&s->stage);
}

void tac_session_destroy(tacSession *s) {
  if (s == NULL) return;
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->changed);
  tac_spacemouse_close(s->spacemouse);
  tac_gallery_free(&s->gallery);
  for (int i = 0; i < TAC_SESSION_TEXTS; ++i) free(s->texts[i]);
  free(s->samples);
  free(s->listed);
  free(s);
}

void tac_served_session_end(tacServedSession *served) {
  if (served->session != NULL) tac_session_end(served->session);
  tac_view_server_stop(served->server);
  tac_session_destroy(served->session);
}
