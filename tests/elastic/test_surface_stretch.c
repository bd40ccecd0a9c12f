#include "elastic/surface_stretch.h"

#include "elastic/make_body.h"
#include "math/geometry/quat.h"

static const tacBox box = {{-0.5, 0.125, 0.25}, {0.25, 0.5, 0.75}}; /* no rounding: vertices lie on the faces */
enum { CELLS = 5 };

/* The axis of the face that a vertex lies inside; -1 on edges and corners. */
static int axis_of(tacVec3 p) {
  bool on[3] = {p.x <= box.lower.x || p.x >= box.upper.x, p.y <= box.lower.y || p.y >= box.upper.y,
                p.z <= box.lower.z || p.z >= box.upper.z};
  return on[0] + on[1] + on[2] == 1 ? on[1] + 2 * on[2] : -1;
}

typedef struct Case {
  tacTriMesh *mesh;
  tacVec3 *deformed;
  tacStressSum *room;
  double *values;
} Case;

/* A box that is mapped by f and then turned and moved. */
static Case make_case(tacMat3 f) {
  tacTriMesh *mesh = make_box(box, CELLS);
  size_t count = (size_t)mesh->vertex_count;
  Case c = {mesh, calloc(count, sizeof(tacVec3)), calloc(count, sizeof(tacStressSum)), calloc(count, sizeof(double))};
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(0.4, -2.1, 0.7));
  for (size_t v = 0; v < count; ++v)
    c.deformed[v] =
        tac_vec3_add(tac_vec3(3.0, 0.0, -1.0), tac_quat_rotate(turn, tac_mat3_mul_vec(f, mesh->vertices[v])));
  return c;
}

static void destroy_case(Case *c) {
  tac_trimesh_destroy(c->mesh);
  free(c->deformed);
  free(c->room);
  free(c->values);
}

static void check_faces(const Case *c, const double expected[3], double tolerance) {
  int checked = 0;
  for (int v = 0; v < c->mesh->vertex_count; ++v) {
    int axis = axis_of(c->mesh->vertices[v]);
    if (axis < 0 || isnan(expected[axis])) continue;
    ck_assert_double_eq_tol(c->values[v], expected[axis], tolerance);
    ++checked;
  }
  ck_assert_int_gt(checked, 0);
}

/* Each face sees what is stretched in it. */
TAC_TEST(stretch_of_a_box) {
  TAC_FREED(destroy_case, Case, c) = make_case(tac_mat3_diagonal(0.7, 1.3, 1.9));
  tac_surface_stretch(c.mesh, c.deformed, c.room, c.values);
  check_faces(&c, (const double[3]){1.9, 1.9, 1.3}, 1e-12);
}

/* A simple shear by gamma stretches by gamma / 2 + sqrt(1 + gamma^2 / 4) in its plane, and not across. */
TAC_TEST(stretch_of_a_shear) {
  const double gamma = 0.8, most = 0.5 * gamma + sqrt(1.0 + 0.25 * gamma * gamma);
  tacMat3 f = tac_mat3_identity();
  f.m[0][1] = gamma;
  TAC_FREED(destroy_case, Case, c) = make_case(f);
  tac_surface_stretch(c.mesh, c.deformed, c.room, c.values);
  check_faces(&c, (const double[3]){sqrt(1.0 + gamma * gamma), 1.0, most}, 1e-12);
}

/* A bar of that material that is pulled: E_yy = E_zz = -nu E_xx, S_xx = young E_xx, and Cauchy's stress is F S F^T / J. */
TAC_TEST(stress_of_a_bar) {
  const double young = 2e4, pulls[] = {0.8, 1.0, 1.001, 1.4}, poissons[] = {-0.3, 0.0, 0.3, 0.49};
  for (int i = 0; i < 16; ++i) {
    double pull = pulls[i % 4], poisson = poissons[i / 4], strain = 0.5 * (pull * pull - 1.0);
    double thin = sqrt(1.0 - 2.0 * poisson * strain), stress = pull * young * strain / (thin * thin);
    double mu = 0.5 * young / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    TAC_FREED(destroy_case, Case, c) = make_case(tac_mat3_diagonal(pull, thin, thin));
    tac_surface_stretch_stress(c.mesh, c.deformed, lambda, mu, c.room, c.values);
    check_faces(&c, (const double[3]){NAN, fabs(stress), fabs(stress)}, 1e-9 * young); /* its ends are pulled at */
  }
}

/* At small strain it is the stress of linear elasticity, whose error is of the second order. */
TAC_TEST(small_strains_are_linear) {
  const double young = 2e4, poisson = 0.4, small = 1e-6;
  double mu = 0.5 * young / (1.0 + poisson), lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
  TAC_OWN(tacTriMesh, mesh) = make_box(box, CELLS);
  size_t count = (size_t)mesh->vertex_count;
  TAC_MEMORY(tacVec3, u) = calloc(count, sizeof *u);
  TAC_MEMORY(tacVec3, x) = calloc(count, sizeof *x);
  TAC_MEMORY(tacStressSum, room) = calloc(count, sizeof *room);
  TAC_DOUBLES *linear = calloc(count, sizeof *linear), *finite = calloc(count, sizeof *finite);
  double most = 0.0;
  for (size_t v = 0; v < count; ++v) {
    tacVec3 p = mesh->vertices[v];
    u[v] = tac_vec3_scale(small, tac_vec3(p.x * p.y, p.z * p.z - p.x, p.x * p.z));
    x[v] = tac_vec3_add(p, u[v]);
  }
  tac_surface_stress(mesh, u, NULL, young, poisson, room, linear);
  tac_surface_stretch_stress(mesh, x, lambda, mu, room, finite);
  for (size_t v = 0; v < count; ++v) most = fmax(most, linear[v]);
  for (size_t v = 0; v < count; ++v) ck_assert_double_eq_tol(finite[v], linear[v], 1e-4 * most);
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
