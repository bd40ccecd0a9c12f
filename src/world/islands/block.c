#include "world/islands/block.h"

#include <math.h>
#include <string.h>
#include "base/memory/owned.h"
#include "body/response.h"
#include "math/dense/dense.h"
#include "math/dense/vector.h"
#include "mesh/disjoint_sets.h"
#include "world/pairs/budget.h"
#include "world/pairs/pair.h"
#include "world/tools/held_tool.h"
#include "world/tools/pad_tools.h"
#include "world/tools/point_tool.h"

/* Limits on motion in a step. A body that moves a thousand times its size in a step has diverged. */
static const double most_sizes = 1e3, most_turn = 1e3; /* translation in body diameters; rotation in rad */

/* ---- selection of bodies ---- */

/* Makes bodies step in every world step while a tool acts on them: a point tool touches the body, a tick force acts on
 * it, or the body had a contact with a held body. The change starts at the end of the body's present step. Longer steps
 * would be too slow for a hand. */
static void attend(tacWorld *world) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body >= 0) {
      tacWorldBody *body = &world->bodies[world->tools[t].body];
      body->turn.attended = world->tick + 2 * body->def.every;
    }
  for (int i = 0; i < world->tick_force_count; ++i) {
    tacWorldBody *body = &world->bodies[world->tick_forces[i].body];
    body->turn.attended = world->tick + 2 * body->def.every;
  }
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side) {
      int own = world->contacts.list[i].body[side], other = world->contacts.list[i].body[1 - side];
      if (own < 0 || other < 0 || world->bodies[other].holder < 0) continue;
      world->bodies[own].turn.attended = world->tick + 2 * world->bodies[own].def.every;
    }
}

void tac_block_begin(tacWorld *world) {
  attend(world);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    bool held = body->holder >= 0;
    body->turn.due = held || world->tick >= body->turn.next;
    if (body->turn.due) {
      body->turn.every = held || world->tick < body->turn.attended ? 1 : body->def.every;
      body->turn.next = world->tick + body->turn.every;
    }
    body->moves.frame = body->frame.mode == TAC_FRAME_FREE ? 6 : 0;
    if (held && body->jaw.carrier < 0 && world->simulate_every == 1) {
      tacWorldTool *tool = &world->tools[body->holder];
      body->moves.frame = tac_held_body_follows(&tool->held, &body->frame, world->period, tool->lifted)
                              ? tac_held_body_size(&tool->held)
                              : 0;
    }
    body->step.length = world->period * body->turn.every;
    /* In long steps, Newmark's method oscillates if a hand moves the body. */
    body->step.euler = body->euler || (world->simulate_every > 1 && world->tick < body->turn.attended);
    body->step.gravity = tac_vec3(0.0, 0.0, 0.0);
    if ((body->size > 0 || tac_world_body_yields(body)) &&
        body->frame.mode != TAC_FRAME_FREE) /* the weight of a falling body does not deform it */
      body->step.gravity = tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), body->def.gravity);
    body->moves.block = -1;
    body->moves.alone = true;
    if (body->turn.renews) body->body.table->thread->prepare(body->body.self);
    body->turn.renews = false;
  }
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].jaw.carrier >= 0)
      world->bodies[b].moves.frame = world->bodies[world->bodies[b].jaw.carrier].moves.frame;
}

/* ---- blocks ---- */

static bool pair_acts(const tacWorld *world, const tacPair *pair) {
  const tacWorldBody *a = &world->bodies[pair->points], *b = &world->bodies[pair->field];
  bool leads = tac_world_leads(world, pair->points, pair->field);
  return !pair->laws && pair->count > 0 && !leads && tac_block_moves(a) + tac_block_moves(b) > 0;
}

/* Assigns every moving body to a block and sets its offset in the block. The order of the bodies stays the same. False
 * if the arena is too small. */
static bool make_blocks(tacWorld *world) {
  int *parent = tac_arena_array(&world->arena, (size_t)world->body_count, sizeof *parent);
  if (parent == NULL) return false;
  for (int b = 0; b < world->body_count; ++b) {
    parent[b] = b;
    tacWorldBody *body = &world->bodies[b];
    if (tac_block_moves(body) > 0) body->moves.alone = body->moves.frame == 0 && !(body->moves.pending_left > 0.0);
  }
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].jaw.carrier >= 0) tac_disjoint_sets_join(parent, b, world->bodies[b].jaw.carrier);
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body >= 0) world->bodies[world->tools[t].body].moves.alone = false;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    tacWorldBody *a = &world->bodies[pair->points], *b = &world->bodies[pair->field];
    if (!pair_acts(world, pair)) continue;
    a->moves.alone = b->moves.alone = false;
    if (tac_block_moves(a) > 0 && tac_block_moves(b) > 0) tac_disjoint_sets_join(parent, pair->points, pair->field);
  }
  for (int i = 0; i < world->push_count; ++i) world->bodies[world->pushes[i].body].moves.alone = false;
  for (int i = 0; i < world->tick_force_count; ++i) world->bodies[world->tick_forces[i].body].moves.alone = false;
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side)
      if (world->contacts.list[i].body[side] >= 0) {
        tacWorldBody *body = &world->bodies[world->contacts.list[i].body[side]];
        body->moves.alone = false;
        body->moves.meets = true;
      }
  world->block_count = 0;
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    bool acts = body->turn.due || body->moves.meets;
    body->moves.meets = false;
    if (tac_block_moves(body) == 0 || !acts || (body->moves.alone && body->body.table->advance != NULL)) continue;
    if (body->jaw.carrier >= 0) continue; /* a jaw uses the coordinates of the held body */
    tacWorldBody *root = &world->bodies[tac_disjoint_sets_find(parent, b)];
    if (root->moves.block < 0) {
      root->moves.block = world->block_count;
      world->blocks[world->block_count++] = (tacBlock){.iterations = 1};
    }
    tacBlock *block = &world->blocks[root->moves.block];
    if (block->size > 0)
      world->bodies[block->last].moves.after = b;
    else
      block->first = b;
    block->last = b;
    body->moves.after = -1;
    body->moves.block = root->moves.block;
    body->moves.offset = block->size;
    block->size += tac_block_moves(body);
    int wanted = tac_body_describe(&body->body).iterations;
    if (wanted > block->iterations) block->iterations = wanted;
  }
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *jaw = &world->bodies[b];
    if (jaw->jaw.carrier < 0) continue;
    jaw->moves.block = world->bodies[jaw->jaw.carrier].moves.block;
    jaw->moves.offset = world->bodies[jaw->jaw.carrier].moves.offset;
  }
  for (int k = 0; k < world->block_count; ++k) {
    tacBlock *block = &world->blocks[k];
    size_t n = (size_t)block->size;
    block->linear = tac_arena_array(&world->arena, n * n, sizeof(double));
    block->matrix = tac_arena_array(&world->arena, n * n, sizeof(double));
    block->load = tac_arena_array(&world->arena, n, sizeof(double));
    block->motion = tac_arena_array(&world->arena, n, sizeof(double));
    if (block->linear == NULL || block->matrix == NULL || block->load == NULL || block->motion == NULL) return false;
    memset(block->linear, 0, n * n * sizeof(double));
    memset(block->load, 0, n * sizeof(double));
    memset(block->motion, 0, n * sizeof(double));
  }
  return true;
}

/* ---- springs ---- */

/* Computes the motion (dx, dtheta) of a body's frame about the place `about`, per unit of the jaw angle. Zero if the
 * body is not a jaw. */
static void jaw_twist(const tacWorldBody *body, tacVec3 about, double twist[6]) {
  tacVec3 turn = tac_quat_rotate(body->frame.orientation, body->jaw.axis); /* zero if the body is not a jaw */
  tacVec3 way = tac_vec3_cross(turn, tac_vec3_sub(about, tac_frame_to_world(&body->frame, body->jaw.hinge)));
  memcpy(twist, (double[6]){way.x, way.y, way.z, turn.x, turn.y, turn.z}, 6 * sizeof *twist);
}

/* The first columns of J belong to the frame, the others to the generalized coordinates. */
void tac_block_jacobian(const tacWorldBody *body, const tacSite *site, tacVec3 at, double *j) {
  int n = tac_block_moves(body), f = body->moves.frame;
  if (f > 0) {
    tacVec3 r = tac_vec3_sub(at, tac_frame_about(&body->frame));
    const double six[3][6] = {
        {1.0, 0.0, 0.0, 0.0, r.z, -r.y}, {0.0, 1.0, 0.0, -r.z, 0.0, r.x}, {0.0, 0.0, 1.0, r.y, -r.x, 0.0}};
    for (int axis = 0; axis < 3; ++axis) memcpy(j + axis * n, six[axis], sizeof six[axis]);
  }
  if (f > 6) { /* column for the jaw angle */
    double twist[6];
    jaw_twist(body, at, twist);
    for (int axis = 0; axis < 3; ++axis) j[axis * n + 6] = twist[axis];
  }
  if (body->size == 0) return;
  double rows[3 * TAC_BODY_MOST_COORDINATES];
  tacMat3 turn = tac_quat_to_mat3(body->frame.orientation);
  int m = body->size;
  tac_response_rows(&body->body, body->fingers.patches, site, rows);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < m; ++i)
      j[axis * n + f + i] =
          turn.m[axis][0] * rows[i] + turn.m[axis][1] * rows[m + i] + turn.m[axis][2] * rows[2 * m + i];
}

void tac_block_add_force(int n, const double *j, const double force[3], double *load) {
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < n; ++i) load[i] += j[axis * n + i] * force[axis];
}

void tac_block_add_spring(int n, const double *j, const tacMat3 *k, double *matrix, size_t stride) {
  double kj[3 * TAC_BLOCK_MOST_MOVES];
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < n; ++i)
      kj[axis * n + i] = k->m[axis][0] * j[i] + k->m[axis][1] * j[n + i] + k->m[axis][2] * j[2 * n + i];
  for (int i = 0; i < n; ++i)
    for (int axis = 0; axis < 3; ++axis)
      for (int c = 0; c < n; ++c) matrix[(size_t)i * stride + (size_t)c] += j[axis * n + i] * kj[axis * n + c];
}

/* Adds a spring between a point of a body and a fixed place. `force`: spring force at the start of the step. `k`:
 * stiffness matrix. */
static void add_spring(tacWorld *world, const tacWorldBody *body, const tacSite *site, tacVec3 at, tacVec3 force,
                       const tacMat3 *k) {
  if (body->moves.block < 0) return;
  tacBlock *block = &world->blocks[body->moves.block];
  double j[3 * TAC_BLOCK_MOST_MOVES];
  int n = tac_block_moves(body);
  const double f[3] = {force.x, force.y, force.z};
  size_t size = (size_t)block->size, first = (size_t)body->moves.offset;
  tac_block_jacobian(body, site, at, j);
  tac_block_add_force(n, j, f, block->load + first);
  tac_block_add_spring(n, j, k, block->linear + first * (size + 1), size);
}

static void add_tools(tacWorld *world) {
  for (int t = 0; t < world->tool_count; ++t) {
    tacToolSpring s;
    if (!tac_point_tool_spring(world, t, &s)) continue;
    const tacWorldBody *body = &world->bodies[world->tools[t].body];
    /* A damper with coefficient c acts like a stiffness c / h on the motion in a step of length h. */
    double c = s.damping / body->step.length;
    tacMat3 k = tac_mat3_add(s.stiffness, tac_mat3_diagonal(c, c, c));
    add_spring(world, body, &s.site, s.at, s.force, &k);
  }
  for (int i = 0; i < world->push_count + world->tick_force_count; ++i) {
    const tacPush *push = i < world->push_count ? &world->pushes[i] : &world->tick_forces[i - world->push_count];
    const tacWorldBody *body = &world->bodies[push->body];
    const tacMat3 k = tac_mat3_diagonal(push->stiffness, push->stiffness, push->stiffness);
    add_spring(world, body, &push->site, push->at, push->force, &k);
  }
}

/* ---- pairs ---- */

/* Transformation T, [6][moves], from the coordinates of a body's frame to the motion of the body about a given place. A
 * jaw also has a column for the jaw angle. */
typedef struct Shift {
  int moves; /* number of columns: 6, or 7 for a jaw; 0 if the frame does not move */
  size_t at; /* offset of the frame's coordinates in its block */
  /* block -r~ of T = [I, -r~; 0, I]: r points from the frame's reference point to the place, r~ is the cross-product
   * matrix of r */
  double turn[3][3];
  double twist[6]; /* column of T for the jaw angle */
} Shift;

static Shift shift_of(const tacWorldBody *body, tacVec3 own, tacVec3 about) {
  tacVec3 r = tac_vec3_sub(about, own);
  Shift t = {.moves = body->moves.frame == 0 || body->moves.block < 0 ? 0
                      : body->jaw.carrier >= 0                        ? 7
                                                                      : 6,
             .at = (size_t)body->moves.offset,
             .turn = {{0.0, r.z, -r.y}, {-r.z, 0.0, r.x}, {r.y, -r.x, 0.0}}};
  jaw_twist(body, about, t.twist);
  return t;
}

/* Returns the component of T^T x for the coordinate `move`. */
static double shifted(const Shift *t, int move, const double x[6]) {
  const double *w = t->twist;
  if (move < 3) return x[move];
  if (move == 6) return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3] + w[4] * x[4] + w[5] * x[5];
  return x[move] + t->turn[0][move - 3] * x[0] + t->turn[1][move - 3] * x[1] + t->turn[2][move - 3] * x[2];
}

/* Adds the load and stiffness of a pair to the equations of the bodies' frames. `sides`: 2, or 1 if the second side is
 * a fixed place. `own`: reference points of the frames. */
static void add_frames(tacBlock *block, const tacWorldBody *bodies[2], const tacVec3 own[2], int sides, tacVec3 about,
                       const tacPairAnswer *a, int n, const int *place) {
  size_t size = (size_t)block->size;
  double *k = block->linear;
  const double w[6] = {a->wrench.force.x,  a->wrench.force.y,  a->wrench.force.z,
                       a->wrench.torque.x, a->wrench.torque.y, a->wrench.torque.z};
  const Shift t[2] = {shift_of(bodies[0], own[0], about), shift_of(bodies[1], own[1], about)};
  for (int s = 0; s < sides; ++s) {
    double sign = s == 0 ? 1.0 : -1.0, column[6];
    for (int i = 0; i < t[s].moves; ++i) block->load[t[s].at + (size_t)i] += sign * shifted(&t[s], i, w);
    for (int o = 0; o < sides; ++o)
      for (int j = 0; j < t[o].moves; ++j) {
        for (int i = 0; i < 6; ++i) column[i] = shifted(&t[o], j, a->six[i]);
        for (int i = 0; i < t[s].moves; ++i) {
          double value = (s == o ? 1.0 : -1.0) * shifted(&t[s], i, column);
          size_t row = t[s].at + (size_t)i, col = t[o].at + (size_t)j;
          if (i < 6) k[row * size + col] += value;
          /* for the jaw angle, one product fills both triangles of the symmetric matrix */
          if (j == 6) k[col * size + row] += value;
        }
      }
    for (int j = 0; j < n; ++j) {
      if (place[j] < 0) continue;
      for (int i = 0; i < 6; ++i) column[i] = a->mixed[i * n + j];
      for (int i = 0; i < t[s].moves; ++i) {
        size_t row = t[s].at + (size_t)i, col = (size_t)place[j];
        double value = sign * shifted(&t[s], i, column);
        k[row * size + col] += value;
        k[col * size + row] += value;
      }
    }
  }
}

/* Returns the damper force for row i. With Newmark's method, contact springs that appear and disappear may create
 * energy. A damper h K dissipates this energy. The velocity at the end of a step with motion d is
 *     q' = 2 d / h - q'_now.
 * So the damper changes the force to f + h K q'_now and the stiffness to 3 K. */
static double damp(const tacWorldBody *body, int first, int n, const tacPairAnswer *a, const double *speed, int i) {
  double sum = 0.0;
  for (int j = 0; j < body->size; ++j) sum += a->stiffness[(size_t)i * (size_t)n + (size_t)(first + j)] * speed[j];
  return body->step.length * sum;
}

/* Returns the motion of a body's frame from its present pose to its predicted pose for contact detection. */
static tacTwist ahead_of(const tacWorld *world, const tacWorldBody *body) {
  const tacTwist none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  return body->holder >= 0 ? world->tools[body->holder].held.ahead : none;
}

/* Returns the reference point of a body's frame at the predicted pose for contact detection. */
static tacVec3 seen_about(const tacWorld *world, const tacWorldBody *body) {
  return tac_vec3_add(tac_frame_about(&body->frame), ahead_of(world, body).linear);
}

/* Adds `times` K `way` to the wrench, where K is the matrix `six`. */
static void add_product(double six[6][6], double times, const double way[6], tacWrench *wrench) {
  double w[6] = {0.0};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) w[i] += times * six[i][j] * way[j];
  wrench->force = tac_vec3_add(wrench->force, tac_vec3(w[0], w[1], w[2]));
  wrench->torque = tac_vec3_add(wrench->torque, tac_vec3(w[3], w[4], w[5]));
}

/* Corrects the forces f of a pair, since detection moved the frames of held bodies ahead by m*. For a motion m from the
 * true frames, the force is f - K (m - m*). Writes m* of the first body relative to the second body to `way`. */
static void bring_back(const tacWorld *world, const tacWorldBody *bodies[2], const tacVec3 own[2], tacVec3 about,
                       tacPairAnswer *a, int n, double way[6]) {
  memset(way, 0, 6 * sizeof *way);
  for (int s = 0; s < 2; ++s) {
    const tacTwist ahead = ahead_of(world, bodies[s]);
    const double sign = s == 0 ? 1.0 : -1.0;
    const tacVec3 w = ahead.angular;
    const tacVec3 v = tac_vec3_add(ahead.linear, tac_vec3_cross(w, tac_vec3_sub(about, own[s])));
    const double moved[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (int i = 0; i < 6; ++i) way[i] += sign * moved[i];
  }
  add_product(a->six, 1.0, way, &a->wrench);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 6; ++i) a->force[j] += a->mixed[i * n + j] * way[i];
}

/* Applies the static damping of a held body in a pair (held_body.h): multiplies the stiffness for motion of the frames.
 * A sliding body must follow its device, so the part of `way` that contacts permit causes no damping force. */
static void stiffen(const tacWorld *world, const tacWorldBody *bodies[2], const double way[6], tacPairAnswer *a) {
  const tacWorldBody *body = bodies[bodies[0]->holder >= 0 ? 0 : 1];
  if (body->holder < 0) return;
  const tacHeldBody *held = &world->tools[body->holder].held;
  double times = tac_held_body_stiffening(held), both[36], through[6] = {0.0};
  tacDense factor = {6, 6, 6, both};
  if (times == 1.0) return;
  for (int i = 0; i < 36; ++i) {
    both[i] = held->met.own[i / 6][i % 6] + a->six[i / 6][i % 6];
    through[i / 6] += held->met.own[i / 6][i % 6] * way[i % 6];
  }
  if (tac_dense_loop_cholesky(&factor)) {
    tac_dense_loop_cholesky_solve(&factor, through);
    add_product(a->six, times - 1.0, through, &a->wrench);
  }
  for (int i = 0; i < 36; ++i) a->six[i / 6][i % 6] *= times;
}

static void add_pair(tacWorld *world, tacPair *pair) {
  const tacWorldBody *bodies[2] = {&world->bodies[pair->points], &world->bodies[pair->field]};
  int block_index = bodies[0]->moves.block >= 0 ? bodies[0]->moves.block : bodies[1]->moves.block;
  if (block_index < 0) return;
  tacBlock *block = &world->blocks[block_index];
  tacArenaMark mark = tac_arena_mark(&world->arena);
  int n = pair->size[0] + pair->size[1], place[2 * TAC_BODY_MOST_COORDINATES];
  bool frames = bodies[0]->moves.frame + bodies[1]->moves.frame > 0;
  tacPairAnswer a = {0};
  a.force = tac_arena_array(&world->arena, (size_t)n, sizeof(double));
  a.stiffness = tac_arena_array(&world->arena, (size_t)n * (size_t)n, sizeof(double));
  if (frames && n > 0) a.mixed = tac_arena_array(&world->arena, 6 * (size_t)n, sizeof(double));
  const tacVec3 own[2] = {seen_about(world, bodies[0]), seen_about(world, bodies[1])};
  const int led = bodies[0]->holder >= 0 || (bodies[0]->moves.frame > 0 && bodies[1]->holder < 0) ? 0 : 1;
  const tacVec3 about = own[led];
  double way[6] = {0.0};
  int64_t begin = tac_budget_clock(world);
  tac_pair_answer(pair, world->bodies, about, &a);
  pair->cost.taken += tac_budget_clock(world) - begin;
  if (frames) {
    bring_back(world, bodies, own, about, &a, n, way);
    stiffen(world, bodies, way, &a);
  }
  const double *speeds[2] = {NULL, NULL};
  for (int side = 0; side < 2; ++side)
    if (!bodies[side]->step.euler) speeds[side] = tac_body_describe(&bodies[side]->body).rates;
  for (int i = 0; i < n; ++i) {
    const tacWorldBody *body = bodies[i < pair->size[0] ? 0 : 1];
    int coordinate = i < pair->size[0] ? i : i - pair->size[0];
    place[i] = body->moves.block >= 0 ? body->moves.offset + body->moves.frame + coordinate : -1;
  }
  for (int i = 0; i < n; ++i) {
    if (place[i] < 0) continue;
    int side = i < pair->size[0] ? 0 : 1, first = side == 0 ? 0 : pair->size[0];
    const tacWorldBody *body = bodies[side];
    const double *speed = speeds[side];
    double *row = block->linear + (size_t)place[i] * (size_t)block->size;
    const double *from = a.stiffness + (size_t)i * (size_t)n;
    block->load[place[i]] += a.force[i] + (speed != NULL ? damp(body, first, n, &a, speed, i) : 0.0);
    for (int j = 0; j < n; ++j)
      if (place[j] >= 0) row[place[j]] += (speed != NULL && j >= first && j < first + body->size ? 3.0 : 1.0) * from[j];
  }
  if (frames) add_frames(block, bodies, own, 2, about, &a, n, place);
  tac_arena_release(&world->arena, mark);
}

/* Adds the pads on bodies with moving frames, as 6-DOF springs between the body and a fixed place. */
static void add_pads(tacWorld *world) {
  /* If steps are longer than ticks, the ticks compute the forces of the pads. */
  for (int b = 0; b < world->body_count && world->simulate_every == 1; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (body->grip.patches == NULL || body->moves.block < 0 || body->moves.frame == 0) continue;
    const tacWorldBody *bodies[2] = {body, body};
    tacVec3 about = tac_frame_about(&body->frame);
    double wrench[6] = {0.0};
    tacPairAnswer a = {.wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    tac_pad_tools_pull(world, b, about, wrench, a.six);
    a.wrench = (tacWrench){tac_vec3(wrench[0], wrench[1], wrench[2]), tac_vec3(wrench[3], wrench[4], wrench[5])};
    const tacVec3 own[2] = {about, about};
    add_frames(&world->blocks[body->moves.block], bodies, own, 1, about, &a, 0, NULL);
  }
}

/* ---- free motion ---- */

static void add_frame(tacWorld *world, tacWorldBody *body) {
  tacBlock *block = &world->blocks[body->moves.block];
  double matrix[TAC_HELD_MOST][TAC_HELD_MOST], six[6][6], load[TAC_HELD_MOST];
  if (body->moves.frame == 0) return;
  if (body->holder >= 0) {
    tacHeldBody *held = &world->tools[body->holder].held;
    tac_held_body_equation(held, &body->frame, world->period, matrix, load);
    for (int i = 0; i < 6; ++i) memcpy(held->met.own[i], matrix[i], sizeof held->met.own[i]);
  } else {
    tac_frame_equation(&body->frame, body->step.length, six, load);
    for (int i = 0; i < 6; ++i) memcpy(matrix[i], six[i], sizeof six[i]);
  }
  for (int i = 0; i < body->moves.frame; ++i) {
    block->load[body->moves.offset + i] += load[i];
    body->moves.pull[i] = load[i];
    for (int j = 0; j < body->moves.frame; ++j)
      block->linear[(size_t)(body->moves.offset + i) * (size_t)block->size + (size_t)(body->moves.offset + j)] +=
          matrix[i][j];
  }
}

/* Computes the matrix of a block, and the residual of its equations in `motion`. False if the equations of a body are
 * not available. */
static bool linearise(tacWorld *world, int k, const double *so_far) {
  tacBlock *block = &world->blocks[k];
  size_t size = (size_t)block->size;
  bool whole = true;
  memcpy(block->matrix, block->linear, size * size * sizeof(double));
  for (size_t i = 0; i < size; ++i) {
    double sum = block->load[i];
    if (so_far != NULL)
      for (size_t j = 0; j < size; ++j) sum -= block->linear[i * size + j] * so_far[j];
    block->motion[i] = sum;
  }
  for (int b = block->first; b >= 0; b = world->bodies[b].moves.after) {
    tacWorldBody *body = &world->bodies[b];
    if (body->size == 0) continue;
    tacArenaMark mark = tac_arena_mark(&world->arena);
    size_t n = (size_t)body->size, at = (size_t)(body->moves.offset + body->moves.frame);
    double *own = tac_arena_array(&world->arena, n * n, sizeof *own),
           *load = tac_arena_array(&world->arena, n, sizeof *load);
    if (own == NULL || load == NULL || !body->body.table->linearise(body->body.self, &body->step, own, load))
      whole = false;
    for (size_t i = 0; whole && i < n; ++i) {
      block->motion[at + i] += load[i];
      double *row = block->matrix + (at + i) * size + at;
      for (size_t j = 0; j < n; ++j) row[j] += own[i * n + j];
    }
    tac_arena_release(&world->arena, mark);
  }
  return whole;
}

/* Returns a diagonal shift that makes the matrix positive definite. By Gershgorin's theorem every eigenvalue is greater
 * than -shift. */
static double certain_shift(const double *matrix, size_t n) {
  double shift = 0.0, largest = 0.0;
  for (size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (size_t j = 0; j < n; ++j) sum += i == j ? 0.0 : fabs(matrix[i * n + j]);
    shift = fmax(shift, sum - matrix[i * n + i]);
    largest = fmax(largest, fabs(matrix[i * n + i]));
  }
  return shift + 1e-9 * (shift + largest);
}

/* Adds `shift` to the diagonal, for all coordinates, or only for the bodies' generalized coordinates if `own`. */
static void shift_diagonal(const tacWorld *world, tacBlock *block, bool own, double shift) {
  size_t n = (size_t)block->size;
  for (int b = block->first; b >= 0; b = world->bodies[b].moves.after) {
    const tacWorldBody *body = &world->bodies[b];
    size_t at = (size_t)(body->moves.offset + (own ? body->moves.frame : 0));
    size_t end = (size_t)(body->moves.offset + tac_block_moves(body));
    for (size_t i = at; i < end; ++i) block->matrix[i * n + i] += shift;
  }
}

/* Factors the block matrix in place by Cholesky's method. If the matrix is not positive definite, a multiple of the
 * identity is added for the generalized coordinates, which shortens the Newton step. A shift for frames would violate
 * the conservation of momentum. So frames are shifted only if the first shift fails because of rounding errors. */
static bool factor(tacWorld *world, tacBlock *block) {
  size_t n = (size_t)block->size;
  tacDense matrix = {block->size, block->size, block->size, block->matrix};
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double *copy = tac_arena_array(&world->arena, n * n, sizeof *copy);
  if (copy == NULL) return false;
  memcpy(copy, block->matrix, n * n * sizeof *copy);
  bool solved = tac_dense_loop_cholesky(&matrix);
  double certain = solved ? 0.0 : certain_shift(copy, n);
  for (int own = 1; own >= 0 && !solved; --own)
    for (double share = 1e-3; !solved && share < 2.0; share *= 10.0) {
      memcpy(block->matrix, copy, n * n * sizeof *copy);
      shift_diagonal(world, block, own > 0, share * certain);
      solved = tac_dense_loop_cholesky(&matrix);
    }
  tac_arena_release(&world->arena, mark);
  return solved;
}

static void move_bodies(tacWorld *world, int k, const double *motion) {
  for (int b = world->blocks[k].first; b >= 0; b = world->bodies[b].moves.after) {
    tacWorldBody *body = &world->bodies[b];
    if (body->size > 0) body->body.table->move(body->body.self, motion + body->moves.offset + body->moves.frame);
  }
}

/* Solves the equations of a block by Newton's method. The motion of the last iteration is in `motion`. The motion of
 * the previous iterations has moved the bodies, and `done` contains its sum. */
static void solve_block(tacWorld *world, int k) {
  tacBlock *block = &world->blocks[k];
  tacDense matrix = {block->size, block->size, block->size, block->matrix};
  block->done = NULL;
  for (int step = 0; step < block->iterations; ++step) {
    if (step > 0) {
      if (block->done == NULL) {
        block->done = tac_arena_array(&world->arena, (size_t)block->size, sizeof(double));
        if (block->done == NULL) break;
        memset(block->done, 0, (size_t)block->size * sizeof(double));
      }
      move_bodies(world, k, block->motion);
      for (int i = 0; i < block->size; ++i) block->done[i] += block->motion[i];
    }
    block->solved = linearise(world, k, block->done) && factor(world, block);
    if (block->solved) tac_dense_loop_cholesky_solve(&matrix, block->motion);
    block->solved = block->solved && tac_vector_finite((size_t)block->size, block->motion);
    if (!block->solved) {
      memset(block->motion, 0, (size_t)block->size * sizeof(double));
      break;
    }
  }
}

/* True if a body has contacts solved by the contact laws. The velocity of the body is unknown before these contacts are
 * solved. */
static bool may_meet(const tacWorld *world, int body) {
  for (int i = 0; i < world->contacts.count; ++i)
    if (world->contacts.list[i].body[0] == body || world->contacts.list[i].body[1] == body) return true;
  return false;
}

/* Reduces the coupling force on each held body that would exceed its speed limit. */
static void hold_back(tacWorld *world, int k, tacTickReport *report) {
  tacBlock *block = &world->blocks[k];
  tacDense matrix = {block->size, block->size, block->size, block->matrix};
  for (int t = 0; t < world->tool_count && block->solved; ++t) {
    const tacWorldBody *body = world->tools[t].held.body >= 0 ? &world->bodies[world->tools[t].held.body] : NULL;
    if (body == NULL || body->moves.block != k || body->moves.frame == 0) continue;
    double *motion = block->motion + body->moves.offset;
    const tacCouplingDef *coupling = &world->tools[t].held.coupling;
    bool slow = tac_coupling_hold_back(coupling, world->period, motion, motion) == 1.0;
    if (slow || may_meet(world, world->tools[t].held.body)) continue;
    tacArenaMark mark = tac_arena_mark(&world->arena);
    double *pull = tac_arena_array(&world->arena, (size_t)block->size, sizeof *pull);
    if (pull == NULL) return;
    memset(pull, 0, (size_t)block->size * sizeof *pull);
    memcpy(pull + body->moves.offset, body->moves.pull, 6 * sizeof *pull);
    tac_dense_loop_cholesky_solve(&matrix, pull);
    double share = tac_coupling_hold_back(coupling, world->period, pull + body->moves.offset, motion);
    for (int i = 0; i < block->size; ++i) block->motion[i] -= (1.0 - share) * pull[i];
    report->limited += share < 1.0;
    tac_arena_release(&world->arena, mark);
  }
}

/* Applies the impulses that longer steps of other bodies caused. The impulses are distributed evenly over
 * `pending_left`, so that the velocity has no jump. */
static void take_pending(tacWorld *world, tacWorldBody *body) {
  if (!(body->moves.pending_left > 0.0) || !body->turn.due || body->moves.block < 0) return;
  tacBlock *block = &world->blocks[body->moves.block];
  double h = body->step.length, share = body->moves.pending_left > h ? h / body->moves.pending_left : 1.0,
         *p = body->moves.pending;
  tacVec3 moment = tac_vec3_cross(tac_frame_about(&body->frame), tac_vec3(p[0], p[1], p[2]));
  const double about[6] = {0.0, 0.0, 0.0, moment.x, moment.y, moment.z};
  for (int i = 0; i < 6 + body->size; ++i) {
    int at = body->moves.offset + (i < 6 ? i : i - 6 + body->moves.frame);
    if (i >= 6 || body->moves.frame > 0) block->load[at] += share * (p[i] - (i < 6 ? about[i] : 0.0)) / h;
  }
  for (int i = 0; i < 6 + body->size; ++i) p[i] -= share * p[i];
  body->moves.pending_left = fmax(0.0, body->moves.pending_left - h);
}

/* Restores the coordinates of a body to the start of the step, before the first Newton iteration. */
static void take_back(const tacWorldBody *body, const tacBlock *block) {
  double back[TAC_BODY_MOST_COORDINATES];
  if (block->done == NULL || body->size == 0) return;
  for (int i = 0; i < body->size; ++i) back[i] = -block->done[body->moves.offset + body->moves.frame + i];
  body->body.table->move(body->body.self, back);
}

double *tac_block_pending(tacWorld *world) {
  size_t count = 0;
  for (int b = 0; b < world->body_count; ++b) count += 7 + (size_t)world->bodies[b].size;
  double *kept = tac_arena_array(&world->arena, count, sizeof *kept), *to = kept;
  for (int b = 0; b < world->body_count && kept != NULL; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    const size_t own = 6 + (size_t)body->size;
    memcpy(to, body->moves.pending, own * sizeof *to);
    to[own] = body->moves.pending_left;
    to += own + 1;
  }
  return kept;
}

void tac_block_take_back(tacWorld *world, const double *pending) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    const size_t own = 6 + (size_t)body->size;
    if (body->moves.block >= 0) take_back(body, &world->blocks[body->moves.block]);
    body->moves.block = -1;
    memcpy(body->moves.pending, pending, own * sizeof *pending);
    body->moves.pending_left = pending[own];
    pending += own + 1;
  }
}

void tac_block_free_motion(tacWorld *world, tacTickReport *report) {
  int moving = 0;
  for (int b = 0; b < world->body_count; ++b) moving += tac_block_moves(&world->bodies[b]);
  world->block_count = 0;
  if (moving == 0) return;
  if (!make_blocks(world)) {
    world->block_count = 0; /* this cannot happen: the arena is large enough */
    for (int b = 0; b < world->body_count; ++b) world->bodies[b].moves.block = -1;
    ++report->saturated;
    return;
  }
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (body->moves.block < 0) continue;
    if (body->jaw.carrier < 0) add_frame(world, body);
    take_pending(world, body);
  }
  add_tools(world);
  add_pads(world);
  for (int p = 0; p < world->pair_count; ++p)
    if (pair_acts(world, &world->contact_pairs[p])) add_pair(world, &world->contact_pairs[p]);
  for (int k = 0; k < world->block_count; ++k) {
    solve_block(world, k);
    hold_back(world, k, report);
  }
}

/* ---- end of the step ---- */

/* Moves the frame of a body. False if the motion was rejected and the body was stopped. */
static bool finish_frame(tacWorld *world, tacWorldBody *body, const double *motion, tacTickReport *report) {
  double six[TAC_HELD_MOST] = {0.0};
  memcpy(six, motion, (size_t)body->moves.frame * sizeof *six);
  if (body->holder >= 0) {
    tac_held_body_move(&world->tools[body->holder].held, &body->frame, world->period, six, report);
    return true;
  }
  double speed = most_sizes * 2.0 * body->surface->radius / body->step.length;
  body->frame.force = body->frame.torque = tac_vec3(0.0, 0.0, 0.0);
  if (tac_frame_advance(&body->frame, body->step.length, six, speed, most_turn)) return true;
  body->frame.linear = body->frame.angular = tac_vec3(0.0, 0.0, 0.0);
  return false;
}

/* Assumed stiffness of a contact solved by the contact laws, relative to the coupling stiffness. A sticking contact has
 * this stiffness also in the tangential directions. */
static const double hard = 1e6;

static void add_hard_contact(const tacSetContact *c, tacVec3 about, double stiffness, double *matrix, size_t stride) {
  tacVec3 r = tac_vec3_sub(c->at, about);
  const double j[3 * 6] = {1.0, 0.0, 0.0, 0.0, r.z, -r.y, 0.0, 1.0, 0.0, -r.z, 0.0, r.x, 0.0, 0.0, 1.0, r.y, -r.x, 0.0};
  bool sticks = c->state == TAC_CONTACT_STICKS && c->friction > 0.0;
  tacMat3 k = tac_mat3_scale(stiffness, sticks ? tac_mat3_identity() : tac_mat3_outer(c->axes[0], c->axes[0]));
  tac_block_add_spring(6, j, &k, matrix, stride);
}

/* Stores the contact stiffness on a held body for the next step. */
static void keep_met(tacWorld *world, int t) {
  tacHeldBody *held = &world->tools[t].held;
  const tacWorldBody *body = held->body >= 0 ? &world->bodies[held->body] : NULL;
  if (body == NULL || body->moves.block < 0 || body->moves.frame == 0) return;
  tacBlock *block = &world->blocks[body->moves.block];
  const size_t size = (size_t)block->size, at = (size_t)body->moves.offset;
  double *matrix = block->linear + at * (size + 1);
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    bool own = false;
    for (int s = 0; s < 2; ++s) own = own || (c->body[s] >= 0 && world->bodies[c->body[s]].holder == t);
    if (own && c->state != TAC_CONTACT_NONE)
      add_hard_contact(c, tac_frame_about(&body->frame), hard * held->coupling.stiffness, matrix, size);
  }
  tac_held_body_set_met(held, matrix, size);
}

void tac_block_finish(tacWorld *world, tacTickReport *report) {
  for (int t = 0; t < world->tool_count; ++t) keep_met(world, t); /* keep_met needs the poses before the motion */
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    const tacBodyTable *table = body->body.table;
    tacBodyFinish done = {false, false};
    if (!body->turn.due && body->moves.block >= 0) take_back(body, &world->blocks[body->moves.block]);
    if (!body->turn.due || body->jaw.carrier >= 0) continue;
    if (body->moves.block >= 0) {
      const tacBlock *block = &world->blocks[body->moves.block];
      double motion[TAC_BLOCK_MOST_MOVES];
      /* The motion of an unsolved block is set to NaN. The bodies of the block reject this motion and stop. */
      for (int i = 0; i < tac_block_moves(body); ++i)
        motion[i] = block->solved ? block->motion[body->moves.offset + i] : NAN;
      if (body->size > 0) {
        table->move(body->body.self, motion + body->moves.frame);
        done = table->finish(body->body.self, &body->step);
      }
      for (int i = 0; block->done != NULL && i < body->moves.frame; ++i)
        motion[i] += block->done[body->moves.offset + i];
      if (body->moves.frame > 0 && !finish_frame(world, body, motion, report)) done.refused = true;
      done.refused = done.refused || !block->solved;
    } else if (body->size > 0 && body->moves.alone && table->advance != NULL) {
      done = table->advance(body->body.self, &body->step);
    }
    report->limited += done.limited;
    report->refused += done.refused;
  }
  for (int t = 0; t < world->tool_count; ++t) tac_held_tool_place_jaws(world, &world->tools[t].held);
  world->push_count = 0;
}

tacBlockRoom tac_block_room(const tacWorld *world) {
  /* Upper bound: assumes that all bodies that springs may connect are in one block. */
  tacBlockRoom room = {0};
  TAC_MEMORY(int, parent) = calloc((size_t)world->body_count + 1, sizeof *parent);
  TAC_MEMORY(size_t, size) = calloc((size_t)world->body_count + 1, sizeof *size);
  if (parent == NULL || size == NULL) return room;
  for (int i = 0; i < world->body_count; ++i) parent[i] = i;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!pair->laws) tac_disjoint_sets_join(parent, pair->points, pair->field);
  }
  for (int b = 0; b < world->body_count; ++b)
    if (world->bodies[b].jaw.carrier >= 0) tac_disjoint_sets_join(parent, b, world->bodies[b].jaw.carrier);
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    size_t own = (size_t)body->size + (body->holder >= 0 ? 7 : body->frame.mode == TAC_FRAME_FREE ? 6 : 0);
    size[tac_disjoint_sets_find(parent, b)] += own;
    room.coordinates += own;
    room.doubles += 7 + (size_t)body->size; /* memory of tac_block_pending */
  }
  for (int b = 0; b < world->body_count; ++b) {
    room.doubles += 2 * size[b] * size[b] + 4 * size[b] + 32;
    if (size[b] > room.largest) room.largest = size[b];
  }
  room.doubles += 3 * room.largest * room.largest + 16 * room.largest + 512;
  return room;
}
