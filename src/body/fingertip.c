#include "body/fingertip.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/owned.h"
#include "body/response.h"
#include "math/dense/dense.h"
#include "math/geometry/mat3.h"
#include "math/geometry/vec3.h"

/* Cosine of 50 degrees: an edge is sharp if the angle between the adjacent normals is larger. */
static const double sharp_cosine = 0.64;
static const double static_step = 1e3; /* length of a step in which a body comes to rest, s */
enum { SMOOTHINGS = 2 };

/* Coefficients A, B and C of rho (body/fingertip.h): the ratio of the compliance of a half space near a sharp edge to
 * the compliance far from the edge. rho is 1 beyond `far` radii, where the fit ends. */
typedef struct Edge {
  double a, b, c;
} Edge;
static const Edge edge_normal = {1.70, 0.78, 1.44}, edge_across = {2.00, 0.73, 0.61}, edge_along = {1.25, 1.29, 0.33};

static double softer(Edge e, double x) {
  const double far = 8.0, rest = e.a / (1.0 + e.b * far + e.c * far * far);
  return x < far ? 1.0 + e.a / (1.0 + e.b * x + e.c * x * x) - rest : 1.0;
}

/* Returns the mean of rho for the tangential directions across and along the edge. */
static double softer_across(double x) {
  return 0.5 * (softer(edge_across, x) + softer(edge_along, x));
}

static double tangential(double poisson) {
  return (2.0 - poisson) / (2.0 * (1.0 - poisson));
}

tacDent tac_fingertip_half_space(double a, double edge, double young, double poisson) {
  double unit = 0.6 * (1.0 - poisson * poisson) / (young * a);
  return (tacDent){unit * softer(edge_normal, edge / a), unit * tangential(poisson) * softer_across(edge / a)};
}

tacDent tac_fingertip_dent(double a, double reach, double size, double edge, double young, double poisson) {
  double unit = 0.6 * (1.0 - poisson * poisson) / young, volume = 1.0 / fmax(1.0 - 2.0 * poisson, 0.02);
  double normal = sqrt(reach * reach + (0.85 + 0.038 * volume) * size * size);
  double across = sqrt(reach * reach + (1.25 + 0.066 * volume) * size * size);
  tacDent whole = tac_fingertip_half_space(a, edge, young, poisson);
  return (tacDent){fmax(0.0, whole.normal - unit * softer(edge_normal, edge / reach) / normal),
                   fmax(0.0, whole.across - unit * tangential(poisson) * softer_across(edge / reach) / across)};
}

/* ---- the surface ---- */

/* Computes the size h of each vertex: the square root of the vertex area, which is first smoothed over neighbours. */
static void find_sizes(const tacTriMesh *mesh, double *size, double *sum, double *count) {
  for (int v = 0; v < mesh->vertex_count; ++v) size[v] = 0.0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]];
    tacVec3 twice = tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a));
    for (int k = 0; k < 3; ++k) size[v[k]] += tac_vec3_norm(twice) / 6.0;
  }
  for (int turn = 0; turn < SMOOTHINGS; ++turn) {
    for (int v = 0; v < mesh->vertex_count; ++v) {
      sum[v] = size[v];
      count[v] = 1.0;
    }
    for (int t = 0; t < mesh->triangle_count; ++t)
      for (int k = 0; k < 3; ++k) { /* each edge belongs to two triangles, so each neighbour counts twice */
        int v = mesh->triangles[t].v[k], next = mesh->triangles[t].v[(k + 1) % 3];
        sum[v] += size[next];
        sum[next] += size[v];
        count[v] += 1.0;
        count[next] += 1.0;
      }
    for (int v = 0; v < mesh->vertex_count; ++v) size[v] = sum[v] / count[v];
  }
  for (int v = 0; v < mesh->vertex_count; ++v) size[v] = sqrt(size[v]);
}

static bool is_sharp(const tacSurfaceWalk *walk, int t, int side) {
  int other = walk->neighbour[t][side];
  return other < 0 || tac_vec3_dot(walk->face_normal[t], walk->face_normal[other]) < sharp_cosine;
}

static double segment_distance(tacVec3 p, tacVec3 a, tacVec3 b) {
  tacVec3 ab = tac_vec3_sub(b, a);
  double s = tac_vec3_dot(tac_vec3_sub(p, a), ab) / tac_vec3_norm2(ab);
  return tac_vec3_distance(p, tac_vec3_mad(a, fmin(1.0, fmax(0.0, s)), ab));
}

/* Computes the distance of each vertex to the nearest sharp edge, m; INFINITY if the surface has no sharp edge. */
static void find_edges(const tacSurfaceWalk *walk, double *edge) {
  const tacTriMesh *mesh = walk->mesh;
  for (int v = 0; v < mesh->vertex_count; ++v) edge[v] = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int side = 0; side < 3; ++side) {
      if (!is_sharp(walk, t, side)) continue;
      const int *corner = mesh->triangles[t].v;
      tacVec3 a = mesh->vertices[corner[side]], b = mesh->vertices[corner[(side + 1) % 3]];
      for (int v = 0; v < mesh->vertex_count; ++v) edge[v] = fmin(edge[v], segment_distance(mesh->vertices[v], a, b));
    }
}

/* Finds a surface point at each vertex. */
static void find_places(const tacTriMesh *mesh, tacSurfacePoint *place) {
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int k = 0; k < 3; ++k)
      place[mesh->triangles[t].v[k]] =
          (tacSurfacePoint){t, {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}};
}

void tac_fingertip_patch(const tacFingertip *tip, tacSurfacePoint at, tacPatch *patch, tacVec3 *gradient) {
  const int *v = tip->walk->mesh->triangles[at.triangle].v;
  double reach = at.weight[0] * tip->reach[v[0]] + at.weight[1] * tip->reach[v[1]] + at.weight[2] * tip->reach[v[2]];
  tac_patch_find(tip->walk, at, reach, patch, gradient);
}

/* Computes `sag` of each vertex. The mean over a patch of a curved surface lies inside the body. If each vertex of the
 * patch is moved by `sag`, the mean lies on the surface. */
static void find_sag(tacFingertip *tip, const tacSurfacePoint *place, const double *edge) {
  const tacTriMesh *mesh = tip->walk->mesh;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacPatch patch;
    tip->sag[v] = tac_vec3(0.0, 0.0, 0.0);
    /* Near a sharp edge `sag` stays zero, so the edge feels rounded. */
    if (edge[v] < tip->reach[v] || place[v].triangle < 0) continue;
    tac_fingertip_patch(tip, place[v], &patch, NULL);
    tip->sag[v] = mesh->vertices[v];
    for (int i = 0; i < patch.count; ++i)
      tip->sag[v] = tac_vec3_mad(tip->sag[v], -patch.weight[i], mesh->vertices[patch.vertex[i]]);
  }
}

/* ---- compliance of a body with coordinates ---- */

/* Returns the compliance of a body with coordinates under a patch, at rest. The tangential compliance is the mean of
 * the two tangential directions. */
static tacDent own_dent(const tacBody *body, const tacDense *factor, const tacPatch *patch, tacVec3 normal,
                        double *rows, double *solved) {
  int n = factor->rows;
  tacSite site = {TAC_SITE_PATCH, 0, {0.0, 0.0, 0.0}};
  const double axis[3] = {normal.x, normal.y, normal.z};
  tac_response_rows(body, patch, &site, rows);
  double trace = 0.0, along = 0.0;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i) solved[i] = rows[k * n + i];
    tac_dense_loop_cholesky_solve(factor, solved);
    for (int r = 0; r < 3; ++r) {
      double c = 0.0;
      for (int i = 0; i < n; ++i) c += rows[r * n + i] * solved[i];
      along += axis[r] * c * axis[k];
      if (r == k) trace += c;
    }
  }
  return (tacDent){along, 0.5 * (trace - along)};
}

/* Returns the smallest depth (m) below the vertex `v` at which a vertex is fixed, within 45 degrees of the normal.
 * INFINITY: no vertex is fixed there. */
static double held_depth(const tacBody *body, const tacSurfaceWalk *walk, int v) {
  const bool *fixed = tac_body_describe(body).fixed;
  const tacTriMesh *mesh = walk->mesh;
  double least = INFINITY;
  for (int i = 0; fixed != NULL && i < mesh->vertex_count; ++i) {
    if (!fixed[i]) continue;
    tacVec3 way = tac_vec3_sub(mesh->vertices[i], mesh->vertices[v]);
    double depth = -tac_vec3_dot(way, walk->vertex_normal[v]);
    if (depth > 0.0 && 2.0 * depth * depth >= tac_vec3_norm2(way)) least = fmin(least, depth);
  }
  return least;
}

/* Returns the compliance (m/N) that a half space loses if it is fixed at the depth H:
 *     (1 / pi E* H) int (1 - f(s)) P(s a / H)^2 ds,
 *     f(s) = (2 c sinh 2s - 4 s) / (2 c cosh 2s + 1 + c^2 + 4 s^2),   c = 3 - 4 nu.
 * P(z) = 3 (sin z - z cos z) / z^3 is the transform of Hertz's pressure. The midpoint rule is accurate to 0.1 %. */
static double lacks_below(double a, double depth, double young, double poisson) {
  enum { POINTS = 32 };
  const double most = 8.0, c = 3.0 - 4.0 * poisson, pi = 3.141592653589793;
  double sum = 0.0;
  for (int i = 0; i < POINTS && isfinite(depth); ++i) {
    double s = (i + 0.5) * most / POINTS, z = s * a / depth;
    double f = (2.0 * c * sinh(2.0 * s) - 4.0 * s) / (2.0 * c * cosh(2.0 * s) + 1.0 + c * c + 4.0 * s * s);
    double p = z > 1e-2 ? 3.0 * (sin(z) - z * cos(z)) / (z * z * z) : 1.0 - 0.1 * z * z;
    sum += (1.0 - f) * p * p * most / POINTS;
  }
  return sum > 0.0 ? sum * (1.0 - poisson * poisson) / (pi * young * depth) : 0.0;
}

/* Returns the compliance that a body with coordinates should have under the fingertip, excluding rigid motion. A fixed
 * vertex below reduces the normal and the tangential compliance by the same ratio. */
static tacDent whole_dent(const tacBody *body, const tacFingertip *tip, int v) {
  tacDent most = tip->most[v];
  double young, poisson;
  if (most.normal == 0.0 || !body->table->material(body->self, v, &young, &poisson)) return most;
  double left = most.normal - lacks_below(tip->radius, held_depth(body, tip->walk, v), young, poisson);
  double share = fmax(0.0, left / most.normal);
  return (tacDent){share * most.normal, share * most.across};
}

static tacStatus find_own_dents(const tacBody *body, tacFingertip *tip, const tacSurfacePoint *place, tacError *error) {
  int n = tac_body_size(body);
  size_t size = (size_t)n;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *matrix = tac_arrays_add(&work, size * size, sizeof *matrix);
  double *load = tac_arrays_add(&work, size, sizeof *load);
  double *rows = tac_arrays_add(&work, 3 * size, sizeof *rows);
  TAC_TRY(tac_arrays_status(&work, "a fingertip", error));
  tacBodyStep step = {.length = static_step, .euler = true};
  tacDense factor = {n, n, n, matrix};
  bool good = body->table->linearise(body->self, &step, matrix, load) && tac_dense_loop_cholesky(&factor);
  for (int v = 0; v < tip->walk->mesh->vertex_count; ++v) {
    tacPatch patch;
    tacDent *dent = &tip->dent[v];
    *dent = whole_dent(body, tip, v);
    if (!good || place[v].triangle < 0 || dent->normal == 0.0) continue;
    tac_fingertip_patch(tip, place[v], &patch, NULL);
    tacDent own = own_dent(body, &factor, &patch, tip->walk->vertex_normal[v], rows, load);
    dent->normal = fmax(0.0, dent->normal - own.normal);
    dent->across = fmax(0.0, dent->across - own.across);
  }
  return TAC_OK;
}

/* ---- creation ---- */

tacStatus tac_fingertip_create(const tacBody *body, const tacSurfaceWalk *walk, double radius, tacFingertip *tip,
                               tacError *error) {
  const tacTriMesh *mesh = walk->mesh;
  size_t vertices = (size_t)mesh->vertex_count;
  *tip = (tacFingertip){.radius = radius, .walk = walk};
  tip->reach = tac_arrays_add(&tip->arrays, vertices, sizeof *tip->reach);
  tip->sag = tac_arrays_add(&tip->arrays, vertices, sizeof *tip->sag);
  tip->dent = tac_arrays_add(&tip->arrays, vertices, sizeof *tip->dent);
  tip->most = tac_arrays_add(&tip->arrays, vertices, sizeof *tip->most);
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  double *size = tac_arrays_add(&work, vertices, sizeof *size);
  double *edge = tac_arrays_add(&work, vertices, sizeof *edge);
  double *count = tac_arrays_add(&work, vertices, sizeof *count);
  tacSurfacePoint *place = tac_arrays_add(&work, vertices, sizeof *place);
  TAC_TRY(tac_arrays_status(&tip->arrays, "a fingertip", error));
  TAC_TRY(tac_arrays_status(&work, "a fingertip", error));
  find_sizes(mesh, size, edge, count);
  find_edges(walk, edge);
  for (size_t v = 0; v < vertices; ++v) place[v].triangle = -1;
  find_places(mesh, place);
  for (size_t v = 0; v < vertices; ++v) {
    double young, poisson;
    tip->reach[v] = fmax(radius, size[v]);
    if (body->table->material == NULL || !body->table->material(body->self, (int)v, &young, &poisson)) continue;
    if (v == 0) tip->young = young;
    tip->most[v] = tac_fingertip_half_space(radius, edge[v], young, poisson);
    tip->dent[v] = tac_fingertip_dent(radius, tip->reach[v], size[v], edge[v], young, poisson);
  }
  find_sag(tip, place, edge);
  return tac_body_size(body) > 0 ? find_own_dents(body, tip, place, error) : TAC_OK;
}

void tac_fingertip_destroy(tacFingertip *tip) {
  tac_arrays_free(&tip->arrays);
  *tip = (tacFingertip){0};
}
