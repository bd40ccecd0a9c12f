/* Computes the energy of a reduced body with its present materials.
 *
 * The energy is W = sum of weight x factor x W_part over the parts (Barbic 2007, section 2.11), restricted to the kept
 * coordinates. After a change of a factor a new table of coefficients is summed in slices, so that no tick takes long.
 * The previous table stays in use until the new table is complete. Creation is for the load phase. Other functions may
 * be called in any phase and do not allocate. */
#pragma once

#include <stdbool.h>
#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced.h"

typedef struct tacReducedMaterial tacReducedMaterial;

/* Creates the energy in the coordinates kept[0] < kept[1] < ... of the basis; all factors are 1. The result refers to
 * `parts`. */
tacStatus tac_reduced_material_create(const tacReducedParts *parts, int kept_count, const int *kept,
                                      tacReducedMaterial **material, tacError *error);
void tac_reduced_material_destroy(tacReducedMaterial *material); /* NULL is allowed */
TAC_OWNED_TYPE(tacReducedMaterial, tac_reduced_material_destroy)

/* Returns the force of the table in use. The result refers to `material`. */
tacCoordinateForce tac_reduced_material_force(tacReducedMaterial *material);

/* Set the factors on lambda and mu of a group. Values <= 0 and NaN are ignored. A change starts a new sum. */
void tac_reduced_material_set_lambda(tacReducedMaterial *material, int group, double factor);
void tac_reduced_material_set_mu(tacReducedMaterial *material, int group, double factor);

/* Number of multiply-adds per slice. */
enum { TAC_REDUCED_MATERIAL_SLICE = 32000 };
/* Sum a part of the new table. Return true if the new table is complete and now in use. */
bool tac_reduced_material_advance(tacReducedMaterial *material); /* sums at most one slice */
bool tac_reduced_material_settle(tacReducedMaterial *material);  /* sums all remaining slices */
