#include "mesh/repair/loop_subdivision.h"

#include <limits.h>
#include <math.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"
#include "mesh/trimesh.h"

enum { MOST_LEVELS = 10 };

/* The weight of each of n neighbours in the new place of a vertex. */
static double neighbour_weight(int n) {
  double c = 0.375 + 0.25 * cos(2.0 * M_PI / n);
  return (0.625 - c * c) / n;
}

/* The weight of each neighbour in the place that a vertex goes to in the end: the left eigenvector of the step. */
static double limit_weight(int n) {
  return 1.0 / (0.375 / neighbour_weight(n) + n);
}

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

static tacStatus require_closed(const tacTriMesh *mesh, tacError *error) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &table, error));
  for (int t = 0; t < mesh->triangle_count; ++t)
    if (tac_triangle_repeats_corner(mesh->triangles[t]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "triangle %d has the same vertex twice", t);
  for (int e = 0; e < table.edge_count; ++e) {
    const tacEdge *edge = &table.edges[e];
    const int *side = table.sides + edge->first;
    if (edge->count != 2)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "the edge between vertices %d and %d has %d triangles, not 2",
                           edge->a, edge->b, edge->count);
    if (tac_side_start(mesh, side[0]) == tac_side_start(mesh, side[1]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "triangles %d and %d have opposite orientations; orient them alike",
                           side[0] / 3, side[1] / 3);
  }
  return TAC_OK;
}

/* (1 - n w) v + w (sum of the neighbours), with w = weight(n); a vertex without neighbours stays. */
static tacStatus average_vertices(const tacTriMesh *mesh, const tacEdgeTable *table, double (*weight)(int),
                                  tacVec3 *places, tacError *error) {
  TAC_MEMORY(int, valence) = NULL;
  TAC_TRY(TAC_ARRAY(valence, (size_t)mesh->vertex_count, "vertices", error));
  for (int v = 0; v < mesh->vertex_count; ++v) places[v] = tac_vec3(0.0, 0.0, 0.0);
  for (int e = 0; e < table->edge_count; ++e) {
    int a = table->edges[e].a, b = table->edges[e].b;
    places[a] = tac_vec3_add(places[a], mesh->vertices[b]);
    places[b] = tac_vec3_add(places[b], mesh->vertices[a]);
    ++valence[a];
    ++valence[b];
  }
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double n = valence[v], w = n > 0.0 ? weight(valence[v]) : 0.0;
    places[v] = tac_vec3_mad(tac_vec3_scale(1.0 - n * w, mesh->vertices[v]), w, places[v]);
  }
  return TAC_OK;
}

/* Replaces the mesh by one with four triangles for each of its own. */
static tacStatus divide(tacTriMesh **divided, tacError *error) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_MEMORY(int, edge_of) = NULL;
  TAC_OWN(tacTriMesh, out) = NULL;
  const tacTriMesh *mesh = *divided;
  TAC_TRY(tac_edge_table_create(mesh, &table, error));
  if (mesh->triangle_count > INT_MAX / 12 || table.edge_count > INT_MAX - mesh->vertex_count)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the mesh has too many triangles (%d) for another subdivision",
                         mesh->triangle_count);
  TAC_TRY(tac_trimesh_create(mesh->vertex_count + table.edge_count, 4 * mesh->triangle_count, &out, error));
  TAC_TRY(TAC_ARRAY(edge_of, 3 * (size_t)mesh->triangle_count, "sides", error));
  TAC_TRY(average_vertices(mesh, &table, neighbour_weight, out->vertices, error));
  for (int e = 0; e < table.edge_count; ++e) {
    const tacEdge *edge = &table.edges[e];
    tacVec3 ends = tac_vec3_add(mesh->vertices[edge->a], mesh->vertices[edge->b]), opposite = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
      int side = table.sides[edge->first + i];
      edge_of[side] = e;
      opposite = tac_vec3_add(opposite, mesh->vertices[mesh->triangles[side / 3].v[(side % 3 + 2) % 3]]);
    }
    out->vertices[mesh->vertex_count + e] = tac_vec3_mad(tac_vec3_scale(0.375, ends), 0.125, opposite);
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacTriangle *four = out->triangles + 4 * t;
    for (int c = 0; c < 3; ++c) {
      four[3].v[c] = mesh->vertex_count + edge_of[3 * t + c];
      four[c].v[0] = mesh->triangles[t].v[c];
      four[c].v[1] = four[3].v[c];
      four[c].v[2] = mesh->vertex_count + edge_of[3 * t + (c + 2) % 3];
    }
  }
  tac_trimesh_destroy(*divided);
  *divided = tac_give(&out);
  return TAC_OK;
}

static tacStatus move_to_limit(tacTriMesh *mesh, tacError *error) {
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_MEMORY(tacVec3, places) = NULL;
  TAC_TRY(TAC_ARRAY(places, (size_t)mesh->vertex_count, "vertices", error));
  TAC_TRY(tac_edge_table_create(mesh, &table, error));
  TAC_TRY(average_vertices(mesh, &table, limit_weight, places, error));
  for (int v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v] = places[v];
  return TAC_OK;
}

tacStatus tac_loop_subdivide(const tacTriMesh *mesh, int levels, bool limit, tacTriMesh **out, tacError *error) {
  *out = NULL;
  if (levels < 0 || levels > MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the number of levels is %d; it must be 0 to %d", levels,
                         MOST_LEVELS);
  TAC_OWN(tacTriMesh, now) = NULL;
  tacTriMesh bare = *mesh;
  bare.group_count = 0;
  TAC_TRY(require_closed(mesh, error));
  TAC_TRY(tac_trimesh_copy(&bare, &now, error));
  for (int level = 0; level < levels; ++level) TAC_TRY(divide(&now, error));
  if (limit) TAC_TRY(move_to_limit(now, error));
  *out = tac_give(&now);
  return TAC_OK;
}
