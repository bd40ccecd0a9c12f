/* Energy of a reduced body with its present materials: W = sum over parts of weight x factor x W_part (Barbic 2007,
 * section 2.11), over the kept coordinates only. One table of coefficients is in use. After a change of a factor a
 * second table is summed in slices, so that no tick takes long. When complete, the second table replaces the first.
 * Creation is for the load phase. Other functions may be called in any phase and do not allocate. */
#pragma once

#include <stdbool.h>
#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced.h"

typedef struct tacReducedMaterial tacReducedMaterial;

/* Uses the coordinates kept[0] < kept[1] < ... of the basis; all factors are 1. Refers to `parts`. */
tacStatus tac_reduced_material_create(const tacReducedParts *parts, int kept_count, const int *kept,
                                      tacReducedMaterial **material, tacError *error);
void tac_reduced_material_destroy(tacReducedMaterial *material); /* NULL is allowed */
TAC_OWNED_TYPE(tacReducedMaterial, tac_reduced_material_destroy)

/* Force from the coefficients in use. Refers to `material`. */
tacCoordinateForce tac_reduced_material_force(tacReducedMaterial *material);

/* Factors on lambda and mu of a group; values <= 0 or NaN are ignored. A change restarts the sum. */
void tac_reduced_material_set_lambda(tacReducedMaterial *material, int group, double factor);
void tac_reduced_material_set_mu(tacReducedMaterial *material, int group, double factor);

/* Multiply-adds per slice. */
enum { TAC_REDUCED_MATERIAL_SLICE = 32000 };
/* Sum new coefficients. True: the force changed. */
bool tac_reduced_material_advance(tacReducedMaterial *material); /* one slice, if needed */
bool tac_reduced_material_settle(tacReducedMaterial *material);  /* all remaining slices */
