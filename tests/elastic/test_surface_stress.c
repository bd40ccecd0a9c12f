#include "elastic/make_surface.h"
#include "elastic/surface_stress.h"
#include "math/geometry/quat.h"

static const double young = 2e4;
static const double poissons[] = {-0.3, 0.0, 0.3, 0.49, 0.4999};
enum { POISSONS = sizeof poissons / sizeof *poissons };

static void solve(Surface *surface, double poisson) {
  tac_surface_stress(surface->mesh, surface->displacement, surface->traction, young, poisson, surface->scratch,
                     surface->von_mises);
}

/* From the definition: sqrt(3/2 s:s) of the deviator s. */
static double von_mises(tacMat3 stress) {
  double norm = tac_mat3_norm(tac_mat3_sub(stress, tac_mat3_scale(tac_mat3_trace(stress) / 3.0, tac_mat3_identity())));
  return sqrt(1.5) * norm;
}

static tacMat3 full_stress(double poisson, tacMat3 gradient) {
  tacMaterial material = make_isotropic(1000.0, young, poisson);
  double s[6];
  stress_of_gradient(&material, gradient, s);
  return (tacMat3){{{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}}};
}

/* A linear displacement of a turned box, with the tractions of its stress: inside each face the von Mises stress is
 * that of the whole tensor, `expected`. Vertices on edges have no one traction: each face is tried with its own
 * everywhere, and without any where it is free. */
static void check_linear(double poisson, tacMat3 gradient, double expected, double tolerance) {
  const tacBox box = {{-0.5, 0.125, 0.25}, {0.25, 0.5, 0.75}}; /* no rounding: vertices lie on the faces */
  const int n = 5;
  tacMat3 turn = tac_quat_to_mat3(tac_quat_from_rotation_vector(tac_vec3(0.4, -1.1, 0.7)));
  tacMat3 stress = full_stress(poisson, gradient);
  tacMat3 world = tac_mat3_mul(turn, tac_mat3_mul(gradient, tac_mat3_transpose(turn)));
  TAC_OWN(tacTriMesh, straight) = make_box(box, n);
  Surface surface = make_surface(make_box(box, n));
  for (int v = 0; v < straight->vertex_count; ++v) {
    surface.mesh->vertices[v] = tac_mat3_mul_vec(turn, straight->vertices[v]);
    surface.displacement[v] = linear_displacement(world, surface.mesh->vertices[v]);
  }
  for (int face = 0; face < 6; ++face) {
    double sign = face % 2 == 0 ? -1.0 : 1.0;
    tacVec3 normal = tac_vec3_scale(sign, tac_vec3(face / 2 == 0, face / 2 == 1, face / 2 == 2));
    tacVec3 traction = tac_mat3_mul_vec(turn, tac_mat3_mul_vec(stress, normal));
    bool free_face = tac_vec3_norm(traction) < 1e-12 * young;
    int checked = 0;
    for (int v = 0; v < straight->vertex_count; ++v) surface.traction[v] = traction;
    tac_surface_stress(surface.mesh, surface.displacement, free_face ? NULL : surface.traction, young, poisson,
                       surface.scratch, surface.von_mises);
    for (int v = 0; v < straight->vertex_count; ++v) {
      if (face_of(box, straight->vertices[v]) != face) continue;
      ck_assert_double_eq_tol(surface.von_mises[v], expected, tolerance);
      ++checked;
    }
    ck_assert_int_eq(checked, (n - 1) * (n - 1));
  }
}

TAC_TEST(tension) {
  const double strain = 0.01;
  for (int i = 0; i < POISSONS; ++i) {
    tacMat3 gradient = tac_mat3_diagonal(strain, -poissons[i] * strain, -poissons[i] * strain);
    check_linear(poissons[i], gradient, young * strain, 1e-9 * young * strain);
  }
}

TAC_TEST(pure_shear) {
  for (int i = 0; i < POISSONS; ++i) {
    double angle = 0.02, stress = 0.5 * young / (1.0 + poissons[i]) * angle;
    tacMat3 gradient = tac_mat3_zero();
    gradient.m[0][1] = angle;
    check_linear(poissons[i], gradient, sqrt(3.0) * stress, 1e-9 * stress);
  }
}

TAC_TEST(rigid_motion_and_pressure_give_none) {
  for (int i = 0; i < POISSONS; ++i) {
    tacMat3 rotation = tac_mat3_skew(tac_vec3(0.03, -0.01, 0.02));
    check_linear(poissons[i], rotation, 0.0, 1e-10 * young);
    double pressure = 500.0, strain = -pressure * (1.0 - 2.0 * poissons[i]) / young;
    check_linear(poissons[i], tac_mat3_diagonal(strain, strain, strain), 0.0, 1e-9 * pressure);
  }
}

TAC_TEST(any_linear_displacement) {
  for (int i = 0; i < POISSONS; ++i) {
    double expected = von_mises(full_stress(poissons[i], sample_gradient()));
    ck_assert_double_gt(expected, 1e-3 * young);
    check_linear(poissons[i], sample_gradient(), expected, 1e-8 * expected);
  }
}

/* A ball's surface. `inward` turns it inside out: the wall of a cavity. */
static tacTriMesh *make_round(double radius, int n, bool inward) {
  tacTriMesh *mesh = make_ball(radius, n);
  for (int t = 0; inward && t < mesh->triangle_count; ++t) flip_triangle(mesh, t);
  return mesh;
}

/* Lame's hollow sphere, inner radius a, outer b, pressure inside. The largest error at the outer or the inner surface,
 * in parts of the exact stress. */
static double lame_error(bool inside, double poisson, int n) {
  const double a = 0.03, b = 0.05, pressure = 800.0, k = pressure * a * a * a / (b * b * b - a * a * a);
  double r = inside ? a : b, ratio = b * b * b / (r * r * r);
  double radial = k * (1.0 - ratio), hoop = k * (1.0 + 0.5 * ratio);
  double strain = (hoop - poisson * (hoop + radial)) / young, exact = hoop - radial, worst = 0.0;
  Surface surface = make_surface(make_round(r, n, inside));
  for (int v = 0; v < surface.mesh->vertex_count; ++v) {
    surface.displacement[v] = tac_vec3_scale(strain, surface.mesh->vertices[v]);
    surface.traction[v] = tac_vec3_scale(inside ? pressure / a : 0.0, surface.mesh->vertices[v]);
  }
  solve(&surface, poisson);
  for (int v = 0; v < surface.mesh->vertex_count; ++v) worst = fmax(worst, fabs(surface.von_mises[v] - exact) / exact);
  return worst;
}

TAC_TEST(sphere_under_pressure) {
  for (int inside = 0; inside < 2; ++inside)
    for (int i = 0; i < POISSONS; ++i) {
      double coarse = lame_error(inside, poissons[i], 8), fine = lame_error(inside, poissons[i], 32);
      ck_assert_double_lt(coarse, 0.05);
      ck_assert_double_lt(fine, coarse / 8.0); /* second order: 16 */
    }
}

/* Pure bending, s_xx = E k y, of a ball cut out of the beam: stress and tractions vary over the surface.
 * u = k (x y, -(x^2 + nu (y^2 - z^2)) / 2, -nu y z). The mean error in parts of the largest stress. */
static double bending_error(double poisson, int n) {
  const double radius = 0.05, curvature = 0.4, largest = young * curvature * radius;
  double sum = 0.0;
  Surface surface = make_surface(make_round(radius, n, false));
  int count = surface.mesh->vertex_count;
  for (int v = 0; v < count; ++v) {
    tacVec3 p = surface.mesh->vertices[v];
    surface.displacement[v] = tac_vec3_scale(
        curvature, tac_vec3(p.x * p.y, -0.5 * (p.x * p.x + poisson * (p.y * p.y - p.z * p.z)), -poisson * p.y * p.z));
    surface.traction[v] = tac_vec3(young * curvature * p.y * p.x / radius, 0.0, 0.0);
  }
  solve(&surface, poisson);
  for (int v = 0; v < count; ++v)
    sum += fabs(surface.von_mises[v] - young * curvature * fabs(surface.mesh->vertices[v].y)) / largest;
  return sum / count;
}

TAC_TEST(bent_ball) {
  for (int i = 0; i < POISSONS; ++i) {
    double coarse = bending_error(poissons[i], 8), fine = bending_error(poissons[i], 32);
    ck_assert_double_lt(coarse, 0.05);
    ck_assert_double_lt(fine, coarse / 8.0);
  }
}

/* Vertices of no triangle, and triangles of no area, add nothing. */
TAC_TEST(degenerate_parts) {
  tacTriMesh *mesh = make_trimesh(6, 3);
  mesh->vertices[1] = tac_vec3(1.0, 0.0, 0.0);
  mesh->vertices[2] = tac_vec3(0.0, 1.0, 0.0);
  mesh->vertices[3] = tac_vec3(0.5, 0.5, 0.0);
  mesh->vertices[4] = tac_vec3(0.25, 0.75, 0.0);
  mesh->triangles[0] = (tacTriangle){{0, 1, 2}};
  mesh->triangles[1] = (tacTriangle){{1, 3, 2}};
  mesh->triangles[2] = (tacTriangle){{2, 2, 4}};
  Surface surface = make_surface(mesh);
  for (int v = 0; v < 6; ++v) surface.displacement[v] = tac_vec3(0.01 * mesh->vertices[v].x, 0.0, 0.0);
  solve(&surface, 0.0);
  for (int v = 0; v < 3; ++v) ck_assert_double_eq_tol(surface.von_mises[v], 0.01 * young, 1e-9 * young);
  for (int v = 3; v < 6; ++v) ck_assert_double_eq(surface.von_mises[v], 0.0);
}
