/* Reduced bodies whose force comes from elements, against the solid that those are of. */
#include <tactus/reduced.h>
#include "kinds/reduced/sampled_force.h"

#include "bake/make_loaded_body.h"
#include "body/make_model.h"
#include "elastic/hyper/make_sampled.h"
#include "kinds/reduced/reduced_kind.h"
#include "math/dense/dense.h"

/* A soft beam held at z = 0, with a mass-orthonormal basis of equilibria under pulls at its tip, and waves that are much stiffer. */
enum { PULLS = 5, WAVES = 9, COUNT = PULLS + WAVES };
typedef struct Beam {
  Loaded *body;
  tacVolMesh *mesh;            /* of it */
  double *basis, *pull[PULLS]; /* the pulls: forces on all vertices */
  double *equilibrium[PULLS];  /* displacements under them */
  Sampled sampled;
  tacReduced *reduced;
} Beam;

static tacVec3 pull_force(int p) {
  static const tacVec3 all[PULLS] = {
      {0.03, 0.0, 0.0}, {0.08, 0.0, 0.0}, {0.0, 0.06, 0.0}, {-0.03, 0.03, 0.01}, {0.02, -0.04, -0.02}};
  return all[p];
}

static void find_equilibria(Beam *b) {
  int tips = 0;
  for (int v = 0; v < b->mesh->vertex_count; ++v) tips += b->mesh->vertices[v].z > 0.0999;
  for (int p = 0; p < PULLS; ++p) {
    b->equilibrium[p] = make_vector(b->mesh);
    for (int v = 0; v < b->mesh->vertex_count; ++v)
      if (b->mesh->vertices[v].z > 0.0999) put_vec3(b->body->force, v, tac_vec3_scale(1.0 / tips, pull_force(p)));
    b->pull[p] = memcpy(make_vector(b->mesh), b->body->force, (size_t)b->body->size * sizeof(double));
    solve_loaded(b->body, b->equilibrium[p]);
  }
}

/* Gram and Schmidt, twice, in the norm of masses. */
static void orthonormalise(Beam *b) {
  int rows = 3 * b->mesh->vertex_count;
  for (int k = 0; k < COUNT; ++k)
    for (int pass = 0; pass < 2; ++pass)
      for (int l = 0; l <= k; ++l) {
        double sum = 0.0;
        for (int i = 0; i < rows; ++i) sum += b->body->mass[i / 3] * b->basis[i * COUNT + k] * b->basis[i * COUNT + l];
        for (int i = 0; i < rows; ++i)
          b->basis[i * COUNT + k] =
              l == k ? b->basis[i * COUNT + k] / sqrt(sum) : b->basis[i * COUNT + k] - sum * b->basis[i * COUNT + l];
      }
}

/* The asset has made-up parts but for size and masses: a surface of four vertices that move as some at the tip do. */
static tacReduced *make_beam_asset(const Beam *b) {
  double u[12 * COUNT], turn[12 * COUNT] = {0.0}, mass[COUNT * COUNT] = {0.0}, fall[3 * COUNT] = {0.0}, all = 0.0;
  for (int i = 0; i < 12 * COUNT; ++i) u[i] = b->basis[3 * (b->mesh->vertex_count - 4) * COUNT + i];
  for (int k = 0; k < COUNT; ++k) mass[k * (COUNT + 1)] = 1.0;
  for (int v = 0; v < b->mesh->vertex_count; ++v) {
    all += b->body->mass[v];
    for (int i = 0; i < 3 * COUNT; ++i) fall[i] += b->body->mass[v] * b->basis[3 * v * COUNT + i];
  }
  tacReducedParts parts = {.size = COUNT,
                           .displacements = u,
                           .normal_changes = turn,
                           .mass = all,
                           .group_count = 1,
                           .group_mass = &all,
                           .mass_matrix = mass,
                           .body_force = fall};
  for (int i = 0; i < 3; ++i) parts.inertia[i][i] = 1e-4;
  return make_asset(&parts);
}

/* `few`: so few elements that their stiffness is not sliced. */
static Beam make_beam(bool few) {
  tacBox box = {{0.0, 0.0, 0.0}, {0.02, 0.02, 0.1}};
  int across = few ? 1 : 2;
  Beam b = {.body = make_loaded(box, across, across, few ? 6 : 8, true, 3.6e5 / 13.0, 5.0 / 13.0)};
  b.mesh = b.body->mesh;
  find_equilibria(&b);
  size_t rows = 3 * (size_t)b.mesh->vertex_count;
  TAC_MEMORY(double, waves) = make_waves(b.mesh, WAVES, 7);
  b.basis = calloc(rows * COUNT, sizeof *b.basis);
  for (size_t i = 0; i < rows; ++i) {
    for (int p = 0; p < PULLS; ++p) b.basis[i * COUNT + (size_t)p] = b.equilibrium[p][i];
    for (int w = 0; w < WAVES; ++w) b.basis[i * COUNT + (size_t)(PULLS + w)] = waves[i * WAVES + (size_t)w];
  }
  orthonormalise(&b);
  b.sampled = make_sampled(b.mesh, find_hyper("neo-hookean", 1e4, 4e4, 0.0), COUNT, b.basis);
  b.reduced = make_beam_asset(&b);
  return b;
}

static void free_beam(Beam *b) {
  free_loaded(b->body);
  free_sampled(&b->sampled);
  tac_reduced_destroy(b->reduced);
  for (int p = 0; p < PULLS; ++p) {
    free(b->pull[p]);
    free(b->equilibrium[p]);
  }
  free(b->basis);
}

static tacReducedBody *make_body(const Beam *b, const tacReducedMotion *motion) {
  tacReducedBody *body;
  const tacCoordinateForceDef force = {.sampled = &b->sampled.parts};
  tac_test_ok(tac_reduced_body_create_with(b->reduced, &force, NULL, motion, &body, &error), error);
  return body;
}

static void pull_body(const Beam *b, tacReducedBody *body, int p, double scale) {
  double load[COUNT];
  reduce_force(b->mesh, COUNT, b->basis, b->pull[p], load);
  for (int k = 0; k < COUNT; ++k) load[k] *= scale;
  tac_reduced_body_add_reduced(body, load);
}

/* |U q - u| / |u| */
static double distance_to(const Beam *b, const double *q, const double *u) {
  double away = 0.0, size = 0.0;
  for (int i = 0; i < 3 * b->mesh->vertex_count; ++i) {
    double sum = -u[i];
    for (int k = 0; k < COUNT; ++k) sum += b->basis[i * COUNT + k] * q[k];
    away += sum * sum;
    size += u[i] * u[i];
  }
  return sqrt(away / size);
}

/* The basis holds the solid's equilibrium, so that of the reduced body is the same, but for what the two solvers leave. */
TAC_TEST(rest_state_matches_the_sampled_solid) {
  for (int kind = 0; kind < 6; ++kind) { /* static, Newmark, Euler */
    TAC_FREED(free_beam, Beam, b) = make_beam(kind >= 3);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.is_static = kind % 3 == 0;
    motion.euler = kind % 3 == 2;
    motion.newton_steps = 3;
    motion.mass_damping = 20.0;
    TAC_OWN(tacReducedBody, body) = make_body(&b, &motion);
    ck_assert_int_eq(tac_reduced_body_state_size(body), 3 * COUNT + 1 + (kind < 3 ? 9 * COUNT + 3 : 0));
    for (int p = 1; p < 4; p += 2) {
      for (int step = 0; step < (motion.is_static ? 100 : 2000); ++step) {
        pull_body(&b, body, p, 1.0);
        ck_assert(!tac_reduced_body_advance(body).refused);
      }
      ck_assert_double_le(distance_to(&b, tac_reduced_body_q(body), b.equilibrium[p]), 1e-5);
    }
  }
}

/* Let go, it swings; an implicit method takes energy from it in every step, however old its stiffness is: slowly, or so stiff that it is
 * at rest long before the next stiffness is complete. */
TAC_TEST(energy_never_grows_in_free_motion) {
  for (int kind = 0; kind < 4; ++kind) {
    TAC_FREED(free_beam, Beam, b) = make_beam(kind % 2 == 1);
    tacReducedMotion motion = tac_reduced_motion_default();
    motion.euler = true;
    TAC_OWN(tacReducedBody, body) = make_body(&b, &motion);
    double stiff = kind < 2 ? 1.0 : 1e5;
    tac_reduced_body_set_stiffness(body, stiff);
    for (int p = 1; p < PULLS; p += 2) {
      for (int step = 0; step < 300; ++step) {
        pull_body(&b, body, p, stiff);
        ck_assert(!tac_reduced_body_advance(body).refused);
      }
      double energy = tac_reduced_body_energy(body), most = energy;
      for (int step = 0; step < 1200; ++step) {
        ck_assert(!tac_reduced_body_advance(body).refused);
        double now = tac_reduced_body_energy(body);
        ck_assert_msg(now <= energy + 1e-6 * most, "step %d: %g J after %g J of %g J", step, now, energy, most);
        energy = now;
      }
      ck_assert_double_le(energy, 0.9 * most);
    }
  }
}

/* A state that is loaded goes on to the same bits, in the middle of a slice too, in the body that it is of and in another one. */
TAC_TEST(saved_state_continues_bitwise) {
  for (int few = 0; few < 2; ++few) {
    TAC_FREED(free_beam, Beam, b) = make_beam(few);
    tacReducedMotion motion = tac_reduced_motion_default();
    TAC_OWN(tacReducedBody, body) = make_body(&b, &motion);
    TAC_OWN(tacReducedBody, other) = make_body(&b, &motion);
    size_t size = (size_t)tac_reduced_body_state_size(body);
    TAC_MEMORY(double, start) = calloc(size, sizeof *start);
    TAC_MEMORY(double, end) = calloc(size, sizeof *end);
    TAC_MEMORY(double, again) = calloc(size, sizeof *again);
    for (int at = 20; at < 25; ++at) {
      for (int round = 0; round < 3; ++round) {
        tacReducedBody *moving = round == 2 ? other : body;
        if (round == 0) tac_reduced_body_reset(body);
        if (round > 0) ck_assert(tac_reduced_body_load(moving, start));
        for (int step = round > 0 ? at : 0; step < 60; ++step) {
          if (step == at && round == 0) tac_reduced_body_save(body, start);
          pull_body(&b, moving, step % PULLS, 1.0);
          ck_assert(!tac_reduced_body_advance(moving).refused);
        }
        tac_reduced_body_save(moving, round == 0 ? end : again);
        if (round > 0) ck_assert_int_eq(memcmp(end, again, size * sizeof *end), 0);
      }
    }
    /* What cannot be is refused, and changes nothing. */
    for (size_t i = 3 * COUNT + 1; i < size; ++i) {
      memcpy(again, start, size * sizeof *again);
      again[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -INFINITY : 1e30;
      ck_assert(!tac_reduced_body_load(other, again));
    }
    tac_reduced_body_save(other, again);
    ck_assert_int_eq(memcmp(end, again, size * sizeof *end), 0);
  }
}

static void solve_static(const Beam *b, tacReducedBody *body, double scale) {
  for (int step = 0; step < 100; ++step) {
    pull_body(b, body, 1, scale);
    ck_assert(!tac_reduced_body_advance(body).refused);
  }
}

/* Twice the stiffness and twice the force: the same place. Geometrically linear: K(0) q = f. */
TAC_TEST(stiffness_factor_scales_and_linear_uses_rest_stiffness) {
  TAC_FREED(free_beam, Beam, b) = make_beam(false);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.is_static = true;
  motion.newton_steps = 3;
  TAC_OWN(tacReducedBody, body) = make_body(&b, &motion);
  ck_assert(tac_reduced_body_has_force(body));
  double once[COUNT], load[COUNT], k[COUNT * COUNT], rest[COUNT] = {0.0};
  solve_static(&b, body, 1.0);
  memcpy(once, tac_reduced_body_q(body), sizeof once);
  tac_reduced_body_set_stiffness(body, 2.0);
  solve_static(&b, body, 2.0);
  ck_assert_double_le(distance(COUNT, tac_reduced_body_q(body), once), 1e-6 * length(COUNT, once));
  motion.linear = true;
  tac_reduced_body_set_motion(body, &motion);
  solve_static(&b, body, 1.0);
  TAC_OWN(tacSampledSolid, solid) = make_sampled_solid(&b.sampled.parts, COUNT);
  tac_sampled_solid_stiffness(solid, rest, k);
  reduce_force(b.mesh, COUNT, b.basis, b.pull[1], load);
  double wrong = 0.0, energy = 0.0;
  for (int i = 0; i < COUNT; ++i) {
    double sum = 0.0;
    for (int j = 0; j < COUNT; ++j) sum += 2.0 * k[i * COUNT + j] * tac_reduced_body_q(body)[j];
    energy += 0.5 * sum * tac_reduced_body_q(body)[i];
    wrong = fmax(wrong, fabs(sum - load[i]));
  }
  ck_assert_double_le(wrong, 1e-9 * length(COUNT, load));
  ck_assert_double_eq_tol(tac_reduced_body_energy(body), energy, 1e-9 * energy);

  /* The same with that matrix alone. */
  const tacCoordinateForceDef force = {.stiffness = k};
  motion.linear = false;
  TAC_CREATE(tacReducedBody, constant,
             tac_reduced_body_create_with(b.reduced, &force, NULL, &motion, &constant, &error));
  tac_reduced_body_set_stiffness(constant, 2.0);
  solve_static(&b, constant, 1.0);
  ck_assert_double_le(distance(COUNT, tac_reduced_body_q(body), tac_reduced_body_q(constant)),
                      1e-9 * length(COUNT, tac_reduced_body_q(body)));
  ck_assert_double_eq_tol(tac_reduced_body_energy(constant), energy, 1e-9 * energy);
  ck_assert_int_eq(tac_reduced_body_state_size(constant), 3 * COUNT + 1);
}

/* As a kind it has no groups of material, and keeps the first vectors of its basis. */
TAC_TEST(sampled_force_works_as_a_body_kind) {
  TAC_FREED(free_beam, Beam, b) = make_beam(true);
  bool kept[COUNT] = {true, true, true};
  const tacCoordinateForceDef force = {.sampled = &b.sampled.parts};
  tacReducedBodyDef def = tac_reduced_body_def_default();
  def.reduced = b.reduced;
  def.kept = kept;
  tacBody body;
  tac_test_ok(tac_reduced_kind_create(&def, &force, &body, &error), error);
  ck_assert_int_eq(body.table->describe(body.self).parameters, 3);
  ck_assert_str_eq(body.table->parameter(body.self, 0).name, "stiffness");
  ck_assert_str_eq(body.table->parameter(body.self, 1).name, "damping");
  ck_assert_str_eq(body.table->parameter(body.self, 2).name, "linear");
  ck_assert_int_eq(body.table->describe(body.self).coordinates, 3);
  /* The stiffness is a factor on what answers a motion, but for inertia. */
  double matrix[2][9], load[3];
  const tacBodyStep step = {.length = 1e3};
  for (int i = 0; i < 2; ++i) {
    tac_test_ok(body.table->set_parameter(body.self, 0, i == 0 ? 1.0 : 3.0, &error), error);
    ck_assert(body.table->linearise(body.self, &step, matrix[i], load));
  }
  for (int i = 0; i < 9; ++i)
    ck_assert_double_eq_tol(matrix[1][i], 3.0 * matrix[0][i], 1e-3 * fabs(matrix[0][i / 3 * 4]));
  body.table->destroy(body.self);
  kept[4] = true;
  tac_test_refused(tac_reduced_kind_create(&def, &force, &body, &error), TAC_ERR_ARGUMENT, error, "first vectors");
  def.kept = NULL;
  tacSampledParts fewer = b.sampled.parts;
  fewer.size = COUNT - 1;
  const tacCoordinateForceDef wrong = {.sampled = &fewer};
  tac_test_refused(tac_reduced_kind_create(&def, &wrong, &body, &error), TAC_ERR_ARGUMENT, error,
                   "have 13 coordinates, but the body has 14");
  double asymmetric[COUNT * COUNT] = {1.0, 2.0};
  const tacCoordinateForceDef skew = {.stiffness = asymmetric};
  tac_test_refused(tac_reduced_kind_create(&def, &skew, &body, &error), TAC_ERR_ARGUMENT, error, "symmetric");
}
