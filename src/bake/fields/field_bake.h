/* Samples of distances on any grid: the internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>

/* Offline: the part of a solid (its field) that lies inside another field, which may be analytic: again a distance field. */
tacStatus tac_distance_field_cut(const tacDistanceField *solid, const tacDistanceField *region,
                                 const tacProgress *progress, tacDistanceField **part, tacError *error);

/* grid->values become signed distances to a closed mesh, as those of tac_distance_field_bake are. */
tacStatus tac_field_bake_samples(const tacTriMesh *mesh, const tacGrid *grid, double band, int thread_count,
                                 const tacProgress *progress, tacError *error);
