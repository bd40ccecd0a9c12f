#include "app/viewer/session/session_core.h"

#include <stdlib.h>
#include <string.h>
#include "app/viewer/field/field_answer.h"
#include "world/world_view.h"

static void send_to(tacSession *s, int client, tacPacket *packet) {
  s->sink.send(s->sink.context, client, packet);
  tac_packet_release(packet);
}

void tac_session_send_shells(tacSession *s, int client) {
  for (int i = 0; i < s->show.shell_count; ++i) {
    tacPacket *packet = NULL;
    if (tac_view_shell_packet(&s->show.shells[i], i, s->load, &packet, NULL) == TAC_OK) send_to(s, client, packet);
  }
}

/* With the lock: a body's coordinates as they are shown, malloc'ed; NULL: at rest. */
static double *coordinates_of(tacSession *s, const tacWorld *world, tacBodyId id) {
  tacShownBasis basis;
  int at = tac_world_body_state(world, id);
  tacSnapshot snapshot = {0};
  if (at < 0 || !tac_world_body_basis(world, id, &basis)) return NULL;
  if (s->shows == TAC_SHOWS_TAPE && tac_tape_show(s->tape, s->reel.index, &snapshot, NULL) != TAC_OK) return NULL;
  if (s->shows == TAC_SHOWS_WORLD && s->stage.servo != NULL) snapshot = *tac_servo_snapshot(s->stage.servo);
  if (snapshot.state == NULL) return NULL;
  size_t bytes = (size_t)basis.size * sizeof(double);
  double *q = malloc(bytes);
  if (q != NULL) memcpy(q, snapshot.state + at, bytes);
  return q;
}

void tac_session_send_field(tacSession *s, int client, const tacViewMessage *ask) {
  const tacWorld *world = s->shows == TAC_SHOWS_TAPE    ? tac_tape_world(s->tape)
                          : s->shows == TAC_SHOWS_WORLD ? s->stage.world
                                                        : NULL;
  tacPacket *packet = NULL;
  if (world == NULL || ask->ask.body >= tac_world_body_count(world)) return;
  pthread_mutex_lock(&s->lock);
  double *q = coordinates_of(s, world, tac_world_body(world, ask->ask.body));
  pthread_mutex_unlock(&s->lock);
  if (tac_field_answer_packet(world, q, ask, s->load, &packet, NULL) == TAC_OK) send_to(s, client, packet);
  free(q);
}
