#include "collide/face_minimum.h"

#include <math.h>
#include "asset/distance_field.h"
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_point.h"

enum {
  DEEPEST = 6, /* maximum number of subdivisions of a large triangle */
  STEPS = 16   /* maximum number of steps of a search for a minimum in a triangle */
};
#define ON_EDGE 1e-9 /* largest barycentric weight that counts as zero */
#define PROBED 0.1   /* distance of test points from a possible local minimum, relative to the edge length */
/* least rise of the field from a local minimum to a test point, relative to the distance of the test point */
#define CURVED 1e-4
#define BESIDE 1e-3 /* offset of the test points at a minimum on an edge or face, relative to the edge length */

typedef struct Corner {
  tacVec3 at; /* position in the field's frame, m */
  double weight[3];
} Corner;

static Corner middle_of(const Corner *a, const Corner *b) {
  Corner c = {.at = tac_vec3_mix(a->at, b->at, 0.5)};
  for (int i = 0; i < 3; ++i) c.weight[i] = 0.5 * (a->weight[i] + b->weight[i]);
  return c;
}

/* The field at the centre of a triangle. `least`: lower bound of the field in the triangle, valid if the field is
 * convex there. */
typedef struct Centre {
  tacVec3 at, gradient;
  double value, least;
} Centre;

/* Computes the field at `centre->at`, and a lower bound of the field in the triangle a b c. Returns false if the bound
 * exceeds the margin. */
static bool look_at_centre(tacFieldGather *s, tacVec3 a, tacVec3 b, tacVec3 c, Centre *centre) {
  const tacVec3 corners[3] = {a, b, c};
  double fall = 0.0;
  centre->value = tac_field_gather_gradient(s, centre->at, &centre->gradient);
  for (int i = 0; i < 3; ++i) {
    double by = tac_vec3_dot(centre->gradient, tac_vec3_sub(corners[i], centre->at));
    fall = by < fall ? by : fall;
  }
  centre->least = centre->value + fall;
  return !(centre->least > s->with->margin);
}

/* Searches for a minimum of the field in a triangle by projected gradient descent with the step lengths of Barzilai and
 * Borwein (1988). `value` and `*gradient` belong to the start `*x`. Updates `*x` and `*gradient`, and returns the value
 * at the end. */
static double descend(tacFieldGather *s, const Corner c[3], double size, tacVec3 *x, double value, tacVec3 *gradient) {
  double step = size;
  for (int i = 0; i < STEPS; ++i) {
    tacVec3 next = tac_triangle_closest(c[0].at, c[1].at, c[2].at, tac_vec3_mad(*x, -step, *gradient)), there;
    tacVec3 way = tac_vec3_sub(next, *x);
    double length2 = tac_vec3_norm2(way);
    if (!(length2 > 1e-24 * size * size)) break;
    double other = tac_field_gather_gradient(s, next, &there),
           curve = tac_vec3_dot(way, tac_vec3_sub(there, *gradient));
    double newton = curve > 1e-12 * length2 ? length2 / curve : 4.0 * step;
    if (other > value) { /* the step was too long; the next step is at most half as long */
      step = fmin(0.5 * step, newton);
      continue;
    }
    bool ends = value - other < 1e-3 * s->with->sag * size;
    *x = next;
    *gradient = there;
    value = other;
    step = newton;
    if (ends) break;
  }
  return value;
}

static void weigh(const Corner c[3], tacVec3 x, double weight[3]) {
  tacVec3 e1 = tac_vec3_sub(c[1].at, c[0].at), e2 = tac_vec3_sub(c[2].at, c[0].at), d = tac_vec3_sub(x, c[0].at);
  tacVec3 area = tac_vec3_cross(e1, e2);
  double size2 = tac_vec3_norm2(area);
  double w1 = size2 > 0.0 ? tac_vec3_dot(tac_vec3_cross(d, e2), area) / size2 : 0.0;
  double w2 = size2 > 0.0 ? tac_vec3_dot(tac_vec3_cross(e1, d), area) / size2 : 0.0;
  weight[1] = fmin(fmax(w1, 0.0), 1.0);
  weight[2] = fmin(fmax(w2, 0.0), 1.0 - weight[1]);
  weight[0] = 1.0 - weight[1] - weight[2];
}

/* True if `triangle` owns the edge opposite to the corner `opposite`. The triangle with the lowest index owns an
 * edge. */
static bool owns_edge(const tacBodySurface *surface, int triangle, int opposite) {
  const int *v = surface->mesh->triangles[triangle].v;
  int a = v[(opposite + 1) % 3], b = v[(opposite + 2) % 3];
  for (int k = surface->first_triangle[a]; k < surface->first_triangle[a + 1]; ++k) {
    const int *w = surface->mesh->triangles[surface->triangles_of[k]].v;
    if (surface->triangles_of[k] < triangle && (w[0] == b || w[1] == b || w[2] == b)) return false;
  }
  return true;
}

/* Computes the normal at the minimum along an edge. Inside the other body, the minimum may be equally near to two sides
 * of that body, and the gradient jumps there. The normal is the combination of the gradients before and after the jump
 * that is perpendicular to the edge. Returns false if no combination is valid. */
static bool find_edge_normal(tacFieldGather *s, const Corner whole[3], tacVec3 at, int opposite, tacVec3 *normal) {
  tacVec3 e = tac_vec3_sub(whole[(opposite + 2) % 3].at, whole[(opposite + 1) % 3].at), before_it, after_it;
  tac_field_gather_gradient(s, tac_vec3_mad(at, -BESIDE, e), &before_it);
  tac_field_gather_gradient(s, tac_vec3_mad(at, BESIDE, e), &after_it);
  double falls = tac_vec3_dot(before_it, e), rises = tac_vec3_dot(after_it, e);
  if (!(rises > falls)) return false;
  double part = fmin(fmax(-falls / (rises - falls), 0.0), 1.0);
  tacVec3 n = tac_vec3_mad(tac_vec3_scale(1.0 - part, before_it), part, after_it);
  double length = tac_vec3_norm(n);
  if (!(length > 0.5)) return false;
  *normal = tac_vec3_scale(1.0 / length, n);
  return true;
}

/* True if the other body is on the outer side of a face. */
static bool is_facing(tacFieldGather *s, tacVec3 at, tacVec3 out) {
  const tacVec3 x[2] = {tac_vec3_add(at, out), tac_vec3_sub(at, out)};
  double values[2];
  tac_field_gather_look(s, 2, x, values);
  return values[0] < values[1];
}

/* True if the field rises from `at` in both directions along `way`. Flat faces in contact fail this test. They have
 * contacts at listed points and vertices instead, which do not move along the surface. */
static bool rises_along(tacFieldGather *s, tacVec3 at, double value, tacVec3 way) {
  const tacVec3 x[2] = {tac_vec3_add(at, way), tac_vec3_sub(at, way)};
  double values[2];
  tac_field_gather_look(s, 2, x, values);
  return fmin(values[0], values[1]) - value > CURVED * tac_vec3_norm(way);
}

/* True if the field rises from a place in a face along at least one of four directions. */
static bool rises_around(tacFieldGather *s, tacVec3 at, double value, tacVec3 along, tacVec3 face) {
  tacVec3 across = tac_vec3_cross(face, along);
  return rises_along(s, at, value, along) || rises_along(s, at, value, across) ||
         rises_along(s, at, value, tac_vec3_add(along, across)) ||
         rises_along(s, at, value, tac_vec3_sub(along, across));
}

/* Searches a triangle, or a part of a large triangle, for a minimum of the field. `area`: a normal vector of the
 * triangle, of any length. */
static void look_in_part(tacFieldGather *s, int triangle, const Corner whole[3], const Corner c[3], int part,
                         double size, const Centre *centre, tacVec3 area) {
  tacFieldCandidate candidate = {.feature = TAC_FEATURE_FACE, .index = triangle, .part = part, .at = centre->at};
  tacVec3 gradient = centre->gradient;
  double value = centre->value, least = centre->least, own[3], corners[3],
         sag = s->with->sag * size + s->points->loose; /* listed points may be off the surface */
  tac_field_gather_look(s, 3, (tacVec3[3]){c[0].at, c[1].at, c[2].at}, corners);
  double lowest = fmin(s->listed, fmin(corners[0], fmin(corners[1], corners[2])));
  double below = fmin(s->with->margin, lowest - sag);
  if (least > below) return;
  tacVec3 face = tac_vec3_unit(area);
  value = descend(s, c, size, &candidate.at, value, &gradient);
  if (!(value < below)) return;
  weigh(c, candidate.at, own);
  candidate.gap = value;
  candidate.on.triangle = triangle;
  for (int i = 0; i < 3; ++i) {
    double w = own[0] * c[0].weight[i] + own[1] * c[1].weight[i] + own[2] * c[2].weight[i];
    candidate.on.weight[i] = w < ON_EDGE ? 0.0 : w;
  }
  const double *w = candidate.on.weight;
  bool inside = w[0] > 0.0 && w[1] > 0.0 && w[2] > 0.0;
  bool on_cut = fmin(own[0], fmin(own[1], own[2])) < ON_EDGE && inside;
  double across = tac_vec3_norm(tac_vec3_mad(gradient, -tac_vec3_dot(gradient, face), face));
  if (on_cut && across > 1e-3) return; /* the field is lower in the adjacent part */
  if (inside) {
    tacVec3 along = tac_vec3_scale(PROBED, tac_vec3_sub(c[1].at, c[0].at));
    if (!rises_around(s, candidate.at, value, along, face)) return;
    if (!is_facing(s, candidate.at, tac_vec3_scale(BESIDE * size, face))) return;
    candidate.normal = tac_vec3_scale(-1.0, face);
  } else {
    int opposite = w[0] > 0.0 ? (w[1] > 0.0 ? 2 : 1) : 0;
    if (!owns_edge(s->surface, triangle, opposite)) return;
    tacVec3 along = tac_vec3_scale(PROBED, tac_vec3_sub(c[(opposite + 2) % 3].at, c[(opposite + 1) % 3].at));
    candidate.feature = TAC_FEATURE_EDGE;
    candidate.index = 3 * triangle + opposite;
    if (!rises_along(s, candidate.at, value, along)) return;
    if (!find_edge_normal(s, whole, candidate.at, opposite, &candidate.normal)) return;
    if (tac_vec3_dot(candidate.normal, face) > 0.0) return;
  }
  for (int i = s->first; i < s->found->count; ++i) /* skips a minimum that an adjacent part has already found */
    if (tac_vec3_distance(s->candidates[i].at, candidate.at) < 1e-6 * size &&
        s->candidates[i].feature >= TAC_FEATURE_EDGE)
      return;
  tac_field_gather_offer(s, candidate);
}

static double longest_edge(tacVec3 a, tacVec3 b, tacVec3 c) {
  double ab = tac_vec3_norm2(tac_vec3_sub(a, b)), bc = tac_vec3_norm2(tac_vec3_sub(b, c));
  double ca = tac_vec3_norm2(tac_vec3_sub(c, a)), most = ab > bc ? ab : bc;
  return sqrt(most > ca ? most : ca);
}

/* Searches a near triangle for minima, and divides it if it is large. `middle`: centroid of the part `c` of the
 * triangle. */
static void look_into(tacFieldGather *s, int triangle, const Corner whole[3], const Corner c[3], int part, int cuts,
                      tacVec3 middle, tacVec3 area) {
  double size = longest_edge(c[0].at, c[1].at, c[2].at);
  if (size <= s->with->piece || cuts == DEEPEST) {
    Centre centre = {.at = middle};
    if (look_at_centre(s, c[0].at, c[1].at, c[2].at, &centre))
      look_in_part(s, triangle, whole, c, part, size, &centre, area);
    return;
  }
  Corner between[3];
  for (int i = 0; i < 3; ++i) between[i] = middle_of(&c[i], &c[(i + 1) % 3]);
  const Corner parts[4][3] = {{c[0], between[0], between[2]},
                              {between[0], c[1], between[1]},
                              {between[2], between[1], c[2]},
                              {between[0], between[1], between[2]}};
  for (int k = 0; k < 4; ++k) {
    double bound, radius = tac_field_gather_ball_around(&parts[k][0].at, &parts[k][1].at, &parts[k][2].at, &middle);
    if (tac_field_gather_near_balls(s, 1, &middle, &radius, &bound, NULL) == 0) continue;
    look_into(s, triangle, whole, parts[k], 4 * part + k + 1, cuts + 1, middle, area);
  }
}

void tac_face_minimum_look(tacFieldGather *s, int triangle, const tacVec3 corners[3], tacVec3 middle) {
  tacVec3 area = tac_vec3_cross(tac_vec3_sub(corners[1], corners[0]), tac_vec3_sub(corners[2], corners[0]));
  if (!(tac_vec3_norm2(area) > 0.0)) return;
  double size = longest_edge(corners[0], corners[1], corners[2]);
  Centre centre = {.at = middle};
  bool cut = size > s->with->piece;
  if (!cut && !look_at_centre(s, corners[0], corners[1], corners[2], &centre)) return;
  Corner c[3];
  for (int i = 0; i < 3; ++i) {
    c[i] = (Corner){.at = corners[i]};
    c[i].weight[i] = 1.0;
  }
  s->first = s->found->count;
  if (cut)
    look_into(s, triangle, c, c, 0, 0, middle, area);
  else
    look_in_part(s, triangle, c, c, 0, size, &centre, area);
}
