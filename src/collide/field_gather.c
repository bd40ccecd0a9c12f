#include "collide/field_gather.h"

#include <math.h>
#include <string.h>
#include "asset/distance_field.h"
#include "math/geometry/vec3.h"

enum { TRUE_COST = 16 /* cost of an exact value of a displaced field, in field evaluations */ };
#define STEEPEST 2.0 /* typical maximum slope of a deformed field, dimensionless */
/* least displacement of a field for which exact values are computed, relative to the radius of the tested ball */
#define GIVES 1.0
#define CORNER 1.7320508075688774 /* diagonal of a unit cube */

/* ---- candidates ---- */

static int cell_of(tacVec3 at, tacVec3 lower, double per_metre, int64_t cell[3]) {
  tacVec3 x = tac_vec3_scale(per_metre, tac_vec3_sub(at, lower));
  cell[0] = (int64_t)x.x;
  cell[1] = (int64_t)x.y;
  cell[2] = (int64_t)x.z;
  uint64_t hash = ((uint64_t)cell[0] * 73856093u) ^ ((uint64_t)cell[1] * 19349663u) ^ ((uint64_t)cell[2] * 83492791u);
  return (int)(hash * 0x9e3779b97f4a7c15u >> 40) & (TAC_FIELD_GATHER_CELLS - 1);
}

/* Discards all candidates except the deepest in each grid cell and those with the flag `kept`. Returns the number of
 * remaining candidates. */
static int thin_out(tacFieldGather *s, tacVec3 lower, double cell) {
  tacFieldCandidate *all = s->candidates;
  int count = s->found->count, left = 0;
  memset(s->cells, -1, TAC_FIELD_GATHER_CELLS * sizeof *s->cells);
  for (int i = 0; i < count; ++i) {
    tacFieldCandidate c = all[i];
    int64_t own[3], other[3];
    int at = cell_of(c.at, lower, 1.0 / cell, own);
    while (!c.kept && s->cells[at] >= 0) {
      cell_of(all[s->cells[at]].at, lower, 1.0 / cell, other);
      if (memcmp(own, other, sizeof own) == 0) break;
      at = (at + 1) & (TAC_FIELD_GATHER_CELLS - 1);
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

static void make_room(tacFieldGather *s) {
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

void tac_field_gather_offer(tacFieldGather *s, tacFieldCandidate c) {
  const tacFieldSearch *with = s->with;
  if (!(c.gap < with->margin) || !tac_field_gather_in_box(&with->box, c.at)) return;
  if (s->found->count == TAC_FIELD_MEETING_CANDIDATES) make_room(s);
  if (s->found->count == TAC_FIELD_MEETING_CANDIDATES) {
    ++s->found->lost; /* no stored candidate can be discarded */
    return;
  }
  c.kept = with->knows != NULL && with->knows(with->context, c.feature, c.index, c.part);
  s->candidates[s->found->count++] = c;
}

/* ---- values ---- */

void tac_field_gather_look(tacFieldGather *s, int count, const tacVec3 *x, double *values) {
  const tacFieldSearch *with = s->with;
  s->found->cost += count;
  if (with->deformed != NULL)
    tac_deformed_pose_values(with->deformed, count, x, values);
  else
    tac_distance_field_values(with->field, count, x, values);
}

/* Computes field values. If the field is displaced, computes exact values for places that may be inside the margin. */
double tac_field_gather_look_truly(tacFieldGather *s, int count, const tacVec3 *x, double *values) {
  const tacFieldSearch *with = s->with;
  double least = INFINITY;
  tac_field_gather_look(s, count, x, values);
  for (int i = 0; i < count; ++i) least = values[i] < least ? values[i] : least;
  for (int i = 0; i < count && with->look != NULL; ++i) {
    if (!(values[i] < with->margin + with->swelling)) continue;
    values[i] = with->look(with->context, x[i], NULL);
    s->found->cost += TRUE_COST;
  }
  return least;
}

/* True if a ball may contain a place inside the margin. `value`: field value at the centre of the ball. */
bool tac_field_gather_is_near(const tacFieldGather *s, double value, double radius) {
  double most = radius + s->with->swelling + s->loose;
  if (s->with->deformed != NULL) return value < s->with->margin + STEEPEST * most;
  return value < s->with->margin || tac_field_reach_at(s->with->reach, value) - s->reach_of_margin <= most;
}

/* True if a ball overlaps the searched box. */
bool tac_field_gather_meets_box(const tacFieldGather *s, tacVec3 centre, double radius) {
  tacVec3 inside = tac_vec3_min(tac_vec3_max(centre, s->with->box.lower), s->with->box.upper);
  double most = radius + s->with->swelling + s->loose;
  return tac_vec3_norm2(tac_vec3_sub(centre, inside)) <= most * most;
}

/* Finds the balls that may contain a place inside the margin. Sets bit i of the result for each such ball i.
 * `bounds[i]` becomes a lower bound of the field values in ball i. */
unsigned tac_field_gather_near_balls(tacFieldGather *s, int count, const tacVec3 *centres, const double *radii,
                                     double *bounds, double *apart) {
  const tacFieldSearch *with = s->with;
  tacVec3 x[TAC_BOX_TREE_WIDTH] = {{0.0, 0.0, 0.0}};
  double values[TAC_BOX_TREE_WIDTH] = {0.0}, more = with->swelling + s->loose;
  int ball[TAC_BOX_TREE_WIDTH], left = 0;
  unsigned near = 0;
  for (int i = 0; i < count; ++i) {
    if (apart != NULL) apart[i] = -INFINITY;
    if (!tac_field_gather_meets_box(s, centres[i], radii[i])) {
      if (apart != NULL) apart[i] = tac_field_gather_apart_box(s, centres[i]) - radii[i];
      continue;
    }
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
  tac_field_gather_look(s, left, x, values);
  for (int k = 0; k < left; ++k) {
    double radius = radii[ball[k]];
    bool may = tac_field_gather_is_near(s, values[k], radius);
    bounds[ball[k]] = values[k] - radius;
    if (!may && apart != NULL) apart[ball[k]] = tac_field_gather_apart(s, values[k]) - radius;
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

double tac_field_gather_gradient(tacFieldGather *s, tacVec3 x, tacVec3 *gradient) {
  ++s->found->cost;
  return tac_distance_field_gradient(s->with->field, x, gradient);
}

double tac_field_gather_ball_around(const tacVec3 *a, const tacVec3 *b, const tacVec3 *c, tacVec3 *middle) {
  *middle = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(*a, tac_vec3_add(*b, *c)));
  double a2 = tac_vec3_norm2(tac_vec3_sub(*a, *middle)), b2 = tac_vec3_norm2(tac_vec3_sub(*b, *middle));
  double c2 = tac_vec3_norm2(tac_vec3_sub(*c, *middle)), most2 = a2 > b2 ? a2 : b2;
  return sqrt(most2 > c2 ? most2 : c2);
}

/* ---- slack ---- */

double tac_field_gather_apart_box(const tacFieldGather *s, tacVec3 x) {
  if (s->with->slack == NULL) return -INFINITY;
  const tacBox *box = &s->with->slack->box;
  tacVec3 inside = tac_vec3_min(tac_vec3_max(x, box->lower), box->upper);
  return tac_vec3_distance(x, inside);
}

/* Returns a bound of the motion of each place of the surface in the field's frame since the last search, m. A growth of
 * the searched box counts as motion. */
static double motion_of(const tacFieldGather *s, const tacFieldSlack *slack, const tacBox *box) {
  const tacFieldSearch *with = s->with;
  tacVec3 centre = s->points->centre;
  tacVec3 now = tac_vec3_add(tac_mat3_mul_vec(with->turn, centre), with->shift);
  tacVec3 before = tac_vec3_add(tac_mat3_mul_vec(slack->turn, centre), slack->shift);
  double turn2 = 0.0, growth = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      double by = with->turn.m[i][k] - slack->turn.m[i][k];
      turn2 += by * by;
    }
  const double grown[6] = {slack->box.lower.x - box->lower.x, slack->box.lower.y - box->lower.y,
                           slack->box.lower.z - box->lower.z, box->upper.x - slack->box.upper.x,
                           box->upper.y - slack->box.upper.y, box->upper.z - slack->box.upper.z};
  for (int i = 0; i < 6; ++i) growth = fmax(growth, grown[i]);
  /* The Frobenius norm of the difference of two rotations is sqrt(2) times its largest singular value. */
  return tac_vec3_distance(now, before) + sqrt(0.5 * turn2) * s->points->radius + (s->points->way - slack->way) +
         CORNER * growth;
}

void tac_field_gather_begin(tacFieldGather *s) {
  const tacFieldSearch *with = s->with;
  tacFieldSlack *slack = with->slack;
  s->level = INFINITY;
  if (slack == NULL) return;
  tacBox box = tac_box_expand(with->box, -with->margin);
  double motion = motion_of(s, slack, &box);
  /* without a finite motion nothing may be skipped any more */
  slack->moved = isfinite(motion) ? slack->moved + motion * (1.0 + 1e-9) + 1e-12 : INFINITY;
  slack->turn = with->turn;
  slack->shift = with->shift;
  slack->box = box;
  slack->way = s->points->way;
  if (with->deformed == NULL)
    s->level = slack->moved + fmax(s->reach_of_margin, CORNER * with->margin) + with->swelling + s->points->loose;
}
