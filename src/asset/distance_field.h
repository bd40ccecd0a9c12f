/* What a distance field is made of: the internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>
#include "base/files/chunk_transfer.h"

/* Trilinear inside the grid's box. Outside it, the conservative bound d_box + d_boundary of inequality 3.14 (Barbic 2007):
 * never more than the true distance. A non-finite point gives +infinity. */
double tac_distance_field_value(const tacDistanceField *field, tacVec3 p);

/* A lower bound of the distance on the surface of the grid's box, d_boundary of 3.14: the smallest sample there less half
 * the diagonal of a voxel's face, the most that the distance can fall between samples; 0 for an analytic field. */
double tac_distance_field_boundary(const tacDistanceField *field);

/* What its bake was compared with. */
void tac_distance_field_set_checks(tacDistanceField *field, const tacBakeChecks *checks);
/* Adds others. */
void tac_distance_field_add_checks(tacDistanceField *field, const tacBakeChecks *more);

/* Tick. Gradients at many points, with the bits of tac_distance_field_gradient. */
void tac_distance_field_gradients(const tacDistanceField *field, int count, const tacVec3 *points, tacVec3 *gradients);

/* Parts of a union; none of other fields. */
int tac_distance_field_part_count(const tacDistanceField *field);
const tacDistanceField *tac_distance_field_part(const tacDistanceField *field, int part);

/* A grid field in chunks of these names: counts of nodes, origin and spacing, samples. */
typedef struct tacGridNames {
  const char *nodes, *place, *values;
} tacGridNames;
void tac_distance_field_put(tacChunkTransfer *to, const tacDistanceField *field, const tacGridNames *as);
tacDistanceField *tac_distance_field_take(tacChunkTransfer *from, const tacGridNames *as); /* NULL: `from` has failed */
