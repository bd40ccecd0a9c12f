/* What the pairs of a world do to its reduced bodies. */
#include <string.h>
#include "world/held_body.h"

/* Room in world->answer. */
typedef struct {
  double *force, *stiffness; /* [r], [r][r] */
  double *before;            /* [r]: q when it was loaded */
  double *mixed;             /* [6][r] */
  double *solved;            /* [6][r + 1] */
} Answer;

static Answer answer_of(const tacWorld *world, int r) {
  Answer a = {.force = world->answer};
  a.stiffness = a.force + r;
  a.before = a.stiffness + (size_t)r * (size_t)r;
  a.mixed = a.before + r;
  a.solved = a.mixed + 6 * (size_t)r;
  return a;
}

/* The tool gives way as the body deforms: its six equations are eliminated (Schur's complement), with the share of its step that static
 * damping lets it take. */
static void eliminate_tool(tacWorld *world, int t, int b, int r, const Answer *a) {
  const tacHeldBody *held = &world->tools[t].held;
  double share = 1.0 - held->coupling.static_damping, sign = held->body == b ? -1.0 : 1.0;
  int columns = r + 1;
  for (int i = 0; i < 6; ++i) memcpy(a->solved + i * columns, a->mixed + i * r, (size_t)r * sizeof(double));
  if (!tac_held_body_eliminate(world, t, columns, a->solved)) return;
  for (int i = 0; i < r; ++i) {
    for (int k = 0; k < 6; ++k) a->force[i] += sign * share * a->mixed[k * r + i] * a->solved[k * columns + r];
    for (int j = 0; j < r; ++j) {
      double sum = 0.0; /* of both triangles: it stays symmetric where the coupling's matrix is not */
      for (int k = 0; k < 6; ++k)
        sum += a->mixed[k * r + i] * a->solved[k * columns + j] + a->mixed[k * r + j] * a->solved[k * columns + i];
      a->stiffness[i * r + j] -= 0.5 * share * sum;
    }
  }
}

/* Contacts come and go, with which the implicit Newmark method may give energy: a damper h K takes it (tac_reduced_body_add_answer). */
static void add_damper(const tacWorld *world, const tacWorldBody *body, int r, const Answer *a) {
  const double *velocity = tac_reduced_body_velocity(body->reduced);
  double step = world->period * body->every;
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) a->force[i] += step * a->stiffness[i * r + j] * velocity[j];
  for (int i = 0; i < r * r; ++i) a->stiffness[i] *= 3.0;
}

void tac_world_load_pairs(tacWorld *world, int b) {
  tacWorldBody *body = &world->bodies[b];
  int r = tac_reduced_body_size(body->reduced), t = world->joint;
  bool touched = false;
  for (int p = 0; p < world->pair_count; ++p)
    touched = touched || (tac_pair_has(&world->contact_pairs[p], b) && world->contact_pairs[p].count > 0);
  if (world->answer == NULL) return;
  Answer a = answer_of(world, r);
  memcpy(a.before, tac_reduced_body_q(body->reduced), (size_t)r * sizeof(double));
  if (!touched) return;
  memset(a.force, 0, (size_t)r * sizeof(double));
  memset(a.stiffness, 0, (size_t)r * (size_t)r * sizeof(double));
  memset(a.mixed, 0, 6 * (size_t)r * sizeof(double));
  tacQuat orientation = tac_reduced_body_orientation(body->reduced);
  int held = t >= 0 ? world->tools[t].held.body : -1;
  tacVec3 about = t >= 0 ? tac_held_body_grasp(world, t).position : tac_vec3(0.0, 0.0, 0.0);
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, b)) continue;
    bool together = held >= 0 && tac_pair_has(pair, held);
    tac_pair_on_reduced(pair, b, r, orientation, about, a.force, a.stiffness, together ? a.mixed : NULL);
  }
  if (held >= 0) eliminate_tool(world, t, b, r, &a);
  if (!tac_reduced_body_motion(body->reduced)->is_static) add_damper(world, body, r, &a);
  tac_reduced_body_add_answer(body->reduced, a.force, a.stiffness);
}

/* Whether a body takes the springs of this tick after the one that has just advanced. */
static bool moves_later(const tacWorld *world, int other) {
  const tacWorldBody *body = &world->bodies[other];
  return world->joint >= 0 || (body->kind == TAC_BODY_REDUCED && body->advanced != world->tick);
}

void tac_world_pairs_deformed(tacWorld *world, int b) {
  tacWorldBody *body = &world->bodies[b];
  int r = tac_reduced_body_size(body->reduced);
  const double *q = tac_reduced_body_q(body->reduced);
  if (world->answer == NULL) return;
  double *change = answer_of(world, r).before;
  for (int i = 0; i < r; ++i) change[i] = q[i] - change[i];
  double moved = body->deformed_pose != NULL ? tac_deformed_pose_set(body->deformed_pose, q) : 0.0;
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    if (!tac_pair_has(pair, b)) continue;
    if (moves_later(world, pair->points == b ? pair->field : pair->points))
      tac_pair_deformed(pair, b, tac_reduced_body_orientation(body->reduced), change);
    if (pair->field == b) pair->contact_field.moved += moved;
  }
}
