#include "collide/interpenetration.h"

#include "mesh/make_mesh.h"
#include "test.h"

static tacInterpenetration measure(const tacTriMesh *a, const tacTriMesh *b) {
  tacInterpenetration result;
  tac_test_ok(tac_interpenetration_measure(a, b, &result, &error), error);
  return result;
}

/* Measures, in both orders and as both lie after an oblique turn, and destroys the meshes. */
static tacInterpenetration measure_always(tacTriMesh *a, tacTriMesh *b) {
  tacInterpenetration first = measure(a, b), swapped = measure(b, a);
  turn_mesh(a->vertex_count, a->vertices);
  turn_mesh(b->vertex_count, b->vertices);
  tacInterpenetration turned = measure(a, b);
  const tacInterpenetration *others[2] = {&swapped, &turned};
  for (int i = 0; i < 2; ++i) {
    /* The search may stop 2 % before the deepest point. */
    ck_assert_double_eq_tol(others[i]->depth, first.depth, 0.021 * first.depth + 1e-3);
    ck_assert_double_eq_tol(others[i]->through, first.through, 0.021 * first.through + 1e-3);
  }
  ck_assert_int_eq(swapped.crossings, first.crossings);
  ck_assert_double_ge(first.through, first.depth);
  tac_trimesh_destroy(a);
  tac_trimesh_destroy(b);
  return first;
}

static tacTriMesh *box_of(double x0, double y0, double z0, double x1, double y1, double z1, int n) {
  return make_box((tacBox){{x0, y0, z0}, {x1, y1, z1}}, n);
}

/* A prism about the z axis from z0 to z1, with `rings` of vertices between; through `origin`, tilted about y. Vertices are numbered as
 * those of a sphere. */
static tacTriMesh *make_needle(double radius, double z0, double z1, int sectors, int rings, double tilt) {
  int levels = rings + 2;
  tacTriMesh *mesh = make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, levels, sectors);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    int level = v < levels * sectors ? v / sectors : v == levels * sectors ? 0 : levels - 1;
    double angle = 2.0 * M_PI * (v % sectors) / sectors, r = v < levels * sectors ? radius : 0.0;
    tacVec3 p = {r * cos(angle), r * sin(angle), z0 + (z1 - z0) * level / (levels - 1)};
    mesh->vertices[v] = tac_vec3(cos(tilt) * p.x + sin(tilt) * p.z, p.y, -sin(tilt) * p.x + cos(tilt) * p.z);
  }
  return mesh;
}

/* Poles on one line: the overlap 1 + 0.7 - 1.5. The polyhedra are inside their spheres by 1 - cos(pi / 80) of the
 * radius at most, and at the poles their surfaces are as steep as pi / 80. */
TAC_TEST(depth_of_spheres_follows_their_centres) {
  tacInterpenetration r = measure_always(make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 79, 160),
                                         make_sphere(tac_vec3(0.0, 0.0, 1.5), 0.7, 79, 160));
  ck_assert_int_gt(r.crossings, 0);
  ck_assert_double_eq_tol(r.depth, 0.2, 0.002);
  ck_assert_double_eq_tol(r.through, 0.2, 0.002);
  ck_assert_double_eq_tol(r.at.z, r.of == 0 ? 1.0 : 0.8, 0.1);
}

TAC_TEST(a_box_within_a_box_is_as_deep_as_its_deepest_corner) {
  tacInterpenetration r =
      measure_always(box_of(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1), box_of(0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 1));
  ck_assert_int_eq(r.crossings, 0);
  ck_assert_int_eq(r.of, 1);
  ck_assert_double_eq_tol(r.depth, 0.5, 1e-12);
}

/* No vertex and no side of the wall is inside the ball; its face is 0.05 from the ball's centre. */
TAC_TEST(depth_counts_points_inside_faces) {
  tacInterpenetration r =
      measure_always(box_of(-9.0, -8.0, -0.05, 7.0, 9.0, 0.05, 1), make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 60, 120));
  ck_assert_int_eq(r.of, 0);
  ck_assert_double_eq_tol(r.depth, 0.95, 0.021 * 0.95 + 1e-3);
  ck_assert_double_le(r.depth, 0.95);
}

TAC_TEST(tetrahedron_tip_depth_is_exact) {
  tacTriMesh *tet = make_trimesh(4, 4);
  const tacVec3 corners[4] = {{0.0, 0.0, -0.3}, {1.0, 0.0, 1.0}, {-0.5, 0.8, 1.0}, {-0.5, -0.8, 1.0}};
  const tacTriangle triangles[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}};
  memcpy(tet->vertices, corners, sizeof corners);
  memcpy(tet->triangles, triangles, sizeof triangles);
  ck_assert_double_gt(tac_trimesh_volume(tet), 0.0);
  tacInterpenetration r = measure_always(tet, box_of(-4.0, -4.0, -6.0, 4.0, 4.0, 0.0, 2));
  ck_assert_double_eq_tol(r.depth, 0.3, 1e-12);
  ck_assert_double_eq_tol(r.through, 0.3, 1e-12);
}

/* A needle of radius 0.02 through a plate 0.1 thick: the middle of the plate is 0.05 deep for its skin, and its tip is 0.6
 * behind where it went in. `rings` 0: no vertex of the one is inside the other. Tilted, the way back is that along the plate's
 * normal. */
TAC_TEST(needle_through_a_plate_reports_its_tip_beyond) {
  const int rings[2] = {0, 59};
  for (int i = 0; i < 2; ++i)
    for (int tilted = 0; tilted < 2; ++tilted) {
      double tilt = 0.4 * tilted;
      tacInterpenetration r =
          measure_always(make_needle(0.02, -0.5, 1.5, 12, rings[i], tilt), box_of(-1.1, -1.0, 0.0, 1.0, 1.2, 0.1, 4));
      double tip = 0.5 * cos(tilt) + 0.02 * sin(tilt); /* the lowest of its rim */
      ck_assert_int_gt(r.crossings, 0);
      ck_assert_double_eq_tol(r.depth, 0.05, 0.002);
      ck_assert_double_eq_tol(r.through, 0.1 + tip, 0.01);
    }
}

/* Its bottom is farther from the rim of the opening than that: what counts is how far it is drawn back. The sheet is as deep in
 * the block as the block is behind it. */
TAC_TEST(through_is_measured_along_the_opening) {
  tacInterpenetration r =
      measure_always(box_of(-0.8, -0.7, -0.3, 0.8, 0.9, 2.0, 3), box_of(-2.0, -2.0, 0.0, 2.1, 2.0, 0.02, 5));
  ck_assert_double_eq_tol(r.depth, 0.32, 0.021 * 0.32 + 1e-3);
  ck_assert_double_eq_tol(r.through, 0.32, 1e-9);
}

/* A ball that lies in a ring, and a peg in a tight one, are cut in two outside, and nothing has gone through. */
TAC_TEST(peg_in_a_ring_has_not_gone_through) {
  double slope = 0.7;
  for (int peg = 0; peg < 2; ++peg) {
    tacTriMesh *ring = peg ? make_torus(0.79, 0.3, 100, 40) : make_torus(1.19 * cos(slope), 0.2, 100, 40);
    for (int v = 0; !peg && v < ring->vertex_count; ++v) ring->vertices[v].z -= 1.19 * sin(slope);
    tacTriMesh *held =
        peg ? make_needle(0.5, -2.0, 1.7, 100, 40, 0.0) : make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 79, 160);
    tacInterpenetration r = measure_always(held, ring);
    ck_assert_int_gt(r.crossings, 0);
    ck_assert_double_eq_tol(r.depth, 0.01, 0.005);
    ck_assert_double_eq(r.through, r.depth);
  }
}

TAC_TEST(touching_or_separate_bodies_have_no_depth) {
  tacInterpenetration r =
      measure_always(box_of(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2), box_of(0.1, 0.2, 1.0, 0.8, 0.7, 2.0, 2)); /* on it */
  ck_assert_double_le(r.through, 1e-4);
  r = measure_always(make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 19, 40),
                     make_sphere(tac_vec3(0.0, 0.0, 2.0), 1.0, 19, 40)); /* pole on pole */
  ck_assert_double_le(r.through, 1e-4);
  /* Boxes overlap, spheres do not. */
  r = measure_always(make_sphere(tac_vec3(0.0, 0.0, 0.0), 1.0, 19, 40),
                     make_sphere(tac_vec3(1.2, 1.2, 1.2), 1.0, 19, 40));
  ck_assert_int_eq(r.crossings, 0);
  ck_assert_double_eq(r.depth, 0.0);
  ck_assert_double_eq(r.through, 0.0);
  r = measure_always(box_of(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1), box_of(3.0, 0.0, 0.0, 4.0, 1.0, 1.0, 1));
  ck_assert_int_eq(r.crossings, 0);
  ck_assert_double_eq(r.depth, 0.0);
}

/* Random turns of an ellipsoid-like box in another: brute force over a fine grid of both surfaces. */
TAC_TEST(depth_matches_dense_samples) {
  tacRandom random = tac_random_seed(7);
  for (int trial = 0; trial < (tac_test_light() ? 3 : 12); ++trial) {
    tacTriMesh *meshes[2] = {box_of(-1.0, -0.7, -0.5, 1.0, 0.7, 0.5, 1), make_torus(1.0, 0.4, 24, 12)};
    tacVec3 by = tac_random_in_box(&random, (tacBox){{-1.2, -1.2, -0.8}, {1.2, 1.2, 0.8}});
    turn_mesh(meshes[0]->vertex_count, meshes[0]->vertices);
    for (int v = 0; v < meshes[0]->vertex_count; ++v) meshes[0]->vertices[v] = tac_vec3_add(meshes[0]->vertices[v], by);
    tacInterpenetration r = measure(meshes[0], meshes[1]);
    double most = 0.0, step = 0.0;
    for (int of = 0; of < 2; ++of) {
      TAC_CREATE(tacTriangleTree, tree, tac_triangle_tree_create(meshes[1 - of], &tree, &error));
      int n = of == 0 ? 60 : 8;
      for (int t = 0; t < meshes[of]->triangle_count; ++t) {
        const int *v = meshes[of]->triangles[t].v;
        tacVec3 a = meshes[of]->vertices[v[0]], b = meshes[of]->vertices[v[1]], c = meshes[of]->vertices[v[2]];
        step = fmax(step, fmax(tac_vec3_distance(a, b), fmax(tac_vec3_distance(b, c), tac_vec3_distance(c, a))) / n);
        for (int i = 0; i <= n; ++i)
          for (int j = 0; i + j <= n; ++j) {
            tacVec3 p = tac_vec3_mix(tac_vec3_mix(a, b, i / (double)n), c, 0.0);
            p = tac_vec3_mad(p, j / (double)n, tac_vec3_sub(c, a));
            most = fmax(most, -tac_triangle_tree_signed_distance(tree, p));
          }
      }
    }
    ck_assert_double_ge(r.depth, most / (1.0 + 0.02) - 2e-4); /* what the search may leave */
    ck_assert_double_le(r.depth, most + step);                /* what samples may leave */
    for (int of = 0; of < 2; ++of) tac_trimesh_destroy(meshes[of]);
  }
}

TAC_TEST(open_surfaces_are_refused) {
  TAC_OWN(tacTriMesh, a) = box_of(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1);
  TAC_OWN(tacTriMesh, b) = box_of(0.5, 0.0, 0.0, 1.5, 1.0, 1.0, 1);
  tacInterpenetration r;
  --b->triangle_count;
  ck_assert_int_eq(tac_interpenetration_measure(a, b, &r, &error), TAC_ERR_GEOMETRY);
}
