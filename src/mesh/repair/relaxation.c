#include "mesh/repair/relaxation.h"

#include <math.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/mat3.h"
#include "mesh/edge_table.h"
#include "mesh/query/self_intersection.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/triangle_key.h"

TAC_OWNED_TYPE(tacTriangleTree, tac_triangle_tree_destroy)
TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)

enum { SWEEPS = 40, FITS = 10, FIT_SAMPLES = 4 };

/* A move leaves no triangle below this quality (1: equilateral), except where the worst around the vertex gets better. */
static const double least_quality = 0.6;
/* Cosines: no triangle turns further than the one at once, nor folds further against its neighbour than the other. */
static const double least_turn = 0.5, least_fold = 0.3;
/* What a diagonal's distance from the surface, over its length, and an uneven number of neighbours count for against the
 * quality of its triangles. */
static const double distance_weight = 2.0, valence_weight = 0.03;
/* Directions in which the normals of a patch spread less than this share of their tensor are free: a ridge of 40 degrees has
 * 0.12, a sphere's patch 0.02 where its edges are half the radius. */
static const double ridge_share = 0.06;

/* The part of the original that a vertex stands for: its area, the sum of its points and of the squared distances from its
 * planes, x.Ax + 2 b.x + ..., weighted by area. */
typedef struct {
  double area;
  double offset; /* of the fit, times area; then `centre` is the sum of normals */
  tacVec3 centre, b;
  tacMat3 a;
} Patch;

/* Side 3 t + s runs from corner s of triangle t to the next one. */
typedef struct {
  tacTriMesh *mesh;
  const tacTriMesh *original;
  const tacTriangleTree *tree;
  int *twin;    /* of a side: the same edge in the other triangle */
  int *leaving; /* of a vertex: a side that starts there */
  int *valence;
  Patch *patches;
} Work;

static int next_side(int side) {
  return side % 3 == 2 ? side - 2 : side + 1;
}

static int previous_side(int side) {
  return side % 3 == 0 ? side + 2 : side - 1;
}

static tacVec3 point_of(const Work *w, int v) {
  return w->mesh->vertices[v];
}

/* The vertex opposite to a side, in its triangle. */
static int opposite(const Work *w, int side) {
  return tac_side_start(w->mesh, previous_side(side));
}

static int next_around(const Work *w, int side) {
  return w->twin[previous_side(side)];
}

static tacVec3 twice_area(tacVec3 p, tacVec3 q, tacVec3 r) {
  return tac_vec3_cross(tac_vec3_sub(q, p), tac_vec3_sub(r, p));
}

/* Flips */

static double diagonal_score(const Work *w, int a, int b, int c, int d) {
  tacVec3 pa = point_of(w, a), pb = point_of(w, b), pc = point_of(w, c), pd = point_of(w, d);
  double off = tac_triangle_tree_distance(w->tree, tac_vec3_mix(pa, pb, 0.5), NULL, NULL);
  return fmin(tac_triangle_quality(pa, pb, pc), tac_triangle_quality(pb, pa, pd)) -
         distance_weight * off / tac_vec3_distance(pa, pb);
}

static double valence_excess(const Work *w, const int v[4], const int change[4]) {
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    double before = w->valence[v[i]] - 6, after = before + change[i];
    sum += after * after - before * before;
  }
  return sum;
}

static bool are_neighbours(const Work *w, int a, int b) {
  int side = w->leaving[a];
  do {
    if (tac_side_end(w->mesh, side) == b) return true;
    side = next_around(w, side);
  } while (side != w->leaving[a]);
  return false;
}

/* Whether a triangle of the new pair would be turned over, or the two folded against each other more than the old ones. */
static bool folds(const Work *w, int a, int b, int c, int d) {
  tacVec3 pa = point_of(w, a), pb = point_of(w, b), pc = point_of(w, c), pd = point_of(w, d);
  tacVec3 old0 = twice_area(pa, pb, pc), old1 = twice_area(pb, pa, pd);
  tacVec3 new0 = tac_vec3_unit(twice_area(pa, pd, pc)), new1 = tac_vec3_unit(twice_area(pd, pb, pc));
  tacVec3 mean = tac_vec3_unit(tac_vec3_add(old0, old1));
  if (tac_vec3_dot(new0, mean) < least_turn || tac_vec3_dot(new1, mean) < least_turn) return true;
  double before = tac_vec3_dot(tac_vec3_unit(old0), tac_vec3_unit(old1)), after = tac_vec3_dot(new0, new1);
  return after < least_fold && after < before;
}

/* The edge a b between a b c and b a d becomes d c. */
static void flip(Work *w, int side, int a, int b, int c, int d) {
  int twin = w->twin[side], t = side / 3, u = twin / 3;
  int bc = w->twin[next_side(side)], ca = w->twin[previous_side(side)];
  int ad = w->twin[next_side(twin)], db = w->twin[previous_side(twin)];
  w->mesh->triangles[t] = (tacTriangle){{a, d, c}};
  w->mesh->triangles[u] = (tacTriangle){{d, b, c}};
  const int mine[5] = {3 * t, 3 * t + 1, 3 * t + 2, 3 * u, 3 * u + 1}, theirs[5] = {ad, 3 * u + 2, ca, db, bc};
  for (int i = 0; i < 5; ++i) {
    w->twin[mine[i]] = theirs[i];
    w->twin[theirs[i]] = mine[i];
  }
  w->leaving[a] = 3 * t;
  w->leaving[d] = 3 * u;
  w->leaving[b] = 3 * u + 1;
  w->leaving[c] = 3 * t + 2;
  --w->valence[a];
  --w->valence[b];
  ++w->valence[c];
  ++w->valence[d];
}

static void flip_edges(Work *w) {
  for (int side = 0; side < 3 * w->mesh->triangle_count; ++side) {
    int twin = w->twin[side];
    if (twin < side) continue;
    int a = tac_side_start(w->mesh, side), b = tac_side_end(w->mesh, side);
    int c = opposite(w, side), d = opposite(w, twin);
    if (w->valence[a] <= 3 || w->valence[b] <= 3 || are_neighbours(w, c, d) || folds(w, a, b, c, d)) continue;
    double gain = diagonal_score(w, d, c, a, b) - diagonal_score(w, a, b, c, d);
    gain -= valence_weight * valence_excess(w, (const int[4]){a, b, c, d}, (const int[4]){-1, -1, 1, 1});
    if (gain > 0.01) flip(w, side, a, b, c, d);
  }
}

/* Moves */

/* Where in triangle p q r is x: its barycentric coordinates in the triangle's plane. */
static void coordinates(tacVec3 p, tacVec3 q, tacVec3 r, tacVec3 x, double at[3]) {
  tacVec3 n = twice_area(p, q, r);
  double total = tac_vec3_norm2(n);
  at[0] = total > 0.0 ? tac_vec3_dot(n, twice_area(x, q, r)) / total : 1.0;
  at[1] = total > 0.0 ? tac_vec3_dot(n, twice_area(p, x, r)) / total : 0.0;
  at[2] = 1.0 - at[0] - at[1];
}

/* Gives every triangle of the original to the corners of the triangle of the mesh that is nearest, by the squares of its
 * coordinates there; what faces the other way belongs to another part. */
static tacStatus gather_patches(Work *w, tacError *error) {
  const tacTriMesh *mesh = w->mesh;
  TAC_OWN(tacTriangleTree, tree) = NULL;
  TAC_TRY(tac_triangle_tree_create(mesh, &tree, error));
  memset(w->patches, 0, (size_t)mesh->vertex_count * sizeof *w->patches);
  for (int t = 0; t < w->original->triangle_count; ++t) {
    const int *o = w->original->triangles[t].v;
    const tacVec3 *p = w->original->vertices;
    tacVec3 centre = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(p[o[0]], tac_vec3_add(p[o[1]], p[o[2]]))), near;
    tacVec3 twice = twice_area(p[o[0]], p[o[1]], p[o[2]]), n = tac_vec3_unit(twice);
    int under;
    tac_triangle_tree_distance(tree, centre, &under, &near);
    const int *v = mesh->triangles[under].v;
    tacVec3 a = point_of(w, v[0]), b = point_of(w, v[1]), c = point_of(w, v[2]);
    if (tac_vec3_dot(n, twice_area(a, b, c)) <= 0.0) continue;
    double at[3];
    coordinates(a, b, c, near, at);
    for (int i = 0; i < 3; ++i) {
      double weight = at[i] * at[i] * 0.5 * tac_vec3_norm(twice);
      Patch *patch = &w->patches[v[i]];
      patch->area += weight;
      patch->centre = tac_vec3_mad(patch->centre, weight, centre);
      patch->a = tac_mat3_add(patch->a, tac_mat3_scale(weight, tac_mat3_outer(n, n)));
      patch->b = tac_vec3_mad(patch->b, -weight * tac_vec3_dot(n, centre), n);
    }
  }
  return TAC_OK;
}

/* The middle of a vertex's patch, moved to where the patch's planes want it. The tensor A of their normals, of trace 1, has
 * one large eigenvalue on a smooth surface, two on a ridge and three at a corner; steps (A^2 + s^2 I)^-1 A (A x + b),
 * repeated, take out errors along the large ones and leave the rest. */
static tacVec3 wanted_point(const Work *w, int v) {
  const Patch *patch = &w->patches[v];
  tacVec3 p = point_of(w, v);
  if (!(patch->area > 0.0)) return p;
  tacVec3 x = tac_vec3_scale(1.0 / patch->area, patch->centre), b = tac_vec3_scale(1.0 / patch->area, patch->b);
  tacMat3 a = tac_mat3_scale(1.0 / patch->area, patch->a), inverse;
  double s2 = ridge_share * ridge_share;
  if (!tac_mat3_inverse(tac_mat3_add(tac_mat3_mul(a, a), tac_mat3_diagonal(s2, s2, s2)), &inverse)) return p;
  for (int i = 0; i < 3; ++i) {
    tacVec3 slope = tac_vec3_add(tac_mat3_mul_vec(a, x), b);
    x = tac_vec3_sub(x, tac_mat3_mul_vec(inverse, tac_mat3_mul_vec(a, slope)));
  }
  return x;
}

/* Whether the triangles around a vertex stay good when it moves to `x`. */
static bool stays_good(const Work *w, int v, tacVec3 x) {
  tacVec3 p = point_of(w, v);
  double worst_before = 1.0, worst_after = 1.0;
  int side = w->leaving[v];
  do {
    tacVec3 q = point_of(w, tac_side_end(w->mesh, side)), r = point_of(w, opposite(w, side));
    tacVec3 before = tac_vec3_unit(twice_area(p, q, r)), after = tac_vec3_unit(twice_area(x, q, r));
    if (tac_vec3_dot(before, after) < least_turn) return false;
    const int *o = w->mesh->triangles[w->twin[next_side(side)] / 3].v;
    tacVec3 beyond = tac_vec3_unit(twice_area(point_of(w, o[0]), point_of(w, o[1]), point_of(w, o[2])));
    if (tac_vec3_dot(after, beyond) < fmin(0.0, tac_vec3_dot(before, beyond))) return false;
    worst_before = fmin(worst_before, tac_triangle_quality(p, q, r));
    worst_after = fmin(worst_after, tac_triangle_quality(x, q, r));
    side = next_around(w, side);
  } while (side != w->leaving[v]);
  return worst_after >= fmin(worst_before, least_quality);
}

static void move_vertices(Work *w) {
  for (int v = 0; v < w->mesh->vertex_count; ++v) {
    if (w->leaving[v] < 0) continue;
    tacVec3 p = point_of(w, v), wanted = wanted_point(w, v), x;
    for (double step = 1.0; step > 0.1; step *= 0.5) {
      x = tac_vec3_mix(p, wanted, step);
      if (!stays_good(w, v, x)) continue;
      w->mesh->vertices[v] = x;
      break;
    }
  }
}

/* Moves vertices along their normals until the distance to the original, positive where that is outside, has a mean of zero
 * against the hat function of every vertex: the least squares fit, which keeps the volume and averages what is smaller than
 * the triangles. Steps with the lumped mass matrix converge, as its quotient with the full one is at most 4. */
static void fit_vertices(Work *w) {
  const tacTriMesh *mesh = w->mesh;
  memset(w->patches, 0, (size_t)mesh->vertex_count * sizeof *w->patches);
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 p = point_of(w, v[0]), q = point_of(w, v[1]), r = point_of(w, v[2]), twice = twice_area(p, q, r);
    tacVec3 n = tac_vec3_unit(twice);
    for (int i = 0; i < FIT_SAMPLES; ++i)
      for (int j = 0; i + j < FIT_SAMPLES; ++j) {
        double at[3] = {0.0, (i + 1.0 / 3.0) / FIT_SAMPLES, (j + 1.0 / 3.0) / FIT_SAMPLES};
        at[0] = 1.0 - at[1] - at[2];
        tacVec3 x = tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(at[0], p), at[1], q), at[2], r), near;
        tac_triangle_tree_distance(w->tree, x, NULL, &near);
        for (int k = 0; k < 3; ++k) {
          Patch *patch = &w->patches[v[k]];
          double weight = at[k] * tac_vec3_norm(twice);
          patch->area += weight;
          patch->centre = tac_vec3_mad(patch->centre, weight, n);
          patch->offset += weight * tac_vec3_dot(n, tac_vec3_sub(near, x));
        }
      }
  }
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const Patch *patch = &w->patches[v];
    if (!(patch->area > 0.0)) continue;
    tacVec3 x = tac_vec3_mad(point_of(w, v), patch->offset / patch->area, tac_vec3_unit(patch->centre));
    if (stays_good(w, v, x)) mesh->vertices[v] = x;
  }
}

static tacStatus start(Work *w, tacError *error) {
  tacTriMesh *mesh = w->mesh;
  TAC_FREED(tac_edge_table_free, tacEdgeTable, table) = {0};
  TAC_TRY(tac_edge_table_create(mesh, &table, error));
  memset(w->valence, 0, (size_t)mesh->vertex_count * sizeof *w->valence);
  for (int v = 0; v < mesh->vertex_count; ++v) w->leaving[v] = -1;
  for (int e = 0; e < table.edge_count; ++e) {
    const tacEdge *edge = &table.edges[e];
    if (edge->count != 2)
      return tac_error_set(error, TAC_ERR_GEOMETRY, "the edge between vertices %d and %d has %d triangles, not 2",
                           edge->a, edge->b, edge->count);
    for (int i = 0; i < 2; ++i) {
      int side = table.sides[edge->first + i];
      w->twin[side] = table.sides[edge->first + 1 - i];
      w->leaving[tac_side_start(mesh, side)] = side;
    }
    ++w->valence[edge->a];
    ++w->valence[edge->b];
  }
  return TAC_OK;
}

static tacStatus count_intersections(const tacTriMesh *mesh, int *pairs, tacError *error) {
  TAC_MEMORY(unsigned char, skip) = NULL;
  TAC_TRY(TAC_ARRAY(skip, (size_t)mesh->triangle_count, "triangles", error));
  return tac_self_intersection_count(mesh, skip, pairs, error);
}

static tacStatus improve(Work *w, int sweeps, tacError *error) {
  TAC_TRY(start(w, error));
  for (int i = 0; i < sweeps; ++i) {
    flip_edges(w);
    TAC_TRY(gather_patches(w, error));
    move_vertices(w);
  }
  for (int i = 0; i < FITS && sweeps > 0; ++i) fit_vertices(w);
  return TAC_OK;
}

tacStatus tac_trimesh_relax(const tacTriMesh *mesh, const tacTriMesh *original, tacTriMesh **relaxed, tacError *error) {
  TAC_OWN(tacTriangleTree, tree) = NULL;
  TAC_OWN(tacTriMesh, result) = NULL;
  TAC_FREED(tac_arrays_free, tacArrays, arrays) = {0};
  size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
  int before, after;
  *relaxed = NULL;
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_trimesh_require_closed(original, error));
  TAC_TRY(tac_triangle_tree_create(original, &tree, error));
  TAC_TRY(tac_trimesh_create(mesh->vertex_count, mesh->triangle_count, &result, error));
  Work w = {.mesh = result, .original = original, .tree = tree};
  w.twin = tac_arrays_add(&arrays, 3 * m, sizeof *w.twin);
  w.leaving = tac_arrays_add(&arrays, n, sizeof *w.leaving);
  w.valence = tac_arrays_add(&arrays, n, sizeof *w.valence);
  w.patches = tac_arrays_add(&arrays, n, sizeof *w.patches);
  TAC_TRY(tac_arrays_status(&arrays, "vertices and edges", error));
  TAC_TRY(count_intersections(mesh, &before, error));
  for (int sweeps = SWEEPS;; sweeps /= 2) { /* fewer where parts came to touch; none at last */
    memcpy(result->vertices, mesh->vertices, n * sizeof *mesh->vertices);
    memcpy(result->triangles, mesh->triangles, m * sizeof *mesh->triangles);
    TAC_TRY(improve(&w, sweeps, error));
    TAC_TRY(count_intersections(result, &after, error));
    if (after <= before || sweeps == 0) break;
  }
  *relaxed = tac_give(&result);
  return TAC_OK;
}
