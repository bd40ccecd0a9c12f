/* Internal force of a body in its n coordinates, from any source: R(q) = dW/dq, K(q) = dR/dq. */
#pragma once

#include <stdbool.h>
#include <tactus/body.h>
#include "elastic/hyper/sampled_solid.h"

/* Source of the force; all NULL: the polynomials of the reduced body. */
typedef struct tacCoordinateForceDef {
  const tacSampledParts *sampled; /* sampled elements, in the coordinates of the basis */
  const double *stiffness;        /* or a constant K, [r][r], symmetric and positive definite: a linear body */
  /* For a model that covers only some forces: its data, and the tacBodyTable functions of the same names. NULL for
   * other models. */
  const void *source;
  bool (*covers)(const void *source, tacVec3 force);
  bool (*known_loads)(const void *source, tacKnownLoads *loads);
  bool (*load_mode)(const void *source, int vertex, int coordinate, tacVec3 *mode);
} tacCoordinateForceDef;

/* Tick phase: no allocation, bounded time. `linear`: R = K(0) q, K = K(0). */
typedef struct tacCoordinateForce {
  void *self;
  /* `stiffness`: K [n][n], symmetric; NULL: not requested. If K takes too long for one tick, the function returns K at
   * a q of some steps ago. */
  void (*evaluate)(void *self, bool linear, const double *q, double *force, double *stiffness);
  double (*energy)(void *self, bool linear, const double *q); /* W, J */
  /* Part of K from stress, [n][n] symmetric: strain-rate damping is proportional to K minus this part. NULL:
   * unknown. */
  void (*stress)(void *self, const double *q, double *stiffness);
  bool quartic; /* W is a polynomial of degree four, and `evaluate` gives K at the requested q */
} tacCoordinateForce;
