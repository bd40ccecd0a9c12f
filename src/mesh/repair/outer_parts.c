#include "mesh/repair/outer_parts.h"

#include <stdlib.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/self_intersection.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/triangle_key.h"

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
  TAC_TRY(*labels == NULL ? TAC_ERR_MEMORY : tac_trimesh_components(mesh, *labels, count, error));
  TAC_TRY(TAC_ARRAY(*parts, (size_t)*count, "parts", error));
  measure_parts(mesh, *labels, *parts);
  return TAC_OK;
}

/* Joins part i with one that faces outward and contains its place, if the solid is all around it; winding[part] is scratch. */
static void join_container(const tacTriMesh *mesh, const int *labels, const Part *parts, int count, int i, int *winding,
                           int *sets) {
  tacVec3 p = parts[i].place;
  int all = 0;
  for (int part = 0; part < count; ++part) winding[part] = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    double x;
    if (labels[t] == i) continue;
    int sign = tac_scan_crossing(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p.y, p.z, &x);
    if (sign == 0 || x <= p.x) continue;
    winding[labels[t]] -= sign;
    all -= sign;
  }
  for (int part = 0; part < count && all != 0; ++part)
    if (winding[part] != 0 && parts[part].volume > 0.0) tac_disjoint_sets_join(sets, i, part);
}

static tacStatus join_parts(const tacTriMesh *mesh, const int *labels, const Part *parts, int count, int *sets,
                            tacError *error) {
  unsigned char *flat = tac_array_create((size_t)mesh->triangle_count, 1, "triangles", error);
  int *winding = tac_array_create((size_t)count, sizeof *winding, "parts", error);
  tacStatus status = TAC_ERR_MEMORY;
  if (flat != NULL && winding != NULL) {
    for (int t = 0; t < mesh->triangle_count; ++t) flat[t] = tac_triangle_is_degenerate(mesh, t);
    status = tac_self_intersection_join(mesh, flat, labels, sets, error);
    for (int i = 0; i < count && status == TAC_OK; ++i)
      if (parts[i].volume > 0.0) join_container(mesh, labels, parts, count, i, winding, sets);
  }
  free(flat);
  free(winding);
  return status;
}

tacStatus tac_solid_parts(const tacTriMesh *mesh, int *count, tacError *error) {
  *count = 0;
  int *labels, *sets = NULL, part_count;
  Part *parts;
  tacStatus status = find_parts(mesh, &labels, &parts, &part_count, error);
  if (status == TAC_OK && (sets = tac_disjoint_sets_create(part_count, error)) == NULL) status = TAC_ERR_MEMORY;
  if (status == TAC_OK && part_count > 1) status = join_parts(mesh, labels, parts, part_count, sets, error);
  /* A set that has a part that faces outward is a solid; the wall of a cavity alone is none. */
  for (int i = 0; i < part_count && status == TAC_OK; ++i) {
    Part *set = &parts[tac_disjoint_sets_find(sets, i)];
    *count += parts[i].volume > 0.0 && !set->kept;
    set->kept |= parts[i].volume > 0.0;
  }
  free(sets);
  free(parts);
  free(labels);
  return status;
}

tacStatus tac_inside_out_parts(const tacTriMesh *mesh, int *count, tacError *error) {
  *count = 0;
  int *labels, part_count;
  Part *parts;
  tacTriangleTree *tree = NULL;
  tacStatus status = find_parts(mesh, &labels, &parts, &part_count, error);
  if (status == TAC_OK && mesh->triangle_count > 0) status = tac_triangle_tree_create(mesh, &tree, error);
  for (int t = 0; t < mesh->triangle_count && status == TAC_OK; ++t) {
    Part *part = &parts[labels[t]];
    if (part->volume >= 0.0 || part->kept) continue;
    tacVec3 p = mesh->vertices[mesh->triangles[t].v[0]];
    if (tac_scan_winding_of_others(mesh, tac_triangle_tree_boxes(tree), labels, labels[t], p) != 0) continue;
    part->kept = true; /* it has been counted */
    ++*count;
  }
  tac_triangle_tree_destroy(tree);
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
