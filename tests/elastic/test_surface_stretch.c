#include "elastic/surface_stretch.h"

#include "elastic/make_surface.h"
#include "elastic/surface_stress.h"
#include "math/geometry/quat.h"

static const tacBox box = {{-0.5, 0.125, 0.25}, {0.25, 0.5, 0.75}}; /* no rounding: vertices lie on the faces */
enum { CELLS = 5 };

/* A box that is mapped by f and then turned and moved: where its vertices are then is in `displacement`. */
static Surface make_mapped(tacMat3 f) {
  Surface s = make_surface(make_box(box, CELLS));
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.4, -2.1, 0.7));
  for (int v = 0; v < s.mesh->vertex_count; ++v)
    s.displacement[v] =
        tac_vec3_add(tac_vec3(3.0, 0.0, -1.0), tac_quat_rotate(turn, tac_mat3_mul_vec(f, s.mesh->vertices[v])));
  return s;
}

static void check_faces(const Surface *c, const double expected[3], double tolerance) {
  int checked = 0;
  for (int v = 0; v < c->mesh->vertex_count; ++v) {
    int face = face_of(box, c->mesh->vertices[v]);
    if (face < 0 || isnan(expected[face / 2])) continue;
    ck_assert_double_eq_tol(c->von_mises[v], expected[face / 2], tolerance);
    ++checked;
  }
  ck_assert_int_gt(checked, 0);
}

/* Each face sees what is stretched in it. */
TAC_TEST(stretch_of_a_box) {
  Surface c = make_mapped(tac_mat3_diagonal(0.7, 1.3, 1.9));
  tac_surface_stretch(c.mesh, c.displacement, c.scratch, c.von_mises);
  check_faces(&c, (const double[3]){1.9, 1.9, 1.3}, 1e-12);
}

/* A simple shear by gamma stretches by gamma / 2 + sqrt(1 + gamma^2 / 4) in its plane, and not across. */
TAC_TEST(stretch_of_a_shear) {
  const double gamma = 0.8, most = 0.5 * gamma + sqrt(1.0 + 0.25 * gamma * gamma);
  tacMat3 f = tac_mat3_identity();
  f.m[0][1] = gamma;
  Surface c = make_mapped(f);
  tac_surface_stretch(c.mesh, c.displacement, c.scratch, c.von_mises);
  check_faces(&c, (const double[3]){sqrt(1.0 + gamma * gamma), 1.0, most}, 1e-12);
}

/* A bar of that material that is pulled: E_yy = E_zz = -nu E_xx, S_xx = young E_xx, and Cauchy's stress is F S F^T / J. */
TAC_TEST(stress_of_a_bar) {
  const double young = 2e4, pulls[] = {0.8, 1.0, 1.001, 1.4}, poissons[] = {-0.3, 0.0, 0.3, 0.49};
  for (int i = 0; i < 16; ++i) {
    double pull = pulls[i % 4], poisson = poissons[i / 4], strain = 0.5 * (pull * pull - 1.0);
    double thin = sqrt(1.0 - 2.0 * poisson * strain), stress = pull * young * strain / (thin * thin);
    double mu = 0.5 * young / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    Surface c = make_mapped(tac_mat3_diagonal(pull, thin, thin));
    tac_surface_stretch_stress(c.mesh, c.displacement, lambda, mu, c.scratch, c.von_mises);
    check_faces(&c, (const double[3]){NAN, fabs(stress), fabs(stress)}, 1e-9 * young); /* its ends are pulled at */
  }
}

/* At small strain it is the stress of linear elasticity, whose error is of the second order. */
TAC_TEST(small_strains_are_linear) {
  const double young = 2e4, poisson = 0.4, small = 1e-6;
  double mu = 0.5 * young / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
  Surface s = make_surface(make_box(box, CELLS));
  int count = s.mesh->vertex_count;
  tacVec3 *x = tac_test_alloc((size_t)count * sizeof *x);
  double *linear = s.von_mises, *finite = tac_test_doubles((size_t)count);
  for (int v = 0; v < count; ++v) {
    tacVec3 p = s.mesh->vertices[v];
    s.displacement[v] = tac_vec3_scale(small, tac_vec3(p.x * p.y, p.z * p.z - p.x, p.x * p.z));
    x[v] = tac_vec3_add(p, s.displacement[v]);
  }
  tac_surface_stress(s.mesh, s.displacement, NULL, young, poisson, s.scratch, linear);
  tac_surface_stretch_stress(s.mesh, x, lambda, mu, s.scratch, finite);
  double most = largest_entry(linear, count);
  ck_assert_double_le(largest_apart(finite, linear, count), 1e-4 * most);
  ck_assert_double_gt(most, 0.1 * young * small);
}

/* Vertices of no triangle, and triangles of no area at rest or later, do no harm. */
TAC_TEST(degenerate_parts) {
  TAC_OWN(tacTriMesh, mesh) = make_trimesh(5, 2);
  mesh->vertices[1] = tac_vec3(1.0, 0.0, 0.0);
  mesh->vertices[2] = tac_vec3(0.0, 1.0, 0.0);
  mesh->triangles[0] = (tacTriangle){{0, 1, 2}};
  mesh->triangles[1] = (tacTriangle){{3, 3, 2}};
  const tacVec3 flat[5] = {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  tacStressSum room[5];
  double values[5];
  tac_surface_stretch(mesh, flat, room, values);
  for (int v = 3; v < 5; ++v) ck_assert_double_eq(values[v], 1.0);
  for (int v = 0; v < 3; ++v) ck_assert_double_eq_tol(values[v], sqrt(5.0), 1e-12);
  tac_surface_stretch_stress(mesh, flat, 1e4, 1e4, room, values);
  for (int v = 0; v < 5; ++v) ck_assert_double_eq(values[v], 0.0);
}
