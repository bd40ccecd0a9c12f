/* Hyperelastic materials, meshes and positions for tests. */
#pragma once

#include "elastic/hyper/hyper_solid.h"
#include "elastic/laws/hyper_laws.h"
#include "elastic/make_body.h"
#include "math/random.h"

/* Any parameters in their ranges: those that a scene need not give as they are then, stresses some kPa, numbers 1.5
 * or in the middle. */
static inline tacHyperMaterial make_hyper(const tacHyperLaw *law) {
  tacHyperMaterial material = {.law = law, .density = 1000.0};
  for (int i = 0; i < law->parameter_count; ++i) {
    const tacHyperParameter *parameter = &law->parameters[i];
    double value = 1.5;
    if (!isnan(parameter->otherwise))
      value = parameter->otherwise;
    else if (strcmp(parameter->unit, "Pa") == 0)
      value = 2e3 + 1e3 * i;
    else if (value > parameter->most)
      value = 0.5 * (fmax(parameter->above, 0.0) + parameter->most);
    material.parameters[i] = value;
  }
  tac_test_ok(tac_hyper_material_check(&material, &error), error);
  return material;
}

static inline tacHyperMaterial find_hyper(const char *name, double first, double second, double third) {
  const tacHyperLaw *law = tac_hyper_law_find(name, &error);
  ck_assert_msg(law != NULL, "%s", error.text);
  tacHyperMaterial material = make_hyper(law);
  const double given[3] = {first, second, third};
  for (int i = 0; i < 3 && i < law->parameter_count; ++i) material.parameters[i] = given[i];
  return material;
}

static inline tacHyperSolid *make_hyper_solid(tacHyperSolidDef def) {
  tacHyperSolid *solid;
  if (def.thread_count == 0) def.thread_count = 1;
  if (def.material_count == 0) def.material_count = 1;
  tac_test_ok(tac_hyper_solid_create(&def, &solid, &error), error);
  return solid;
}

/* Positions at rest. */
static inline double *make_positions(const tacVolMesh *mesh) {
  double *x = make_vector(mesh);
  for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(x, v, mesh->vertices[v]);
  return x;
}

/* The same until the end of the test. */
static inline double *positions_of(const tacVolMesh *mesh) {
  double *x = vector_of(mesh);
  for (int v = 0; v < mesh->vertex_count; ++v) put_vec3(x, v, mesh->vertices[v]);
  return x;
}

/* x = F X + up to `by` (m) at random. */
static inline double *deformed_of(const tacVolMesh *mesh, tacMat3 f, double by) {
  double *x = vector_of(mesh);
  tacRandom random = tac_random_seed(5);
  for (int v = 0; v < mesh->vertex_count; ++v)
    put_vec3(x, v, tac_vec3_add(tac_mat3_mul_vec(f, mesh->vertices[v]), tac_random_in_cube(&random, by)));
  return x;
}

/* Neither symmetric nor close to the identity. */
static inline tacMat3 large_gradient(void) {
  return (tacMat3){{{1.25, -0.2, 0.1}, {0.15, 0.85, 0.3}, {-0.25, 0.1, 1.1}}};
}

static inline double largest(const double *x, int count) {
  return largest_entry(x, count);
}
