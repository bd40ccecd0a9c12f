#include <tactus/meshing.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "bake/isosurface.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"

/* Marching cubes (Lorensen and Cline 1987) with a table that is derived here rather than listed, so that the surface is a
 * closed manifold by construction:
 *   - Every crossed grid edge has exactly one vertex, strictly between its nodes.
 *   - On a cell's face each run of inside corners is cut off by one segment. The rule looks at the face alone, so the two
 *     cells that share it agree; on ambiguous faces it separates the inside corners.
 *   - The segments of a cell's faces form closed polygons. They are divided into triangles by diagonals that lie in no face
 *     (a diagonal in a face could be used by both cells, which would give an edge four triangles); in all of the 256 cases
 *     such diagonals exist.
 *
 * Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2). Edge 4 a + b runs along axis a; b numbers its place across: bit 0
 * for the next axis in the order x y z x, bit 1 for the one after. */

/* Vertices lie at least this fraction of the spacing away from grid nodes. Three points inside three different edges of a
 * cube are never collinear, so no triangle is degenerate: heights are above 1e-4 of the longest side. */
#define NODE_MARGIN 1e-3

enum { EDGES = 12, FACES = 6, MOST_TRIANGLES = 5 };

typedef struct CellCase {
  int triangle_count;
  int triangles[MOST_TRIANGLES][3]; /* edges that the corners lie on */
} CellCase;

static int edge_between(int corner_a, int corner_b) {
  int low = corner_a & corner_b;
  switch (corner_a ^ corner_b) {
    case 1: return (low >> 1 & 1) | (low >> 2 & 1) << 1;
    case 2: return 4 + ((low >> 2 & 1) | (low & 1) << 1);
    default: return 8 + ((low & 1) | (low >> 1 & 1) << 1);
  }
}

/* The corners of face `face` (2 axis + side), counter-clockwise seen from outside the cell. */
static void face_corners(int face, int corners[4]) {
  int axis = face >> 1, side = face & 1;
  int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
  corners[0] = base;
  corners[1] = base | (side ? u : v);
  corners[2] = base | u | v;
  corners[3] = base | (side ? v : u);
}

/* Squared distance between the middles of two edges, in cell sides; infinite where a face contains both edges. */
static double diagonal_cost(int a, int b) {
  const int edges[2] = {a, b};
  double middles[2][3];
  int faces[2]; /* bit sets */
  for (int i = 0; i < 2; ++i) {
    int axis = edges[i] / 4, u = (axis + 1) % 3, v = (axis + 2) % 3, at_u = edges[i] & 1, at_v = edges[i] >> 1 & 1;
    middles[i][axis] = 0.5;
    middles[i][u] = at_u;
    middles[i][v] = at_v;
    faces[i] = 1 << (2 * u + at_u) | 1 << (2 * v + at_v);
  }
  if (faces[0] & faces[1]) return INFINITY;
  double dx = middles[0][0] - middles[1][0], dy = middles[0][1] - middles[1][1], dz = middles[0][2] - middles[1][2];
  return dx * dx + dy * dy + dz * dz;
}

/* The cheapest division of the part first..last of a polygon, whose closing side first-last is given: the sum of its
 * diagonals' costs, and the corner of the triangle on the closing side. Short diagonals keep the triangles of a twisted
 * polygon from crossing each other. */
static double cheapest_division(const int *polygon, int first, int last, int *corner) {
  if (last - first < 2) return 0.0;
  double least = INFINITY;
  for (int middle = first + 1; middle < last; ++middle) {
    double cost = 0.0;
    int ignored;
    if (middle - first > 1) cost += diagonal_cost(polygon[first], polygon[middle]);
    if (last - middle > 1) cost += diagonal_cost(polygon[middle], polygon[last]);
    if (cost >= least) continue;
    cost += cheapest_division(polygon, first, middle, &ignored);
    cost += cheapest_division(polygon, middle, last, &ignored);
    if (cost >= least) continue;
    least = cost;
    *corner = middle;
  }
  return least;
}

/* Divides the part of a polygon into triangles by diagonals that lie in no face. */
static void divide_polygon(const int *polygon, int first, int last, CellCase *cell) {
  if (last - first < 2) return;
  int corner = first + 1;
  cheapest_division(polygon, first, last, &corner);
  int *triangle = cell->triangles[cell->triangle_count++];
  triangle[0] = polygon[first];
  triangle[1] = polygon[corner];
  triangle[2] = polygon[last];
  divide_polygon(polygon, first, corner, cell);
  divide_polygon(polygon, corner, last, cell);
}

/* The case in which the corners of the bit set `inside` are inside. */
static CellCase derive_case(int inside) {
  /* Walking counter-clockwise around a face, a run of inside corners begins on one edge and ends on another; the segment
   * from the first to the second has the inside on its left seen from within, so that triangles face outward. */
  int next[EDGES];
  for (int edge = 0; edge < EDGES; ++edge) next[edge] = -1;
  for (int face = 0; face < FACES; ++face) {
    int corners[4];
    face_corners(face, corners);
    for (int i = 0; i < 4; ++i) {
      int before = corners[(i + 3) % 4];
      if (!(inside >> corners[i] & 1) || inside >> before & 1) continue;
      int end = i;
      while (inside >> corners[(end + 1) % 4] & 1) end = (end + 1) % 4;
      next[edge_between(before, corners[i])] = edge_between(corners[end], corners[(end + 1) % 4]);
    }
  }
  CellCase cell = {0};
  for (int start = 0; start < EDGES; ++start) {
    int polygon[EDGES], size = 0;
    for (int edge = start; next[edge] >= 0;) {
      polygon[size++] = edge;
      int following = next[edge];
      next[edge] = -1;
      edge = following;
    }
    divide_polygon(polygon, 0, size - 1, &cell);
  }
  return cell;
}

typedef struct March {
  const tacGrid *grid;
  double level;
  size_t layer_size; /* nx ny */
  /* Two layers of nodes, swapped as the march goes up; index [0] is the lower one. */
  unsigned char *inside[2];
  int *x_edges[2], *y_edges[2]; /* vertex on the edge from a node along x or y; valid where the edge is crossed */
  int *z_edges;                 /* and up to the next layer */
  CellCase *cases;              /* [256] */
  tacArrays arrays;
  tacTriMesh *mesh;
  size_t vertex_room, triangle_room;
} March;

static size_t node_index(const March *march, int i, int j, int k) {
  return ((size_t)k * (size_t)march->grid->ny + (size_t)j) * (size_t)march->grid->nx + (size_t)i;
}

static void classify_layer(March *march, int k, unsigned char *inside) {
  const tacGrid *grid = march->grid;
  memset(inside, 0, march->layer_size);
  if (k == 0 || k >= grid->nz - 1) return;
  for (int j = 1; j < grid->ny - 1; ++j) {
    const float *row = grid->values + node_index(march, 0, j, k);
    unsigned char *flags = inside + (size_t)j * (size_t)grid->nx;
    for (int i = 1; i < grid->nx - 1; ++i) flags[i] = (double)row[i] < march->level; /* false for NaN */
  }
}

static tacStatus add_vertex(March *march, tacVec3 p, int *vertex, tacError *error) {
  tacTriMesh *mesh = march->mesh;
  if (mesh->vertex_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the isosurface has more than %d vertices; use a coarser grid",
                         INT_MAX);
  TAC_TRY(tac_array_reserve((void **)&mesh->vertices, &march->vertex_room, (size_t)mesh->vertex_count + 1,
                            sizeof *mesh->vertices, "isosurface vertices", error));
  *vertex = mesh->vertex_count;
  mesh->vertices[mesh->vertex_count++] = p;
  return TAC_OK;
}

/* A vertex where the function reaches the level between the node (i, j, k) and the next one along `axis`. */
static tacStatus cross_edge(March *march, int i, int j, int k, int axis, int *vertex, tacError *error) {
  const tacGrid *grid = march->grid;
  int along[3] = {i, j, k};
  ++along[axis];
  double a = (double)grid->values[node_index(march, i, j, k)];
  double b = (double)grid->values[node_index(march, along[0], along[1], along[2])];
  double t = (march->level - a) / (b - a);
  if (a < march->level && b < march->level) {
    /* One of the nodes is inside by its value but outside as part of the grid's boundary: cut close to it. */
    bool first = i == 0 || j == 0 || k == 0;
    t = first ? 0.0 : 1.0;
  }
  if (isnan(t)) t = 0.5;
  t = fmin(fmax(t, NODE_MARGIN), 1.0 - NODE_MARGIN);
  double place[3] = {i, j, k};
  place[axis] += t;
  return add_vertex(march, tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(place[0], place[1], place[2])), vertex,
                    error);
}

/* Vertices on the edges within the upper layer, which is layer k, and on those that lead to it. */
static tacStatus cross_layer(March *march, int k, tacError *error) {
  const tacGrid *grid = march->grid;
  const unsigned char *lower = march->inside[0], *upper = march->inside[1];
  for (int j = 0; j < grid->ny; ++j) {
    for (int i = 0; i < grid->nx; ++i) {
      size_t n = node_index(march, i, j, 0);
      if (i + 1 < grid->nx && upper[n] != upper[n + 1])
        TAC_TRY(cross_edge(march, i, j, k, 0, &march->x_edges[1][n], error));
      if (j + 1 < grid->ny && upper[n] != upper[n + (size_t)grid->nx])
        TAC_TRY(cross_edge(march, i, j, k, 1, &march->y_edges[1][n], error));
      if (lower[n] != upper[n]) TAC_TRY(cross_edge(march, i, j, k - 1, 2, &march->z_edges[n], error));
    }
  }
  return TAC_OK;
}

/* The triangles of the cell whose lowest corner is node n of the lower layer. */
static tacStatus fill_cell(March *march, size_t n, const CellCase *cell, tacError *error) {
  tacTriMesh *mesh = march->mesh;
  size_t row = (size_t)march->grid->nx;
  const int vertices[EDGES] = {march->x_edges[0][n],       march->x_edges[0][n + row], march->x_edges[1][n],
                               march->x_edges[1][n + row], march->y_edges[0][n],       march->y_edges[1][n],
                               march->y_edges[0][n + 1],   march->y_edges[1][n + 1],   march->z_edges[n],
                               march->z_edges[n + 1],      march->z_edges[n + row],    march->z_edges[n + row + 1]};
  if (mesh->triangle_count > INT_MAX - cell->triangle_count)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "the isosurface has more than %d triangles; use a coarser grid",
                         INT_MAX);
  TAC_TRY(tac_array_reserve((void **)&mesh->triangles, &march->triangle_room,
                            (size_t)mesh->triangle_count + (size_t)cell->triangle_count, sizeof *mesh->triangles,
                            "isosurface triangles", error));
  for (int t = 0; t < cell->triangle_count; ++t) {
    const int *v = cell->triangles[t];
    mesh->triangles[mesh->triangle_count++] = (tacTriangle){{vertices[v[0]], vertices[v[1]], vertices[v[2]]}};
  }
  return TAC_OK;
}

/* The cells between the lower and the upper layer. */
static tacStatus fill_slab(March *march, tacError *error) {
  const tacGrid *grid = march->grid;
  size_t row = (size_t)grid->nx;
  for (int j = 0; j + 1 < grid->ny; ++j) {
    const unsigned char *lower = march->inside[0] + (size_t)j * row, *upper = march->inside[1] + (size_t)j * row;
    for (int i = 0; i + 1 < grid->nx; ++i) {
      int inside = lower[i] | lower[i + 1] << 1 | lower[(size_t)i + row] << 2 | lower[(size_t)i + row + 1] << 3 |
                   upper[i] << 4 | upper[i + 1] << 5 | upper[(size_t)i + row] << 6 | upper[(size_t)i + row + 1] << 7;
      if (inside == 0 || inside == 255) continue;
      TAC_TRY(fill_cell(march, node_index(march, i, j, 0), &march->cases[inside], error));
    }
  }
  return TAC_OK;
}

static void swap_layers(March *march) {
  unsigned char *inside = march->inside[0];
  march->inside[0] = march->inside[1];
  march->inside[1] = inside;
  int *x_edges = march->x_edges[0], *y_edges = march->y_edges[0];
  march->x_edges[0] = march->x_edges[1];
  march->y_edges[0] = march->y_edges[1];
  march->x_edges[1] = x_edges;
  march->y_edges[1] = y_edges;
}

static tacStatus march_layers(March *march, tacError *error) {
  for (int layer = 0; layer < 2; ++layer) {
    march->inside[layer] = tac_arrays_add(&march->arrays, march->layer_size, 1);
    march->x_edges[layer] = tac_arrays_add(&march->arrays, march->layer_size, sizeof(int));
    march->y_edges[layer] = tac_arrays_add(&march->arrays, march->layer_size, sizeof(int));
  }
  march->z_edges = tac_arrays_add(&march->arrays, march->layer_size, sizeof(int));
  march->cases = tac_arrays_add(&march->arrays, 256, sizeof *march->cases);
  TAC_TRY(tac_arrays_status(&march->arrays, "an isosurface layer", error));
  for (int inside = 0; inside < 256; ++inside) march->cases[inside] = derive_case(inside);

  classify_layer(march, 0, march->inside[0]);
  for (int k = 1; k < march->grid->nz; ++k) {
    classify_layer(march, k, march->inside[1]);
    TAC_TRY(cross_layer(march, k, error));
    TAC_TRY(fill_slab(march, error));
    swap_layers(march);
  }
  return TAC_OK;
}

static void free_march(March *march) {
  tac_trimesh_destroy(march->mesh);
  tac_arrays_free(&march->arrays);
}

tacStatus tac_isosurface_extract(const tacGrid *grid, double level, tacTriMesh **surface, tacError *error) {
  *surface = NULL;
  if (grid->nx < 2 || grid->ny < 2 || grid->nz < 2)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a grid needs at least 2 nodes along each axis, not %d x %d x %d",
                         grid->nx, grid->ny, grid->nz);
  if (!isfinite(level)) return tac_error_set(error, TAC_ERR_ARGUMENT, "the level must be a finite number");
  if (!(grid->spacing > 0.0) || !isfinite(grid->spacing) || !tac_vec3_finite(grid->origin))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a grid needs a finite origin and a positive spacing");
  TAC_FREED(free_march, March, march) = {
      .grid = grid, .level = level, .layer_size = (size_t)grid->nx * (size_t)grid->ny};
  TAC_TRY(tac_trimesh_create(0, 0, &march.mesh, error));
  TAC_TRY(march_layers(&march, error));
  if (march.mesh->triangle_count == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY, "the isosurface is empty: no value inside the grid is below %g",
                         level);
  *surface = tac_give(&march.mesh);
  return TAC_OK;
}
