#include "app/viewer/session/session_core.h"

#include <math.h>
#include <stdlib.h>
#include "app/viewer/state/live_parameters.h"
#include "servo/servo.h"

bool tac_session_queue(tacSession *s, int client, const tacViewMessage *message) {
  bool added = tac_jobs_add(&s->jobs, client, message);
  if (added) pthread_cond_broadcast(&s->changed);
  return added;
}

/* ---- scenes ---- */

/* Ends a load that is under way, and what waits: it would not outlive the new scene. */
static void queue_load(tacSession *s, const tacViewMessage *message) {
  atomic_store(&s->cancelled, true);
  s->jobs.count = 0;
  tac_session_queue(s, 0, message);
}

static void ask_to_open(tacSession *s, const tacViewMessage *message) {
  tacError error = {0};
  const char *file = message->command.text;
  char *path = file[0] != 0 ? tac_gallery_path(&s->gallery, file, &error) : NULL;
  if (path != NULL || file[0] == 0)
    queue_load(s, message);
  else
    tac_session_notice(s, true, error.text);
  free(path);
}

static void ask_to_reload(tacSession *s, const tacViewMessage *message) {
  if (tac_jobs_wait(&s->jobs, TAC_VIEW_OPEN)) return; /* which reads its file then */
  if (s->state.file[0] != 0) queue_load(s, message);
}

/* ---- the running world ---- */

static void set_parameter(tacSession *s, const tacViewMessage *message) {
  uint32_t index = message->command.index;
  if (s->state.phase != TAC_VIEW_RUNNING || index >= (uint32_t)s->state.parameter_count) return;
  if (!tac_live_parameters_set(&s->stage, &s->state, index, message->command.value)) tac_session_queue(s, 0, message);
  s->state_changed = true;
}

static void take(tacSession *s, int client, uint32_t tool) {
  if (s->state.phase != TAC_VIEW_RUNNING || tool >= TAC_MOST_TOOLS) return;
  tac_hands_take(&s->hands, &s->stage, client, (int)tool);
  tac_session_update_hands(s);
}

static void set_demo(tacSession *s, bool on) {
  s->state.demo = s->hands.demo = on;
  s->state_changed = true;
  if (s->state.phase == TAC_VIEW_RUNNING) tac_hands_release(&s->hands, &s->stage);
  tac_session_update_hands(s);
}

/* Of a servo that is everyone's; while the world stands they wait until it goes on. */
static void pause_or_step(tacSession *s, const tacViewMessage *message) {
  double value = message->command.value;
  if (s->shows == TAC_SHOWS_STILL) tac_session_queue(s, 0, message);
  if (s->shows != TAC_SHOWS_WORLD || s->stage.servo == NULL) return;
  if (message->command.command == TAC_VIEW_PAUSE) {
    s->state.paused = value != 0.0;
    tac_servo_pause(s->stage.servo, s->state.paused);
    bool begun = tac_servo_snapshot(s->stage.servo)->tool_count > 0;
    if (s->state.paused && !begun) tac_servo_step(s->stage.servo, 1); /* one tick shows where it begins */
    s->state_changed = true;
  } else if (s->state.paused) {
    tac_live_parameters_push(&s->stage, &s->state);
    tac_servo_step(s->stage.servo, (int)value);
  }
}

/* Slow motion. A hand that is real cannot be slowed, and would feel each force for as long. */
static void set_speed(tacSession *s, double speed) {
  if (s->state.phase != TAC_VIEW_RUNNING) return;
  for (int t = 0; t < s->stage.tool_count && speed != 1.0; ++t)
    if (!s->stage.takes_pointer[t]) {
      tac_session_notice(s, true, "Slow motion is not available with a real haptic device.");
      return;
    }
  s->state.speed = speed;
  s->state_changed = true;
  if (s->shows == TAC_SHOWS_WORLD && s->stage.servo != NULL) tac_servo_set_speed(s->stage.servo, speed);
}

/* ---- a replay ---- */

static void seek(tacSession *s, double moment) {
  if (s->shows == TAC_SHOWS_TAPE) s->reel.time = fmin(moment, s->state.replay_duration);
}

static void play(tacSession *s, double speed) {
  if (s->shows != TAC_SHOWS_TAPE) return;
  s->state.replay_speed = speed;
  if (speed > 0.0 && s->reel.time >= s->state.replay_duration) s->reel.time = 0.0; /* once more */
  s->state_changed = true;
}

void tac_session_command(tacSession *s, int client, const tacViewMessage *message) {
  double value = message->command.value;
  switch (message->command.command) {
    case TAC_VIEW_OPEN: ask_to_open(s, message); break;
    case TAC_VIEW_RELOAD: ask_to_reload(s, message); break;
    case TAC_VIEW_RESET:
    case TAC_VIEW_RECORD:
    case TAC_VIEW_RENAME:
    case TAC_VIEW_DELETE:
    case TAC_VIEW_REPLAY: tac_session_queue(s, 0, message); break;
    case TAC_VIEW_PAUSE:
    case TAC_VIEW_STEP: pause_or_step(s, message); break;
    case TAC_VIEW_SEEK: seek(s, value); break;
    case TAC_VIEW_PLAY: play(s, value); break;
    case TAC_VIEW_PARAMETER: set_parameter(s, message); break;
    case TAC_VIEW_DEMO: set_demo(s, value != 0.0); break;
    case TAC_VIEW_SPEED: set_speed(s, value); break;
    case TAC_VIEW_FOLLOW:
      s->state.follow = value != 0.0;
      s->state_changed = true;
      break;
    case TAC_VIEW_TAKE: take(s, client, message->command.index); break;
  }
}

void tac_session_catch_up(tacSession *s, int client, const tacViewMessage *message) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&s->lock);
  tac_session_command(s, client, message);
}
