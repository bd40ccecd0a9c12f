#include "app/viewer/field/field_moment.h"

#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "world/world.h"
#include "world/world_view.h"

static const double margin = 0.25; /* around surfaces, over the longest side */

static tacBox widen(tacBox box) {
  double more = margin * tac_box_longest(box);
  tacVec3 by = tac_vec3(more, more, more);
  return (tacBox){tac_vec3_sub(box.lower, by), tac_vec3_add(box.upper, by)};
}

static tacBox grid_box(const tacGrid *g) {
  tacVec3 far = tac_vec3(g->nx - 1, g->ny - 1, g->nz - 1);
  return (tacBox){g->origin, tac_vec3_mad(g->origin, g->spacing, far)};
}

/* Where the surface of a body with coordinates is, in its frame. */
static tacBox surface_box(const tacShownBasis *basis, const double *q) {
  const tacTriMesh *mesh = basis->surface;
  const double *u = basis->displacements;
  int r = basis->size;
  tacBox box = tac_box_empty();
  for (int v = 0; v < mesh->vertex_count; ++v, u += 3 * r) {
    double d[3] = {0.0, 0.0, 0.0};
    for (int axis = 0; q != NULL && axis < 3; ++axis)
      for (int j = 0; j < r; ++j) d[axis] += u[axis * r + j] * q[j];
    box = tac_box_add(box, tac_vec3_add(mesh->vertices[v], tac_vec3(d[0], d[1], d[2])));
  }
  return box;
}

bool tac_field_moment_extent(const tacWorld *world, int body, tacBox *box, double *voxel) {
  tacBodyId id = tac_world_body(world, body);
  const tacDistanceField *field = tac_world_body_field(world, id);
  const tacDeformedField *deformed = tac_world_body_deformed_field(world, id);
  if (field == NULL && deformed == NULL) return false;
  const tacGrid *grid = field != NULL ? tac_distance_field_grid(field) : NULL;
  *voxel = grid != NULL ? grid->spacing : 0.0;
  *box = grid != NULL ? grid_box(grid) : widen(tac_trimesh_box(tac_world_body_surface(world, id)));
  if (field != NULL) return true;
  for (int d = 0; d < tac_deformed_field_domain_count(deformed); ++d) {
    const tacGrid *part = tac_distance_field_grid(tac_deformed_field_domain(deformed, d));
    if (part != NULL && (*voxel == 0.0 || part->spacing < *voxel)) *voxel = part->spacing;
  }
  return true;
}

tacStatus tac_field_moment_create(const tacWorld *world, int body, const double *q, tacFieldMoment *moment,
                                  tacError *error) {
  tacBodyId id = tac_world_body(world, body);
  const tacDeformedField *deformed = tac_world_body_deformed_field(world, id);
  *moment = (tacFieldMoment){.field = tac_world_body_field(world, id)};
  if (!tac_field_moment_extent(world, body, &moment->box, &moment->voxel))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the body has no distance field");
  if (moment->field != NULL) return TAC_OK;
  TAC_MEMORY(double, rest) = NULL;
  if (q == NULL) TAC_TRY(TAC_ARRAY(rest, (size_t)tac_deformed_field_coordinates(deformed), "coordinates", error));
  TAC_TRY(tac_deformed_pose_create_loaded(deformed, tac_world_body_load_field(world, id), &moment->pose, error));
  tac_deformed_pose_set(moment->pose, q != NULL ? q : rest);
  tacShownBasis basis;
  if (tac_world_body_basis(world, id, &basis)) moment->box = tac_box_join(moment->box, widen(surface_box(&basis, q)));
  return TAC_OK;
}

void tac_field_moment_destroy(tacFieldMoment *moment) {
  tac_deformed_pose_destroy(moment->pose);
  *moment = (tacFieldMoment){0};
}

double tac_field_moment_value(const tacFieldMoment *moment, tacVec3 p) {
  return moment->pose != NULL ? tac_deformed_pose_value(moment->pose, p) : tac_distance_field_value(moment->field, p);
}
