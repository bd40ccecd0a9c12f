/* Chooses elements to represent all of a solid, and their weights: few w_e >= 0 such that over training states q_m
 *     sum_m |sum_e w_e R_e(q_m) - R(q_m)|^2 / |R(q_m)|^2 <= tolerance^2 (number of states),   R = sum_e R_e,
 * R_e = dW_e/dq of an element (Farhat, Chapman, Avery 2015), by non-negative least squares (Lawson, Hanson 1974). All
 * training states have the same weight, however small their force. Small motions along each coordinate are added as
 * states with a lower weight. Without these states, the chosen elements might not resist untrained motions. Offline. */
#pragma once

#include <tactus/base.h>
#include "base/memory/array.h"
#include "elastic/hyper/sampled_solid.h"

typedef struct tacElementChoiceDef {
  const tacVolMesh *mesh; /* tetrahedra */
  tacHyperMaterial material;
  int size;            /* n */
  const double *basis; /* [vertex][3][n] */
  int state_count;
  const double *states; /* [state][n] */
  double tolerance;     /* 0: 0.01 */
  int thread_count;     /* 0: one per core; the choice does not depend on it */
} tacElementChoiceDef;

/* Owns its arrays. */
typedef struct tacElementChoice {
  tacSampledParts parts;
  double error; /* relative error; above the tolerance if no choice of weights reaches it */
  tacArrays arrays;
} tacElementChoice;

tacStatus tac_element_choice_create(const tacElementChoiceDef *def, const tacProgress *progress,
                                    tacElementChoice *choice, tacError *error);
void tac_element_choice_destroy(tacElementChoice *choice); /* a zeroed struct is allowed */
