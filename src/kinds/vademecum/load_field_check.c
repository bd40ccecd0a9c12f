#include "kinds/vademecum/load_field_check.h"

#include <math.h>
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "bake/fields/field_check.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/trimesh.h"

TAC_OWNED_TYPE(tacLoadSlice, tac_load_slice_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

/* TRIANGLES: maximum number of computed distances from a sample to a triangle. */
enum { MOST_LOADS = 24, PLACES = 12, TRIES = 200, TRIANGLES = 2000000 };
#define EXCESS 4.5 /* error limit of samples farther from the surface than the band, voxels */

static void deform(const tacReduced *shape, const double *q, tacTriMesh *mesh) {
  const int n = tac_reduced_size(shape);
  const double *u = tac_reduced_displacements(shape);
  for (int v = 0; v < mesh->vertex_count; ++v)
    for (int axis = 0; axis < 3; ++axis, u += n) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += u[j] * q[j];
      double *to = axis == 0 ? &mesh->vertices[v].x : axis == 1 ? &mesh->vertices[v].y : &mesh->vertices[v].z;
      const tacVec3 rest = tac_reduced_surface(shape)->vertices[v];
      *to = (axis == 0 ? rest.x : axis == 1 ? rest.y : rest.z) + sum;
    }
}

/* Returns a random node of the grid. Prefers nodes at a distance of at most `near` from the surface: tries TRIES times. */
static tacVec3 choose_place(const tacLoadFieldInfo *info, const tacLoadSlice *slice, double near, tacRandom *random) {
  tacVec3 p = info->origin;
  for (int tries = 0; tries < TRIES; ++tries) {
    int n[3];
    for (int axis = 0; axis < 3; ++axis) n[axis] = tac_field_check_choose(random, info->nodes[axis]);
    p = tac_vec3_mad(info->origin, info->spacing, tac_vec3(n[0], n[1], n[2]));
    if (!(fabs(tac_load_slice_value(slice, p)) > near)) break;
  }
  return p;
}

tacStatus tac_load_field_check(const tacLoadField *field, const tacReduced *shape, double band, tacBakeChecks *checks,
                               tacError *error) {
  const tacLoadFieldInfo *info = tac_load_field_info(field);
  const tacLoadFieldParts *parts = tac_load_field_parts(field);
  const double voxel = info->spacing;
  tacRandom random = tac_random_seed(14);
  tacWorst worst = {0};
  TAC_OWN(tacTriMesh, mesh) = NULL;
  TAC_OWN(tacLoadSlice, slice) = NULL;
  TAC_TRY(tac_trimesh_copy(tac_reduced_surface(shape), &mesh, error));
  TAC_TRY(tac_load_slice_create(field, &slice, error));
  int loads = TRIANGLES / (PLACES * mesh->triangle_count + 1);
  loads = loads < 2 ? 2 : loads > MOST_LOADS ? MOST_LOADS : loads;
  for (int i = 0; i < loads; ++i) {
    const int column = tac_field_check_choose(&random, tac_load_field_column_count(field));
    deform(shape, parts->states + (size_t)column * (size_t)parts->size, mesh);
    tac_load_slice_set_column(slice, column);
    for (int place = 0; place < PLACES; ++place) {
      tacVec3 p = choose_place(info, slice, place % 3 != 0 ? band * voxel : INFINITY, &random);
      double distance = tac_field_check_distance(mesh, p), value = tac_load_slice_value(slice, p);
      /* A wrong sign counts as a value that is far too small. On the surface, the sign does not matter. */
      double over = (tac_field_check_inside(mesh, p) && distance > info->tolerance ? -value : value) - distance;
      if (distance <= info->tolerance) over = fabs(value) - distance;
      double exact = distance <= band * voxel ? info->tolerance : 3.0 * info->tolerance + EXCESS * voxel;
      double below = distance <= band * voxel ? info->tolerance : 3.0 * info->tolerance;
      double off = over < 0.0 ? fmax(-over - below, 0.0) : fmax(over - exact, 0.0);
      tac_worst_add(&worst, (isfinite(value) ? off : INFINITY) / voxel, column);
    }
  }
  return tac_bake_checks_add(checks, "samples with all triangles, beyond the tolerance (voxels)", &worst, 1e-2, "load",
                             error);
}
