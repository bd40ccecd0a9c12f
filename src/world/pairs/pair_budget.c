/* How many nodes a pair may visit in a time, on this machine. Load phase. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "collide/traversal_cost.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

enum { SAMPLES = 256, TURNS = 16 };

/* Seconds that a contact takes beside its lookup, at places as they may be. */
static double measure_contact(tacPair *pair, const tacWorldBody *bodies) {
  const tacDeformedField *deformed =
      pair->contact_field.deformed != NULL ? tac_deformed_pose_field(pair->contact_field.deformed) : NULL;
  size_t n = (size_t)(pair->size[0] + pair->size[1]);
  double *room = calloc(n * (n + 7) + 1, sizeof *room);
  if (room == NULL) return 0.0; /* a measurement less */
  tacPairAnswer answer = {.force = room, .stiffness = room + n, .mixed = n > 0 ? room + n + n * n : NULL};
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
    pair->last_count = 0; /* none of them is lost */
    int64_t begin = tac_clock_thread();
    tac_pair_take(pair, bodies, &(tacTraversalReport){.level = finest, .contact_count = count}, found, NULL);
    tac_pair_answer(pair, bodies, bodies[pair->points].frame.position, &answer);
    int64_t taken = tac_clock_thread() - begin;
    if (taken < least) least = taken;
  }
  free(room);
  return tac_clock_seconds(least) / count;
}

/* A field with baked deformations costs most between them: as if the body were pressed at two places. */
static void deform_between(tacDeformedPose *pose, const tacLoadField *loads) {
  int nodes = tac_load_field_node_count(loads), last = tac_load_field_level_count(loads) - 1;
  const double *a = tac_load_field_state(loads, 0, last), *b = tac_load_field_state(loads, nodes / 2, last);
  double q[TAC_BODY_MOST_COORDINATES];
  for (int k = 0; k < tac_load_field_coordinates(loads); ++k) q[k] = 0.4 * (a[k] + b[k]);
  tac_deformed_pose_set(pose, q);
}

void tac_pair_set_budget(tacPair *pair, const tacWorldBody *bodies, double seconds) {
  const tacWorldBody *of_points = &bodies[pair->points], *of_field = &bodies[pair->field];
  const tacBodyTable *table = of_points->body.table;
  const double *q = table->points_q != NULL ? table->points_q(of_points->body.self) : NULL;
  tacShellPose pose = tac_pair_pose(&of_points->frame, q, &of_field->frame);
  tacDeformedPose *deformed = pair->contact_field.deformed;
  const tacLoadField *loads = deformed != NULL ? tac_deformed_pose_loads(deformed) : NULL;
  if (loads != NULL) deform_between(deformed, loads);
  tacTraversalCost cost = tac_traversal_cost_measure(pair->traversal, &pair->contact_field, &pose);
  double contact = cost.contact + measure_contact(pair, bodies);
  if (loads != NULL) tac_deformed_pose_set(deformed, of_field->body.table->points_q(of_field->body.self));
  /* In the range of parameters, whatever a clock says: a recording keeps them. */
  tac_pair_set_value(pair, TAC_PAIR_CONTACT, fmax(1e-3, fmin(1e6, contact / cost.node)));
  double nodes = fmax(1.0, fmin(1e9, floor((seconds - cost.base) / cost.node)));
  tac_pair_set_value(pair, TAC_PAIR_NODES, nodes);
  tac_pair_reset(pair);
  pair->cost = (tacPairCost){.rate = seconds / nodes};
  for (int i = 0; i < 3; ++i) pair->cost.samples[i] = pair->cost.rate;
}
