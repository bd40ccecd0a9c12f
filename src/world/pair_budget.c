/* How many nodes a pair may visit in a time, on this machine. Load phase. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "asset/reduced_polynomial.h"
#include "base/clock.h"
#include "world/world_parts.h"

enum { SAMPLES = 256, TURNS = 16 };
/* Of the budget: the rest is for nodes that cost more than those measured, since many of them fit into no cache. */
static const double share = 0.8;

/* What a body makes of contacts in a step. `stiffness` [r][r] may be NULL where it does not deform. */
static void feel(tacPair *pair, const tacWorldBody *body, int index, double *stiffness) {
  static const double none[TAC_REDUCED_MOST];
  double force[TAC_REDUCED_MOST] = {0}, six[6][6] = {{0}};
  tacWrench wrench = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  tacVec3 about = tac_world_body_position(body);
  if (body->holder >= 0) {
    tac_pair_on_rigid(pair, index, about, &wrench, six);
    tac_pair_moved(pair, index, about, none);
  }
  if (stiffness == NULL) return;
  tacQuat turn = tac_world_body_orientation(body);
  tac_pair_on_reduced(pair, index, tac_reduced_body_size(body->reduced), turn, about, force, stiffness, NULL);
  tac_pair_deformed(pair, index, turn, none);
}

static double *make_stiffness(const tacWorldBody *body) {
  size_t r = body->kind == TAC_BODY_REDUCED ? (size_t)tac_reduced_body_size(body->reduced) : 0;
  return r > 0 ? calloc(r * r, sizeof(double)) : NULL; /* NULL for lack of memory: a measurement less */
}

/* Seconds that a contact takes beside its lookup, at places as they may be. */
static double measure_contact(tacPair *pair, const tacWorldBody *bodies) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const tacDeformedField *deformed = of_field->deformed_field;
  double *of_shell = make_stiffness(of_points), *of_other = make_stiffness(of_field);
  int finest = tac_pointshell_level_count(pair->shell) - 1;
  int count = pair->capacity < SAMPLES ? pair->capacity : SAMPLES;
  int size = tac_pointshell_size(pair->shell, finest), apart = size / (count * TURNS) + 1;
  tacShellContact found[SAMPLES];
  int64_t least = INT64_MAX;
  for (int turn = 0; turn < TURNS; ++turn) {
    for (int i = 0; i < count; ++i) { /* others in each turn: a tick finds little of them in the caches */
      found[i] = (tacShellContact){.point = (i * TURNS + turn) * apart % size, .depth = 1e-4 * (1 + i % 7)};
      if (deformed != NULL)
        found[i].at = tac_deformed_field_proxy(deformed, 0, i % tac_deformed_field_proxy_count(deformed, 0));
    }
    int64_t begin = tac_clock_thread();
    tac_pair_take(pair, bodies, finest, count, found);
    feel(pair, of_points, pair->points, of_shell);
    feel(pair, of_field, pair->field, of_other);
    int64_t taken = tac_clock_thread() - begin;
    if (taken < least) least = taken;
  }
  free(of_shell);
  free(of_other);
  return tac_clock_seconds(least) / count;
}

void tac_pair_set_budget(tacPair *pair, const struct tacWorldBody *bodies, double seconds) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const double *q = of_points->kind == TAC_BODY_REDUCED ? tac_reduced_body_q(of_points->reduced) : NULL;
  tacShellPose pose = tac_pair_pose(tac_world_body_position(of_points), tac_world_body_orientation(of_points), q,
                                    tac_world_body_position(of_field), tac_world_body_orientation(of_field));
  tacTraversalCost cost = tac_shell_traversal_measure(pair->traversal, &pair->contact_field, &pose);
  double contact = cost.contact + measure_contact(pair, bodies);
  /* In the range of parameters, whatever a clock says: a recording keeps them. */
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, fmax(1e-3, fmin(1e6, contact / cost.node)));
  tac_pair_set_value(pair, TAC_PAIR_NODES, fmax(1.0, fmin(1e9, floor((share * seconds - cost.base) / cost.node))));
  tac_pair_reset(pair);
}
