#include "elastic/solids/statics.h"

#include "elastic/make_body.h"
#include "elastic/solids/assembly.h"
#include "math/dense/dense.h"

static tacStatics *make_statics(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                                const bool *held) {
  tacStatics *statics;
  tac_test_ok(tac_statics_create(mesh, materials, material_of, held, &statics, &error), error);
  return statics;
}

static void solve(tacStatics *statics, int count, const double *load, double *response) {
  tac_test_ok(tac_statics_solve(statics, count, load, response, &error), error);
}

/* Vertices on the ends x = 0 and x = `length`. */
static bool *hold_ends(const tacVolMesh *mesh, double length) {
  bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
  for (int v = 0; v < mesh->vertex_count; ++v) held[v] = mesh->vertices[v].x == 0.0 || mesh->vertices[v].x == length;
  return held;
}

/* Two bars in series, stretched by d without contraction (nu = 0): F = d A / (L1 / E1 + L2 / E2), and the joint moves by
 * F L1 / (E1 A). */
TAC_TEST(two_materials_in_series_share_the_stretch) {
  double e[2] = {1e6, 4e6}, d = 0.01, force = d / (0.5 / e[0] + 1.5 / e[1]);
  for (int bricks = 0; bricks < 2; ++bricks) {
    tacBox box = {{0.0, 0.0, 0.0}, {2.0, 1.0, 1.0}};
    TAC_OWN(tacVolMesh, mesh) = bricks ? make_bricks(box, 8, 3, 3) : make_tets(box, 8, 3, 3);
    const tacMaterial materials[2] = {make_isotropic(1000.0, e[0], 0.0), make_isotropic(1000.0, e[1], 0.0)};
    int *material_of = tac_test_alloc((size_t)tac_element_count(mesh) * sizeof *material_of);
    for (int i = 0; i < tac_element_count(mesh); ++i) {
      double x = 0.0;
      for (int c = 0; c < tac_element_corner_count(mesh, i); ++c)
        x += mesh->vertices[tac_element_vertices(mesh, i)[c]].x / tac_element_corner_count(mesh, i);
      material_of[i] = x > 0.5;
    }
    bool *held = hold_ends(mesh, 2.0);
    TAC_OWN(tacStatics, statics) = make_statics(mesh, materials, material_of, held);
    double *x = vector_of(mesh), pull = 0.0;
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (mesh->vertices[v].x == 2.0) x[3 * v] = d;
    solve(statics, 1, x, x);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      double at = mesh->vertices[v].x, u = at < 0.5 ? force * at / e[0] : force * (0.5 / e[0] + (at - 0.5) / e[1]);
      if (held[v])
        pull += at > 0.0 ? x[3 * v] : 0.0;
      else
        ck_assert_double_lt(tac_vec3_distance(get_vec3(x, v), tac_vec3(u, 0.0, 0.0)), 1e-12);
    }
    ck_assert_double_eq_tol(pull / force, 1.0, 1e-11);
    /* The stress is the same in both, and not averaged across the joint. */
    tacVec3 points[2] = {{0.4, 0.3, 0.6}, {0.6, 0.7, 0.2}};
    double stress[2][6];
    for (int v = 0; v < mesh->vertex_count; ++v)
      if (held[v]) put_vec3(x, v, tac_vec3(mesh->vertices[v].x == 0.0 ? 0.0 : d, 0.0, 0.0));
    stress_at(mesh, materials, material_of, 2, points, x, stress);
    for (int p = 0; p < 2; ++p)
      for (int i = 0; i < 6; ++i) ck_assert_double_eq_tol(stress[p][i] / force, i == 0 ? 1.0 : 0.0, 1e-10);
  }
}

/* Moduli and ratios as in tension along the axes: nu_ij / E_i = nu_ji / E_j. C is the inverse of the compliance. */
static tacMaterial make_orthotropic(const double e[3], const double nu[3], const double g[3]) {
  double compliance[36] = {0.0}, c[36] = {0.0}, coefficients[21];
  for (int i = 0; i < 3; ++i) {
    int next = (i + 1) % 3;
    compliance[7 * i] = 1.0 / e[i];
    compliance[6 * i + next] = compliance[6 * next + i] = -nu[i] / e[i]; /* nu12, nu23, nu31 */
    compliance[7 * (3 + (i + 2) % 3)] = 1.0 / g[i];                      /* G12, G23, G31 */
  }
  for (int i = 0; i < 6; ++i) c[7 * i] = 1.0;
  tacDense a = {6, 6, 6, compliance}, b = {6, 6, 6, c};
  tacMaterial material;
  tac_test_ok(tac_dense_cholesky(&a, &error), error);
  tac_dense_cholesky_solve(&a, &b);
  for (int i = 0, place = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) coefficients[place++] = c[6 * i + j];
  tac_test_ok(tac_material_anisotropic(600.0, coefficients, &material, &error), error);
  return material;
}

/* An orthotropic bar under tension sigma along x: u = (x / E1, -nu12 y / E1, -nu13 z / E1) sigma, imposed at its ends only.
 * nu13 = nu31 E1 / E3. */
TAC_TEST(orthotropic_bar_contracts_by_its_ratios) {
  const double e[3] = {6e6, 2e6, 1e6}, nu[3] = {0.4, 0.3, 0.05}, sigma = 1e4;
  const double strain[3] = {sigma / e[0], -nu[0] * sigma / e[0], -nu[2] / e[2] * sigma};
  tacMaterial material = make_orthotropic(e, nu, (const double[]){5e5, 6e5, 7e5});
  tacBox box = {{0.0, 0.0, 0.0}, {2.0, 0.5, 0.4}};
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = bricks ? make_bricks(box, 6, 3, 3) : make_tets(box, 6, 3, 3);
    bool *held = hold_ends(mesh, 2.0);
    TAC_OWN(tacStatics, statics) = make_statics(mesh, &material, NULL, held);
    double *x = vector_of(mesh);
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 p = mesh->vertices[v];
      if (held[v]) put_vec3(x, v, tac_vec3(strain[0] * p.x, strain[1] * p.y, strain[2] * p.z));
    }
    solve(statics, 1, x, x);
    tacVec3 pull = {0.0, 0.0, 0.0};
    for (int v = 0; v < mesh->vertex_count; ++v) {
      tacVec3 p = mesh->vertices[v], expected = {strain[0] * p.x, strain[1] * p.y, strain[2] * p.z};
      if (!held[v])
        ck_assert_double_lt(tac_vec3_distance(get_vec3(x, v), expected), 1e-12);
      else if (p.x > 0.0)
        pull = tac_vec3_add(pull, get_vec3(x, v));
    }
    ck_assert_double_lt(tac_vec3_distance(pull, tac_vec3(sigma * 0.5 * 0.4, 0.0, 0.0)), 1e-8 * sigma);
  }
}

/* Random loads and support displacements, more cases than are solved at once: each response balances K u = f + r entry by
 * entry, and forces and torques of loads and reactions cancel. */
TAC_TEST(reactions_balance_loads) {
  enum { CASES = 70 };
  tacMaterial material = make_anisotropic(5);
  for (int bricks = 0; bricks < 2; ++bricks) {
    TAC_OWN(tacVolMesh, mesh) = make_uneven(unit_box(), bricks, 4, 0.2);
    size_t size = 3 * (size_t)mesh->vertex_count;
    tacRandom random = tac_random_seed(8);
    bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
    double *load = tac_test_doubles(CASES * size), *response = tac_test_doubles(CASES * size);
    double *u = vector_of(mesh), *force = vector_of(mesh);
    for (int v = 0; v < mesh->vertex_count; ++v) held[v] = v < 3 || tac_random_bits(&random) % 8 == 0;
    for (size_t i = 0; i < CASES * size; ++i) load[i] = tac_random_normal(&random) * (held[i % size / 3] ? 1e-3 : 1e3);
    TAC_OWN(tacStatics, statics) = make_statics(mesh, &material, NULL, held);
    solve(statics, CASES, load, response);
    TAC_SPARSE k;
    tac_test_ok(tac_assembly_stiffness(mesh, &material, NULL, &k, &error), error);
    for (int i = 0; i < CASES; ++i) {
      const double *f = load + (size_t)i * size, *r = response + (size_t)i * size;
      tacVec3 sum = {0.0, 0.0, 0.0}, torque = {0.0, 0.0, 0.0};
      for (int v = 0; v < mesh->vertex_count; ++v) {
        put_vec3(u, v, get_vec3(held[v] ? f : r, v));
        tacVec3 acting = get_vec3(held[v] ? r : f, v);
        sum = tac_vec3_add(sum, acting);
        torque = tac_vec3_add(torque, tac_vec3_cross(mesh->vertices[v], acting));
      }
      ck_assert_double_lt(tac_vec3_norm(sum), 1e-7);
      ck_assert_double_lt(tac_vec3_norm(torque), 1e-7);
      tac_sparse_multiply(&k, u, 1, force);
      for (int v = 0; v < mesh->vertex_count; ++v)
        ck_assert_double_lt(tac_vec3_distance(get_vec3(force, v), get_vec3(held[v] ? r : f, v)), 1e-7);
    }
    /* One case alone, and in place, is the same. */
    memcpy(u, load + 40 * size, size * sizeof *u);
    solve(statics, 1, u, u);
    for (size_t i = 0; i < size; ++i)
      ck_assert_double_eq_tol(u[i], response[40 * size + i], 1e-9 * (held[i / 3] ? 1e3 : 1e-3));
    solve(statics, CASES, load, load);
    ck_assert_int_eq(memcmp(load, response, CASES * size * sizeof *load), 0);
    solve(statics, 0, load, load);
  }
}

/* A slender cantilever under a force P at its tip: P L^3 / (3 E I) + P L / (k A G) within 2 %, from below since finite
 * elements are too stiff. */
TAC_TEST(cantilever_bends_as_a_beam) {
  tacMaterial material = make_isotropic(1000.0, 1e7, 0.3);
  double side = 0.1, shear = 1e7 / 2.6, factor = 13.0 / 15.3;                            /* Cowper's, for nu = 0.3 */
  double expected = 4.0 / (1e7 * pow(side, 4.0)) + 1.0 / (factor * side * side * shear); /* P = 1 N, L = 1 m */
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, side, side}}, 80, 6, 6);
  bool *held = hold_ends(mesh, 0.0);
  TAC_OWN(tacStatics, statics) = make_statics(mesh, &material, NULL, held);
  double *x = vector_of(mesh), tip = 0.0;
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (mesh->vertices[v].x == 1.0) x[3 * v + 1] = 1.0 / 49.0;
  solve(statics, 1, x, x);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (mesh->vertices[v].x == 1.0) tip += x[3 * v + 1] / 49.0;
  ck_assert_double_lt(tip, expected);
  ck_assert_double_gt(tip, 0.98 * expected);
}

TAC_TEST(a_mesh_held_everywhere_has_reactions_only) {
  tacMaterial material = make_anisotropic(6);
  TAC_OWN(tacVolMesh, mesh) = make_uneven(unit_box(), false, 2, 0.1);
  bool held[27];
  double *x = vector_of(mesh), *y = vector_of(mesh), *z = vector_of(mesh);
  ck_assert_int_eq(mesh->vertex_count, 27);
  for (int v = 0; v < 27; ++v) {
    held[v] = true;
    put_vec3(x, v, tac_vec3(0.01 * v, -0.02 * v * v, 0.3));
  }
  TAC_OWN(tacStatics, statics) = make_statics(mesh, &material, NULL, held);
  TAC_SPARSE k;
  tac_test_ok(tac_assembly_stiffness(mesh, &material, NULL, &k, &error), error);
  tac_sparse_multiply(&k, x, 1, z);
  solve(statics, 1, x, y);
  for (int i = 0; i < k.rows; ++i) ck_assert_double_eq_tol(y[i], z[i], 1e-6);
}

static void check_refused(const tacVolMesh *mesh, const tacMaterial *material, const bool *held, tacStatus expected,
                          const char *text) {
  tacStatics *statics;
  tac_test_refused(tac_statics_create(mesh, material, NULL, held, &statics, &error), expected, error, text);
  ck_assert_ptr_null(statics);
  ck_assert_int_eq(tac_statics_create(mesh, material, NULL, held, &statics, NULL), expected);
}

TAC_TEST(unsolvable_problems_are_refused) {
  tacMaterial material = make_isotropic(1000.0, 1e6, 0.3), none = {0};
  TAC_OWN(tacVolMesh, mesh) = make_tets(unit_box(), 2, 2, 2);
  TAC_OWN(tacVolMesh, empty) = make_volmesh(3, 0, 0);
  bool held[32] = {true, true};
  check_refused(mesh, &material, held, TAC_ERR_GEOMETRY, " 2 are held");
  held[2] = true;
  check_refused(mesh, &material, held, TAC_ERR_GEOMETRY, " 3 are held, all on one line");
  held[4] = true;
  check_refused(mesh, &none, held, TAC_ERR_ARGUMENT, "density");
  TAC_OWN(tacStatics, statics) = make_statics(mesh, &material, NULL, held);
  double *x = vector_of(mesh);
  x[20] = NAN;
  tac_test_refused(tac_statics_solve(statics, 1, x, x, &error), TAC_ERR_ARGUMENT, error, "vertex 6");
  ck_assert_int_eq(tac_statics_solve(statics, -1, x, x, &error), TAC_ERR_ARGUMENT);

  int *v = mesh->tets[7].v, kept = v[0];
  v[0] = v[1];
  v[1] = kept;
  check_refused(mesh, &material, held, TAC_ERR_GEOMETRY, "tetrahedron 7 ");
  v[0] = 99;
  check_refused(mesh, &material, held, TAC_ERR_GEOMETRY, "vertex 99");
  check_refused(empty, &material, held, TAC_ERR_GEOMETRY, "no elements");
}

/* Two halves of a block of which one is held, joined by an edge only, or by a vertex only: the other half turns. */
TAC_TEST(parts_on_hinges_are_refused) {
  tacMaterial material = make_isotropic(1000.0, 1e6, 0.3);
  for (int shared = 0; shared < 2; ++shared) {
    TAC_OWN(tacVolMesh, lower) = make_bricks(unit_box(), 2, 2, 2);
    TAC_OWN(tacVolMesh, mesh) = make_volmesh(2 * lower->vertex_count, 0, 2 * lower->brick_count);
    tacVec3 shift = shared ? tac_vec3(1.0, 1.0, 1.0) : tac_vec3(0.0, 1.0, 1.0);
    bool *held = tac_test_alloc((size_t)mesh->vertex_count * sizeof *held);
    for (int p = 0; p < mesh->vertex_count; ++p) {
      int q = p % lower->vertex_count;
      mesh->vertices[p] = p == q ? lower->vertices[q] : tac_vec3_add(lower->vertices[q], shift);
      held[p] = p == q && lower->vertices[q].z == 0.0;
    }
    for (int b = 0; b < mesh->brick_count; ++b) {
      for (int c = 0; c < 8; ++c) {
        int p = lower->bricks[b % lower->brick_count].v[c], upper = p + lower->vertex_count;
        if (b >= lower->brick_count)
          for (int q = 0; q < lower->vertex_count; ++q)
            if (tac_vec3_distance(mesh->vertices[q], mesh->vertices[upper]) == 0.0) upper = q;
        mesh->bricks[b].v[c] = b < lower->brick_count ? p : upper;
      }
    }
    for (int p = 0; p < mesh->vertex_count; ++p) { /* what the joint left over */
      bool used = false;
      for (int b = 0; b < mesh->brick_count && !used; ++b)
        for (int c = 0; c < 8; ++c) used |= mesh->bricks[b].v[c] == p;
      if (!used) held[p] = true;
    }
    check_refused(mesh, &material, held, TAC_ERR_SINGULAR, "rotate");
  }
}
