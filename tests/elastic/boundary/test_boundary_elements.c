#include "elastic/boundary/boundary_elements.h"

#include "elastic/make_body.h"
#include "math/dense/dense_lu.h"
#include "mesh/trimesh.h"

/* ---- meshes ---- */

static tacTriMesh *make_bumpy(int n) {
  tacTriMesh *mesh = make_ball(1.0, n);
  tacRandom random = tac_random_seed(5);
  const tacBox box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 p = mesh->vertices[v];
    p = tac_vec3_mad(p, 0.25 / n, tac_random_in_box(&random, box));
    p.x *= 1.0 - 0.6 * exp(-4.0 * (p.y * p.y + (p.x - 1.0) * (p.x - 1.0))); /* a hollow, as a kidney has */
    mesh->vertices[v] = p;
  }
  return mesh;
}

/* A box whose faces are divided irregularly. */
static tacTriMesh *make_irregular_box(int n) {
  tacTriMesh *mesh = make_box(unit_box(), n);
  tacRandom random = tac_random_seed(6);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double *x = &mesh->vertices[v].x;
    const double size[3] = {1.0, 0.7, 1.4};
    for (int i = 0; i < 3; ++i) {
      if (x[i] > 0.0 && x[i] < 1.0) x[i] += tac_random_uniform(&random, -0.25, 0.25) / n;
      x[i] *= size[i];
    }
  }
  return mesh;
}

static tacBoundaryElements *make_elements(const tacTriMesh *mesh, const tacBoundaryDef *def) {
  tacBoundaryElements *elements;
  tac_test_ok(tac_boundary_elements_create(mesh, def, 0, NULL, &elements, &error), error);
  return tac_test_keep(elements, tac_boundary_elements_destroy);
}

/* ---- rigid motions ---- */

static double *make_numbers(int count) {
  return tac_test_alloc((size_t)count * sizeof(double));
}

/* Motion k of 6, of size 1 at most. */
static void fill_rigid(const tacTriMesh *mesh, int k, double *u) {
  tacBox box = tac_trimesh_box(mesh);
  tacVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, centre = tac_box_centre(box);
  double radius = 0.5 * tac_vec3_norm(tac_box_size(box));
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 arm = tac_vec3_scale(1.0 / radius, tac_vec3_sub(mesh->vertices[v], centre));
    put_vec3(u, v, k < 3 ? axis : tac_vec3_cross(axis, arm));
  }
}

static double largest_rigid_residual(const tacTriMesh *mesh, const tacDense *h) {
  double *u = make_numbers(h->cols), *residual = make_numbers(h->rows);
  double largest = 0.0;
  for (int k = 0; k < 6; ++k) {
    fill_rigid(mesh, k, u);
    tac_dense_gemv(1.0, h, false, u, 0.0, residual);
    for (int i = 0; i < h->rows; ++i) largest = fmax(largest, fabs(residual[i]));
  }
  return largest;
}

static tacSurfacePoint random_point_on(const tacTriMesh *mesh, tacRandom *random) {
  double a = tac_random_uniform(random, 0.1, 0.5), b = tac_random_uniform(random, 0.1, 0.4);
  int triangle = (int)(tac_random_bits(random) % (uint64_t)mesh->triangle_count);
  return (tacSurfacePoint){triangle, {a, b, 1.0 - a - b}};
}

/* Destroys the mesh. */
static void check_rigid(tacTriMesh *mesh) {
  tacBoundaryDef def = tac_boundary_def_default();
  def.poisson = 0.41;
  tacBoundaryElements *elements = make_elements(mesh, &def);
  ck_assert_double_lt(largest_rigid_residual(mesh, &elements->h), 1e-10);

  enum { COUNT = 20 };
  tacSurfacePoint points[COUNT];
  tacRandom random = tac_random_seed(7);
  for (int p = 0; p < COUNT; ++p) points[p] = random_point_on(mesh, &random);
  TAC_DENSE h, g;
  tac_test_ok(tac_boundary_elements_rows(mesh, &def, elements, COUNT, points, &h, &g, &error), error);
  ck_assert_double_lt(largest_rigid_residual(mesh, &h), 1e-10);
  tac_trimesh_destroy(mesh);
}

TAC_TEST(rigid_motions_need_no_traction) {
  int n = tac_test_light() ? 3 : 10;
  check_rigid(make_ball(1.0, n));
  check_rigid(make_bumpy(n));
  check_rigid(make_irregular_box(tac_test_light() ? 2 : 5));
  tacTriMesh *torus = make_torus(1.0, 0.3, tac_test_light() ? 12 : 30, tac_test_light() ? 6 : 12);
  turn_mesh(torus->vertex_count, torus->vertices);
  check_rigid(torus);
  tacTriMesh *far = make_box(unit_box(), 3); /* small and far from the origin */
  for (int v = 0; v < far->vertex_count; ++v)
    far->vertices[v] = tac_vec3_mad(tac_vec3(1.0, 2.0, -1.0), 1e-2, far->vertices[v]);
  check_rigid(far);
  /* Plates 100 and 1000 times as long as they are thick, with triangles far longer than that, and slivers on their edges. */
  for (int k = 0; k < 2; ++k) {
    tacTriMesh *plate = make_box((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.5, k == 0 ? 1e-2 : 1e-3}}, tac_test_light() ? 2 : 5);
    turn_mesh(plate->vertex_count, plate->vertices);
    check_rigid(plate);
  }
}

/* A third of the trace of the diagonal block is the body's part of the space around the vertex. */
TAC_TEST(free_terms_are_solid_angles) {
  tacBoundaryDef def = tac_boundary_def_default();
  TAC_OWN(tacTriMesh, mesh) = make_box(unit_box(), 3);
  tacBoundaryElements *elements = make_elements(mesh, &def);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double trace = 0.0, expected = 1.0;
    for (int i = 3 * v; i < 3 * v + 3; ++i) trace += tac_dense_column(&elements->h, i)[i];
    for (int i = 0; i < 3; ++i) {
      double x = (&mesh->vertices[v].x)[i];
      if (x < 1e-9 || x > 1.0 - 1e-9) expected *= 0.5;
    }
    ck_assert_double_eq_tol(trace / 3.0, expected, 1e-10);
  }
}

/* ---- traction nodes ---- */

TAC_TEST(traction_nodes_split_at_creases) {
  tacBoundaryDef def = tac_boundary_def_default();
  TAC_OWN(tacTriMesh, mesh) = make_irregular_box(3);
  tacBoundaryElements *elements = make_elements(mesh, &def);
  ck_assert_int_eq(elements->vertex_count, mesh->vertex_count);
  ck_assert_int_eq(elements->traction_count, 6 * 4 * 4); /* each face has its own */
  double area = 0.0;
  for (int node = 0; node < elements->traction_count; ++node) {
    ck_assert(node == 0 || elements->vertex_of[node] >= elements->vertex_of[node - 1]);
    area += elements->area[node];
  }
  ck_assert_double_eq_tol(area, tac_trimesh_area(mesh), 1e-12);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      ck_assert_int_eq(elements->vertex_of[elements->traction_of[t][c]], mesh->triangles[t].v[c]);

  def.crease = 1.6; /* more than a right angle */
  elements = make_elements(mesh, &def);
  ck_assert_int_eq(elements->traction_count, mesh->vertex_count);
}

TAC_TEST(threads_do_not_change_the_result) {
  tacBoundaryDef def = tac_boundary_def_default();
  TAC_OWN(tacTriMesh, mesh) = make_bumpy(tac_test_light() ? 3 : 5);
  def.thread_count = 1;
  tacBoundaryElements *one = make_elements(mesh, &def);
  def.thread_count = 3;
  tacBoundaryElements *three = make_elements(mesh, &def);
  size_t size = (size_t)one->h.cols * (size_t)one->h.rows * sizeof(double);
  ck_assert_int_eq(memcmp(one->h.a, three->h.a, size), 0);
  size = (size_t)one->g.cols * (size_t)one->g.rows * sizeof(double);
  ck_assert_int_eq(memcmp(one->g.a, three->g.a, size), 0);
}

/* ---- linear displacements, which the elements hold exactly ---- */

typedef struct {
  tacTriMesh *mesh;
  tacBoundaryDef def;
  tacBoundaryElements *elements;
  tacMat3 gradient, stress;
  double *u, *p; /* exact; Pa */
} Patch;

/* Mode 0 to 5: a strain; 6 to 8: a rotation; 9: all together. */
static void set_mode(Patch *patch, int mode) {
  static const double weight[9] = {0.7, -0.4, 0.9, 0.3, -0.8, 0.5, 0.2, 0.6, -0.3};
  static const int row[9] = {0, 1, 2, 1, 2, 0, 1, 2, 0}, column[9] = {0, 1, 2, 2, 0, 1, 2, 0, 1};
  patch->gradient = tac_mat3_zero();
  for (int k = 0; k < 9; ++k) {
    double w = mode == 9 ? weight[k] : mode == k;
    patch->gradient.m[row[k]][column[k]] += w;
    if (k >= 3) patch->gradient.m[column[k]][row[k]] += k < 6 ? w : -w;
  }
  double shear = patch->def.young / (2.0 * (1.0 + patch->def.poisson));
  double lame = 2.0 * shear * patch->def.poisson / (1.0 - 2.0 * patch->def.poisson);
  tacMat3 both = tac_mat3_add(patch->gradient, tac_mat3_transpose(patch->gradient));
  patch->stress = tac_mat3_scale(shear, both);
  for (int i = 0; i < 3; ++i) patch->stress.m[i][i] += lame * tac_mat3_trace(patch->gradient);

  const tacTriMesh *mesh = patch->mesh;
  for (int v = 0; v < mesh->vertex_count; ++v)
    put_vec3(patch->u, v, tac_mat3_mul_vec(patch->gradient, mesh->vertices[v]));
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = mesh->vertices[v[0]];
    tacVec3 n =
        tac_vec3_unit(tac_vec3_cross(tac_vec3_sub(mesh->vertices[v[1]], a), tac_vec3_sub(mesh->vertices[v[2]], a)));
    for (int c = 0; c < 3; ++c)
      put_vec3(patch->p, patch->elements->traction_of[t][c], tac_mat3_mul_vec(patch->stress, n));
  }
}

static Patch make_patch(void) {
  Patch patch = {.mesh = tac_test_keep(make_irregular_box(tac_test_light() ? 2 : 4), tac_trimesh_destroy),
                 .def = tac_boundary_def_default()};
  patch.def.young = 5e4;
  patch.def.poisson = 0.35;
  patch.elements = make_elements(patch.mesh, &patch.def);
  patch.u = make_numbers(3 * patch.elements->vertex_count);
  patch.p = make_numbers(3 * patch.elements->traction_count);
  return patch;
}

/* x := A^-1 x; A is destroyed. */
static void solve(tacDense *a, double *x) {
  int *pivot = tac_test_alloc((size_t)a->cols * sizeof *pivot);
  tac_test_ok(tac_dense_lu(a, pivot, NULL, 0, NULL, &error), error);
  tac_test_ok(tac_dense_lu_solve(a, pivot, &(tacDense){a->rows, 1, a->rows, x}, 0, NULL, &error), error);
}

TAC_TEST(linear_fields_satisfy_the_equations) {
  Patch patch = make_patch();
  for (int mode = 0; mode < 9; ++mode) {
    set_mode(&patch, mode);
    double *residual = make_numbers(patch.elements->h.rows);
    tac_dense_gemv(1.0, &patch.elements->h, false, patch.u, 0.0, residual);
    tac_dense_gemv(-1.0, &patch.elements->g, false, patch.p, 1.0, residual);
    for (int i = 0; i < patch.elements->h.rows; ++i) ck_assert_double_eq_tol(residual[i], 0.0, 1e-10);
  }
}

/* The face x = 0 is held at its exact displacement, the others carry their exact traction. */
TAC_TEST(patch_with_one_face_held) {
  Patch patch = make_patch();
  const tacBoundaryElements *e = patch.elements;
  const double young = patch.def.young;
  int *unknown =
      tac_test_alloc((size_t)e->vertex_count * sizeof *unknown); /* [vertex]: its unknown traction node, or -1 */
  bool *face = tac_test_alloc((size_t)e->traction_count * sizeof *face);
  ck_assert(unknown != NULL && face != NULL);
  for (int node = 0; node < e->traction_count; ++node) face[node] = true;
  for (int t = 0; t < patch.mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        if (patch.mesh->vertices[patch.mesh->triangles[t].v[d]].x > 1e-9) face[e->traction_of[t][c]] = false;
  for (int v = 0; v < e->vertex_count; ++v) unknown[v] = -1;
  for (int node = 0; node < e->traction_count; ++node)
    if (face[node]) {
      ck_assert_int_eq(unknown[e->vertex_of[node]], -1);
      unknown[e->vertex_of[node]] = node;
    }
  for (int mode = 0; mode <= 9; ++mode) {
    set_mode(&patch, mode);
    TAC_DENSE a;
    tac_test_ok(tac_dense_copy(&e->h, &a, &error), error);
    double *p = make_numbers(e->g.cols), *u = make_numbers(e->h.cols), *x = make_numbers(e->h.rows);
    memcpy(p, patch.p, (size_t)e->g.cols * sizeof *p);
    for (int v = 0; v < e->vertex_count; ++v)
      for (int i = 0; i < 3 && unknown[v] >= 0; ++i) {
        u[3 * v + i] = patch.u[3 * v + i];
        p[3 * unknown[v] + i] = 0.0;
        const double *g = tac_dense_column(&e->g, 3 * unknown[v] + i);
        for (int k = 0; k < a.rows; ++k) tac_dense_column(&a, 3 * v + i)[k] = -young * g[k]; /* of p / E */
      }
    tac_dense_gemv(1.0, &e->g, false, p, 0.0, x);
    tac_dense_gemv(-1.0, &e->h, false, u, 1.0, x);
    solve(&a, x);
    for (int v = 0; v < e->vertex_count; ++v)
      for (int i = 0; i < 3; ++i) {
        double expected = unknown[v] >= 0 ? patch.p[3 * unknown[v] + i] / young : patch.u[3 * v + i];
        ck_assert_double_eq_tol(x[3 * v + i], expected, 1e-8);
      }
  }
}

/* All displacements are given. Where a vertex has several traction nodes, its equations are replaced by those of a point
 * in a triangle of each fan. */
TAC_TEST(patch_with_all_faces_held) {
  Patch patch = make_patch();
  const tacBoundaryElements *e = patch.elements;
  const double young = patch.def.young;
  const int m = e->traction_count;
  int *rows = tac_test_alloc((size_t)m * sizeof *rows), point_count = 0; /* [node]: a vertex, or -1 - point */
  tacSurfacePoint *points = tac_test_alloc((size_t)m * sizeof *points);
  ck_assert(rows != NULL && points != NULL);
  for (int node = 0; node < m; ++node) {
    int v = rows[node] = e->vertex_of[node];
    if ((node == 0 || e->vertex_of[node - 1] != v) && (node + 1 == m || e->vertex_of[node + 1] != v)) continue;
    int corner = 0;
    while (e->traction_of[corner / 3][corner % 3] != node) ++corner;
    points[point_count] = (tacSurfacePoint){corner / 3, {0.2, 0.2, 0.2}};
    points[point_count].weight[corner % 3] = 0.6;
    rows[node] = -1 - point_count++;
  }
  TAC_DENSE h, g;
  tac_test_ok(tac_boundary_elements_rows(patch.mesh, &patch.def, e, point_count, points, &h, &g, &error), error);
  for (int mode = 0; mode <= 9; mode += 3) {
    set_mode(&patch, mode);
    TAC_DENSE a;
    tac_test_ok(tac_dense_create(3 * m, 3 * m, &a, &error), error);
    double *right = make_numbers(e->h.rows), *other = make_numbers(h.rows), *x = make_numbers(3 * m);
    tac_dense_gemv(1.0, &e->h, false, patch.u, 0.0, right);
    tac_dense_gemv(1.0, &h, false, patch.u, 0.0, other);
    for (int node = 0; node < m; ++node)
      for (int i = 0; i < 3; ++i) {
        bool vertex = rows[node] >= 0;
        int row = 3 * (vertex ? rows[node] : -1 - rows[node]) + i;
        x[3 * node + i] = vertex ? right[row] : other[row];
        for (int c = 0; c < 3 * m; ++c)
          tac_dense_column(&a, c)[3 * node + i] = young * tac_dense_column(vertex ? &e->g : &g, c)[row];
      }
    solve(&a, x);
    for (int i = 0; i < 3 * m; ++i) ck_assert_double_eq_tol(x[i], patch.p[i] / young, 1e-7);
  }
}

TAC_TEST(inner_values_of_linear_fields) {
  Patch patch = make_patch();
  const tacBoundaryElements *e = patch.elements;
  static const int row_of[6] = {0, 1, 2, 1, 2, 0}, column_of[6] = {0, 1, 2, 2, 0, 1};
  static const tacVec3 points[] = {{0.5, 0.35, 0.7},   {0.2, 0.6, 1.1},     {0.31, 0.27, 1e-2}, {0.31, 0.27, 1e-4},
                                   {1e-2, 1e-2, 1e-2}, {0.5, 0.699, 1.399}, {0.999, 0.5, 0.2}};
  enum { COUNT = sizeof points / sizeof *points };
  double value[6 * COUNT];
  set_mode(&patch, 9);
  for (int stress = 0; stress < 2; ++stress) {
    tacInnerQuantity quantity = stress ? TAC_INNER_STRESS : TAC_INNER_DISPLACEMENT;
    int rows = stress ? 6 : 3;
    TAC_DENSE h, g;
    tac_test_ok(tac_boundary_elements_inner(patch.mesh, &patch.def, e, COUNT, points, quantity, &h, &g, &error), error);
    ck_assert_int_eq(h.rows, rows * COUNT);
    tac_dense_gemv(1.0, &g, false, patch.p, 0.0, value);
    tac_dense_gemv(-1.0, &h, false, patch.u, 1.0, value);
    for (int p = 0; p < COUNT; ++p) {
      double expected[6];
      put_vec3(expected, 0, tac_mat3_mul_vec(patch.gradient, points[p]));
      for (int k = 0; stress && k < 6; ++k) expected[k] = patch.stress.m[row_of[k]][column_of[k]];
      for (int k = 0; k < rows; ++k)
        ck_assert_double_eq_tol(value[rows * p + k], expected[k], stress ? 1e-7 * patch.def.young : 1e-9);
    }
  }
}

/* ---- a hollow sphere under pressure ---- */

/* Z[:, 0..5]: an orthonormal basis of the rigid motions. */
static void fill_rigid_basis(const tacTriMesh *mesh, tacDense *basis) {
  TAC_DENSE r;
  tac_test_ok(tac_dense_create(3 * mesh->vertex_count, 6, basis, &error), error);
  for (int k = 0; k < 6; ++k) fill_rigid(mesh, k, tac_dense_column(basis, k));
  tac_test_ok(tac_dense_qr(basis, &r, &error), error);
}

/* Largest relative error of the radial displacement, against Lame: with radii a < b, pressure P inside,
 * u = P a^3 / (E (b^3 - a^3)) ((1 - 2 nu) r + (1 + nu) b^3 / (2 r^2)). */
static double hollow_sphere_error(int n) {
  const double a = 1.0, b = 2.0, pressure = 3e3;
  tacTriMesh *inner = make_ball(a, n);
  for (int t = 0; t < inner->triangle_count; ++t) flip_triangle(inner, t);
  TAC_OWN(tacTriMesh, mesh) = join_meshes(inner, make_ball(b, n));
  tacBoundaryDef def = tac_boundary_def_default();
  def.crease = 1.0; /* a coarse sphere is smooth too */
  tacBoundaryElements *elements = make_elements(mesh, &def);
  ck_assert_int_eq(elements->traction_count, mesh->vertex_count);
  double *p = make_numbers(elements->g.cols), *u = make_numbers(elements->h.rows);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 x = mesh->vertices[v];
    if (tac_vec3_norm(x) < 1.5) put_vec3(p, v, tac_vec3_scale(pressure, tac_vec3_unit(x)));
  }
  tac_dense_gemv(1.0, &elements->g, false, p, 0.0, u);
  TAC_DENSE basis;
  fill_rigid_basis(mesh, &basis);
  tac_dense_gemm(1.0, &basis, false, &basis, true, 1.0, &elements->h); /* holds the rigid motions at zero */
  solve(&elements->h, u);
  double largest = 0.0;
  for (int v = 0; v < mesh->vertex_count; ++v) {
    double r = tac_vec3_norm(mesh->vertices[v]), nu = def.poisson, b3 = b * b * b;
    double expected = pressure / (def.young * (b3 - a * a * a)) * a * a * a *
                      ((1.0 - 2.0 * nu) * r + (1.0 + nu) * b3 / (2.0 * r * r));
    tacVec3 found = tac_vec3(u[3 * v], u[3 * v + 1], u[3 * v + 2]);
    tacVec3 exact = tac_vec3_scale(expected / r, mesh->vertices[v]);
    largest = fmax(largest, tac_vec3_distance(found, exact) / expected);
  }
  return largest;
}

TAC_TEST(hollow_sphere_converges_with_second_order) {
  int fine = tac_test_light() ? 8 : 12;
  double coarse_error = hollow_sphere_error(fine / 2), fine_error = hollow_sphere_error(fine);
  ck_assert_double_lt(fine_error, tac_test_light() ? 0.08 : 0.02);
  ck_assert_double_gt(coarse_error, 3.3 * fine_error); /* 4 in the limit */
}

/* ---- refusals ---- */

static void check_refused(const tacTriMesh *mesh, const tacBoundaryDef *def, size_t most_bytes, tacStatus expected,
                          const char *word) {
  tacBoundaryElements *elements;
  tac_test_refused(tac_boundary_elements_create(mesh, def, most_bytes, NULL, &elements, &error), expected, error, word);
  ck_assert_ptr_null(elements);
}

TAC_TEST(non_closed_bodies_are_refused) {
  tacBoundaryDef def = tac_boundary_def_default();
  tacTriMesh *box = make_box(unit_box(), 2);
  --box->triangle_count;
  check_refused(box, &def, 0, TAC_ERR_GEOMETRY, "not closed");
  ++box->triangle_count;
  check_refused(box, &def, 1000, TAC_ERR_MEMORY, "MiB");
  for (int t = 0; t < box->triangle_count; ++t) flip_triangle(box, t);
  check_refused(box, &def, 0, TAC_ERR_GEOMETRY, "outward");
  for (int t = 0; t < box->triangle_count; ++t) flip_triangle(box, t);
  tacVec3 kept = box->vertices[box->triangles[5].v[0]];
  box->vertices[box->triangles[5].v[0]] = box->vertices[box->triangles[5].v[1]];
  check_refused(box, &def, 0, TAC_ERR_GEOMETRY, "degenerate");
  box->vertices[box->triangles[5].v[0]] = kept;

  def.poisson = 0.5;
  check_refused(box, &def, 0, TAC_ERR_ARGUMENT, "Poisson");
  def = tac_boundary_def_default();
  def.young = 0.0;
  check_refused(box, &def, 0, TAC_ERR_ARGUMENT, "Young");
  def = tac_boundary_def_default();
  def.crease = NAN;
  check_refused(box, &def, 0, TAC_ERR_ARGUMENT, "crease");
  tac_trimesh_destroy(box);

  /* A hole that faces the wrong way; a part beside a larger one that does. */
  def = tac_boundary_def_default();
  tacTriMesh *hole = make_ball(1.0, 3), *two = join_meshes(hole, make_ball(2.0, 3));
  check_refused(two, &def, 0, TAC_ERR_GEOMETRY, "outward");
  tac_trimesh_destroy(two);
  tacTriMesh *part = make_box((tacBox){{3.0, 0.0, 0.0}, {4.0, 1.0, 1.0}}, 1);
  for (int t = 0; t < part->triangle_count; ++t) flip_triangle(part, t);
  two = join_meshes(make_ball(2.0, 3), part);
  check_refused(two, &def, 0, TAC_ERR_GEOMETRY, "outward");
  tac_trimesh_destroy(two);
  TAC_OWN(tacTriMesh, loose) = join_meshes(make_box(unit_box(), 1), make_trimesh(1, 0));
  check_refused(loose, &def, 0, TAC_ERR_GEOMETRY, "no triangle");
}

TAC_TEST(refuses_points_where_they_do_not_belong) {
  tacBoundaryDef def = tac_boundary_def_default();
  TAC_OWN(tacTriMesh, box) = make_box(unit_box(), 2);
  tacBoundaryElements *elements = make_elements(box, &def);
  tacDense h, g;
  static const tacVec3 wrong[] = {{1.5, 0.5, 0.5}, {0.5, 0.3, -1e-3}, {0.5, 0.3, 0.0}, {0.5, NAN, 0.5}};
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 2; ++q) {
      tacVec3 points[2] = {{0.5, 0.5, 0.5}, wrong[p]};
      tacInnerQuantity quantity = q == 0 ? TAC_INNER_DISPLACEMENT : TAC_INNER_STRESS;
      ck_assert_int_eq(tac_boundary_elements_inner(box, &def, elements, 2, points, quantity, &h, &g, &error),
                       TAC_ERR_GEOMETRY);
      ck_assert_ptr_null(h.a);
      ck_assert_ptr_null(g.a);
    }
  static const tacSurfacePoint bad[] = {
      {-1, {0.3, 0.3, 0.4}}, {48, {0.3, 0.3, 0.4}}, {0, {1.0, 0.0, 0.0}}, {0, {0.5, 0.6, -0.1}}, {0, {0.3, 0.3, 0.3}}};
  for (int p = 0; p < 5; ++p) {
    ck_assert_int_eq(tac_boundary_elements_rows(box, &def, elements, 1, &bad[p], &h, &g, &error), TAC_ERR_ARGUMENT);
    ck_assert_ptr_null(h.a);
    ck_assert_ptr_null(g.a);
  }
  int calls = 0;
  const tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_boundary_elements_create(box, &def, 0, &cancel, &elements, &error), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(elements);
}
