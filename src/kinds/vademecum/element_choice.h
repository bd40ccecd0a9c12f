/* Chooses a few elements of a solid whose weighted forces approximate the force of all elements (Farhat, Chapman, Avery
 * 2015). R_e = dW_e/dq is the force of element e in coordinates q, and W_e is the strain energy of the element. The
 * weights w_e >= 0 of the chosen elements are such that over training states q_m
 *     sum_m |sum_e w_e R_e(q_m) - R(q_m)|^2 / |R(q_m)|^2 <= tolerance^2 (number of states),   R = sum_e R_e.
 * The method is non-negative least squares (Lawson, Hanson 1974).
 *
 * The division by |R|^2 gives all training states the same weight. Small motions along each coordinate are
 * additional states with a lower weight. Without these motions, the chosen elements might not resist a motion that
 * no training state contains. Runs offline. */
#pragma once

#include <tactus/base.h>
#include "base/memory/array.h"
#include "elastic/hyper/sampled_solid.h"

typedef struct tacElementChoiceDef {
  const tacVolMesh *mesh; /* mesh of tetrahedra only */
  tacHyperMaterial material;
  int size;            /* number n of coordinates */
  const double *basis; /* [vertex][3][n]: displacement per unit coordinate */
  int state_count;
  const double *states; /* [state][n]: training states q_m */
  double tolerance;     /* relative error limit of the forces; 0 means 0.01 */
  int thread_count;     /* number of threads, which does not affect the result; 0 means one per core */
} tacElementChoiceDef;

/* Chosen elements with their weights; the struct owns the arrays. */
typedef struct tacElementChoice {
  tacSampledParts parts;
  double error; /* relative force error; exceeds the tolerance if no weights meet the tolerance */
  tacArrays arrays;
} tacElementChoice;

tacStatus tac_element_choice_create(const tacElementChoiceDef *def, const tacProgress *progress,
                                    tacElementChoice *choice, tacError *error);
void tac_element_choice_destroy(tacElementChoice *choice); /* a zeroed struct is allowed */
