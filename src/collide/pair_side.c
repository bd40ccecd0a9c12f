#include "collide/pair_side.h"

#include <math.h>
#include "asset/deformed_field.h"
#include "asset/distance_field.h"
#include "math/geometry/vec3.h"

static const double followed = 2.0; /* maximum |E' - E| / |x' - x| for which E follows the surface */
static const double away = -0.5;    /* maximum m . m' between the two sides of a thin part */
static const double nearby = 0.5;   /* minimum m . m' for which the entry stays unchanged at a rod */
static const double ridge =
    0.6; /* maximum |gradient| between two sides of a thin part; interpolation shortens the gradient there */
static const double same = 0.95;     /* minimum m . m' for which the point slides on a curved surface */
static const double own_half = 0.75; /* minimum m . gradient for which a point is on the entry side of the middle */
/* distance tested for a thin part, opposite to the exit direction; relative to the depth */
static const double across = 4.0;
static const double by_rim = 0.85; /* maximum |s . n| for which the point entered through a rim */
/* step length relative to the field value; below 1, since interpolated values may be too large */
static const double trace_part = 0.7;
enum { TRACE_STEPS = 32, CELL_STEPS = 16 }; /* maximum numbers of steps: on a path, in a voxel of the grid */

/* ---- mapping to the rest shape ---- */

static tacVec3 to_rest(const tacContactField *field, tacPairProxy under, tacVec3 x) {
  return field->deformed != NULL ? tac_deformed_pose_pull_back(field->deformed, under.domain, under.proxy, x) : x;
}
static tacVec3 normal_to_rest(const tacContactField *field, tacPairProxy under, tacVec3 normal) {
  if (field->deformed == NULL) return normal;
  return tac_deformed_pose_pull_normal(field->deformed, under.domain, under.proxy, normal);
}
static tacVec3 normal_from_rest(const tacContactField *field, tacPairProxy under, tacVec3 normal) {
  if (field->deformed == NULL) return normal;
  return tac_vec3_unit(tac_deformed_pose_push_normal(field->deformed, under.domain, under.proxy, normal));
}
static const tacDistanceField *rest_of(const tacContactField *field, tacPairProxy under) {
  if (field->deformed == NULL) return field->field;
  return tac_deformed_field_domain(tac_deformed_pose_field(field->deformed), under.domain);
}

static void keep(tacPairSide *side, tacVec3 x, tacVec3 out, double depth, double half) {
  tacVec3 at = tac_vec3_mad(x, depth, out);
  tac_pair_side_set(at, side->at);
  tac_pair_side_set(out, side->out);
  side->depth = (float)depth;
  side->half = (float)half;
  side->runs = 0;
}

/* Starts a contact that enters the body where the normal is `normal`. A released point that returns from the far side
 * stays released. */
static void come(tacPairSide *side, tacVec3 normal) {
  side->let = side->let && tac_vec3_dot(tac_pair_side_vector(side->came), normal) <= away;
  if (side->let) return;
  tac_pair_side_set(normal, side->came);
}

/* True if the point may be held to the side with this normal. A released point may not be held. Other points may not be
 * held to a side that faces away from their entry. */
static bool may_hold(const tacPairSide *side, tacVec3 normal) {
  return !side->let && tac_vec3_dot(tac_pair_side_vector(side->came), normal) > away;
}

/* Ends a contact that leaves the body where the normal is `normal`. */
static tacSideDepth leave(tacPairSide *side, tacVec3 normal) {
  side->let = tac_vec3_dot(tac_pair_side_vector(side->came), normal) <= away;
  side->half = 0.0f;
  return (tacSideDepth){.depth = 0.0};
}

/* Maps the entry to the rest shape of the proxy `under`. */
static void take_under(tacPairSide *side, const tacContactField *field, tacPairProxy under) {
  if (field->deformed == NULL || (side->under.domain == under.domain && side->under.proxy == under.proxy)) return;
  const tacPairProxy was = side->under;
  tacVec3 at = tac_deformed_pose_push_forward(field->deformed, was.domain, was.proxy, tac_pair_side_vector(side->at));
  tacVec3 out = normal_from_rest(field, was, tac_pair_side_vector(side->out));
  at = to_rest(field, under, at);
  out = tac_vec3_unit(normal_to_rest(field, under, out));
  tac_pair_side_set(at, side->at);
  tac_pair_side_set(out, side->out);
  side->under = under;
}

/* Maps the entry to the rest shape of the proxy nearest to it. */
static void take_nearest(tacPairSide *side, const tacContactField *field) {
  if (field->deformed == NULL) return;
  const tacPairProxy was = side->under;
  tacVec3 at = tac_deformed_pose_push_forward(field->deformed, was.domain, was.proxy, tac_pair_side_vector(side->at));
  tacDeformedLook look;
  tac_deformed_pose_look(field->deformed, 1, &at, &(double){INFINITY}, 0.0, &look);
  take_under(side, field, (tacPairProxy){(int16_t)look.domain, (int16_t)look.proxy});
}

static tacSideDepth answer(const tacContactField *field, const tacPairSide *side, double depth) {
  return (tacSideDepth){depth, normal_from_rest(field, side->under, tac_pair_side_vector(side->out)), 1.0};
}

/* ---- points past the middle ---- */

/* Moves the entry along the surface, so that it follows the point at x. Writes e to `depth`. Returns the factor on the
 * depth near a rim, 0 to 1. */
static double follow(tacPairSide *side, const tacContactField *field, tacVec3 x, double *depth) {
  const double half = (double)side->half;
  tacVec3 out = tac_pair_side_vector(side->out),
          before = tac_vec3_mad(tac_pair_side_vector(side->at), -(double)side->depth, out), gradient;
  double e = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), out), moved = tac_vec3_distance(x, before);
  const double value =
      tac_distance_field_gradient(rest_of(field, side->under), tac_vec3_mad(x, e - 0.5 * half, out), &gradient);
  const double size = tac_vec3_norm(gradient), left = -value / (0.25 * half);
  /* The field leads to the entry side, and the point has not moved around the part. */
  if (tac_vec3_dot(gradient, out) > same * size && tac_vec3_dot(gradient, tac_pair_side_vector(side->came)) > 0.0) {
    e += fmax(-moved, fmin(moved, -value - 0.5 * half));
    out = tac_vec3_unit(tac_vec3_mix(out, tac_vec3_scale(1.0 / size, gradient), fmin(1.0, moved / half)));
  }
  keep(side, x, out, e, half);
  *depth = e;
  return fmax(0.0, fmin(1.0, left));
}

/* ---- straight paths ---- */

typedef struct {
  tacVec3 at; /* entry, m */
  /* normals at the entry and at the exit; if the path ends inside, `out` is the normal at its end */
  tacVec3 in, out;
  double half; /* maximum depth on the path, m */
} Passage;

static tacVec3 normal_at(const tacDistanceField *field, tacVec3 x) {
  tacVec3 gradient;
  tac_distance_field_gradient(field, x, &gradient);
  return tac_vec3_unit(gradient);
}

/* True if the straight path crosses the inside of the body. `begins`: true if the path may start inside. */
static bool trace(const tacDistanceField *field, tacVec3 from, tacVec3 to, bool begins, Passage *passage) {
  const tacGrid *grid = tac_distance_field_grid(field); /* a grid does not resolve parts much thinner than a voxel */
  const double length = tac_vec3_distance(from, to);
  const double least = fmax(length / TRACE_STEPS, grid != NULL ? grid->spacing / CELL_STEPS : 0.0);
  double at = 0.0, last = 0.0, before = 0.0, entered = -1.0, left = length;
  *passage = (Passage){.half = 0.0};
  if (!(length > 0.0)) return false;
  for (;;) {
    const double value = tac_distance_field_value(field, tac_vec3_mix(from, to, at / length));
    if (!(fabs(value) < INFINITY)) return false;
    if (entered < 0.0 && value < 0.0) {
      if (at == 0.0 && !begins) return false;
      entered = at == 0.0 ? 0.0 : last + (at - last) * before / (before - value);
    } else if (entered >= 0.0 && value >= 0.0) {
      left = last + (at - last) * before / (before - value);
      break;
    }
    passage->half = fmax(passage->half, -value);
    if (at >= length) break;
    last = at;
    before = value;
    at = fmin(length, at + fmax(trace_part * fabs(value), least));
  }
  if (entered < 0.0) return false;
  passage->at = tac_vec3_mix(from, to, entered / length);
  passage->in = normal_at(field, passage->at);
  passage->out = normal_at(field, tac_vec3_mix(from, to, left / length));
  return true;
}

/* ---- update of a point ---- */

bool tac_pair_side_agrees(const tacPairSide *side, tacVec3 gradient) {
  const double along = tac_vec3_dot(tac_pair_side_vector(side->out), gradient),
               by_last = tac_vec3_dot(tac_pair_side_vector(side->last), gradient);
  const double size2 = tac_vec3_norm2(gradient), least = same * same * size2;
  return !(side->half > 0.0f) && along > 0.0 && along * along > least && size2 > ridge * ridge && by_last > 0.0 &&
         by_last * by_last > least;
}

/* Starts to hold a point that has just passed the middle of a thin part. `depth`: depth of the field. */
static tacSideDepth hold(tacPairSide *side, const tacContactField *field, tacVec3 x, double depth) {
  tacVec3 out = tac_pair_side_vector(side->out);
  const double e = fmax(depth, tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), out));
  keep(side, x, out, e, 0.5 * (e + depth));
  /* `e` is exact; the stored depth is rounded to float and may be less than the depth of the field */
  return answer(field, side, e);
}

/* True if the part is thin along the exit direction of the point. Writes the normal of the middle surface of the
 * part. */
static bool is_thin(const tacDistanceField *field, tacVec3 x, double depth, tacVec3 out, tacVec3 *normal) {
  tacVec3 gradient;
  const double value = tac_distance_field_gradient(field, tac_vec3_mad(x, -across * depth, out), &gradient);
  const double size = tac_vec3_norm(gradient);
  if (!(value >= 0.0) || !(size > 0.0) || tac_vec3_dot(gradient, out) > away * size) return false;
  *normal = tac_vec3_unit(tac_vec3_mad(out, -1.0 / size, gradient));
  return true;
}

/* True if the exit direction changed from a thin rim to a face and the point may be held to the rim. Writes the normal
 * of the rim to `to`. */
static bool leaves_rim(tacPairSide *side, const tacDistanceField *field, tacVec3 x, double depth, tacVec3 out,
                       tacVec3 *to) {
  const tacVec3 last = tac_pair_side_vector(side->last);
  tacVec3 normal;
  if (tac_vec3_dot(last, out) > same) return false;
  const bool thin = is_thin(field, x, depth, out, &normal);
  const double along = thin ? tac_vec3_dot(last, normal) : 1.0;
  if (fabs(along) > by_rim) { /* the point entered through a face */
    if (along > 0.0) tac_pair_side_set(out, side->last);
    return false;
  }
  *to = tac_vec3_unit(tac_vec3_mad(last, -along, normal));
  return may_hold(side, *to);
}

/* Holds the point to the normal `to` of a rim. */
static tacSideDepth hold_to_rim(tacPairSide *side, const tacContactField *field, tacVec3 x, double depth, tacVec3 entry,
                                tacVec3 to) {
  keep(side, x, to, tac_vec3_dot(tac_vec3_sub(entry, x), to), 0.0);
  return hold(side, field, x, depth);
}

tacSideDepth tac_pair_side_inside(tacPairSide *side, const tacContactField *field, tacVec3 place, tacPairProxy under,
                                  double depth, tacVec3 gradient, const tacVec3 *from) {
  const double size = tac_vec3_norm(gradient);
  const tacSideDepth here = {depth, tac_vec3_scale(size > 0.0 ? 1.0 / size : 0.0, gradient), size};
  const tacVec3 x = to_rest(field, under, place), steep = normal_to_rest(field, under, gradient);
  const bool at_rest = field->deformed == NULL;
  const tacVec3 out = at_rest ? here.out : tac_vec3_unit(steep);
  const bool is_ridge = !((at_rest ? size : tac_vec3_norm(steep)) > ridge);
  const tacDistanceField *rest = rest_of(field, under);
  tacVec3 rim;
  Passage passage;
  if (from != NULL) {
    side->under = under;
    keep(side, x, out, depth, 0.0);
    const bool against = tac_vec3_dot(tac_vec3_sub(x, *from), out) > 0.0; /* the point moves in the exit direction */
    const bool traced = (against || is_thin(rest, x, depth, out, &rim)) && trace(rest, *from, x, false, &passage);
    come(side, traced ? passage.in : out);
    tac_pair_side_set(traced ? passage.in : out, side->last);
    if (!traced || side->let) return here;
    if (leaves_rim(side, rest, x, depth, out, &rim)) return hold_to_rim(side, field, x, depth, passage.at, rim);
    if (tac_vec3_dot(passage.in, out) > away) return here;
    keep(side, x, passage.in, tac_vec3_dot(tac_vec3_sub(passage.at, x), passage.in), 0.0);
    return hold(side, field, x, depth);
  }
  take_under(side, field, under);
  const tacVec3 own = tac_pair_side_vector(side->out);
  if (side->half > 0.0f) {
    double e;
    if (tac_vec3_dot(steep, own) > own_half) {
      keep(side, x, out, depth, 0.0);
      return here;
    }
    const double left = follow(side, field, x, &e);
    if (e > 0.0 && (left >= 1.0 || left * e > depth))
      return answer(field, side, left >= 1.0 ? fmax(e, depth) : left * e);
    keep(side, x, out, depth, 0.0);
    return here;
  }
  const tacVec3 before = tac_vec3_mad(tac_pair_side_vector(side->at), -(double)side->depth, own);
  const double slid2 = tac_vec3_norm2(tac_vec3_sub(tac_vec3_mad(x, depth, out), tac_pair_side_vector(side->at)));
  const double way2 = tac_vec3_norm2(tac_vec3_sub(x, before)), turn = tac_vec3_dot(out, own);
  const bool follows = slid2 <= followed * followed * way2;
  if (!may_hold(side, own) || (!is_ridge && turn > away && (follows || (turn <= nearby && side->runs == 0)))) {
    if (leaves_rim(side, rest, x, depth, out, &rim))
      return hold_to_rim(side, field, x, depth, tac_pair_side_vector(side->at), rim);
    keep(side, x, out, depth, 0.0);
    return here;
  }
  if (turn > nearby && !is_ridge) {
    side->runs = 1;
    return here;
  }
  return hold(side, field, x, depth);
}

tacSideDepth tac_pair_side_beyond(tacPairSide *side, const tacContactField *field, tacVec3 place) {
  if (side->half > 0.0f) take_nearest(side, field);
  const tacVec3 x = to_rest(field, side->under, place), out = tac_pair_side_vector(side->out);
  double e = tac_vec3_dot(tac_vec3_sub(tac_pair_side_vector(side->at), x), out), left = 1.0;
  if (!(e > 0.0)) return leave(side, out);
  if (side->half > 0.0f) {
    left = follow(side, field, x, &e);
    if (e > 0.0 && left > 0.0) return answer(field, side, left * e);
    return leave(side, tac_vec3_scale(e > 0.0 ? -1.0 : 1.0, out));
  }
  Passage passage;
  if (!trace(rest_of(field, side->under), tac_vec3_mad(x, e, out), x, true, &passage)) return leave(side, out);
  if (!may_hold(side, out) || tac_vec3_dot(passage.out, out) > away || !(passage.half > 0.0))
    return leave(side, passage.out);
  keep(side, x, out, e, passage.half);
  return answer(field, side, e);
}

tacSideDepth tac_pair_side_passed(tacPairSide *side, const tacContactField *field, tacVec3 place, tacPairProxy under,
                                  tacVec3 from) {
  const tacSideDepth free = {.depth = 0.0};
  const tacVec3 x = to_rest(field, under, place);
  Passage passage;
  if (!trace(rest_of(field, under), from, x, false, &passage)) return free;
  const double e = tac_vec3_dot(tac_vec3_sub(passage.at, x), passage.in);
  come(side, passage.in);
  tac_pair_side_set(passage.in, side->last);
  if (side->let || tac_vec3_dot(passage.in, passage.out) > away || !(e > 0.0)) return leave(side, passage.out);
  side->under = under;
  keep(side, x, passage.in, e, passage.half);
  return answer(field, side, e);
}
