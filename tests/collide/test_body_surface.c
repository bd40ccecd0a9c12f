#include "collide/body_surface.h"

#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include "brick_beam.h"
#include "kinds/reduced/reduced_kind.h"
#include "kinds/rigid/rigid_kind.h"
#include "math/random.h"
#include "mesh/query/triangle_point.h"

/* A reduced body through its table, and its surface. */
typedef struct Case {
  tacReduced *reduced;
  tacBody body;
  tacBodySurface *surface;
} Case;

static Case make_case(tacReduced *reduced) {
  Case c = {.reduced = reduced};
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.reduced = reduced;
  tac_test_ok(tac_reduced_kind_create(&def, NULL, &c.body, &error), error);
  tac_test_ok(tac_body_surface_create(tac_body_describe(&c.body).surface, &c.surface, &error), error);
  return c;
}

static void free_case(Case *c) {
  tac_body_surface_destroy(c->surface);
  c->body.table->destroy(c->body.self);
  tac_reduced_destroy(c->reduced);
}

static void deform(const Case *c, const double *q) {
  ck_assert(tac_reduced_body_set(tac_reduced_kind_body(&c->body), q, NULL));
}

/* A bend and a twist that leave the beam without self-contact. */
static void random_q(tacRandom *random, int r, double *q) {
  for (int j = 0; j < r; ++j) q[j] = tac_random_uniform(random, -0.02, 0.02) / (1.0 + j);
}

/* The least distance from p of the triangles, or of those that have the point `of`. */
static double brute_distance(const tacBody *body, const tacVec3 *of, tacVec3 p) {
  const tacTriMesh *mesh = tac_body_describe(body).surface;
  double least = INFINITY;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacVec3 c[3];
    for (int i = 0; i < 3; ++i) c[i] = body->table->vertex(body->self, mesh->triangles[t].v[i]);
    if (of != NULL && tac_vec3_distance(tac_triangle_closest(c[0], c[1], c[2], *of), *of) > 1e-10) continue;
    least = fmin(least, tac_vec3_distance(tac_triangle_closest(c[0], c[1], c[2], p), p));
  }
  return least;
}

static tacVec3 around_beam(tacRandom *random) {
  return tac_random_in_box(random, (tacBox){{-0.02, -0.05, -0.05}, {0.2, 0.09, 0.09}});
}

/* From outside of the beam at rest, which is the box 160 mm x 40 mm x 40 mm, the nearest point of it is found. */
static void check_box(const tacBodySurface *surface, const tacBody *body, uint64_t seed) {
  tacRandom random = tac_random_seed(seed);
  for (int n = 0; n < 2000; ++n) {
    tacVec3 p = around_beam(&random);
    tacVec3 in_box = {fmin(fmax(p.x, 0.0), 0.16), fmin(fmax(p.y, 0.0), 0.04), fmin(fmax(p.z, 0.0), 0.04)};
    double truth = tac_vec3_distance(p, in_box);
    if (truth < 1e-6) continue; /* inside, or on which side is rounding */
    tacSurfacePoint at = tac_body_surface_start(surface, body, p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(surface, body, p, &at), truth, 1e-9);
    ck_assert_double_le(tac_vec3_distance(tac_body_surface_point(surface, body, at), in_box), 1e-9);
  }
}

/* Where the surface is hollow, a walk may end on the wrong side of the hollow, but not where a step leads nearer. */
TAC_TEST(walk_ends_at_a_local_minimum) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacRandom random = tac_random_seed(7);
  double q[6];
  for (int n = 0; n < 400; ++n) {
    random_q(&random, 6, q);
    deform(&c, q);
    tacVec3 p = around_beam(&random);
    tacSurfacePoint at = tac_body_surface_start(c.surface, &c.body, p);
    double distance = fabs(tac_body_surface_nearest(c.surface, &c.body, p, &at));
    ck_assert_double_eq_tol(at.weight[0] + at.weight[1] + at.weight[2], 1.0, 1e-12);
    tacVec3 x = tac_body_surface_point(c.surface, &c.body, at);
    ck_assert_double_eq_tol(tac_vec3_distance(x, p), distance, 1e-8); /* the point is where it says */
    ck_assert_double_eq_tol(brute_distance(&c.body, &x, p), distance, 1e-8);
    ck_assert_double_ge(distance, brute_distance(&c.body, NULL, p) - 1e-12);
  }
}

/* A convex body has no hollows. */
TAC_TEST(from_outside_of_a_box_the_nearest_point_is_found) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  check_box(c.surface, &c.body, 8);
}

TAC_TEST(sign_separates_inside_from_outside) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  const struct {
    tacVec3 p;
    double distance;
  } cases[] = {{{0.08, 0.02, 0.045}, 0.005},
               {{0.08, 0.02, 0.035}, -0.005},
               {{0.17, 0.02, 0.02}, 0.01},
               {{0.08, 0.002, 0.02}, -0.002}};
  for (int i = 0; i < 4; ++i) {
    tacSurfacePoint at = tac_body_surface_start(c.surface, &c.body, cases[i].p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(c.surface, &c.body, cases[i].p, &at), cases[i].distance, 1e-9);
  }
}

TAC_TEST(point_through_a_sheet_stays_on_its_side) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(12, 6, 1, 0.01, false, 4, 6));
  deform(&c, (const double[6]){0.004, 0.002, 0.0, 0.0, 0.0, 0.0});
  tacVec3 p = tac_vec3(0.065, 0.033, 0.03);
  tacSurfacePoint at = tac_body_surface_start(c.surface, &c.body, p);
  double above = tac_body_surface_nearest(c.surface, &c.body, p, &at), distance = above;
  ck_assert_double_gt(above, 0.0);
  for (int i = 0; i < 30; ++i) { /* down through the sheet, which is 10 mm thick */
    p.z -= 0.001;
    distance = tac_body_surface_nearest(c.surface, &c.body, p, &at);
    ck_assert_double_eq_tol(distance, above - 0.001 * (i + 1), 2e-3);
  }
  ck_assert_double_lt(distance, 0.0);
}

/* Deep below a side, the top is nearer than it; the way over triangles that have the point does not lead there. */
TAC_TEST(a_walk_along_a_side_stays_on_it) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacVec3 p = tac_vec3(0.015, 0.039, 0.03);
  tacSurfacePoint at = tac_body_surface_start(c.surface, &c.body, p);
  tac_body_surface_nearest(c.surface, &c.body, p, &at);
  for (int i = 0; i < 2000; ++i) {
    p.x = 0.08 - 0.065 * cos(0.003 * i);
    p.y = fmax(0.02, p.y - 1e-4);
    double distance = tac_body_surface_nearest(c.surface, &c.body, p, &at);
    ck_assert_double_eq_tol(distance, p.y - 0.04, 1e-9);
  }
}

/* Corners are samples; above a sheet, a sample of its upper side is found wherever there is one. */
TAC_TEST(samples_cover_corners_and_both_sides) {
  Case c = make_case(brick_beam_reduced(4, 4, 4, 0.01, true, 3, 3));
  int corners = 0;
  for (int i = 0; i < 16; ++i) {
    tacVec3 x = tac_reduced_surface(c.reduced)->vertices[c.surface->samples[i]];
    corners += fabs(fabs(x.x - 0.02) - 0.02) + fabs(fabs(x.y - 0.02) - 0.02) + fabs(fabs(x.z - 0.02) - 0.02) < 1e-9;
  }
  ck_assert_int_eq(corners, 8);
  free_case(&c);
  c = make_case(brick_beam_reduced(24, 16, 1, 0.004, true, 3, 3));
  ck_assert_int_eq(c.surface->sample_count, TAC_SURFACE_MOST_SAMPLES);
  ck_assert_int_gt(tac_reduced_surface(c.reduced)->vertex_count, 4 * TAC_SURFACE_MOST_SAMPLES);
  for (int n = 0; n < 200; ++n) {
    tacVec3 p = tac_vec3(0.096 * (n % 20) / 20.0, 0.064 * (n / 20) / 10.0, n % 2 == 0 ? 0.006 : -0.002);
    tacSurfacePoint at = tac_body_surface_start(c.surface, &c.body, p);
    ck_assert_double_eq_tol(tac_body_surface_nearest(c.surface, &c.body, p, &at), 0.002, 1e-9);
  }
  free_case(&c);
}

TAC_TEST(the_bound_holds_the_deformed_surface) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(6, 2, 2, 0.02, false, 4, 6));
  tacRandom random = tac_random_seed(3);
  double q[6];
  for (int n = 0; n < 50; ++n) {
    random_q(&random, 6, q);
    deform(&c, q);
    double bound = tac_body_surface_bound(c.surface, &c.body);
    for (int v = 0; v < tac_reduced_surface(c.reduced)->vertex_count; ++v)
      ck_assert_double_le(tac_vec3_distance(c.body.table->vertex(c.body.self, v), c.surface->centre), bound);
  }
}

/* A part of the way is as long as asked, never farther from where it leads, and many short parts end where the whole does. */
TAC_TEST(partial_walks_approach_and_reach_the_same_end) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 10));
  tacRandom random = tac_random_seed(5);
  double q[10];
  int moved = 0;
  for (int trial = 0; trial < 400; ++trial) {
    random_q(&random, 10, q);
    deform(&c, q);
    tacSurfacePoint at = {(int)tac_random_uniform(&random, 0.0, c.surface->mesh->triangle_count), {0.2, 0.5, 0.3}};
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-0.02, -0.02, -0.02}, {0.18, 0.06, 0.06}});
    tacSurfacePoint whole = at;
    tac_body_surface_nearest(c.surface, &c.body, p, &whole);
    double most = tac_random_uniform(&random, 1e-3, 1e-2);
    for (int i = 0; i < 400; ++i) {
      tacVec3 from = tac_body_surface_point(c.surface, &c.body, at);
      tac_body_surface_slide(c.surface, &c.body, p, most, &at);
      tacVec3 to = tac_body_surface_point(c.surface, &c.body, at);
      ck_assert_double_le(tac_vec3_distance(from, to), most * (1.0 + 1e-9));
      ck_assert_double_le(tac_vec3_distance(to, p), tac_vec3_distance(from, p) + 1e-12);
      moved += tac_vec3_distance(from, to) > 0.5 * most;
    }
    double there = tac_vec3_distance(tac_body_surface_point(c.surface, &c.body, whole), p);
    ck_assert_double_eq_tol(tac_vec3_distance(tac_body_surface_point(c.surface, &c.body, at), p), there, 1e-9);
    /* A part that is rounding leaves the point where it is. */
    tacVec3 x = tac_body_surface_point(c.surface, &c.body, at);
    tac_body_surface_slide(c.surface, &c.body, tac_vec3_add(p, tac_vec3(0.01, 0.0, 0.0)), 1e-18, &at);
    ck_assert_double_lt(tac_vec3_distance(tac_body_surface_point(c.surface, &c.body, at), x), 1e-12);
  }
  ck_assert_int_gt(moved, 400);
}

/* The same functions answer for a body without coordinates: a rigid box, from which distances are known. */
TAC_TEST(rigid_bodies_have_a_surface) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  tacBody rigid;
  tacRigidBodyDef def = tac_rigid_body_def_default();
  def.surface = tac_reduced_surface(c.reduced);
  tac_test_ok(tac_rigid_kind_create(&def, &rigid, &error), error);
  double bound = tac_body_surface_bound(c.surface, &rigid);
  for (int v = 0; v < def.surface->vertex_count; ++v)
    ck_assert_double_le(tac_vec3_distance(def.surface->vertices[v], c.surface->centre), bound);
  ck_assert_double_le(bound, 1.001 * 0.5 * sqrt(0.16 * 0.16 + 2.0 * 0.04 * 0.04));
  check_box(c.surface, &rigid, 9);
  tacVec3 inside = {0.08, 0.02, 0.035};
  tacSurfacePoint at = tac_body_surface_start(c.surface, &rigid, inside);
  ck_assert_double_eq_tol(tac_body_surface_nearest(c.surface, &rigid, inside, &at), -0.005, 1e-9);
  rigid.table->destroy(rigid.self);
}

static tacVec3 displacement(const Case *c, tacSurfacePoint at) {
  const tacTriMesh *mesh = c->surface->mesh;
  tacVec3 u = tac_body_surface_point(c->surface, &c->body, at);
  for (int i = 0; i < 3; ++i) u = tac_vec3_mad(u, -at.weight[i], mesh->vertices[mesh->triangles[at.triangle].v[i]]);
  return u;
}

/* Another part is looked for as if all were displaced as here, u(b): what is found is farther from p than any other point z by at most
 * |u(z) - u(b)| + |u(found) - u(b)|, however large displacements are. */
TAC_TEST(nearer_part_is_found_on_a_bent_body) {
  TAC_FREED(free_case, Case, c) = make_case(brick_beam_reduced(8, 2, 2, 0.02, false, 4, 6));
  const tacTriMesh *mesh = c.surface->mesh;
  tacRandom random = tac_random_seed(5);
  int found = 0;
  deform(&c, (const double[6]){0.02, 0.01, 0.0, 0.0, 0.0, 0.0});
  for (int n = 0; n < 1000; ++n) {
    tacSurfacePoint z = {(int)tac_random_uniform(&random, 0.0, mesh->triangle_count), {0.2, 0.5, 0.3}}, b = z, at = z;
    b.triangle = (int)tac_random_uniform(&random, 0.0, mesh->triangle_count);
    tacVec3 p = tac_vec3_add(tac_body_surface_point(c.surface, &c.body, z), tac_random_in_cube(&random, 0.003));
    if (!tac_body_surface_look(c.surface, &c.body, p, b, &at)) continue;
    double near = tac_vec3_distance(tac_body_surface_point(c.surface, &c.body, z), p);
    double there = tac_vec3_distance(tac_body_surface_point(c.surface, &c.body, at), p);
    tacVec3 ub = displacement(&c, b);
    double apart = tac_vec3_distance(displacement(&c, z), ub) + tac_vec3_distance(displacement(&c, at), ub);
    ck_assert_double_le(there, near + apart + 1e-12);
    ++found;
  }
  ck_assert_int_gt(found, 500);
}
