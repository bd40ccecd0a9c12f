#include "bench/hyperelastic/hyper_experiments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/hyperelastic.h>
#include <tactus/material.h>
#include <tactus/rigid.h>
#include "base/memory/array.h"
#include "bench/hyperelastic/tet_block.h"
#include "elastic/hyper/hyper_statics.h"
#include "elastic/laws/hyper_laws.h"
#include "kinds/hyperelastic/hyperelastic_kind.h"
#include "math/geometry/vec3.h"
#include "shape/geodesic.h"
#include "world/world_view.h"

/* ---- Figure 3 ---- */

/* Shear modulus 0.344 Pa, bulk modulus 3.33 Pa. Of Costa's law with all b = 1 they are a b / 2 and k0 + a b / 3. */
const tacLawMaterial tac_stretch_material[TAC_STRETCH_LAWS] = {
    {.law = "corotational", .parameters = {1.0, 0.45}, .density = 1.0},
    {.law = "st-venant-kirchhoff", .parameters = {0.344, 3.10}, .density = 1.0},
    {.law = "neo-hookean", .parameters = {0.344, 3.33}, .density = 1.0},
    {.law = "mooney-rivlin", .parameters = {0.086, 0.086, 3.33}, .density = 1.0},
    {.law = "ogden", .parameters = {0.172, 4.0, 0.0, 2.0, 0.0, 2.0, 3.33}, .density = 1.0},
    {.law = "boyce-arruda", .parameters = {0.23655, 1.5, 3.33}, .density = 1.0},
    {.law = "veronda-westmann", .parameters = {0.344, 1.0, 3.33}, .density = 1.0},
    {.law = "costa", .parameters = {0.688, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.10}, .density = 1.0},
};

typedef struct Stretched {
  tacVolMesh *mesh;
  bool *fixed, *moved, *held; /* [vertex] */
  tacHyperSolid *solid;
  tacHyperStatics *statics;
  double *rest, *x, *target, *reaction; /* [3 vertex] */
} Stretched;

static void close_stretched(Stretched *s) {
  tac_hyper_statics_destroy(s->statics);
  tac_hyper_solid_destroy(s->solid);
  tac_volmesh_destroy(s->mesh);
  free(s->fixed);
  free(s->moved);
  free(s->held);
  free(s->rest);
  free(s->x);
  free(s->target);
  free(s->reaction);
}

static tacStatus open_stretched(const tacLawMaterial *from, int cells, bool patches, Stretched *s, tacError *error) {
  *s = (Stretched){0};
  tacHyperMaterial material = {.law = tac_hyper_law_find(from->law, error), .density = from->density};
  if (material.law == NULL) return TAC_ERR_ARGUMENT;
  memcpy(material.parameters, from->parameters, sizeof material.parameters);
  tacStatus status = tac_tet_block_create((tacBox){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, cells, &s->mesh, error);
  if (status != TAC_OK) return status;
  size_t n = (size_t)s->mesh->vertex_count;
  bool **flags[] = {&s->fixed, &s->moved, &s->held};
  double **vectors[] = {&s->rest, &s->x, &s->target, &s->reaction};
  for (int k = 0; k < 3; ++k)
    if ((*flags[k] = tac_array_create(n, sizeof(bool), "a cube", error)) == NULL) return TAC_ERR_MEMORY;
  for (int k = 0; k < 4; ++k)
    if ((*vectors[k] = tac_array_create(3 * n, sizeof(double), "a cube", error)) == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < s->mesh->vertex_count; ++i) {
    tacVec3 at = s->mesh->vertices[i];
    s->fixed[i] = i % (cells + 1) == 0;
    s->moved[i] = i % (cells + 1) == cells;
    s->held[i] = s->fixed[i] || s->moved[i];
    s->rest[3 * i] = at.x;
    s->rest[3 * i + 1] = at.y;
    s->rest[3 * i + 2] = at.z;
  }
  tacHyperSolidDef def = {
      .mesh = s->mesh, .material_count = 1, .materials = &material, .patches = patches, .thread_count = 1};
  status = tac_hyper_solid_create(&def, &s->solid, error);
  return status == TAC_OK ? tac_hyper_statics_create(s->solid, s->held, &s->statics, error) : status;
}

static double pull_of(const Stretched *s, const double *reaction) {
  double sum = 0.0;
  for (int i = 0; i < s->mesh->vertex_count; ++i) sum += s->moved[i] ? reaction[3 * i] : 0.0;
  return sum;
}

/* From one equilibrium to the next: the start is the last one, stretched further as a whole. */
static tacStatus stretch_to(Stretched *s, double from, double way, tacError *error) {
  tacNewtonReport report;
  double more = (1.0 + way) / (1.0 + from);
  for (int i = 0; i < s->mesh->vertex_count; ++i) {
    s->x[3 * i] *= more;
    memcpy(s->target + 3 * i, s->rest + 3 * i, 3 * sizeof *s->target);
    if (s->moved[i]) s->target[3 * i] += way;
  }
  return tac_hyper_statics_solve(s->statics, s->target, NULL, s->x, s->reaction, &report, error);
}

tacStatus tac_hyper_experiment_stretch(const tacLawMaterial *material, int cells, bool patches, int count,
                                       const double *ways, tacStretchExperiment *e, tacError *error) {
  Stretched s;
  *e = (tacStretchExperiment){0};
  if (count < 1 || count > TAC_STRETCH_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d ways: 1 to %d", count, TAC_STRETCH_MOST);
  tacStatus status = open_stretched(material, cells, patches, &s, error);
  int nearest = 0, first = 0, last = count - 1;
  double force[TAC_STRETCH_MOST];
  for (int i = 1; i < count; ++i)
    if (fabs(ways[i]) < fabs(ways[nearest])) nearest = i;
  for (int side = 0; side < 2 && status == TAC_OK; ++side) {
    double from = 0.0;
    memcpy(s.x, s.rest, 3 * (size_t)s.mesh->vertex_count * sizeof *s.x);
    for (int i = nearest; i >= first && i <= last; i += side == 0 ? 1 : -1) {
      tacStatus solved = stretch_to(&s, from, ways[i], error);
      if (solved != TAC_OK) { /* it goes no further */
        status = solved == TAC_ERR_NO_CONVERGENCE && i != nearest ? TAC_OK : solved;
        *(side == 0 ? &last : &first) = side == 0 ? i - 1 : i + 1;
        break;
      }
      force[i] = pull_of(&s, s.reaction);
      from = ways[i];
    }
  }
  if (status == TAC_OK) {
    e->tets = s.mesh->tet_count;
    e->count = last - first + 1;
    memcpy(e->way, ways + first, (size_t)e->count * sizeof *e->way);
    memcpy(e->force, force + first, (size_t)e->count * sizeof *e->force);
  }
  close_stretched(&s);
  return status;
}

tacStatus tac_hyper_experiment_stretch_body(const tacLawMaterial *material, int cells, double way, double *force,
                                            tacError *error) {
  enum { STEPS = 200 };
  Stretched s;
  tacWorld *world = NULL;
  double *state = NULL;
  tacBodyId id;
  tacStatus status = open_stretched(material, cells, false, &s, error);
  /* So light that a step is hardly more than one of Newton's method. */
  tacLawMaterial light = *material;
  light.density = 1e-4;
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  tacWorldDef of_world = tac_world_def_default();
  of_world.period = 0.01;
  def.body.name = "cube";
  def.mesh = s.mesh;
  def.material_count = 1;
  def.materials = &light;
  def.fixed = s.fixed;
  def.moved = s.moved;
  def.moved_along = tac_vec3(1.0, 0.0, 0.0);
  if (status == TAC_OK) status = tac_world_create(&of_world, &world, error);
  if (status == TAC_OK) status = tac_world_add_hyperelastic(world, &def, &id, error);
  if (status == TAC_OK) status = tac_world_seal(world, error);
  if (status == TAC_OK)
    status = tac_world_set_parameter(world, tac_world_find_parameter(world, "cube.moved"), way, error);
  if (status == TAC_OK) {
    state = tac_array_create((size_t)tac_world_state_size(world), sizeof *state, "a state", error);
    if (state == NULL) status = TAC_ERR_MEMORY;
  }
  tacTickReport report;
  for (int i = 0; i < STEPS && status == TAC_OK; ++i) tac_world_step(world, NULL, NULL, &report);
  if (status == TAC_OK) {
    tac_world_state(world, state);
    tac_hyper_solid_evaluate(s.solid, state + tac_world_body_state(world, id), 0.0, s.reaction, NULL);
    *force = pull_of(&s, s.reaction);
  }
  free(state);
  tac_world_destroy(world);
  close_stretched(&s);
  return status;
}

/* ---- Figure 4 ---- */

static const double edge = 0.07, radius = 0.028; /* m: of the cube, and of the ball */
enum { CELLS = 7, PATCH = 40, ROUNDNESS = 10, NORMAL = 10 /* N: about what the hand presses with */ };

/* Where a hand led the ball's centre: m from the middle of the upper face, with its lowest point where it touches. */
typedef struct Knot {
  double time; /* s */
  tacVec3 at;
} Knot;
static const Knot knots[] = {
    {0.0, {0.0, 0.0, 0.012}},       {0.6, {0.002, 0.001, 0.004}},   {2.0, {0.004, -0.002, -0.0245}},
    {2.8, {0.004, -0.003, -0.021}}, {4.2, {-0.012, 0.006, -0.019}}, {5.0, {-0.014, 0.010, -0.0235}},
    {6.2, {0.010, 0.012, -0.014}},  {7.2, {0.012, 0.010, 0.006}},   {8.0, {0.008, 0.008, 0.014}},
};

/* From one to the next as hands go: with the least jerk; they tremble by a few tenths of a millimetre. */
static tacVec3 hand_at(double time) {
  int last = (int)(sizeof knots / sizeof *knots) - 1, k = 0;
  while (k < last - 1 && time > knots[k + 1].time) ++k;
  double s = fmin(fmax((time - knots[k].time) / (knots[k + 1].time - knots[k].time), 0.0), 1.0);
  double share = s * s * s * (10.0 + s * (6.0 * s - 15.0));
  tacVec3 at = tac_vec3_mad(knots[k].at, share, tac_vec3_sub(knots[k + 1].at, knots[k].at));
  tacVec3 tremble = tac_vec3(sin(51.0 * time), sin(46.0 * time + 1.0), 0.7 * sin(54.0 * time + 2.0));
  return tac_vec3_mad(at, 2e-4, tremble);
}

typedef struct Pressed {
  tacVolMesh *mesh;
  bool *fixed;
  tacTriMesh *ball;
  tacWorld *world;
  tacBodyId cube, instrument;
} Pressed;

static void close_pressed(Pressed *p) {
  tac_world_destroy(p->world);
  tac_volmesh_destroy(p->mesh);
  tac_trimesh_destroy(p->ball);
  free(p->fixed);
}

static tacStatus open_pressed(const tacPressDef *press, Pressed *p, tacError *error) {
  const tacLawMaterial material = {.law = "mooney-rivlin", .parameters = {860.0, 860.0, 33.3e3}, .density = 1000.0};
  *p = (Pressed){0};
  tacStatus status = tac_tet_block_create((tacBox){{0.0, 0.0, 0.0}, {edge, edge, edge}}, CELLS, &p->mesh, error);
  if (status == TAC_OK) status = tac_geodesic_sphere(radius, ROUNDNESS, &p->ball, error);
  if (status != TAC_OK) return status;
  int n = p->mesh->vertex_count;
  if ((p->fixed = tac_array_create((size_t)n, sizeof *p->fixed, "a cube", error)) == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < (CELLS + 1) * (CELLS + 1); ++i) p->fixed[i] = true;
  tacWorldDef of_world = tac_world_def_default();
  of_world.period = press->step;
  of_world.movable = true;
  of_world.method = TAC_METHOD_SIGNORINI;
  tacHyperelasticBodyDef cube = tac_hyperelastic_body_def_default();
  cube.body.name = "cube";
  cube.mesh = p->mesh;
  cube.material_count = 1;
  cube.materials = &material;
  cube.fixed = p->fixed;
  cube.body.friction = 0.0;
  cube.stiffness_damping = 5e-3;
  cube.factor = press->factor;
  cube.factor_delay = press->delay > 0 ? press->delay : 1;
  tacRigidBodyDef ball = tac_rigid_body_def_default();
  ball.body.name = "instrument";
  ball.surface = p->ball;
  ball.body.friction = 0.0;
  tacVec3 top = tac_vec3(0.5 * edge, 0.5 * edge, edge + radius);
  ball.body.pose.position = tac_vec3_add(top, hand_at(0.0));
  status = tac_world_create(&of_world, &p->world, error);
  if (status == TAC_OK) status = tac_world_add_hyperelastic(p->world, &cube, &p->cube, error);
  if (status == TAC_OK) status = tac_world_add_rigid(p->world, &ball, &p->instrument, error);
  tacPairDef pair = tac_pair_def_default();
  pair.points = p->cube;
  pair.field = p->instrument;
  pair.method = TAC_METHOD_SIGNORINI;
  pair.friction = 0.0;
  pair.laws.patch = PATCH;
  pair.laws.detect = TAC_DETECT_SURFACES;
  int number;
  if (status == TAC_OK) status = tac_world_add_pair(p->world, &pair, &number, error);
  return status == TAC_OK ? tac_world_seal(p->world, error) : status;
}

tacStatus tac_hyper_experiment_press(const tacPressDef *def, tacPressExperiment *e, tacError *error) {
  Pressed p;
  *e = (tacPressExperiment){.step = def->step};
  int count = (int)lround(def->seconds / def->step);
  if (count < 1 || count > TAC_PRESS_MOST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d steps: 1 to %d", count, TAC_PRESS_MOST);
  tacStatus status = open_pressed(def, &p, error);
  tacVec3 top = tac_vec3(0.5 * edge, 0.5 * edge, edge + radius);
  for (int i = 0; i < count && status == TAC_OK; ++i) {
    tacVec3 now = hand_at(i * def->step), next = hand_at((i + 1) * def->step);
    tacPose pose = {tac_vec3_add(top, now), {1.0, 0.0, 0.0, 0.0}};
    tacVec3 velocity = tac_vec3_scale(1.0 / def->step, tac_vec3_sub(next, now));
    tacTickReport report;
    tacShownContact contacts[PATCH];
    tacHyperelasticReport own;
    status = tac_world_move_body(p.world, p.instrument, &pose, velocity, tac_vec3(0.0, 0.0, 0.0), error);
    if (status != TAC_OK) break;
    tac_world_step(p.world, NULL, NULL, &report);
    int found = tac_world_contacts(p.world, PATCH, contacts), pressing = 0;
    tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < found; ++k) {
      double sign = contacts[k].body[0] == (int)p.instrument.index ? 1.0 : -1.0;
      sum = tac_vec3_mad(sum, sign, contacts[k].force);
      pressing += tac_vec3_norm2(contacts[k].force) > 0.0;
    }
    tac_world_hyperelastic_report(p.world, p.cube, &own);
    e->time[i] = (i + 1) * def->step;
    e->depth[i] = -next.z;
    e->force[i] = tac_vec3_norm(sum);
    if (e->crashed == 0 && (own.inverted > 0 || e->force[i] > 100.0 * NORMAL)) e->crashed = i + 1;
    e->contacts = pressing > e->contacts ? pressing : e->contacts;
    e->iterations = own.iterations > e->iterations ? own.iterations : e->iterations;
    e->compliance_error = fmax(e->compliance_error, own.compliance_error);
    e->refused += report.refused;
    e->unsolved += report.unsolved;
    e->count = i + 1;
  }
  close_pressed(&p);
  return status;
}

double tac_press_difference(const tacPressExperiment *e, const tacPressExperiment *exact) {
  double apart = 0.0, size = 0.0;
  for (int i = 0; i < e->count && i < exact->count; ++i) {
    apart += pow(e->force[i] - exact->force[i], 2.0);
    size += pow(exact->force[i], 2.0);
  }
  return size > 0.0 ? sqrt(apart / size) : 0.0;
}
