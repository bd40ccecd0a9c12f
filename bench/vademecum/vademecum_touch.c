#include "bench/vademecum/vademecum_touch.h"

#include <math.h>
#include <stdlib.h>
#include <tactus/reduced.h>
#include "asset/load_field.h"
#include "asset/load_slice.h"
#include "base/clock.h"
#include "base/memory/array.h"
#include "kinds/vademecum/load_field_bake.h"
#include "kinds/vademecum/vademecum.h"
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_tree.h"

struct tacVademecumTouch {
  const tacVademecum *vademecum;
  tacLoadField *field;
  tacLoadSlice *slice;
  double *values; /* [capacity] */
  int capacity;
};

enum { MOST_POINTS = 8192 };

void tac_vademecum_touch_destroy(tacVademecumTouch *touch) {
  if (touch == NULL) return;
  tac_load_slice_destroy(touch->slice);
  tac_load_field_destroy(touch->field);
  free(touch->values);
  free(touch);
}

const tacLoadFieldInfo *tac_vademecum_touch_info(const tacVademecumTouch *touch) {
  return tac_load_field_info(touch->field);
}

/* The states of loads above some height, of all sizes: q [load][level][n]. Returns how many loads. */
static int list_states(const tacVademecum *vademecum, double above, int level_count, const double *levels,
                       int *vertices, double *states) {
  int n = tac_vademecum_mode_count(vademecum), count = 0;
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  tacVec3 most = tac_vec3_scale(tac_vademecum_load_most(vademecum), tac_vademecum_load_direction(vademecum));
  for (int s = 0; s < tac_vademecum_load_count(vademecum); ++s) {
    int vertex = tac_vademecum_load_vertex(vademecum, s);
    if (surface->vertices[vertex].z <= above) continue;
    vertices[count++] = vertex;
    for (int l = 0; l < level_count; ++l, states += n)
      tac_vademecum_coordinates(vademecum, s, tac_vec3_scale(levels[l], most), states);
  }
  return count;
}

static tacStatus bake_field(tacVademecumTouch *touch, int resolution, double above, int level_count,
                            const double *levels, tacError *error) {
  size_t loads = (size_t)tac_vademecum_load_count(touch->vademecum),
         n = (size_t)tac_vademecum_mode_count(touch->vademecum);
  int *vertices = tac_array_create(loads, sizeof *vertices, "loads", error);
  double *states = tac_array_create(loads * (size_t)level_count * n, sizeof *states, "states", error);
  tacStatus status = vertices != NULL && states != NULL ? TAC_OK : TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    tacLoadFieldDef def = tac_load_field_def_default();
    def.shape = tac_vademecum_shape(touch->vademecum);
    def.node_count = list_states(touch->vademecum, above, level_count, levels, vertices, states);
    def.vertices = vertices;
    def.level_count = level_count;
    def.levels = levels;
    def.states = states;
    def.resolution = resolution;
    status = tac_load_field_bake(&def, NULL, &touch->field, error);
  }
  free(vertices);
  free(states);
  return status;
}

tacStatus tac_vademecum_touch_create(const tacVademecum *vademecum, int resolution, double above, int level_count,
                                     const double *levels, tacVademecumTouch **result, tacError *error) {
  tacVademecumTouch *touch = *result = tac_array_create(1, sizeof *touch, "a contact", error);
  if (touch == NULL) return TAC_ERR_MEMORY;
  touch->vademecum = vademecum;
  touch->capacity = MOST_POINTS;
  touch->values = tac_array_create(MOST_POINTS, sizeof *touch->values, "a contact", error);
  tacStatus status =
      touch->values != NULL ? bake_field(touch, resolution, above, level_count, levels, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) status = tac_load_slice_create(touch->field, &touch->slice, error);
  if (status != TAC_OK) {
    tac_vademecum_touch_destroy(touch);
    *result = NULL;
  }
  return status;
}

tacTouchAnswer tac_vademecum_touch_ask(tacVademecumTouch *touch, int triangle, const double weight[3], double size,
                                       int count, const tacVec3 *x, double stiffness) {
  tacTouchAnswer answer = {0};
  tacLoadPart parts[3];
  int part_count = 0;
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(touch->vademecum));
  for (int c = 0; c < 3; ++c) {
    int node = tac_load_field_node_of(touch->field, surface->triangles[triangle].v[c]);
    if (node >= 0 && weight[c] > 0.0) parts[part_count++] = (tacLoadPart){node, size, weight[c]};
  }
  tac_load_slice_set(touch->slice, part_count, parts);
  count = count < touch->capacity ? count : touch->capacity;
  tac_load_slice_values(touch->slice, count, x, touch->values);
  for (int i = 0; i < count; ++i) {
    if (touch->values[i] >= 0.0) continue;
    tacVec3 out;
    double d = tac_load_slice_gradient(touch->slice, x[i], &out);
    tacVec3 force = tac_vec3_scale(-stiffness * d, tac_vec3_unit(out));
    answer.force = tac_vec3_add(answer.force, force);
    answer.torque = tac_vec3_add(answer.torque, tac_vec3_cross(x[i], force));
    answer.deepest = fmax(answer.deepest, -d);
    ++answer.contacts;
  }
  return answer;
}

tacStatus tac_vademecum_touch_exactly(const tacVademecumTouch *touch, const double *q, int count, const tacVec3 *x,
                                      tacTouchAnswer *answer, double *seconds, tacError *error) {
  const tacReduced *shape = tac_vademecum_shape(touch->vademecum);
  const tacTriMesh *rest = tac_reduced_surface(shape);
  tacVec3 *vertices = tac_array_create((size_t)rest->vertex_count, sizeof *vertices, "a surface", error);
  if (vertices == NULL) return TAC_ERR_MEMORY;
  *answer = (tacTouchAnswer){0};
  int64_t start = tac_clock_thread();
  for (int v = 0; v < rest->vertex_count; ++v)
    vertices[v] = tac_vec3_add(rest->vertices[v], tac_vademecum_displacement(touch->vademecum, v, q));
  tacTriMesh deformed = *rest;
  deformed.vertices = vertices;
  tacTriangleTree *tree = NULL;
  tacStatus status = tac_triangle_tree_create(&deformed, &tree, error);
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    if (fabs(tac_triangle_tree_winding(tree, x[i])) < 0.5) continue;
    int triangle;
    tacVec3 closest;
    answer->deepest = fmax(answer->deepest, tac_triangle_tree_distance(tree, x[i], &triangle, &closest));
    ++answer->contacts;
  }
  *seconds = tac_clock_seconds(tac_clock_thread() - start);
  tac_triangle_tree_destroy(tree);
  free(vertices);
  return status;
}
