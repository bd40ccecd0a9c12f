/* A slab, a rod and a sheet with a rim, one point. */
#include "collide/pair_side.h"

#include "math/geometry/vec3.h"
#include "test.h"

#define HALF 0.0005 /* m: half of the slab's thickness */

static tacDistanceField *make_slab(void) {
  return tac_test_made(tacDistanceField *,
                       tac_distance_field_box((tacBox){{-0.01, -0.01, -HALF}, {0.01, 0.01, HALF}}, &made, &error));
}

/* A point on its way, at first outside. */
typedef struct Walk {
  tacContactField field;
  tacPairSide side;
  tacVec3 at;
  bool in; /* it is in contact */
} Walk;

static Walk walk_from(const tacDistanceField *field, tacVec3 at) {
  return (Walk){.field = {.field = field, .reach = tac_field_reach(field)}, .at = at};
}

/* As pairs do it: the point goes on by a step. */
static tacSideDepth go_on(Walk *walk, tacVec3 to) {
  tacPairSide *side = &walk->side;
  const tacContactField *field = &walk->field;
  tacVec3 gradient;
  double value = tac_distance_field_gradient(field->field, to, &gradient);
  const tacPairProxy none = {0, 0};
  tacSideDepth found;
  const bool agrees = walk->in && value < 0.0 && tac_pair_side_agrees(side, gradient);
  if (value < 0.0)
    found = tac_pair_side_inside(side, field, to, none, -value, gradient, walk->in ? NULL : &walk->at);
  else
    found = walk->in ? tac_pair_side_beyond(side, field, to) : tac_pair_side_passed(side, field, to, none, walk->at);
  if (agrees) { /* then nothing else would have been found */
    ck_assert_double_eq(found.depth, -value);
    ck_assert_double_eq(tac_vec3_distance(found.out, tac_vec3_unit(gradient)), 0.0);
  }
  walk->in = found.depth > 0.0;
  walk->at = to;
  return found;
}

/* From above through the slab to `bottom` and back, `step` a time: the depth is that below the upper side, all the
 * way. */
TAC_TEST(depth_keeps_growing_through_and_behind_a_slab) {
  TAC_OWN(tacDistanceField, slab) = make_slab();
  const double steps[] = {1e-5, 1e-4, 7e-4, 3e-3};
  for (int s = 0; s < 4; ++s) {
    const double top = 0.0021, bottom = -0.002, way = 2.0 * (top - bottom);
    Walk walk = walk_from(slab, tac_vec3(0.001, 0.002, top));
    for (int i = 1; i * steps[s] <= way; ++i) {
      tacVec3 to = tac_vec3(0.001, 0.002, bottom + fabs(top - bottom - i * steps[s]));
      tacSideDepth found = go_on(&walk, to);
      const double wanted = fmax(0.0, HALF - to.z);
      ck_assert_msg(fabs(found.depth - wanted) < 1e-9, "step %g, at %g: %g m deep", steps[s], to.z, found.depth);
      if (wanted > 0.0) ck_assert_double_gt(found.out.z, 1.0 - 1e-6);
    }
    ck_assert(walk.in == (walk.at.z < HALF));
  }
}

/* In the middle of a thin part the field has no gradient: what is told is finite, for a point that comes in there and for one that has. */
TAC_TEST(zero_gradient_gives_finite_depths) {
  TAC_OWN(tacDistanceField, slab) = make_slab();
  Walk walk = walk_from(slab, tac_vec3(0.001, 0.002, 0.0021));
  const tacVec3 middle = tac_vec3(0.001, 0.002, 0.0), zero = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3; ++i) {
    tacSideDepth found = tac_pair_side_inside(&walk.side, &walk.field, middle, (tacPairProxy){0, 0}, HALF, zero,
                                              i == 0 ? &walk.at : NULL);
    ck_assert(isfinite(found.depth) && tac_vec3_finite(found.out) && isfinite(found.slope));
  }
}

/* Held behind the slab, a point that goes past its rim is let go: its depth falls to nothing without a jump, and it
 * comes back above without being held. */
TAC_TEST(point_past_a_rim_is_released) {
  TAC_OWN(tacDistanceField, slab) = make_slab();
  const double step = 1e-6;
  Walk walk = walk_from(slab, tac_vec3(0.008, 0.0, 0.0008));
  double last = 0.0;
  for (double z = walk.at.z; z > -0.001; z -= step) last = go_on(&walk, tac_vec3(0.008, 0.0, z)).depth;
  ck_assert_double_eq_tol(last, 0.0015, 1e-5);
  for (double x = walk.at.x; x < 0.012; x += step) {
    double depth = go_on(&walk, tac_vec3(x, 0.0, -0.001)).depth;
    /* e / (t / 4) a metre, at most */
    ck_assert_msg(fabs(depth - last) <= 1.01 * step * 0.0015 / (0.25 * HALF), "at %g m: %g after %g m", x, depth, last);
    last = depth;
  }
  ck_assert(!walk.in);
  for (int i = 0; i < 2; ++i) { /* straight up through the slab, a millimetre and a half a time */
    go_on(&walk, tac_vec3(0.005, 0.0, i == 0 ? -0.001 : 0.001));
    ck_assert(!walk.in);
  }
}

/* Over an edge of a thick body a point may go: the field leads it out, and nothing holds it. */
TAC_TEST(point_over_a_thick_edge_follows_the_field) {
  tacBox box = {{-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}};
  TAC_CREATE(tacDistanceField, cube, tac_distance_field_box(box, &cube, &error));
  Walk walk = walk_from(cube, tac_vec3(0.008, 0.0, 0.0102));
  for (int i = 1; i <= 300; ++i) {
    tacVec3 to = tac_vec3(0.008 + 1e-5 * i, 0.0, 0.0102 - 1e-5 * fmin(i, 120.0)), gradient;
    double value = tac_distance_field_gradient(cube, to, &gradient);
    tacSideDepth found = go_on(&walk, to);
    ck_assert_double_eq_tol(found.depth, fmax(0.0, -value), 1e-12);
  }
  ck_assert(!walk.in);
}

/* Through the middle of a rod a point is held when it comes out behind, beside it it slides off; either is so at any
 * speed. */
TAC_TEST(rod_holds_points_that_reach_its_middle) {
  TAC_CREATE(tacDistanceField, rod,
             tac_distance_field_capsule(tac_vec3(0.0, -0.05, 0.0), tac_vec3(0.0, 0.05, 0.0), HALF, &rod, &error));
  const double steps[] = {1e-6, 3e-5, 2.5e-3};
  for (int s = 0; s < 3; ++s)
    for (int off = 0; off < 2; ++off) {
      Walk walk = walk_from(rod, tac_vec3(off == 0 ? 0.1 * HALF : 0.8 * HALF, 0.0, 0.0012));
      while (walk.at.z > -1.2 * HALF) go_on(&walk, tac_vec3(walk.at.x, 0.0, walk.at.z - steps[s]));
      ck_assert_msg(walk.in == (off == 0), "step %g, %s: %d", steps[s], off == 0 ? "middle" : "side", walk.in);
    }
}

/* Edgewise into the slab, at a height within a quarter of its thickness from the middle: the depth is that behind the
 * rim, all the way there and back, and the way out is that of the rim. Nearer to a face a point is led out there. */
TAC_TEST(thin_rim_holds_points_that_enter_edgewise) {
  TAC_OWN(tacDistanceField, slab) = make_slab();
  const double steps[] = {1e-6, 3e-5, 4e-4, 1.3e-3}, heights[] = {0.05, -0.4, 0.8};
  for (int s = 0; s < 4; ++s)
    for (int h = 0; h < 3; ++h) {
      const double top = 0.01091, bottom = 0.007, z = heights[h] * HALF, held = h < 2;
      Walk walk = walk_from(slab, tac_vec3(top, 0.001, z));
      for (int i = 1; i * steps[s] <= 2.0 * (top - bottom); ++i) {
        tacVec3 to = tac_vec3(bottom + fabs(top - bottom - i * steps[s]), 0.001, z);
        tacSideDepth found = go_on(&walk, to);
        const double behind = fmax(0.0, 0.01 - to.x), wanted = held ? behind : fmin(behind, HALF - z);
        ck_assert_msg(fabs(found.depth - wanted) < 1e-9, "step %g, height %g, at %g: %g m deep", steps[s], heights[h],
                      to.x, found.depth);
        if (held && wanted > 0.0) ck_assert_double_gt(found.out.x, 1.0 - 1e-6);
      }
      ck_assert(walk.in == (walk.at.x < 0.01));
    }
}

/* A point that went round a rim while it was not deep is on the face, and pressed there it is held to that. */
TAC_TEST(point_round_a_rim_is_held_by_the_face) {
  TAC_OWN(tacDistanceField, slab) = make_slab();
  const tacVec3 way[] = {{0.0101, 0.0, 0.0004},
                         {0.0099, 0.0, 0.0004},
                         {0.0099, 0.0, 0.00045},
                         {0.009, 0.0, 0.00045},
                         {0.009, 0.0, -0.0003}};
  Walk walk = walk_from(slab, way[0]);
  for (int k = 1; k < 5; ++k)
    for (int i = 1; i <= 100; ++i) {
      tacVec3 to = tac_vec3_mix(way[k - 1], way[k], i / 100.0);
      tacSideDepth found = go_on(&walk, to);
      if (k == 4) {
        ck_assert_double_eq_tol(found.depth, HALF - to.z, 1e-9);
        ck_assert_double_gt(found.out.z, 1.0 - 1e-6);
      }
    }
}
