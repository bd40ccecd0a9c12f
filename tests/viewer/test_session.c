#include "app/viewer/session/session.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include "app/viewer/library/recordings.h"
#include "app/viewer/stage/show.h"
#include "app/viewer/stage/spacemouse.h"
#include "app/viewer/stage/stage.h"
#include "app/viewer/stage/tape.h"
#include "base/clock.h"
#include "base/files/folder.h"
#include "base/files/little_endian.h"
#include "base/threads/hold.h"
#include "test.h"

/* A session without a server: what it says goes to clients that only note it, and what the worker does for long can be held up at a
 * gate for as long as a test looks at what the others get meanwhile. */

enum { TIMEOUT = 300, MOST_CLIENTS = 512 }; /* s: bakes under a sanitizer, on a busy machine, take a minute */

static struct timespec deadline(void) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += TIMEOUT;
  return until;
}

/* ---- gates: the linker puts these in front of what takes time ---- */

typedef enum Gate { OPEN, LOAD, DESTROY, RUN, HALT, TAPE, SHOW, LIST, REBUILD } Gate;
static const char *const gate_names[] = {"none",          "tac_stage_load",      "tac_stage_destroy",
                                         "tac_stage_run", "tac_stage_halt",      "tac_tape_open",
                                         "tac_show_make", "tac_recordings_list", "a rebuild"};
static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  Gate closed; /* OPEN: none */
  bool waits;  /* somebody in front of it */
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, OPEN, false};

static void pass(Gate which) {
  struct timespec until = deadline();
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&gate.mutex);
  while (gate.closed == which) {
    gate.waits = true;
    pthread_cond_broadcast(&gate.changed);
    int waited = pthread_cond_timedwait(&gate.changed, &gate.mutex, &until);
    ck_assert_msg(waited == 0, "nobody opened %s: a client waits for the worker", gate_names[which]);
  }
}

/* Any other is open from here on. */
static void close_gate(Gate which) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&gate.mutex);
  gate.closed = which;
  gate.waits = false;
  pthread_cond_broadcast(&gate.changed);
}

static void wait_at_gate(void) {
  struct timespec until = deadline();
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&gate.mutex);
  while (!gate.waits)
    ck_assert_msg(pthread_cond_timedwait(&gate.changed, &gate.mutex, &until) == 0, "the worker did not come to %s",
                  gate_names[gate.closed]);
}

static void open_gate(void) {
  close_gate(OPEN);
}

/* A function of the program that passes a gate first. */
#define GATED(type, function, which, parameters, arguments) \
  type __real_##function parameters;                        \
  type __wrap_##function parameters;                        \
  type __wrap_##function parameters {                       \
    pass(which);                                            \
    return __real_##function arguments;                     \
  }

GATED(tacStatus, tac_stage_load, LOAD,
      (const char *path, const char *cache, bool or_small, tacLoading *loading, tacStage *stage, tacError *why),
      (path, cache, or_small, loading, stage, why))

void __real_tac_stage_destroy(tacStage *stage);
void __wrap_tac_stage_destroy(tacStage *stage);
void __wrap_tac_stage_destroy(tacStage *stage) {
  pass(DESTROY);
  __real_tac_stage_destroy(stage);
}

GATED(tacStatus, tac_stage_run, RUN, (tacStage * stage, const char *recording, const char *program, tacError *why),
      (stage, recording, program, why))
GATED(tacStatus, tac_stage_halt, HALT, (tacStage * stage, tacError *why), (stage, why))
GATED(tacStatus, tac_tape_open, TAPE,
      (const char *path, const char *cache, tacLoading *loading, tacTape **tape, tacError *why),
      (path, cache, loading, tape, why))
GATED(tacStatus, tac_show_make, SHOW,
      (const tacScene *scene, const tacWorld *world, uint32_t load, tacLoading *loading, tacShow *show, tacError *why),
      (scene, world, load, loading, show, why))
GATED(int, tac_recordings_list, LIST, (const char *folder, const char *except, int most, tacViewRecording *recordings),
      (folder, except, most, recordings))

/* No device of the person who runs the test; and libspnav loses some bytes where it finds none. */
tacSpaceMouse *__wrap_tac_spacemouse_open(void);
tacSpaceMouse *__wrap_tac_spacemouse_open(void) {
  return NULL;
}

tacStatus __real_tac_world_set_parameter(tacWorld *world, int index, double value, tacError *why);
tacStatus __wrap_tac_world_set_parameter(tacWorld *world, int index, double value, tacError *why);
tacStatus __wrap_tac_world_set_parameter(tacWorld *world, int index, double value, tacError *why) {
  if (!tac_world_parameter(world, index).in_tick) pass(REBUILD);
  return __real_tac_world_set_parameter(world, index, value, why);
}

/* ---- clients ---- */

typedef struct Seen {
  bool here, greeted;
  int states, frames, busy_frames, bodies, notices, beats;
  int ticks, gaps; /* messages of them, and those that do not follow the one before */
  uint64_t next_tick;
  uint32_t load, frame_load, frame; /* of the state and of the last frame */
  uint64_t tick;
  bool busy;       /* the last frame is marked so */
  uint32_t leader; /* of the first tool in it */
  json_t *state;
} Seen;

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  Seen seen[MOST_CLIENTS]; /* by number */
  int last;                /* number */
  bool refuse_frames;
} clients = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void note_state(Seen *seen, const unsigned char *bytes, size_t size) {
  ++seen->states;
  seen->load = tac_little_endian_u32(bytes + 4);
  json_decref(seen->state);
  seen->state = json_loadb((const char *)bytes + TAC_VIEW_HEAD, size - TAC_VIEW_HEAD, 0, NULL);
  ck_assert_ptr_nonnull(seen->state);
}

static void note(int number, tacPacket *packet) {
  Seen *seen = &clients.seen[number];
  const unsigned char *bytes = tac_packet_bytes(packet);
  ck_assert_msg(seen->here, "client %d is not here", number);
  ck_assert_msg(bytes[0] == TAC_VIEW_WELCOME || seen->greeted, "client %d was not greeted first", number);
  switch (bytes[0]) {
    case TAC_VIEW_WELCOME: seen->greeted = true; break;
    case TAC_VIEW_STATE: note_state(seen, bytes, tac_packet_size(packet)); break;
    case TAC_VIEW_BODY:
      ck_assert_uint_eq(tac_little_endian_u32(bytes + 4), seen->load);
      ++seen->bodies;
      break;
    case TAC_VIEW_NOTICE: ++seen->notices; break;
    case TAC_VIEW_BEAT: ++seen->beats; break;
    default: break;
  }
}

static void sink_send(void *context, int client, tacPacket *packet) {
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  for (int n = 1; n <= clients.last; ++n)
    if (n == client ? clients.seen[n].here : client == 0 && clients.seen[n].here && clients.seen[n].greeted)
      note(n, packet);
  pthread_cond_broadcast(&clients.changed);
}

/* To all that have been greeted. */
static void deliver(tacPacket *packet, void (*note_of)(Seen *seen, const unsigned char *bytes)) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  for (int n = 1; n <= clients.last; ++n)
    if (clients.seen[n].here && clients.seen[n].greeted) note_of(&clients.seen[n], tac_packet_bytes(packet));
  pthread_cond_broadcast(&clients.changed);
}

static void note_frame(Seen *seen, const unsigned char *bytes) {
  uint32_t number = tac_little_endian_u32(bytes + 4);
  ck_assert_msg(number > seen->frame, "frame %u after %u", number, seen->frame);
  seen->frame = number;
  seen->frame_load = tac_little_endian_u32(bytes + 8);
  ck_assert_uint_eq(seen->frame_load, seen->load); /* a frame follows the state that it belongs to */
  seen->busy = tac_little_endian_u32(bytes + 12) == TAC_VIEW_BUSY;
  seen->tick = tac_little_endian_u64(bytes + 24);
  ck_assert_uint_eq(tac_little_endian_u32(bytes + 32), TAC_VIEW_TOOLS);
  seen->leader = tac_little_endian_u32(bytes + 48 + 29 * 4);
  ++seen->frames;
  seen->busy_frames += seen->busy;
}

static void sink_frame(void *context, tacPacket *packet) {
  (void)context;
  deliver(packet, note_frame);
}

static void note_ticks(Seen *seen, const unsigned char *bytes) {
  uint64_t first = tac_little_endian_u64(bytes + 8);
  ck_assert_uint_eq(tac_little_endian_u32(bytes + 4), seen->load);
  if (seen->ticks > 0 && first != seen->next_tick) ++seen->gaps; /* a restart, or ticks that were lost */
  seen->next_tick = first + tac_little_endian_u32(bytes + 16);
  ++seen->ticks;
}

static void sink_ticks(void *context, tacPacket *packet) {
  (void)context;
  deliver(packet, note_ticks);
}

static bool sink_wants_frame(void *context) {
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  for (int n = 1; n <= clients.last; ++n)
    if (clients.seen[n].greeted && !clients.refuse_frames) return true;
  return false;
}

static int sink_count(void *context) {
  int count = 0;
  (void)context;
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  for (int n = 1; n <= clients.last; ++n) count += clients.seen[n].here;
  return count;
}

typedef bool (*Wanted)(const Seen *seen, const char *text, double value);

/* Until a client has seen what is wanted. */
static void wait_for(int client, Wanted wanted, const char *text, double value) {
  struct timespec until = deadline();
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  while (!wanted(&clients.seen[client], text, value))
    if (pthread_cond_timedwait(&clients.changed, &clients.mutex, &until) != 0) {
      char *state = json_dumps(clients.seen[client].state, JSON_COMPACT);
      ck_abort_msg("client %d did not see %s, %g; its state is %.300s", client, text, value, state);
    }
}

/* What may be wanted: an expression of what was `seen`, a `text` and a `value`. */
#define WANTED(name, expression)                                       \
  static bool name(const Seen *seen, const char *text, double value) { \
    (void)text;                                                        \
    (void)value;                                                       \
    return expression;                                                 \
  }

static json_t *of_state(const Seen *seen, const char *key) {
  return json_object_get(seen->state, key);
}

static const char *text_of(const Seen *seen, const char *key) {
  const char *text = json_string_value(of_state(seen, key));
  return text != NULL ? text : "";
}

WANTED(is_phase, strcmp(text_of(seen, "phase"), text) == 0 && json_is_null(of_state(seen, "busy")) &&
                     json_is_null(of_state(seen, "progress")))
WANTED(has_frames, seen->frames >= (int)value)
WANTED(has_busy_frames, seen->busy_frames >= (int)value)
WANTED(runs_on, seen->frames > 0 && !seen->busy && (double)seen->tick >= value)
WANTED(has_states, seen->states >= (int)value)
WANTED(has_beats, seen->beats >= (int)value)
WANTED(has_true, json_is_true(of_state(seen, text)) == (value != 0.0))
WANTED(is_busy, strstr(text_of(seen, "busy"), text) != NULL)
WANTED(is_led_by, seen->frames > 0 && !seen->busy && seen->leader == (uint32_t)value)
WANTED(has_recordings,
       json_array_size(of_state(seen, "recordings")) == (size_t)value && json_is_null(of_state(seen, "recording")))
WANTED(records, json_is_null(of_state(seen, "recording")) == (value == 0.0))

static bool has_parameter(const Seen *seen, const char *text, double value) {
  size_t i;
  json_t *parameter;
  json_array_foreach(json_object_get(seen->state, "parameters"), i, parameter) {
    if (strcmp(json_string_value(json_object_get(parameter, "name")), text) == 0)
      return fabs(json_number_value(json_object_get(parameter, "value")) - value) < 1e-12;
  }
  return false;
}

static bool has_mask(const Seen *seen, const char *text, double value) {
  (void)text;
  json_t *bodies = json_object_get(json_object_get(seen->state, "scene"), "bodies");
  return fabs(json_number_value(json_object_get(json_array_get(bodies, 0), "mask")) - value) < 1e-12;
}

static Seen look(int client) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&clients.mutex);
  return clients.seen[client];
}

/* ---- a session ---- */

static const char ball[] = "tactus: 1\n"
                           "name: ball\n"
                           "bodies:\n"
                           "  - name: ball\n"
                           "    kind: green\n"
                           "    method: boundary-elements\n"
                           "    surface: {shape: sphere, size: 20 mm}\n"
                           "    material: {young: 10 kPa, poisson: 0.4, density: 1000 kg/m3}\n"
                           "    fixed:\n"
                           "      - below: {axis: z, at: -5 mm}\n"
                           "    mask: 25 mm\n"
                           "    live: {stiffness: [0.5, 2], mask: [10 mm, 30 mm]}\n"
                           "tools:\n"
                           "  - name: probe\n"
                           "    kind: point\n"
                           "    device:\n"
                           "      kind: operator\n"
                           "      preset: premium-3\n"
                           "      repeat: true\n"
                           "      path:\n"
                           "        - {on: ball, near: [0, 0, 80 mm], depth: -3 mm, after: 0.2 s}\n"
                           "        - {on: ball, near: [0, 0, 80 mm], depth: 5 mm, after: 0.2 s}\n"
                           "servo: {ramp_in: 0.05 s}\n";

static char cache[200]; /* of all tests: the ball is baked once */

typedef struct Fixture {
  const char *scenes, *output;
  tacSession *session;
  tacViewHandler handler;
} Fixture;

static void begin(Fixture *f, const char *scene) {
  memset(clients.seen, 0, sizeof clients.seen);
  clients.last = 0;
  clients.refuse_frames = false;
  f->scenes = tac_test_path("scenes");
  f->output = tac_test_path("out");
  tac_folder_remove(f->output);
  tac_test_write("scenes/ball.yaml", ball);
  tac_test_write("scenes/wrong.yaml", "tactus: 1\nname: wrong\nbodies: 7\n");
  tacSessionDef def = {.folder = f->scenes, .scene = scene, .cache = cache, .output = f->output, .program = "test"};
  tac_test_ok(tac_session_create(&def, &f->session, &error), error);
  f->handler = tac_session_handler(f->session);
  tacViewSink sink = {NULL, sink_send, sink_frame, sink_ticks, sink_wants_frame, sink_count};
  tac_test_ok(tac_session_begin(f->session, &sink, &error), error);
}

static void finish(Fixture *f) {
  tac_session_end(f->session);
  tac_session_destroy(f->session);
  for (int n = 0; n <= clients.last; ++n) json_decref(clients.seen[n].state);
}

static int join(Fixture *f) {
  pthread_mutex_lock(&clients.mutex);
  int number = ++clients.last;
  ck_assert_int_lt(number, MOST_CLIENTS);
  clients.seen[number].here = true;
  pthread_mutex_unlock(&clients.mutex);
  f->handler.joined(f->handler.context, number);
  return number;
}

/* With a client who sees the ball. */
static int begin_ball(Fixture *f) {
  begin(f, "ball.yaml");
  int client = join(f);
  wait_for(client, is_phase, "running", 0.0);
  return client;
}

/* As a server does: it is sent nothing any more, and then the session is told. */
static void leave(Fixture *f, int client) {
  pthread_mutex_lock(&clients.mutex);
  clients.seen[client].here = clients.seen[client].greeted = false;
  pthread_mutex_unlock(&clients.mutex);
  f->handler.left(f->handler.context, client);
}

static void command(Fixture *f, int client, tacViewCommand which, uint32_t index, double value, const char *text) {
  tacViewMessage message = {.kind = TAC_VIEW_COMMAND, .command = {.command = which, .index = index, .value = value}};
  snprintf(message.command.text, sizeof message.command.text, "%s", text);
  f->handler.message(f->handler.context, client, &message);
}

static void point(Fixture *f, int client, bool touch, double z) {
  tacViewMessage message = {.kind = TAC_VIEW_POINTER,
                            .pointer = {.touch = touch, .position = {0.0, 0.0, z}, .orientation = {1.0}}};
  f->handler.message(f->handler.context, client, &message);
}

static void show(Fixture *f, int client, unsigned requests) {
  tacViewMessage message = {.kind = TAC_VIEW_SHOWN, .shown = {.requests = requests, .frame = look(client).frame}};
  f->handler.message(f->handler.context, client, &message);
}

enum { STIFFNESS, MASK }; /* of the ball's parameters */

/* ---- tests ---- */

/* While the worker is at the gate: clients come, are told, command and go. */
static void check_served(Fixture *f, int witness, Gate at) {
  Seen before = look(witness);
  bool demo = json_is_true(json_object_get(before.state, "demo"));
  int added = join(f);
  Seen seen = look(added);
  ck_assert_msg(seen.greeted && seen.states == 1, "%s keeps a newcomer waiting", gate_names[at]);
  ck_assert_int_eq(seen.bodies, json_is_null(json_object_get(seen.state, "scene")) ? 0 : 1);
  command(f, added, TAC_VIEW_DEMO, 0, !demo, "");
  wait_for(witness, has_true, "demo", !demo);
  command(f, added, TAC_VIEW_DEMO, 0, demo, "");
  wait_for(witness, has_true, "demo", demo);
  point(f, added, true, 0.05);
  show(f, added, TAC_VIEW_REQUEST_SURFACES);
  if (before.frames > 0 && !json_is_null(json_object_get(look(witness).state, "scene"))) {
    bool busy = !json_is_null(json_object_get(look(witness).state, "busy"));
    wait_for(witness, has_frames, gate_names[at], before.frames + 3);
    wait_for(added, has_frames, gate_names[at], 1);
    ck_assert_int_eq(look(added).busy, busy);
  } else {
    wait_for(witness, has_beats, gate_names[at], before.beats + 1); /* one comes every half second */
  }
  point(f, added, false, 0.05);
  leave(f, added);
}

typedef struct Step {
  tacViewCommand command;
  uint32_t index;
  double value;
  const char *text;
  const char *phase; /* after it */
  Gate gates[6];     /* that it passes; OPEN ends the list */
} Step;

TAC_TEST(callers_never_wait_for_the_worker) {
  const Step steps[] = {
      {TAC_VIEW_OPEN, 0, 0.0, "ball.yaml", "running", {DESTROY, LOAD, SHOW, LIST, RUN}},
      {TAC_VIEW_RESET, 0, 0.0, "", "running", {HALT, RUN, LIST}},
      {TAC_VIEW_PARAMETER, MASK, 0.012, "", "running", {HALT, REBUILD, RUN, LIST}},
      {TAC_VIEW_RECORD, 0, 1.0, "", "running", {HALT, RUN, LIST}},
      {TAC_VIEW_RECORD, 0, 0.0, "", "running", {LIST}},
      {TAC_VIEW_REPLAY, 0, 0.0, "view-001.tacrec", "replaying", {HALT, LIST, TAPE, SHOW}},
      {TAC_VIEW_REPLAY, 0, 0.0, "", "running", {SHOW, RUN}},
      {TAC_VIEW_OPEN, 0, 0.0, "", "gallery", {HALT, DESTROY}},
  };
  Fixture f;
  begin(&f, NULL);
  int witness = join(&f);
  wait_for(witness, is_phase, "gallery", 0.0);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    const Step *step = &steps[i];
    close_gate(step->gates[0]);
    command(&f, witness, step->command, step->index, step->value, step->text);
    for (int g = 0; g < 6 && step->gates[g] != OPEN; ++g) {
      wait_at_gate();
      check_served(&f, witness, step->gates[g]);
      close_gate(g < 5 ? step->gates[g + 1] : OPEN); /* it comes to the next one, whatever it passes before */
    }
    wait_for(witness, is_phase, step->phase, 0.0);
    if (strcmp(step->phase, "running") == 0) wait_for(witness, runs_on, step->text, 100.0);
  }
  finish(&f);
}

/* A scene that is opened while another one loads is what is shown. */
TAC_TEST(the_last_scene_wins) {
  Fixture f;
  begin(&f, NULL);
  int a = join(&f);
  close_gate(LOAD);
  command(&f, a, TAC_VIEW_OPEN, 0, 0.0, "ball.yaml");
  wait_at_gate();
  command(&f, a, TAC_VIEW_RESET, 0, 0.0, "");
  command(&f, a, TAC_VIEW_OPEN, 0, 0.0, "wrong.yaml");
  open_gate();
  wait_for(a, is_phase, "failed", 0.0);
  command(&f, a, TAC_VIEW_OPEN, 0, 0.0, "ball.yaml");
  command(&f, a, TAC_VIEW_OPEN, 0, 0.0, "");
  wait_for(a, is_phase, "gallery", 0.0);
  finish(&f);
}

TAC_TEST(commands_during_a_hold_take_effect_afterwards) {
  Fixture f;
  int a = begin_ball(&f), b = join(&f);
  wait_for(a, runs_on, "", 50.0);
  point(&f, b, true, 0.05);
  wait_for(a, is_led_by, "b", b);

  close_gate(REBUILD);
  command(&f, a, TAC_VIEW_PARAMETER, MASK, 0.012, "");
  wait_at_gate();
  wait_for(a, is_busy, "ball.mask", 0.0);
  int stood = look(a).busy_frames;
  wait_for(a, has_busy_frames, "", stood + 2);
  command(&f, a, TAC_VIEW_PARAMETER, STIFFNESS, 1.5, "");
  command(&f, a, TAC_VIEW_PARAMETER, MASK, 0.02, "");
  command(&f, a, TAC_VIEW_PARAMETER, MASK, 0.014, "");
  command(&f, a, TAC_VIEW_PAUSE, 0, 1.0, "");
  leave(&f, b); /* it lets go */
  wait_for(a, has_parameter, "ball.mask", 0.014);
  open_gate();

  wait_for(a, has_mask, "the last one", 0.014);
  wait_for(a, has_true, "paused", 1.0);
  wait_for(a, is_phase, "running", 0.0);
  wait_for(a, is_led_by, "nobody", 0.0);
  ck_assert(has_parameter(&clients.seen[a], "ball.stiffness", 1.5));
  ck_assert(has_parameter(&clients.seen[a], "ball.mask", 0.014));
  ck_assert_uint_eq(look(a).load, 1); /* nothing was loaded again */
  command(&f, a, TAC_VIEW_PAUSE, 0, 0.0, "");
  wait_for(a, runs_on, "", (double)look(a).tick + 100.0);
  finish(&f);
}

/* No tick is lost though nobody wants frames. */
TAC_TEST(ticks_are_sent_without_frames) {
  Fixture f;
  int a = begin_ball(&f);
  wait_for(a, runs_on, "", 50.0);
  pthread_mutex_lock(&clients.mutex);
  clients.refuse_frames = true;
  clients.seen[a].gaps = clients.seen[a].ticks = 0;
  pthread_mutex_unlock(&clients.mutex);
  int frames = look(a).frames;
  while (look(a).ticks < 20) tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 100);
  ck_assert_int_eq(look(a).gaps, 0);
  ck_assert_int_le(look(a).frames, frames + 1);
  finish(&f);
}

/* ---- many at once ---- */

typedef struct Visitor {
  Fixture *fixture;
  unsigned seed;
  pthread_t thread;
} Visitor;

static void act(Fixture *f, int client, unsigned choice, double value) {
  switch (choice % 16) {
    case 0: command(f, client, TAC_VIEW_RESET, 0, 0.0, ""); break;
    case 1: command(f, client, TAC_VIEW_PARAMETER, MASK, 0.01 + 0.02 * value, ""); break;
    case 2: command(f, client, TAC_VIEW_RECORD, 0, 1.0, ""); break;
    case 3: command(f, client, TAC_VIEW_RECORD, 0, 0.0, ""); break;
    case 4: command(f, client, TAC_VIEW_REPLAY, 0, 0.0, "view-001.tacrec"); break;
    case 5: command(f, client, TAC_VIEW_REPLAY, 0, 0.0, ""); break;
    case 6: command(f, client, TAC_VIEW_SEEK, 0, value, ""); break;
    case 7: command(f, client, TAC_VIEW_PLAY, 0, value, ""); break;
    case 8: command(f, client, TAC_VIEW_PAUSE, 0, value < 0.5, ""); break;
    case 9: command(f, client, TAC_VIEW_STEP, 0, 3.0, ""); break;
    case 10: command(f, client, TAC_VIEW_DEMO, 0, value < 0.5, ""); break;
    case 11:
      command(f, client, TAC_VIEW_OPEN, 0, 0.0, value < 0.2 ? "wrong.yaml" : value < 0.3 ? "" : "ball.yaml");
      break;
    case 12: command(f, client, TAC_VIEW_PARAMETER, STIFFNESS, 0.5 + value, ""); break;
    case 13: show(f, client, (unsigned)(value * TAC_VIEW_REQUEST_ALL)); break;
    default: point(f, client, value < 0.7, 0.04 + 0.02 * value); break;
  }
}

static void *visit(void *context) {
  Visitor *v = context;
  int client = join(v->fixture);
  for (int i = 0; i < 60; ++i) {
    unsigned choice = (unsigned)rand_r(&v->seed);
    double value = rand_r(&v->seed) / (double)RAND_MAX;
    if (choice % 23 == 0) {
      leave(v->fixture, client);
      client = join(v->fixture);
    }
    act(v->fixture, client, choice, value);
    tac_clock_sleep_until(tac_clock_now() + (int64_t)(value * 40e6));
  }
  leave(v->fixture, client);
  return NULL;
}

TAC_TEST(many_clients_at_once) {
  Fixture f;
  int witness = begin_ball(&f);
  Visitor visitors[6];
  for (int i = 0; i < 6; ++i) {
    visitors[i] = (Visitor){.fixture = &f, .seed = 1000u + (unsigned)i};
    ck_assert_int_eq(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
  }
  for (int i = 0; i < 6; ++i) pthread_join(visitors[i].thread, NULL);
  /* Whatever they did, it still does what it is told. */
  command(&f, witness, TAC_VIEW_OPEN, 0, 0.0, "ball.yaml");
  command(&f, witness, TAC_VIEW_DEMO, 0, 0.0, "");
  int states = look(witness).states;
  wait_for(witness, has_states, "", states + 1);
  wait_for(witness, is_phase, "running", 0.0);
  wait_for(witness, is_led_by, "nobody", 0.0);
  wait_for(witness, runs_on, "", 50.0);
  finish(&f);
}

/* ---- the end ---- */

static void *end_session(void *context) {
  Fixture *f = context;
  tac_session_end(f->session);
  return NULL;
}

TAC_TEST(session_ends_during_any_work) {
  const struct {
    Gate gate;
    tacViewCommand command;
    double value;
    const char *text;
  } steps[] = {{LOAD, TAC_VIEW_OPEN, 0.0, "ball.yaml"},
               {REBUILD, TAC_VIEW_PARAMETER, 0.012, ""},
               {HALT, TAC_VIEW_RESET, 0.0, ""},
               {RUN, TAC_VIEW_RECORD, 1.0, ""},
               {TAPE, TAC_VIEW_REPLAY, 0.0, "view-001.tacrec"}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    Fixture f;
    pthread_t thread;
    int a = begin_ball(&f);
    if (steps[i].gate == TAPE) {
      command(&f, a, TAC_VIEW_RECORD, 0, 1.0, "");
      wait_for(a, records, "", 1.0);
      wait_for(a, runs_on, "", 20.0);
      command(&f, a, TAC_VIEW_RECORD, 0, 0.0, "");
      wait_for(a, has_recordings, "", 1.0);
    }
    close_gate(steps[i].gate);
    command(&f, a, steps[i].command, MASK * (steps[i].gate == REBUILD), steps[i].value, steps[i].text);
    wait_at_gate();
    ck_assert_int_eq(pthread_create(&thread, NULL, end_session, &f), 0);
    tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 50);
    open_gate();
    pthread_join(thread, NULL);
    finish(&f); /* twice is allowed */
  }
}

static int run_session(const tacTestSuite *suite) {
  const char *base = getenv("TMPDIR");
  snprintf(cache, sizeof cache, "%s/tactus-test-XXXXXX", base != NULL ? base : "/tmp");
  if (mkdtemp(cache) == NULL) return EXIT_FAILURE;
  int status = tac_test_run(suite);
  tac_folder_remove(cache);
  return status;
}
TAC_TEST_RUN_BY(run_session)
