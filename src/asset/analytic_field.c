#include "asset/analytic_field.h"

#include <math.h>
#include <string.h>
#include "base/lanes.h"
#include "math/geometry/vec3.h"

/* ---- single points ---- */

/* From the nearest point of a capsule's axis. */
static inline tacVec3 away_from_axis(const tacAnalyticPart *capsule, tacVec3 p) {
  tacVec3 axis = tac_vec3_sub(capsule->b, capsule->a);
  double length2 = tac_vec3_norm2(axis);
  double t = length2 > 0.0 ? tac_vec3_dot(tac_vec3_sub(p, capsule->a), axis) / length2 : 0.0;
  t = t > 0.0 ? t : 0.0;
  return tac_vec3_sub(p, tac_vec3_mad(capsule->a, t < 1.0 ? t : 1.0, axis));
}

/* From the nearest point of a box: zero inside. */
static inline tacVec3 away_from_box(const tacAnalyticPart *box, tacVec3 p) {
  return tac_vec3_sub(p, tac_vec3_min(tac_vec3_max(p, box->a), box->b));
}

/* Inside it is that of the nearest face. */
static inline double box_value(const tacAnalyticPart *box, tacVec3 p) {
  const double distance = tac_vec3_norm(away_from_box(box, p));
  const tacVec3 faces = tac_vec3_max(tac_vec3_sub(box->a, p), tac_vec3_sub(p, box->b));
  const double most = faces.x > faces.y ? faces.x : faces.y, inside = faces.z > most ? faces.z : most;
  return distance > 0.0 ? distance : inside;
}

static inline double value_of(const tacAnalyticPart *part, tacVec3 p) {
  if (part->kind == TAC_ANALYTIC_CAPSULE) return tac_vec3_norm(away_from_axis(part, p)) - part->radius;
  if (part->kind == TAC_ANALYTIC_BOX) return box_value(part, p);
  return tac_vec3_dot(part->a, p) - part->radius;
}

double tac_analytic_value(int part_count, const tacAnalyticPart *parts, tacVec3 p) {
  double least = INFINITY;
  if (!tac_vec3_finite(p)) return least;
  for (int i = 0; i < part_count; ++i) {
    double value = value_of(&parts[i], p);
    least = value < least ? value : least;
  }
  return least;
}

static tacVec3 box_gradient(const tacAnalyticPart *box, tacVec3 p) {
  tacVec3 away = away_from_box(box, p);
  double distance = tac_vec3_norm(away);
  if (distance > 0.0) return tac_vec3_scale(1.0 / distance, away);
  /* Inside: the nearest of six faces; the first of several where they tie. */
  const double to_face[6] = {box->a.x - p.x, p.x - box->b.x, box->a.y - p.y,
                             p.y - box->b.y, box->a.z - p.z, p.z - box->b.z};
  int nearest = 0;
  for (int i = 1; i < 6; ++i)
    if (to_face[i] > to_face[nearest]) nearest = i;
  double sign = nearest % 2 == 0 ? -1.0 : 1.0;
  return tac_vec3(nearest / 2 == 0 ? sign : 0.0, nearest / 2 == 1 ? sign : 0.0, nearest / 2 == 2 ? sign : 0.0);
}

double tac_analytic_gradient(int part_count, const tacAnalyticPart *parts, tacVec3 p, tacVec3 *gradient) {
  double least = INFINITY;
  const tacAnalyticPart *nearest = NULL;
  *gradient = tac_vec3(0.0, 0.0, 0.0);
  if (!tac_vec3_finite(p)) return least;
  for (int i = 0; i < part_count; ++i) {
    double value = value_of(&parts[i], p);
    if (!(value < least)) continue;
    least = value;
    nearest = &parts[i];
  }
  if (nearest == NULL) return least;
  if (nearest->kind == TAC_ANALYTIC_PLANE)
    *gradient = nearest->a;
  else if (nearest->kind == TAC_ANALYTIC_BOX)
    *gradient = box_gradient(nearest, p);
  else
    *gradient = tac_vec3_unit(away_from_axis(nearest, p));
  return least;
}

/* ---- four points at once, with the same operations in the same order ---- */

enum { GROUP = 4 };
typedef double Four __attribute__((vector_size(8 * GROUP)));
typedef int64_t Masks __attribute__((vector_size(8 * GROUP)));
typedef struct {
  Four x, y, z;
} Group;

/* Macros, because vectors that functions return have another ABI on each kind of processor. The order of operands is that of
 * tac_vec3_min and tac_vec3_max. */
#define PICK(mask, a, b) ((Four)(((Masks)(mask) & (Masks)(a)) | (~(Masks)(mask) & (Masks)(b))))
#define LARGER(a, b) PICK((a) > (b), a, b)
#define SMALLER(a, b) PICK((a) < (b), a, b)

TAC_LANES_BODY void set_lengths(const Group *v, Four *lengths) {
  const Four squares = v->x * v->x + v->y * v->y + v->z * v->z;
  for (int i = 0; i < GROUP; ++i) (*lengths)[i] = sqrt(squares[i]);
}

TAC_LANES_BODY void set_to_capsule(const tacAnalyticPart *capsule, const Group *p, Four *values) {
  const tacVec3 a = capsule->a, axis = tac_vec3_sub(capsule->b, a);
  const double length2 = tac_vec3_norm2(axis);
  const Four zero = {0.0}, one = zero + 1.0;
  Four t = zero;
  if (length2 > 0.0) {
    t = ((p->x - a.x) * axis.x + (p->y - a.y) * axis.y + (p->z - a.z) * axis.z) / length2;
    t = LARGER(t, zero);
    t = SMALLER(t, one);
  }
  const Group away = {p->x - (a.x + t * axis.x), p->y - (a.y + t * axis.y), p->z - (a.z + t * axis.z)};
  set_lengths(&away, values);
  *values = *values - capsule->radius;
}

/* Along one axis: the way from the box to the coordinate, and the value of the nearer face. */
TAC_LANES_BODY void set_along_axis(double lower, double upper, const Four *p, Four *away, Four *face) {
  const Four zero = {0.0}, low = zero + lower, high = zero + upper, above = LARGER(*p, low);
  const Four to_low = low - *p, to_high = *p - high;
  *away = *p - SMALLER(above, high);
  *face = LARGER(to_low, to_high);
}

TAC_LANES_BODY void set_to_box(const tacAnalyticPart *box, const Group *p, Four *values) {
  Group away, faces;
  Four distance;
  set_along_axis(box->a.x, box->b.x, &p->x, &away.x, &faces.x);
  set_along_axis(box->a.y, box->b.y, &p->y, &away.y, &faces.y);
  set_along_axis(box->a.z, box->b.z, &p->z, &away.z, &faces.z);
  set_lengths(&away, &distance);
  const Four most = LARGER(faces.x, faces.y), inside = LARGER(faces.z, most);
  *values = PICK(distance > 0.0, distance, inside);
}

TAC_LANES_BODY void set_to_part(const tacAnalyticPart *part, const Group *p, Four *values) {
  if (part->kind == TAC_ANALYTIC_CAPSULE)
    set_to_capsule(part, p, values);
  else if (part->kind == TAC_ANALYTIC_BOX)
    set_to_box(part, p, values);
  else
    *values = part->a.x * p->x + part->a.y * p->y + part->a.z * p->z - part->radius;
}

TAC_LANES_BODY void find_values_lanes(const int doubles, int part_count, const tacAnalyticPart *parts, int count,
                                      const tacVec3 *points, double *values) {
  (void)doubles;
  const Four zero = {0.0}, infinite = zero + INFINITY;
  for (int begin = 0; begin < count; begin += GROUP) {
    const tacVec3 *at = points + begin;
    const int size = count - begin < GROUP ? count - begin : GROUP;
    _Alignas(sizeof(Four)) double places[3][GROUP];
    Group p;
    for (int i = 0; i < GROUP; ++i) {
      const tacVec3 place = at[i < size ? i : 0]; /* the first fills up the group */
      places[0][i] = place.x;
      places[1][i] = place.y;
      places[2][i] = place.z;
    }
    memcpy(&p, places, sizeof p);
    Four least = infinite, other;
    for (int i = 0; i < part_count; ++i) {
      set_to_part(&parts[i], &p, &other);
      least = SMALLER(other, least);
    }
    const Four none = (p.x - p.x) + (p.y - p.y) + (p.z - p.z); /* NaN where a coordinate is not finite */
    least = PICK(none == zero, least, infinite);
    for (int i = 0; i < size; ++i) values[begin + i] = least[i];
  }
}
TAC_LANES_KERNEL(static, find_values,
                 (int part_count, const tacAnalyticPart *parts, int count, const tacVec3 *points, double *values),
                 part_count, parts, count, points, values)

void tac_analytic_values(int part_count, const tacAnalyticPart *parts, int count, const tacVec3 *points,
                         double *values) {
  find_values(part_count, parts, count, points, values);
}
