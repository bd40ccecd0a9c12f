/* How much of a surface belongs to each of many points. Offline. */
#pragma once

#include <tactus/progress.h>
#include "bake/points/surface_samples.h"

/* The area (m^2) that is nearer to each point than to any other on the same side, by counting samples, about 64 a point. The
 * sum is the surface's area. `count` is at least 1; normals are unit. */
tacStatus tac_point_areas(const tacSurfaceSamples *samples, int count, const tacVec3 *positions, const tacVec3 *normals,
                          int thread_count, const tacProgress *progress, double *areas, tacError *error);
