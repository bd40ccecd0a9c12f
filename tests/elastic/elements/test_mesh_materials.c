#include "elastic/elements/mesh_materials.h"

#include <string.h>
#include "elastic/make_body.h"
#include "math/dense/dense.h"

typedef struct Stated {
  const char *kind;
  int count;
  double parameters[TAC_MESH_MATERIAL_PARAMETERS];
} Stated;

/* A row of `count` bricks, where brick i has the i-th material through a region of its own. */
static tacVolMesh *make_stated(int count, const Stated *stated) {
  tacError error;
  tacVolMesh *mesh = make_bricks((tacBox){{0.0, 0.0, 0.0}, {count, 1.0, 1.0}}, count, 1, 1);
  mesh->materials = calloc((size_t)count, sizeof *mesh->materials);
  mesh->regions = calloc((size_t)count, sizeof *mesh->regions);
  mesh->material_count = mesh->region_count = count;
  for (int m = 0; m < count; ++m) {
    char name[16];
    snprintf(name, sizeof name, "m%d", m);
    tac_test_ok(tac_volmesh_add_group(mesh, name, 1, &m, &error), error);
    mesh->materials[m] = (tacMeshMaterial){.name = strdup(name), .kind = strdup(stated[m].kind)};
    mesh->materials[m].parameter_count = stated[m].count;
    memcpy(mesh->materials[m].parameters, stated[m].parameters, sizeof stated[m].parameters);
    mesh->regions[m] = (tacMeshRegion){m, m};
  }
  return mesh;
}

static tacMaterial convert_one(const Stated *stated) {
  tacVolMesh *mesh = make_stated(1, stated);
  tacMaterial *materials, material;
  int *material_of;
  tacError error;
  tac_test_ok(tac_mesh_materials_create(mesh, &materials, &material_of, &error), error);
  material = materials[0];
  ck_assert_int_eq(material_of[0], 0);
  free(materials);
  free(material_of);
  tac_volmesh_destroy(mesh);
  return material;
}

/* epsilon = C^-1 sigma for a unit stress. */
static void strain_under(const tacMaterial *material, int component, double strain[6]) {
  double a[36];
  tacError error;
  memcpy(a, material->stiffness, sizeof a);
  tacDense c = {6, 6, 6, a}, b = {6, 1, 6, strain};
  for (int i = 0; i < 6; ++i) strain[i] = i == component;
  tac_test_ok(tac_dense_cholesky(&c, &error), error);
  tac_dense_cholesky_solve(&c, &b);
}

TAC_TEST(orthotropic_material_has_its_moduli) {
  Stated stated = {"ORTHOTROPIC_N3G3", 10, {900.0, 2e6, 5e6, 1e6, 0.2, 0.35, 0.1, 7e5, 8e5, 3e5}};
  tacMaterial material = convert_one(&stated);
  const double *e = stated.parameters + 1, *nu = e + 3, *g = nu + 3;
  double strain[6];
  ck_assert_double_eq(material.density, 900.0);
  for (int i = 0; i < 3; ++i) { /* tension along i */
    int next = (i + 1) % 3, last = (i + 2) % 3;
    strain_under(&material, i, strain);
    ck_assert_double_eq_tol(strain[i] * e[i], 1.0, 1e-12);
    ck_assert_double_eq_tol(strain[next] * e[i], -nu[i], 1e-12);
    ck_assert_double_eq_tol(strain[last] * e[last], -nu[last], 1e-12); /* nu_il / E_i = nu_li / E_l */
    for (int s = 3; s < 6; ++s) ck_assert_double_eq_tol(strain[s] * e[i], 0.0, 1e-12);
  }
  strain_under(&material, 3, strain); /* yz, zx, xy */
  ck_assert_double_eq_tol(strain[3] * g[1], 1.0, 1e-12);
  strain_under(&material, 4, strain);
  ck_assert_double_eq_tol(strain[4] * g[2], 1.0, 1e-12);
  strain_under(&material, 5, strain);
  ck_assert_double_eq_tol(strain[5] * g[0], 1.0, 1e-12);
}

/* Fibres turned by theta about z: 1 / E_x = cos^4 / E1 + (1 / G12 - 2 nu12 / E1) sin^2 cos^2 + sin^4 / E2. */
TAC_TEST(turned_fibres_have_the_off_axis_modulus) {
  for (int step = 0; step <= 6; ++step) {
    double theta = step * M_PI / 12.0, c = cos(theta), s = sin(theta);
    double e1 = 8e6, e2 = 2e6, nu12 = 0.3, g12 = 9e5, strain[6];
    Stated stated = {step % 2 ? "ORTHOTROPIC" : "ORTHOTROPIC_N3G3R9",
                     19,
                     {1000.0, e1, e2, 1e6, nu12, 0.25, 0.05, g12, 5e5, 4e5, c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}};
    tacMaterial material = convert_one(&stated);
    strain_under(&material, 0, strain);
    double expected = c * c * c * c / e1 + (1.0 / g12 - 2.0 * nu12 / e1) * s * s * c * c + s * s * s * s / e2;
    ck_assert_double_eq_tol(strain[0] / expected, 1.0, 1e-12);
    /* Turned with the material, tension along the fibres gives strain 1 / E1 along them and -nu12 / E1 across, whatever
     * theta is. */
    double along = 0.0, across = 0.0, along_stress[6] = {c * c, s * s, 0.0, 0.0, 0.0, c * s}, sum[6] = {0.0};
    for (int k = 0; k < 6; ++k) {
      strain_under(&material, k, strain);
      for (int i = 0; i < 6; ++i) sum[i] += along_stress[k] * strain[i];
    }
    along = c * c * sum[0] + s * s * sum[1] + c * s * sum[5];
    across = s * s * sum[0] + c * c * sum[1] - c * s * sum[5];
    ck_assert_double_eq_tol(along * e1, 1.0, 1e-12);
    ck_assert_double_eq_tol(across * e1, -nu12, 1e-12);
  }
}

/* With equal moduli, one Poisson's ratio and G = 1 the material is isotropic, turned or not. */
TAC_TEST(short_kinds_of_equal_moduli_are_isotropic) {
  tacMaterial expected = make_isotropic(1000.0, 3e6, 0.3);
  double r[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};
  Stated stated[4] = {{"ORTHOTROPIC_N1", 5, {1000.0, 3e6, 3e6, 3e6, 0.3}},
                      {"ORTHOTROPIC_N1G1", 6, {1000.0, 3e6, 3e6, 3e6, 0.3, 1.0}},
                      {"ORTHOTROPIC_N1R9", 14, {1000.0, 3e6, 3e6, 3e6, 0.3}},
                      {"ORTHOTROPIC_N1G1R9", 15, {1000.0, 3e6, 3e6, 3e6, 0.3, 1.0}}};
  memcpy(stated[2].parameters + 5, r, sizeof r);
  memcpy(stated[3].parameters + 6, r, sizeof r);
  for (int m = 0; m < 4; ++m) {
    tacMaterial material = convert_one(&stated[m]);
    for (int i = 0; i < 36; ++i)
      ck_assert_double_eq_tol(material.stiffness[i / 6][i % 6], expected.stiffness[i / 6][i % 6], 1e-8);
  }
  Stated softer = {"ORTHOTROPIC_N1G1", 6, {1000.0, 4e6, 9e6, 1e6, 0.3, 0.5}};
  tacMaterial material = convert_one(&softer);
  double strain[6];
  ck_assert_double_eq_tol(material.stiffness[5][5], 0.5 * 6e6 / 2.6, 1e-6); /* G12 */
  strain_under(&material, 0, strain);
  ck_assert_double_eq_tol(strain[1] / strain[0], -0.3 * sqrt(4.0 / 9.0), 1e-12);
}

TAC_TEST(later_regions_override_earlier_ones) {
  Stated stated[3] = {{"ENU", 3, {1000.0, 1e6, 0.3}},
                      {"ENU", 3, {2000.0, 2e6, 0.2}},
                      {"MOONEYRIVLIN", 4, {1.0, 1.0, 1.0, 1000.0}}}; /* of no element in the end */
  tacVolMesh *mesh = make_stated(3, stated);
  tacError error;
  tacMaterial *materials;
  int *material_of, group = mesh->group_count;
  tac_test_ok(tac_volmesh_add_group(mesh, "last two", 2, (int[]){1, 2}, &error), error);
  mesh->regions = realloc(mesh->regions, 4 * sizeof *mesh->regions);
  mesh->regions[mesh->region_count++] = (tacMeshRegion){group, 1};
  tac_test_ok(tac_mesh_materials_create(mesh, &materials, &material_of, &error), error);
  ck_assert_int_eq(material_of[0], 0);
  ck_assert_int_eq(material_of[1], 1);
  ck_assert_int_eq(material_of[2], 1);
  ck_assert_double_eq(materials[0].young, 1e6);
  ck_assert_double_eq(materials[1].density, 2000.0);
  ck_assert_double_eq(materials[2].density, 0.0);
  free(materials);
  free(material_of);
  tac_volmesh_destroy(mesh);
}

static void check_refused(Stated stated, tacStatus expected, const char *text) {
  tacVolMesh *mesh = make_stated(1, &stated);
  tacError error;
  tacMaterial *materials;
  int *material_of;
  ck_assert_int_eq(tac_mesh_materials_create(mesh, &materials, &material_of, &error), expected);
  ck_assert_msg(strstr(error.text, text) != NULL && strstr(error.text, "\"m0\"") != NULL, "%s", error.text);
  ck_assert_ptr_null(materials);
  ck_assert_ptr_null(material_of);
  tac_volmesh_destroy(mesh);
}

TAC_TEST(what_cannot_be_a_linear_material_is_refused) {
  check_refused((Stated){"MOONEYRIVLIN", 4, {1.0, 1.0, 1.0, 1000.0}}, TAC_ERR_UNSUPPORTED, "MOONEYRIVLIN");
  check_refused((Stated){"ORTHOTROPIC_N2", 5, {1.0, 1.0, 1.0, 1.0, 0.1}}, TAC_ERR_UNSUPPORTED, "_N3G3");
  check_refused((Stated){"ENU", 2, {1.0, 1.0}}, TAC_ERR_ARGUMENT, "instead of 3");
  check_refused((Stated){"ENU", 3, {1000.0, 1e6, 0.5}}, TAC_ERR_ARGUMENT, "Poisson");
  check_refused((Stated){"ORTHOTROPIC_N3G3", 9, {1.0}}, TAC_ERR_ARGUMENT, "instead of 10");
  check_refused((Stated){"ORTHOTROPIC_N1", 5, {0.0, 1.0, 1.0, 1.0, 0.1}}, TAC_ERR_ARGUMENT, "density");
  check_refused((Stated){"ORTHOTROPIC_N1", 5, {1.0, -1.0, 1.0, 1.0, 0.1}}, TAC_ERR_ARGUMENT, "stiffness");
  check_refused((Stated){"ORTHOTROPIC_N1", 5, {1.0, 1.0, 1.0, 1.0, 0.5}}, TAC_ERR_ARGUMENT, "stiffness");
  check_refused((Stated){"ORTHOTROPIC_N1", 5, {1.0, 1.0, 1.0, 1.0, 0.6}}, TAC_ERR_ARGUMENT, "positive definite");
  check_refused((Stated){"ORTHOTROPIC_N1G1", 6, {1.0, 1.0, 1.0, 1.0, 0.1, 0.0}}, TAC_ERR_ARGUMENT, "stiffness");
  check_refused((Stated){"ORTHOTROPIC_N1R9", 14, {1.0, 1.0, 1.0, 1.0, 0.1, 1.0}}, TAC_ERR_ARGUMENT, "rotation");

  Stated stated = {"ENU", 3, {1000.0, 1e6, 0.3}};
  tacVolMesh *mesh = make_stated(1, &stated);
  tacError error;
  tacMaterial *materials;
  int *material_of;
  mesh->region_count = 0;
  ck_assert_int_eq(tac_mesh_materials_create(mesh, &materials, &material_of, &error), TAC_ERR_GEOMETRY);
  ck_assert_ptr_nonnull(strstr(error.text, "element 0"));
  mesh->region_count = 1;
  mesh->regions[0].material = 1;
  ck_assert_int_eq(tac_mesh_materials_create(mesh, &materials, &material_of, &error), TAC_ERR_GEOMETRY);
  tac_volmesh_destroy(mesh);
}
