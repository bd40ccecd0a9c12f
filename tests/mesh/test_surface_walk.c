#include "mesh/surface_walk.h"

#include "mesh/make_mesh.h"

static tacSurfaceWalk walk_on(const tacTriMesh *mesh) {
  tacSurfaceWalk walk;
  tac_test_ok(tac_surface_walk_create(mesh, &walk, &error), error);
  return walk;
}

static tacSurfacePoint random_point(const tacTriMesh *mesh, tacRandom *random) {
  double a = tac_random_uniform(random, 0.0, 1.0), b = tac_random_uniform(random, 0.0, 1.0);
  if (a + b > 1.0) {
    a = 1.0 - a;
    b = 1.0 - b;
  }
  return (tacSurfacePoint){(int)(tac_random_bits(random) % (uint64_t)mesh->triangle_count), {1.0 - a - b, a, b}};
}

static void check_on_surface(const tacSurfaceWalk *walk, tacSurfacePoint at) {
  ck_assert_int_ge(at.triangle, 0);
  ck_assert_int_lt(at.triangle, walk->mesh->triangle_count);
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    ck_assert_double_ge(at.weight[i], 0.0);
    sum += at.weight[i];
  }
  ck_assert_double_eq_tol(sum, 1.0, 1e-12);
}

/* A cube's development is flat where a walk crosses only edges: a walk around it straight along an axis comes home after
 * four sides. */
TAC_TEST(a_straight_walk_around_a_box_returns_to_its_start) {
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 3);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(5);
  int tried = 0;
  while (tried < 200) {
    tacSurfacePoint at = random_point(mesh, &random);
    tacVec3 n = walk.face_normal[at.triangle];
    if (fabs(n.z) < 0.5) continue; /* start on top or bottom and go along x */
    ++tried;
    tacVec3 start = tac_surface_walk_position(&walk, at);
    ck_assert(tac_surface_walk_move(&walk, tac_vec3(4.0, 0.0, 0.0), 200, &at));
    check_on_surface(&walk, at);
    ck_assert_double_lt(tac_vec3_distance(tac_surface_walk_position(&walk, at), start), 1e-9);
  }
}

/* Geodesics of a sphere are great circles: on a fine mesh a walk of a quarter turn ends at a right angle from its start, in
 * the plane in which it set out. */
TAC_TEST(walks_on_a_sphere_follow_great_circles) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 60, 120);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(6);
  for (int trial = 0; trial < 200; ++trial) {
    tacSurfacePoint at = random_point(mesh, &random);
    tacVec3 start = tac_vec3_unit(tac_surface_walk_position(&walk, at));
    if (fabs(start.z) > 0.8) continue; /* slivers at the poles */
    double x = tac_random_uniform(&random, -1.0, 1.0), y = tac_random_uniform(&random, -1.0, 1.0);
    tacVec3 e = {x, y, 0.2};
    tacVec3 n = walk.face_normal[at.triangle];
    tacVec3 way = tac_vec3_unit(tac_vec3_mad(e, -tac_vec3_dot(e, n), n));
    ck_assert(tac_surface_walk_move(&walk, tac_vec3_scale(0.5 * M_PI, way), 1000, &at));
    tacVec3 end = tac_surface_walk_position(&walk, at);
    ck_assert_double_eq_tol(tac_vec3_dot(end, start), 0.0, 0.05);
    ck_assert_double_gt(tac_vec3_dot(end, way), 0.995);
  }
}

TAC_TEST(walks_are_continuous_in_their_length) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.4, 24, 16);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(7);
  for (int trial = 0; trial < 100; ++trial) {
    tacSurfacePoint from = random_point(mesh, &random);
    if (trial % 4 == 0) from = (tacSurfacePoint){from.triangle, {1.0, 0.0, 0.0}}; /* at a vertex */
    if (trial % 4 == 1) from = (tacSurfacePoint){from.triangle, {0.0, 0.5, 0.5}}; /* on an edge */
    tacVec3 way = tac_vec3_unit(tac_random_in_cube(&random, 1.0));
    tacVec3 last = tac_surface_walk_position(&walk, from);
    for (int i = 0; i <= 400; ++i) {
      tacSurfacePoint at = from;
      ck_assert(tac_surface_walk_move(&walk, tac_vec3_scale(2e-3 * i, way), 1000, &at));
      check_on_surface(&walk, at);
      tacVec3 here = tac_surface_walk_position(&walk, at);
      ck_assert_double_le(tac_vec3_distance(here, last), 2e-3 * (1.0 + 1e-6) + 1e-12);
      last = here;
    }
  }
}

TAC_TEST(a_bound_on_crossings_ends_a_walk_on_an_edge) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 20, 40);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacSurfacePoint at = {300, {0.3, 0.3, 0.4}};
  ck_assert(!tac_surface_walk_move(&walk, tac_vec3(100.0, 37.0, 11.0), 5, &at));
  check_on_surface(&walk, at);
}

TAC_TEST(normals_of_a_sphere_point_outward) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 2.0, 40, 80);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(8);
  for (int trial = 0; trial < 1000; ++trial) {
    tacSurfacePoint at = random_point(mesh, &random);
    tacVec3 n = tac_surface_walk_normal(&walk, at);
    ck_assert_double_eq_tol(tac_vec3_norm(n), 1.0, 1e-12);
    ck_assert_double_gt(tac_vec3_dot(n, tac_vec3_unit(tac_surface_walk_position(&walk, at))), 0.9995);
  }
}

TAC_TEST(locating_returns_the_point) {
  TAC_OWN(tacTriMesh, mesh) = make_torus(1.0, 0.4, 12, 8);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(9);
  for (int trial = 0; trial < 1000; ++trial) {
    tacSurfacePoint at = random_point(mesh, &random);
    tacSurfacePoint found = tac_surface_walk_locate(&walk, at.triangle, tac_surface_walk_position(&walk, at));
    for (int i = 0; i < 3; ++i) ck_assert_double_eq_tol(found.weight[i], at.weight[i], 1e-12);
  }
}

TAC_TEST(open_and_degenerate_surfaces_are_refused) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 8, 12);
  tacSurfaceWalk walk;
  --mesh->triangle_count;
  tac_test_refused(tac_surface_walk_create(mesh, &walk, &error), TAC_ERR_GEOMETRY, error, "not closed");
  ++mesh->triangle_count;
  mesh->vertices[0] = mesh->vertices[1];
  tac_test_refused(tac_surface_walk_create(mesh, &walk, &error), TAC_ERR_GEOMETRY, error, "no area");
}

/* Two cubes that touch along the vertical edge at x = y = 1: from the right side of the lower cube, which looks along x, a walk goes on
 * over that edge to the side of the upper cube that looks along -y, in the same corner of space. */
TAC_TEST(parts_that_touch_along_an_edge_are_joined_in_the_space_outside) {
  TAC_OWN(tacVolMesh, bricks) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {2.0, 2.0, 1.0}}, 2, 2, 1);
  int kept = 0;
  for (int e = 0; e < bricks->brick_count; ++e) {
    tacBrick brick = bricks->bricks[e];
    tacVec3 centre = {0.0, 0.0, 0.0};
    for (int c = 0; c < 8; ++c) centre = tac_vec3_mad(centre, 0.125, bricks->vertices[brick.v[c]]);
    if ((centre.x < 1.0) == (centre.y < 1.0)) bricks->bricks[kept++] = brick;
  }
  bricks->brick_count = kept;
  ck_assert_int_eq(kept, 2);
  TAC_OWN(tacTriMesh, mesh) = surface_of(bricks);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  int walks = 0;
  for (int t = 0; t < mesh->triangle_count; ++t) {
    tacSurfacePoint at = {t, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    tacVec3 p = tac_surface_walk_position(&walk, at);
    if (walk.face_normal[t].x < 0.5 || p.x > 1.5) continue;
    ck_assert(tac_surface_walk_move(&walk, tac_vec3(0.0, 1.2 - p.y, 0.0), 20, &at));
    tacVec3 end = tac_surface_walk_position(&walk, at);
    ck_assert_double_lt(tac_vec3_distance(end, tac_vec3(1.2, 1.0, p.z)), 1e-9);
    ck_assert_double_lt(tac_vec3_distance(walk.face_normal[at.triangle], tac_vec3(0.0, -1.0, 0.0)), 1e-12);
    ++walks;
  }
  ck_assert_int_eq(walks, 2);
}

/* Positions on a coarse sphere lie on its facets, inside by up to h^2 / 8 R; rounded, nine tenths of that is gone. A box stays as it is:
 * its edges are sharp. Walks are those on the facets. */
TAC_TEST(a_rounded_surface_follows_its_normals) {
  TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 16, 32);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, flat) = walk_on(mesh);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, curved) = walk_on(mesh);
  tac_test_ok(tac_surface_walk_round(&curved, &error), error);
  tacRandom random = tac_random_seed(8);
  double sunk = 0.0, left = 0.0;
  for (int trial = 0; trial < 2000; ++trial) {
    tacSurfacePoint at = random_point(mesh, &random), other = at;
    if (fabs(tac_surface_walk_position(&flat, at).z) > 0.8) continue; /* slivers at the poles */
    sunk = fmax(sunk, fabs(1.0 - tac_vec3_norm(tac_surface_walk_position(&flat, at))));
    left = fmax(left, fabs(1.0 - tac_vec3_norm(tac_surface_walk_position(&curved, at))));
    ck_assert(tac_surface_walk_move(&flat, tac_vec3(0.3, 0.2, 0.1), 100, &at));
    ck_assert(tac_surface_walk_move(&curved, tac_vec3(0.3, 0.2, 0.1), 100, &other));
    ck_assert_mem_eq(&at, &other, sizeof at);
  }
  ck_assert_double_lt(left, 0.1 * sunk);
  TAC_OWN(tacTriMesh, box) = make_box(unit_box(), 1);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, sharp) = walk_on(box);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, rounded) = walk_on(box);
  tac_test_ok(tac_surface_walk_round(&rounded, &error), error);
  for (int trial = 0; trial < 200; ++trial) {
    tacSurfacePoint at = random_point(box, &random);
    tacVec3 a = tac_surface_walk_position(&sharp, at), b = tac_surface_walk_position(&rounded, at);
    ck_assert_double_eq(tac_vec3_distance(a, b), 0.0);
  }
}
