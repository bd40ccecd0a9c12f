#include <tactus/meshing.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/trimesh.h>
#include "bake/meshing/stuffing_background.h"
#include "bake/meshing/stuffing_stencil.h"
#include "bake/meshing/volume_fit.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/query/thickness.h"
#include "mesh/query/triangle_tree.h"

#define MOST_SIZES 2000.0 /* along the longest side of the box */
#define MOST_LEVELS 16
#define MOST_ELEMENTS 20000000 /* of tac_stuffing_fill_to_volume */
#define LEAST_SIZE 1e-3        /* of the longest side, likewise */
#define ELEMENTS_OF_AREA 26.0  /* for each size x size of the surface, at least */
#define SAMPLE_ALL (1 << 21)   /* cubes that are all sampled where the function may be no distance */

tacStuffingDef tac_stuffing_def_default(void) {
  return (tacStuffingDef){.size = 0.0, .levels = 3, .thread_count = 0};
}

static tacStatus fill(tacImplicitFn function, void *user, double slope, tacBox box, const tacStuffingDef *def,
                      const tacProgress *progress, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  double longest = tac_box_longest(box);
  if (!(def->size > 0.0) || !isfinite(def->size))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the size of tetrahedra must be positive, not %g", def->size);
  if (def->levels < 0 || def->levels > MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the levels of grading must be 0 to %d, not %d", MOST_LEVELS,
                         def->levels);
  if (!tac_vec3_finite(box.lower) || !tac_vec3_finite(box.upper) || box.lower.x > box.upper.x ||
      box.lower.y > box.upper.y || box.lower.z > box.upper.z)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the box to fill is empty or not finite");
  if (longest / def->size > MOST_SIZES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the size %g is too small for a box of %g; at least %g is needed",
                         def->size, longest, longest / MOST_SIZES);
  tacStuffingDomain domain = {.function = function,
                              .user = user,
                              .box = box,
                              .slope = slope,
                              .size = def->size,
                              .levels = def->levels,
                              .thread_count = def->thread_count,
                              .progress = progress};
  tacBccLattice lattice;
  tacBackgroundTets background;
  tacStatus status = tac_stuffing_background(&domain, &lattice, &background, error);
  if (status == TAC_OK) status = tac_stuffing_cut(&domain, &lattice, &background, mesh, error);
  tac_bcc_lattice_free(&lattice);
  free(background.tets);
  return status;
}

tacStatus tac_stuffing_fill_implicit(tacImplicitFn function, void *user, tacBox box, const tacStuffingDef *def,
                                     const tacProgress *progress, tacVolMesh **mesh, tacError *error) {
  tacVec3 cubes = tac_vec3_scale(1.0 / def->size, tac_box_size(box));
  double slope = (cubes.x + 1.0) * (cubes.y + 1.0) * (cubes.z + 1.0) <= SAMPLE_ALL ? INFINITY : 4.0;
  return fill(function, user, slope, box, def, progress, mesh, error);
}

static double solid_distance(tacVec3 p, void *user) {
  return tac_triangle_tree_signed_distance(user, p);
}

static tacStatus create_solid(const tacTriMesh *surface, tacTriangleTree **solid, tacError *error) {
  *solid = NULL;
  tacStatus status = tac_trimesh_require_closed(surface, error);
  return status == TAC_OK ? tac_triangle_tree_create(surface, solid, error) : status;
}

tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                            tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  tacTriangleTree *solid;
  tacStatus status = create_solid(surface, &solid, error);
  if (status == TAC_OK) status = fill(solid_distance, solid, 1.0, tac_trimesh_box(surface), def, progress, mesh, error);
  tac_triangle_tree_destroy(solid);
  return status;
}

static double field_value(tacVec3 p, void *user) {
  return tac_distance_field_value(user, p);
}

tacStatus tac_stuffing_fill_field(const tacDistanceField *field, const tacStuffingDef *def, const tacProgress *progress,
                                  tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  const tacGrid *grid = tac_distance_field_grid(field);
  if (grid == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "only a grid field has a box that can be filled");
  tacVec3 size = tac_vec3_scale(grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1));
  /* Each component of a trilinear gradient is a mean of differences of samples, at most 1 for a distance: the interpolant
   * changes by at most sqrt(3) of the way. */
  return fill(field_value, (void *)(uintptr_t)field, 2.0, (tacBox){grid->origin, tac_vec3_add(grid->origin, size)}, def,
              progress, mesh, error);
}

/* Progress that names the size, as each attempt starts again from nothing. */
typedef struct Attempt {
  const tacProgress *progress;
  double size;
  char text[64];
} Attempt;

static bool report_attempt(const char *what, double fraction, void *user) {
  Attempt *attempt = user;
  if (attempt->progress == NULL || attempt->progress->report == NULL) return true;
  snprintf(attempt->text, sizeof attempt->text, "%s, size %.3g", what, attempt->size);
  return attempt->progress->report(attempt->text, fraction, attempt->progress->user);
}

/* Elements three times as large as a body is thick lose most of it, and plates and bars have their volume only from about 1.2
 * times on. Where half of the area is that thin even for the last size that would be tried, there is nothing to try. */
static tacStatus refuse_hopeless(const tacTriMesh *surface, tacError *error) {
  double *thickness = tac_array_create((size_t)surface->triangle_count, sizeof *thickness, "thickness", error);
  if (thickness == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_thickness_measure(surface, thickness, error);
  double half = status == TAC_OK ? tac_thickness_quantile(surface, thickness, 0.5) : 0.0;
  free(thickness);
  double longest = tac_box_longest(tac_trimesh_box(surface));
  double most = 0.5 * MOST_ELEMENTS / ELEMENTS_OF_AREA;
  double finest = fmax(LEAST_SIZE * longest, sqrt(tac_trimesh_area(surface) / most)) / 1.3;
  if (status != TAC_OK || half > finest / 3.0) return status;
  return tac_error_set(
      error, TAC_ERR_GEOMETRY,
      "half of the surface is less than %.3g m thick, and the finest tetrahedra that would be tried are "
      "%.3g m: too thin to fill; leave parts out, or take a size yourself",
      half, finest);
}

tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                      const tacProgress *progress, tacVolMesh **mesh, double *size, tacError *error) {
  *mesh = NULL;
  tacVolumeFit fit = {0};
  tacTriangleTree *solid;
  tacStatus status = create_solid(surface, &solid, error);
  if (status == TAC_OK) status = tac_volume_fit_begin(surface, tolerance, true, &fit, error);
  if (status == TAC_OK) status = refuse_hopeless(surface, error);
  tacBox box = tac_trimesh_box(surface);
  double longest = tac_box_longest(box), elements = 0.0;
  tacStuffingDef attempt = *def;
  /* Between surface and volume: the number of elements grows with 1.3^2 to 1.3^3 from one size to the next. */
  for (attempt.size = 0.1 * longest;
       status == TAC_OK && !fit.done && attempt.size >= LEAST_SIZE * longest && 2.0 * elements < MOST_ELEMENTS;
       attempt.size /= 1.3) {
    Attempt reported = {.progress = progress, .size = attempt.size};
    tacVolMesh *filled = NULL;
    status = fill(solid_distance, solid, 1.0, box, &attempt, &(tacProgress){report_attempt, &reported}, &filled, error);
    if (status == TAC_ERR_GEOMETRY) status = TAC_OK; /* nothing inside yet */
    if (status != TAC_OK || filled == NULL) continue;
    elements = filled->tet_count;
    if (tac_volume_fit_wants(&fit, tac_volmesh_volume(filled), elements))
      status = tac_volume_fit_offer(&fit, filled, attempt.size, error);
    else
      tac_volmesh_destroy(filled);
  }
  if (status == TAC_OK) status = tac_volume_fit_end(&fit, mesh, size, error);
  tac_volume_fit_discard(&fit);
  tac_triangle_tree_destroy(solid);
  return status;
}
