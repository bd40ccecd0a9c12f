#include "mesh/repair/outer_parts.h"

#include "base/error.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/self_intersection.h"
#include "mesh/triangle_key.h"

TAC_OWNED_TYPE(tacBoxTree, tac_box_tree_destroy)

typedef struct {
  double volume;
  tacVec3 place; /* a corner of it */
  bool kept;
} Part;

/* The components of a mesh: triangles that share vertices. */
typedef struct Parts {
  tacArrays arrays;
  int count;
  int *labels; /* of each triangle: its component, from 0 in the order of their first triangles */
  Part *parts;
} Parts;

static void free_parts(Parts *parts) {
  tac_arrays_free(&parts->arrays);
}

static void measure_parts(const tacTriMesh *mesh, const Parts *parts) {
  if (mesh->triangle_count == 0) return;
  /* Volumes about a point of the mesh: about a far origin they would cancel. */
  tacVec3 apex = mesh->vertices[mesh->triangles[0].v[0]];
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    Part *part = &parts->parts[parts->labels[t]];
    part->place = mesh->vertices[v[0]];
    part->volume += tac_vec3_triple(apex, mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]) / 6.0;
  }
}

static tacStatus copy_kept(const tacTriMesh *mesh, const Parts *parts, tacTriMesh **outer, tacError *error) {
  TAC_MEMORY(int, renumbered) = NULL;
  TAC_TRY(TAC_ARRAY(renumbered, (size_t)mesh->vertex_count, "outer parts", error));
  const int *labels = parts->labels;
  int vertices = 0, triangles = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (labels[t] < 0 || !parts->parts[labels[t]].kept) continue;
    ++triangles;
    for (int i = 0; i < 3; ++i) {
      int *number = &renumbered[mesh->triangles[t].v[i]];
      if (*number == 0) *number = ++vertices; /* from 1: 0 is unused */
    }
  }
  TAC_TRY(tac_trimesh_create(vertices, triangles, outer, error));
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (renumbered[v] > 0) (*outer)->vertices[renumbered[v] - 1] = mesh->vertices[v];
  triangles = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    if (labels[t] < 0 || !parts->parts[labels[t]].kept) continue;
    for (int i = 0; i < 3; ++i) (*outer)->triangles[triangles].v[i] = renumbered[mesh->triangles[t].v[i]] - 1;
    ++triangles;
  }
  return TAC_OK;
}

/* Components and their measures. */
static tacStatus find_parts(const tacTriMesh *mesh, Parts *parts, tacError *error) {
  int *sets = tac_disjoint_sets_add(&parts->arrays, mesh->vertex_count);
  int *label_of = tac_arrays_add(&parts->arrays, (size_t)mesh->vertex_count, sizeof *label_of);
  parts->labels = tac_arrays_add(&parts->arrays, (size_t)mesh->triangle_count, sizeof *parts->labels);
  TAC_TRY(tac_arrays_status(&parts->arrays, "parts", error));
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 1; i < 3; ++i) tac_disjoint_sets_join(sets, mesh->triangles[t].v[0], mesh->triangles[t].v[i]);
  for (int v = 0; v < mesh->vertex_count; ++v) label_of[v] = -1;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    int root = tac_disjoint_sets_find(sets, mesh->triangles[t].v[0]);
    if (label_of[root] < 0) label_of[root] = parts->count++;
    parts->labels[t] = label_of[root];
  }
  parts->parts = tac_arrays_add(&parts->arrays, (size_t)parts->count, sizeof *parts->parts);
  TAC_TRY(tac_arrays_status(&parts->arrays, "parts", error));
  measure_parts(mesh, parts);
  return TAC_OK;
}

/* Joins part i with one that faces outward and contains its place, if the solid is all around it; winding[part] is scratch. */
static void join_container(const tacTriMesh *mesh, const Parts *parts, int i, int *winding, int *sets) {
  tacVec3 p = parts->parts[i].place;
  int all = 0;
  for (int part = 0; part < parts->count; ++part) winding[part] = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    double x;
    if (parts->labels[t] == i) continue;
    int sign = tac_scan_crossing(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], p.y, p.z, &x);
    if (sign == 0 || x <= p.x) continue;
    winding[parts->labels[t]] -= sign;
    all -= sign;
  }
  for (int part = 0; part < parts->count && all != 0; ++part)
    if (winding[part] != 0 && parts->parts[part].volume > 0.0) tac_disjoint_sets_join(sets, i, part);
}

static tacStatus join_parts(const tacTriMesh *mesh, Parts *parts, int *sets, tacError *error) {
  unsigned char *flat = tac_arrays_add(&parts->arrays, (size_t)mesh->triangle_count, 1);
  int *winding = tac_arrays_add(&parts->arrays, (size_t)parts->count, sizeof *winding);
  TAC_TRY(tac_arrays_status(&parts->arrays, "parts", error));
  for (int t = 0; t < mesh->triangle_count; ++t) flat[t] = tac_triangle_is_degenerate(mesh, t);
  TAC_TRY(tac_self_intersection_join(mesh, flat, parts->labels, sets, error));
  for (int i = 0; i < parts->count; ++i)
    if (parts->parts[i].volume > 0.0) join_container(mesh, parts, i, winding, sets);
  return TAC_OK;
}

tacStatus tac_solid_parts(const tacTriMesh *mesh, int *count, tacError *error) {
  TAC_FREED(free_parts, Parts, parts) = {.count = 0};
  *count = 0;
  TAC_TRY(find_parts(mesh, &parts, error));
  int *sets = tac_disjoint_sets_add(&parts.arrays, parts.count);
  TAC_TRY(tac_arrays_status(&parts.arrays, "parts", error));
  if (parts.count > 1) TAC_TRY(join_parts(mesh, &parts, sets, error));
  /* A set that has a part that faces outward is a solid; the wall of a cavity alone is none. */
  for (int i = 0; i < parts.count; ++i) {
    Part *set = &parts.parts[tac_disjoint_sets_find(sets, i)];
    *count += parts.parts[i].volume > 0.0 && !set->kept;
    set->kept |= parts.parts[i].volume > 0.0;
  }
  return TAC_OK;
}

tacStatus tac_inside_out_parts(const tacTriMesh *mesh, int *count, tacError *error) {
  TAC_FREED(free_parts, Parts, parts) = {.count = 0};
  TAC_OWN(tacBoxTree, boxes) = NULL;
  *count = 0;
  TAC_TRY(find_parts(mesh, &parts, error));
  if (mesh->triangle_count > 0) TAC_TRY(tac_box_tree_of_triangles(mesh, &boxes, error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    Part *part = &parts.parts[parts.labels[t]];
    if (part->volume >= 0.0 || part->kept) continue;
    tacVec3 p = mesh->vertices[mesh->triangles[t].v[0]];
    if (tac_scan_winding_of_others(mesh, boxes, parts.labels, parts.labels[t], p) != 0) continue;
    part->kept = true; /* it has been counted */
    ++*count;
  }
  return TAC_OK;
}

tacStatus tac_outer_parts(const tacTriMesh *mesh, tacTriMesh **outer, tacError *error) {
  TAC_FREED(free_parts, Parts, parts) = {.count = 0};
  TAC_OWN(tacBoxTree, boxes) = NULL;
  *outer = NULL;
  if (mesh->triangle_count < 1) return tac_error_set(error, TAC_ERR_GEOMETRY, "the mesh has no triangles");
  TAC_TRY(find_parts(mesh, &parts, error));
  TAC_TRY(tac_box_tree_of_triangles(mesh, &boxes, error));
  /* Parts that face inward hold nothing and are not kept: they have no label from here on. */
  for (int t = 0; t < mesh->triangle_count; ++t)
    if (parts.parts[parts.labels[t]].volume <= 0.0) parts.labels[t] = -1;
  for (int i = 0; i < parts.count; ++i)
    parts.parts[i].kept = tac_scan_winding_of_others(mesh, boxes, parts.labels, i, parts.parts[i].place) == 0;
  return copy_kept(mesh, &parts, outer, error);
}
