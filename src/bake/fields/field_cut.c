#include <math.h>
#include <stdlib.h>
#include <tactus/deformed_field.h>
#include <tactus/meshing.h>
#include <tactus/trimesh.h>
#include "asset/distance_field.h"
#include "bake/fields/field_check.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

/* The largest of both distances is negative where both are, but no distance near the edges of the cut: its zero surface
 * is measured again, with voxels of the same size. */
tacStatus tac_distance_field_cut(const tacDistanceField *solid, const tacDistanceField *region,
                                 const tacProgress *progress, tacDistanceField **part, tacError *error) {
  *part = NULL;
  const tacGrid *grid = tac_distance_field_grid(solid);
  if (grid == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "the solid is no grid: sample it first");
  tacGrid cut = *grid;
  size_t count = (size_t)grid->nx * (size_t)grid->ny * (size_t)grid->nz, at = 0;
  tacTriMesh *surface = NULL;
  cut.values = tac_array_create(count, sizeof *cut.values, "a part of a solid", error);
  if (cut.values == NULL) return TAC_ERR_MEMORY;
  bool any = false;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i, ++at) {
        tacVec3 p = tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(i, j, k));
        cut.values[at] = fmaxf(grid->values[at], (float)tac_distance_field_value(region, p));
        any |= cut.values[at] < 0.0f;
      }
  tacStatus status = any ? tac_isosurface_extract(&cut, 0.0, &surface, error)
                         : tac_error_set(error, TAC_ERR_GEOMETRY, "the solid has no part inside the region");
  free(cut.values);
  if (status != TAC_OK) return status;
  tacBakeChecks checks = {0};
  tacFieldDef def = tac_field_def_default();
  def.resolution = (int)ceil(def.expansion * tac_box_longest(tac_trimesh_box(surface)) / grid->spacing);
  if (def.resolution < 8) def.resolution = 8;
  status = tac_field_check_cut(solid, region, surface, &checks, error);
  if (status == TAC_OK) status = tac_distance_field_bake(surface, &def, progress, part, error);
  if (status == TAC_OK) tac_distance_field_add_checks(*part, &checks);
  tac_trimesh_destroy(surface);
  return status;
}
