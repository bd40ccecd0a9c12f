#include "mesh/outer_parts.h"

#include <stdlib.h>

#include "base/array.h"
#include "math/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/scan_winding.h"
#include "mesh/triangle_tree.h"

tacStatus tac_trimesh_components(const tacTriMesh *mesh, int *labels, int *count, tacError *error) {
  *count = 0;
  int *sets = tac_disjoint_sets_create(mesh->vertex_count, error);
  int *label_of = tac_array_create((size_t)mesh->vertex_count, sizeof *label_of, "components", error);
  if (sets == NULL || label_of == NULL) {
    free(sets);
    free(label_of);
    return TAC_ERR_MEMORY;
  }
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 1; i < 3; ++i) tac_disjoint_sets_join(sets, mesh->triangles[t].v[0], mesh->triangles[t].v[i]);
  for (int v = 0; v < mesh->vertex_count; ++v) label_of[v] = -1;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    int root = tac_disjoint_sets_find(sets, mesh->triangles[t].v[0]);
    if (label_of[root] < 0) label_of[root] = (*count)++;
    labels[t] = label_of[root];
  }
  free(sets);
  free(label_of);
  return TAC_OK;
}

typedef struct {
  double volume;
  tacVec3 place; /* a corner of it */
  bool kept;
} Part;

static void measure_parts(const tacTriMesh *mesh, const int *labels, Part *parts) {
  if (mesh->triangle_count == 0) return;
  /* Volumes about a point of the mesh: about a far origin they would cancel. */
  tacVec3 apex = mesh->vertices[mesh->triangles[0].v[0]];
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    Part *part = &parts[labels[t]];
    part->place = mesh->vertices[v[0]];
    part->volume += tac_vec3_triple(apex, mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]) / 6.0;
  }
}

static tacStatus copy_kept(const tacTriMesh *mesh, const int *labels, const Part *parts, tacTriMesh **outer,
                           tacError *error) {
  int *renumbered = tac_array_create((size_t)mesh->vertex_count, sizeof *renumbered, "outer parts", error);
  if (renumbered == NULL) return TAC_ERR_MEMORY;
  int vertices = 0, triangles = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (labels[t] < 0 || !parts[labels[t]].kept) continue;
    ++triangles;
    for (int i = 0; i < 3; ++i) {
      int *number = &renumbered[mesh->triangles[t].v[i]];
      if (*number == 0) *number = ++vertices; /* from 1: 0 is unused */
    }
  }
  tacStatus status = tac_trimesh_create(vertices, triangles, outer, error);
  if (status == TAC_OK) {
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (renumbered[v] > 0) (*outer)->vertices[renumbered[v] - 1] = mesh->vertices[v];
    triangles = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
      if (labels[t] < 0 || !parts[labels[t]].kept) continue;
      for (int i = 0; i < 3; ++i) (*outer)->triangles[triangles].v[i] = renumbered[mesh->triangles[t].v[i]] - 1;
      ++triangles;
    }
  }
  free(renumbered);
  return status;
}

/* Components and their measures; the caller frees both, also on failure. */
static tacStatus find_parts(const tacTriMesh *mesh, int **labels, Part **parts, int *count, tacError *error) {
  *parts = NULL;
  *count = 0;
  *labels = tac_array_create((size_t)mesh->triangle_count, sizeof **labels, "parts", error);
  tacStatus status = *labels == NULL ? TAC_ERR_MEMORY : tac_trimesh_components(mesh, *labels, count, error);
  if (status != TAC_OK) return status;
  *parts = tac_array_create((size_t)*count, sizeof **parts, "parts", error);
  if (*parts == NULL) return TAC_ERR_MEMORY;
  measure_parts(mesh, *labels, *parts);
  return TAC_OK;
}

tacStatus tac_outward_parts(const tacTriMesh *mesh, int *count, tacError *error) {
  int *labels, part_count;
  Part *parts;
  tacStatus status = find_parts(mesh, &labels, &parts, &part_count, error);
  *count = 0;
  for (int i = 0; i < part_count && status == TAC_OK; ++i) *count += parts[i].volume > 0.0;
  free(parts);
  free(labels);
  return status;
}

tacStatus tac_outer_parts(const tacTriMesh *mesh, tacTriMesh **outer, tacError *error) {
  *outer = NULL;
  int *labels, count;
  Part *parts;
  tacTriangleTree *tree = NULL;
  tacStatus status = find_parts(mesh, &labels, &parts, &count, error);
  if (status == TAC_OK) status = tac_triangle_tree_create(mesh, &tree, error);
  if (status == TAC_OK) {
    /* Parts that face inward hold nothing and are not kept: they have no label from here on. */
    for (int t = 0; t < mesh->triangle_count; ++t)
      if (parts[labels[t]].volume <= 0.0) labels[t] = -1;
    for (int i = 0; i < count; ++i)
      parts[i].kept = tac_scan_winding_of_others(mesh, tac_triangle_tree_boxes(tree), labels, i, parts[i].place) == 0;
    status = copy_kept(mesh, labels, parts, outer, error);
  }
  tac_triangle_tree_destroy(tree);
  free(parts);
  free(labels);
  return status;
}
