#include <tactus/mesh.h>

#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"
#include "mesh/element_volume.h"
#include "mesh/query/box_tree.h"
#include "mesh/query/embedding.h"
#include "mesh/query/triangle_point.h"

/* How far a weight (tetrahedron) or a local coordinate (brick) may be outside for a point to count as inside: rounding at
 * a common face must not put a point outside of both its elements. */
static const double tolerance = 1e-10;
enum { MOST_NEWTON_STEPS = 30 };

TAC_OWNED_TYPE(tacEmbedding, tac_embedding_destroy)

typedef struct Search {
  const tacVolMesh *mesh;
  const tacVec3 *points;
  tacBoxTree *tree;
  int *items; /* elements with a volume; the tree's items are their positions here */
  tacEmbedding *embedding;
  unsigned char *outside; /* for each point */
} Search;

typedef struct Query {
  const Search *search;
  tacVec3 p;
  int item; /* the containing element of smallest index, -1: none yet */
} Query;

static bool is_tet(const tacVolMesh *mesh, int element) {
  return element < mesh->tet_count;
}

static const int *vertices_of(const tacVolMesh *mesh, int element) {
  return is_tet(mesh, element) ? mesh->tets[element].v : mesh->bricks[element - mesh->tet_count].v;
}

static void corners_of(const tacVolMesh *mesh, int element, tacVec3 corners[8]) {
  const int *v = vertices_of(mesh, element);
  for (int c = 0; c < (is_tet(mesh, element) ? 4 : 8); ++c) corners[c] = mesh->vertices[v[c]];
}

/* Corners relative to the first one, so that the place of the mesh does not cost digits; returns p relative to it. */
static tacVec3 local_corners_of(const tacVolMesh *mesh, int element, tacVec3 p, tacVec3 corners[8]) {
  corners_of(mesh, element, corners);
  tacVec3 first = corners[0];
  for (int c = 0; c < (is_tet(mesh, element) ? 4 : 8); ++c) corners[c] = tac_vec3_sub(corners[c], first);
  return tac_vec3_sub(p, first);
}

/* Barycentric coordinates, from the three edges at the first corner, so that they add up to 1. */
static void tet_weights(const tacVec3 *x, tacVec3 p, double weights[8]) {
  tacVec3 a = tac_vec3_sub(x[1], x[0]), b = tac_vec3_sub(x[2], x[0]), c = tac_vec3_sub(x[3], x[0]);
  tacVec3 r = tac_vec3_sub(p, x[0]), bc = tac_vec3_cross(b, c);
  double inverse = 1.0 / tac_vec3_dot(bc, a);
  weights[1] = inverse * tac_vec3_dot(bc, r);
  weights[2] = inverse * tac_vec3_dot(tac_vec3_cross(c, a), r);
  weights[3] = inverse * tac_vec3_dot(tac_vec3_cross(a, b), r);
  weights[0] = 1.0 - weights[1] - weights[2] - weights[3];
}

/* The change of local coordinates that moves the point by `r`, to first order; false where the map is singular. */
static bool solve_jacobian(const tacVec3 *corners, tacVec3 local, tacVec3 r, tacVec3 *change) {
  tacVec3 j[3];
  tac_brick_jacobian(corners, local, j);
  double determinant = tac_brick_determinant(j);
  *change = (tacVec3){tac_vec3_dot(tac_vec3_cross(j[1], j[2]), r) / determinant,
                      tac_vec3_dot(tac_vec3_cross(j[2], j[0]), r) / determinant,
                      tac_vec3_dot(tac_vec3_cross(j[0], j[1]), r) / determinant};
  return tac_vec3_finite(*change);
}

static tacVec3 clamp(tacVec3 a, double limit) {
  return tac_vec3_max(tac_vec3_min(a, tac_vec3(limit, limit, limit)), tac_vec3(-limit, -limit, -limit));
}

/* Newton's method for the local coordinates of p; true where it converged. Steps stay within twice the brick, where the
 * map of a usable brick is close to its linear part. */
static bool brick_local(const tacVec3 *corners, tacVec3 p, tacVec3 *local) {
  double step = INFINITY;
  *local = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < MOST_NEWTON_STEPS; ++i) {
    tacVec3 change;
    if (!solve_jacobian(corners, *local, tac_vec3_sub(p, tac_brick_point(corners, *local)), &change)) return false;
    tacVec3 next = clamp(tac_vec3_add(*local, change), 2.0);
    double moved = tac_vec3_distance(next, *local);
    step = tac_vec3_norm(change);
    *local = next;
    if (moved < 1e-13) break;
  }
  return step < tolerance; /* in a thin brick rounding keeps the steps from becoming smaller */
}

/* Trilinear weights N at the local coordinates, limited to the brick, and from there on along the tangent: N + grad N .
 * J^-1 (p - x). Their sum is 1 and they reproduce p, thus every linear function, also for points outside. */
static void brick_weights(const tacVec3 *corners, tacVec3 p, double weights[8]) {
  tacVec3 local, change;
  if (!brick_local(corners, p, &local) && !tac_vec3_finite(local)) local = tac_vec3(0.0, 0.0, 0.0);
  local = clamp(local, 1.0);
  if (!solve_jacobian(corners, local, tac_vec3_sub(p, tac_brick_point(corners, local)), &change)) {
    local = tac_vec3(0.0, 0.0, 0.0); /* singular at a corner */
    if (!solve_jacobian(corners, local, tac_vec3_sub(p, tac_brick_point(corners, local)), &change))
      change = tac_vec3(0.0, 0.0, 0.0);
  }
  tac_brick_weights(local, weights);
  for (int c = 0; c < 8; ++c) {
    const double *s = tac_brick_corner[c];
    double x = 1.0 + s[0] * local.x, y = 1.0 + s[1] * local.y, z = 1.0 + s[2] * local.z;
    weights[c] += 0.125 * (s[0] * y * z * change.x + s[1] * x * z * change.y + s[2] * x * y * change.z);
  }
}

static bool contains(const tacVolMesh *mesh, int element, tacVec3 p) {
  tacVec3 corners[8];
  p = local_corners_of(mesh, element, p, corners);
  if (is_tet(mesh, element)) {
    double w[8];
    tet_weights(corners, p, w);
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) >= -tolerance;
  }
  tacVec3 local;
  return brick_local(corners, p, &local) && fmax(fabs(local.x), fmax(fabs(local.y), fabs(local.z))) <= 1.0 + tolerance;
}

static int visit(int item, void *context) {
  Query *query = context;
  const Search *search = query->search;
  if ((query->item < 0 || item < query->item) && contains(search->mesh, search->items[item], query->p))
    query->item = item;
  return 1;
}

static double triangle_distance2(const tacVec3 *x, int a, int b, int c, tacVec3 p) {
  return tac_vec3_norm2(tac_vec3_sub(tac_triangle_closest(x[a], x[b], x[c], p), p));
}

/* To the element's boundary; a brick's face, which may be curved, counts as the four triangles of both its cuts. */
static double element_distance2(int item, tacVec3 p, void *context) {
  const Search *search = context;
  int element = search->items[item];
  tacVec3 x[8];
  corners_of(search->mesh, element, x);
  double least = INFINITY;
  if (is_tet(search->mesh, element)) {
    for (int c = 0; c < 4; ++c) least = fmin(least, triangle_distance2(x, (c + 1) % 4, (c + 2) % 4, (c + 3) % 4, p));
    return least;
  }
  for (int f = 0; f < 6; ++f) {
    const int *v = tac_brick_face[f];
    for (int c = 0; c < 4; ++c) least = fmin(least, triangle_distance2(x, v[c], v[(c + 1) % 4], v[(c + 2) % 4], p));
  }
  return least;
}

static void embed_point(Search *search, int point) {
  const tacVolMesh *mesh = search->mesh;
  tacVec3 p = search->points[point];
  Query query = {search, p, -1};
  tac_box_tree_overlap(search->tree, (tacBox){p, p}, visit, &query);
  if (query.item < 0) {
    search->outside[point] = 1;
    query.item = tac_box_tree_nearest(search->tree, p, INFINITY, element_distance2, search, NULL);
    if (query.item < 0) query.item = 0; /* so far away that every distance overflows */
  }
  int element = search->items[query.item];
  const int *v = vertices_of(mesh, element);
  tacVec3 corners[8];
  p = local_corners_of(mesh, element, p, corners);
  double *weights = search->embedding->weights[point];
  search->embedding->elements[point] = element;
  for (int c = 0; c < 8; ++c) {
    search->embedding->vertices[point][c] = v[is_tet(mesh, element) && c >= 4 ? 0 : c];
    weights[c] = 0.0;
  }
  if (is_tet(mesh, element))
    tet_weights(corners, p, weights);
  else
    brick_weights(corners, p, weights);
}

static void embed_range(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  for (size_t i = begin; i < end; ++i) embed_point(context, (int)i);
}

/* Elements without volume hold no point and have no weights. */
static tacStatus build_tree(Search *search, tacError *error) {
  const tacVolMesh *mesh = search->mesh;
  int element_count = mesh->tet_count + mesh->brick_count, count = 0;
  TAC_MEMORY(tacBox, boxes) = NULL;
  TAC_TRY(TAC_ARRAY(boxes, (size_t)element_count, "boxes", error));
  TAC_TRY(TAC_ARRAY(search->items, (size_t)element_count, "elements", error));
  for (int e = 0; e < element_count; ++e) {
    tacVec3 corners[8];
    corners_of(mesh, e, corners);
    tacBox box = tac_box_empty();
    for (int c = 0; c < (is_tet(mesh, e) ? 4 : 8); ++c) box = tac_box_add(box, corners[c]);
    double size = tac_box_longest(box);
    if (!(fabs(tac_element_volume(mesh, e)) > 1e-12 * size * size * size)) continue;
    search->items[count] = e;
    boxes[count++] = box;
  }
  if (count == 0) return tac_error_set(error, TAC_ERR_GEOMETRY, "the volume mesh has no element with a volume");
  return tac_box_tree_create(count, boxes, &search->tree, error);
}

static void free_search(Search *search) {
  tac_box_tree_destroy(search->tree);
  free(search->items);
  free(search->outside);
}

tacStatus tac_embedding_create(const tacVolMesh *mesh, int point_count, const tacVec3 *points, tacEmbedding **embedding,
                               tacError *error) {
  *embedding = NULL;
  if (point_count < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the number of points is %d; it must be 0 or "
                         "more",
                         point_count);
  for (int i = 0; i < point_count; ++i) {
    if (!tac_vec3_finite(points[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "point %d has a NaN or infinite coordinate", i);
  }
  TAC_OWN(tacEmbedding, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "an embedding", error));
  TAC_FREED(free_search, Search, search) = {.mesh = mesh, .points = points, .embedding = made};
  size_t count = (size_t)point_count;
  made->point_count = point_count;
  TAC_TRY(TAC_ARRAY(made->elements, count, "an embedding", error));
  TAC_TRY(TAC_ARRAY(made->vertices, count, "an embedding", error));
  TAC_TRY(TAC_ARRAY(made->weights, count, "an embedding", error));
  TAC_TRY(TAC_ARRAY(search.outside, count, "an embedding", error));
  TAC_TRY(build_tree(&search, error));
  TAC_TRY(tac_parallel_for(0, count, 256, embed_range, &search, NULL, "embedding", error));
  for (int i = 0; i < point_count; ++i) made->outside_count += search.outside[i];
  *embedding = tac_give(&made);
  return TAC_OK;
}

void tac_embedding_destroy(tacEmbedding *embedding) {
  if (embedding == NULL) return;
  free(embedding->elements);
  free(embedding->vertices);
  free(embedding->weights);
  free(embedding);
}

void tac_embedding_apply(const tacEmbedding *embedding, const tacVec3 *vertex_values, tacVec3 *point_values) {
  for (int i = 0; i < embedding->point_count; ++i) {
    tacVec3 sum = {0.0, 0.0, 0.0};
    for (int c = 0; c < 8; ++c)
      sum = tac_vec3_mad(sum, embedding->weights[i][c], vertex_values[embedding->vertices[i][c]]);
    point_values[i] = sum;
  }
}
