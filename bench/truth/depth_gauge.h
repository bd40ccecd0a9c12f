/* How deep bodies are in each other: what contacts told in every step, and how it is true of the surfaces as they
 * are deformed, at some moments. */
#pragma once

#include <tactus/world.h>
#include "bench/truth/balance.h"
#include "world/world_interpenetration.h"

typedef struct tacDepthGauge {
  const tacWorld *world;
  tacWorldInterpenetration *within;
  double *state;         /* of the world, at a moment */
  int64_t every;         /* ticks from one moment to the next */
  double reported;       /* m: the largest that contacts of bodies told, of all steps */
  double looked;         /* m: the largest at which surfaces were looked at */
  int64_t moments;       /* in which surfaces were looked at */
  double deepest;        /* m: true, the largest of two bodies, */
  double through;        /* m: the farthest that one has gone through another */
  double reported_there; /* m: what contacts of the deepest two told at that moment; 0: nothing */
  int body[2];           /* the deepest two */
  double voxel;          /* m: of the field of their pair; 0: it is exact, or there is none */
  double tip;            /* m: the deepest tip of a point tool */
} tacDepthGauge;

/* `count` moments in `duration`, s, at least 50 ms apart. */
tacStatus tac_depth_gauge_create(const tacWorld *world, double duration, int count, tacDepthGauge *gauge,
                                 tacError *error);
void tac_depth_gauge_free(tacDepthGauge *gauge); /* a zeroed struct is allowed */
/* After each tick; the snapshot's state is not used. */
tacStatus tac_depth_gauge_look(tacDepthGauge *gauge, const tacBalance *balance, const tacSnapshot *snapshot,
                               tacError *error);
