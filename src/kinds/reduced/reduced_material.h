/* The energy of a reduced body with its materials as they are now: W = sum over parts of weight x factor x W_part
 * (Barbic 2007, section 2.11), over the kept coordinates only. One table of coefficients is in use; after a change
 * the other one is summed up in slices, so that no tick takes long, and then takes its place. Creation is for the
 * load phase, the rest for any, without allocation. */
#pragma once

#include <stdbool.h>
#include "base/memory/owned.h"
#include "kinds/reduced/coordinate_force.h"
#include "kinds/reduced/reduced.h"

typedef struct tacReducedMaterial tacReducedMaterial;

/* The coordinates kept[0] < kept[1] < ... of the basis; all factors are 1. Refers to `parts`. */
tacStatus tac_reduced_material_create(const tacReducedParts *parts, int kept_count, const int *kept,
                                      tacReducedMaterial **material, tacError *error);
void tac_reduced_material_destroy(tacReducedMaterial *material); /* NULL is allowed */
TAC_OWNED_TYPE(tacReducedMaterial, tac_reduced_material_destroy)

/* By the coefficients that are in use. Refers to `material`. */
tacCoordinateForce tac_reduced_material_force(tacReducedMaterial *material);

/* Factors on lambda and mu of a group; numbers that are not positive are ignored. A change begins the sum anew. */
void tac_reduced_material_set_lambda(tacReducedMaterial *material, int group, double factor);
void tac_reduced_material_set_mu(tacReducedMaterial *material, int group, double factor);

/* Multiply-adds of a slice. */
enum { TAC_REDUCED_MATERIAL_SLICE = 32000 };
/* True: the force changed. */
bool tac_reduced_material_advance(tacReducedMaterial *material); /* one slice, where something is to be done */
bool tac_reduced_material_settle(tacReducedMaterial *material);  /* all that is to be done */
