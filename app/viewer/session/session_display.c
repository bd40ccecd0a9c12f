#include "app/viewer/session/session_core.h"

#include <stdio.h>
#include "app/viewer/state/live_parameters.h"
#include "base/clock.h"
#include "math/geometry/vec3.h"

enum { STATE_ROUNDS = 6, BEAT_ROUNDS = 30 }; /* progress is told so often, and that the program is there */

static void read_spacemouse(tacSession *s) {
  tacVec3 velocity, spin;
  unsigned buttons = 0;
  if (s->spacemouse == NULL) return;
  /* It is read in every phase: unread events would fill its socket, and the newest be lost. */
  if (!tac_spacemouse_read(s->spacemouse, &velocity, &spin, &buttons)) {
    tac_spacemouse_close(s->spacemouse);
    s->spacemouse = NULL;
  } else if (s->state.phase == TAC_VIEW_RUNNING) {
    double radius = 0.5 * tac_vec3_norm(tac_box_size(s->show.box));
    tac_hands_carry(&s->hands, &s->stage, radius, velocity, spin, buttons, 1.0 / TAC_SESSION_RATE);
  }
}

/* Whether its loop has stood still for a second though it should not: a device does not answer, or the processor is another's. */
static bool stalls(tacSession *s) {
  int64_t now = tac_clock_now(), tick = tac_servo_snapshot(s->stage.servo)->tick;
  bool rests = s->state.paused || !tac_servo_running(s->stage.servo);
  if (rests || tick != s->watched_tick) {
    s->watched_tick = tick;
    s->watched_since = now;
  }
  return now - s->watched_since > TAC_NS_PER_SECOND;
}

/* What the servo has to say: what it was refused, or why it stopped. */
static void watch_servo(tacSession *s) {
  const tacServo *servo = s->stage.servo;
  if (s->state.remark[0] == 0 && tac_servo_remark(servo)[0] != 0) {
    snprintf(s->state.remark, sizeof s->state.remark, "%s", tac_servo_remark(servo));
    s->state_changed = true;
  }
  bool stalled = stalls(s);
  if (stalled != s->state.stalled) {
    s->state.stalled = stalled;
    s->state_changed = true;
  }
  if (s->state.fault[0] == 0 && !tac_servo_running(servo)) {
    tac_servo_fault_text(servo, s->state.fault, sizeof s->state.fault);
    if (s->state.fault[0] == 0) snprintf(s->state.fault, sizeof s->state.fault, "a device ended the run");
    s->state_changed = true;
  }
}

/* With the lock. */
static void show(tacSession *s, int round) {
  read_spacemouse(s);
  if (s->shows == TAC_SHOWS_WORLD && s->stage.servo != NULL) {
    if (!s->state.paused) tac_live_parameters_push(&s->stage, &s->state);
    watch_servo(s);
  }
  if (round % BEAT_ROUNDS == 0) tac_session_send_beat(s);
  tacPacket *packet = tac_session_frame(s, round);
  if (s->state_changed && (round % STATE_ROUNDS == 0 || s->state.loading.what[0] == 0)) {
    tac_session_send_state(s, 0);
    s->state_changed = false;
  }
  if (packet != NULL) s->sink.frame(s->sink.context, packet);
  tac_packet_release(packet);
}

void tac_session_display(void *context) {
  tacSession *s = context;
  int64_t next = tac_clock_now();
  for (int round = 0;; ++round) {
    tac_clock_sleep_until(next);
    pthread_mutex_lock(&s->lock);
    bool ends = s->ending;
    if (!ends) show(s, round);
    pthread_mutex_unlock(&s->lock);
    if (ends) return;
    int64_t now = tac_clock_now();
    next += TAC_NS_PER_SECOND / TAC_SESSION_RATE;
    if (next < now) next = now; /* behind: frames are left out */
  }
}
