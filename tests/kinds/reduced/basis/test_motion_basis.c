#include <tactus/reduced.h>
#include "kinds/reduced/basis/motion_basis.h"

#include "elastic/solids/assembly.h"
#include "elastic/solids/finite_statics.h"
#include "elastic/solids/newmark.h"
#include "given_memory.h"
#include "kinds/reduced/make_solid.h"
#include "math/dense/vector.h"
#include "math/geometry/polar3.h"

/* A bar, held at x = 0 or free. */
typedef struct Body {
  Solid s;
  tacSparse mass;
} Body;

static void make_body(bool is_free, tacMassKind kind, Body *body) {
  int across = tac_test_light() ? 1 : 2;
  make_solid(make_bricks((tacBox){{0.0, 0.0, 0.0}, {1.0, 0.3, 0.25}}, 6, across, across),
             make_isotropic(1000.0, 1e5, 0.3), &body->s);
  if (!is_free) hold_end(&body->s, false);
  turn_mesh(body->s.mesh->vertex_count, body->s.mesh->vertices);
  body->s.solid.mass = kind;
  tac_test_ok(tac_assembly_mass(body->s.mesh, body->s.materials, NULL, kind, &body->mass, &error), error);
}

static void destroy_body(Body *body) {
  free_solid(&body->s);
  tac_sparse_destroy(&body->mass);
}

static double mass_dot(const Body *body, const double *x, const double *y) {
  TAC_MEMORY(double, mx) = malloc((size_t)body->mass.rows * sizeof *mx);
  tac_sparse_multiply(&body->mass, x, 1, mx);
  return tac_vector_dot(body->mass.rows, mx, y);
}

static tacMotionBasis compute(const Body *body, const tacReducedDef *def) {
  tacMotionBasis basis;
  tac_test_ok(tac_motion_basis_compute(&body->s.solid, def, NULL, &basis, &error), error);
  ck_assert_int_eq(basis.size, 3 * body->s.mesh->vertex_count);
  ck_assert_int_eq(basis.count, def->size);
  for (int i = 0; i < basis.count; ++i) { /* U^T M U = I, zero where held */
    const double *u = basis.vector + i * basis.size;
    for (int j = 0; j <= i; ++j)
      ck_assert_double_eq_tol(mass_dot(body, u, basis.vector + j * basis.size), i == j ? 1.0 : 0.0, 1e-12);
    for (int d = 0; d < basis.size; ++d)
      if (body->s.held[d / 3]) ck_assert_double_eq(u[d], 0.0);
  }
  return basis;
}

/* The share of x's mass norm that the basis holds. */
static double share(const Body *body, const tacMotionBasis *basis, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < basis->count; ++i) {
    double c = mass_dot(body, x, basis->vector + i * basis->size);
    sum += c * c;
  }
  return sqrt(sum / mass_dot(body, x, x));
}

static int find_shape(const tacMotionBasis *basis, const char *label) {
  for (int s = 0; s < basis->shape_count; ++s)
    if (strcmp(basis->label[s], label) == 0) return s;
  ck_abort_msg("no shape %s", label);
}

/* Where `def` gives no basis. */
static void refuse(const Body *body, const tacReducedDef *def, tacStatus expected, const char *says) {
  tacMotionBasis basis;
  tac_test_refused(tac_motion_basis_compute(&body->s.solid, def, NULL, &basis, &error), expected, error, says);
  ck_assert_ptr_null(basis.vector);
}

/* Weights are those of (2.52): what the basis captures is what the projections of the weighted shapes add up to. */
TAC_TEST(modes_and_derivatives_are_weighted_and_reduced) {
  enum { K = 4 };
  for (int kind = 0; kind < (tac_test_light() ? 2 : 4); ++kind) {
    TAC_FREED(destroy_body, Body, body);
    make_body(kind % 2, kind / 2 ? TAC_MASS_LUMPED : TAC_MASS_CONSISTENT, &body);
    TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes);
    TAC_FREED(tac_modal_derivatives_destroy, tacModalDerivatives, derivatives);
    tac_test_ok(tac_vibration_modes_compute(&body.s.solid, K, NULL, &modes, &error), error);
    tac_test_ok(tac_modal_derivatives_compute(&body.s.solid, &modes, NULL, &derivatives, &error), error);
    TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, basis) =
        compute(&body, &(tacReducedDef){.source = TAC_BASIS_MODES, .mode_count = K, .size = 7});
    ck_assert_int_eq(basis.linear_count, K);
    double all = 0.0, held = 0.0;
    for (int c = 0; c < K + derivatives.count; ++c) {
      const double *x = c < K ? modes.vector + c * modes.size : derivatives.vector + (c - K) * modes.size;
      char label[32];
      int i = c < K ? 0 : derivatives.pair[c - K][0], j = c < K ? c : derivatives.pair[c - K][1];
      double weight = modes.value[0] / modes.value[j] * (c < K ? 1.0 : modes.value[0] / modes.value[i]);
      double part = share(&body, &basis, x);
      snprintf(label, sizeof label, c < K ? "mode %d" : "derivative %d %d", c < K ? c + 1 : i + 1, j + 1);
      int shape = find_shape(&basis, label);
      ck_assert_double_eq_tol(tac_vector_norm(7, basis.coordinates + shape * 7), part, 1e-9);
      all += weight * weight;
      held += weight * weight * part * part;
      if (c < K) ck_assert_double_eq(basis.linear_value[c], modes.value[c]);
      for (int r = 0; r < modes.rigid_count; ++r)
        ck_assert_double_lt(share(&body, &basis, modes.rigid + r * modes.size), 1e-7);
    }
    ck_assert_double_eq_tol(basis.captured, held / all, 1e-10);
    ck_assert_double_gt(basis.captured, 0.9);
    ck_assert_double_gt(tac_vector_norm(7, basis.coordinates), 0.99); /* the first mode weighs most */
  }
}

/* As many shapes as there are modes and derivatives: all of them, the first ones the modes themselves. */
TAC_TEST(all_modes_and_derivatives_can_be_kept) {
  TAC_FREED(destroy_body, Body, body);
  make_body(false, TAC_MASS_CONSISTENT, &body);
  tacReducedDef def = {.source = TAC_BASIS_MODES, .mode_count = 3, .size = 9};
  TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes);
  tac_test_ok(tac_vibration_modes_compute(&body.s.solid, 3, NULL, &modes, &error), error);
  tacMotionBasis basis = compute(&body, &def);
  ck_assert_double_eq(basis.captured, 1.0);
  ck_assert_int_eq(basis.shape_count, 9);
  for (int s = 0; s < 9; ++s) ck_assert_double_eq_tol(tac_vector_norm(9, basis.coordinates + 9 * s), 1.0, 1e-9);
  for (int j = 0; j < 3; ++j)
    for (int d = 0; d < basis.size; ++d)
      ck_assert_double_eq_tol(basis.vector[j * basis.size + d], modes.vector[j * basis.size + d], 1e-10);
  tac_motion_basis_destroy(&basis);
  def.size = 10;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "give only 9 vectors; use at least 4 modes");
  def.mode_count = 0;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "give 1 to 1000");
}

/* Vectors that hardly differ, more than are taken at a time: one pass would leave them oblique. */
TAC_TEST(vectors_are_orthonormalised_twice) {
  enum { COUNT = 40 };
  TAC_FREED(destroy_body, Body, body);
  make_body(true, TAC_MASS_CONSISTENT, &body);
  int n = 3 * body.s.mesh->vertex_count;
  tacRandom random = tac_random_seed(4);
  TAC_MEMORY(double, vectors) = calloc((size_t)(COUNT * n), sizeof *vectors);
  for (int d = 0; d < n; ++d) {
    vectors[d] = tac_random_normal(&random);
    for (int j = 1; j < COUNT; ++j) vectors[j * n + d] = vectors[d] + 1e-7 * j * tac_random_normal(&random);
  }
  tacMotionBasis basis;
  tac_test_ok(tac_motion_basis_orthonormalise(&body.s.solid, COUNT, vectors, &basis, &error), error);
  ck_assert_int_eq(basis.count, COUNT);
  for (int i = 0; i < COUNT; ++i) {
    for (int j = 0; j <= i; ++j)
      ck_assert_double_eq_tol(mass_dot(&body, basis.vector + i * n, basis.vector + j * n), i == j ? 1.0 : 0.0, 1e-13);
    ck_assert_double_eq_tol(tac_vector_norm(COUNT, basis.coordinates + i * COUNT), 1.0, 1e-12);
    ck_assert_double_eq_tol(share(&body, &basis, vectors + i * n), 1.0, 1e-12);
  }
  ck_assert_str_eq(basis.label[2], "shape 3");
  tac_motion_basis_destroy(&basis);
  for (int c = 2; c < COUNT; c += 31) { /* in the first block and in the last */
    for (int d = 0; d < n; ++d) vectors[c * n + d] = vectors[d] - 3.0 * vectors[n + d];
    ck_assert_int_eq(tac_motion_basis_orthonormalise(&body.s.solid, COUNT, vectors, &basis, &error), TAC_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, c == 2 ? "rank is 39" : "rank is 38"));
  }
  memset(vectors, 0, (size_t)n * sizeof *vectors);
  ck_assert_int_eq(tac_motion_basis_orthonormalise(&body.s.solid, 1, vectors, &basis, &error), TAC_ERR_ARGUMENT);
}

/* Strokes at the end of the bar: loads grow and turn; the same stroke many times over. */
enum { STROKE = 12, STROKES = 4 };
static void draw(const Body *body, double size, tacLoadSample loads[2 * STROKE * STROKES]) {
  tacVec3 end = body->s.mesh->vertices[6], other = body->s.mesh->vertices[body->s.mesh->vertex_count - 1];
  for (int i = 0; i < STROKE * STROKES; ++i) {
    double t = (double)(i % STROKE) / (STROKE - 1), turn = i / STROKE < 2 ? 0.0 : 1.5;
    tacVec3 f = tac_vec3_scale(size * t, tac_vec3(sin(turn + t), cos(turn + t), 0.5));
    loads[2 * i] = (tacLoadSample){0.1 * i, end, f, 0.0};
    loads[2 * i + 1] = (tacLoadSample){0.1 * i, other, tac_vec3_scale(0.3, f), 0.0};
  }
}

TAC_TEST(sketched_equilibria_are_in_their_basis) {
  TAC_FREED(destroy_body, Body, body);
  tacLoadSample loads[2 * STROKE * STROKES];
  make_body(false, TAC_MASS_CONSISTENT, &body);
  draw(&body, 60.0, loads);
  tacReducedDef def = {.source = TAC_BASIS_SKETCH,
                       .size = 6,
                       .load_count = tac_test_light() ? 2 * STROKE : 2 * STROKE * STROKES,
                       .loads = loads};
  tacMotionBasis basis = compute(&body, &def);
  ck_assert_double_gt(basis.captured, 0.999);
  ck_assert_int_eq(basis.linear_count, 0);
  ck_assert_int_eq(basis.shape_count, 6);
  /* The equilibrium under the full load of the first stroke, far beyond linear. */
  int n = basis.size, last = body.s.mesh->vertex_count - 1;
  TAC_MEMORY(double, force) = calloc((size_t)n, sizeof *force);
  TAC_MEMORY(double, u) = calloc((size_t)n, sizeof *u);
  TAC_CREATE(tacFiniteStatics, statics, tac_finite_statics_create(&body.s.solid, &statics, &error));
  tacVec3 f = loads[2 * STROKE - 2].force;
  put_vec3(force, 6, f);
  put_vec3(force, last, tac_vec3_scale(0.3, f));
  tac_test_ok(tac_finite_statics_solve(statics, force, NULL, u, NULL, &error), error);
  ck_assert_double_gt(tac_vec3_norm(get_vec3(u, 6)), 0.15);
  ck_assert_double_gt(share(&body, &basis, u), 0.9999);
  tac_motion_basis_destroy(&basis);

  /* With modes mixed in there are more shapes to choose from, and they are named. */
  def.mode_count = 2;
  basis = compute(&body, &def);
  ck_assert_int_eq(basis.shape_count, 6 + 2 + 3);
  ck_assert_int_eq(find_shape(&basis, "shape 6"), 5);
  ck_assert_double_gt(tac_vector_norm(6, basis.coordinates + 6 * find_shape(&basis, "mode 1")), 0.99);
  ck_assert_double_gt(share(&body, &basis, u), 0.999);
  tac_motion_basis_destroy(&basis);
}

TAC_TEST(errors_say_what_is_wrong_with_loads) {
  TAC_FREED(destroy_body, Body, body);
  tacLoadSample loads[2 * STROKE * STROKES], twice[3];
  make_body(false, TAC_MASS_CONSISTENT, &body);
  draw(&body, 60.0, loads);
  tacMotionBasis basis;
  tacReducedDef def = {.source = TAC_BASIS_SKETCH, .size = 2, .motion_step = 1e-3};
  refuse(&body, &def, TAC_ERR_ARGUMENT, "needs at least one load, and none is given");
  def.loads = twice;
  def.load_count = 3;
  for (int i = 0; i < 3; ++i) twice[i] = (tacLoadSample){i, loads[0].point, {0.0, 0.0, 0.0}, 0.0};
  refuse(&body, &def, TAC_ERR_ARGUMENT, "all loads are zero");
  for (int i = 0; i < 3; ++i) twice[i] = (tacLoadSample){i, body.s.mesh->vertices[0], {0.0, 0.0, 5.0}, 0.0};
  refuse(&body, &def, TAC_ERR_ARGUMENT, "the loads do not move the body");
  for (int i = 0; i < 3; ++i)
    twice[i] = (tacLoadSample){i, loads[0].point, {0.0, 0.0, 5.0}, 0.0}; /* the same three times */
  refuse(&body, &def, TAC_ERR_ARGUMENT, "the rank is 1 ");
  twice[2].time = 0.5;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "sort the loads by time");
  twice[2].time = NAN;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "load 2 has NaN or infinite values");
  twice[2].time = 2.0;
  twice[2].point.x += 100.0;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "load 2 acts at");
  twice[2].point.x -= 100.0;
  twice[2].force = tac_vec3_scale(-1e5, tac_vec3_sub(twice[2].point, body.s.mesh->vertices[0])); /* crushes the bar */
  ck_assert_int_ne(tac_motion_basis_compute(&body.s.solid, &def, NULL, &basis, &error), TAC_OK);
  ck_assert_msg(strstr(error.text, "load 2, at 2 s: ") != NULL, "%s", error.text);
  def.source = TAC_BASIS_MOTION;
  def.load_count = 1;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "give a duration");
  def.load_count = 3;
  def.motion_step = 0.0;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "the step must be positive");
  tacLoadSample *many = tac_test_alloc(8000 * sizeof *many); /* half of them at once */
  for (int i = 0; i < 8000; ++i) many[i] = (tacLoadSample){i < 4000 ? 0.0 : i, loads[0].point, {0.0, 0.0, 1.0}, 0.0};
  def = (tacReducedDef){.source = TAC_BASIS_SKETCH, .size = 2, .load_count = 8000, .loads = many};
  refuse(&body, &def, TAC_ERR_ARGUMENT, "too many loads to compare: 4001 loads with up to 4000 forces at a time");
}

/* A million shapes of so many numbers that they cannot fit are refused before anything is computed. */
TAC_TEST(bake_too_large_for_memory_is_rejected) {
  given_memory = (size_t)24 << 30;
  double numbers = 0.9 * (double)given_memory / (2.0 * sizeof(double) * 1001000.0);
  int layers = (int)(numbers / 12.0) + 1;
  TAC_OWN(tacVolMesh, mesh) = make_bricks((tacBox){{0.0, 0.0, 0.0}, {layers, 1.0, 1.0}}, layers, 1, 1);
  tacMaterial material = make_isotropic(1000.0, 1e5, 0.3);
  tacSolid solid = {.mesh = mesh, .material_count = 1, .materials = &material};
  tacReducedDef def = {.source = TAC_BASIS_MODES, .mode_count = 1000, .size = 10};
  const Body body = {.s.solid = solid};
  refuse(&body, &def, TAC_ERR_MEMORY, "use fewer modes or a coarser mesh");
  ck_assert_msg(strncmp(error.text, "1001000 shapes of ", 18) == 0, "%s", error.text);
  def.mode_count = 1001;
  refuse(&body, &def, TAC_ERR_ARGUMENT, "give 1 to 1000");
  given_memory = 0;
}

/* Whatever the basis is from, bodies that can move as a mechanism have none: rigid motion is superimposed, or held. */
TAC_TEST(mechanisms_are_rejected_for_every_source) {
  for (tacBasisSource source = TAC_BASIS_MODES; source <= TAC_BASIS_MOTION; ++source) {
    TAC_FREED(destroy_body, Body, body);
    make_body(false, TAC_MASS_CONSISTENT, &body);
    tacLoadSample loads[2] = {{0.0, body.s.mesh->vertices[6], {0.0, 0.0, 1.0}, 0.0},
                              {0.1, body.s.mesh->vertices[6], {0.0, 1.0, 0.0}, 0.0}};
    tacReducedDef def = {
        .source = source, .size = 1, .mode_count = 1, .load_count = 2, .loads = loads, .motion_step = 0.01};
    for (int v = 0; v < body.s.mesh->vertex_count; ++v) body.s.held[v] = v == 0 || v == 7; /* an axis */
    refuse(&body, &def, TAC_ERR_GEOMETRY, "at least three that are not on one line must be held");
    memset(body.s.held, 0, (size_t)body.s.mesh->vertex_count * sizeof *body.s.held);
    if (source != TAC_BASIS_SKETCH) { /* two pieces, each of which would fly its own way */
      int kept = 0;
      for (int b = 0; b < body.s.mesh->brick_count; ++b)
        if (b % 6 != 3) body.s.mesh->bricks[kept++] = body.s.mesh->bricks[b];
      body.s.mesh->brick_count = kept;
      refuse(&body, &def, TAC_ERR_GEOMETRY, "2 pieces");
    }
  }
}

/* A free bar that is pushed at one end flies away and turns. Its basis holds what deforms it, and nothing rigid. */
TAC_TEST(motion_of_a_free_body_gives_its_deformations) {
  TAC_FREED(destroy_body, Body, body);
  make_body(true, TAC_MASS_CONSISTENT, &body);
  tacVec3 along = tac_vec3_unit(tac_vec3_sub(body.s.mesh->vertices[6], body.s.mesh->vertices[0]));
  tacVec3 across = tac_vec3_unit(tac_vec3_cross(along, tac_vec3(0.3, 0.2, 1.0)));
  tacLoadSample loads[] = {{5.0, body.s.mesh->vertices[6], tac_vec3_scale(200.0, across), 0.0},
                           {5.1, body.s.mesh->vertices[6], {0.0, 0.0, 0.0}, 0.0}};
  tacReducedDef def = {.source = TAC_BASIS_MOTION,
                       .size = 6,
                       .load_count = 2,
                       .loads = loads,
                       .motion_step = 5e-3,
                       .motion_duration = 0.4,
                       .stiffness_damping = 1e-3};
  TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, basis) = compute(&body, &def);
  ck_assert_double_gt(basis.captured, 0.99);
  TAC_FREED(tac_vibration_modes_destroy, tacVibrationModes, modes);
  tac_test_ok(tac_vibration_modes_compute(&body.s.solid, 1, NULL, &modes, &error), error);
  for (int r = 0; r < 6; ++r) ck_assert_double_lt(share(&body, &basis, modes.rigid + r * modes.size), 1e-6);

  /* The same simulation ends turned by some tenths. Turned back, with the rotation that fits lumped masses best, what
   * is left is in the basis. */
  tacNewmarkDef newmark_def = tac_newmark_def_default();
  newmark_def.step = def.motion_step;
  newmark_def.stiffness_damping = def.stiffness_damping;
  int n = basis.size;
  TAC_MEMORY(double, force) = calloc((size_t)n, sizeof *force);
  TAC_MEMORY(double, left) = calloc((size_t)n, sizeof *left);
  TAC_CREATE(tacNewmark, newmark, tac_newmark_create(&body.s.solid, &newmark_def, &newmark, &error));
  put_vec3(force, 6, loads[0].force);
  tac_test_ok(tac_newmark_start(newmark, NULL, NULL, force, &error), error);
  for (int s = 1; s <= 80; ++s) {
    if (s == 20) put_vec3(force, 6, loads[1].force);
    tac_test_ok(tac_newmark_step(newmark, force, &error), error);
  }
  const double *u = tac_newmark_displacement(newmark);
  tacVec3 before = {0.0, 0.0, 0.0}, after = {0.0, 0.0, 0.0};
  tacMat3 spread = tac_mat3_zero();
  TAC_FREED(tac_sparse_destroy, tacSparse, lumped);
  tac_test_ok(tac_assembly_mass(body.s.mesh, body.s.materials, NULL, TAC_MASS_LUMPED, &lumped, &error), error);
  for (int v = 0; v < body.s.mesh->vertex_count; ++v) {
    double share_of_mass = lumped.value[3 * v] / (1000.0 * tac_volmesh_volume(body.s.mesh));
    before = tac_vec3_mad(before, share_of_mass, body.s.mesh->vertices[v]);
    after = tac_vec3_mad(after, share_of_mass, tac_vec3_add(body.s.mesh->vertices[v], get_vec3(u, v)));
  }
  for (int v = 0; v < body.s.mesh->vertex_count; ++v) {
    tacVec3 y = tac_vec3_sub(tac_vec3_add(body.s.mesh->vertices[v], get_vec3(u, v)), after);
    tacVec3 x = tac_vec3_sub(body.s.mesh->vertices[v], before);
    spread = tac_mat3_add(spread, tac_mat3_scale(lumped.value[3 * v], tac_mat3_outer(y, x)));
  }
  tacMat3 turn = tac_polar3(spread, NULL);
  ck_assert_double_lt(tac_mat3_trace(turn), 1.0 + 2.0 * cos(0.3));
  for (int v = 0; v < body.s.mesh->vertex_count; ++v) {
    tacVec3 y = tac_vec3_sub(tac_vec3_add(body.s.mesh->vertices[v], get_vec3(u, v)), after);
    tacVec3 back = tac_mat3_mul_vec(tac_mat3_transpose(turn), y);
    put_vec3(left, v, tac_vec3_sub(back, tac_vec3_sub(body.s.mesh->vertices[v], before)));
  }
  ck_assert_double_gt(share(&body, &basis, left), 0.98);
}

/* A held bar: the snapshots are the simulation's own displacements. */
TAC_TEST(motion_of_a_held_body_is_in_its_basis) {
  TAC_FREED(destroy_body, Body, body);
  make_body(false, TAC_MASS_LUMPED, &body);
  tacVec3 end = body.s.mesh->vertices[6];
  tacLoadSample loads[] = {
      {0.0, end, {10.0, 20.0, 0.0}, 0.0}, {0.05, end, {0.0, 0.0, 30.0}, 0.0}, {0.2, end, {0.0, 0.0, 0.0}, 0.0}};
  tacReducedDef def = {.source = TAC_BASIS_MOTION, .size = 8, .load_count = 3, .loads = loads, .motion_step = 5e-3};
  TAC_FREED(tac_motion_basis_destroy, tacMotionBasis, basis) = compute(&body, &def);
  ck_assert_double_gt(basis.captured, 0.9999);
  tacNewmarkDef newmark_def = tac_newmark_def_default();
  newmark_def.step = def.motion_step;
  TAC_MEMORY(double, force) = calloc((size_t)basis.size, sizeof *force);
  TAC_CREATE(tacNewmark, newmark, tac_newmark_create(&body.s.solid, &newmark_def, &newmark, &error));
  for (int s = 0; s < 40; ++s) {
    put_vec3(force, 6, loads[s < 10 ? 0 : 1].force);
    tac_test_ok(
        s == 0 ? tac_newmark_start(newmark, NULL, NULL, force, &error) : tac_newmark_step(newmark, force, &error),
        error);
    if (s > 10) ck_assert_double_gt(share(&body, &basis, tac_newmark_displacement(newmark)), 0.999);
  }
}
