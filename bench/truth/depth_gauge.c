#include "bench/truth/depth_gauge.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "bench/contact/contact_scene.h"
#include "world/world_interpenetration.h"

static const double least_interval = 0.05; /* s */
static const double much_deeper = 1.1;     /* a depth that is told and so much larger than before is a moment, too */

tacStatus tac_depth_gauge_create(const tacWorld *world, double duration, int count, tacDepthGauge *gauge,
                                 tacError *error) {
  double interval = fmax(least_interval, duration / fmax(1.0, count));
  *gauge = (tacDepthGauge){.world = world, .every = (int64_t)(interval / tac_world_period(world) + 0.5)};
  gauge->state = tac_array_create((size_t)tac_world_state_size(world) + 1, sizeof *gauge->state, "a state", error);
  tacStatus status = gauge->state != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_world_interpenetration_create(world, &gauge->within, error);
  if (status != TAC_OK) tac_depth_gauge_free(gauge);
  return status;
}

void tac_depth_gauge_free(tacDepthGauge *gauge) {
  tac_world_interpenetration_destroy(gauge->within);
  free(gauge->state);
  *gauge = (tacDepthGauge){0};
}

/* The largest depth that contacts of two bodies, or of all where `bodies` is NULL, tell. */
static double depth_reported(const tacBalance *balance, const int *bodies) {
  double most = 0.0;
  for (int i = 0; i < balance->force_count; i += 2) {
    int a = balance->forces[i].body, b = balance->forces[i + 1].body;
    bool these = bodies == NULL || (a == bodies[0] && b == bodies[1]) || (a == bodies[1] && b == bodies[0]);
    if (these) most = fmax(most, balance->forces[i].depth);
  }
  return most;
}

tacStatus tac_depth_gauge_look(tacDepthGauge *gauge, const tacBalance *balance, const tacSnapshot *snapshot,
                               tacError *error) {
  double reported = depth_reported(balance, NULL);
  gauge->reported = fmax(gauge->reported, reported);
  bool deeper = reported > much_deeper * gauge->looked + 1e-5;
  if (snapshot->tick % gauge->every != 0 && !deeper) return TAC_OK;
  if (deeper) gauge->looked = reported;
  tacSnapshot moment = *snapshot;
  tacSeenWithin seen;
  tac_world_state(gauge->world, gauge->state);
  moment.state = gauge->state;
  tacStatus status = tac_world_interpenetration_at(gauge->within, &moment, &seen, error);
  if (status != TAC_OK) return status;
  ++gauge->moments;
  for (int i = 0; i < seen.count; ++i) {
    const tacBodiesWithin *of = &seen.bodies[i];
    gauge->through = fmax(gauge->through, of->is.through);
    if (of->is.depth <= gauge->deepest) continue;
    gauge->deepest = of->is.depth;
    gauge->body[0] = of->body[0];
    gauge->body[1] = of->body[1];
    gauge->reported_there = depth_reported(balance, of->body);
    gauge->voxel = of->pair >= 0 ? tac_contact_scene_voxel(gauge->world, of->pair) : 0.0;
  }
  for (int i = 0; i < seen.tip_count; ++i) gauge->tip = fmax(gauge->tip, seen.tips[i].depth);
  return TAC_OK;
}
