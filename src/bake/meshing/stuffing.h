/* Isosurface stuffing of an implicit function and of a distance field. Offline. */
#pragma once

#include <tactus/meshing.h>
#include "bake/meshing/stuffing_background.h"

/* Fills the set where `function` is negative (NaN is outside); what of it lies outside `box` is cut off. Angles are bounded
 * for any function. Up to 2 million lattice cubes in the box, all are sampled and nothing larger than `size` is missed;
 * above that, cubes are passed over where |function| says that the surface is more than four times as far as they reach.
 * Boundary vertices lie on the surface; where parts come closer than `size` the boundary may touch itself at edges and
 * vertices. */
tacStatus tac_stuffing_fill_implicit(tacImplicitFn function, void *user, tacBox box, const tacStuffingDef *def,
                                     const tacProgress *progress, tacVolMesh **mesh, tacError *error);

/* Fills the inside of a grid field. */
tacStatus tac_stuffing_fill_field(const tacDistanceField *field, const tacStuffingDef *def, const tacProgress *progress,
                                  tacVolMesh **mesh, tacError *error);
