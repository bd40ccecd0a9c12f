/* Interface to the internal force R(q) = dW/dq and the stiffness K(q) = dR/dq of a body with n coordinates q. */
#pragma once

#include <stdbool.h>
#include <tactus/body.h>
#include "elastic/hyper/sampled_solid.h"

/* Definition of an internal force, by either `sampled` or `stiffness`. */
typedef struct tacCoordinateForceDef {
  const tacSampledParts *sampled; /* sampled elements in the coordinates of the basis; may be NULL */
  const double *stiffness; /* constant K of a linear body, [r][r], symmetric and positive definite; may be NULL */
  /* Data and functions of a model that is valid only for some forces; NULL for other models. The functions are the
   * tacBodyTable functions of the same names, with `source` as first argument. */
  const void *source;
  bool (*covers)(const void *source, tacVec3 force);
  bool (*known_loads)(const void *source, tacKnownLoads *loads);
  bool (*load_mode)(const void *source, int vertex, int coordinate, tacVec3 *mode);
} tacCoordinateForceDef;

/* Functions that compute the force. They do not allocate and take bounded time. If `linear` is true, K = K(0) and
 * R = K(0) q. */
typedef struct tacCoordinateForce {
  void *self;
  /* Computes R into `force` and K into `stiffness`, [n][n], symmetric. `stiffness` may be NULL. If K takes too long for
   * one tick, K belongs to the q of an earlier step. */
  void (*evaluate)(void *self, bool linear, const double *q, double *force, double *stiffness);
  double (*energy)(void *self, bool linear, const double *q); /* returns the energy W, J */
  /* Computes the stress part of K, [n][n], symmetric. Strain-rate damping is proportional to K minus the stress part.
   * NULL: unknown. */
  void (*stress)(void *self, const double *q, double *stiffness);
  bool quartic; /* true if W is a polynomial of degree four and `evaluate` always computes K at the given q */
} tacCoordinateForce;
