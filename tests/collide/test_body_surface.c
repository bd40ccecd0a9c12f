#include "collide/body_surface.h"

#include <math.h>
#include "body/reduced_kind.h"
#include "brick_beam.h"
#include "math/random.h"
#include "mesh/triangle_point.h"

typedef struct Beam {
  tacReduced *reduced;
  tacBody body;
  tacBodySurface *surface;
} Beam;

static Beam make_beam(tacReduced *reduced) {
  Beam beam = {.reduced = reduced};
  tacError error = {0};
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.name = "beam";
  def.reduced = reduced;
  tac_test_ok(tac_reduced_kind_create(&def, &beam.body, &error), error);
  tac_test_ok(tac_body_surface_create(tac_reduced_surface(reduced), &beam.surface, &error), error);
  return beam;
}

static void destroy_beam(Beam *beam) {
  tac_body_surface_destroy(beam->surface);
  beam->body.table->destroy(beam->body.self);
  tac_reduced_destroy(beam->reduced);
}

static void set_q(const Beam *beam, const double *q) {
  ck_assert(tac_reduced_body_set(tac_reduced_kind_body(&beam->body), q, NULL));
}

static tacVec3 vertex(const Beam *beam, int v) {
  return beam->body.table->vertex(beam->body.self, v);
}

/* A bend and a twist that leave the beam without self-contact. */
static void set_random(const Beam *beam, tacRandom *random) {
  double q[6];
  for (int j = 0; j < 6; ++j) q[j] = tac_random_uniform(random, -0.02, 0.02) / (1.0 + j);
  set_q(beam, q);
}

static double brute_distance(const Beam *beam, tacVec3 p) {
  const tacTriMesh *mesh = beam->surface->mesh;
  double least = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 c[3];
    for (int i = 0; i < 3; ++i) c[i] = vertex(beam, mesh->triangles[t].v[i]);
    least = fmin(least, tac_vec3_distance(tac_triangle_closest(c[0], c[1], c[2], p), p));
  }
  return least;
}

/* The least distance from p of the triangles that have the point x. */
static double brute_around(const Beam *beam, tacVec3 x, tacVec3 p) {
  const tacTriMesh *mesh = beam->surface->mesh;
  double least = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 c[3];
    for (int i = 0; i < 3; ++i) c[i] = vertex(beam, mesh->triangles[t].v[i]);
    if (tac_vec3_distance(tac_triangle_closest(c[0], c[1], c[2], x), x) > 1e-10) continue;
    least = fmin(least, tac_vec3_distance(tac_triangle_closest(c[0], c[1], c[2], p), p));
  }
  return least;
}

/* Where the surface is hollow, a walk may end on the wrong side of the hollow, but not where a step leads nearer. */
START_TEST(a_walk_ends_where_no_step_leads_nearer) {
  Beam beam = make_beam(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacRandom random = tac_random_seed(7);
  for (int n = 0; n < 400; ++n) {
    set_random(&beam, &random);
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-0.02, -0.05, -0.05}, {0.2, 0.09, 0.09}});
    tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, p);
    double distance = fabs(tac_body_surface_nearest(beam.surface, &beam.body, p, &at));
    ck_assert_double_eq_tol(at.weight[0] + at.weight[1] + at.weight[2], 1.0, 1e-12);
    tacVec3 x = tac_body_surface_point(beam.surface, &beam.body, at);
    ck_assert_double_eq_tol(tac_vec3_distance(x, p), distance, 1e-8); /* the point is where it says */
    ck_assert_double_eq_tol(brute_around(&beam, x, p), distance, 1e-8);
    ck_assert_double_ge(distance, brute_distance(&beam, p) - 1e-12);
  }
  destroy_beam(&beam);
}
END_TEST

/* A convex body has no hollows. The beam at rest is the box 160 mm x 40 mm x 40 mm. */
START_TEST(from_outside_of_a_box_the_nearest_point_is_found) {
  Beam beam = make_beam(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacRandom random = tac_random_seed(8);
  for (int n = 0; n < 2000; ++n) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-0.02, -0.05, -0.05}, {0.2, 0.09, 0.09}});
    tacVec3 in_box = {fmin(fmax(p.x, 0.0), 0.16), fmin(fmax(p.y, 0.0), 0.04), fmin(fmax(p.z, 0.0), 0.04)};
    double truth = tac_vec3_distance(p, in_box);
    if (truth < 1e-6) continue; /* inside, or on which side is rounding */
    tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(beam.surface, &beam.body, p, &at), truth, 1e-9);
  }
  destroy_beam(&beam);
}
END_TEST

START_TEST(the_sign_tells_inside_from_outside) {
  Beam beam = make_beam(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  const struct {
    tacVec3 p;
    double distance;
  } cases[] = {{{0.08, 0.02, 0.045}, 0.005},
               {{0.08, 0.02, 0.035}, -0.005},
               {{0.17, 0.02, 0.02}, 0.01},
               {{0.08, 0.002, 0.02}, -0.002}};
  for (int i = 0; i < 4; ++i) {
    tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, cases[i].p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(beam.surface, &beam.body, cases[i].p, &at), cases[i].distance,
                            1e-9);
  }
  destroy_beam(&beam);
}
END_TEST

START_TEST(a_point_that_goes_through_a_sheet_stays_on_its_side) {
  Beam beam = make_beam(brick_beam_reduced(12, 6, 1, 0.01, false, 4, 6));
  set_q(&beam, (double[6]){0.004, 0.002, 0.0, 0.0, 0.0, 0.0});
  tacVec3 p = tac_vec3(0.065, 0.033, 0.03);
  tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, p);
  double above = tac_body_surface_nearest(beam.surface, &beam.body, p, &at), distance = above;
  ck_assert_double_gt(above, 0.0);
  for (int i = 0; i < 30; ++i) { /* down through the sheet, which is 10 mm thick */
    p.z -= 0.001;
    distance = tac_body_surface_nearest(beam.surface, &beam.body, p, &at);
    ck_assert_double_eq_tol(distance, above - 0.001 * (i + 1), 2e-3);
  }
  ck_assert_double_lt(distance, 0.0);
  destroy_beam(&beam);
}
END_TEST

/* Deep below a side, the top is nearer than it; the way over triangles that have the point does not lead there. */
START_TEST(a_walk_along_a_side_stays_on_it) {
  Beam beam = make_beam(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacVec3 p = tac_vec3(0.015, 0.039, 0.03);
  tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, p);
  tac_body_surface_nearest(beam.surface, &beam.body, p, &at);
  for (int i = 0; i < 2000; ++i) {
    p.x = 0.08 - 0.065 * cos(0.003 * i);
    p.y = fmax(0.02, p.y - 1e-4);
    double distance = tac_body_surface_nearest(beam.surface, &beam.body, p, &at);
    ck_assert_double_eq_tol(distance, p.y - 0.04, 1e-9);
  }
  destroy_beam(&beam);
}
END_TEST

/* Corners are samples; above a sheet, a sample of its upper side is found wherever there is one. */
START_TEST(samples_know_sides_and_corners) {
  Beam beam = make_beam(brick_beam_reduced(4, 4, 4, 0.01, true, 3, 3));
  int corners = 0;
  for (int i = 0; i < 16; ++i) {
    tacVec3 x = beam.surface->mesh->vertices[beam.surface->samples[i]];
    corners += fabs(fabs(x.x - 0.02) - 0.02) + fabs(fabs(x.y - 0.02) - 0.02) + fabs(fabs(x.z - 0.02) - 0.02) < 1e-9;
  }
  ck_assert_int_eq(corners, 8);
  destroy_beam(&beam);
  beam = make_beam(brick_beam_reduced(24, 16, 1, 0.004, true, 3, 3));
  ck_assert_int_eq(beam.surface->sample_count, TAC_SURFACE_MOST_SAMPLES);
  ck_assert_int_gt(beam.surface->mesh->vertex_count, 4 * TAC_SURFACE_MOST_SAMPLES);
  for (int n = 0; n < 200; ++n) {
    tacVec3 p = tac_vec3(0.096 * (n % 20) / 20.0, 0.064 * (n / 20) / 10.0, n % 2 == 0 ? 0.006 : -0.002);
    tacSurfacePoint at = tac_body_surface_start(beam.surface, &beam.body, p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(beam.surface, &beam.body, p, &at), 0.002, 1e-9);
  }
  destroy_beam(&beam);
}
END_TEST

START_TEST(the_bound_holds_the_deformed_surface) {
  Beam beam = make_beam(brick_beam_reduced(6, 2, 2, 0.02, false, 4, 6));
  tacRandom random = tac_random_seed(3);
  for (int n = 0; n < 50; ++n) {
    set_random(&beam, &random);
    double bound = tac_body_surface_bound(beam.surface, &beam.body);
    for (int v = 0; v < beam.surface->mesh->vertex_count; ++v)
      ck_assert_double_le(tac_vec3_distance(vertex(&beam, v), beam.surface->centre), bound);
  }
  destroy_beam(&beam);
}
END_TEST

TAC_TEST_MAIN("body_surface", a_walk_ends_where_no_step_leads_nearer, from_outside_of_a_box_the_nearest_point_is_found,
              the_sign_tells_inside_from_outside, a_point_that_goes_through_a_sheet_stays_on_its_side,
              a_walk_along_a_side_stays_on_it, samples_know_sides_and_corners, the_bound_holds_the_deformed_surface)
