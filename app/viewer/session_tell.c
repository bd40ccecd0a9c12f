#include "app/viewer/session_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(tacSession *s, int client, tacViewKind kind, uint32_t b, char *json) {
  tacPacket *packet = NULL;
  if (json != NULL && s->begun && tac_view_text_packet(kind, b, json, &packet, NULL) == TAC_OK) {
    s->sink.send(s->sink.context, client, packet);
    tac_packet_release(packet);
  }
  free(json);
}

void tac_session_tell_welcome(tacSession *s, int client) {
  char name[64]; /* "tactus 0.1.0" of "tactus 0.1.0, compiled by ..." */
  snprintf(name, sizeof name, "%.*s", (int)strcspn(s->def.program, ","), s->def.program);
  tell(s, client, TAC_VIEW_WELCOME, (uint32_t)client, tac_view_state_welcome(&s->gallery, name, TAC_SESSION_RATE));
}

void tac_session_tell_state(tacSession *s, int client) {
  tell(s, client, TAC_VIEW_STATE, s->load, tac_view_state_text(&s->state));
}

void tac_session_tell_bodies(tacSession *s, int client) {
  for (int b = 0; b < s->show.body_count && s->begun; ++b) {
    if (s->show.packets[b] != NULL) s->sink.send(s->sink.context, client, s->show.packets[b]);
    if (s->show.load_modes[b] != NULL) s->sink.send(s->sink.context, client, s->show.load_modes[b]);
  }
}

void tac_session_notice(tacSession *s, bool is_error, const char *text) {
  tell(s, 0, TAC_VIEW_NOTICE, 0, tac_view_state_notice(is_error, text));
}

void tac_session_notice_unlocked(tacSession *s, bool is_error, const char *text) {
  pthread_mutex_lock(&s->lock);
  tac_session_notice(s, is_error, text);
  pthread_mutex_unlock(&s->lock);
}

void tac_session_tell_badges(char *json, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  tell(s, 0, TAC_VIEW_BADGES, 0, json);
  pthread_mutex_unlock(&s->lock);
}

bool tac_session_tell_loading(const tacLoadingMoment *moment, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  s->state.loading = *moment;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  if (s->def.waits != NULL) s->def.waits(s->def.context, moment);
  return !atomic_load(&s->cancelled);
}

void tac_session_tell_whole(const tacWholeBakeMoment *moment, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  s->state.whole = *moment;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  if (moment->ready) tac_badges_look(s->badges);
}
