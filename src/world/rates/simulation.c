#include "world/rates/simulation.h"

#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/owned.h"
#include "base/threads/thread.h"
#include "world/rates/local_build.h"
#include "world/tools/held_body.h"
#include "world/world_show.h"
#include "world/world_step.h"

enum { IDLE, POSTED, READY }; /* whose turn it is: the ticks', the step's, the ticks' */
enum { MOST_WISHES = 64 };
static const double most_speed = 1.0;     /* m/s: of a tool, that a step looks ahead for */
static const int64_t look_again = 100000; /* ns: how often the thread looks for work */

TAC_OWNED_TYPE(tacSimulation, tac_simulation_destroy)

/* What a tick hands over. */
typedef struct Post {
  tacToolInput inputs[TAC_MOST_TOOLS];
  tacFrame frames[TAC_MOST_TOOLS]; /* of held bodies */
  tacTwist velocities[TAC_MOST_TOOLS];
  uint32_t renewed;                                      /* tacTickReport */
  double angles[TAC_MOST_TOOLS], wanted[TAC_MOST_TOOLS]; /* of their jaws, and where those are led in a step */
  int wish_count;
  tacWish wishes[MOST_WISHES];
} Post;

/* What it gets for that. */
typedef struct Result {
  tacLocalProblem problem;
  tacTickReport report;
  double *state;                 /* [state_size] */
  double stored[TAC_MOST_TOOLS]; /* J: of tools */
  tacFrame *frames;              /* [body_count] */
} Result;

struct tacSimulation {
  tacWorld *world;
  /* ---- of the ticks ---- */
  int64_t tick, posted, taken; /* now; in which the step under way was posted, and the last was taken */
  bool told, take;             /* results are taken where it is told; in the next tick */
  tacLocalTool tools[TAC_MOST_TOOLS];
  tacVec3 posted_from[TAC_MOST_TOOLS]; /* where they were in the tick `posted` */
  Result *now;
  tacArena arena;
  int wish_count;
  tacWish wishes[MOST_WISHES];
  /* ---- of whose turn it is ---- */
  atomic_int turn;
  Post post;
  Result *next;
  Result results[2]; /* these two */
  tacFrame *before;  /* [body_count] */
  tacArrays arrays;  /* its own and those of the results */
  tacLocalKeys keys;
  /* ---- of the thread ---- */
  bool threaded;
  atomic_bool stop;
  tacThread thread;
};

static tacStatus fill(const tacWorld *world, tacSimulation *s, tacError *error) {
  size_t bodies = (size_t)world->body_count + 1;
  for (int i = 0; i < 2; ++i) {
    s->results[i].state = tac_arrays_add(&s->arrays, (size_t)world->state_size + 1, sizeof *s->results[i].state);
    s->results[i].frames = tac_arrays_add(&s->arrays, bodies, sizeof *s->results[i].frames);
  }
  s->before = tac_arrays_add(&s->arrays, bodies, sizeof *s->before);
  TAC_TRY(tac_arrays_status(&s->arrays, "the world's state", error));
  return tac_arena_create(tac_local_problem_room(), "the world's ticks", &s->arena, error);
}

tacStatus tac_simulation_create(tacWorld *world, tacSimulation **simulation, tacError *error) {
  *simulation = NULL;
  TAC_OWN(tacSimulation, s) = NULL;
  TAC_TRY(TAC_ARRAY(s, 1, "a simulation", error));
  s->world = world;
  s->now = &s->results[0];
  s->next = &s->results[1];
  TAC_TRY(fill(world, s, error));
  tac_simulation_reset(s);
  *simulation = tac_give(&s);
  return TAC_OK;
}

void tac_simulation_destroy(tacSimulation *s) {
  if (s == NULL) return;
  tac_simulation_stop(s);
  tac_arrays_free(&s->arrays);
  tac_arena_destroy(&s->arena);
  free(s);
}

void tac_simulation_reset(tacSimulation *s) {
  const tacWorld *world = s->world;
  s->tick = s->posted = s->taken = 0;
  s->told = s->take = false;
  s->wish_count = 0;
  s->keys.count = 0;
  s->now->problem.count = 0;
  s->now->problem.left = 0.0;
  memset(s->now->problem.missing, 0, sizeof s->now->problem.missing);
  s->now->report = (tacTickReport){0};
  memset(s->now->stored, 0, sizeof s->now->stored);
  atomic_store_explicit(&s->turn, IDLE, memory_order_release);
  tac_world_show_state(world, s->now->state);
  for (int b = 0; b < world->body_count; ++b) s->now->frames[b] = world->bodies[b].frame;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    s->tools[t] = (tacLocalTool){.position = tool->position, .held = tool->held};
    s->posted_from[t] = tool->position;
    if (tool->held.body < 0) continue;
    s->tools[t].frame = world->bodies[tool->held.body].frame;
    s->tools[t].start = world->bodies[tool->held.body].start.orientation;
    for (int j = 0; j < tool->held.jaw_count; ++j) s->tools[t].jaws[j] = world->bodies[tool->held.jaws[j].body].frame;
  }
}

void tac_simulation_visit(tacSimulation *s, void (*part)(void *context, void *memory, size_t bytes), void *context) {
  const tacWorld *world = s->world;
  int64_t numbers[8] = {s->tick, s->posted, s->taken, s->told, s->take, s->wish_count, atomic_load(&s->turn), 0};
  part(context, numbers, sizeof numbers);
  part(context, s->tools, sizeof s->tools);
  part(context, s->posted_from, sizeof s->posted_from);
  part(context, s->wishes, sizeof s->wishes);
  part(context, &s->post, sizeof s->post);
  part(context, &s->keys, sizeof s->keys);
  Result *results[2] = {s->now, s->next};
  for (int i = 0; i < 2; ++i) {
    part(context, &results[i]->problem, sizeof results[i]->problem);
    part(context, &results[i]->report, sizeof results[i]->report);
    part(context, results[i]->stored, sizeof results[i]->stored);
    part(context, results[i]->state, (size_t)world->state_size * sizeof(double));
    part(context, results[i]->frames, (size_t)world->body_count * sizeof(tacFrame));
  }
  s->tick = numbers[0];
  s->posted = numbers[1];
  s->taken = numbers[2];
  s->told = numbers[3] != 0;
  s->take = numbers[4] != 0;
  s->wish_count = (int)numbers[5];
  atomic_store(&s->turn, (int)numbers[6]);
}

/* ---- a step of the bodies ---- */

static void simulate(tacSimulation *s) {
  tacWorld *world = s->world;
  const Post *post = &s->post;
  tacToolOutput outputs[TAC_MOST_TOOLS];
  int refused = 0;
  int64_t begin = tac_clock_thread();
  for (int i = 0; i < post->wish_count; ++i) refused += tac_wish_fulfil(world, &post->wishes[i], NULL) != TAC_OK;
  for (int t = 0; t < world->tool_count; ++t) { /* it was moved on meanwhile */
    tacHeldBody *held = &world->tools[t].held;
    if (held->body < 0) continue;
    world->bodies[held->body].frame = post->frames[t];
    held->velocity = post->velocities[t];
    held->angle = post->angles[t];
    held->wanted = post->wanted[t];
    for (int j = 0; j < held->jaw_count; ++j)
      tac_held_body_jaw(held, j, &post->frames[t], &world->bodies[held->jaws[j].body].frame);
  }
  for (int b = 0; b < world->body_count; ++b) s->before[b] = world->bodies[b].frame;
  tac_world_renew(world, post->renewed);
  tac_world_advance(world, post->inputs, outputs, &s->next->report);
  s->next->report.refused += refused;
  tac_local_build(world, s->before, &s->keys, &s->next->problem, &s->next->report);
  tac_world_show_state(world, s->next->state);
  for (int t = 0; t < world->tool_count; ++t) s->next->stored[t] = world->tools[t].stored;
  for (int b = 0; b < world->body_count; ++b) s->next->frames[b] = world->bodies[b].frame;
  s->next->report.step = tac_clock_seconds(tac_clock_thread() - begin);
}

static void run(void *context) {
  tacSimulation *s = context;
  while (!atomic_load_explicit(&s->stop, memory_order_relaxed)) {
    if (atomic_load_explicit(&s->turn, memory_order_acquire) == POSTED) {
      simulate(s);
      atomic_store_explicit(&s->turn, READY, memory_order_release);
    } else {
      tac_clock_sleep_until(tac_clock_now() + look_again);
    }
  }
}

tacStatus tac_simulation_start(tacSimulation *s, tacError *error) {
  if (s->threaded) return TAC_OK;
  atomic_store(&s->stop, false);
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-bodies";
  tacStatus status = tac_thread_create(&def, run, s, &s->thread, error);
  s->threaded = status == TAC_OK;
  return status;
}

void tac_simulation_stop(tacSimulation *s) {
  if (!s->threaded) return;
  tac_simulation_settle(s);
  atomic_store_explicit(&s->stop, true, memory_order_relaxed);
  tac_thread_join(&s->thread);
  s->threaded = false;
}

void tac_simulation_settle(tacSimulation *s) {
  while (s->threaded && atomic_load_explicit(&s->turn, memory_order_acquire) == POSTED)
    tac_clock_sleep_until(tac_clock_now() + look_again);
  /* Parameters are none of what a world is reset to, saved or loaded with: they do not wait for a step that may never
   * come. */
  int left = 0;
  for (int i = 0; i < s->wish_count; ++i)
    if (s->wishes[i].kind == TAC_WISH_PARAMETER)
      tac_wish_fulfil(s->world, &s->wishes[i], NULL);
    else
      s->wishes[left++] = s->wishes[i];
  s->wish_count = left;
}

/* ---- a tick ---- */

void tac_simulation_tell(tacSimulation *s, bool take) {
  s->told = true;
  s->take = take;
}

tacStatus tac_simulation_ask(tacSimulation *s, const tacWish *wish, tacError *error) {
  tacWish asked = *wish;
  if (wish->kind == TAC_WISH_PUSH) /* as much as in one tick */
    asked.force = tac_vec3_scale(1.0 / s->world->simulate_every, wish->force);
  if (atomic_load_explicit(&s->turn, memory_order_acquire) == IDLE) return tac_wish_fulfil(s->world, &asked, error);
  if (wish->kind == TAC_WISH_PARAMETER &&
      !(wish->index >= 0 && wish->index < tac_world_parameter_count(s->world) && isfinite(wish->value)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no parameter %d that could be %g", wish->index,
                         wish->value);
  if (wish->kind == TAC_WISH_PARAMETER && !tac_world_parameter(s->world, wish->index).in_tick) {
    tac_simulation_settle(s); /* no tick asks for what takes time, and none is to do it */
    return tac_wish_fulfil(s->world, wish, error);
  }
  if (s->wish_count == MOST_WISHES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "at most %d changes between two steps of the bodies", MOST_WISHES);
  s->wishes[s->wish_count++] = asked;
  return TAC_OK;
}

bool tac_simulation_stepped(const tacSimulation *s) {
  return atomic_load_explicit(&s->turn, memory_order_acquire) != POSTED;
}

static double step_of(const tacSimulation *s) {
  return s->world->tick_period * s->world->simulate_every;
}

static void take_result(tacSimulation *s, tacTickReport *report) {
  Result *before = s->now;
  s->now = s->next;
  s->next = before;
  *report = s->now->report; /* of the step: what the tick adds comes on top */
  report->contact_count = 0;
  report->laws = 0;
  report->taken = true;
  for (int t = 0; t < s->world->tool_count; ++t) {
    s->tools[t].parted = s->tools[t].parts;
    s->tools[t].loosed = s->tools[t].looses;
  }
  tac_local_problem_follow(&s->now->problem, &before->problem, s->tools, step_of(s));
  s->taken = s->tick;
  atomic_store_explicit(&s->turn, IDLE, memory_order_relaxed);
}

static void take_input(tacSimulation *s, int t, const tacToolInput *input, tacTickReport *report) {
  tacLocalTool *tool = &s->tools[t];
  tacQuat turn;
  bool holds = tool->held.body >= 0, grabbed = tool->grab, good = tac_tool_input_good(input, !holds, &turn);
  report->refused += !good;
  if (good) {
    tool->position = input->position;
    tool->grab = input->grab;
    tool->grip = tac_tool_input_grip(input);
    tool->lifted = input->lifted;
  }
  tool->parted = tool->parted || tool->lifted;
  tool->parts = tool->parts || tool->lifted;
  tool->loosed = tool->loosed || (grabbed && !tool->grab);
  tool->looses = tool->looses || (grabbed && !tool->grab);
  if (holds)
    tac_held_body_take(&tool->held, s->world->tick_period, tool->start, tool->position,
                       good ? tac_quat_normalise(turn) : tool->held.turn, tool->grip);
}

/* Where a tool will be when the step that is posted ends, as it goes on now: the step's forces are those of its end. */
static tacVec3 position_ahead(const tacSimulation *s, int t) {
  tacVec3 here = s->tools[t].position, way = tac_vec3_sub(here, s->posted_from[t]);
  double ticks = (double)(s->tick - s->posted), most = most_speed * step_of(s), far = tac_vec3_norm(way);
  if (!(ticks > 0.0) || !(far > 0.0)) return here;
  return tac_vec3_mad(here, fmin(s->world->simulate_every / ticks, most / far), way);
}

static void hand_over(tacSimulation *s, tacTickReport *report) {
  Post *post = &s->post;
  for (int t = 0; t < s->world->tool_count; ++t) {
    tacLocalTool *tool = &s->tools[t];
    bool holds = tool->held.body >= 0;
    tacQuat q = holds ? tool->held.turn : tac_quat_identity();
    /* A finger that left between two steps has left. */
    post->inputs[t] = (tacToolInput){position_ahead(s, t),
                                     {q.w, q.x, q.y, q.z},
                                     tool->grab && !tool->looses,
                                     holds ? tool->lifted : tool->parts,
                                     tool->grip};
    tool->parts = tool->looses = false;
    post->frames[t] = tool->frame;
    post->velocities[t] = tool->held.velocity;
    post->angles[t] = tool->held.angle;
    post->wanted[t] = tool->held.wanted;
    s->posted_from[t] = tool->position;
  }
  post->wish_count = s->wish_count;
  memcpy(post->wishes, s->wishes, (size_t)s->wish_count * sizeof *s->wishes);
  s->wish_count = 0;
  post->renewed = report->renewed = tac_world_renewal(s->world);
  s->posted = s->tick;
  atomic_store_explicit(&s->turn, POSTED, memory_order_release);
  if (s->threaded) return;
  simulate(s);
  report->within = s->next->report.step;
  atomic_store_explicit(&s->turn, READY, memory_order_release);
}

static void describe(tacSimulation *s, tacToolOutput *outputs, tacTickReport *report) {
  report->coupling_saturated = 0;
  for (int t = 0; t < s->world->tool_count; ++t) {
    tacToolOutput nothing = {.proxy = s->tools[t].position, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
    outputs[t] = nothing;
    tac_local_problem_describe(&s->now->problem, t, s->tools, &outputs[t], report);
    report->coupling_saturated += outputs[t].saturated;
    if (tac_tool_output_finite(&outputs[t])) continue;
    s->now->problem.count = 0; /* cannot happen with finite assets */
    tac_frame_place(&s->tools[t].frame, s->tools[t].held.device.position, s->tools[t].held.device.orientation);
    s->tools[t].held.velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    outputs[t] = nothing;
    ++report->refused;
  }
}

void tac_simulation_tick(tacSimulation *s, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  int turn = atomic_load_explicit(&s->turn, memory_order_acquire);
  int64_t waited = s->tick - s->posted, most = s->world->simulate_every;
  const tacTickReport *step = &s->now->report; /* what is told of the bodies stays until their next step */
  bool wanted = s->told ? s->take : turn != IDLE && waited >= most;
  *report = (tacTickReport){.touching = step->touching,
                            .visited = step->visited,
                            .points = step->points,
                            .level = step->level,
                            .doubt = step->doubt,
                            .doubted = step->doubted};
  s->take = false;
  if (wanted && turn == READY)
    take_result(s, report);
  else if (wanted)
    report->overdue = (int)(waited - most + 1);
  for (int t = 0; t < s->world->tool_count; ++t) take_input(s, t, &inputs[t], report);
  if (atomic_load_explicit(&s->turn, memory_order_relaxed) == IDLE) hand_over(s, report);
  tac_local_problem_solve(&s->now->problem, s->world->tool_count, s->tools, s->world->tick_period,
                          (double)(s->tick - s->taken) * s->world->tick_period, step_of(s), &s->arena, report);
  describe(s, outputs, report);
  ++s->tick;
}

/* ---- what is shown ---- */

int tac_simulation_contacts(const tacSimulation *s, int most, tacShownContact *contacts) {
  return tac_local_problem_contacts(&s->now->problem, s->tools, most, contacts);
}

int tac_simulation_delassus(const tacSimulation *s, int most, double *w) {
  return tac_local_problem_delassus(&s->now->problem, most, w);
}

double tac_simulation_jaw_angle(const tacSimulation *s, int tool) {
  return s->tools[tool].held.angle;
}

double tac_simulation_stored(const tacSimulation *s, int tool) {
  return s->now->stored[tool];
}

const tacFrame *tac_simulation_frame(const tacSimulation *s, int body) {
  for (int t = 0; t < s->world->tool_count; ++t)
    if (s->tools[t].held.body == body) return &s->tools[t].frame;
  for (int t = 0; t < s->world->tool_count; ++t)
    for (int j = 0; j < s->tools[t].held.jaw_count; ++j)
      if (s->tools[t].held.jaws[j].body == body) return &s->tools[t].jaws[j];
  return &s->now->frames[body];
}

void tac_simulation_state(const tacSimulation *s, double *state) {
  const tacWorld *world = s->world;
  memcpy(state, s->now->state, (size_t)world->state_size * sizeof *state);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacHeldBody *held = &s->tools[t].held;
    if (held->body < 0) continue;
    tac_world_show_pose(&s->tools[t].frame, state + world->bodies[held->body].pose_state);
    for (int j = 0; j < held->jaw_count; ++j)
      tac_world_show_pose(&s->tools[t].jaws[j], state + world->bodies[held->jaws[j].body].pose_state);
  }
}
