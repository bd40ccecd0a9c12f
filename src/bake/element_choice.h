/* Which elements stand for all of a solid, and with what weights: the fewest w_e >= 0 found such that over training states q_m
 *     sum_m |sum_e w_e R_e(q_m) - sum_e R_e(q_m)|^2 <= tolerance^2 sum_m |R(q_m)|^2,
 * R_e = dW_e/dq of an element (Farhat, Chapman, Avery 2015), by non-negative least squares (Lawson, Hanson 1974). Offline. */
#ifndef TAC_BAKE_ELEMENT_CHOICE_H
#define TAC_BAKE_ELEMENT_CHOICE_H

#include <tactus/progress.h>
#include "elastic/sampled_solid.h"

typedef struct tacElementChoiceDef {
  const tacVolMesh *mesh;
  tacHyperMaterial material;
  int size;            /* n */
  const double *basis; /* [vertex][3][n] */
  int state_count;
  const double *states; /* [state][n] */
  double tolerance;     /* default 0.01 */
} tacElementChoiceDef;

/* Owns its arrays. */
typedef struct tacElementChoice {
  tacSampledParts parts;
  double error; /* reached */
} tacElementChoice;

tacStatus tac_element_choice_create(const tacElementChoiceDef *def, const tacProgress *progress,
                                    tacElementChoice *choice, tacError *error);
void tac_element_choice_destroy(tacElementChoice *choice); /* a zeroed struct is allowed */

#endif
