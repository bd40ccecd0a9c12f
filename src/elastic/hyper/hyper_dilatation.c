#include "elastic/hyper/hyper_dilatation.h"

#include <string.h>
#include "base/memory/array.h"

static tacVec3 position(const double *x, int vertex) {
  const double *at = x + 3 * (size_t)vertex;
  return tac_vec3(at[0], at[1], at[2]);
}

/* v of a patch, and dv/dx where `by` is not NULL. */
static double measure(const tacHyperDilatation *dilatation, int patch, const double *x, double *by) {
  const tacHyperPatches *patches = &dilatation->patches;
  const int *vertex = patches->vertex + patches->vertex_start[patch];
  int count = patches->vertex_start[patch + 1] - patches->vertex_start[patch];
  if (by != NULL) memset(by, 0, 3 * (size_t)count * sizeof *by);
  double volume = 0.0;
  for (int e = patches->start[patch]; e < patches->start[patch + 1]; ++e) {
    const int *corner = dilatation->corner[e];
    tacVec3 origin = position(x, vertex[corner[0]]), a = tac_vec3_sub(position(x, vertex[corner[1]]), origin),
            b = tac_vec3_sub(position(x, vertex[corner[2]]), origin),
            c = tac_vec3_sub(position(x, vertex[corner[3]]), origin);
    tacVec3 area[4] = {{0}, tac_vec3_cross(b, c), tac_vec3_cross(c, a), tac_vec3_cross(a, b)};
    volume += tac_vec3_dot(a, area[1]) / 6.0;
    if (by == NULL) continue;
    area[0] = tac_vec3_scale(-1.0, tac_vec3_add(tac_vec3_add(area[1], area[2]), area[3]));
    for (int k = 0; k < 4; ++k) {
      double *at = by + 3 * corner[k];
      at[0] += area[k].x / 6.0;
      at[1] += area[k].y / 6.0;
      at[2] += area[k].z / 6.0;
    }
  }
  return volume;
}

void tac_hyper_dilatation_measure(const tacHyperDilatation *dilatation, const tacDilatationGroup *group,
                                  const double *x, bool with_derivatives, double j[TAC_HYPER_LANES]) {
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    int patch = group->first + l;
    j[l] = 1.0;
    if (l >= group->count) continue;
    double *by = with_derivatives ? dilatation->by + 3 * (size_t)dilatation->patches.vertex_start[patch] : NULL;
    j[l] = measure(dilatation, patch, x, by) / dilatation->volume[patch];
  }
}

void tac_hyper_dilatation_add(const tacHyperDilatation *dilatation, int patch, double scale, const tacSparse *pattern,
                              const int *owner, int member, double *value) {
  const tacHyperPatches *patches = &dilatation->patches;
  int first = patches->vertex_start[patch], count = patches->vertex_start[patch + 1] - first;
  const int *vertex = patches->vertex + first, *place = dilatation->places + dilatation->place_from[patch];
  const double *by = dilatation->by + 3 * (size_t)first;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b <= a; ++b, ++place) {
      if (owner != NULL && owner[vertex[b]] != member) continue;
      const int *start = pattern->column_start + 3 * (size_t)vertex[b];
      double *at = value + *place;
      /* Each of the three columns has one row less than the one before; on the diagonal the block begins one row
       * later too. */
      for (int j = 0, n = start[1] - start[0]; j < 3; ++j, at += n - j + (a == b ? 1 : 0)) {
        double factor = scale * by[3 * b + j];
        for (int i = a == b ? j : 0, k = 0; i < 3; ++i, ++k) at[k] += factor * by[3 * a + i];
      }
    }
}

/* ---- making it ---- */

static int find(const int *vertices, int vertex) {
  int n = 0;
  while (vertices[n] != vertex) ++n;
  return n;
}

static void fill(tacHyperDilatation *made, const tacVolMesh *mesh, const int *material_of) {
  const tacHyperPatches *patches = &made->patches;
  for (int p = 0; p < patches->count; ++p) {
    const int *vertices = patches->vertex + patches->vertex_start[p];
    for (int e = patches->start[p]; e < patches->start[p + 1]; ++e)
      for (int c = 0; c < 4; ++c) made->corner[e][c] = find(vertices, mesh->tets[patches->element[e]].v[c]);
    made->volume[p] = measure(made, p, &mesh->vertices->x, NULL); /* three doubles a vertex */
    int material = material_of != NULL ? material_of[patches->element[patches->start[p]]] : 0;
    tacDilatationGroup *last = made->group_count > 0 ? &made->groups[made->group_count - 1] : NULL;
    if (last != NULL && last->material == material && last->count < TAC_HYPER_LANES)
      ++last->count;
    else
      made->groups[made->group_count++] = (tacDilatationGroup){material, p, 1};
    size_t n = (size_t)(patches->vertex_start[p + 1] - patches->vertex_start[p]);
    made->place_from[p + 1] = made->place_from[p] + n * (n + 1) / 2;
  }
}

tacStatus tac_hyper_dilatation_create(const tacVolMesh *mesh, const int *material_of, tacHyperDilatation *dilatation,
                                      tacError *error) {
  *dilatation = (tacHyperDilatation){0};
  TAC_TRY(tac_hyper_patches_create(mesh, material_of, &dilatation->patches, error));
  tacArrays *arrays = &dilatation->arrays;
  size_t count = (size_t)dilatation->patches.count;
  dilatation->groups = tac_arrays_add(arrays, count, sizeof *dilatation->groups);
  dilatation->corner = tac_arrays_add(arrays, (size_t)mesh->tet_count, sizeof *dilatation->corner);
  dilatation->volume = tac_arrays_add(arrays, count, sizeof *dilatation->volume);
  dilatation->uj = tac_arrays_add(arrays, count, sizeof *dilatation->uj);
  dilatation->ujj = tac_arrays_add(arrays, count, sizeof *dilatation->ujj);
  dilatation->by = tac_arrays_add(arrays, 3 * (size_t)dilatation->patches.vertex_start[count], sizeof *dilatation->by);
  dilatation->place_from = tac_arrays_add(arrays, count + 1, sizeof *dilatation->place_from);
  TAC_TRY(tac_arrays_status(arrays, "patches", error));
  fill(dilatation, mesh, material_of);
  return TAC_OK;
}

tacStatus tac_hyper_dilatation_place(tacHyperDilatation *dilatation, const tacSparse *pattern, tacError *error) {
  const tacHyperPatches *patches = &dilatation->patches;
  dilatation->places =
      tac_arrays_add(&dilatation->arrays, dilatation->place_from[patches->count], sizeof *dilatation->places);
  TAC_TRY(tac_arrays_status(&dilatation->arrays, "places of patches", error));
  size_t k = 0;
  for (int p = 0; p < patches->count; ++p)
    for (int a = patches->vertex_start[p]; a < patches->vertex_start[p + 1]; ++a)
      for (int b = patches->vertex_start[p]; b <= a; ++b)
        dilatation->places[k++] = tac_sparse_find(pattern, 3 * patches->vertex[a], 3 * patches->vertex[b]);
  return TAC_OK;
}

void tac_hyper_dilatation_destroy(tacHyperDilatation *dilatation) {
  tac_hyper_patches_destroy(&dilatation->patches);
  tac_arrays_free(&dilatation->arrays);
  *dilatation = (tacHyperDilatation){0};
}
