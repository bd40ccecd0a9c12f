#include "bake/modes/embedding_check.h"

#include <math.h>
#include <stdlib.h>
#include "elastic/elements/element.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_map.h"
#include "mesh/query/triangle_point.h"

#define ON_FACE 1e-9 /* of a weight, or of a local coordinate */
#define SAME 1e-6    /* share by which distances of elements that count as equally near may differ */
enum { NEWTON_STEPS = 50 };

tacEmbeddingCheck tac_embedding_check(const tacVolMesh *volume, int r, const double *basis) {
  tacEmbeddingCheck check = {volume, r, basis, 0.0};
  for (size_t i = 0; i < 3 * (size_t)volume->vertex_count * (size_t)r; ++i)
    check.largest = fmax(check.largest, fabs(basis[i]));
  return check;
}

/* A point in an element: weights of the corners and their gradients. */
typedef struct {
  bool known, inside;
  double weight[8];
  tacVec3 gradient[8];
} Place;

static int corners_of(const tacVolMesh *mesh, int element, tacVec3 x[8]) {
  int count = tac_element_corner_count(mesh, element);
  for (int c = 0; c < count; ++c) x[c] = mesh->vertices[tac_element_vertices(mesh, element)[c]];
  return count;
}

/* A corner's weight is the distance from the opposite face over its height. */
static Place place_in_tet(const tacVec3 x[4], tacVec3 p) {
  Place place = {.known = true, .inside = true};
  for (int c = 0; c < 4; ++c) {
    tacVec3 a = x[(c + 1) % 4], b = x[(c + 2) % 4], d = x[(c + 3) % 4];
    tacVec3 normal = tac_vec3_cross(tac_vec3_sub(b, a), tac_vec3_sub(d, a));
    double height = tac_vec3_dot(normal, tac_vec3_sub(x[c], a));
    place.gradient[c] = tac_vec3_scale(1.0 / height, normal);
    place.weight[c] = tac_vec3_dot(normal, tac_vec3_sub(p, a)) / height;
    place.known &= isfinite(place.weight[c]);
    place.inside &= place.weight[c] >= -ON_FACE;
  }
  return place;
}

static tacVec3 clamp(tacVec3 a, double limit) {
  return tac_vec3(fmax(-limit, fmin(a.x, limit)), fmax(-limit, fmin(a.y, limit)), fmax(-limit, fmin(a.z, limit)));
}

/* Rows of J^-1: the gradients of the local coordinates. False where it has none. */
static bool local_gradients(const tacVec3 x[8], tacVec3 local, tacVec3 rows[3]) {
  tacVec3 j[3];
  tac_brick_jacobian(x, local, j);
  double determinant = tac_brick_determinant(j);
  for (int a = 0; a < 3; ++a)
    rows[a] = tac_vec3_scale(1.0 / determinant, tac_vec3_cross(j[(a + 1) % 3], j[(a + 2) % 3]));
  return isfinite(1.0 / determinant);
}

static tacVec3 local_step(const tacVec3 rows[3], tacVec3 way) {
  return tac_vec3(tac_vec3_dot(rows[0], way), tac_vec3_dot(rows[1], way), tac_vec3_dot(rows[2], way));
}

/* Derivative of a corner's trilinear weight by each local coordinate. */
static tacVec3 weight_slope(int c, tacVec3 local) {
  const double *s = tac_brick_corner[c];
  double x = 1.0 + s[0] * local.x, y = 1.0 + s[1] * local.y, z = 1.0 + s[2] * local.z;
  return tac_vec3(0.125 * s[0] * y * z, 0.125 * s[1] * x * z, 0.125 * s[2] * x * y);
}

/* Trilinear inside. Outside, on from the nearest local coordinates along the tangent, with the gradient at those of the
 * point that this leads to. */
static Place place_in_brick(const tacVec3 x[8], tacVec3 p) {
  Place place = {0};
  tacVec3 local = {0.0, 0.0, 0.0}, rows[3], step = {1.0, 1.0, 1.0};
  for (int i = 0; i < NEWTON_STEPS && tac_vec3_norm(step) > 1e-14; ++i) {
    if (!local_gradients(x, local, rows)) return place;
    step = local_step(rows, tac_vec3_sub(p, tac_brick_point(x, local)));
    local = clamp(tac_vec3_add(local, step), 2.0);
  }
  double most = fmax(fabs(local.x), fmax(fabs(local.y), fabs(local.z)));
  if (!(tac_vec3_norm(step) < 1e-9) || !(most < 1.9)) return place;
  place.known = true;
  place.inside = most <= 1.0 + ON_FACE;
  tacVec3 nearest = clamp(local, 1.0);
  if (!local_gradients(x, nearest, rows)) return (Place){0};
  step = local_step(rows, tac_vec3_sub(p, tac_brick_point(x, nearest)));
  tac_brick_weights(nearest, place.weight);
  for (int c = 0; c < 8; ++c) place.weight[c] += tac_vec3_dot(weight_slope(c, nearest), step);
  nearest = clamp(tac_vec3_add(nearest, step), 1.0);
  if (!local_gradients(x, nearest, rows)) return (Place){0};
  for (int c = 0; c < 8; ++c) {
    tacVec3 slope = weight_slope(c, nearest);
    place.gradient[c] =
        tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(slope.x, rows[0]), slope.y, rows[1]), slope.z, rows[2]);
  }
  return place;
}

static Place place_in(const tacVolMesh *mesh, int element, tacVec3 p) {
  tacVec3 x[8];
  return corners_of(mesh, element, x) == 4 ? place_in_tet(x, p) : place_in_brick(x, p);
}

static double box_distance(const tacVec3 *x, int count, tacVec3 p) {
  tacBox box = tac_box_empty();
  for (int c = 0; c < count; ++c) box = tac_box_add(box, x[c]);
  return tac_vec3_distance(p, tac_vec3_max(box.lower, tac_vec3_min(p, box.upper)));
}

/* To the element's boundary; a brick's face is the four triangles of both its cuts. */
static double element_distance(const tacVec3 *x, int count, tacVec3 p) {
  double least = INFINITY;
  for (int c = 0; count == 4 && c < 4; ++c)
    least = fmin(least, tac_vec3_distance(p, tac_triangle_closest(x[(c + 1) % 4], x[(c + 2) % 4], x[(c + 3) % 4], p)));
  for (int f = 0; count == 8 && f < 6; ++f)
    for (int c = 0; c < 4; ++c) {
      const int *v = tac_brick_face[f];
      least = fmin(least, tac_vec3_distance(p, tac_triangle_closest(x[v[c]], x[v[(c + 1) % 4]], x[v[(c + 2) % 4]], p)));
    }
  return least;
}

/* The largest error of the rows of a point in one element. */
static double rows_error(const tacEmbeddingCheck *check, const tacEmbeddedRows *rows, int element, const Place *place) {
  const int *v = tac_element_vertices(check->volume, element);
  int corners = tac_element_corner_count(check->volume, element);
  size_t r = (size_t)check->r;
  double error = 0.0, change_error = 0.0, size = 0.0;
  for (size_t a = 0; a < 3; ++a)
    for (size_t j = 0; j < r; ++j) {
      double sum = 0.0, change = 0.0, slope[3] = {0.0, 0.0, 0.0};
      for (int c = 0; c < corners; ++c) {
        double u = check->basis[(3 * (size_t)v[c] + a) * r + j];
        tacVec3 g = place->gradient[c];
        sum += place->weight[c] * u;
        change += tac_vec3_dot(g, rows->normal) * u;
        slope[0] += g.x * u;
        slope[1] += g.y * u;
        slope[2] += g.z * u;
        size = fmax(size, tac_vec3_norm(g) * fabs(u));
      }
      if (rows->displacement != NULL) error = fmax(error, fabs(rows->displacement[a * r + j] - sum) / check->largest);
      if (rows->normal_change != NULL) change_error = fmax(change_error, fabs(rows->normal_change[a * r + j] - change));
      for (size_t b = 0; rows->gradient != NULL && b < 3; ++b)
        change_error = fmax(change_error, fabs(rows->gradient[(3 * a + b) * r + j] - slope[b]));
    }
  return change_error == 0.0 ? error : fmax(error, change_error / size);
}

void tac_embedding_check_compare(const tacEmbeddingCheck *check, const tacEmbeddedRows *rows, int place,
                                 tacWorst *worst) {
  const tacVolMesh *mesh = check->volume;
  double error = INFINITY, nearest = INFINITY;
  bool inside = false, known = false;
  for (int e = 0; e < tac_element_count(mesh); ++e) {
    tacVec3 x[8];
    int count = corners_of(mesh, e, x);
    double distance = box_distance(x, count, rows->point);
    if (distance < nearest) nearest = fmin(nearest, element_distance(x, count, rows->point));
    if (distance > 0.0) continue;
    Place in = place_in(mesh, e, rows->point);
    if (!in.known || !in.inside) continue;
    inside = known = true;
    error = fmin(error, rows_error(check, rows, e, &in));
  }
  for (int e = 0; !inside && e < tac_element_count(mesh); ++e) {
    tacVec3 x[8];
    int count = corners_of(mesh, e, x);
    if (box_distance(x, count, rows->point) > (1.0 + SAME) * nearest ||
        element_distance(x, count, rows->point) > (1.0 + SAME) * nearest)
      continue;
    Place in = place_in(mesh, e, rows->point);
    if (!in.known) continue;
    known = true;
    error = fmin(error, rows_error(check, rows, e, &in));
  }
  if (known) tac_worst_add(worst, error, place);
}
