#include "mesh/repair/loop_subdivision.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"
#include "mesh/index_set.h"

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

static tacStatus check_edges(const tacTriMesh *mesh, const tacEdgeTable *table, tacError *error) {
  for (int t = 0; t < mesh->triangle_count; ++t)
    if (tac_triangle_repeats_corner(mesh->triangles[t]))
      return tac_error_set(error, TAC_ERR_GEOMETRY, "triangle %d has a vertex twice", t);
  for (int e = 0; e < table->edge_count; ++e) {
    const tacEdge *edge = &table->edges[e];
    const int *side = table->sides + edge->first;
    if (edge->count != 2)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "the edge between vertices %d and %d has %d triangles, not 2",
                           edge->a, edge->b, edge->count);
    if (tac_side_start(mesh, side[0]) == tac_side_start(mesh, side[1]))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "triangles %d and %d run along their edge in the same direction; orient them alike",
                           side[0] / 3, side[1] / 3);
  }
  return TAC_OK;
}

static tacStatus require_closed(const tacTriMesh *mesh, tacError *error) {
  tacEdgeTable table;
  tacStatus status = tac_edge_table_create(mesh, &table, error);
  if (status == TAC_OK) status = check_edges(mesh, &table, error);
  tac_edge_table_free(&table);
  return status;
}

/* (1 - n w) v + w (sum of the neighbours), with w = weight(n); a vertex without neighbours stays. */
static tacStatus average_vertices(const tacTriMesh *mesh, const tacEdgeTable *table, double (*weight)(int),
                                  tacVec3 *places, tacError *error) {
  int *valence = tac_array_create((size_t)mesh->vertex_count, sizeof *valence, "vertices", error);
  if (valence == NULL) return TAC_ERR_MEMORY;
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
  free(valence);
  return TAC_OK;
}

static tacStatus divide(const tacTriMesh *mesh, tacTriMesh **out, tacError *error) {
  tacEdgeTable table = {0};
  int *edge_of = NULL;
  *out = NULL;
  tacStatus status = tac_edge_table_create(mesh, &table, error);
  if (status != TAC_OK) goto done;
  if (mesh->triangle_count > INT_MAX / 12 || table.edge_count > INT_MAX - mesh->vertex_count) {
    status =
        tac_error_set(error, TAC_ERR_UNSUPPORTED, "%d triangles are too many to divide again", mesh->triangle_count);
    goto done;
  }
  status = tac_trimesh_create(mesh->vertex_count + table.edge_count, 4 * mesh->triangle_count, out, error);
  if (status != TAC_OK) goto done;
  edge_of = tac_array_create(3 * (size_t)mesh->triangle_count, sizeof *edge_of, "sides", error);
  status = edge_of == NULL ? TAC_ERR_MEMORY : average_vertices(mesh, &table, neighbour_weight, (*out)->vertices, error);
  if (status != TAC_OK) goto done;
  for (int e = 0; e < table.edge_count; ++e) {
    const tacEdge *edge = &table.edges[e];
    tacVec3 ends = tac_vec3_add(mesh->vertices[edge->a], mesh->vertices[edge->b]), opposite = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
      int side = table.sides[edge->first + i];
      edge_of[side] = e;
      opposite = tac_vec3_add(opposite, mesh->vertices[mesh->triangles[side / 3].v[(side % 3 + 2) % 3]]);
    }
    (*out)->vertices[mesh->vertex_count + e] = tac_vec3_mad(tac_vec3_scale(0.375, ends), 0.125, opposite);
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacTriangle *four = (*out)->triangles + 4 * t;
    for (int c = 0; c < 3; ++c) {
      four[3].v[c] = mesh->vertex_count + edge_of[3 * t + c];
      four[c].v[0] = mesh->triangles[t].v[c];
      four[c].v[1] = four[3].v[c];
      four[c].v[2] = mesh->vertex_count + edge_of[3 * t + (c + 2) % 3];
    }
  }
done:
  tac_edge_table_free(&table);
  free(edge_of);
  if (status != TAC_OK) {
    tac_trimesh_destroy(*out);
    *out = NULL;
  }
  return status;
}

static tacStatus move_to_limit(tacTriMesh *mesh, tacError *error) {
  tacEdgeTable table = {0};
  tacVec3 *places = tac_array_create((size_t)mesh->vertex_count, sizeof *places, "vertices", error);
  tacStatus status = places == NULL ? TAC_ERR_MEMORY : tac_edge_table_create(mesh, &table, error);
  if (status == TAC_OK) status = average_vertices(mesh, &table, limit_weight, places, error);
  for (int v = 0; v < mesh->vertex_count && status == TAC_OK; ++v) mesh->vertices[v] = places[v];
  tac_edge_table_free(&table);
  free(places);
  return status;
}

static void drop_groups(tacTriMesh *mesh) {
  tac_index_set_free_list(mesh->group_count, mesh->groups);
  mesh->groups = NULL;
  mesh->group_count = 0;
}

tacStatus tac_loop_subdivide(const tacTriMesh *mesh, int levels, bool limit, tacTriMesh **out, tacError *error) {
  *out = NULL;
  if (levels < 0 || levels > MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d levels; give 0 to %d", levels, MOST_LEVELS);
  tacTriMesh *now = NULL;
  tacStatus status = require_closed(mesh, error);
  if (status == TAC_OK) status = tac_trimesh_copy(mesh, &now, error);
  if (status == TAC_OK) drop_groups(now);
  for (int level = 0; level < levels && status == TAC_OK; ++level) {
    tacTriMesh *finer;
    status = divide(now, &finer, error);
    tac_trimesh_destroy(now);
    now = finer;
  }
  if (status == TAC_OK && limit) status = move_to_limit(now, error);
  if (status != TAC_OK) {
    tac_trimesh_destroy(now);
    now = NULL;
  }
  *out = now;
  return status;
}
