#include "world/islands/island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "contact/laws/delassus.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_iterate.h"
#include "contact/laws/law_solver.h"
#include "contact/laws/law_system.h"
#include "contact/problem_file.h"
#include "math/dense/dense.h"
#include "mesh/disjoint_sets.h"
#include "world/islands/block.h"
#include "world/islands/contact_response.h"

static const double most_drift = 1e-6; /* maximum distance between a sliding contact and its anchor, m */
static const double recovery = 0.02;   /* maximum separation speed of a contact with overlap, m/s */
/* Maximum separation speed of overlapping bodies without inertia, m/s. It may be higher than `recovery`, since these
 * bodies keep no velocity. */
static const double recovery_without_inertia = 0.2;
/* softness of a contact with limited separation speed, relative to its compliance along the normal */
static const double recovery_softness = 0.01;
static const double least_impact = 0.02; /* minimum closing speed for a rebound, m/s; slower bodies come to rest */
/* Limits of an island. MOST_DENSE: number of contacts for which the dense compliance matrix and W are built.
 * MOST_RELAXED: product of sweeps and contacts; 20 sweeps are always permitted. */
enum { MOST_DENSE = 256, MOST_RELAXED = 2400 };
/* Limits of Newton's method in an island, per millisecond of a step: multiplications, and iterations. The iterations
 * are sufficient for problems in which the method stalls at first (law_newton.c). Newton's method is not used if the
 * limits permit fewer than LEAST_STEPS iterations. */
static const double newton_work = 4e6, newton_steps = 100.0;
enum { LEAST_STEPS = 4, MOST_ROUNDS = 8 /* limit of problems with open contacts in an island */ };

/* Required accuracy of contact forces and motions. Newton's method may end within ENOUGH times the tolerance where
 * rounding errors stop its progress. */
static const tacContactMeasure tolerance = {1e-10, 1e-7};
enum { ENOUGH = 10 };

/* Adds the Jacobian of one side of a contact to `rows` [3][block size], in the axes of the contact. */
static void add_side(const tacWorldBody *body, const tacSetContact *c, int side, double factor, int size,
                     double *rows) {
  double j[3 * TAC_BLOCK_MOST_MOVES], sign = side == 0 ? factor : -factor;
  int n = tac_block_moves(body);
  const tacVec3 *axes = c->axes;
  tac_block_jacobian(body, &c->site[side], c->at, j);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i)
      rows[k * size + body->moves.offset + i] +=
          sign * (axes[k].x * j[i] + axes[k].y * j[n + i] + axes[k].z * j[2 * n + i]);
}

static const tacWorldBody *side_of(const tacWorld *world, const tacSetContact *c, int side) {
  return c->body[side] >= 0 ? &world->bodies[c->body[side]] : NULL;
}

static int block_of(const tacWorld *world, const tacSetContact *c, int side) {
  const tacWorldBody *body = side_of(world, c, side);
  return body != NULL && body->moves.block >= 0 && world->blocks[body->moves.block].solved ? body->moves.block : -1;
}

/* Returns the step length of a contact, s: the longest step among its bodies that step now. */
static double length_of(const tacWorld *world, const tacSetContact *c) {
  double h = 0.0;
  for (int side = 0; side < 2; ++side) {
    const tacWorldBody *body = side_of(world, c, side);
    if (body != NULL && body->turn.due) h = fmax(h, body->step.length);
  }
  return h;
}

/* True if a body receives a contact force in this step. Otherwise the body receives the impulse in its next step. */
static bool takes_now(const tacWorldBody *body, double h) {
  return body->turn.due && body->step.length == h;
}

/* Limits the separation speed of a contact with overlap. Without this limit, a contact would eject a body at high
 * speed. If the speed exceeds the limit, the softness of the contact becomes small, but not zero. Interlocked bodies
 * have opposite contacts, and with zero softness the forces of these contacts would be unbounded. */
static void slow_down(double h, double free_gap, double gap, tacLawContact *law, const int *part_size) {
  double w = 0.0, motion = free_gap - gap;
  for (int s = 0; s < 2; ++s)
    for (int i = 0; law->part[s] >= 0 && i < part_size[law->part[s]]; ++i) w += law->rows[s][i] * law->rows[s][i];
  double way = (-w * gap + law->softness * motion) / (w + law->softness), most = recovery * h;
  if (!(gap < 0.0) || !(w > 0.0) || !(way > most)) return;
  law->softness = recovery_softness * w;
  law->gap = motion - most;
}

/* True if the body continues to move when no force acts on it. */
static bool has_inertia(const tacWorld *world, const tacWorldBody *body) {
  if (body == NULL) return false;
  bool dynamic = body->holder >= 0 && world->tools[body->holder].held.def.coupling != TAC_COUPLING_STATIC;
  return dynamic || body->frame.mode == TAC_FRAME_FREE || body->size > 0 || tac_world_body_yields(body);
}

/* Limits the separation speed of a contact without softness, for bodies with static or step compliance. The `rows` of
 * the contact do not contain the compliance, so slow_down cannot be used. */
static void slow_down_compliant(double h, double gap, bool inertia, tacLawContact *law) {
  double most = (inertia ? recovery : recovery_without_inertia) * h;
  if (law->softness == 0.0 && -gap > most) law->gap += -gap - most;
}

/* Returns the velocity component of a body's point along `normal` at the start of the step, m/s. Deformation is
 * ignored. */
static double speed_along(const tacWorldBody *body, tacVec3 at, tacVec3 normal) {
  return body != NULL && body->moves.frame > 0 ? tac_vec3_dot(normal, tac_frame_velocity(&body->frame, at)) : 0.0;
}

/* Applies Newton's law of impact to a contact. Let v be the closing speed of the contact and e its restitution. If v
 * exceeds a threshold, the contact gets the impulse that reverses the velocity to e v: W f = (1 + e) v h. The speed v
 * excludes gravity and other forces of the step, so a body never rebounds higher than it fell. */
static void rebound(const tacWorld *world, const tacSetContact *c, double h, double free_gap, tacLawContact *law) {
  double speed =
      speed_along(side_of(world, c, 1), c->at, c->axes[0]) - speed_along(side_of(world, c, 0), c->at, c->axes[0]);
  if (c->restitution > 0.0 && law->softness == 0.0 && free_gap < 0.0 && speed > least_impact)
    law->gap = fmin(law->gap, -(1.0 + c->restitution) * speed * h);
}

/* Returns the vector from the anchor of a sticking contact to the contact; zero if the contact does not stick. */
static tacVec3 drift_of(const tacWorld *world, const tacSetContact *c) {
  const tacWorldBody *body = side_of(world, c, 1), *first = side_of(world, c, 0);
  if (!c->sticks) return tac_vec3(0.0, 0.0, 0.0);
  tacVec3 at = c->at;
  if (c->wanders)
    at = tac_frame_to_world(&first->frame, tac_vec3_add(tac_body_place(&first->body, &c->anchored),
                                                        tac_contact_response_displacement(first, &c->anchored)));
  if (body == NULL) return tac_vec3_sub(at, c->anchor.at);
  tacVec3 anchor =
      tac_vec3_add(tac_body_place(&body->body, &c->anchor), tac_contact_response_displacement(body, &c->site[1]));
  return tac_vec3_sub(at, tac_frame_to_world(&body->frame, anchor));
}

/* Blocks of an island, called parts here. Parts are numbered in the order of the contacts. */
typedef struct Parts {
  int count;
  int *size, *block; /* number of coordinates, and index of the block, [part] */
  int *of_block;     /* part of each block of the world, [block]; -1 if the block is not in the island */
} Parts;

/* The contacts of an island. The first `active` contacts form the problem that is solved; the others are open. All
 * arrays have the same order, [count]. */
typedef struct Island {
  tacWorld *world;
  int count, active;
  tacSetContact **list;
  tacLawContact *laws;
  double (*free_motion)[3];
  tacVec3 (*axes)[2][3]; /* axes of each contact in the frames of its bodies; unset for bodies without compliance */
  Parts parts;
  /* memory of the matrix [3 active][3 active] of static and step compliance, in the axes of the contacts; NULL if no
   * body has compliance, or if the island has too many contacts */
  double *compliance;
} Island;

/* Sets the free motion of a contact for the solver. Changes softness and gap to limit the separation speed and to add
 * the rebound. */
static void set_free_motion(const tacWorld *world, const tacSetContact *c, const double free_motion[3],
                            const int *part_size, tacLawContact *law) {
  const tacWorldBody *sides[2] = {side_of(world, c, 0), side_of(world, c, 1)};
  double h = length_of(world, c);
  law->softness = c->softness;
  law->gap = free_motion[0];
  law->slip[0] = free_motion[1];
  law->slip[1] = free_motion[2];
  if ((sides[0] != NULL && tac_contact_response_is(sides[0])) ||
      (sides[1] != NULL && tac_contact_response_is(sides[1])))
    slow_down_compliant(h, c->gap, has_inertia(world, sides[0]) || has_inertia(world, sides[1]), law);
  else
    slow_down(h, law->gap, c->gap, law, part_size);
  rebound(world, c, h, free_motion[0], law);
}

/* Builds a contact of an island for the solver. False if neither side can move. */
static bool make_contact(tacWorld *world, tacSetContact *c, Parts *parts, tacLawContact *law, double free_motion[3]) {
  double h = length_of(world, c);
  int blocks[2] = {block_of(world, c, 0), block_of(world, c, 1)};
  const tacVec3 *axes = c->axes;
  tacVec3 drift = drift_of(world, c);
  for (int k = 0; k < 3; ++k) /* subtracts the displacement at the start, since W f is the displacement from rest */
    free_motion[k] = (k == 0 ? c->gap : tac_vec3_dot(drift, axes[k])) - tac_vec3_dot(c->moved, axes[k]);
  *law = (tacLawContact){.friction = c->friction, .part = {-1, -1}};
  if (blocks[1] == blocks[0]) blocks[1] = -1; /* both sides are in one block and use one row */
  for (int s = 0; s < 2; ++s) {
    if (blocks[s] < 0) continue;
    tacBlock *block = &world->blocks[blocks[s]];
    int n = block->size, first = n;
    double *rows = tac_arena_array(&world->arena, 3 * (size_t)n, sizeof *rows);
    if (rows == NULL) return false;
    memset(rows, 0, 3 * (size_t)n * sizeof *rows);
    for (int side = 0; side < 2; ++side)
      if (block_of(world, c, side) == blocks[s]) {
        const tacWorldBody *body = side_of(world, c, side);
        /* A free body with another step length receives the impulse of the contact. The factor converts this impulse to
         * the motion in the present step. All other bodies are restrained, and yield by the same distance in a step of
         * any length. */
        add_side(body, c, side, body->frame.mode == TAC_FRAME_FREE ? h / body->step.length : 1.0, n, rows);
        first = body->moves.offset < first ? body->moves.offset : first;
      }
    for (int k = 0; k < 3; ++k)
      for (int i = first; i < n; ++i) free_motion[k] += rows[k * n + i] * block->motion[i];
    for (int k = 0; block->done != NULL && k < 3; ++k)
      for (int i = first; i < n; ++i) free_motion[k] += rows[k * n + i] * block->done[i];
    tac_dense_loop_cholesky_forward3(&(tacDense){n, n, n, block->matrix}, first, rows);
    if (parts->of_block[blocks[s]] < 0) {
      parts->size[parts->count] = n;
      parts->block[parts->count] = blocks[s];
      parts->of_block[blocks[s]] = parts->count++;
    }
    law->part[s] = parts->of_block[blocks[s]];
    law->rows[s] = rows;
  }
  bool complies = false;
  for (int side = 0; side < 2; ++side) {
    const tacWorldBody *body = side_of(world, c, side);
    if (body == NULL || !tac_contact_response_is(body)) continue;
    tacVec3 moved;
    /* the response has no site for this contact */
    if (!tac_contact_response_motion(world, c, side, &moved)) return false;
    moved = tac_vec3_scale(side == 0 ? 1.0 : -1.0, moved);
    for (int k = 0; k < 3; ++k) free_motion[k] += tac_vec3_dot(axes[k], moved);
    complies = true;
  }
  set_free_motion(world, c, free_motion, parts->size, law);
  tac_contact_numbers(axes, c->force, law->force);
  return complies || law->part[0] >= 0 || law->part[1] >= 0;
}

tacMat3 tac_island_turned(const tacWorldBody *body, const tacMat3 *c, const tacVec3 at[3], const tacVec3 by[3]) {
  tacMat3 turn = tac_quat_to_mat3(body->frame.orientation);
  tacMat3 from = tac_mat3_transpose(tac_mat3_from_columns(at[0], at[1], at[2]));
  tacMat3 to = tac_mat3_from_columns(by[0], by[1], by[2]);
  return tac_mat3_mul(from, tac_mat3_mul(tac_mat3_mul(turn, tac_mat3_mul(*c, tac_mat3_transpose(turn))), to));
}

/* Prepares the compliance of an island without active contacts. */
static void begin_compliance(Island *island, tacTickReport *report) {
  tacWorld *world = island->world;
  bool any = false;
  for (int i = 0; i < island->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *body = side_of(world, island->list[i], s);
      any = any || (body != NULL && tac_contact_response_is(body));
    }
  report->saturated += any && island->count > MOST_DENSE; /* too many contacts: compliance is ignored in this step */
  if (!any || island->count > MOST_DENSE) return;
  size_t n = 3 * (size_t)island->count;
  island->axes = tac_arena_array(&world->arena, (size_t)island->count, sizeof *island->axes);
  if (island->axes != NULL) island->compliance = tac_arena_array(&world->arena, n * n, sizeof *island->compliance);
  for (int i = 0; island->compliance != NULL && i < island->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *body = side_of(world, island->list[i], s);
      for (int k = 0; body != NULL && k < 3; ++k)
        island->axes[i][s][k] = tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), island->list[i]->axes[k]);
    }
}

/* Computes the compliance between contacts i and j, in their axes. Returns the number of unknown compliances of bodies,
 * which count as zero. */
static int couple(const Island *island, int i, int j, double block[3][3]) {
  const tacSetContact *a = island->list[i], *b = island->list[j];
  int unknown = 0;
  memset(block, 0, 9 * sizeof(double));
  for (int s = 0; s < 2; ++s)
    for (int o = 0; o < 2; ++o) {
      const tacWorldBody *body = side_of(island->world, a, s);
      tacMat3 c;
      if (body == NULL || b->body[o] != a->body[s] || !tac_contact_response_is(body)) continue;
      if (!tac_contact_response_compliance(island->world, a, s, b, o, &c)) {
        ++unknown;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        tacVec3 by = tac_mat3_mul_vec(c, island->axes[j][o][k]);
        for (int r = 0; r < 3; ++r) block[r][k] += (s == o ? 1.0 : -1.0) * tac_vec3_dot(island->axes[i][s][r], by);
      }
    }
  return unknown;
}

/* Makes room for the rows of `count` active contacts in the compliance matrix, and computes the new rows. */
static void extend_compliance(const Island *island, int before, tacTickReport *report) {
  size_t from = 3 * (size_t)before, to = 3 * (size_t)island->active;
  double *w = island->compliance;
  if (w == NULL) return;
  for (size_t r = from; r-- > 1;) memmove(w + r * to, w + r * from, from * sizeof *w);
  for (int i = before; i < island->active; ++i)
    for (int j = 0; j <= i; ++j) {
      double block[3][3];
      report->uncoupled += couple(island, i, j, block);
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k) {
          w[(3 * (size_t)i + r) * to + 3 * (size_t)j + k] = block[r][k];
          w[(3 * (size_t)j + k) * to + 3 * (size_t)i + r] = block[r][k];
        }
    }
}

/* Updates the anchor of a contact. `motion`: gap and slip of the contact. If a contact slides, the anchor follows up to
 * a distance of `most_drift`. The distance is not zero, because near the friction limit the solver reports rounding
 * errors as sliding. With zero distance these errors would accumulate to creep. */
static void keep_anchor(const tacWorld *world, tacSetContact *c, const double motion[3]) {
  bool stuck = c->sticks;
  tacVec3 drift = drift_of(world, c);
  c->sticks = c->state == TAC_CONTACT_STICKS;
  if (c->sticks && !stuck) c->anchor = c->place, c->anchored = c->site[0];
  if (c->state != TAC_CONTACT_SLIDES || c->place.kind != TAC_SITE_FRAME) return;
  tacVec3 slip = tac_vec3_add(tac_vec3_scale(motion[1], c->axes[1]), tac_vec3_scale(motion[2], c->axes[2]));
  double length = tac_vec3_norm(slip), left = length > most_drift ? most_drift / length : 1.0;
  /* The anchor is at c->at - drift. At the end of the step, the contact is at the distance `slip` from the anchor. */
  tacVec3 at = tac_vec3_add(tac_vec3_sub(c->at, drift), tac_vec3_scale(1.0 - left, slip));
  const tacWorldBody *body = side_of(world, c, 1);
  c->sticks = true;
  if (body != NULL)
    at = tac_vec3_sub(tac_frame_from_world(&body->frame, at), tac_contact_response_displacement(body, &c->site[1]));
  c->anchor = (tacSite){TAC_SITE_FRAME, 0, at};
}

/* Adds Z^T f of a contact to `y`, for the part on side `s`, if the body receives the force in this step. Z is stored in
 * `rows` (island.h). */
static void add_force(const tacWorld *world, const tacSetContact *c, const tacLawContact *law, int s,
                      const Parts *parts, double *restrict y) {
  const tacWorldBody *body = side_of(world, c, law->part[1] < 0 && s == 0 && block_of(world, c, 0) < 0 ? 1 : s);
  if (!takes_now(body, length_of(world, c))) return;
  int n = parts->size[law->part[s]];
  const double *restrict rows = law->rows[s];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i) y[i] += law->force[k] * rows[k * n + i];
}

/* Applies the contact forces to the blocks of an island. Sums y = Z^T f over the contacts of each block, and adds L^-T
 * y to the motion of the block (island.h). */
static void move_blocks(const Island *island) {
  tacWorld *world = island->world;
  const Parts *parts = &island->parts;
  const tacLawContact *laws = island->laws;
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double **y = tac_arena_array(&world->arena, (size_t)parts->count, sizeof *y);
  for (int p = 0; y != NULL && p < parts->count; ++p) {
    size_t n = (size_t)world->blocks[parts->block[p]].size;
    y[p] = tac_arena_array(&world->arena, n, sizeof *y[p]);
    if (y[p] == NULL) {
      y = NULL; /* this cannot happen: the arena is large enough */
      break;
    }
    memset(y[p], 0, n * sizeof *y[p]);
  }
  for (int i = 0; y != NULL && i < island->active; ++i)
    for (int s = 0; s < 2; ++s)
      if (laws[i].part[s] >= 0) add_force(world, island->list[i], &laws[i], s, parts, y[laws[i].part[s]]);
  for (int p = 0; y != NULL && p < parts->count; ++p) {
    tacBlock *block = &world->blocks[parts->block[p]];
    tac_dense_loop_cholesky_backward(&(tacDense){block->size, block->size, block->size, block->matrix}, y[p]);
    for (int c = 0; c < block->size; ++c) block->motion[c] += y[p][c];
  }
  tac_arena_release(&world->arena, mark);
}

/* Stores the forces of a solved island in its contacts, and adds their effect to the motion of the blocks. Bodies that
 * do not step now receive the impulses in their next step. */
static void give_forces(const Island *island) {
  tacWorld *world = island->world;
  move_blocks(island);
  for (int i = 0; i < island->count; ++i) {
    tacSetContact *c = island->list[i];
    const double *f = island->laws[i].force;
    c->state = f[0] > 0.0 ? island->laws[i].state : TAC_CONTACT_NONE;
    keep_anchor(world, c, island->laws[i].motion);
    c->force = tac_contact_vector(c->axes, f);
    double h = length_of(world, c);
    for (int s = 0; s < 2; ++s) {
      tacWorldBody *body = c->body[s] >= 0 ? &world->bodies[c->body[s]] : NULL;
      if (body == NULL || tac_block_moves(body) == 0 || takes_now(body, h)) continue;
      double j[3 * TAC_BLOCK_MOST_MOVES], sign = s == 0 ? h : -h;
      int n = tac_block_moves(body),
          /* The first six numbers of `pending` belong to the frame, even if the frame does not move. */
          own = 6 - body->moves.frame;
      tac_block_jacobian(body, &c->site[s], c->at, j);
      for (int k = body->moves.frame; k < n; ++k)
        body->moves.pending[own + k] += sign * (j[k] * c->force.x + j[n + k] * c->force.y + j[2 * n + k] * c->force.z);
      /* The moment is about the world's origin, since the body moves before it receives the impulse. */
      tacVec3 impulse = tac_vec3_scale(sign, c->force), moment = tac_vec3_cross(c->at, impulse);
      const double six[6] = {impulse.x, impulse.y, impulse.z, moment.x, moment.y, moment.z};
      for (int k = 0; k < 6 && body->moves.frame > 0; ++k) body->moves.pending[k] += six[k];
      body->moves.pending_left = fmax(body->moves.pending_left, h);
    }
  }
}

/* Solves an island in limited time. The number of contacts limits the sweeps; the cost of an iteration limits Newton's
 * method. */
static tacContactReport solve(tacWorld *world, const tacLawProblem *problem, bool hard) {
  tacLawSolverDef def = tac_law_solver_def_default();
  int count = problem->count;
  def.tolerance = tolerance;
  def.enough = ENOUGH;
  def.most_sweeps = count > 0 ? MOST_RELAXED / count : 1;
  if (def.most_sweeps > 100) def.most_sweeps = 100;
  if (def.most_sweeps < 20) def.most_sweeps = 20;
  /* length of the step in ms; maximum number of Newton iterations */
  double time = 1e3 * world->period, most = newton_steps * fmax(1.0, time);
  def.most_steps = count <= MOST_DENSE ? (int)fmin(most, time * newton_work / tac_law_system_cost(problem)) : 0;
  if (hard) def.method = TAC_CONTACT_NEWTON; /* sweeps stalled in the previous step */
  if (def.most_steps < LEAST_STEPS) def.method = TAC_CONTACT_GAUSS_SEIDEL;
  return tac_law_solve(problem, &def, &world->arena);
}

/* ---- speed limits of couplings ---- */

/* Returns the part of an island that consists of the body held by tool `t` and its jaws. The part must touch a body
 * with static or step compliance, and all other touched bodies must be fixed. Otherwise returns -1. Free bodies are
 * excluded, since their inertia lets them hardly yield in a tick. */
static int held_part(const Island *island, int t) {
  const tacWorld *world = island->world;
  const Parts *parts = &island->parts;
  const tacLawContact *laws = island->laws;
  const tacHeldBody *held = &world->tools[t].held;
  const tacWorldBody *body = held->body >= 0 ? &world->bodies[held->body] : NULL;
  int p = 0, touching = 0;
  if (body == NULL || body->moves.frame == 0 || body->size > 0) return -1;
  while (p < parts->count && parts->block[p] != body->moves.block) ++p;
  if (p == parts->count || parts->size[p] != body->moves.frame || world->blocks[body->moves.block].done != NULL)
    return -1;
  for (int i = 0; i < island->count; ++i) {
    if (laws[i].part[0] != p && laws[i].part[1] != p) continue;
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *side = side_of(world, island->list[i], s);
      if (side == NULL || side->moves.block == body->moves.block) continue;
      if (side->moves.block >= 0 || (!tac_contact_response_is(side) && side->frame.mode == TAC_FRAME_FREE)) return -1;
      touching += tac_contact_response_is(side);
    }
  }
  return touching > 0 ? p : -1;
}

/* Reduces the motion of a held body that would exceed its speed limit (Barbic 2007, 4.6). Then prescribes the reduced
 * motion and solves the contacts again, so that the touched bodies yield exactly as far as the held body moves. Without
 * the second solve, the bodies would separate in the next step, spring back, and overlap in the following step. */
static bool hold_back(const Island *island, int t) {
  tacWorld *world = island->world;
  tacSetContact *const *list = island->list;
  tacLawContact *laws = island->laws;
  const Parts *parts = &island->parts;
  int p = held_part(island, t);
  if (p < 0) return false;
  tacHeldBody *held = &world->tools[t].held;
  tacBlock *block = &world->blocks[parts->block[p]];
  double motion[TAC_HELD_MOST] = {0.0}, less[TAC_HELD_MOST] = {0.0};
  int n = block->size;
  for (int i = 0; i < island->count; ++i)
    for (int s = 0; s < 2; ++s)
      if (laws[i].part[s] == p) add_force(world, list[i], &laws[i], s, parts, motion);
  tac_dense_loop_cholesky_backward(&(tacDense){n, n, n, block->matrix}, motion);
  for (int c = 0; c < n; ++c) motion[c] += block->motion[c];
  double share = tac_coupling_limit(&held->coupling, world->period, motion);
  if (!(share < 1.0)) return false;
  for (int c = 0; c < n; ++c) { /* the coordinate of the jaws has its own limit */
    double goes = c < 6 ? share * motion[c] : motion[c];
    less[c] = block->motion[c] - goes;
    block->motion[c] = goes;
  }
  for (int i = 0; i < island->count; ++i)
    for (int s = 0; s < 2; ++s) {
      if (laws[i].part[s] != p) continue;
      double rows[3 * TAC_HELD_MOST] = {0.0};
      for (int side = 0; side < 2; ++side)
        if (block_of(world, list[i], side) == parts->block[p])
          add_side(side_of(world, list[i], side), list[i], side, 1.0, n, rows);
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < n; ++c) island->free_motion[i][k] -= rows[k * n + c] * less[c];
      laws[i].part[s] = -1;
      set_free_motion(world, list[i], island->free_motion[i], parts->size, &laws[i]);
      bool moves = laws[i].part[1 - s] >= 0;
      for (int side = 0; side < 2; ++side) {
        const tacWorldBody *body = side_of(world, list[i], side);
        moves = moves || (body != NULL && tac_contact_response_is(body));
      }
      if (!moves) laws[i].gap = 1.0; /* a gap of 1 m: the contact bears no force */
    }
  return true;
}

/* Copies W of an island to its place in W of all contacts. Does nothing unless W is requested. */
static void show_coupling(tacWorld *world, int count, tacSetContact *const *list, const tacLawProblem *problem) {
  int all = world->coupling.count;
  for (int i = 0; all > 0 && i < count; ++i)
    for (int j = 0; j < count; ++j) {
      ptrdiff_t a = list[i] - world->contacts.list, b = list[j] - world->contacts.list;
      if (a >= all || b >= all) continue;
      tacMat3 block = tac_delassus_block(problem, i, j);
      for (int k = 0; k < 3; ++k)
        memcpy(world->coupling.w + (3 * a + k) * 3 * all + 3 * b, block.m[k], sizeof block.m[k]);
    }
}

static void begin_coupling(tacWorld *world) {
  tacWorldCoupling *c = &world->coupling;
  c->count = 0;
  if (world->tick > c->until || c->until == 0) return;
  c->count = world->contacts.count < TAC_WORLD_MOST_COUPLED ? world->contacts.count : TAC_WORLD_MOST_COUPLED;
  memset(c->w, 0, 9 * (size_t)c->count * (size_t)c->count * sizeof *c->w);
}

static void dump(tacWorld *world, const tacLawProblem *problem, int number) {
  char path[4096];
  tacError error;
  if (problem->count == 0 || world->dump_failed) return;
  int length = snprintf(path, sizeof path, "%s/tick-%08lld-%d.dat", world->dump_folder, (long long)world->tick, number);
  tacStatus status = length < (int)sizeof path
                         ? tac_problem_file_write_laws(path, problem, &error)
                         : tac_error_set(&error, TAC_ERR_ARGUMENT, "the path is too long: %.80s...", path);
  world->dump_failed = status != TAC_OK;
  if (world->dump_failed) tac_log(TAC_LOG_WARNING, "contact problems are no longer written: %s", error.text);
}

/* ---- islands ---- */

/* Makes an open contact active. */
static void activate(Island *island, int i) {
  int to = island->active++;
  tacSetContact *contact = island->list[i];
  tacLawContact law = island->laws[i];
  double free_motion[3];
  tacVec3 axes[2][3];
  memcpy(free_motion, island->free_motion[i], sizeof free_motion);
  memcpy(axes, island->axes[i], sizeof axes);
  island->list[i] = island->list[to];
  island->laws[i] = island->laws[to];
  memcpy(island->free_motion[i], island->free_motion[to], sizeof free_motion);
  memcpy(island->axes[i], island->axes[to], sizeof axes);
  island->list[to] = contact;
  island->laws[to] = law;
  memcpy(island->free_motion[to], free_motion, sizeof free_motion);
  memcpy(island->axes[to], axes, sizeof axes);
}

/* Returns the gap of an open contact under the forces of the active contacts, m. `y`: Z^T f of each part. */
static double gap_under_forces(const Island *island, int i, double *const *y) {
  const tacLawContact *law = &island->laws[i];
  double gap = law->gap;
  for (int s = 0; s < 2; ++s)
    for (int k = 0; law->part[s] >= 0 && k < island->parts.size[law->part[s]]; ++k)
      gap += law->rows[s][k] * y[law->part[s]][k];
  for (int j = 0; j < island->active; ++j) {
    const double *f = island->laws[j].force;
    double block[3][3];
    if (!(f[0] > 0.0)) continue;
    couple(island, i, j, block);
    gap += block[0][0] * f[0] + block[0][1] * f[1] + block[0][2] * f[2];
  }
  return gap;
}

/* Makes all open contacts active that overlap under the forces of the active contacts. Returns false if none does. */
static bool activate_more(Island *island, tacTickReport *report) {
  tacArenaMark mark = tac_arena_mark(&island->world->arena);
  const Parts *parts = &island->parts;
  int before = island->active;
  double **y = tac_arena_array(&island->world->arena, (size_t)parts->count, sizeof *y);
  for (int p = 0; y != NULL && p < parts->count; ++p) {
    y[p] = tac_arena_array(&island->world->arena, (size_t)parts->size[p], sizeof *y[p]);
    if (y[p] != NULL)
      memset(y[p], 0, (size_t)parts->size[p] * sizeof *y[p]);
    else
      y = NULL; /* this cannot happen: the arena is large enough */
  }
  for (int i = 0; y != NULL && i < before; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacLawContact *law = &island->laws[i];
      if (law->part[s] < 0) continue;
      int n = parts->size[law->part[s]];
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < n; ++c) y[law->part[s]][c] += law->force[k] * law->rows[s][k * n + c];
    }
  double *gaps = tac_arena_array(&island->world->arena, (size_t)island->count, sizeof *gaps);
  for (int i = before; gaps != NULL && i < island->count; ++i)
    gaps[i] = y != NULL ? gap_under_forces(island, i, y) : -INFINITY;
  for (int i = before; gaps != NULL && i < island->count; ++i)
    if (gaps[i] < -tolerance.metres) activate(island, i);
  tac_arena_release(&island->world->arena, mark);
  extend_compliance(island, before, report);
  return island->active > before;
}

/* True if all contacts are made active at once: without compliance; in islands with free bodies, which rest on many
 * contacts; after a step that was not solved; and if W of all contacts is wanted. */
static bool starts_whole(const Island *island) {
  const tacWorld *world = island->world;
  if (island->compliance == NULL || world->coupling.count > 0 || world->dump_folder != NULL) return true;
  for (int i = 0; i < island->count; ++i) {
    if (island->list[i]->unsolved) return true;
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *body = side_of(world, island->list[i], s);
      if (body != NULL && body->def.free) return true;
    }
  }
  return false;
}

/* Returns the problem of the active contacts. */
static tacLawProblem problem_of(const Island *island) {
  return (tacLawProblem){.count = island->active,
                         .contacts = island->laws,
                         .part_count = island->parts.count,
                         .part_size = island->parts.size,
                         .compliance = island->compliance};
}

static void activate_all(Island *island, tacTickReport *report) {
  int before = island->active;
  island->active = island->count;
  extend_compliance(island, before, report);
}

/* Solves an island. Most candidates of deforming bodies stay open. So the first problem contains only the contacts that
 * bore forces in the previous step. Contacts that overlap under its solution are added until none overlaps. This is
 * then the solution for all contacts. If a problem is not solved, all contacts are solved from their first forces.
 * After MOST_ROUNDS problems all contacts are solved, too, so that the time is limited. */
static tacContactReport solve_active(Island *island, bool hard, tacTickReport *report) {
  tacContactReport done = {0}, all = {0};
  bool more = island->active > 0 || activate_more(island, report);
  for (int round = 1; more; ++round) {
    tacLawProblem problem = problem_of(island);
    done = solve(island->world, &problem, hard);
    if (done.sweeps > all.sweeps) all.sweeps = done.sweeps;
    if (done.steps > all.steps) all.steps = done.steps;
    if (island->active == island->count) break;
    if (done.unsolved > 0) {
      activate_all(island, report);
      for (int i = 0; i < island->count; ++i)
        tac_contact_numbers(island->list[i]->axes, island->list[i]->force, island->laws[i].force);
    } else if (round == MOST_ROUNDS) {
      activate_all(island, report);
    } else {
      more = activate_more(island, report);
    }
  }
  done.sweeps = all.sweeps;
  done.steps = all.steps;
  return done;
}

/* Makes the first contacts of an island active. */
static void activate_first(Island *island, tacTickReport *report) {
  if (starts_whole(island)) {
    activate_all(island, report);
    return;
  }
  for (int i = 0; i < island->count; ++i)
    if (island->laws[i].force[0] > 0.0)
      activate(island, i);
    else
      memset(island->laws[i].force, 0, sizeof island->laws[i].force);
  extend_compliance(island, 0, report);
}

/* Takes the memory of an island with at most `m` contacts. False if the arena is too small. */
static bool take_island(Island *island, int m) {
  tacArena *arena = &island->world->arena;
  int most = island->world->block_count < 2 * m ? island->world->block_count : 2 * m;
  island->laws = tac_arena_array(arena, (size_t)m, sizeof *island->laws);
  island->parts.block = tac_arena_array(arena, (size_t)most, sizeof *island->parts.block);
  island->parts.size = tac_arena_array(arena, (size_t)most, sizeof *island->parts.size);
  island->free_motion = tac_arena_array(arena, (size_t)m, sizeof *island->free_motion);
  return island->laws != NULL && island->parts.block != NULL && island->parts.size != NULL &&
         island->free_motion != NULL;
}

/* Solves one island. `of_block` [block_count]: memory whose entries are -1 before and after the call. `number`: number
 * of the island in this step. `last`: see solve_all. */
static void solve_island(tacWorld *world, int m, tacSetContact **list, int *of_block, int number, bool last,
                         tacTickReport *report) {
  tacArenaMark mark = tac_arena_mark(&world->arena);
  Island island = {.world = world, .list = list, .parts = {.of_block = of_block}};
  if (!take_island(&island, m)) {
    ++report->saturated;
    tac_arena_release(&world->arena, mark);
    return;
  }
  for (int i = 0; i < m; ++i) { /* a contact without a moving body bears no force */
    tacSetContact *c = list[i];
    int to = island.count;
    if (!make_contact(world, c, &island.parts, &island.laws[to], island.free_motion[to])) {
      c->force = tac_vec3(0.0, 0.0, 0.0);
      continue;
    }
    list[island.count++] = c;
  }
  for (int p = 0; p < island.parts.count; ++p) of_block[island.parts.block[p]] = -1;
  bool hard = false, again = false;
  for (int i = 0; i < island.count; ++i) hard = hard || list[i]->hard;
  begin_compliance(&island, report);
  activate_first(&island, report);
  tacContactReport done = solve_active(&island, hard, report);
  if (!last) {
    for (int i = 0; i < island.count; ++i) list[i]->force = tac_contact_vector(list[i]->axes, island.laws[i].force);
    tac_arena_release(&world->arena, mark);
    return;
  }
  tacLawProblem problem = problem_of(&island);
  show_coupling(world, island.count, list, &problem);
  for (int t = 0; island.compliance != NULL && t < world->tool_count; ++t)
    if (hold_back(&island, t)) again = true;
  if (again) done = solve_active(&island, hard || done.steps > 0, report);
  if (world->dump_folder != NULL && world->tick % world->dump_every == 0) dump(world, &problem, number);
  give_forces(&island);
  for (int i = 0; i < island.count; ++i) {
    list[i]->unsolved = done.unsolved > 0;
    list[i]->hard = done.steps > 0;
  }
  report->laws += island.count;
  if (done.sweeps + done.steps > report->sweeps) report->sweeps = done.sweeps + done.steps;
  report->residual = fmax(report->residual, done.residual.metres);
  report->residual_force = fmax(report->residual_force, done.residual.newtons);
  report->unsolved += done.unsolved > 0;
  report->limited += again;
  tac_arena_release(&world->arena, mark);
}

/* Solves all islands. `last`: true for the final solve; false to estimate only the contact forces, so that nothing
 * moves. */
static void solve_all(tacWorld *world, bool last, tacTickReport *report) {
  int count = world->contacts.count;
  if (count == 0) return;
  tacArenaMark mark = tac_arena_mark(&world->arena);
  /* Graph nodes: first the blocks, then the bodies. The node of a body represents its static or step compliance. */
  int nodes = world->block_count + world->body_count;
  int *parent = tac_arena_array(&world->arena, (size_t)nodes, sizeof *parent);
  int *island = tac_arena_array(&world->arena, (size_t)count, sizeof *island);
  int *first = tac_arena_array(&world->arena, (size_t)nodes, sizeof *first);
  int *next = tac_arena_array(&world->arena, (size_t)count, sizeof *next);
  int *of_block = tac_arena_array(&world->arena, (size_t)world->block_count, sizeof *of_block);
  tacSetContact **list = tac_arena_array(&world->arena, (size_t)count, sizeof *list);
  if (parent == NULL || island == NULL || first == NULL || next == NULL || of_block == NULL || list == NULL) {
    ++report->saturated;
    tac_arena_release(&world->arena, mark);
    return;
  }
  for (int i = 0; i < nodes; ++i) parent[i] = i;
  for (int i = 0; i < count; ++i) {
    int node[4], n = 0;
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *body = side_of(world, &world->contacts.list[i], s);
      if (body == NULL) continue;
      if (body->moves.block >= 0) node[n++] = body->moves.block;
      if (tac_contact_response_is(body)) node[n++] = world->block_count + world->contacts.list[i].body[s];
    }
    for (int k = 1; k < n; ++k) tac_disjoint_sets_join(parent, node[0], node[k]);
    island[i] = n > 0 ? node[0] : -1;
  }
  /* Builds linked lists of the contacts of each island, in ascending order. */
  for (int i = 0; i < nodes; ++i) first[i] = -1;
  for (int i = count - 1; i >= 0; --i) {
    if (island[i] < 0) {
      world->contacts.list[i].force = tac_vec3(0.0, 0.0, 0.0); /* neither side can move */
      continue;
    }
    int root = tac_disjoint_sets_find(parent, island[i]);
    island[i] = root;
    next[i] = first[root];
    first[root] = i;
  }
  int number = 0;
  for (int k = 0; k < world->block_count; ++k) of_block[k] = -1;
  for (int i = 0; i < count; ++i) {
    int m = 0;
    /* an earlier contact of the same island has already been processed */
    if (island[i] < 0 || first[island[i]] != i) continue;
    for (int j = i; j >= 0; j = next[j]) list[m++] = &world->contacts.list[j];
    solve_island(world, m, list, of_block, number++, last, report);
  }
  if (last) tac_contact_set_remember(&world->contacts, world->tick);
  tac_arena_release(&world->arena, mark);
}

void tac_island_estimate(tacWorld *world) {
  tacTickReport unused = {0};
  solve_all(world, false, &unused);
}

void tac_island_solve(tacWorld *world, tacTickReport *report) {
  begin_coupling(world);
  solve_all(world, true, report);
}

size_t tac_island_room(const tacWorld *world) {
  tacBlockRoom blocks = tac_block_room(world);
  size_t m = (size_t)world->contacts.capacity, dense = m < MOST_DENSE ? m : MOST_DENSE;
  /* Memory for sweeps over all contacts without W, or for Newton's method with the largest permitted W. */
  size_t solver = tac_law_iterate_room((int)m, world->body_count, blocks.coordinates, false) + m * 512;
  size_t built = tac_law_solver_room_most((int)dense, world->body_count, blocks.coordinates, true);
  size_t doubles = blocks.doubles + blocks.coordinates + m * 6 * blocks.largest + 9 * dense * dense + 40 * m;
  return doubles * sizeof(double) + (built > solver ? built : solver) + m * (sizeof(tacLawContact) + 64) +
         (size_t)world->body_count * 256 + 65536;
}
