#include "collide/field_meeting.h"

#include <math.h>
#include <string.h>
#include "asset/distance_field.h"
#include "collide/shell_points.h"
#include "math/geometry/float4.h"
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_point.h"

enum {
  ROOM = 4096,    /* maximum number of queued parts */
  CELLS = 2048,   /* size of the hash table of grid cells; a power of two */
  BLOCK = 64,     /* number of places evaluated together */
  TRUE_COST = 16, /* cost of an exact value of a displaced field, in field evaluations */
  DEEPEST = 6,    /* maximum number of subdivisions of a large triangle */
  WAYS = 16,      /* maximum number of sphere-tracing steps through the other body */
  STEPS = 16      /* maximum number of steps of a search for a minimum in a triangle */
};
#define STEEPEST 2.0 /* typical maximum slope of a deformed field, dimensionless */
/* least displacement of a field for which exact values are computed, relative to the radius of the tested ball */
#define GIVES 1.0
#define OPPOSED 0.5  /* least cosine between face normal and gradient for a face on the far side of the other body */
#define LONGEST 3.0  /* maximum length of a path through the other body, relative to the largest depth on the path */
#define ON_EDGE 1e-9 /* largest barycentric weight that counts as zero */
#define PROBED 0.1   /* distance of test points from a possible local minimum, relative to the edge length */
/* least rise of the field from a local minimum to a test point, relative to the distance of the test point */
#define CURVED 1e-4
#define BESIDE 1e-3 /* offset of the test points at a minimum on an edge or face, relative to the edge length */

/* A part of the body that may be near the field: a child box of a tree, or a node of a shell. The queue returns the
 * part with the lowest bound first. */
typedef struct Part {
  double bound, value;
  int32_t index, level;
} Part;

typedef struct Search {
  const tacBodyPoints *points;
  const tacBody *body;
  const tacBodySurface *surface;
  const tacFieldSearch *with;
  tacFieldCandidate *candidates; /* [TAC_FIELD_MEETING_CANDIDATES] found candidates */
  tacFieldFound *found;
  double reach_of_margin;
  double loose; /* largest distance of a place outside the boxes and balls of the search, m */
  Part *heap;   /* [ROOM] queue of parts */
  int waiting;
  int32_t *cells; /* [CELLS] hash table: candidate of each grid cell, or -1 */
  int first;      /* index of the first candidate on the present triangle */
  double listed;  /* least field value of the listed points on the present triangle */
} Search;

size_t tac_field_meeting_room(void) {
  return ROOM * sizeof(Part) + CELLS * sizeof(int32_t) + 256;
}

/* ---- candidates ---- */

static int cell_of(tacVec3 at, tacVec3 lower, double per_metre, int64_t cell[3]) {
  tacVec3 x = tac_vec3_scale(per_metre, tac_vec3_sub(at, lower));
  cell[0] = (int64_t)x.x;
  cell[1] = (int64_t)x.y;
  cell[2] = (int64_t)x.z;
  uint64_t hash = ((uint64_t)cell[0] * 73856093u) ^ ((uint64_t)cell[1] * 19349663u) ^ ((uint64_t)cell[2] * 83492791u);
  return (int)(hash * 0x9e3779b97f4a7c15u >> 40) & (CELLS - 1);
}

/* Discards all candidates except the deepest in each grid cell and those with the flag `kept`. Returns the number of
 * remaining candidates. */
static int thin_out(Search *s, tacVec3 lower, double cell) {
  tacFieldCandidate *all = s->candidates;
  int count = s->found->count, left = 0;
  memset(s->cells, -1, CELLS * sizeof *s->cells);
  for (int i = 0; i < count; ++i) {
    tacFieldCandidate c = all[i];
    int64_t own[3], other[3];
    int at = cell_of(c.at, lower, 1.0 / cell, own);
    while (!c.kept && s->cells[at] >= 0) {
      cell_of(all[s->cells[at]].at, lower, 1.0 / cell, other);
      if (memcmp(own, other, sizeof own) == 0) break;
      at = (at + 1) & (CELLS - 1);
    }
    if (!c.kept && s->cells[at] >= 0) {
      if (c.gap < all[s->cells[at]].gap) all[s->cells[at]] = c;
      continue;
    }
    if (!c.kept) s->cells[at] = left;
    all[left++] = c;
  }
  return left;
}

static void make_room(Search *s) {
  tacBox box = tac_box_empty();
  for (int i = 0; i < s->found->count; ++i) box = tac_box_add(box, s->candidates[i].at);
  double size = tac_vec3_distance(box.lower, box.upper);
  for (double cell = fmax(size / 32.0, 1e-12); s->found->count > TAC_FIELD_MEETING_CANDIDATES / 2; cell *= 1.5) {
    int left = thin_out(s, box.lower, cell);
    s->found->count = left;
    if (cell > size) break; /* larger cells discard no further candidates */
  }
  s->first = s->found->count;
}

static bool in_box(const tacBox *box, tacVec3 x) {
  return (x.x >= box->lower.x) & (x.x <= box->upper.x) & (x.y >= box->lower.y) & (x.y <= box->upper.y) &
         (x.z >= box->lower.z) & (x.z <= box->upper.z);
}

static void offer(Search *s, tacFieldCandidate c) {
  const tacFieldSearch *with = s->with;
  if (!(c.gap < with->margin) || !in_box(&with->box, c.at)) return;
  if (s->found->count == TAC_FIELD_MEETING_CANDIDATES) make_room(s);
  if (s->found->count == TAC_FIELD_MEETING_CANDIDATES) {
    ++s->found->lost; /* no stored candidate can be discarded */
    return;
  }
  c.kept = with->knows != NULL && with->knows(with->context, c.feature, c.index, c.part);
  s->candidates[s->found->count++] = c;
}

/* ---- values ---- */

static tacVec3 into_field(const Search *s, tacVec3 p) {
  return tac_vec3_add(tac_mat3_mul_vec(s->with->turn, p), s->with->shift);
}

static void look_up(Search *s, int count, const tacVec3 *x, double *values) {
  const tacFieldSearch *with = s->with;
  s->found->cost += count;
  if (with->deformed != NULL)
    tac_deformed_pose_values(with->deformed, count, x, values);
  else
    tac_distance_field_values(with->field, count, x, values);
}

/* Computes field values. If the field is displaced, computes exact values for places that may be inside the margin. */
static void look_truly(Search *s, int count, const tacVec3 *x, double *values) {
  const tacFieldSearch *with = s->with;
  look_up(s, count, x, values);
  for (int i = 0; i < count && with->look != NULL; ++i) {
    if (!(values[i] < with->margin + with->swelling)) continue;
    values[i] = with->look(with->context, x[i], NULL);
    s->found->cost += TRUE_COST;
  }
}

/* True if a ball may contain a place inside the margin. `value`: field value at the centre of the ball. */
static bool is_near(const Search *s, double value, double radius) {
  double most = radius + s->with->swelling + s->loose;
  if (s->with->deformed != NULL) return value < s->with->margin + STEEPEST * most;
  return value < s->with->margin || tac_field_reach_at(s->with->reach, value) - s->reach_of_margin <= most;
}

/* True if a ball overlaps the searched box. */
static bool meets_box(const Search *s, tacVec3 centre, double radius) {
  tacVec3 inside = tac_vec3_min(tac_vec3_max(centre, s->with->box.lower), s->with->box.upper);
  double most = radius + s->with->swelling + s->loose;
  return tac_vec3_norm2(tac_vec3_sub(centre, inside)) <= most * most;
}

/* Finds the balls that may contain a place inside the margin. Sets bit i of the result for each such ball i.
 * `bounds[i]` becomes a lower bound of the field values in ball i. */
static unsigned near_balls(Search *s, int count, const tacVec3 *centres, const double *radii, double *bounds) {
  const tacFieldSearch *with = s->with;
  tacVec3 x[TAC_BOX_TREE_WIDTH] = {{0.0, 0.0, 0.0}};
  double values[TAC_BOX_TREE_WIDTH] = {0.0}, more = with->swelling + s->loose;
  int ball[TAC_BOX_TREE_WIDTH], left = 0;
  unsigned near = 0;
  for (int i = 0; i < count; ++i) {
    if (!meets_box(s, centres[i], radii[i])) continue;
    x[left] = centres[i];
    ball[left++] = i;
  }
  if (left == 0) return 0;
  if (with->deformed != NULL) {
    double wider[TAC_BOX_TREE_WIDTH] = {0.0};
    tacDeformedLook looks[TAC_BOX_TREE_WIDTH];
    for (int k = 0; k < left; ++k) wider[k] = radii[ball[k]] + more + STEEPEST * with->margin;
    tac_deformed_pose_look(with->deformed, left, x, wider, 0.0, looks);
    s->found->cost += left;
    for (int k = 0; k < left; ++k) {
      bounds[ball[k]] = looks[k].reach - wider[k];
      near |= (unsigned)(looks[k].reach < wider[k]) << ball[k];
    }
    return near;
  }
  look_up(s, left, x, values);
  for (int k = 0; k < left; ++k) {
    double radius = radii[ball[k]];
    bool may = is_near(s, values[k], radius);
    bounds[ball[k]] = values[k] - radius;
    if (may && with->look != NULL && with->swelling > GIVES * (radius + s->loose)) {
      /* The displacement may stretch the field, typically by a factor of at most STEEPEST. */
      double value = with->look(with->context, x[k], NULL);
      s->found->cost += TRUE_COST;
      bounds[ball[k]] = value - radius;
      may = value < with->margin ||
            tac_field_reach_at(with->reach, value) - s->reach_of_margin <= STEEPEST * (radius + s->loose);
    }
    near |= (unsigned)may << ball[k];
  }
  return near;
}

/* ---- queue of parts ---- */

static bool before(const Part *x, const Part *y) {
  return x->bound < y->bound || (x->bound == y->bound && x->index < y->index);
}

static bool push(Search *s, Part part) {
  if (s->waiting == ROOM) return false;
  int at = s->waiting++;
  for (; at > 0 && before(&part, &s->heap[(at - 1) / 2]); at = (at - 1) / 2) s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = part;
  return true;
}

static Part pop(Search *s) {
  Part top = s->heap[0], moved = s->heap[--s->waiting];
  int at = 0;
  for (int child; (child = 2 * at + 1) < s->waiting; at = child) {
    if (child + 1 < s->waiting && before(&s->heap[child + 1], &s->heap[child])) ++child;
    if (!before(&s->heap[child], &moved)) break;
    s->heap[at] = s->heap[child];
  }
  s->heap[at] = moved;
  return top;
}

/* ---- minimum in a triangle ---- */

typedef struct Corner {
  tacVec3 at; /* position in the field's frame, m */
  double weight[3];
} Corner;

static Corner middle_of(const Corner *a, const Corner *b) {
  Corner c = {.at = tac_vec3_mix(a->at, b->at, 0.5)};
  for (int i = 0; i < 3; ++i) c.weight[i] = 0.5 * (a->weight[i] + b->weight[i]);
  return c;
}

static double gradient_at(Search *s, tacVec3 x, tacVec3 *gradient) {
  ++s->found->cost;
  return tac_distance_field_gradient(s->with->field, x, gradient);
}

/* The field at the centre of a triangle. `least`: lower bound of the field in the triangle, valid if the field is
 * convex there. */
typedef struct Centre {
  tacVec3 at, gradient;
  double value, least;
} Centre;

/* Computes the field at `centre->at`, and a lower bound of the field in the triangle a b c. Returns false if the bound
 * exceeds the margin. */
static bool look_at_centre(Search *s, tacVec3 a, tacVec3 b, tacVec3 c, Centre *centre) {
  const tacVec3 corners[3] = {a, b, c};
  double fall = 0.0;
  centre->value = gradient_at(s, centre->at, &centre->gradient);
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
static double descend(Search *s, const Corner c[3], double size, tacVec3 *x, double value, tacVec3 *gradient) {
  double step = size;
  for (int i = 0; i < STEPS; ++i) {
    tacVec3 next = tac_triangle_closest(c[0].at, c[1].at, c[2].at, tac_vec3_mad(*x, -step, *gradient)), there;
    tacVec3 way = tac_vec3_sub(next, *x);
    double length2 = tac_vec3_norm2(way);
    if (!(length2 > 1e-24 * size * size)) break;
    double other = gradient_at(s, next, &there), curve = tac_vec3_dot(way, tac_vec3_sub(there, *gradient));
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
static bool find_edge_normal(Search *s, const Corner whole[3], tacVec3 at, int opposite, tacVec3 *normal) {
  tacVec3 e = tac_vec3_sub(whole[(opposite + 2) % 3].at, whole[(opposite + 1) % 3].at), before_it, after_it;
  gradient_at(s, tac_vec3_mad(at, -BESIDE, e), &before_it);
  gradient_at(s, tac_vec3_mad(at, BESIDE, e), &after_it);
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
static bool is_facing(Search *s, tacVec3 at, tacVec3 out) {
  const tacVec3 x[2] = {tac_vec3_add(at, out), tac_vec3_sub(at, out)};
  double values[2];
  look_up(s, 2, x, values);
  return values[0] < values[1];
}

/* True if the field rises from `at` in both directions along `way`. Flat faces in contact fail this test. They have
 * contacts at listed points and vertices instead, which do not move along the surface. */
static bool rises_along(Search *s, tacVec3 at, double value, tacVec3 way) {
  const tacVec3 x[2] = {tac_vec3_add(at, way), tac_vec3_sub(at, way)};
  double values[2];
  look_up(s, 2, x, values);
  return fmin(values[0], values[1]) - value > CURVED * tac_vec3_norm(way);
}

/* True if the field rises from a place in a face along at least one of four directions. */
static bool rises_around(Search *s, tacVec3 at, double value, tacVec3 along, tacVec3 face) {
  tacVec3 across = tac_vec3_cross(face, along);
  return rises_along(s, at, value, along) || rises_along(s, at, value, across) ||
         rises_along(s, at, value, tac_vec3_add(along, across)) ||
         rises_along(s, at, value, tac_vec3_sub(along, across));
}

/* Searches a triangle, or a part of a large triangle, for a minimum of the field. `area`: a normal vector of the
 * triangle, of any length. */
static void look_in_part(Search *s, int triangle, const Corner whole[3], const Corner c[3], int part, double size,
                         const Centre *centre, tacVec3 area) {
  tacFieldCandidate candidate = {.feature = TAC_FEATURE_FACE, .index = triangle, .part = part, .at = centre->at};
  tacVec3 gradient = centre->gradient;
  double value = centre->value, least = centre->least, own[3], corners[3],
         sag = s->with->sag * size + s->points->loose; /* listed points may be off the surface */
  look_up(s, 3, (tacVec3[3]){c[0].at, c[1].at, c[2].at}, corners);
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
  offer(s, candidate);
}

/* Computes the centroid of a triangle, `*middle`, and returns the radius of a ball around it that contains the
 * triangle. */
static double ball_around(const tacVec3 *a, const tacVec3 *b, const tacVec3 *c, tacVec3 *middle) {
  *middle = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(*a, tac_vec3_add(*b, *c)));
  double a2 = tac_vec3_norm2(tac_vec3_sub(*a, *middle)), b2 = tac_vec3_norm2(tac_vec3_sub(*b, *middle));
  double c2 = tac_vec3_norm2(tac_vec3_sub(*c, *middle)), most2 = a2 > b2 ? a2 : b2;
  return sqrt(most2 > c2 ? most2 : c2);
}

static double longest_edge(tacVec3 a, tacVec3 b, tacVec3 c) {
  double ab = tac_vec3_norm2(tac_vec3_sub(a, b)), bc = tac_vec3_norm2(tac_vec3_sub(b, c));
  double ca = tac_vec3_norm2(tac_vec3_sub(c, a)), most = ab > bc ? ab : bc;
  return sqrt(most > ca ? most : ca);
}

/* Searches a near triangle for minima, and divides it if it is large. `middle`: centroid of the part `c` of the
 * triangle. */
static void look_into(Search *s, int triangle, const Corner whole[3], const Corner c[3], int part, int cuts,
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
    double bound, radius = ball_around(&parts[k][0].at, &parts[k][1].at, &parts[k][2].at, &middle);
    if (near_balls(s, 1, &middle, &radius, &bound) == 0) continue;
    look_into(s, triangle, whole, parts[k], 4 * part + k + 1, cuts + 1, middle, area);
  }
}

/* ---- leaves ---- */

static tacSurfacePoint at_corner(int triangle, int corner) {
  tacSurfacePoint on = {.triangle = triangle};
  on.weight[corner] = 1.0;
  return on;
}

/* Corrects the gap and the normal of a place that has passed the middle of the other body. The gradient would push the
 * place out on the far side. The corrected normal is opposite to the face normal. So the place returns to the side from
 * which it entered. */
static void turn_back(Search *s, tacFieldCandidate *c, tacVec3 face) {
  const tacFieldSearch *with = s->with;
  tacVec3 gradient, normal = tac_vec3_scale(-1.0, face);
  gradient_at(s, c->at, &gradient);
  if (!(tac_vec3_dot(gradient, face) > OPPOSED * tac_vec3_norm(gradient))) return;
  double way = 0.0, value = c->gap, deepest = -c->gap;
  for (int i = 0; i < WAYS && value < -1e-3 * with->depth; ++i) {
    way += fmax(-value, 1e-3 * with->depth);
    value = tac_distance_field_value(with->field, tac_vec3_mad(c->at, way, normal));
    deepest = fmax(deepest, -value);
    ++s->found->cost;
  }
  if (way > LONGEST * deepest) return; /* the path runs along the other body, not through it */
  c->gap = -way;
  c->normal = normal;
}

/* Tests the listed points on a triangle, and stores the least value of these points in `s->listed`. */
static void look_at_listed(Search *s, int triangle, const tacVec3 corners[3]) {
  const tacBodyPoints *points = s->points;
  s->listed = INFINITY;
  if (points->listed_count == 0) return;
  int first = points->first_listed[points->rank[triangle]], end = points->first_listed[points->rank[triangle] + 1];
  for (int k = first; k < end; ++k) {
    int point = points->on_triangle[k];
    const double *w = points->listed[point].weight;
    tacVec3 x = tac_vec3_scale(w[0], corners[0]);
    x = tac_vec3_mad(tac_vec3_mad(x, w[1], corners[1]), w[2], corners[2]);
    double value;
    look_truly(s, 1, &x, &value);
    s->listed = fmin(s->listed, value);
    if (tac_body_points_is_vertex(points, point)) continue;
    offer(s, (tacFieldCandidate){
                 .feature = TAC_FEATURE_POINT, .index = point, .on = points->listed[point], .at = x, .gap = value});
  }
}

/* Searches the face of a triangle for minima of the field. `middle`: centroid of the triangle. */
static void look_at_faces(Search *s, int triangle, const tacVec3 corners[3], tacVec3 middle) {
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

static void look_at_corners(Search *s, int triangle, const tacVec3 corners[3], bool all) {
  const tacBodySurface *surface = s->surface;
  const int *v = surface->mesh->triangles[triangle].v;
  tacVec3 x[3];
  double values[3];
  int own[3], count = 0;
  for (int i = 0; i < (all ? 3 : 1); ++i) {
    if (all && surface->triangles_of[surface->first_triangle[v[i]]] != triangle) continue;
    x[count] = corners[i];
    own[count++] = i;
  }
  if (count == 0) return;
  look_truly(s, count, x, values);
  for (int i = 0; i < count; ++i)
    offer(s, (tacFieldCandidate){.feature = TAC_FEATURE_VERTEX,
                                 .index = v[own[i]],
                                 .on = at_corner(triangle, own[i]),
                                 .at = x[i],
                                 .gap = values[i]});
}

/* Tests vertices, listed points and faces of triangles. If `all` is false, tests one corner of the first triangle
 * instead. */
static void look_at_triangles(Search *s, int count, const int *triangles, bool all) {
  tacVec3 corners[TAC_BOX_TREE_LEAF][3], centres[TAC_BOX_TREE_LEAF] = {{0.0, 0.0, 0.0}};
  double radii[TAC_BOX_TREE_LEAF] = {0.0}, bounds[TAC_BOX_TREE_LEAF];
  for (int k = 0; k < count; ++k) {
    const int *v = s->surface->mesh->triangles[triangles[k]].v;
    for (int i = 0; i < 3; ++i) corners[k][i] = into_field(s, tac_body_points_vertex(s->points, s->body, v[i]));
    radii[k] = ball_around(&corners[k][0], &corners[k][1], &corners[k][2], &centres[k]);
  }
  unsigned near = 1u;
  if (all) near = near_balls(s, count, centres, radii, bounds);
  for (int k = 0; k < count; ++k) {
    if ((near >> k & 1u) == 0) continue;
    if (s->points->corners) look_at_corners(s, triangles[k], corners[k], all);
    if (all) look_at_listed(s, triangles[k], corners[k]);
    if (all && s->points->faces && s->with->faces) look_at_faces(s, triangles[k], corners[k], centres[k]);
  }
}

/* ---- batches of places ---- */

/* Returns the normal of a triangle at rest, in the field's frame. In a strongly compressed, folded surface the present
 * normals are arbitrary. */
static tacVec3 face_of(const Search *s, int triangle) {
  const tacTriMesh *mesh = s->surface->mesh;
  const int *v = mesh->triangles[triangle].v;
  tacVec3 a = mesh->vertices[v[0]], e1 = tac_vec3_sub(mesh->vertices[v[1]], a),
          e2 = tac_vec3_sub(mesh->vertices[v[2]], a);
  return tac_mat3_mul_vec(s->with->turn, tac_vec3_unit(tac_vec3_cross(e1, e2)));
}

static tacFieldCandidate of_place(const Search *s, tacBodyPlace place) {
  if (place.of == TAC_PLACE_SHELL) return (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = place.index};
  if (place.of == TAC_PLACE_LISTED)
    return (tacFieldCandidate){
        .feature = TAC_FEATURE_POINT, .index = place.index, .on = s->points->listed[place.index]};
  return (tacFieldCandidate){
      .feature = TAC_FEATURE_VERTEX, .index = place.index, .on = tac_body_surface_at_vertex(s->surface, place.index)};
}

typedef struct Batch {
  int count;
  tacVec3 x[BLOCK + 1];
  tacBodyPlace place[BLOCK + 1];
} Batch;

static void look_at_batch(Search *s, Batch *batch) {
  double values[BLOCK];
  look_truly(s, batch->count, batch->x, values);
  for (int i = 0; i < batch->count; ++i) {
    if (!(values[i] < s->with->margin)) continue;
    tacFieldCandidate c = of_place(s, batch->place[i]);
    c.at = batch->x[i];
    c.gap = values[i];
    if (c.gap < -s->with->depth) turn_back(s, &c, face_of(s, c.on.triangle));
    offer(s, c);
  }
  batch->count = 0;
}

/* Adds a place, given in the body's frame, to the batch if the place is inside the searched box. */
static inline void add_to_batch(Search *s, Batch *batch, tacVec3 at, tacBodyPlace place) {
  if (batch->count == BLOCK) look_at_batch(s, batch);
  batch->x[batch->count] = into_field(s, at);
  batch->place[batch->count] = place;
  batch->count += in_box(&s->with->box, batch->x[batch->count]);
}

/* Tests the listed points and vertices of a leaf. */
static void look_at_leaf(Search *s, int first, int count) {
  const tacBodyPoints *points = s->points;
  const tacBodySurface *surface = s->surface;
  Batch batch = {.count = 0};
  int begin = points->listed_count > 0 ? points->first_listed[first] : 0;
  int end = points->listed_count > 0 ? points->first_listed[first + count] : 0;
  for (int k = begin; k < end; ++k) {
    int point = points->on_triangle[k];
    if (tac_body_points_is_vertex(points, point)) continue;
    const tacSurfacePoint *on = &points->listed[point];
    const int *v = surface->mesh->triangles[on->triangle].v;
    tacVec3 at = points->above != NULL ? points->above[point] : tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) at = tac_vec3_mad(at, on->weight[i], tac_body_points_vertex(points, s->body, v[i]));
    add_to_batch(s, &batch, at, (tacBodyPlace){TAC_PLACE_LISTED, point});
  }
  for (int k = first; points->corners && k < first + count; ++k) {
    int triangle = surface->tree->order[k];
    const int *v = surface->mesh->triangles[triangle].v;
    for (int i = 0; i < 3; ++i)
      if (surface->triangles_of[surface->first_triangle[v[i]]] == triangle)
        add_to_batch(s, &batch, tac_body_points_vertex(points, s->body, v[i]), (tacBodyPlace){TAC_PLACE_VERTEX, v[i]});
  }
  if (batch.count > 0) look_at_batch(s, &batch);
}

/* ---- trees of boxes ---- */

typedef struct Tree {
  const tacBoxTree *tree;
  const tacBoxTreeNode *nodes;
  bool of_points;
} Tree;

static void look_at_points(Search *s, int count, const int *points) {
  tacVec3 x[TAC_BOX_TREE_LEAF];
  double values[TAC_BOX_TREE_LEAF];
  for (int i = 0; i < count; ++i) x[i] = into_field(s, tac_pointshell_point(s->points->shell, points[i]));
  look_truly(s, count, x, values);
  for (int i = 0; i < count; ++i)
    offer(s, (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = points[i], .at = x[i], .gap = values[i]});
}

/* Tests all items of a leaf. If `all` is false, tests only one item below the child `c` of the node. */
static void look_at_box(Search *s, const Tree *in, int node, int c, bool all) {
  while (in->nodes[node].count[c] == 0) {
    node = in->nodes[node].first[c];
    c = 0;
  }
  const int *items = in->tree->order + in->nodes[node].first[c];
  int count = all ? in->nodes[node].count[c] : 1;
  if (all && !in->of_points && !s->with->faces) {
    look_at_leaf(s, in->nodes[node].first[c], count);
    return;
  }
  for (int k = 0; k < count; k += TAC_BOX_TREE_LEAF) {
    int some = count - k < TAC_BOX_TREE_LEAF ? count - k : TAC_BOX_TREE_LEAF;
    if (in->of_points)
      look_at_points(s, some, items + k);
    else
      look_at_triangles(s, some, items + k, all);
  }
}

static void open_node(Search *s, const Tree *in, int number) {
  const tacBoxTreeNode *node = &in->nodes[number];
  tacVec3 centres[TAC_BOX_TREE_WIDTH] = {{0.0, 0.0, 0.0}};
  double radii[TAC_BOX_TREE_WIDTH] = {0.0}, bounds[TAC_BOX_TREE_WIDTH], size = 1.0 / in->tree->scale;
  int count = 0;
  for (; count < TAC_BOX_TREE_WIDTH && node->count[count] >= 0; ++count) {
    double half2 = 0.0;
    for (int axis = 0; axis < 3; ++axis) half2 += (double)node->half[axis][count] * (double)node->half[axis][count];
    tacVec3 local = {(double)node->centre[0][count], (double)node->centre[1][count], (double)node->centre[2][count]};
    centres[count] = into_field(s, tac_vec3_mad(in->tree->origin, size, local));
    radii[count] = size * sqrt(half2) * (1.0 + 1e-6);
  }
  unsigned near = near_balls(s, count, centres, radii, bounds);
  for (int c = 0; c < count; ++c) {
    if ((near >> c & 1u) == 0) continue;
    if (push(s, (Part){bounds[c], 0.0, TAC_BOX_TREE_WIDTH * number + c, 0})) continue;
    look_at_box(s, in, number, c, false);
    ++s->found->lost;
  }
}

static void search_tree(Search *s, Tree in) {
  open_node(s, &in, 0);
  while (s->waiting > 0) {
    Part part = pop(s);
    int node = part.index / TAC_BOX_TREE_WIDTH, c = part.index % TAC_BOX_TREE_WIDTH;
    bool all = s->found->cost < TAC_FIELD_MEETING_COST;
    if (all && in.nodes[node].count[c] == 0) {
      open_node(s, &in, in.nodes[node].first[c]);
      continue;
    }
    look_at_box(s, &in, node, c, all);
    s->found->lost += !all;
  }
}

/* ---- tree of a deforming shell ---- */

typedef struct Shell {
  const tacPointshellView *view;
  tacShellPose pose;
  double q[TAC_BODY_MOST_COORDINATES];
  float size[TAC_BODY_MOST_COORDINATES + 3]; /* |q|, rounded up; padded with zeros to a multiple of four */
  double moved;                              /* upper bound of the displacement of a point from rest, m */
} Shell;

static double ball_of(const Shell *shell, int level, int point) {
  const tacPointshellView *view = shell->view;
  double radius = (double)view->nodes[level][point].radius;
  if (level == view->level_count - 1) return 0.0;
  if (view->growth[level] == NULL) return radius;
  const float *by = view->growth[level] + (size_t)view->stride * (size_t)point;
  tacFloat4 growth = tac_float4(0.0f);
  for (int j = 0; j < view->stride; j += 4) growth += tac_float4_load(by + j) * tac_float4_load(shell->size + j);
  return (radius + (double)growth[0] + (double)growth[1] + (double)growth[2] + (double)growth[3]) * 1.00002;
}

/* Adds a point as a candidate if `is_new` is set. Queues its node if the points below the node may be near. */
static void look_at_node(Search *s, const Shell *shell, int level, int point, tacVec3 at, double value, bool is_new) {
  if (is_new) offer(s, (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = point, .at = at, .gap = value});
  if (level == shell->view->level_count - 1) return;
  double bound, radius = ball_of(shell, level, point);
  bool near = s->with->look == NULL ? is_near(s, value, radius) : near_balls(s, 1, &at, &radius, &bound) != 0;
  if (!near) return;
  if (!push(s, (Part){value - radius, value, point, level})) ++s->found->lost;
}

/* Tests the points from `first` to `end` - 1 of a level. Computes the deformed position only if the position at rest is
 * near the searched box. */
static void look_at_level(Search *s, const Shell *shell, int level, int first, int end) {
  const tacPointshellNode *nodes = shell->view->nodes[shell->view->level_count - 1], *own = shell->view->nodes[level];
  for (int next = first; next < end;) {
    int32_t points[BLOCK];
    tacVec3 at[BLOCK];
    double values[BLOCK];
    int count = 0;
    for (; next < end && count < BLOCK; ++next) {
      tacVec3 rest = {(double)own[next].x, (double)own[next].y, (double)own[next].z};
      points[count] = next;
      count += meets_box(s, into_field(s, rest), (double)own[next].radius + shell->moved);
    }
    tac_shell_place_points(shell->view, nodes, &shell->pose, points, count, count, at);
    int left = 0;
    for (int i = 0; i < count; ++i) {
      if (!meets_box(s, at[i], ball_of(shell, level, points[i]))) continue;
      points[left] = points[i];
      at[left++] = at[i];
    }
    look_truly(s, left, at, values);
    for (int i = 0; i < left; ++i) look_at_node(s, shell, level, points[i], at[i], values[i], true);
  }
}

static void search_shell(Search *s) {
  s->loose = 0.0; /* the balls already include the deformation */
  Shell shell = {.view = tac_pointshell_view(s->points->shell)};
  const double *q = tac_body_describe(s->body).points_q;
  for (int j = 0; q != NULL && j < shell.view->r; ++j) {
    shell.q[j] = q[j];
    shell.size[j] = nextafterf(fabsf((float)q[j]), INFINITY);
    shell.moved += shell.view->reach[j] * fabs(q[j]) * (1.0 + 1e-6);
  }
  shell.pose = (tacShellPose){s->with->turn, s->with->shift, shell.q};
  int first = 0; /* first searched level: the finest level with at most TAC_BODY_POINTS_FEW points */
  while (first + 1 < shell.view->level_count && shell.view->sizes[first + 1] <= TAC_BODY_POINTS_FEW) ++first;
  look_at_level(s, &shell, first, 0, shell.view->sizes[first]);
  while (s->waiting > 0) {
    Part part = pop(s);
    if (s->found->cost >= TAC_FIELD_MEETING_COST) {
      ++s->found->lost;
      continue;
    }
    int level = part.level + 1;
    const tacPointshellNode *node = &shell.view->nodes[part.level][part.index];
    int32_t point = part.index;
    tacVec3 at;
    tac_shell_place_points(shell.view, shell.view->nodes[shell.view->level_count - 1], &shell.pose, &point, 1, 1, &at);
    look_at_node(s, &shell, level, part.index, at, part.value, false);
    look_at_level(s, &shell, level, node->first_child, node[1].first_child);
  }
}

/* ---- bodies with few places ---- */

static void search_few(Search *s) {
  const tacBodyPoints *points = s->points;
  Batch batch = {.count = 0};
  for (int i = 0; i < points->few; ++i) add_to_batch(s, &batch, points->places[i], points->who[i]);
  if (batch.count > 0) look_at_batch(s, &batch);
}

void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found) {
  tacArenaMark mark = tac_arena_mark(arena);
  Part *heap = tac_arena_array(arena, ROOM, sizeof *heap);
  int32_t *cells = tac_arena_array(arena, CELLS, sizeof *cells);
  *found = (tacFieldFound){0};
  Search s = {.points = points,
              .body = body,
              .surface = surface,
              .with = search,
              .candidates = candidates,
              .found = found,
              .loose = points->loose,
              .heap = heap,
              .cells = cells};
  if (search->reach != NULL) s.reach_of_margin = tac_field_reach_at(search->reach, search->margin);
  if (s.cells != NULL && points->few > 0 && !(search->faces && points->faces)) {
    search_few(&s);
    tac_arena_release(arena, mark);
    return;
  }
  bool whole = points->shell == NULL || (points->faces && search->faces);
  if (s.cells != NULL && whole && (points->faces || points->listed_count > 0))
    search_tree(&s, (Tree){surface->tree, points->nodes, false});
  if (s.cells != NULL && points->point_tree != NULL)
    search_tree(&s, (Tree){points->point_tree, points->point_tree->nodes, true});
  else if (s.cells != NULL && points->shell != NULL)
    search_shell(&s);
  tac_arena_release(arena, mark);
}
