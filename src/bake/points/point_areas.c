#include "bake/points/point_areas.h"

#include <stdatomic.h>
#include <stdlib.h>
#include "bake/points/particle_repulsion.h"
#include "bake/points/point_cells.h"
#include "base/memory/array.h"
#include "base/threads/parallel.h"

enum { SAMPLES_A_POINT = 64, FEWEST_SAMPLES = 1 << 16 };

typedef struct Count {
  const tacSurfaceSamples *samples;
  size_t sample_count;
  tacPointCells cells;
  atomic_int *hits; /* [point]: whole numbers, so that the order in which threads add them does not matter */
} Count;

static void count_samples(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Count *count = context;
  for (size_t i = begin; i < end; ++i) {
    tacVec3 n, p = tac_surface_samples_at(count->samples, i, count->sample_count, &n);
    const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    double distance;
    int nearest = tac_point_cells_nearest(&count->cells, p, normal, -1, &distance);
    atomic_fetch_add_explicit(&count->hits[nearest], 1, memory_order_relaxed);
  }
}

tacStatus tac_point_areas(const tacSurfaceSamples *samples, int count, const tacVec3 *positions, const tacVec3 *normals,
                          int thread_count, const tacProgress *progress, double *areas, tacError *error) {
  Count c = {.samples = samples, .sample_count = SAMPLES_A_POINT * (size_t)count};
  if (c.sample_count < FEWEST_SAMPLES) c.sample_count = FEWEST_SAMPLES;
  tacStatus status = tac_point_cells_create(count, &c.cells, error);
  if (status != TAC_OK) return status;
  c.hits = tac_array_create((size_t)count, sizeof *c.hits, "areas of points", error);
  if (c.hits != NULL) {
    tac_point_cells_fill(&c.cells, tac_particles_even_spacing(samples->area, count), count, positions, normals);
    status =
        tac_parallel_for(thread_count, c.sample_count, 4096, count_samples, &c, progress, "areas of points", error);
  } else {
    status = TAC_ERR_MEMORY;
  }
  for (int i = 0; i < count && status == TAC_OK; ++i)
    areas[i] = samples->area * (double)atomic_load(&c.hits[i]) / (double)c.sample_count;
  free(c.hits);
  tac_point_cells_free(&c.cells);
  return status;
}
