/* The internal force of a body in its n coordinates, whatever it is computed from: R(q) = dW/dq, K(q) = dR/dq. */
#pragma once

#include <stdbool.h>
#include <tactus/body.h>
#include "elastic/hyper/sampled_solid.h"

/* Where it comes from; all NULL: from the polynomials of the reduced body. */
typedef struct tacCoordinateForceDef {
  const tacSampledParts *sampled; /* some of its elements, in the coordinates of its basis */
  const double *stiffness;        /* or a constant K, [r][r], symmetric and positive definite: a linear body */
  /* Of a body that knows its answer only to some forces on it: what it answers from, and how tacBodyTable's functions of these names
   * answer; NULL: of any other. */
  const void *source;
  bool (*covers)(const void *source, tacVec3 force);
  bool (*known_loads)(const void *source, tacKnownLoads *loads);
  bool (*load_mode)(const void *source, int vertex, int coordinate, tacVec3 *mode);
} tacCoordinateForceDef;

/* In ticks: no allocation, bounded time. `linear`: R = K(0) q, K = K(0). */
typedef struct tacCoordinateForce {
  void *self;
  /* K [n][n] symmetric, NULL: not wanted; where all of it takes too long for a tick, that of a q of some steps ago. */
  void (*evaluate)(void *self, bool linear, const double *q, double *force, double *stiffness);
  double (*energy)(void *self, bool linear, const double *q); /* W, J */
  /* What stress adds to K, [n][n] symmetric: K less it is what strain-rate damping is proportional to. NULL: not known. */
  void (*stress)(void *self, const double *q, double *stiffness);
  bool quartic; /* W is a polynomial of degree four, and K that of the same q */
} tacCoordinateForce;
