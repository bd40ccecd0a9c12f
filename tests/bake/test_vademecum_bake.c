/* Vademecums against full solutions with all nodes. */
#include "bake/make_loaded.h"

static tacError error;

typedef struct Errors {
  double alone_mean, alone_most, corrected_mean, corrected_most, linear_mean;
} Errors;

/* Linear elasticity of the same moduli; a case for each load of the vademecum along the direction. */
static tacStatics *make_linear(const Loaded *body, double young, double poisson) {
  tacStatics *statics;
  tacMaterial material = make_isotropic(body->def.material.density, young, poisson);
  tac_test_ok(tac_statics_create(body->mesh, &material, NULL, body->fixed, &statics, &error), error);
  return statics;
}

/* Forces of the body: `force` at a vertex of the mesh. */
static void push_node(Loaded *body, int vertex, tacVec3 force) {
  memset(body->force, 0, (size_t)body->size * sizeof(double));
  put_vec3(body->force, vertex, force);
}

/* Over loads at random nodes, of the full size. */
static Errors measure(Loaded *body, const tacVademecum *vademecum, tacStatics *linear, int count, uint64_t seed) {
  tacVademecumSolver *solver = solver_of(vademecum);
  Errors errors = {0};
  double *u = make_vector(body->mesh), *full = make_vector(body->mesh), q[160];
  tacRandom random = tac_random_seed(seed);
  for (int i = 0; i < count; ++i) {
    int load = (int)tac_random_uniform(&random, 0.0, tac_vademecum_load_count(vademecum));
    tacVec3 direction = tac_vec3_unit(tac_random_normal3(&random));
    if (tac_vec3_norm2(body->def.direction) > 0.0) direction = tac_vec3_unit(body->def.direction);
    tacVec3 force = tac_vec3_scale(body->def.load, direction);
    int vertex = tac_vademecum_load_vertex(vademecum, load);
    push_node(body, mesh_vertex(body, vademecum, vertex), force);
    tacVademecumLoad at = load_at(vademecum, vertex, force);
    ck_assert(!tac_vademecum_solve(solver, 1, &at, 8, q).outside);
    move_loaded(body, vademecum, q, u);
    memcpy(full, u, (size_t)body->size * sizeof *u); /* a start, no more: its residual is 1e-9 */
    solve_loaded(body, full);
    double corrected = mass_distance(body, u, full);
    ck_assert(tac_vademecum_coordinates(vademecum, load, force, q));
    move_loaded(body, vademecum, q, u);
    double alone = mass_distance(body, u, full);
    tac_test_ok(tac_statics_solve(linear, 1, body->force, u, &error), error);
    for (int k = 0; k < body->size; ++k)
      if (body->fixed[k / 3]) u[k] = 0.0; /* reactions */
    errors.linear_mean += mass_distance(body, u, full) / count;
    errors.alone_mean += alone / count;
    errors.corrected_mean += corrected / count;
    errors.alone_most = fmax(errors.alone_most, alone);
    errors.corrected_most = fmax(errors.corrected_most, corrected);
  }
  tac_vademecum_solver_destroy(solver);
  free(u);
  free(full);
  return errors;
}

START_TEST(a_bent_beam_is_as_near_as_wanted) {
  Loaded *body = make_loaded_beam();
  tacVademecum *vademecum = bake_loaded(body);
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  printf("modes %d sampled %d paths %d err %g %g corr %g %g lin %g  s: %g %g %g %g %g %g\n", info->mode_count, info->sampled_count, info->path_count, info->error_mean, info->error_most, info->corrected_mean, info->corrected_most, info->linear_mean, info->seconds_linear, info->seconds_paths, info->seconds_basis, info->seconds_elements, info->seconds_loads, info->seconds_check);
  tacStatics *linear = make_linear(body, 209e9, 0.3);
  Errors e = measure(body, vademecum, linear, 200, 77);
  printf("own: %g %g corr %g %g lin %g\n", e.alone_mean, e.alone_most, e.corrected_mean, e.corrected_most, e.linear_mean);
  tac_statics_destroy(linear);
  tac_vademecum_destroy(vademecum);
  free_loaded(body);
}
END_TEST
TAC_TEST_MAIN("vademecum bake", a_bent_beam_is_as_near_as_wanted)
