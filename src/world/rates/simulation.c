#include "world/rates/simulation.h"

#include <math.h>
#include <string.h>
#include "base/clock.h"
#include "base/memory/owned.h"
#include "base/threads/thread.h"
#include "body/response.h"
#include "couple/local_output.h"
#include "couple/tool.h"
#include "world/rates/local_answer.h"
#include "world/rates/local_build.h"
#include "world/tools/fingertip_touch.h"
#include "world/tools/pad_tools.h"
#include "world/world_show.h"
#include "world/world_step.h"

enum { IDLE, POSTED, READY }; /* the step owns the shared data in POSTED, the ticks otherwise */
enum { MOST_REQUESTS = 64 };
static const double most_speed = 1.0;     /* maximum predicted speed of a tool, m/s */
static const double same_place = 1e-4;    /* tangential offset up to which a sticking tip keeps its place, m */
static const int64_t look_again = 100000; /* polling interval of the thread, ns */

TAC_OWNED_TYPE(tacSimulation, tac_simulation_destroy)

/* Mean force and work of a tool's contact since the last step was posted. */
typedef struct Press {
  tacLocalPost post; /* key, bodies, place and mean force of the contact */
  int tool;          /* tool whose energy tank the contact uses */
  tacSite site[2];
  tacVec3 lever[2];
  double work;           /* work of the contact on the bodies, J */
  bool tip;              /* the contact is that of a point tool; the members below are set only then */
  tacContactState state; /* contact state; TAC_CONTACT_NONE: the tip no longer presses the body */
  tacVec3 target;        /* position towards which a sliding place moves, world */
  tacSurfacePoint at;    /* place at which the force acted; the contact patch is recomputed there */
  tacSurfacePoint on;    /* place at which the contact continues in the new problem */
} Press;

/* Data that a tick posts for a step. */
typedef struct Post {
  int press_count;
  Press presses[TAC_LOCAL_MOST];
  tacToolInput inputs[TAC_MOST_TOOLS];
  tacFrame frames[TAC_MOST_TOOLS]; /* frames of held bodies */
  tacTwist velocities[TAC_MOST_TOOLS];
  uint32_t renewed;                                      /* as tacTickReport.renewed */
  double angles[TAC_MOST_TOOLS], wanted[TAC_MOST_TOOLS]; /* jaw angles and target angles, rad */
  tacVec3 apart[TAC_MOST_TOOLS];                         /* tacHeldBody.apart of each tool */
  tacQuat turned[TAC_MOST_TOOLS];                        /* tacHeldBody.turned of each tool */
  int pull_count;
  tacPull pulls[TAC_MOST_TOOLS];
  double pull_work[TAC_MOST_TOOLS]; /* work of the pads on each of these bodies, J */
  int request_count;
  tacRequest requests[MOST_REQUESTS];
} Post;

/* Result of a posted step. */
typedef struct Result {
  tacLocalProblem problem;
  tacTickReport report;
  double *state;                 /* state of the world, [state_size] */
  double stored[TAC_MOST_TOOLS]; /* stored energy of each tool (world/store.h), J */
  double kept[TAC_MOST_TOOLS];   /* work of each tool's contacts that bodies did not receive in the step, J */
  tacFrame *frames;              /* frames of the bodies, [body_count] */
  int pulled_count;              /* number of free bodies that pads may hold */
  tacPulledFrame pulled[TAC_MOST_TOOLS];
  double pulled_kept[TAC_MOST_TOOLS]; /* work of the pads that each of these bodies did not receive in the step, J */
  tacVec3 *places, *normals;          /* vertices and normals of bodies that tools may grab, body's frame, [reached] */
} Result;

struct tacSimulation {
  tacWorld *world;
  /* ---- data of the ticks ---- */
  int64_t crowded; /* number of steps whose local problem had no room for all contacts */
  int most_left_out;
  int64_t tick, posted, taken; /* present tick; tick of the last post; tick in which the last result was taken */
  bool replays, take; /* `replays`: a recording is replayed; `take`: the next tick of the replay takes the result */
  tacLocalTool tools[TAC_MOST_TOOLS];
  size_t reached, first_reached[TAC_MOST_TOOLS]; /* size of Result.places; index of the first vertex of each tool */
  tacVec3 posted_from[TAC_MOST_TOOLS];           /* tool positions in the tick `posted` */
  Result *now;
  tacArena arena;
  int request_count;
  tacRequest requests[MOST_REQUESTS];
  /* ---- shared data, owned by the ticks or by the step according to `turn` ---- */
  atomic_int turn;
  Post post;
  Result *next;
  Result results[2]; /* memory of `now` and `next` */
  tacFrame *before;  /* [body_count]: frames at the start of the step */
  tacArrays arrays;  /* memory of the arrays in the simulation and in the results */
  tacLocalPast past;
  /* ---- thread ---- */
  bool threaded;
  atomic_bool stop;
  tacThread thread;
};

/* Returns true if the tool grabs a body by a button. */
static bool has_reach(const tacHeldBody *held) {
  return held->body >= 0 && held->def.reach > 0.0;
}

static size_t vertices_of(const tacWorld *world, int t) {
  const tacHeldBody *held = &world->tools[t].held;
  return has_reach(held) ? (size_t)world->bodies[held->body].surface->mesh->vertex_count : 0;
}

/* Copies the surfaces of bodies that tools may grab by a button. */
static void show_shapes(const tacSimulation *s, Result *result) {
  for (int t = 0; t < s->world->tool_count; ++t) {
    size_t first = s->first_reached[t], count = vertices_of(s->world, t);
    const tacBody *body = count > 0 ? &s->world->bodies[s->world->tools[t].held.body].body : NULL;
    for (size_t v = 0; v < count; ++v) {
      result->places[first + v] = body->table->vertex(body->self, (int)v);
      result->normals[first + v] = body->table->vertex_normal(body->self, (int)v);
    }
  }
}

static tacStatus fill(const tacWorld *world, tacSimulation *s, tacError *error) {
  size_t bodies = (size_t)world->body_count + 1;
  for (int t = 0; t < world->tool_count; ++t) {
    s->first_reached[t] = s->reached;
    s->reached += vertices_of(world, t);
  }
  for (int i = 0; i < 2; ++i) {
    s->results[i].state = tac_arrays_add(&s->arrays, (size_t)world->state_size + 1, sizeof *s->results[i].state);
    s->results[i].frames = tac_arrays_add(&s->arrays, bodies, sizeof *s->results[i].frames);
    s->results[i].places = tac_arrays_add(&s->arrays, s->reached, sizeof *s->results[i].places);
    s->results[i].normals = tac_arrays_add(&s->arrays, s->reached, sizeof *s->results[i].normals);
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

/* Initialises the motion of free bodies that pads may hold, at the present poses. */
static void reset_pulled(tacSimulation *s) {
  const tacWorld *world = s->world;
  Result *r = s->now;
  r->pulled_count = s->post.pull_count = 0;
  memset(s->next->pulled_kept, 0, sizeof s->next->pulled_kept);
  for (int b = 0; b < world->body_count && r->pulled_count < TAC_MOST_TOOLS; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (body->grip.patches == NULL || body->frame.mode != TAC_FRAME_FREE) continue;
    s->post.pulls[s->post.pull_count] = (tacPull){.body = b};
    s->post.pull_work[s->post.pull_count++] = 0.0;
    tac_pulled_frame_begin(&r->pulled[r->pulled_count++], b, &body->frame);
  }
}

void tac_simulation_reset(tacSimulation *s) {
  const tacWorld *world = s->world;
  s->tick = s->posted = s->taken = 0;
  s->replays = s->take = false;
  s->request_count = 0;
  s->past.count = 0;
  s->post.press_count = 0;
  s->now->problem.count = 0;
  s->now->problem.built = 0;
  s->crowded = s->most_left_out = 0;
  s->now->problem.left = 0.0;
  memset(s->now->problem.missing, 0, sizeof s->now->problem.missing);
  memset(s->now->kept, 0, sizeof s->now->kept);
  s->now->report = (tacTickReport){0};
  memset(s->now->stored, 0, sizeof s->now->stored);
  atomic_store_explicit(&s->turn, IDLE, memory_order_release);
  tac_world_show_state(world, s->now->state);
  show_shapes(s, s->now);
  reset_pulled(s);
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
  int64_t numbers[9] = {
      s->tick,    s->posted,       s->taken, s->replays, s->take, s->request_count, atomic_load(&s->turn),
      s->crowded, s->most_left_out};
  part(context, numbers, sizeof numbers);
  part(context, s->tools, sizeof s->tools);
  part(context, s->posted_from, sizeof s->posted_from);
  part(context, s->requests, sizeof s->requests);
  part(context, &s->post, sizeof s->post);
  part(context, &s->past, sizeof s->past);
  Result *results[2] = {s->now, s->next};
  for (int i = 0; i < 2; ++i) {
    part(context, &results[i]->problem, sizeof results[i]->problem);
    part(context, &results[i]->report, sizeof results[i]->report);
    part(context, results[i]->stored, sizeof results[i]->stored);
    part(context, results[i]->kept, sizeof results[i]->kept);
    part(context, &results[i]->pulled_count, sizeof results[i]->pulled_count);
    part(context, results[i]->pulled, sizeof results[i]->pulled);
    part(context, results[i]->pulled_kept, sizeof results[i]->pulled_kept);
    part(context, results[i]->state, (size_t)world->state_size * sizeof(double));
    part(context, results[i]->frames, (size_t)world->body_count * sizeof(tacFrame));
    part(context, results[i]->places, s->reached * sizeof(tacVec3));
    part(context, results[i]->normals, s->reached * sizeof(tacVec3));
  }
  s->tick = numbers[0];
  s->posted = numbers[1];
  s->taken = numbers[2];
  s->replays = numbers[3] != 0;
  s->take = numbers[4] != 0;
  s->request_count = (int)numbers[5];
  atomic_store(&s->turn, (int)numbers[6]);
  s->crowded = numbers[7];
  s->most_left_out = (int)numbers[8];
}

/* ---- a step of the bodies ---- */

static tacVec3 place_of(const tacWorld *world, const Press *p, int side) {
  const tacWorldBody *body = &world->bodies[p->post.body[side]];
  return tac_frame_to_world(
      &body->frame,
      tac_vec3_add(tac_response_place(&body->body, body->fingers.patches, &p->site[side]), p->lever[side]));
}

/* Applies the tick forces to the bodies, and sets the contacts of the point tools. `from` [press_count] receives the places of the
 * forces. */
static void press(tacWorld *world, const Post *post, tacVec3 from[][2]) {
  world->tick_force_count = 0;
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body >= 0 && tac_world_carries(world, world->tools[t].body)) world->tools[t].body = -1;
  for (int i = 0; i < post->press_count; ++i) {
    const Press *p = &post->presses[i];
    tacDent soft;
    if (p->site[1].kind == TAC_SITE_PATCH) tac_fingertip_place(world, p->post.body[1], p->tool, p->at, &soft);
    for (int side = 0; side < 2; ++side) {
      int body = p->post.body[side];
      if (body < 0) continue;
      from[i][side] = place_of(world, p, side);
      world->tick_forces[world->tick_force_count++] =
          (tacPush){.body = body,
                    .site = p->site[side],
                    .at = from[i][side],
                    .force = tac_vec3_scale(side == 0 ? 1.0 : -1.0, p->post.force)};
    }
    if (!p->tip) continue;
    tacWorldTool *tool = &world->tools[p->tool];
    if (p->state == TAC_CONTACT_NONE || post->inputs[p->tool].lifted) {
      *tac_world_approach(world, p->tool, p->post.body[1]) = (tacApproach){.known = true, .nearest = p->on};
      continue;
    }
    if (tool->body < 0) ++tool->contacts;
    tool->body = p->post.body[1];
    tool->point = (tacPointContact){p->state, p->on, tac_vec3_scale(-1.0, p->post.force), {0.0, 0.0, 0.0}};
  }
}

/* Returns how far the material point of a contact moved in the step. For a held body, the motion is only the deformation,
 * since ticks move the frame. */
static tacVec3 moved_by_step(const tacSimulation *s, const Press *p, int side, tacVec3 from) {
  int index = p->post.body[side];
  const tacWorldBody *body = &s->world->bodies[index];
  tacVec3 now = place_of(s->world, p, side);
  if (body->holder < 0) return tac_vec3_sub(now, from);
  return tac_quat_rotate(body->frame.orientation, tac_vec3_sub(tac_frame_from_world(&body->frame, now),
                                                               tac_frame_from_world(&s->before[index], from)));
}

/* Computes the work that bodies did not receive in the step, `kept`, and the new places of tips. Call after the
 * step. */
static void follow_presses(const tacSimulation *s, const Post *post, tacVec3 from[][2], double *kept) {
  tacWorld *world = s->world;
  const tacPush *push = world->tick_forces;
  memset(kept, 0, TAC_MOST_TOOLS * sizeof *kept);
  for (int i = 0; i < post->press_count; ++i) {
    const Press *p = &post->presses[i];
    kept[p->tool] += p->work;
    for (int side = 0; side < 2; ++side) {
      int body = p->post.body[side];
      if (body < 0) continue;
      tacVec3 force = push++->force;
      if (tac_world_carries(world, body))
        kept[p->tool] -= tac_vec3_dot(force, moved_by_step(s, p, side, from[i][side]));
    }
    tacWorldTool *tool = &world->tools[p->tool];
    if (!p->tip || tool->body != p->post.body[1] || tool->point.state != TAC_CONTACT_SLIDES) continue;
    const tacWorldBody *body = &world->bodies[tool->body];
    if (tac_fingertip_presses(body, tool))
      tac_fingertip_follow(world, tool->body, p->tool, p->target, &tool->point.at);
    else
      tac_body_surface_nearest(body->surface, &body->body, tac_frame_from_world(&body->frame, p->target),
                               &tool->point.at);
  }
}

/* Moves a frame to the pose `to` from the ticks, and sets the velocity to the mean velocity of this motion. */
static void lead(tacFrame *frame, const tacFrame *to, double seconds) {
  tacVec3 way = tac_vec3_sub(tac_frame_about(to), tac_frame_about(frame));
  tacQuat turn = tac_quat_mul(to->orientation, tac_quat_conjugate(frame->orientation));
  *frame = *to;
  frame->linear = tac_vec3_scale(1.0 / seconds, way);
  frame->angular = tac_vec3_scale(1.0 / seconds, tac_quat_to_rotation_vector(turn));
}

/* Applies the loads of pads to free bodies. */
static void pull(tacWorld *world, const Post *post) {
  world->pull_count = post->pull_count;
  memcpy(world->pulls, post->pulls, (size_t)post->pull_count * sizeof *post->pulls);
  for (int i = 0; i < post->pull_count; ++i) {
    tacWorldBody *body = &world->bodies[post->pulls[i].body];
    const double *w = post->pulls[i].wrench;
    body->frame.force = tac_vec3_add(body->frame.force, tac_vec3(w[0], w[1], w[2]));
    body->frame.torque = tac_vec3_add(body->frame.torque, tac_vec3(w[3], w[4], w[5]));
    body->turn.attended = world->tick + 2 * body->def.every;
  }
}

/* Computes the work of pads that free bodies did not receive in the step, and the equations of these bodies for ticks.
 * Call after the step. */
static void follow_pulls(tacSimulation *s, const Post *post) {
  Result *next = s->next;
  next->pulled_count = post->pull_count;
  for (int i = 0; i < post->pull_count; ++i) {
    const tacPull *p = &post->pulls[i];
    double way[6];
    tac_frame_way(&s->before[p->body], &s->world->bodies[p->body].frame, way);
    next->pulled_kept[i] = post->pull_work[i];
    for (int k = 0; k < 6; ++k) next->pulled_kept[i] -= p->wrench[k] * way[k];
    tac_local_answer_pull(s->world, &next->problem, p, &next->report, &next->pulled[i]);
  }
}

static void simulate(tacSimulation *s) {
  tacWorld *world = s->world;
  const Post *post = &s->post;
  tacVec3 from[TAC_LOCAL_MOST][2];
  tacLocalPost posts[TAC_LOCAL_MOST];
  tacToolOutput outputs[TAC_MOST_TOOLS];
  int refused = 0;
  int64_t begin = tac_clock_thread();
  for (int i = 0; i < post->request_count; ++i) refused += tac_request_apply(world, &post->requests[i], NULL) != TAC_OK;
  for (int t = 0; t < world->tool_count; ++t) { /* held bodies take the poses of the ticks */
    tacHeldBody *held = &world->tools[t].held;
    if (held->body < 0) continue;
    lead(&world->bodies[held->body].frame, &post->frames[t], world->period);
    held->velocity = post->velocities[t];
    held->angle = post->angles[t];
    held->wanted = post->wanted[t];
    held->apart = post->apart[t];
    held->turned = post->turned[t];
    for (int j = 0; j < held->jaw_count; ++j) {
      tacFrame *jaw = &world->bodies[held->jaws[j].body].frame, now = *jaw;
      tac_held_body_jaw(held, j, &post->frames[t], &now);
      lead(jaw, &now, world->period);
    }
  }
  for (int b = 0; b < world->body_count; ++b) s->before[b] = world->bodies[b].frame;
  tac_world_renew(world, post->renewed);
  press(world, post, from);
  pull(world, post);
  if (s->posted > 0)
    tac_world_advance(world, post->inputs, outputs, &s->next->report);
  else
    tac_world_look(world, post->inputs, &s->next->report);
  follow_presses(s, post, from, s->next->kept);
  s->next->report.refused += refused;
  for (int i = 0; i < post->press_count; ++i) posts[i] = post->presses[i].post;
  tac_local_build(world, s->before, post->press_count, posts, &s->past, &s->next->problem, &s->next->report);
  follow_pulls(s, post);
  tac_world_show_state(world, s->next->state);
  show_shapes(s, s->next);
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
  /* The caller may reset, save or load the world, which does not include parameters. Requested parameters are set now,
   * since the next step may never be posted. */
  int left = 0;
  for (int i = 0; i < s->request_count; ++i)
    if (s->requests[i].kind == TAC_REQUEST_PARAMETER)
      tac_request_apply(s->world, &s->requests[i], NULL);
    else
      s->requests[left++] = s->requests[i];
  s->request_count = left;
}

/* ---- a tick ---- */

void tac_simulation_replay_taking(tacSimulation *s, bool take) {
  s->replays = true;
  s->take = take;
}

tacStatus tac_simulation_ask(tacSimulation *s, const tacRequest *request, tacError *error) {
  tacRequest asked = *request;
  if (request->kind == TAC_REQUEST_PUSH) /* the force acts for one tick; the step spreads the impulse over all ticks */
    asked.force = tac_vec3_scale(1.0 / s->world->simulate_every, request->force);
  if (atomic_load_explicit(&s->turn, memory_order_acquire) == IDLE) return tac_request_apply(s->world, &asked, error);
  if (request->kind == TAC_REQUEST_PARAMETER &&
      !(request->index >= 0 && request->index < tac_world_parameter_count(s->world) && isfinite(request->value)))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "cannot set parameter %d to %g: the parameter does not exist, or "
                         "the value is NaN or infinite",
                         request->index, request->value);
  if (request->kind == TAC_REQUEST_PARAMETER && !tac_world_parameter(s->world, request->index).in_tick) {
    tac_simulation_settle(s); /* waiting is allowed, since no tick sets this kind of parameter */
    return tac_request_apply(s->world, request, error);
  }
  if (s->request_count == MOST_REQUESTS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "too many changes between two steps of the bodies (limit %d)",
                         MOST_REQUESTS);
  s->requests[s->request_count++] = asked;
  return TAC_OK;
}

bool tac_simulation_stepped(const tacSimulation *s) {
  return atomic_load_explicit(&s->turn, memory_order_acquire) != POSTED;
}

static double step_of(const tacSimulation *s) {
  return s->world->tick_period * s->world->simulate_every;
}

/* Returns the predicted position of a tool at the end of the posted step, since a step uses the forces at its end. */
static tacVec3 position_ahead(const tacSimulation *s, int t) {
  tacVec3 here = s->tools[t].position, way = tac_vec3_sub(here, s->posted_from[t]);
  double ticks = (double)(s->tick - s->posted), most = most_speed * step_of(s), far = tac_vec3_norm(way);
  if (!(ticks > 0.0) || !(far > 0.0)) return here;
  return tac_vec3_mad(here, fmin(s->world->simulate_every / ticks, most / far), way);
}

/* Returns the surface point of a tip's contact. */
static tacSurfacePoint point_of(const tacLocalContact *c) {
  return (tacSurfacePoint){c->shown.triangle, {c->shown.weight[0], c->shown.weight[1], c->shown.weight[2]}};
}

/* Posts the mean forces of the carried contacts of `before`, the problem that ticks solved until now. */
static void hand_over_presses(tacSimulation *s, const tacLocalProblem *before) {
  Post *post = &s->post;
  post->press_count = 0;
  for (int i = 0; i < before->count; ++i) {
    const tacLocalContact *c = &before->contacts[i];
    tacVec3 force = c->carries ? tac_local_problem_pressed(before, i) : tac_vec3(0.0, 0.0, 0.0);
    if (!c->carries || (c->state == TAC_CONTACT_NONE && !(tac_vec3_norm2(force) > 0.0))) continue;
    Press *p = &post->presses[post->press_count++];
    tacVec3 place = tac_local_contact_place(c, 1, s->tools);
    *p = (Press){.post = {c->key, {c->body[0], c->body[1]}, place, force},
                 .tool = c->tool[c->tool[0] >= 0 ? 0 : 1],
                 .site = {c->site[0], c->site[1]},
                 .lever = {c->lever[0], c->lever[1]},
                 .work = c->carried.work,
                 .tip = c->tip};
    if (!c->tip) continue;
    p->at = p->on = point_of(c);
    for (int k = 0; k < s->now->problem.built; ++k) {
      const tacLocalContact *next = &s->now->problem.contacts[k];
      if (next->tip && next->key == c->key) p->on = point_of(next);
    }
    if (c->leaves > 0) { /* the stored patch belongs to the current contact of the tool */
      bool under_tip = p->site[1].kind == TAC_SITE_TIP;
      p->site[1] = tac_site_on_surface(p->at);
      if (under_tip) p->site[1].kind = TAC_SITE_TIP;
    }
    tacVec3 aside = tac_vec3_add(tac_vec3_scale(c->anchor[1], c->axes[1]), tac_vec3_scale(c->anchor[2], c->axes[2]));
    bool slides = c->state == TAC_CONTACT_SLIDES, near = tac_vec3_norm(aside) <= same_place;
    p->target = tac_vec3_add(place, aside);
    if (slides) /* the middle of the next step, in which the new problem is used, is 1.5 steps ahead */
      p->target = tac_vec3_mad(p->target, 1.5, tac_vec3_sub(position_ahead(s, p->tool), s->tools[p->tool].position));
    p->state = c->leaves > 0                             ? TAC_CONTACT_NONE
               : c->state == TAC_CONTACT_STICKS && !near ? TAC_CONTACT_SLIDES
                                                         : c->state;
  }
}

static void take_result(tacSimulation *s, tacTickReport *report) {
  Result *before = s->now;
  s->now = s->next;
  s->next = before;
  s->crowded += s->now->problem.left_out > 0;
  if (s->now->problem.left_out > s->most_left_out) s->most_left_out = s->now->problem.left_out;
  *report = s->now->report; /* the report starts as the report of the step */
  report->contact_count = 0;
  report->laws = 0;
  report->taken = true;
  for (int t = 0; t < s->world->tool_count; ++t) {
    s->tools[t].parted = s->tools[t].parts;
    s->tools[t].loosed = s->tools[t].looses;
    double tank = s->tools[t].tank, expected = s->tools[t].expected;
    s->tools[t].tank = fmax(fmin(0.0, tank) - fmax(0.0, expected), tank + s->now->kept[t] - expected);
    s->tools[t].expected = 0.0;
  }
  hand_over_presses(s, &before->problem);
  tac_local_problem_follow(&s->now->problem, &before->problem, s->tools, step_of(s));
  s->post.pull_count = before->pulled_count;
  for (int i = 0; i < before->pulled_count; ++i) {
    const int ticks = s->world->simulate_every;
    s->post.pulls[i] = tac_pulled_frame_mean(&before->pulled[i], ticks);
    s->post.pull_work[i] = before->pulled[i].work;
    tac_pulled_frame_follow(&s->now->pulled[i], &before->pulled[i], ticks, s->now->pulled_kept[i]);
  }
  s->taken = s->tick;
  atomic_store_explicit(&s->turn, IDLE, memory_order_relaxed);
}

/* Surface of a body after the last step. Ticks query this copy, since ticks must not access the body. */
typedef struct Shape {
  const tacVec3 *places, *normals;
} Shape;

static tacVec3 shown_vertex(const void *self, int vertex) {
  return ((const Shape *)self)->places[vertex];
}

static tacVec3 shown_normal(const void *self, int vertex) {
  return ((const Shape *)self)->normals[vertex];
}

/* Lets a tool grab or release its body by the button, after a valid input. Returns true if the tool holds the body. */
static bool reach(tacSimulation *s, int t, tacQuat turn) {
  static const tacBodyTable table = {.vertex = shown_vertex, .vertex_normal = shown_normal};
  tacLocalTool *tool = &s->tools[t];
  size_t first = s->first_reached[t];
  Shape shape = {s->now->places + first, s->now->normals + first};
  const tacBody body = {&table, &shape};
  const tacHeldLies lies = {s->world->bodies[tool->held.body].surface, &body, &tool->frame, tool->start};
  const tacToolInput input = {tool->position, {turn.w, turn.x, turn.y, turn.z}, tool->grab, tool->lifted, tool->grip};
  return tac_held_body_reach(&tool->held, &lies, s->world->tick_period, &input);
}

static void take_input(tacSimulation *s, int t, const tacToolInput *input, tacTickReport *report) {
  tacLocalTool *tool = &s->tools[t];
  tacQuat turn;
  tacPadTool *pad = &s->world->tools[t].pad;
  bool holds = tool->held.body >= 0, grabbed = tool->grab;
  bool good = tac_tool_input_good(input, !holds && pad->body < 0, &turn);
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
  if (pad->body >= 0 && good) tac_pad_tool_take(pad, input, turn);
  if (!holds) return;
  turn = good ? tac_quat_normalise(turn) : tool->held.turn;
  tool->rests = (has_reach(&tool->held) && !reach(s, t, turn)) || tool->lifted;
  tac_held_body_take(&tool->held, s->world->tick_period, tool->start, tool->position, turn, tool->grip);
}

static void hand_over(tacSimulation *s, tacTickReport *report) {
  Post *post = &s->post;
  for (int t = 0; t < s->world->tool_count; ++t) {
    tacLocalTool *tool = &s->tools[t];
    bool holds = tool->held.body >= 0;
    tacQuat q = holds ? tool->held.turn : tac_quat_identity();
    /* A tool that was lifted or released between two posts counts as lifted or released in the step. */
    post->inputs[t] = (tacToolInput){position_ahead(s, t),
                                     {q.w, q.x, q.y, q.z},
                                     tool->grab && !tool->looses,
                                     holds ? tool->rests : tool->parts,
                                     tool->grip};
    tool->parts = tool->looses = false;
    post->frames[t] = tool->frame;
    post->velocities[t] = tool->held.velocity;
    post->angles[t] = tool->held.angle;
    post->wanted[t] = tool->held.wanted;
    post->apart[t] = tool->held.apart;
    post->turned[t] = tool->held.turned;
    s->posted_from[t] = tool->position;
  }
  post->request_count = s->request_count;
  memcpy(post->requests, s->requests, (size_t)s->request_count * sizeof *s->requests);
  s->request_count = 0;
  post->renewed = report->renewed = tac_world_renewal(s->world);
  s->posted = s->tick;
  atomic_store_explicit(&s->turn, POSTED, memory_order_release);
  if (s->threaded) return;
  simulate(s);
  report->within = s->next->report.step;
  atomic_store_explicit(&s->turn, READY, memory_order_release);
}

/* Returns the frame of a body in this tick, including a body that a tool or pads hold. */
static const tacFrame *frame_of(const tacSimulation *s, int body) {
  const Result *now = s->now;
  for (int i = 0; i < now->pulled_count; ++i)
    if (now->pulled[i].body == body) return &now->pulled[i].frame;
  int holder = s->world->bodies[body].holder;
  return holder >= 0 ? &s->tools[holder].frame : &now->frames[body];
}

/* Updates the pads, and applies the loads of pads to free bodies and held bodies. */
static void settle_pads(tacSimulation *s, tacTickReport *report) {
  tacWorld *world = s->world;
  Result *now = s->now;
  bool late = s->tick - s->taken >= world->simulate_every;
  for (int i = 0; i < now->pulled_count; ++i) {
    tacPulledFrame *p = &now->pulled[i];
    double load[6] = {0.0}, stiffness[6][6] = {{0.0}};
    tac_pad_tools_pull(world, p->body, tac_frame_about(&p->frame), load, stiffness);
    tac_pulled_frame_go(p, late, world->simulate_every, world->tick_period, load, stiffness);
  }
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].pad.body >= 0) world->tools[t].pad.frame = *frame_of(s, world->tools[t].pad.body);
  tac_pad_tools_settle(world, report);
  for (int i = 0; i < now->pulled_count; ++i) {
    tacPulledFrame *p = &now->pulled[i];
    double wrench[6] = {0.0};
    tac_pad_tools_held(world, p->body, tac_frame_about(&p->frame), wrench);
    tac_pulled_frame_give(p, wrench);
  }
  for (int t = 0; t < world->tool_count; ++t) {
    tacLocalTool *tool = &s->tools[t];
    if (tool->held.body < 0) continue;
    memset(tool->pull, 0, sizeof tool->pull);
    memset(tool->stiffness, 0, sizeof tool->stiffness);
    tac_pad_tools_pull(world, tool->held.body, tac_frame_about(&tool->frame), tool->pull, tool->stiffness);
  }
}

static void describe(tacSimulation *s, tacToolOutput *outputs, tacTickReport *report) {
  report->coupling_saturated = 0;
  for (int t = 0; t < s->world->tool_count; ++t) {
    tacToolOutput nothing = {.proxy = s->tools[t].position, .proxy_orientation = {1.0, 0.0, 0.0, 0.0}};
    outputs[t] = nothing;
    if (s->world->tools[t].pad.body >= 0)
      tac_pad_tool_describe(&s->world->tools[t].pad, &outputs[t], report);
    else
      tac_local_output_describe(&s->now->problem, t, s->tools, &outputs[t], report);
    report->coupling_saturated += outputs[t].saturated;
    if (tac_tool_output_finite(&outputs[t])) continue;
    s->now->problem.count = s->now->problem.built = 0; /* not reached with finite assets */
    tac_pad_tools_free(s->world, t);
    tac_frame_place(&s->tools[t].frame, s->tools[t].held.device.position, s->tools[t].held.device.orientation);
    s->tools[t].held.velocity = (tacTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    outputs[t] = nothing;
    ++report->refused;
  }
}

void tac_simulation_tick(tacSimulation *s, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  int turn = atomic_load_explicit(&s->turn, memory_order_acquire);
  int64_t waited = s->tick - s->posted, most = s->world->simulate_every;
  const tacTickReport *step = &s->now->report; /* values of bodies are reported until the next step */
  bool wanted = s->replays ? s->take : turn != IDLE && waited >= most;
  *report = (tacTickReport){.touching = step->touching,
                            .visited = step->visited,
                            .points = step->points,
                            .level = step->level,
                            .error_estimate = step->error_estimate,
                            .error_body = step->error_body};
  s->take = false;
  if (wanted && turn == READY)
    take_result(s, report);
  else if (wanted)
    report->overdue = (int)(waited - most + 1);
  for (int t = 0; t < s->world->tool_count; ++t) take_input(s, t, &inputs[t], report);
  if (atomic_load_explicit(&s->turn, memory_order_relaxed) == IDLE) hand_over(s, report);
  settle_pads(s, report);
  tac_local_problem_solve(&s->now->problem, s->world->tool_count, s->tools, s->world->tick_period,
                          (double)(s->tick - s->taken) * s->world->tick_period, step_of(s), &s->arena, report);
  describe(s, outputs, report);
  ++s->tick;
}

/* ---- displayed data ---- */

int tac_simulation_contacts(const tacSimulation *s, int most, tacShownContact *contacts) {
  return tac_local_output_contacts(&s->now->problem, s->tools, most, contacts);
}

int tac_simulation_delassus(const tacSimulation *s, int most, double *w) {
  return tac_local_output_delassus(&s->now->problem, most, w);
}

int64_t tac_simulation_left_out(const tacSimulation *s, int *most) {
  *most = s->most_left_out;
  return s->crowded;
}

double tac_simulation_jaw_angle(const tacSimulation *s, int tool) {
  return s->tools[tool].held.angle;
}

double tac_simulation_stored(const tacSimulation *s, int tool) {
  const tacLocalTool *own = &s->tools[tool];
  return s->now->stored[tool] + (own->held.body >= 0 ? tac_held_body_energy(&own->held, &own->frame) : 0.0);
}

const tacFrame *tac_simulation_frame(const tacSimulation *s, int body) {
  for (int t = 0; t < s->world->tool_count; ++t)
    if (s->tools[t].held.body == body) return &s->tools[t].frame;
  for (int t = 0; t < s->world->tool_count; ++t)
    for (int j = 0; j < s->tools[t].held.jaw_count; ++j)
      if (s->tools[t].held.jaws[j].body == body) return &s->tools[t].jaws[j];
  return frame_of(s, body);
}

void tac_simulation_state(const tacSimulation *s, double *state) {
  const tacWorld *world = s->world;
  memcpy(state, s->now->state, (size_t)world->state_size * sizeof *state);
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].shown.grip >= 0) tac_world_show_grip(&world->bodies[b], state + world->bodies[b].shown.grip);
  for (int i = 0; i < s->now->pulled_count; ++i)
    tac_world_show_pose(&s->now->pulled[i].frame, state + world->bodies[s->now->pulled[i].body].shown.pose);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacHeldBody *held = &s->tools[t].held;
    if (held->body < 0) continue;
    tac_world_show_pose(&s->tools[t].frame, state + world->bodies[held->body].shown.pose);
    for (int j = 0; j < held->jaw_count; ++j)
      tac_world_show_pose(&s->tools[t].jaws[j], state + world->bodies[held->jaws[j].body].shown.pose);
  }
}
