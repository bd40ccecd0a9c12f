#include "collide/proximity.h"

#include "mesh/make_mesh.h"

typedef struct Fixture {
  tacTriMesh *mesh;
  tacSurfaceWalk walk;
  tacProximity proximity;
} Fixture;

/* `f` must stay where it is: the proximity refers to it. */
static void build(tacTriMesh *mesh, Fixture *f) {
  error = (tacError){0};
  f->mesh = mesh;
  tac_test_ok(tac_surface_walk_create(f->mesh, &f->walk, &error), error);
  tac_test_ok(tac_proximity_create(&f->walk, &f->proximity, &error), error);
}

static void drop(Fixture *f) {
  tac_proximity_destroy(&f->proximity);
  tac_surface_walk_destroy(&f->walk);
  tac_trimesh_destroy(f->mesh);
}

TAC_TEST(signed_distance_agrees_with_the_winding_number) {
  TAC_FREED(drop, Fixture, f) = {0};
  build(make_torus(1.0, 0.4, 20, 12), &f);
  tacRandom random = tac_random_seed(1);
  int inside = 0;
  for (int i = 0; i < 5000; ++i) {
    tacVec3 p = tac_random_in_cube(&random, 1.5);
    if (i % 3 == 0) p = f.mesh->vertices[i % f.mesh->vertex_count]; /* near vertices and edges */
    p = tac_vec3_add(p, tac_random_in_cube(&random, 0.05));
    tacSurfacePoint at;
    double d = tac_proximity_distance(&f.proximity, p, &at);
    ck_assert_double_eq_tol(d, tac_triangle_tree_signed_distance(f.proximity.tree, p), 1e-12);
    ck_assert_double_eq_tol(tac_vec3_distance(p, tac_surface_walk_position(&f.walk, at)), fabs(d), 1e-9);
    inside += d < 0.0;
  }
  ck_assert_int_gt(inside, 500);
}

/* Beyond a sharp edge or tip the nearest face may look away from a point outside: there the pseudo-normal decides. */
TAC_TEST(signs_beyond_sharp_edges_and_tips) {
  TAC_FREED(drop, Fixture, f) = {0};
  tacTriMesh *mesh = make_trimesh(4, 4);
  const tacVec3 corners[4] = {{0.0, 0.0, 0.0}, {1.0, 0.02, 0.0}, {1.0, -0.02, 0.03}, {1.0, 0.01, 0.3}};
  const tacTriangle faces[4] = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}, {{1, 3, 2}}};
  memcpy(mesh->vertices, corners, sizeof corners);
  memcpy(mesh->triangles, faces, sizeof faces);
  ck_assert_double_gt(tac_trimesh_volume(mesh), 0.0);
  build(mesh, &f);
  tacRandom random = tac_random_seed(7);
  int beyond[3] = {0}; /* of faces, edges, vertices */
  for (int i = 0; i < 5000; ++i) {
    tacVec3 p = tac_vec3_add(corners[i % 4], tac_random_in_cube(&random, 0.2));
    tacSurfacePoint at;
    double d = tac_proximity_distance(&f.proximity, p, &at);
    ck_assert_msg((d < 0.0) == (tac_triangle_tree_winding(f.proximity.tree, p) > 0.5), "(%g, %g, %g): %g", p.x, p.y,
                  p.z, d);
    ++beyond[(at.weight[0] < 1e-9) + (at.weight[1] < 1e-9) + (at.weight[2] < 1e-9)];
  }
  for (int k = 0; k < 3; ++k) ck_assert_int_gt(beyond[k], 200);
}

/* A sphere of radius 1 in closed form: the way enters where its chord meets it. */
TAC_TEST(paths_through_thin_walls_are_detected) {
  TAC_FREED(drop, Fixture, f) = {0};
  tacTriMesh *disc = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 40, 80);
  for (int v = 0; v < disc->vertex_count; ++v) disc->vertices[v].z *= 0.01; /* 2 cm thick, 2 m wide */
  build(disc, &f);
  tacRandom random = tac_random_seed(2);
  int met = 0;
  for (int i = 0; i < 2000; ++i) {
    tacVec3 a = tac_random_in_cube(&random, 0.6), b = tac_random_in_cube(&random, 0.6);
    a.z = tac_random_uniform(&random, 0.02, 0.5);
    b.z = tac_random_uniform(&random, -0.5, -0.02);
    tacSurfacePoint entry;
    double clearance = tac_proximity_distance(&f.proximity, a, NULL);
    if (tac_proximity_enters(&f.proximity, a, b, &clearance, &entry)) ++met;
  }
  ck_assert_int_eq(met, 2000);
}

TAC_TEST(clearance_is_a_free_distance) {
  TAC_FREED(drop, Fixture, f) = {0};
  build(make_torus(1.0, 0.4, 20, 12), &f);
  tacRandom random = tac_random_seed(3);
  tacVec3 p = {3.0, 0.0, 0.0};
  double clearance = 0.0;
  int free_steps = 0;
  for (int i = 0; i < 20000; ++i) {
    tacVec3 q = tac_vec3_add(p, tac_random_in_cube(&random, 0.02));
    tacSurfacePoint entry;
    bool enters = tac_proximity_enters(&f.proximity, p, q, &clearance, &entry);
    double d = tac_proximity_distance(&f.proximity, q, NULL);
    if (enters) { /* start again elsewhere outside */
      q = tac_vec3(3.0 * cos(i), 3.0 * sin(i), 0.0);
      clearance = 0.0;
    } else {
      ck_assert_double_ge(d, 0.0);
      ck_assert_double_le(clearance, d + 1e-12);
      ++free_steps;
    }
    p = q;
    if (tac_vec3_norm(p) > 1.3) { /* stay near */
      p = tac_vec3_scale(0.99, p);
      clearance = 0.0;
    }
  }
  ck_assert_int_gt(free_steps, 1000);
}

/* A point without a nearest one is far away from everything. */
TAC_TEST(non_finite_points_are_infinitely_far) {
  TAC_FREED(drop, Fixture, f) = {0};
  build(make_torus(1.0, 0.4, 20, 12), &f);
  const double values[] = {NAN, INFINITY, -INFINITY, 1e200};
  for (int i = 0; i < 4; ++i) {
    tacVec3 p = {0.0, values[i], 0.0}, start = {3.0, 0.0, 0.0};
    tacSurfacePoint at = {.triangle = -1};
    ck_assert(tac_proximity_distance(&f.proximity, p, &at) == INFINITY);
    ck_assert_int_eq(at.triangle, 0);
    double clearance = 1.6;
    ck_assert(!tac_proximity_enters(&f.proximity, start, p, &clearance, &at));
    ck_assert(!tac_proximity_enters(&f.proximity, p, start, &clearance, &at));
  }
}
