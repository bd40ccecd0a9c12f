#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void send_text(tacSession *s, int client, tacViewKind kind, uint32_t b, char *json) {
  tacPacket *packet = NULL;
  if (json != NULL && s->begun && tac_view_text_packet(kind, b, json, &packet, NULL) == TAC_OK) {
    s->sink.send(s->sink.context, client, packet);
    tac_packet_release(packet);
  }
  free(json);
}

void tac_session_send_welcome(tacSession *s, int client) {
  char name[64]; /* "tactus 0.1.0" of "tactus 0.1.0, compiled by ..." */
  snprintf(name, sizeof name, "%.*s", (int)strcspn(s->def.program, ","), s->def.program);
  send_text(s, client, TAC_VIEW_WELCOME, (uint32_t)client, tac_view_state_welcome(&s->gallery, name, TAC_SESSION_RATE));
}

void tac_session_send_held(tacSession *s, int client, int tool) {
  const char *name = tac_world_tool_name(s->stage.world, tool); /* which never changes */
  send_text(s, client, TAC_VIEW_NOTICE, 0, tac_view_state_held(tool, s->hands.leader[tool], name));
}

void tac_session_update_hands(tacSession *s) {
  int count = s->state.phase == TAC_VIEW_RUNNING ? s->stage.tool_count : 0;
  bool same = s->state.hand_count == count;
  for (int t = 0; t < count; ++t) {
    tacViewHand now = {s->hands.leader[t], s->hands.page[t]}, *sent = &s->state.hands[t];
    same = same && sent->leader == now.leader && sent->page == now.page;
    *sent = now;
  }
  s->state.hand_count = count;
  s->state_changed = s->state_changed || !same;
}

void tac_session_send_state(tacSession *s, int client) {
  send_text(s, client, TAC_VIEW_STATE, s->load, tac_view_state_text(&s->state));
}

void tac_session_send_bodies(tacSession *s, int client) {
  for (int b = 0; b < s->show.body_count && s->begun; ++b) {
    if (s->show.packets[b] != NULL) s->sink.send(s->sink.context, client, s->show.packets[b]);
    if (s->show.load_modes[b] != NULL) s->sink.send(s->sink.context, client, s->show.load_modes[b]);
  }
}

void tac_session_send_beat(tacSession *s) {
  tacPacket *packet = NULL;
  if (tac_view_text_packet(TAC_VIEW_BEAT, 0, "", &packet, NULL) != TAC_OK) return;
  s->sink.send(s->sink.context, 0, packet);
  tac_packet_release(packet);
}

void tac_session_notice(tacSession *s, bool is_error, const char *text) {
  send_text(s, 0, TAC_VIEW_NOTICE, 0, tac_view_state_notice(is_error, text));
}

void tac_session_notice_unlocked(tacSession *s, bool is_error, const char *text) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tac_session_notice(s, is_error, text);
}

void tac_session_send_badges(char *json, void *user) {
  tacSession *s = user;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  send_text(s, 0, TAC_VIEW_BADGES, 0, json);
}

bool tac_session_send_loading(const tacLoadingMoment *moment, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  s->state.loading = *moment;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  if (s->def.waits != NULL) s->def.waits(s->def.context, moment, TAC_OK);
  return !atomic_load(&s->cancelled);
}

void tac_session_end_loading(tacSession *s, tacStatus status) {
  if (s->def.waits != NULL) s->def.waits(s->def.context, NULL, status);
}

void tac_session_send_whole(const tacWholeBakeMoment *moment, void *user) {
  tacSession *s = user;
  pthread_mutex_lock(&s->lock);
  s->state.whole = *moment;
  s->state_changed = true;
  pthread_mutex_unlock(&s->lock);
  if (moment->ready) tac_badges_look(s->badges);
}
