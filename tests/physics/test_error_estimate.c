/* How far bodies say that they can be trusted, against the full solution under loads that were not tried at the bake. */
#include <tactus/base.h>
#include <tactus/green.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include <tactus/rigid.h>
#include <tactus/world.h>
#include "bake/loads/trial_loads.h"
#include "brick_beam.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "elastic/solids/finite_statics.h"
#include "elastic/solids/statics.h"
#include "kinds/green/green.h"
#include "kinds/green/green_body.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_body.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "math/random.h"
#include "physics/stepped_world.h"
#include "world/make_defs.h"
#include "world/world_view.h"

#define YOUNG 2e4

/* A solid that is held below a share of its box along an axis, and answers of the linear material. */
typedef struct Solid {
  tacVolMesh *mesh;
  tacMaterial material;
  bool *held;
  tacTrialLoads loads; /* one, that tests set */
  tacStatics *linear;
  double *force, *load, *u, *full, *shape;
} Solid;

static Solid make_solid(tacVolMesh *mesh, double poisson, int axis, double share) {
  Solid s = {.mesh = mesh, .held = calloc((size_t)mesh->vertex_count, sizeof(bool))};
  tacBox box = tac_volmesh_box(mesh);
  const double low[3] = {box.lower.x, box.lower.y, box.lower.z}, high[3] = {box.upper.x, box.upper.y, box.upper.z};
  for (int v = 0; v < mesh->vertex_count; ++v) {
    const double at[3] = {mesh->vertices[v].x, mesh->vertices[v].y, mesh->vertices[v].z};
    s.held[v] = at[axis] <= low[axis] + share * (high[axis] - low[axis]) + 1e-9;
  }
  tac_test_ok(tac_material_isotropic(1000.0, YOUNG, poisson, &s.material, &error), error);
  tac_test_ok(tac_trial_loads_create(mesh, s.held, 1, &s.loads, &error), error);
  tac_test_ok(tac_statics_create(mesh, &s.material, NULL, s.held, &s.linear, &error), error);
  size_t numbers = 3 * (size_t)mesh->vertex_count;
  s.force = calloc(5 * numbers, sizeof *s.force);
  s.load = s.force + numbers;
  s.u = s.load + numbers;
  s.full = s.u + numbers;
  s.shape = s.full + numbers;
  return s;
}

static void free_solid(Solid *s) {
  tac_trial_loads_destroy(&s->loads);
  tac_statics_destroy(s->linear);
  tac_volmesh_destroy(s->mesh);
  free(s->held);
  free(s->force);
}

/* A load of 1 N anywhere and in any direction, and its linear answer; returns how far that moves the point. */
static double take_load(Solid *s, tacRandom *random) {
  int at;
  do at = s->loads.boundary[tac_random_bits(random) % (uint64_t)s->loads.boundary_count];
  while (s->held[at]);
  s->loads.loads[0] = (tacTrialLoad){.vertex = at, .direction = tac_vec3_unit(tac_random_normal3(random))};
  if (!tac_trial_loads_force(&s->loads, 0, s->force)) return 0.0;
  tac_test_ok(tac_statics_solve(s->linear, 1, s->force, s->u, &error), error);
  for (int i = 0; i < 3 * s->mesh->vertex_count; ++i)
    if (s->held[i / 3]) s->u[i] = 0.0;
  return tac_vec3_norm(tac_vec3(s->u[3 * at], s->u[3 * at + 1], s->u[3 * at + 2]));
}

/* What was found: of states that err by more than 5 %, how many are told within a factor of 2, and below half; and the largest that is
 * told of those that err by less than 2 %. */
typedef struct Score {
  int large, within, below;
  double small_most;
} Score;

static void count_state(double estimate, double truth, Score *score) {
  ck_assert_double_ge(estimate, 0.0);
  if (truth < 0.02) score->small_most = fmax(score->small_most, estimate);
  if (truth < 0.05) return;
  ++score->large;
  score->below += estimate < 0.5 * truth;
  score->within += estimate >= 0.5 * truth && estimate <= 2.0 * truth;
}

static const double sizes[] = {0.01, 0.05, 0.2}; /* of the box's diagonal: how far the linear answer moves the point */

static Score try_reduced(Solid *s, int modes, int size, int count) {
  tacReducedDef def = tac_reduced_def_default();
  def.volume = s->mesh;
  def.material_count = 1;
  def.materials = &s->material;
  def.fixed = s->held;
  def.mode_count = modes;
  def.size = size;
  TAC_CREATE(tacReduced, reduced, tac_reduced_bake(&def, NULL, &reduced, &error));
  ck_assert_double_gt(tac_reduced_error_estimate(reduced)->bent, 0.0);
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.is_static = true;
  motion.newton_steps = 10;
  TAC_CREATE(tacReducedBody, body, tac_reduced_body_create(reduced, NULL, &motion, &body, &error));
  const tacSolid solid = {.mesh = s->mesh, .material_count = 1, .materials = &s->material, .held = s->held};
  TAC_CREATE(tacFiniteStatics, full, tac_finite_statics_create(&solid, &full, &error));
  int numbers = 3 * s->mesh->vertex_count;
  double diagonal = tac_vec3_norm(tac_box_size(tac_volmesh_box(s->mesh)));
  const double *basis = tac_reduced_basis(reduced);
  tacRandom random = tac_random_seed(5);
  Score score = {0};
  for (int n = 0; n < count; ++n) {
    double moved = take_load(s, &random);
    memset(s->full, 0, (size_t)numbers * sizeof *s->full);
    tac_reduced_body_reset(body);
    ck_assert_double_eq(tac_reduced_body_error_estimate(body, 1.0), 0.0); /* at rest */
    for (int z = 0; moved > 0.0 && z < 3; ++z) {
      double scale = sizes[z] * diagonal / moved, pull[TAC_BODY_MOST_COORDINATES] = {0.0};
      for (int i = 0; i < numbers; ++i) s->load[i] = scale * s->force[i];
      if (tac_finite_statics_solve(full, s->load, NULL, s->full, NULL, &error) != TAC_OK) break;
      for (int i = 0; i < numbers; ++i)
        for (int j = 0; j < size; ++j) pull[j] += s->load[i] * basis[i * size + j];
      for (int step = 0; step < 10; ++step) {
        tac_reduced_body_add_reduced(body, pull);
        tac_reduced_body_advance(body);
      }
      for (int i = 0; i < numbers; ++i) {
        s->shape[i] = 0.0;
        for (int j = 0; j < size; ++j) s->shape[i] += basis[i * size + j] * tac_reduced_body_q(body)[j];
      }
      count_state(tac_reduced_body_error_estimate(body, 1.0), tac_trial_loads_error(&s->loads, 1.0, s->shape, s->full),
                  &score);
    }
  }
  return score;
}

/* Most are told within a factor of 2, and one in four is told below half at most. */
static void check_score(const char *name, Score score, int least) {
  ck_assert_msg(score.large >= least, "%s: %d states err by more than 5 %%", name, score.large);
  ck_assert_msg(2 * score.within >= score.large, "%s: %d of %d are within a factor of 2", name, score.within,
                score.large);
  ck_assert_msg(4 * score.below <= score.large, "%s: %d of %d are told below half", name, score.below, score.large);
}

TAC_TEST(a_reduced_beam_reports_the_limit_of_its_basis) {
  TAC_FREED(free_solid, Solid, s) = make_solid(brick_beam_mesh(16, 2, 2, 0.01), 0.3, 0, 0.0);
  Score score = try_reduced(&s, 5, 10, tac_test_light() ? 4 : 16);
  if (!tac_test_light()) check_score("beam", score, 8);
}

TAC_TEST(a_reduced_turtle_reports_the_limit_of_its_basis) {
  char path[512];
  if (tac_test_light() || tac_test_data() == NULL) return;
  snprintf(path, sizeof path, "%s/mesh/turtle.veg", tac_test_data());
  tacMeshContents contents = tac_test_made(tacMeshContents, tac_mesh_read(path, &made, &error));
  tac_trimesh_destroy(contents.surface);
  TAC_FREED(free_solid, Solid, s) = make_solid(contents.volume, 0.45, 1, 0.15);
  check_score("turtle", try_reduced(&s, 10, 20, 12), 8);
}

/* ---- linear elasticity ---- */

static tacVolMesh *kidney_mesh(double size) {
  TAC_OWN(tacTriMesh, outline) = NULL;
  tac_test_ok(tac_shape_build("kidney", 0.0, NULL, &outline, &error), error);
  tacStuffingDef stuffing = tac_stuffing_def_default();
  stuffing.size = size;
  return tac_test_made(tacVolMesh *, tac_stuffing_fill(outline, &stuffing, NULL, &made, &error));
}

static tacGreen *bake_green(const Solid *s) {
  TAC_MEMORY(bool, fixed) = calloc((size_t)s->loads.boundary_count, sizeof *fixed);
  for (int v = 0; v < s->loads.boundary_count; ++v) fixed[v] = s->held[s->loads.boundary[v]];
  tacGreenDef def = tac_green_def_default();
  def.problem = (tacReferenceDef){
      .method = TAC_FINITE_ELEMENTS, .volume = s->mesh, .material_count = 1, .materials = &s->material, .fixed = fixed};
  tacGreen *green = tac_test_made(tacGreen *, tac_green_bake(&def, NULL, &made, &error));
  ck_assert_double_gt(tac_green_error_estimate(green)->power, 0.0);
  return green;
}

/* A corner of a triangle, by the vertex of the volume. */
static tacSurfacePoint point_at(const Solid *s, const tacTriMesh *surface, int vertex) {
  for (int t = 0; t < 3 * surface->triangle_count; ++t)
    if (s->loads.boundary[surface->triangles[t / 3].v[t % 3]] == vertex) {
      tacSurfacePoint at = {.triangle = t / 3};
      at.weight[t % 3] = 1.0;
      return at;
    }
  ck_abort_msg("vertex %d is not on the surface", vertex);
}

TAC_TEST(a_linear_kidney_reports_its_model_error) {
  TAC_FREED(free_solid, Solid, s) = make_solid(kidney_mesh(0.011), 0.45, 1, 0.2);
  TAC_OWN(tacGreen, green) = bake_green(&s);
  TAC_OWN(tacGreenBody, body) = NULL;
  double diagonal = tac_vec3_norm(tac_box_size(tac_volmesh_box(s.mesh))), nu = 0.45;
  tac_test_ok(tac_green_body_create(green, 0.08 * diagonal, 1e9, &body, &error), error);
  const tacHyperMaterial material = {.law = tac_hyper_law_find("neo-hookean", &error),
                                     .parameters = {0.5 * YOUNG / (1.0 + nu), YOUNG / (3.0 - 6.0 * nu)},
                                     .density = 1000.0};
  TAC_OWN(tacHyperSolid, solid) = NULL;
  TAC_OWN(tacHyperStatics, full) = NULL;
  tac_test_ok(tac_hyper_solid_create(
                  &(tacHyperSolidDef){
                      .mesh = s.mesh, .material_count = 1, .materials = &material, .definite = true, .thread_count = 1},
                  &solid, &error),
              error);
  tac_test_ok(tac_hyper_statics_create(solid, s.held, &full, &error), error);
  int numbers = 3 * s.mesh->vertex_count;
  TAC_DOUBLES *rest = malloc((size_t)numbers * sizeof *rest), *x = malloc((size_t)numbers * sizeof *x);
  for (int v = 0; v < s.mesh->vertex_count; ++v) {
    const double at[3] = {s.mesh->vertices[v].x, s.mesh->vertices[v].y, s.mesh->vertices[v].z};
    memcpy(rest + 3 * v, at, sizeof at);
  }
  tacRandom random = tac_random_seed(3);
  Score score = {0};
  ck_assert_double_eq(tac_green_body_error_estimate(body, 0, NULL), 0.0); /* at rest */
  for (int n = 0; n < (tac_test_light() ? 1 : 12); ++n) {
    double moved = take_load(&s, &random);
    memcpy(x, rest, (size_t)numbers * sizeof *x);
    for (int z = 0; moved > 0.0 && z < 2; ++z) {
      double scale = sizes[z] * diagonal / moved;
      for (int i = 0; i < numbers; ++i) s.load[i] = scale * s.force[i];
      if (tac_hyper_statics_solve(full, rest, s.load, x, NULL, NULL, &error) != TAC_OK) break;
      for (int i = 0; i < numbers; ++i) s.full[i] = x[i] - rest[i];
      const tacTrialLoad *l = &s.loads.loads[0];
      const tacPointForce force = {point_at(&s, tac_green_surface(green), l->vertex),
                                   tac_vec3_scale(scale, l->direction), NULL};
      count_state(tac_green_body_error_estimate(body, 1, &force), tac_trial_loads_error(&s.loads, scale, s.u, s.full),
                  &score);
    }
  }
  if (!tac_test_light()) check_score("kidney", score, 8);
}

/* ---- in a world ---- */

/* Grabbed on its top and pulled: 1 mm is not in doubt, 115 mm is very much; let go, it is not. Beside it a rigid body, whose kind tells
 * nothing. */
TAC_TEST(a_kidney_pulled_far_has_a_large_error_estimate) {
  TAC_FREED(free_solid, Solid, s) = make_solid(kidney_mesh(0.011), 0.45, 1, 0.2);
  TAC_OWN(tacGreen, green) = bake_green(&s);
  TAC_OWN(tacWorld, world) = make_world_with(TAC_METHOD_PENALTY, 1);
  tacBodyId kidney, stone;
  tacGreenBodyDef body = green_def("kidney", green);
  body.mask_radius = 0.012;
  tac_test_ok(tac_world_add_green(world, &body, &kidney, &error), error);
  tacRigidBodyDef rigid = rigid_def("stone", tac_green_surface(green), NULL, NULL);
  rigid.body.pose.position = tac_vec3(1.0, 0.0, 0.0);
  tac_test_ok(tac_world_add_rigid(world, &rigid, &stone, &error), error);
  tac_test_ok(tac_world_add_point_tool(world, &(tacPointToolDef){.name = "finger"}, NULL, &error), error);
  seal(world);
  double top = tac_trimesh_box(tac_green_surface(green)).upper.y;
  TAC_MEMORY(double, state) = calloc((size_t)tac_world_state_size(world), sizeof *state);
  tacToolOutput output;
  tacTickReport report = {0};
  const double heights[] = {0.02, -0.0005, 0.001, 0.115,
                            0.115}; /* m over the top; grabbed at the second, let go at the last */
  double error_estimates[5], last = 0.0;
  int changes = 0; /* of what is told while it is pulled far: it is asked in every eighth tick */
  for (int k = 0; k < 5; ++k) {
    double from = heights[k > 0 ? k - 1 : 0];
    for (int i = 1; i <= 200; ++i) {
      tacToolInput input = {.position = {0.0, top + from + (heights[k] - from) * i / 200.0, 0.0},
                            .orientation = {1.0, 0.0, 0.0, 0.0},
                            .grab = k == 2 || k == 3};
      tac_world_step(world, &input, &output, &report);
      changes += k == 3 && report.error_estimate > last;
      last = report.error_estimate;
    }
    tac_world_state(world, state);
    tacSnapshot snapshot = {.state = state, .tool_count = 1, .output = {output}};
    error_estimates[k] = tac_world_body_error_estimate(world, &snapshot, kidney);
    ck_assert_double_eq(tac_world_body_error_estimate(world, &snapshot, stone), -1.0);
    ck_assert_double_eq_tol(error_estimates[k], report.error_estimate, 1e-12);
    ck_assert_int_eq(report.error_body, error_estimates[k] > 0.0 ? 1 : 0);
  }
  ck_assert_int_ge(changes, 200 / 8 - 2);
  ck_assert_int_le(changes, 200 / 8 + 1);
  ck_assert_double_eq(error_estimates[0], 0.0);
  ck_assert_double_gt(error_estimates[2], 0.0);
  ck_assert_double_lt(error_estimates[2], TAC_ERROR_ESTIMATE_SOME);
  ck_assert_double_gt(error_estimates[3], 2.0 * TAC_ERROR_ESTIMATE_MUCH);
  ck_assert_double_eq(error_estimates[4], 0.0);
  ck_assert_str_ne(tac_world_body_error_cause(world, kidney), "");
  ck_assert_str_eq(tac_world_body_error_cause(world, stone), "");
}

static void keep_remark(tacLogLevel level, const char *text, void *user) {
  ck_assert_int_eq(level, TAC_LOG_INFO);
  snprintf(user, 200, "%s", text);
}

TAC_TEST(unsolved_trial_loads_are_reported) {
  char remark[200] = "";
  tac_log_set(keep_remark, remark);
  tac_trial_loads_remark("limits", 9, 18);
  ck_assert_str_eq(remark, "");
  tac_trial_loads_remark("limits", 8, 18);
  ck_assert_ptr_nonnull(strstr(remark, "limits: no equilibrium was found for 10 of 18 trial loads"));
  tac_log_set(NULL, NULL);
}
