#include "app/viewer/session/session_core.h"

#include <math.h>
#include "app/viewer/frame/ticks.h"
#include "base/clock.h"
#include "device/pointer.h"
#include "servo/servo.h"

enum { STILL_ROUNDS = 6 }; /* a still picture is sent so seldom: it says that the program is there */

/* ---- ticks ---- */

/* To all clients, who get them with their next frames; `count` of s->samples. */
static void send_ticks(tacSession *s, int tool_count, int count) {
  for (int first = 0, length; first < count; first += length) {
    tacPacket *packet = NULL;
    length = tac_ticks_stretch(count - first, s->samples + first);
    if (tac_ticks_packet(tool_count, length, s->samples + first, s->load, &packet, NULL) != TAC_OK) return;
    s->sink.ticks(s->sink.context, packet);
    tac_packet_release(packet);
  }
}

static void send_new_ticks(tacSession *s) {
  int count = tac_servo_samples(s->stage.servo, TAC_SESSION_MOST_SAMPLES, s->samples);
  tac_measure_add(&s->measure, count, s->samples, tac_world_period(s->stage.world) / s->state.speed);
  if (s->sink.client_count(s->sink.context) > 0) send_ticks(s, s->stage.tool_count, count);
}

/* Those between what was told and what is shown; after a jump those of the last seconds before. */
static void send_replayed_ticks(tacSession *s) {
  const int most = TAC_SESSION_MOST_SAMPLES;
  tacReel *reel = &s->reel;
  int64_t first = reel->sent + 1;
  bool jumped = reel->sent < 0 || first > reel->index + 1 || reel->index - first >= most;
  if (jumped) first = reel->index >= most ? reel->index - most + 1 : 0;
  int count = 0;
  for (int64_t i = first; i <= reel->index; ++i)
    if (tac_tape_sample(s->tape, i, &s->samples[count], NULL) == TAC_OK) ++count;
  reel->sent = reel->index;
  send_ticks(s, tac_world_tool_count(tac_tape_world(s->tape)), count);
}

static void wind_tape(tacSession *s) {
  tacReel *reel = &s->reel;
  double period = tac_world_period(tac_tape_world(s->tape)), duration = s->state.replay_duration;
  reel->time = fmin(duration, fmax(0.0, reel->time + s->state.replay_speed / TAC_SESSION_RATE));
  if (s->state.replay_speed > 0.0 && reel->time >= duration) {
    s->state.replay_speed = 0.0;
    s->state_changed = true;
  }
  int64_t index = llround(reel->time / period), last = tac_tape_tick_count(s->tape) - 1;
  reel->index = index < last ? index : last;
}

/* ---- a frame ---- */

static tacFrameNumbers numbers_of(const tacSession *s, const tacSnapshot *snapshot) {
  tacFrameNumbers numbers = {.display_rate = s->frame_rate, .clients = s->sink.client_count(s->sink.context)};
  for (int t = 0; t < snapshot->tool_count; ++t)
    numbers.contacts += snapshot->output[t].contact.state != TAC_CONTACT_NONE;
  tac_measure_read(&s->measure, &numbers);
  return numbers;
}

static void describe_tools(const tacSession *s, const tacSnapshot *snapshot, tacFrameTool *tools) {
  for (int t = 0; t < snapshot->tool_count; ++t) {
    bool grabs = snapshot->output[t].contact.state == TAC_CONTACT_GRABBED;
    tools[t] = (tacFrameTool){.flags = (snapshot->lifted[t] ? TAC_VIEW_LIFTED : 0u) | (grabs ? TAC_VIEW_GRABS : 0u),
                              .spring = snapshot->position[t]};
    if (s->shows == TAC_SHOWS_TAPE || !s->stage.takes_pointer[t]) continue;
    tacPointerStatus status = tac_device_pointer_status(&s->stage.devices[t]);
    if (!status.leads) continue;
    tools[t].flags |= TAC_VIEW_LED;
    tools[t].spring = tac_stage_spring(&s->stage, t, &status);
    tools[t].client = s->hands.leader[t];
  }
}

/* Recordings do not have them. */
static const tacContactMoment *contacts_of(tacSession *s, unsigned requests) {
  if (s->shows != TAC_SHOWS_WORLD || (requests & (TAC_VIEW_REQUEST_CONTACTS | TAC_VIEW_REQUEST_COUPLING)) == 0)
    return NULL;
  return tac_servo_contacts(s->stage.servo, (requests & TAC_VIEW_REQUEST_COUPLING) != 0);
}

static void count_frame(tacSession *s) {
  int64_t now = tac_clock_now();
  ++s->frames_counted;
  if (now - s->frames_since < TAC_NS_PER_SECOND / 2) return;
  s->frame_rate = (double)s->frames_counted / tac_clock_seconds(now - s->frames_since);
  s->frames_counted = 0;
  s->frames_since = now;
}

/* Of a snapshot. */
static tacPacket *make_frame(tacSession *s, const tacSnapshot *snapshot) {
  const tacWorld *world = s->shows == TAC_SHOWS_TAPE ? tac_tape_world(s->tape) : s->stage.world;
  tacFrameTool tools[TAC_MOST_TOOLS];
  describe_tools(s, snapshot, tools);
  unsigned requests = tac_session_clients_requests(&s->clients);
  const tacContactMoment *contacts = contacts_of(s, requests);
  ++s->frame;
  tacFrameDef def = {.number = s->frame,
                     .time = (double)snapshot->tick * tac_world_period(world),
                     .snapshot = snapshot,
                     .tools = tools,
                     .numbers = numbers_of(s, snapshot),
                     .contacts = contacts,
                     .requests = requests};
  tacPacket *packet = NULL;
  return tac_frame_maker_frame(s->show.maker, &def, &packet, NULL) == TAC_OK ? packet : NULL;
}

static tacPacket *frame_of_tape(tacSession *s) {
  tacSnapshot snapshot;
  wind_tape(s);
  if (!s->sink.wants_frame(s->sink.context)) return NULL;
  if (tac_tape_show(s->tape, s->reel.index, &snapshot, NULL) != TAC_OK) return NULL;
  send_replayed_ticks(s);
  return make_frame(s, &snapshot);
}

static tacPacket *frame_of_world(tacSession *s) {
  if (s->stage.servo == NULL) return NULL;
  send_new_ticks(s);
  if (!s->sink.wants_frame(s->sink.context)) return NULL;
  tacSnapshot snapshot = *tac_servo_snapshot(s->stage.servo);
  if (snapshot.tool_count == 0) return NULL; /* no tick yet */
  tac_hands_see(&s->hands, &snapshot);
  return make_frame(s, &snapshot);
}

tacPacket *tac_session_still(tacSession *s) {
  if (s->stage.servo == NULL) return NULL;
  tacSnapshot snapshot = *tac_servo_snapshot(s->stage.servo);
  if (snapshot.tool_count == 0) return NULL;
  tac_frame_maker_refresh(s->show.maker);
  tacPacket *packet = make_frame(s, &snapshot);
  if (packet != NULL) tac_frame_mark_busy(packet);
  return packet;
}

/* The same picture under a number of its own, which clients say that they have shown. */
static tacPacket *frame_of_still(tacSession *s, int round) {
  tacPacket *packet = NULL;
  if (s->still == NULL || round % STILL_ROUNDS != 0 || !s->sink.wants_frame(s->sink.context)) return NULL;
  ++s->frame;
  return tac_frame_copy(s->still, s->frame, &packet, NULL) == TAC_OK ? packet : NULL;
}

tacPacket *tac_session_frame(tacSession *s, int round) {
  tacPacket *packet = NULL;
  switch (s->shows) {
    case TAC_SHOWS_NOTHING: return NULL;
    case TAC_SHOWS_WORLD: packet = frame_of_world(s); break;
    case TAC_SHOWS_TAPE: packet = frame_of_tape(s); break;
    case TAC_SHOWS_STILL: packet = frame_of_still(s, round); break;
  }
  if (packet != NULL) count_frame(s);
  return packet;
}
