#include "elastic/boundary/boundary_elements.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "elastic/boundary/triangle_integral.h"
#include "math/geometry/vec3.h"
#include "mesh/disjoint_sets.h"
#include "mesh/edge_table.h"
#include "mesh/query/triangle_tree.h"

/* Collocation points whose rows are gathered before they are written, since a row of the matrices is scattered in memory. */
#define GATHER 8

tacBoundaryDef tac_boundary_def_default(void) {
  return (tacBoundaryDef){.young = 1e6, .poisson = 0.3, .crease = M_PI / 6.0, .thread_count = 0};
}

/* ---- what all rows are made of ---- */

typedef struct {
  const tacTriMesh *mesh;
  const int (*traction_of)[3];
  tacKelvin kelvin;
  tacTriangleRules rules;
  tacFlatTriangle *triangles;
} Surface;

static tacStatus check_def(const tacBoundaryDef *def, tacError *error) {
  if (!(def->young > 0.0) || !isfinite(def->young))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Young's modulus is %g Pa; it must be positive", def->young);
  if (!(def->poisson > -1.0) || !(def->poisson < 0.5))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "Poisson's ratio is %g; it must lie between -1 and 1/2",
                         def->poisson);
  if (!(def->crease >= 0.0) || !(def->crease <= M_PI))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the crease angle is %g; it must lie between 0 and pi", def->crease);
  return TAC_OK;
}

static void free_surface(Surface *surface) {
  if (surface != NULL) free(surface->triangles);
  free(surface);
}
TAC_OWNED_TYPE(Surface, free_surface)

static tacStatus create_surface(const tacTriMesh *mesh, const tacBoundaryDef *def, Surface **result, tacError *error) {
  *result = NULL;
  TAC_TRY(check_def(def, error));
  TAC_OWN(Surface, surface) = tac_array_create(1, sizeof *surface, "a surface", error);
  if (surface == NULL) return TAC_ERR_MEMORY;
  surface->mesh = mesh;
  surface->kelvin = tac_kelvin(def->young, def->poisson);
  TAC_TRY(TAC_ARRAY(surface->triangles, (size_t)mesh->triangle_count, "triangles", error));
  TAC_TRY(tac_triangle_rules_fill(&surface->rules, error));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    const tacVec3 corner[3] = {mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]};
    if (!tac_flat_triangle(corner, &surface->triangles[t]))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "triangle %d (vertices %d %d %d) is degenerate; its least height must exceed 1e-6 of its "
                           "longest side",
                           t, v[0], v[1], v[2]);
  }
  *result = tac_give(&surface);
  return TAC_OK;
}

/* Three rows: entry (i, column) is at[i + column * stride]. */
typedef struct {
  double *h, *g;
  size_t h_stride, g_stride;
} Rows;

static void add_block(double *at, size_t stride, int node, double block[3][3]) {
  double *column = at + 3 * (size_t)node * stride;
  for (int j = 0; j < 3; ++j, column += stride)
    for (int i = 0; i < 3; ++i) column[i] += block[i][j];
}

static void add_triangle(const Surface *surface, int t, int vertex, tacKelvinIntegral *integral, const Rows *rows) {
  for (int a = 0; a < 3; ++a) {
    int v = surface->mesh->triangles[t].v[a];
    add_block(rows->g, rows->g_stride, surface->traction_of[t][a], integral->u[a]);
    if (v != vertex) add_block(rows->h, rows->h_stride, v, integral->t[a]);
  }
}

/* Adds the integrals over all triangles for the point x. T N_vertex is left out where x is that vertex (else -1): rigid
 * motion gives it. x lies in the plane of the triangle `own` (-1: none). */
static void add_surface(const Surface *surface, tacVec3 x, int vertex, int own, const Rows *rows) {
  int waiting[TAC_TRIANGLE_RULE_COUNT][TAC_TRIANGLE_BATCH], count[TAC_TRIANGLE_RULE_COUNT] = {0};
  const int triangle_count = surface->mesh->triangle_count;
  tacKelvinIntegral integral[TAC_TRIANGLE_BATCH];
  for (int t = 0; t < triangle_count + TAC_TRIANGLE_RULE_COUNT; ++t) {
    int r = 0;
    if (t < triangle_count) {
      const tacFlatTriangle *triangle = &surface->triangles[t];
      double distance = tac_vec3_distance(triangle->centroid, x) / triangle->radius;
      while (r < TAC_TRIANGLE_RULE_COUNT && distance < surface->rules.rule[r].reach) ++r;
      if (r == TAC_TRIANGLE_RULE_COUNT) {
        tac_triangle_integral_closed(&surface->kelvin, triangle, x, t == own, integral);
        add_triangle(surface, t, vertex, integral, rows);
        continue;
      }
      waiting[r][count[r]++] = t;
      if (count[r] < TAC_TRIANGLE_BATCH) continue;
    } else { /* what is left: a batch is filled with copies of its first */
      r = t - triangle_count;
      if (count[r] == 0) continue;
    }
    const tacFlatTriangle *batch[TAC_TRIANGLE_BATCH];
    for (int i = 0; i < TAC_TRIANGLE_BATCH; ++i) batch[i] = &surface->triangles[waiting[r][i < count[r] ? i : 0]];
    tac_triangle_integral_batch(&surface->kelvin, &surface->rules.rule[r], batch, x, integral);
    for (int i = 0; i < count[r]; ++i) add_triangle(surface, waiting[r][i], vertex, &integral[i], rows);
    count[r] = 0;
  }
}

/* ---- traction nodes ---- */

/* Joins the corners of two triangles along an edge, which is 2 sides long. */
static void join_corners(const tacTriMesh *mesh, const int *sides, int *fans) {
  int t = sides[0] / 3, s = sides[0] % 3, other = sides[1] / 3;
  for (int end = 0; end < 2; ++end) {
    int corner = (s + end) % 3;
    for (int c = 0; c < 3; ++c)
      if (mesh->triangles[other].v[c] == mesh->triangles[t].v[corner])
        tac_disjoint_sets_join(fans, 3 * t + corner, 3 * other + c);
  }
}

/* Fans are connected across the edges that are bent by no more than the crease angle. */
static tacStatus create_nodes(const Surface *surface, double crease, tacBoundaryElements *elements, tacError *error) {
  const tacTriMesh *mesh = surface->mesh;
  const int corner_count = 3 * mesh->triangle_count;
  TAC_FREED(tac_edge_table_free, tacEdgeTable, edges) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &edges, error));
  TAC_MEMORY(int, fans) = tac_disjoint_sets_create(corner_count, error);
  TAC_MEMORY(int, next) = tac_array_create((size_t)mesh->vertex_count + 1, sizeof *next, "traction nodes", error);
  if (fans == NULL || next == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(TAC_ARRAY(elements->traction_of, (size_t)mesh->triangle_count, "traction nodes", error));
  for (int e = 0; e < edges.edge_count; ++e) {
    const int *sides = edges.sides + edges.edges[e].first;
    if (edges.edges[e].count != 2) continue;
    tacVec3 n = surface->triangles[sides[0] / 3].e[2], other = surface->triangles[sides[1] / 3].e[2];
    double bend = atan2(tac_vec3_norm(tac_vec3_cross(n, other)), tac_vec3_dot(n, other));
    if (bend <= crease) join_corners(mesh, sides, fans);
  }
  /* The first corner of a fan represents it. First next[v + 1] counts v's fans, then next[v] is the next one's number. */
  for (int c = 0; c < corner_count; ++c)
    if (tac_disjoint_sets_find(fans, c) == c) ++next[mesh->triangles[c / 3].v[c % 3] + 1];
  for (int v = 0; v < mesh->vertex_count; ++v) {
    if (next[v + 1] == 0)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "vertex %d belongs to no triangle; remove it", v);
    next[v + 1] += next[v];
  }
  int m = elements->traction_count = next[mesh->vertex_count];
  TAC_TRY(TAC_ARRAY(elements->vertex_of, (size_t)m, "traction nodes", error));
  TAC_TRY(TAC_ARRAY(elements->area, (size_t)m, "traction nodes", error));
  int *node_of = &elements->traction_of[0][0];
  for (int c = 0; c < corner_count; ++c) {
    int v = mesh->triangles[c / 3].v[c % 3], first = tac_disjoint_sets_find(fans, c);
    node_of[c] = first == c ? next[v]++ : node_of[first];
    elements->vertex_of[node_of[c]] = v;
    elements->area[node_of[c]] += surface->triangles[c / 3].area / 3.0;
  }
  return TAC_OK;
}

/* ---- the matrices ---- */

typedef struct {
  const Surface *surface;
  tacBoundaryElements *elements;
  double **gathered; /* [thread]: the rows of GATHER points, each column's together */
} Assembly;

/* A rigid translation needs no traction: the blocks of a row of H sum to zero. */
static void complete_diagonal(int vertex_count, int vertex, double *h, size_t stride) {
  double sum[3][3] = {{0.0}};
  for (int v = 0; v < vertex_count; ++v)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) sum[i][j] -= h[(size_t)i + (3 * (size_t)v + (size_t)j) * stride];
  add_block(h, stride, vertex, sum);
}

static void assemble_points(size_t begin, size_t end, int thread, void *context) {
  const Assembly *assembly = context;
  const tacBoundaryElements *elements = assembly->elements;
  const size_t stride = 3 * GATHER, h_columns = (size_t)elements->h.cols, g_columns = (size_t)elements->g.cols;
  double *h = assembly->gathered[thread], *g = h + stride * h_columns;
  memset(h, 0, stride * (h_columns + g_columns) * sizeof *h);
  for (size_t i = begin; i < end; ++i) {
    const Rows rows = {h + 3 * (i - begin), g + 3 * (i - begin), stride, stride};
    add_surface(assembly->surface, assembly->surface->mesh->vertices[i], (int)i, -1, &rows);
    complete_diagonal(elements->vertex_count, (int)i, rows.h, stride);
  }
  const size_t bytes = 3 * (end - begin) * sizeof *h;
  for (size_t c = 0; c < h_columns; ++c)
    memcpy(tac_dense_column(&elements->h, (int)c) + 3 * begin, h + c * stride, bytes);
  for (size_t c = 0; c < g_columns; ++c)
    memcpy(tac_dense_column(&elements->g, (int)c) + 3 * begin, g + c * stride, bytes);
}

static tacStatus assemble(const Surface *surface, int thread_count, const tacProgress *progress,
                          tacBoundaryElements *elements, tacError *error) {
  if (thread_count <= 0) thread_count = tac_parallel_core_count();
  Assembly assembly = {surface, elements, NULL};
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  assembly.gathered = tac_arrays_add(&work, (size_t)thread_count, sizeof *assembly.gathered);
  TAC_TRY(tac_arrays_status(&work, "rows", error));
  size_t columns = (size_t)elements->h.cols + (size_t)elements->g.cols;
  for (int t = 0; t < thread_count; ++t)
    assembly.gathered[t] = tac_arrays_add(&work, 3 * GATHER * columns, sizeof(double));
  TAC_TRY(tac_arrays_status(&work, "rows of boundary elements", error));
  return tac_parallel_for(thread_count, (size_t)elements->vertex_count, GATHER, assemble_points, &assembly, progress,
                          "boundary elements", error);
}

/* The trace of T is -3 / (4 pi) times the kernel of the solid angle, and triangles at the vertex have no part in it: so a
 * third of the diagonal block's trace is the part of a small ball about the vertex that the body fills. */
static tacStatus check_orientation(const tacBoundaryElements *elements, tacError *error) {
  for (int v = 0; v < elements->vertex_count; ++v) {
    double trace = 0.0;
    for (int i = 3 * v; i < 3 * v + 3; ++i) trace += tac_dense_column(&elements->h, i)[i];
    if (!(trace > 0.0) || !(trace < 3.0))
      return tac_error_set(
          error, TAC_ERR_GEOMETRY,
          "the body fills %.3g of the full solid angle at vertex %d; this lies between 0 and 1 if all triangles face "
          "outward and none intersect",
          trace / 3.0, v);
  }
  return TAC_OK;
}

static tacStatus check_size(int vertices, int nodes, size_t most_bytes, tacError *error) {
  double bytes = 72.0 * vertices * ((double)vertices + nodes);
  if (most_bytes > 0 && bytes > (double)most_bytes)
    return tac_error_set(error, TAC_ERR_MEMORY,
                         "boundary elements with %d vertices and %d traction nodes need %.1f MiB, but at most %.1f "
                         "MiB are allowed",
                         vertices, nodes, bytes / 1048576.0, (double)most_bytes / 1048576.0);
  return TAC_OK;
}

tacStatus tac_boundary_elements_create(const tacTriMesh *mesh, const tacBoundaryDef *def, size_t most_bytes,
                                       const tacProgress *progress, tacBoundaryElements **result, tacError *error) {
  *result = NULL;
  if (mesh->vertex_count > INT_MAX / 9 || mesh->triangle_count > INT_MAX / 9)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "the mesh has too many vertices or triangles (%d and %d); at "
                         "most %d are supported",
                         mesh->vertex_count, mesh->triangle_count, INT_MAX / 9);
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(check_size(mesh->vertex_count, mesh->vertex_count, most_bytes, error));
  TAC_OWN(Surface, surface) = NULL;
  TAC_TRY(create_surface(mesh, def, &surface, error));
  TAC_OWN(tacBoundaryElements, elements) = tac_array_create(1, sizeof *elements, "boundary elements", error);
  if (elements == NULL) return TAC_ERR_MEMORY;
  double volume = tac_trimesh_volume(mesh);
  if (!(volume > 0.0))
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the mesh encloses a volume of %g m^3; it must be positive, so the "
                         "triangles must face outward",
                         volume);
  TAC_TRY(create_nodes(surface, def->crease, elements, error));
  elements->vertex_count = mesh->vertex_count;
  surface->traction_of = (const int(*)[3])elements->traction_of;
  TAC_TRY(check_size(mesh->vertex_count, elements->traction_count, most_bytes, error));
  TAC_TRY(tac_dense_create(3 * mesh->vertex_count, 3 * mesh->vertex_count, &elements->h, error));
  TAC_TRY(tac_dense_create(3 * mesh->vertex_count, 3 * elements->traction_count, &elements->g, error));
  TAC_TRY(assemble(surface, def->thread_count, progress, elements, error));
  TAC_TRY(check_orientation(elements, error));
  *result = tac_give(&elements);
  return TAC_OK;
}

void tac_boundary_elements_destroy(tacBoundaryElements *elements) {
  if (elements == NULL) return;
  free(elements->traction_of);
  free(elements->vertex_of);
  free(elements->area);
  tac_dense_destroy(&elements->h);
  tac_dense_destroy(&elements->g);
  free(elements);
}

/* ---- rows for other points ---- */

typedef struct {
  const Surface *surface;
  const tacSurfacePoint *on; /* one of the three; the others are NULL */
  const tacVec3 *inside;
  const int *vertices;
  tacDense *h, *g;
} Points;

static Rows rows_at(const Points *points, size_t row) {
  return (Rows){points->h->a + row, points->g->a + row, (size_t)points->h->stride, (size_t)points->g->stride};
}

/* Of points on the surface, vertices, or displacements inside: three rows each. */
static void add_points(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Points *points = context;
  const tacTriMesh *mesh = points->surface->mesh;
  for (size_t p = begin; p < end; ++p) {
    const Rows rows = rows_at(points, 3 * p);
    if (points->inside != NULL) {
      add_surface(points->surface, points->inside[p], -1, -1, &rows);
    } else if (points->vertices != NULL) {
      add_surface(points->surface, mesh->vertices[points->vertices[p]], points->vertices[p], -1, &rows);
      complete_diagonal(mesh->vertex_count, points->vertices[p], rows.h, rows.h_stride);
    } else {
      const tacSurfacePoint *on = &points->on[p];
      const tacVec3 *corner = points->surface->triangles[on->triangle].corner;
      tacVec3 x = tac_vec3_scale(on->weight[0], corner[0]);
      x = tac_vec3_mad(tac_vec3_mad(x, on->weight[1], corner[1]), on->weight[2], corner[2]);
      add_surface(points->surface, x, -1, on->triangle, &rows);
      for (int a = 0; a < 3; ++a) {
        double half = 0.5 * on->weight[a], block[3][3] = {{half, 0.0, 0.0}, {0.0, half, 0.0}, {0.0, 0.0, half}};
        add_block(rows.h, rows.h_stride, mesh->triangles[on->triangle].v[a], block);
      }
    }
  }
}

static void add_stresses(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Points *points = context;
  const Surface *surface = points->surface;
  tacStressIntegral integral;
  for (size_t p = begin; p < end; ++p) {
    const Rows rows = rows_at(points, 6 * p);
    for (int t = 0; t < surface->mesh->triangle_count; ++t) {
      tac_triangle_integral_stress(&surface->kelvin, &surface->rules, &surface->triangles[t], points->inside[p],
                                   &integral);
      for (int a = 0; a < 3; ++a) {
        size_t v = (size_t)surface->mesh->triangles[t].v[a], node = (size_t)surface->traction_of[t][a];
        for (size_t j = 0; j < 3; ++j)
          for (size_t i = 0; i < 6; ++i) {
            rows.h[i + (3 * v + j) * rows.h_stride] += integral.s[a][i][j];
            rows.g[i + (3 * node + j) * rows.g_stride] += integral.d[a][i][j];
          }
      }
    }
  }
}

/* Fills `rows_each` rows for each of `count` points of matrices that are created here. */
static tacStatus create_rows(const tacTriMesh *mesh, const tacBoundaryDef *def, const tacBoundaryElements *elements,
                             int count, int rows_each, tacParallelFn function, Points points, tacError *error) {
  *points.h = *points.g = (tacDense){0};
  if (count < 0 || count > INT_MAX / rows_each)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of points (%d); 0 to %d are allowed", count,
                         INT_MAX / rows_each);
  TAC_OWN(Surface, surface) = NULL;
  TAC_TRY(create_surface(mesh, def, &surface, error));
  surface->traction_of = (const int(*)[3])elements->traction_of;
  points.surface = surface;
  tacStatus status = tac_dense_create(rows_each * count, 3 * elements->vertex_count, points.h, error);
  if (status == TAC_OK) status = tac_dense_create(rows_each * count, 3 * elements->traction_count, points.g, error);
  if (status == TAC_OK)
    status = tac_parallel_for(def->thread_count, (size_t)count, 1, function, &points, NULL, "boundary elements", error);
  if (status == TAC_OK) return TAC_OK;
  tac_dense_destroy(points.h);
  tac_dense_destroy(points.g);
  return status;
}

tacStatus tac_boundary_elements_rows(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                     const tacBoundaryElements *elements, int count, const tacSurfacePoint *points,
                                     tacDense *h_rows, tacDense *g_rows, tacError *error) {
  *h_rows = *g_rows = (tacDense){0};
  for (int p = 0; p < count; ++p) {
    const double *w = points[p].weight;
    if (points[p].triangle < 0 || points[p].triangle >= mesh->triangle_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "point %d lies on triangle %d, but there are only %d triangles", p,
                           points[p].triangle, mesh->triangle_count);
    if (!(w[0] >= 1e-3) || !(w[1] >= 1e-3) || !(w[2] >= 1e-3) || !(fabs(w[0] + w[1] + w[2] - 1.0) < 1e-9))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "point %d has the weights %g %g %g; each must be at least 0.001 and their sum 1", p, w[0],
                           w[1], w[2]);
  }
  return create_rows(mesh, def, elements, count, 3, add_points, (Points){.on = points, .h = h_rows, .g = g_rows},
                     error);
}

tacStatus tac_boundary_elements_again(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                      const tacBoundaryElements *elements, int count, const int *vertices,
                                      tacDense *h_rows, tacDense *g_rows, tacError *error) {
  tacBoundaryDef alone = *def;
  alone.thread_count = 1;
  return create_rows(mesh, &alone, elements, count, 3, add_points,
                     (Points){.vertices = vertices, .h = h_rows, .g = g_rows}, error);
}

/* Nearer to the surface than this part of the box's longest side counts as outside: the kernels of stress grow as the
 * distance to the power -3. */
#define LEAST_DEPTH 1e-6

tacStatus tac_boundary_elements_inner(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                      const tacBoundaryElements *elements, int count, const tacVec3 *points,
                                      tacInnerQuantity quantity, tacDense *h_rows, tacDense *g_rows, tacError *error) {
  *h_rows = *g_rows = (tacDense){0};
  tacTriangleTree *tree;
  TAC_TRY(tac_triangle_tree_create(mesh, &tree, error));
  double least = LEAST_DEPTH * tac_box_longest(tac_trimesh_box(mesh));
  int p = 0; /* the first that is not inside */
  while (p < count && tac_vec3_finite(points[p]) && tac_triangle_tree_winding(tree, points[p]) > 0.5 &&
         tac_triangle_tree_distance(tree, points[p], NULL, NULL) >= least)
    ++p;
  tac_triangle_tree_destroy(tree);
  if (p < count)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "point %d (%g, %g, %g) is not inside the body; it must be at least %.2g m below the surface",
                         p, points[p].x, points[p].y, points[p].z, least);
  bool stress = quantity == TAC_INNER_STRESS;
  return create_rows(mesh, def, elements, count, stress ? 6 : 3, stress ? add_stresses : add_points,
                     (Points){.inside = points, .h = h_rows, .g = g_rows}, error);
}
