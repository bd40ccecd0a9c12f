#include "collide/interpenetration.h"

#include "collide/deepest_point.h"
#include "collide/part_beyond.h"

double tac_interpenetration_of_point(const tacSolidSurface *solid, tacVec3 p) {
  return tac_solid_surface_holds(solid, p) ? tac_triangle_tree_distance(solid->tree, p, NULL, NULL) : 0.0;
}

/* What points of the cut surface `of` are inside `other`. */
static tacStatus look(const tacSurfaceCut *cut, const tacSolidSurface *other, int of, double least,
                      tacInterpenetration *result, tacError *error) {
  bool deeper;
  double beyond = 0.0;
  tacStatus status = tac_deepest_point_find(cut, other, least, &result->depth, &result->at, &deeper, error);
  if (status == TAC_OK && deeper) result->of = of;
  if (status == TAC_OK && result->crossings > 0) status = tac_part_beyond_height(cut, other, &beyond, error);
  result->through = fmax(result->through, fmax(result->depth, beyond));
  return status;
}

tacStatus tac_interpenetration_of_solids(const tacSolidSurface *a, const tacSolidSurface *b,
                                         tacInterpenetration *result, tacError *error) {
  *result = (tacInterpenetration){0};
  tacVec3 lower = tac_vec3_max(a->box.lower, b->box.lower), upper = tac_vec3_min(a->box.upper, b->box.upper);
  if (lower.x > upper.x || lower.y > upper.y || lower.z > upper.z) return TAC_OK;
  tacSurfaceCut cuts[2];
  tacStatus status = tac_surface_cut_create(a, b, cuts, &result->crossings, error);
  if (status != TAC_OK) return status;
  double least = 1e-4 * fmin(tac_box_longest(a->box), tac_box_longest(b->box));
  status = look(&cuts[0], b, 0, least, result, error);
  if (status == TAC_OK) status = look(&cuts[1], a, 1, least, result, error);
  tac_surface_cut_free(&cuts[0]);
  tac_surface_cut_free(&cuts[1]);
  return status;
}

tacStatus tac_interpenetration_measure(const tacTriMesh *a, const tacTriMesh *b, tacInterpenetration *result,
                                       tacError *error) {
  const tacTriMesh *meshes[2] = {a, b};
  tacTriangleTree *trees[2] = {NULL, NULL};
  tacSolidSurface solids[2];
  *result = (tacInterpenetration){0};
  tacStatus status = TAC_OK;
  for (int i = 0; i < 2 && status == TAC_OK; ++i) {
    status = tac_trimesh_require_closed(meshes[i], error);
    if (status == TAC_OK) status = tac_triangle_tree_create(meshes[i], &trees[i], error);
    solids[i] = (tacSolidSurface){meshes[i], trees[i], tac_trimesh_box(meshes[i])};
  }
  if (status == TAC_OK) status = tac_interpenetration_of_solids(&solids[0], &solids[1], result, error);
  tac_triangle_tree_destroy(trees[0]);
  tac_triangle_tree_destroy(trees[1]);
  return status;
}
