#include <tactus/mesh.h>
#include "math/geometry/mat3.h"
#include "math/geometry/quat.h"
#include "mesh/make_mesh.h"

static tacInertia properties_of(const tacTriMesh *mesh, double density) {
  tacInertia properties;
  tac_test_ok(tac_mass_properties(mesh, density, &properties, &error), error);
  return properties;
}

static tacMat3 inertia_of(const tacInertia *properties) {
  tacMat3 a;
  memcpy(a.m, properties->moments, sizeof a.m);
  return a;
}

static void check_inertia(const tacInertia *properties, tacMat3 expected, double relative) {
  double difference = tac_mat3_max_abs(tac_mat3_sub(inertia_of(properties), expected));
  ck_assert_double_le(difference, relative * tac_mat3_max_abs(expected));
}

static void check_centre(const tacInertia *properties, tacVec3 expected, double tolerance) {
  ck_assert_double_le(tac_vec3_distance(properties->centre, expected), tolerance);
}

static tacMat3 box_inertia(double mass, tacVec3 size) {
  double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
  return tac_mat3_diagonal(mass / 12.0 * (yy + zz), mass / 12.0 * (zz + xx), mass / 12.0 * (xx + yy));
}

TAC_TEST(a_box_has_its_closed_form_however_finely_it_is_divided) {
  tacBox box = {{-0.3, 0.2, 1.0}, {0.1, 0.5, 3.0}};
  for (int n = 1; n <= 4; ++n) {
    TAC_OWN(tacTriMesh, mesh) = make_box(box, n);
    tacInertia p = properties_of(mesh, 1200.0);
    ck_assert_double_eq_tol(p.mass, 288.0, 288.0 * 1e-13);
    check_centre(&p, tac_vec3(-0.1, 0.35, 2.0), 1e-13);
    check_inertia(&p, box_inertia(288.0, tac_box_size(box)), 1e-13);
  }
}

/* Corners 0, a x, b y, c z, so that x/a + y/b + z/c <= 1: the integral of x^2 is V a^2 / 10, of x y it is V a b / 20,
 * and the centre is at a quarter of each edge. */
TAC_TEST(a_corner_tetrahedron_has_its_closed_form) {
  const double a = 0.7, b = 0.2, c = 1.1, density = 10.0;
  const tacVec3 corners[4] = {{0.0, 0.0, 0.0}, {a, 0.0, 0.0}, {0.0, b, 0.0}, {0.0, 0.0, c}};
  const tacTriangle faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
  TAC_OWN(tacTriMesh, mesh) = make_mesh_of(4, corners, 4, faces);
  tacInertia p = properties_of(mesh, density);
  double mass = density * a * b * c / 6.0, on = 3.0 * mass / 80.0, off = mass / 80.0;
  ck_assert_double_eq_tol(p.mass, mass, 1e-13 * mass);
  check_centre(&p, tac_vec3(0.25 * a, 0.25 * b, 0.25 * c), 1e-13);
  const tacMat3 expected = {{{on * (b * b + c * c), off * a * b, off * c * a},
                             {off * a * b, on * (c * c + a * a), off * b * c},
                             {off * c * a, off * b * c, on * (a * a + b * b)}}};
  check_inertia(&p, expected, 1e-13);
}

/* A polyhedron in a ball of radius R lacks volume and inertia (2/5 m R^2) of the order of its edge's square. */
TAC_TEST(sphere_properties_converge_quadratically) {
  const double radius = 0.05, density = 800.0;
  double mass = density * 4.0 / 3.0 * M_PI * pow(radius, 3.0), inertia = 0.4 * mass * radius * radius;
  double mass_error[3], inertia_error[3];
  for (int i = 0; i < 3; ++i) {
    TAC_OWN(tacTriMesh, mesh) = make_sphere(tac_vec3(0.3, -0.1, 0.2), radius, (16 << i) - 1, 32 << i);
    tacInertia p = properties_of(mesh, density);
    mass_error[i] = mass - p.mass;
    inertia_error[i] = tac_mat3_max_abs(tac_mat3_sub(inertia_of(&p), tac_mat3_diagonal(inertia, inertia, inertia)));
    check_centre(&p, tac_vec3(0.3, -0.1, 0.2), 1e-13);
  }
  ck_assert_double_gt(mass_error[0], 0.0);
  ck_assert_double_lt(mass_error[0], 0.02 * mass);
  for (int i = 0; i < 2; ++i) {
    ck_assert_double_eq_tol(mass_error[i] / mass_error[i + 1], 4.0, 0.1);
    ck_assert_double_eq_tol(inertia_error[i] / inertia_error[i + 1], 4.0, 0.1);
  }
}

/* x -> R x + t moves the centre likewise and makes the inertia R I R^T: of a body without symmetry. */
TAC_TEST(a_moved_body_has_its_properties_moved) {
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_box(unit_box(), 2), make_torus(2.0, 0.4, 12, 7));
  mesh = join_meshes(mesh, make_sphere(tac_vec3(0.5, 2.0, 4.0), 0.8, 5, 7));
  tacInertia before = properties_of(mesh, 3.0);
  tacQuat turn = tac_quat_from_axis_angle(tac_vec3(0.3, -1.0, 0.4), 1.3);
  tacMat3 r = tac_quat_to_mat3(turn);
  tacVec3 shift = {1000.0, -2000.0, 500.0};
  for (int v = 0; v < mesh->vertex_count; ++v)
    mesh->vertices[v] = tac_vec3_add(tac_quat_rotate(turn, mesh->vertices[v]), shift);
  tacInertia after = properties_of(mesh, 3.0);
  /* Vertices are rounded to 2000 m * 1.1e-16 = 2.2e-13 m. */
  ck_assert_double_eq_tol(after.mass, before.mass, 1e-11 * before.mass);
  check_centre(&after, tac_vec3_add(tac_quat_rotate(turn, before.centre), shift), 1e-11);
  check_inertia(&after, tac_mat3_mul(r, tac_mat3_mul(inertia_of(&before), tac_mat3_transpose(r))), 1e-11);
}

/* A box with a cubic hole: the difference of both about the common centre, by the theorem of parallel axes. */
TAC_TEST(a_cavity_is_empty) {
  tacBox outer = {{0.0, 0.0, 0.0}, {2.0, 2.0, 2.0}}, inner = {{0.2, 0.5, 0.5}, {0.7, 1.0, 1.0}};
  TAC_OWN(tacTriMesh, mesh) = join_meshes(make_box(outer, 1), turned_over(make_box(inner, 1)));
  tacInertia p = properties_of(mesh, 1.0);
  const double masses[2] = {8.0, -0.125};
  const tacVec3 centres[2] = {{1.0, 1.0, 1.0}, {0.45, 0.75, 0.75}};
  tacVec3 centre = tac_vec3_scale(1.0 / 7.875, tac_vec3_mad(tac_vec3_scale(8.0, centres[0]), -0.125, centres[1]));
  tacMat3 expected = tac_mat3_zero();
  for (int i = 0; i < 2; ++i) {
    tacVec3 d = tac_vec3_sub(centres[i], centre);
    double dd = tac_vec3_norm2(d);
    tacMat3 steiner = tac_mat3_sub(tac_mat3_diagonal(dd, dd, dd), tac_mat3_outer(d, d));
    expected = tac_mat3_add(expected, box_inertia(masses[i], tac_box_size(i == 0 ? outer : inner)));
    expected = tac_mat3_add(expected, tac_mat3_scale(masses[i], steiner));
  }
  ck_assert_double_eq_tol(p.mass, 7.875, 1e-12);
  check_centre(&p, centre, 1e-13);
  check_inertia(&p, expected, 1e-13);
}

static void check_refused(const tacTriMesh *mesh, double density, tacStatus status, const char *text) {
  tacInertia p = {.mass = 5.0};
  tac_test_refused(tac_mass_properties(mesh, density, &p, &error), status, error, text);
  ck_assert_double_eq(p.mass, 0.0);
}

TAC_TEST(massless_bodies_are_refused) {
  tacTriMesh *mesh = make_box(unit_box(), 2);
  const double wrong[] = {0.0, -1000.0, INFINITY, NAN};
  for (int i = 0; i < 4; ++i) check_refused(mesh, wrong[i], TAC_ERR_ARGUMENT, "must be positive");
  turned_over(mesh);
  check_refused(mesh, 1000.0, TAC_ERR_GEOMETRY, "inside out");
  turned_over(mesh);
  --mesh->triangle_count;
  check_refused(mesh, 1000.0, TAC_ERR_GEOMETRY, "3 boundary edges");
  mesh->triangle_count = 0;
  check_refused(mesh, 1000.0, TAC_ERR_GEOMETRY, "no triangles");
  tac_trimesh_destroy(mesh);
  /* Flat, and turned so that its volume is round-off of either sign. */
  mesh = make_box((tacBox){{-1.0, -1.0, 0.0}, {1.0, 1.0, 0.0}}, 4);
  turn_mesh(mesh->vertex_count, mesh->vertices);
  check_refused(mesh, 1000.0, TAC_ERR_GEOMETRY, "positive volume");
  for (int v = 0; v < mesh->vertex_count; ++v) mesh->vertices[v] = tac_vec3_scale(1e150, mesh->vertices[v]);
  check_refused(mesh, 1000.0, TAC_ERR_GEOMETRY, "positive volume");
  tac_trimesh_destroy(mesh);
}
