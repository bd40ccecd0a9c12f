/* Reduced bodies from vectors that somebody else has found: the internal side of <tactus/reduced.h>. Offline. */
#pragma once

#include <tactus/reduced.h>

/* The basis is def->size columns `vectors` [column][3 vertices], made mass-orthonormal in their order; of `def` volume, materials,
 * held, surface and mass are read. Without polynomials: whoever uses it has forces of his own. Shapes are the columns, called
 * "label 1" and so on. */
tacStatus tac_reduced_from_vectors(const tacReducedDef *def, const double *vectors, const char *label,
                                   tacReduced **reduced, tacError *error);
