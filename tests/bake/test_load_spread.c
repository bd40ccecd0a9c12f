#include "bake/loads/load_spread.h"

#include "mesh/make_mesh.h"

enum { MOST = 600 };

/* A beam of bricks, or of tetrahedra of many sizes, shaken so that nothing is symmetric. */
static tacVolMesh *make_mesh(bool tets, tacRandom *random) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.09, 0.04, 0.03}};
  tacVolMesh *mesh = tets ? make_tets(box, 9, 4, 3) : make_bricks(box, 9, 4, 3);
  ck_assert_int_le(mesh->vertex_count, MOST);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 *x = &mesh->vertices[v];
    *x = tac_vec3_add(*x, tac_random_in_cube(random, 0.002));
    x->x *= 0.5 + 10.0 * x->x; /* elements grow along it */
  }
  return mesh;
}

/* Resultant and moment are those of the force at its point, wherever that is and however wide it is spread; no vertex
 * farther away gets anything. */
TAC_TEST(resultant_and_moment_are_those_of_the_force) {
  for (int which = 0; which < 2; ++which) {
    tacRandom random = tac_random_seed(7 + (uint64_t)which);
    TAC_OWN(tacVolMesh, mesh) = make_mesh(which == 1, &random);
    TAC_FREED(tac_load_spread_free, tacLoadSpread, spread);
    tac_test_ok(tac_load_spread_create(mesh, &spread, &error), error);
    tacBox box = tac_volmesh_box(mesh);
    int spread_count = 0;
    for (int i = 0; i < 200; ++i) {
      double forces[3 * MOST] = {0.0}, radius = tac_random_uniform(&random, 0.0, 0.06), size = 0.0;
      tacVec3 point = tac_random_in_box(&random, box), f = tac_random_normal3(&random);
      if (!tac_load_spread_add(&spread, point, radius, f, forces)) {
        for (int k = 0; k < 3 * mesh->vertex_count; ++k) ck_assert(forces[k] == 0.0);
        continue;
      }
      ++spread_count;
      tacVec3 sum = tac_vec3(0.0, 0.0, 0.0), moment = sum;
      for (int v = 0; v < mesh->vertex_count; ++v) {
        tacVec3 at = tac_vec3(forces[3 * v], forces[3 * v + 1], forces[3 * v + 2]);
        tacVec3 arm = tac_vec3_sub(mesh->vertices[v], point);
        sum = tac_vec3_add(sum, at);
        moment = tac_vec3_add(moment, tac_vec3_cross(arm, at));
        size += tac_vec3_norm(at);
        if (tac_vec3_norm(arm) > radius) ck_assert(tac_vec3_norm(at) == 0.0);
      }
      ck_assert_double_le(tac_vec3_distance(sum, f), 1e-12 * size);
      ck_assert_double_le(tac_vec3_norm(moment), 1e-9 * radius * size);
    }
    ck_assert_int_gt(spread_count, 100);
  }
}

/* In the middle of a regular grid nothing has to be turned: all vertices are pushed the same way, the nearer the more,
 * and what lies alike gets alike. */
TAC_TEST(shares_are_positive_and_fall_with_the_distance) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.06, 0.06, 0.06}}, 6, 6, 6);
  TAC_FREED(tac_load_spread_free, tacLoadSpread, spread);
  tac_test_ok(tac_load_spread_create(mesh, &spread, &error), error);
  tacVec3 point = tac_vec3(0.03, 0.03, 0.03), f = tac_vec3(0.0, 0.0, -2.0);
  double forces[3 * MOST] = {0.0}, radius = 0.018;
  ck_assert(tac_load_spread_add(&spread, point, radius, f, forces));
  double all = 0.0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double r = tac_vec3_distance(mesh->vertices[v], point);
    all += r < radius ? pow(1.0 - r * r / (radius * radius), 2.0) : 0.0;
  }
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double r = tac_vec3_distance(mesh->vertices[v], point),
           expected = r < radius ? pow(1.0 - r * r / (radius * radius), 2.0) : 0.0;
    ck_assert_double_eq_tol(forces[3 * v], 0.0, 1e-12);
    ck_assert_double_eq_tol(forces[3 * v + 1], 0.0, 1e-12);
    ck_assert_double_eq_tol(forces[3 * v + 2], -2.0 * expected / all, 1e-12);
    if (r < 0.9 * radius) ck_assert_double_lt(forces[3 * v + 2], 0.0);
  }
}

TAC_TEST(a_radius_below_the_elements_spreads_nothing) {
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {0.03, 0.03, 0.03}}, 3, 3, 3);
  TAC_FREED(tac_load_spread_free, tacLoadSpread, spread);
  tac_test_ok(tac_load_spread_create(mesh, &spread, &error), error);
  double forces[3 * 64] = {0.0};
  const double radii[] = {0.0, 1e-9, 0.004, 0.0099};
  for (int i = 0; i < 4; ++i) { /* a vertex alone, and two of an edge */
    ck_assert(!tac_load_spread_add(&spread, tac_vec3(0.01, 0.01, 0.01), radii[i], tac_vec3(1.0, 2.0, 3.0), forces));
    ck_assert(!tac_load_spread_add(&spread, tac_vec3(0.015, 0.01, 0.01), radii[i], tac_vec3(1.0, 2.0, 3.0), forces));
  }
  for (int k = 0; k < 3 * 64; ++k) ck_assert(forces[k] == 0.0);
}
