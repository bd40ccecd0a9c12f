#include "mesh/repair/hole_filling.h"

#include <limits.h>
#include <stdbool.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/edge_table.h"

enum { MOST_EDGES_OF_LEAST_AREA = 500 };

typedef struct Filling {
  tacArrays arrays;
  tacTriMesh *mesh;
  tacEdgeTable edges;
  size_t vertex_room, triangle_room;
  int *first;          /* boundary sides that end at vertex v are leaving[first[v] .. first[v + 1]) */
  int *leaving;        /* by the vertex where they end: a hole runs along a side backwards */
  unsigned char *used; /* for each entry of `leaving` */
  int *place;          /* of each vertex on the path, -1: not on it */
  int *path;           /* vertices */
  int path_count;
  double *cost; /* of a loop's part from vertex i to j, at i * n + j */
  int *apex;    /* the third corner of the triangle on i j */
  int filled_holes;
} Filling;

static tacStatus append_triangle(Filling *f, int a, int b, int c, tacError *error) {
  tacTriMesh *mesh = f->mesh;
  if (mesh->triangle_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the repaired mesh has too many triangles");
  TAC_TRY(tac_array_reserve((void **)&mesh->triangles, &f->triangle_room, (size_t)mesh->triangle_count + 1,
                            sizeof *mesh->triangles, "triangles", error));
  mesh->triangles[mesh->triangle_count++] = (tacTriangle){{a, b, c}};
  return TAC_OK;
}

static tacStatus fill_by_fan(Filling *f, int n, const int *loop, tacError *error) {
  tacTriMesh *mesh = f->mesh;
  if (mesh->vertex_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the repaired mesh has too many vertices");
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < n; ++i) sum = tac_vec3_mad(sum, 1.0 / n, mesh->vertices[loop[i]]);
  TAC_TRY(tac_array_reserve((void **)&mesh->vertices, &f->vertex_room, (size_t)mesh->vertex_count + 1,
                            sizeof *mesh->vertices, "vertices", error));
  int centre = mesh->vertex_count++;
  mesh->vertices[centre] = sum;
  for (int i = 0; i < n; ++i) TAC_TRY(append_triangle(f, loop[i], loop[(i + 1) % n], centre, error));
  return TAC_OK;
}

/* Area, with a little of the squared edges so that of equal areas the rounder triangles win, and much for slivers. */
static double triangle_cost(const tacTriMesh *mesh, int a, int b, int c, double prohibitive) {
  tacVec3 ab = tac_vec3_sub(mesh->vertices[b], mesh->vertices[a]);
  tacVec3 ac = tac_vec3_sub(mesh->vertices[c], mesh->vertices[a]);
  double twice_area = tac_vec3_norm(tac_vec3_cross(ab, ac));
  double edges2 = tac_vec3_norm2(ab) + tac_vec3_norm2(ac) + tac_vec3_norm2(tac_vec3_sub(ac, ab));
  return 0.5 * twice_area + 1e-4 * edges2 + (twice_area > 1e-8 * edges2 ? 0.0 : prohibitive);
}

/* The least cost over all triangulations, by the least costs of shorter parts; INFINITY where every one repeats an edge. */
static double find_least_cost(Filling *f, int n, const int *loop) {
  const tacTriMesh *mesh = f->mesh;
  double length = 0.0;
  for (int i = 0; i < n; ++i) length += tac_vec3_distance(mesh->vertices[loop[i]], mesh->vertices[loop[(i + 1) % n]]);
  for (int i = 0; i + 1 < n; ++i) f->cost[i * n + i + 1] = 0.0;
  for (int span = 2; span < n; ++span) {
    for (int i = 0; i + span < n; ++i) {
      int j = i + span;
      double *least = &f->cost[i * n + j];
      *least = INFINITY;
      if (span < n - 1 && tac_edge_table_find(&f->edges, loop[i], loop[j]) != NULL) continue;
      for (int k = i + 1; k < j; ++k) {
        double parts = f->cost[i * n + k] + f->cost[k * n + j];
        if (parts >= *least) continue;
        double cost = parts + triangle_cost(mesh, loop[i], loop[k], loop[j], length * length);
        if (cost >= *least) continue;
        *least = cost;
        f->apex[i * n + j] = k;
      }
    }
  }
  return f->cost[n - 1];
}

static tacStatus append_part(Filling *f, int n, const int *loop, int i, int j, tacError *error) {
  if (j - i < 2) return TAC_OK;
  int k = f->apex[i * n + j];
  TAC_TRY(append_triangle(f, loop[i], loop[k], loop[j], error));
  TAC_TRY(append_part(f, n, loop, i, k, error));
  return append_part(f, n, loop, k, j, error);
}

static bool is_single_triangle(const Filling *f, int n, const int *loop) {
  if (n != 3) return false;
  int triangle[3];
  for (int i = 0; i < 3; ++i)
    triangle[i] = f->edges.sides[tac_edge_table_find(&f->edges, loop[i], loop[(i + 1) % 3])->first] / 3;
  return triangle[0] == triangle[1] && triangle[1] == triangle[2];
}

static tacStatus fill_loop(Filling *f, int n, const int *loop, tacError *error) {
  if (n < 3 || is_single_triangle(f, n, loop)) return TAC_OK;
  ++f->filled_holes;
  if (n > MOST_EDGES_OF_LEAST_AREA || isinf(find_least_cost(f, n, loop))) return fill_by_fan(f, n, loop, error);
  return append_part(f, n, loop, 0, n - 1, error);
}

/* Takes a boundary side that ends at the path's last vertex and is not used yet; -1 where there is none. Where holes meet,
 * the one that turns back most sharply belongs to the hole that the path came along: slits are closed first. */
static int take_side(Filling *f) {
  int v = f->path[f->path_count - 1], best = -1;
  tacVec3 here = f->mesh->vertices[v], back = {0.0, 0.0, 0.0};
  if (f->path_count > 1) back = tac_vec3_sub(f->mesh->vertices[f->path[f->path_count - 2]], here);
  double most = -INFINITY;
  for (int i = f->first[v]; i < f->first[v + 1]; ++i) {
    if (f->used[i]) continue;
    tacVec3 next = f->mesh->vertices[tac_side_start(f->mesh, f->leaving[i])];
    double sharpness = tac_vec3_dot(back, tac_vec3_unit(tac_vec3_sub(next, here)));
    if (best >= 0 && sharpness <= most) continue;
    most = sharpness;
    best = i;
  }
  if (best < 0) return -1;
  f->used[best] = 1;
  return f->leaving[best];
}

/* Walks along holes from `start`. Whenever the path meets itself the loop is cut off and filled, so that loops that touch at
 * a vertex are told apart. Where the path leads nowhere, at an edge of three triangles, it is given up. */
static tacStatus walk(Filling *f, int start, tacError *error) {
  f->path[0] = start;
  f->place[start] = 0;
  f->path_count = 1;
  for (;;) {
    int side = take_side(f);
    if (side < 0) break;
    int v = tac_side_start(f->mesh, side);
    if (f->place[v] < 0) {
      f->place[v] = f->path_count;
      f->path[f->path_count++] = v;
      continue;
    }
    int begin = f->place[v];
    TAC_TRY(fill_loop(f, f->path_count - begin, f->path + begin, error));
    while (f->path_count > begin + 1) f->place[f->path[--f->path_count]] = -1;
  }
  while (f->path_count > 0) f->place[f->path[--f->path_count]] = -1;
  return TAC_OK;
}

static tacStatus collect_boundary(Filling *f, tacError *error) {
  const tacTriMesh *mesh = f->mesh;
  size_t n = (size_t)mesh->vertex_count;
  f->first = tac_arrays_add(&f->arrays, n + 2, sizeof *f->first);
  f->place = tac_arrays_add(&f->arrays, n, sizeof *f->place);
  f->path = tac_arrays_add(&f->arrays, n, sizeof *f->path);
  TAC_TRY(tac_arrays_status(&f->arrays, "holes", error));
  size_t boundary_count = 0;
  for (int e = 0; e < f->edges.edge_count; ++e) {
    if (f->edges.edges[e].count != 1) continue;
    ++f->first[(size_t)tac_side_end(mesh, f->edges.sides[f->edges.edges[e].first]) + 2];
    ++boundary_count;
  }
  f->leaving = tac_arrays_add(&f->arrays, boundary_count, sizeof *f->leaving);
  f->used = tac_arrays_add(&f->arrays, boundary_count, 1);
  size_t square = (size_t)MOST_EDGES_OF_LEAST_AREA * MOST_EDGES_OF_LEAST_AREA;
  if (boundary_count < MOST_EDGES_OF_LEAST_AREA) square = boundary_count * boundary_count;
  f->cost = tac_arrays_add(&f->arrays, square, sizeof *f->cost);
  f->apex = tac_arrays_add(&f->arrays, square, sizeof *f->apex);
  TAC_TRY(tac_arrays_status(&f->arrays, "holes", error));
  for (size_t v = 2; v < n + 2; ++v) f->first[v] += f->first[v - 1];
  for (int e = 0; e < f->edges.edge_count; ++e) {
    int side = f->edges.sides[f->edges.edges[e].first];
    if (f->edges.edges[e].count == 1) f->leaving[f->first[(size_t)tac_side_end(mesh, side) + 1]++] = side;
  }
  for (size_t v = 0; v < n; ++v) f->place[v] = -1;
  return TAC_OK;
}

static void free_filling(Filling *f) {
  tac_edge_table_free(&f->edges);
  tac_arrays_free(&f->arrays);
}

tacStatus tac_hole_filling(tacTriMesh *mesh, int *filled_holes, tacError *error) {
  TAC_FREED(free_filling, Filling, f) = {
      .mesh = mesh, .vertex_room = (size_t)mesh->vertex_count, .triangle_room = (size_t)mesh->triangle_count};
  int vertex_count = mesh->vertex_count;
  TAC_TRY(tac_edge_table_create(mesh, &f.edges, error));
  TAC_TRY(collect_boundary(&f, error));
  for (int v = 0; v < vertex_count; ++v) {
    for (int i = f.first[v]; i < f.first[v + 1]; ++i) {
      if (!f.used[i]) TAC_TRY(walk(&f, v, error));
    }
  }
  *filled_holes = f.filled_holes;
  return TAC_OK;
}
