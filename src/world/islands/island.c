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
enum { LEAST_STEPS = 4 };

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

/* Builds the matrix [3 m][3 m] of static and step compliance between the contacts, in the axes of the contacts. NULL if
 * all bodies have zero compliance, or if the island has too many contacts. */
static double *make_compliance(tacWorld *world, int m, tacSetContact *const *list, tacTickReport *report) {
  bool any = false;
  for (int i = 0; i < m; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *body = side_of(world, list[i], s);
      any = any || (body != NULL && tac_contact_response_is(body));
    }
  report->saturated += any && m > MOST_DENSE; /* too many contacts: compliance is ignored in this step */
  if (!any || m > MOST_DENSE) return NULL;
  size_t n = 3 * (size_t)m;
  double *w = tac_arena_array(&world->arena, n * n, sizeof *w);
  if (w == NULL) return NULL;
  memset(w, 0, n * n * sizeof *w);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j <= i; ++j)
      for (int s = 0; s < 2; ++s)
        for (int o = 0; o < 2; ++o) {
          const tacSetContact *a = list[i], *b = list[j];
          const tacWorldBody *body = side_of(world, a, s);
          tacMat3 c;
          if (body == NULL || b->body[o] != a->body[s] || !tac_contact_response_is(body)) continue;
          if (!tac_contact_response_compliance(world, a, s, b, o, &c)) {
            ++report->uncoupled;
            continue;
          }
          c = tac_island_turned(body, &c, a->axes, b->axes);
          for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 3; ++k) {
              double value = (s == o ? 1.0 : -1.0) * c.m[r][k];
              w[(3 * (size_t)i + (size_t)r) * n + 3 * (size_t)j + (size_t)k] += value;
              if (i != j) w[(3 * (size_t)j + (size_t)k) * n + 3 * (size_t)i + (size_t)r] += value;
            }
        }
  return w;
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
static void move_blocks(tacWorld *world, int m, tacSetContact *const *list, const tacLawContact *laws,
                        const Parts *parts) {
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
  for (int i = 0; y != NULL && i < m; ++i)
    for (int s = 0; s < 2; ++s)
      if (laws[i].part[s] >= 0) add_force(world, list[i], &laws[i], s, parts, y[laws[i].part[s]]);
  for (int p = 0; y != NULL && p < parts->count; ++p) {
    tacBlock *block = &world->blocks[parts->block[p]];
    tac_dense_loop_cholesky_backward(&(tacDense){block->size, block->size, block->size, block->matrix}, y[p]);
    for (int c = 0; c < block->size; ++c) block->motion[c] += y[p][c];
  }
  tac_arena_release(&world->arena, mark);
}

/* Stores the forces of a solved island in its contacts, and adds their effect to the motion of the blocks. Bodies that
 * do not step now receive the impulses in their next step. */
static void give_forces(tacWorld *world, int m, tacSetContact *const *list, const tacLawContact *laws,
                        const Parts *parts) {
  move_blocks(world, m, list, laws, parts);
  for (int i = 0; i < m; ++i) {
    tacSetContact *c = list[i];
    const double *f = laws[i].force;
    c->state = f[0] > 0.0 ? laws[i].state : TAC_CONTACT_NONE;
    keep_anchor(world, c, laws[i].motion);
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
  def.tolerance = (tacContactMeasure){1e-10, 1e-7};
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
static int held_part(const tacWorld *world, int t, int m, tacSetContact *const *list, const tacLawContact *laws,
                     const Parts *parts) {
  const tacHeldBody *held = &world->tools[t].held;
  const tacWorldBody *body = held->body >= 0 ? &world->bodies[held->body] : NULL;
  int p = 0, touching = 0;
  if (body == NULL || body->moves.frame == 0 || body->size > 0) return -1;
  while (p < parts->count && parts->block[p] != body->moves.block) ++p;
  if (p == parts->count || parts->size[p] != body->moves.frame || world->blocks[body->moves.block].done != NULL)
    return -1;
  for (int i = 0; i < m; ++i) {
    if (laws[i].part[0] != p && laws[i].part[1] != p) continue;
    for (int s = 0; s < 2; ++s) {
      const tacWorldBody *side = side_of(world, list[i], s);
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
static bool hold_back(tacWorld *world, int t, int m, tacSetContact *const *list, const Parts *parts,
                      tacLawContact *laws, double (*free_motion)[3]) {
  int p = held_part(world, t, m, list, laws, parts);
  if (p < 0) return false;
  tacHeldBody *held = &world->tools[t].held;
  tacBlock *block = &world->blocks[parts->block[p]];
  double motion[TAC_HELD_MOST] = {0.0}, less[TAC_HELD_MOST] = {0.0};
  int n = block->size;
  for (int i = 0; i < m; ++i)
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
  for (int i = 0; i < m; ++i)
    for (int s = 0; s < 2; ++s) {
      if (laws[i].part[s] != p) continue;
      double rows[3 * TAC_HELD_MOST] = {0.0};
      for (int side = 0; side < 2; ++side)
        if (block_of(world, list[i], side) == parts->block[p])
          add_side(side_of(world, list[i], side), list[i], side, 1.0, n, rows);
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < n; ++c) free_motion[i][k] -= rows[k * n + c] * less[c];
      laws[i].part[s] = -1;
      set_free_motion(world, list[i], free_motion[i], parts->size, &laws[i]);
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

/* Solves one island. `of_block` [block_count]: memory whose entries are -1 before and after the call. `number`: number
 * of the island in this step. `last`: see solve_all. */
static void solve_island(tacWorld *world, int m, tacSetContact **list, int *of_block, int number, bool last,
                         tacTickReport *report) {
  tacArenaMark mark = tac_arena_mark(&world->arena);
  int most = world->block_count < 2 * m ? world->block_count : 2 * m, count = 0;
  Parts parts = {.of_block = of_block};
  tacLawContact *laws = tac_arena_array(&world->arena, (size_t)m, sizeof *laws);
  parts.block = tac_arena_array(&world->arena, (size_t)most, sizeof *parts.block);
  parts.size = tac_arena_array(&world->arena, (size_t)most, sizeof *parts.size);
  double(*free_motion)[3] = tac_arena_array(&world->arena, (size_t)m, sizeof *free_motion);
  if (laws == NULL || parts.block == NULL || parts.size == NULL || free_motion == NULL) {
    ++report->saturated;
    tac_arena_release(&world->arena, mark);
    return;
  }
  for (int i = 0; i < m; ++i) { /* a contact without a moving body bears no force */
    tacSetContact *c = list[i];
    if (!make_contact(world, c, &parts, &laws[count], free_motion[count])) {
      c->force = tac_vec3(0.0, 0.0, 0.0);
      continue;
    }
    list[count++] = c;
  }
  for (int p = 0; p < parts.count; ++p) of_block[parts.block[p]] = -1;
  tacLawProblem problem = {.count = count,
                           .contacts = laws,
                           .part_count = parts.count,
                           .part_size = parts.size,
                           .compliance = make_compliance(world, count, list, report)};
  bool hard = false;
  for (int i = 0; i < count; ++i) hard = hard || list[i]->hard;
  tacContactReport done = solve(world, &problem, hard);
  if (!last) {
    for (int i = 0; i < count; ++i) list[i]->force = tac_contact_vector(list[i]->axes, laws[i].force);
    tac_arena_release(&world->arena, mark);
    return;
  }
  bool again = false;
  show_coupling(world, count, list, &problem);
  for (int t = 0; problem.compliance != NULL && t < world->tool_count; ++t)
    if (hold_back(world, t, count, list, &parts, laws, free_motion)) again = true;
  if (again) done = solve(world, &problem, hard || done.steps > 0);
  if (world->dump_folder != NULL && world->tick % world->dump_every == 0) dump(world, &problem, number);
  give_forces(world, count, list, laws, &parts);
  for (int i = 0; i < count; ++i) {
    list[i]->unsolved = done.unsolved > 0;
    list[i]->hard = done.steps > 0;
  }
  report->laws += count;
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
  size_t doubles = blocks.doubles + blocks.coordinates + m * 6 * blocks.largest + 9 * dense * dense + 19 * m;
  return doubles * sizeof(double) + (built > solver ? built : solver) + m * (sizeof(tacLawContact) + 64) +
         (size_t)world->body_count * 256 + 65536;
}
