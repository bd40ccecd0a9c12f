#include "elastic/hyper/hyper_colours.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

struct tacHyperColours {
  tacArrays arrays;
  tacHyperSolid *solid; /* of the tetrahedra at the surface alone */
  int vertex_count, tet_count;
  int (*corner)[4]; /* [tet]: vertices of the surface; -1: inside */
  double *volume;   /* [tet], m^3 at rest */
  double *around;   /* [vertex]: volume of all around it */
  double *values;   /* [tet]: room */
};

static double volume_of(const tacVec3 *x, const int v[4]) {
  tacVec3 a = tac_vec3_sub(x[v[1]], x[v[0]]), b = tac_vec3_sub(x[v[2]], x[v[0]]), c = tac_vec3_sub(x[v[3]], x[v[0]]);
  return tac_vec3_dot(tac_vec3_cross(a, b), c) / 6.0;
}

/* The solid's tetrahedra that have a vertex of the surface; `vertex_of` [node]: which, or -1. */
typedef struct Part {
  tacVolMesh mesh; /* borrows its vertices */
  int *material_of;
  tacMat3 *axes;
  tacHyperMaterial *materials;
} Part;

static bool at_surface(const int *vertex_of, const int v[4]) {
  return vertex_of[v[0]] >= 0 || vertex_of[v[1]] >= 0 || vertex_of[v[2]] >= 0 || vertex_of[v[3]] >= 0;
}

static tacStatus cut(const tacHyperSolidDef *def, const int *vertex_of, tacArrays *arrays, Part *part,
                     tacError *error) {
  const tacVolMesh *mesh = def->mesh;
  size_t count = 0;
  for (int t = 0; t < mesh->tet_count; ++t) count += at_surface(vertex_of, mesh->tets[t].v);
  part->mesh = (tacVolMesh){.vertex_count = mesh->vertex_count, .vertices = mesh->vertices};
  part->mesh.tets = tac_arrays_add(arrays, count, sizeof *part->mesh.tets);
  part->material_of = tac_arrays_add(arrays, count, sizeof *part->material_of);
  part->axes = tac_arrays_add(arrays, count, sizeof *part->axes);
  part->materials = tac_arrays_add(arrays, (size_t)def->material_count, sizeof *part->materials);
  TAC_TRY(tac_arrays_status(arrays, "colours of a solid", error));
  for (int m = 0; m < def->material_count; ++m) {
    part->materials[m] = def->materials[m];
    part->materials[m].prony_count = 0;
  }
  for (int t = 0; t < mesh->tet_count; ++t) {
    if (!at_surface(vertex_of, mesh->tets[t].v)) continue;
    int to = part->mesh.tet_count++;
    part->mesh.tets[to] = mesh->tets[t];
    part->material_of[to] = def->material_of != NULL ? def->material_of[t] : 0;
    if (def->axes != NULL) part->axes[to] = def->axes[t];
  }
  return TAC_OK;
}

static tacStatus weigh(tacHyperColours *colours, const Part *part, const int *vertex_of, tacError *error) {
  size_t tets = (size_t)part->mesh.tet_count;
  colours->tet_count = part->mesh.tet_count;
  colours->corner = tac_arrays_add(&colours->arrays, tets, sizeof *colours->corner);
  colours->volume = tac_arrays_add(&colours->arrays, tets, sizeof *colours->volume);
  colours->values = tac_arrays_add(&colours->arrays, tets, sizeof *colours->values);
  colours->around = tac_arrays_add(&colours->arrays, (size_t)colours->vertex_count, sizeof *colours->around);
  TAC_TRY(tac_arrays_status(&colours->arrays, "colours of a solid", error));
  for (size_t t = 0; t < tets; ++t) {
    const int *v = part->mesh.tets[t].v;
    colours->volume[t] = volume_of(part->mesh.vertices, v);
    for (int k = 0; k < 4; ++k) {
      colours->corner[t][k] = vertex_of[v[k]];
      if (vertex_of[v[k]] >= 0) colours->around[vertex_of[v[k]]] += colours->volume[t];
    }
  }
  return TAC_OK;
}

tacStatus tac_hyper_colours_create(const tacHyperSolidDef *def, int vertex_count, const int *node_of,
                                   tacHyperColours **result, tacError *error) {
  *result = NULL;
  Part part = {0};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  int *vertex_of = tac_arrays_add(&work, (size_t)def->mesh->vertex_count, sizeof *vertex_of);
  TAC_OWN(tacHyperColours, colours) = tac_array_create(1, sizeof *colours, "colours of a solid", error);
  if (colours == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_arrays_status(&work, "colours of a solid", error));
  colours->vertex_count = vertex_count;
  for (int i = 0; i < def->mesh->vertex_count; ++i) vertex_of[i] = -1;
  for (int v = 0; v < vertex_count; ++v) vertex_of[node_of[v]] = v;
  TAC_TRY(cut(def, vertex_of, &work, &part, error));
  TAC_TRY(weigh(colours, &part, vertex_of, error));
  tacHyperSolidDef solid = {.mesh = &part.mesh,
                            .material_count = def->material_count,
                            .materials = part.materials,
                            .material_of = part.material_of,
                            .axes = def->axes != NULL ? part.axes : NULL,
                            .thread_count = 1};
  TAC_TRY(tac_hyper_solid_create(&solid, &colours->solid, error));
  *result = tac_give(&colours);
  return TAC_OK;
}

void tac_hyper_colours_destroy(tacHyperColours *colours) {
  if (colours == NULL) return;
  tac_hyper_solid_destroy(colours->solid);
  tac_arrays_free(&colours->arrays);
  free(colours);
}

/* The means around the vertices. */
static void spread(const tacHyperColours *colours, double *values) {
  memset(values, 0, (size_t)colours->vertex_count * sizeof *values);
  for (int t = 0; t < colours->tet_count; ++t)
    for (int k = 0; k < 4; ++k)
      if (colours->corner[t][k] >= 0) values[colours->corner[t][k]] += colours->volume[t] * colours->values[t];
  for (int v = 0; v < colours->vertex_count; ++v) values[v] /= colours->around[v];
}

void tac_hyper_colours_stress(const tacHyperColours *colours, const double *x, double *values) {
  tac_hyper_solid_colours(colours->solid, x, colours->values, NULL);
  spread(colours, values);
}

void tac_hyper_colours_stretch(const tacHyperColours *colours, const double *x, double *values) {
  tac_hyper_solid_colours(colours->solid, x, NULL, colours->values);
  spread(colours, values);
}
