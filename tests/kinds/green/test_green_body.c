#include <tactus/green.h>
#include "base/lanes.h"
#include "kinds/green/green.h"
#include "kinds/green/green_body.h"

#include "body/make_green.h"
#include "math/random.h"

static tacGreenBody *make_body(const tacGreen *green, double radius, double rigid) {
  tacGreenBody *body;
  tac_test_ok(tac_green_body_create(green, radius, rigid, &body, &error), error);
  return body;
}

static tacSurfacePoint random_point(const tacTriMesh *mesh, tacRandom *random) {
  double a = tac_random_uniform(random, 0.0, 1.0), b = tac_random_uniform(random, 0.0, 1.0 - a);
  return (tacSurfacePoint){(int)(tac_random_bits(random) % (uint64_t)mesh->triangle_count), {1.0 - a - b, a, b}};
}

TAC_TEST(masks_carry_a_unit_force_within_their_radius) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  const tacTriMesh *mesh = tac_green_surface(green);
  double radius = 0.035;
  TAC_OWN(tacGreenBody, body) = make_body(green, radius, 1e4);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const int *vertices;
    const double *density;
    int count = tac_green_body_mask(body, v, &vertices, &density);
    ck_assert_int_eq(count > 0, !tac_green_fixed(green)[v]);
    double force = 0.0;
    for (int k = 0; k < count; ++k) {
      double distance = tac_vec3_distance(mesh->vertices[vertices[k]], mesh->vertices[v]);
      ck_assert(!tac_green_fixed(green)[vertices[k]]);
      ck_assert_double_lt(distance, radius);
      ck_assert_double_gt(density[k], 0.0);
      force += tac_green_area(green)[vertices[k]] * density[k];
    }
    if (count > 0) ck_assert_double_eq_tol(force, 1.0, 1e-12);
  }
}

/* A mask wider than a plate is thick presses one side only. */
TAC_TEST(masks_do_not_reach_through_a_thin_body) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  const tacTriMesh *mesh = tac_green_surface(green);
  /* The same topology made flat: distances through the body become small. */
  tacTriMesh *flat = (tacTriMesh *)(uintptr_t)mesh;
  for (int v = 0; v < flat->vertex_count; ++v) flat->vertices[v].x *= 0.05;
  TAC_OWN(tacGreenBody, body) = make_body(green, 0.03, 1e4);
  int checked = 0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    if (sqrt(p.y * p.y + p.z * p.z) > 0.01) continue; /* far from the rim */
    const int *vertices;
    const double *density;
    int count = tac_green_body_mask(body, v, &vertices, &density);
    for (int k = 0; k < count; ++k) ck_assert_double_gt(mesh->vertices[vertices[k]].x * p.x, 0.0);
    checked += count;
  }
  ck_assert_int_gt(checked, 5);
}

/* (32): a force f at vertex i, spread by its mask, displaces it by K^-1 f; computed here column by column from Xi. The limit of a single
 * vertex is rho_j = delta_ij / a_i, so that K_i = a_i Xi_ii^-1. */
TAC_TEST(stiffness_is_the_inverse_of_the_masked_compliance) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  for (int single = 0; single < 2; ++single) {
    TAC_OWN(tacGreenBody, body) = make_body(green, single ? 0.0 : 0.03, 1e9);
    for (int v = 0; v < tac_green_surface(green)->vertex_count; ++v) {
      const int *vertices;
      const double *density;
      int count = tac_green_body_mask(body, v, &vertices, &density);
      if (count == 0) continue;
      if (single) ck_assert(count == 1 && vertices[0] == v);
      if (single) ck_assert_double_eq_tol(density[0] * tac_green_area(green)[v], 1.0, 1e-12);
      tacMat3 compliance = tac_mat3_zero();
      for (int k = 0; k < count; ++k)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            compliance.m[r][c] +=
                density[k] * tac_green_column(green, vertices[k])[c * tac_green_row_count(green) + 3 * v + r];
      /* K is the inverse of the symmetric part; what is left out is small, and nothing of a single vertex. */
      tacMat3 product = tac_mat3_mul(tac_green_body_elastic_stiffness(body, v), compliance);
      ck_assert_double_lt(tac_mat3_max_abs(tac_mat3_sub(product, tac_mat3_identity())), single ? 1e-8 : 0.1);
      tacMat3 part = tac_mat3_scale(0.5, tac_mat3_add(compliance, tac_mat3_transpose(compliance)));
      product = tac_mat3_mul(tac_green_body_elastic_stiffness(body, v), part);
      ck_assert_double_lt(tac_mat3_max_abs(tac_mat3_sub(product, tac_mat3_identity())), 1e-10);
    }
  }
}

static double largest_eigenvalue(tacMat3 a) {
  tacVec3 x = {0.6, 0.5, 0.4};
  for (int i = 0; i < 200; ++i) x = tac_vec3_unit(tac_mat3_mul_vec(a, x));
  return tac_vec3_dot(x, tac_mat3_mul_vec(a, x));
}

TAC_TEST(haptic_stiffness_is_symmetric_and_at_most_rigid) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.02);
  double rigid = 400.0;
  TAC_OWN(tacGreenBody, body) = make_body(green, 0.03, rigid);
  int clamped = 0, kept = 0;
  for (double factor = 0.25; factor <= 4.0; factor *= 4.0) {
    tac_green_body_set_stiffness(body, factor);
    double most = 0.0;
    for (int v = 0; v < tac_green_surface(green)->vertex_count; ++v) {
      tacMat3 k = tac_green_body_haptic_stiffness(body, v)->value, e = tac_green_body_elastic_stiffness(body, v);
      double largest = largest_eigenvalue(k), elastic = largest_eigenvalue(e);
      ck_assert_double_le(tac_mat3_max_abs(tac_mat3_sub(k, tac_mat3_transpose(k))), 1e-12 * largest);
      ck_assert_double_le(largest, rigid * (1.0 + 1e-9));
      if (elastic > 1.001 * rigid) {
        ck_assert_double_eq_tol(largest, rigid, 1e-4 * rigid);
        ++clamped;
      } else if (elastic < 0.999 * rigid) {
        ck_assert_double_eq_tol(largest, elastic, 1e-4 * elastic);
        ++kept;
      }
      most = fmax(most, largest);
    }
    ck_assert_double_eq_tol(tac_green_body_most_stiffness(body), most, 1e-4 * most);
  }
  ck_assert_int_gt(clamped, 10);
  ck_assert_int_gt(kept, 10);
}

/* (35), summed here in double precision from Xi and the masks; with stress and displacement sensors inside. */
TAC_TEST(surface_response_superposes_forces) {
  tacSensor sensors[2] = {{"core", TAC_SENSOR_STRESS, {0.0, 0.0, 0.01}},
                          {"tip", TAC_SENSOR_DISPLACEMENT, {0.005, 0.0, 0.03}}};
  TAC_OWN(tacGreen, green) = make_green_with("sphere", 0.02, 2, sensors, TAC_GREEN_WHOLE, 0.0);
  const tacTriMesh *mesh = tac_green_surface(green);
  TAC_OWN(tacGreenBody, body) = make_body(green, 0.03, 1e4);
  tacRandom random = tac_random_seed(2);
  int rows = tac_green_row_count(green);
  TAC_MEMORY(double, expected) = calloc((size_t)rows, sizeof *expected);
  TAC_MEMORY(double, sensed) = calloc((size_t)rows, sizeof *sensed);
  TAC_MEMORY(tacVec3, u) = calloc((size_t)mesh->vertex_count, sizeof *u);
  enum { FORCES = 5 };
  tacPointForce forces[FORCES] = {{.by_mask = NULL}};
  double factor = 2.5;
  tac_green_body_set_stiffness(body, factor);
  for (int f = 0; f < FORCES; ++f) {
    forces[f].at = random_point(mesh, &random);
    forces[f].force = tac_random_normal3(&random);
    for (int i = 0; i < 3; ++i) {
      const int *vertices;
      const double *density;
      int count = tac_green_body_mask(body, mesh->triangles[forces[f].at.triangle].v[i], &vertices, &density);
      for (int k = 0; k < count; ++k) {
        const double *xi = tac_green_column(green, vertices[k]), weight = forces[f].at.weight[i] * density[k];
        for (int r = 0; r < rows; ++r)
          expected[r] += weight * (xi[r] * forces[f].force.x + xi[rows + r] * forces[f].force.y +
                                   xi[2 * rows + r] * forces[f].force.z);
      }
    }
  }
  ck_assert_int_eq(tac_green_body_deform(body, FORCES, forces, u, sensed), 0);
  double largest = 0.0;
  for (int v = 0; v < mesh->vertex_count; ++v) largest = fmax(largest, tac_vec3_norm(u[v]));
  ck_assert_double_gt(largest, 1e-4);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 e = {expected[3 * v], expected[3 * v + 1], expected[3 * v + 2]};
    e = tac_vec3_scale(tac_green_fixed(green)[v] ? 0.0 : 1.0 / factor, e);
    ck_assert_double_le(tac_vec3_distance(u[v], e), 1e-6 * largest);
  }
  for (int r = 0; r < 9; ++r) {
    double e = expected[3 * mesh->vertex_count + r] / (r < 6 ? 1.0 : factor);
    ck_assert_double_eq_tol(sensed[r], e, 1e-5 * fabs(e) + (r < 6 ? 1e-2 : 1e-9));
  }
}

TAC_TEST(near_storage_gives_the_same_stiffness) {
  TAC_OWN(tacGreen, whole) = make_green("sphere", 0.02);
  TAC_OWN(tacGreen, near) = make_green_with("sphere", 0.02, 0, NULL, TAC_GREEN_NEAR, 0.031);
  TAC_OWN(tacGreenBody, a) = make_body(whole, 0.03, 1e4);
  TAC_OWN(tacGreenBody, b) = make_body(near, 0.03, 1e4);
  for (int v = 0; v < tac_green_surface(whole)->vertex_count; ++v) {
    tacMat3 k = tac_green_body_haptic_stiffness(a, v)->value;
    double difference = tac_mat3_max_abs(tac_mat3_sub(k, tac_green_body_haptic_stiffness(b, v)->value));
    ck_assert_double_le(difference, 1e-9 * tac_mat3_max_abs(k));
  }
  tacMat3 w;
  tacSurfacePoint at = {tac_green_surface(near)->triangle_count - 1, {1.0, 0.0, 0.0}};
  bool fixed = tac_green_fixed(near)[tac_green_surface(near)->triangles[at.triangle].v[0]];
  ck_assert_int_eq(tac_green_body_compliance(b, at, at, &w), fixed);
  tacGreenBody *wide;
  tac_test_refused(tac_green_body_create(near, 0.06, 1e4, &wide, &error), TAC_ERR_ARGUMENT, error, "near_radius");
}

/* Functions beyond single precision belong to no body that can be touched. */
TAC_TEST(overflowing_responses_are_rejected) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.03);
  const tacTriMesh *mesh = tac_green_surface(green);
  int rows = tac_green_row_count(green), count = tac_green_column_count(green);
  tacGreenParts parts = {.method = TAC_FINITE_ELEMENTS,
                         .surface = mesh,
                         .fixed = tac_green_fixed(green),
                         .area = tac_green_area(green),
                         .column_count = count,
                         .column_vertex = tac_green_column_vertex(green),
                         .columns = malloc(3 * (size_t)(count * rows) * sizeof(double))};
  for (int c = 0; c < count; ++c)
    for (int i = 0; i < 3 * rows; ++i)
      parts.columns[3 * c * rows + i] = 1e50 * tac_green_column(green, parts.column_vertex[c])[i];
  tacGreenBody *body;
  TAC_CREATE(tacGreen, large, tac_green_create(&parts, &large, &error));
  tac_test_refused(tac_green_body_create(large, 0.04, 1e4, &body, &error), TAC_ERR_ARGUMENT, error, "overflows");
  ck_assert_ptr_null(body);
}

TAC_TEST_EVERY_WIDTH()
