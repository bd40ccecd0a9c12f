/* Samples of distances on any grid: the internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>

/* grid->values become signed distances to a closed mesh, as those of tac_distance_field_bake are. */
tacStatus tac_field_bake_samples(const tacTriMesh *mesh, const tacGrid *grid, double band, int thread_count,
                                 const tacProgress *progress, tacError *error);
