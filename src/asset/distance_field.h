/* What a distance field is made of: the internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>

/* What its bake was compared with. */
void tac_distance_field_set_checks(tacDistanceField *field, const tacBakeChecks *checks);
/* Adds others. */
void tac_distance_field_add_checks(tacDistanceField *field, const tacBakeChecks *more);

/* Tick. Gradients at many points, with the bits of tac_distance_field_gradient. */
void tac_distance_field_gradients(const tacDistanceField *field, int count, const tacVec3 *points, tacVec3 *gradients);

/* Parts of a union; none of other fields. */
int tac_distance_field_part_count(const tacDistanceField *field);
const tacDistanceField *tac_distance_field_part(const tacDistanceField *field, int part);
