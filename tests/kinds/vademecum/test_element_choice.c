/* Elements that stand for all of a solid, against all of them. */
#include "kinds/vademecum/element_choice.h"

#include "elastic/hyper/make_sampled.h"

enum { SIZE = 12, STATES = 40, FRESH = 20 };
typedef struct Case {
  tacVolMesh *mesh;
  double *basis, *states; /* trained on, then fresh ones */
  tacElementChoiceDef def;
} Case;

static Case make_case(const char *law) {
  tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.04, 0.2}};
  Case c = {.mesh = make_tets(box, 3, 3, 12)};
  c.basis = make_waves(c.mesh, SIZE, 5);
  c.states = tac_test_alloc((STATES + FRESH) * SIZE * sizeof *c.states);
  tacRandom random = tac_random_seed(7);
  for (int s = 0; s < STATES + FRESH; ++s) {
    double size = tac_random_uniform(&random, 1e-4, 0.01);
    if (s == 3) size = 0.0; /* a path begins at rest */
    for (int k = 0; k < SIZE; ++k) c.states[s * SIZE + k] = size * tac_random_normal(&random) / (1.0 + 0.2 * k);
  }
  c.def = (tacElementChoiceDef){.mesh = c.mesh,
                                .material = find_hyper(law, 1e4, 4e4, 0.0),
                                .size = SIZE,
                                .basis = c.basis,
                                .state_count = STATES,
                                .states = c.states};
  return c;
}

static void free_case(Case *c) {
  tac_volmesh_destroy(c->mesh);
  free(c->basis);
}

/* |a - b|^2 / |b|^2 */
static double square_apart(const double *a, const double *b) {
  double away = 0.0, size = 0.0;
  for (int k = 0; k < SIZE; ++k) {
    away += (a[k] - b[k]) * (a[k] - b[k]);
    size += b[k] * b[k];
  }
  return away / size;
}

/* Root of the mean of |R by some - R|^2 / |R|^2. */
static double mean_error(const Case *c, const tacSampledParts *parts, int from, int count) {
  TAC_FREED(free_sampled, Sampled, all) = make_sampled(c->mesh, c->def.material, SIZE, c->basis);
  TAC_OWN(tacSampledSolid, some) = make_sampled_solid(parts, SIZE);
  TAC_OWN(tacSampledSolid, whole) = make_sampled_solid(&all.parts, SIZE);
  double sum = 0.0;
  for (int s = from; s < from + count; ++s) {
    double f[SIZE], exact[SIZE];
    tac_sampled_solid_force(some, c->states + s * SIZE, f);
    tac_sampled_solid_force(whole, c->states + s * SIZE, exact);
    if (s != 3) sum += square_apart(f, exact);
  }
  return sqrt(sum / count);
}

TAC_TEST(few_elements_represent_the_solid) {
  const char *const laws[] = {"st-venant-kirchhoff", "neo-hookean"};
  for (int l = 0; l < 2; ++l) {
    TAC_FREED(free_case, Case, c) = make_case(laws[l]);
    TAC_FREED(tac_element_choice_destroy, tacElementChoice, choice);
    tac_test_ok(tac_element_choice_create(&c.def, NULL, &choice, &error), error);
    const tacSampledParts *parts = &choice.parts;
    ck_assert_double_le(choice.error, 0.01);
    ck_assert_int_lt(parts->element_count, c.mesh->tet_count / 8);
    for (int e = 0; e < parts->element_count; ++e) {
      ck_assert_double_gt(parts->volumes[e], 0.0);
      ck_assert(parts->tets[e] >= 0 && parts->tets[e] < c.mesh->tet_count);
      for (int f = 0; f < e; ++f) ck_assert_int_ne(parts->tets[e], parts->tets[f]);
    }
    /* Small motions have a share in what it says of itself, a hundredth a state. */
    ck_assert_double_le(mean_error(&c, parts, 0, STATES), 0.0101);
    ck_assert_double_le(mean_error(&c, parts, STATES, FRESH), 0.05);
  }
}

/* At rest, what resists each coordinate is there, though no state that was trained moves along the last ones. */
TAC_TEST(every_coordinate_is_resisted) {
  TAC_FREED(free_case, Case, c) = make_case("neo-hookean");
  for (int s = 0; s < STATES; ++s)
    for (int k = 2; k < SIZE; ++k) c.states[s * SIZE + k] = 0.0;
  c.def.tolerance = 1e-3;
  TAC_FREED(tac_element_choice_destroy, tacElementChoice, choice);
  tac_test_ok(tac_element_choice_create(&c.def, NULL, &choice, &error), error);
  TAC_FREED(free_sampled, Sampled, all) = make_sampled(c.mesh, c.def.material, SIZE, c.basis);
  TAC_OWN(tacSampledSolid, some) = make_sampled_solid(&choice.parts, SIZE);
  TAC_OWN(tacSampledSolid, whole) = make_sampled_solid(&all.parts, SIZE);
  double rest[SIZE] = {0.0}, k[SIZE * SIZE], exact[SIZE * SIZE];
  tac_sampled_solid_stiffness(some, rest, k);
  tac_sampled_solid_stiffness(whole, rest, exact);
  /* Each counts a tenth of a state: with all of the error in one of them, that is 1e-3 sqrt(STATES + SIZE / 100) / 0.1. */
  for (int i = 0; i < SIZE; ++i) ck_assert_double_le(sqrt(square_apart(k + i * SIZE, exact + i * SIZE)), 0.07);
}

/* Closer with more; the number of threads changes nothing. */
TAC_TEST(tolerance_controls_the_number_of_elements) {
  TAC_FREED(free_case, Case, c) = make_case("neo-hookean");
  c.def.tolerance = 0.1;
  int count = 0;
  for (int round = 0; round < 6; ++round) { /* all elements with the weight 1 make no error: any tolerance can be met */
    tacElementChoice one, two;
    c.def.thread_count = 1;
    tac_test_ok(tac_element_choice_create(&c.def, NULL, &one, &error), error);
    ck_assert_double_le(one.error, c.def.tolerance);
    ck_assert_int_gt(one.parts.element_count, count);
    count = one.parts.element_count;
    c.def.thread_count = 3;
    tac_test_ok(tac_element_choice_create(&c.def, NULL, &two, &error), error);
    ck_assert_int_eq(two.parts.element_count, count);
    ck_assert_int_eq(memcmp(one.parts.volumes, two.parts.volumes, (size_t)count * sizeof(double)), 0);
    tac_element_choice_destroy(&one);
    tac_element_choice_destroy(&two);
    c.def.tolerance *= 0.3;
  }
}

TAC_TEST(invalid_definitions_are_rejected) {
  TAC_FREED(free_case, Case, c) = make_case("neo-hookean");
  tacElementChoice choice;
  int calls = 0;
  const tacProgress cancel = {tac_test_cancel, &calls};
  ck_assert_int_eq(tac_element_choice_create(&c.def, &cancel, &choice, &error), TAC_ERR_CANCELLED);
  ck_assert_ptr_null(choice.parts.volumes);
  c.def.state_count = 0;
  ck_assert_int_eq(tac_element_choice_create(&c.def, NULL, &choice, &error), TAC_ERR_ARGUMENT);
  c.def.state_count = STATES;
  c.def.tolerance = 1.0;
  ck_assert_int_eq(tac_element_choice_create(&c.def, NULL, &choice, &error), TAC_ERR_ARGUMENT);
  c.def.tolerance = 0.0;
  memset(c.states, 0, STATES * SIZE * sizeof *c.states);
  tac_test_refused(tac_element_choice_create(&c.def, NULL, &choice, &error), TAC_ERR_ARGUMENT, error,
                   "it must be positive and finite");
}
