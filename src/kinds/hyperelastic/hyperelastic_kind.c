#include "kinds/hyperelastic/hyperelastic_kind.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "elastic/hyper/hyper_colours.h"
#include "elastic/law_material.h"
#include "kinds/hyperelastic/hyper_dynamics.h"
#include "kinds/made_body.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "world/world_build.h"

static const double moved_speed = 1.0; /* speed limit of moved vertices, m/s */
enum { PARAMETER_STIFFNESS, PARAMETER_DAMPING, PARAMETER_MOVED };
enum {
  SHOWN_NUMBERS = 4
}; /* numbers shown after the positions of the nodes: factor age, compliance error, iterations, inverted elements */

typedef struct Hyper {
  tacArrays arrays; /* owns all arrays except `node_of` */
  tacHyperDynamics *dynamics;
  tacHyperColours *colours;
  int node_count;
  tacTriMesh *surface;
  int *node_of;             /* [surface vertex]: node of the volume mesh */
  tacVec3 *place, *normal;  /* [surface vertex]: present positions, and normals weighted by area */
  bool *fixed;              /* [surface vertex]: true if fixed */
  double *young, *poisson;  /* [surface vertex]: small-strain Young's modulus, Pa; Poisson's ratio */
  double swelling, fastest; /* largest displacement, m, and largest speed, m/s, of a surface vertex */
  tacInertia inertia;
  tacVec3 velocity;
  _Atomic double stiffness, damping,
      way; /* parameters: stiffness factor; damping, s; offset, m. Other threads read these values during steps. */
  bool has_moved;
  bool *moved; /* [node]: true if moved */
  tacVec3 along;
  double distance, period, time; /* periodic motion: distance, m; period, s; present time, s */
  double *rest, *target;         /* [3 nodes]: positions at rest; targets of moved nodes */
  int most_sites;
  tacFactorSite *sites; /* [most_sites]: sites of the present step */
} Hyper;

/* ---- destruction, reset ---- */

static void destroy(void *self) {
  Hyper *hyper = self;
  if (hyper == NULL) return;
  tac_hyper_dynamics_destroy(hyper->dynamics);
  tac_hyper_colours_destroy(hyper->colours);
  tac_trimesh_destroy(hyper->surface);
  free(hyper->node_of);
  tac_arrays_free(&hyper->arrays);
  free(hyper);
}
TAC_OWNED_TYPE(Hyper, destroy)

/* Updates positions and normals of the surface from the nodes. */
static void follow(Hyper *hyper) {
  const tacTriMesh *mesh = hyper->surface;
  const double *x = tac_hyper_dynamics_positions(hyper->dynamics), *v = tac_hyper_dynamics_velocities(hyper->dynamics);
  double most2 = 0.0, fastest2 = 0.0;
  for (int i = 0; i < mesh->vertex_count; ++i) {
    const double *at = x + 3 * hyper->node_of[i], *speed = v + 3 * hyper->node_of[i];
    hyper->place[i] = tac_vec3(at[0], at[1], at[2]);
    hyper->normal[i] = tac_vec3(0.0, 0.0, 0.0);
    most2 = fmax(most2, tac_vec3_norm2(tac_vec3_sub(hyper->place[i], mesh->vertices[i])));
    fastest2 = fmax(fastest2, speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2]);
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *corner = mesh->triangles[t].v;
    tacVec3 a = hyper->place[corner[0]];
    tacVec3 area = tac_vec3_cross(tac_vec3_sub(hyper->place[corner[1]], a), tac_vec3_sub(hyper->place[corner[2]], a));
    for (int k = 0; k < 3; ++k) hyper->normal[corner[k]] = tac_vec3_add(hyper->normal[corner[k]], area);
  }
  hyper->swelling = sqrt(most2);
  hyper->fastest = sqrt(fastest2);
}

/* Sets the targets of moved nodes. The offset is the sum of the parameter `moved` and the periodic motion
 * distance (1 - cos(2 pi t / period)) / 2. */
static void aim(Hyper *hyper) {
  const double turn = 6.283185307179586, along[3] = {hyper->along.x, hyper->along.y, hyper->along.z};
  double own = hyper->period > 0.0 ? 0.5 * hyper->distance * (1.0 - cos(turn * hyper->time / hyper->period)) : 0.0;
  if (!hyper->has_moved) return;
  for (int i = 0; i < hyper->node_count; ++i)
    for (int k = 0; k < 3 && hyper->moved[i]; ++k)
      hyper->target[3 * i + k] = hyper->rest[3 * i + k] + (hyper->way + own) * along[k];
  tac_hyper_dynamics_set_held(hyper->dynamics, hyper->target, moved_speed);
}

static void reset(void *self) {
  Hyper *hyper = self;
  tac_hyper_dynamics_reset(hyper->dynamics, hyper->velocity);
  hyper->time = 0.0;
  aim(hyper);
  follow(hyper);
}

static int shown_size(const void *self) {
  return 3 * ((const Hyper *)self)->node_count + SHOWN_NUMBERS;
}

static int state_size(const void *self) {
  return shown_size(self) + 1 + tac_hyper_dynamics_state_size(((const Hyper *)self)->dynamics);
}

static void save(const void *self, int count, double *state) {
  const Hyper *hyper = self;
  int shown = shown_size(self), nodes = 3 * hyper->node_count;
  memcpy(state, tac_hyper_dynamics_positions(hyper->dynamics), (size_t)nodes * sizeof *state);
  tac_hyper_dynamics_numbers(hyper->dynamics, state + nodes);
  if (count <= shown) return;
  state[shown] = hyper->time;
  tac_hyper_dynamics_save(hyper->dynamics, state + shown + 1);
}

static bool load(void *self, const double *state) {
  Hyper *hyper = self;
  const double *after = state + shown_size(self);
  bool good = isfinite(after[0]) && tac_hyper_dynamics_load(hyper->dynamics, after + 1);
  if (good) {
    hyper->time = after[0];
    aim(hyper);
  }
  follow(hyper);
  return good;
}

static tacBodyDescription describe(const void *self) {
  const Hyper *hyper = self;
  return (tacBodyDescription){.surface = hyper->surface,
                              .fixed = hyper->fixed,
                              .state = state_size(self),
                              .shown = shown_size(self),
                              .parameters = hyper->has_moved ? 3 : 2,
                              .sites = hyper->most_sites};
}

static tacParameter parameter(const void *self, int index) {
  const Hyper *hyper = self;
  if (index == PARAMETER_STIFFNESS)
    return (tacParameter){"stiffness", "stiffness", "", hyper->stiffness, .in_tick = true};
  if (index == PARAMETER_DAMPING) return (tacParameter){"damping", "damping", "s", hyper->damping, .in_tick = true};
  return (tacParameter){"moved", "moved", "m", hyper->way, .in_tick = true};
}

static tacStatus set_parameter(void *self, int index, double value, tacError *error) {
  Hyper *hyper = self;
  if (index == PARAMETER_STIFFNESS) {
    if (!(value >= 1e-6 && value <= 1e6))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the stiffness factor is %g; it must be between 1e-6 and 1e6",
                           value);
    hyper->stiffness = value;
    tac_hyper_dynamics_set_stiffness(hyper->dynamics, value);
  } else if (index == PARAMETER_DAMPING) {
    if (!(value >= 0.0 && value <= 1e3))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "the damping is %g s; it must be between 0 and 1000 s", value);
    hyper->damping = value;
    tac_hyper_dynamics_set_damping(hyper->dynamics, value);
  } else {
    if (!(fabs(value) <= 1e3))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "the moved distance is %g m; it must be "
                           "at most 1000 m",
                           value);
    hyper->way = value;
    aim(hyper);
  }
  return TAC_OK;
}

static bool inertia(const void *self, tacInertia *to) {
  *to = ((const Hyper *)self)->inertia;
  return to->mass > 0.0;
}

/* Reports the small-strain moduli of an element at vertex `v`, including the factor of the parameter `stiffness`. */
static bool material(const void *self, int v, double *young, double *poisson) {
  const Hyper *hyper = self;
  *young = hyper->stiffness * hyper->young[v];
  *poisson = hyper->poisson[v];
  return hyper->young[v] > 0.0;
}

/* ---- place ---- */

static tacVec3 vertex(const void *self, int v) {
  return ((const Hyper *)self)->place[v];
}

static tacVec3 vertex_normal(const void *self, int v) {
  return ((const Hyper *)self)->normal[v];
}

static tacBodyBounds bounds(const void *self) {
  const Hyper *hyper = self;
  return (tacBodyBounds){hyper->swelling, hyper->fastest};
}

static tacVec3 place(const void *self, const tacSite *site) {
  const Hyper *hyper = self;
  if (site->kind != TAC_SITE_SURFACE) return site->at;
  const int *v = hyper->surface->triangles[site->index].v;
  const tacVec3 *x = hyper->place;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(site->at.x, x[v[0]]), site->at.y, x[v[1]]), site->at.z, x[v[2]]);
}

static void vertices(const void *self, const double *shown, tacVec3 *to) {
  const Hyper *hyper = self;
  for (int i = 0; i < hyper->surface->vertex_count; ++i) {
    const double *x = shown != NULL ? shown + 3 * hyper->node_of[i] : NULL;
    to[i] = x != NULL ? tac_vec3(x[0], x[1], x[2]) : hyper->surface->vertices[i];
  }
}

static bool colours(const void *self, const double *shown, const tacVec3 *vertices_at, tacColouring colour,
                    tacStressSum *room, double *values) {
  const Hyper *hyper = self;
  const double *x = shown != NULL ? shown : hyper->rest;
  (void)vertices_at, (void)room;
  if (colour == TAC_COLOUR_STRETCH) {
    tac_hyper_colours_stretch(hyper->colours, x, values);
    return true;
  }
  double stiffness = hyper->stiffness;
  tac_hyper_colours_stress(hyper->colours, x, values);
  for (int v = 0; v < hyper->surface->vertex_count; ++v) values[v] *= stiffness;
  return true;
}

static bool shown_number(const void *self, int index, tacShownNumber *number) {
  static const struct {
    const char *label, *unit;
  } names[SHOWN_NUMBERS] = {
      {"factor's age", "steps"}, {"error of compliance", ""}, {"iterations", ""}, {"inverted elements", ""}};
  if (index < 0 || index >= SHOWN_NUMBERS) return false;
  int at = 3 * ((const Hyper *)self)->node_count + index;
  *number = (tacShownNumber){names[index].label, names[index].unit, at};
  return true;
}

/* ---- step and response ---- */

static tacStatus start(void *self, tacError *error) {
  return tac_hyper_dynamics_start(((Hyper *)self)->dynamics, error);
}

static void stop(void *self) {
  tac_hyper_dynamics_stop(((Hyper *)self)->dynamics);
}

static bool ready(const void *self) {
  return tac_hyper_dynamics_ready(((const Hyper *)self)->dynamics);
}

static void prepare(void *self) {
  tac_hyper_dynamics_take(((Hyper *)self)->dynamics);
}

_Static_assert((int)TAC_PATCH_VERTICES <= (int)TAC_FACTOR_SITE_NODES, "a site has room for a patch");

/* Finds the nodes and weights of a site. A site on the frame has no nodes. */
static void find_nodes(const Hyper *hyper, const tacPatch *patches, const tacSite *site, tacFactorSite *to) {
  const double weight[3] = {site->at.x, site->at.y, site->at.z};
  to->count = 0;
  for (int k = 0; k < 3 && site->kind == TAC_SITE_SURFACE; ++k) {
    if (weight[k] == 0.0) continue;
    to->node[to->count] = hyper->node_of[hyper->surface->triangles[site->index].v[k]];
    to->weight[to->count++] = weight[k];
  }
  for (int k = 0; site->kind == TAC_SITE_PATCH && k < patches[site->index].count; ++k) {
    to->node[k] = hyper->node_of[patches[site->index].vertex[k]];
    to->weight[k] = patches[site->index].weight[k];
    to->count = k + 1;
  }
}

static void begin_step(void *self, const tacBodyStep *step, int count, const tacSite *sites, const tacVec3 *forces,
                       tacVec3 *motion, double *c) {
  Hyper *hyper = self;
  for (int i = 0; i < count; ++i) find_nodes(hyper, step->patches, &sites[i], &hyper->sites[i]);
  if (hyper->period > 0.0) {
    hyper->time = fmod(hyper->time + step->length, hyper->period);
    aim(hyper);
  }
  tac_hyper_dynamics_begin(hyper->dynamics, step->length, step->gravity, count, hyper->sites, forces, motion, c);
}

static bool move_again(void *self, const tacBodyStep *step, const tacVec3 *forces, tacVec3 *motion) {
  (void)step;
  return tac_hyper_dynamics_again(((Hyper *)self)->dynamics, forces, motion);
}

static tacBodyFinish end_step(void *self, const tacBodyStep *step, const tacVec3 *forces) {
  Hyper *hyper = self;
  tacMat3 springs[TAC_MOST_TOOLS];
  int count = step->springs < TAC_MOST_TOOLS ? step->springs : TAC_MOST_TOOLS;
  if (count > 0) memcpy(springs, step->spring, (size_t)count * sizeof *springs);
  tacBodyFinish done = tac_hyper_dynamics_end(hyper->dynamics, forces, count, springs);
  follow(hyper);
  return done;
}

static void next_compliance(void *self, const tacBodyStep *step, int count, const tacSite *sites, double *c) {
  Hyper *hyper = self;
  for (int i = 0; i < count; ++i) find_nodes(hyper, step->patches, &sites[i], &hyper->sites[i]);
  tac_hyper_dynamics_compliance(hyper->dynamics, step->length, count, hyper->sites, c);
}

static void predict(void *self, const tacBodyStep *step, bool whole, int count, const tacSite *sites,
                    const tacVec3 *forces, tacVec3 *first, tacVec3 *second) {
  Hyper *hyper = self;
  for (int i = 0; i < count; ++i) find_nodes(hyper, step->patches, &sites[i], &hyper->sites[i]);
  tac_hyper_dynamics_predict(hyper->dynamics, step->length, step->gravity, whole, count, hyper->sites, forces, first,
                             second);
}

static tacVec3 velocity(const void *self, const tacSite *site) {
  const Hyper *hyper = self;
  const double *v = tac_hyper_dynamics_velocities(hyper->dynamics);
  tacFactorSite nodes;
  find_nodes(hyper, NULL, site, &nodes);
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int k = 0; k < nodes.count; ++k) {
    const double *at = v + 3 * nodes.node[k];
    sum = tac_vec3_mad(sum, nodes.weight[k], tac_vec3(at[0], at[1], at[2]));
  }
  return sum;
}

static double energy(const void *self) {
  return tac_hyper_dynamics_energy(((const Hyper *)self)->dynamics);
}

static const tacBodyLooks looks = {.vertices = vertices, .colours = colours, .number = shown_number};
static const tacBodyThread thread = {.start = start, .stop = stop, .ready = ready, .prepare = prepare};
static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .describe = describe,
                                   .save = save,
                                   .load = load,
                                   .parameter = parameter,
                                   .set_parameter = set_parameter,
                                   .inertia = inertia,
                                   .material = material,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place,
                                   .bounds = bounds,
                                   .begin_step = begin_step,
                                   .move_again = move_again,
                                   .end_step = end_step,
                                   .next_compliance = next_compliance,
                                   .predict = predict,
                                   .velocity = velocity,
                                   .energy = energy,
                                   .looks = &looks,
                                   .thread = &thread};

bool tac_world_hyperelastic_report(const tacWorld *world, tacBodyId id, tacHyperelasticReport *report) {
  *report = (tacHyperelasticReport){0};
  const Hyper *hyper = tac_world_body_self(world, id, &table);
  if (hyper != NULL) tac_hyper_dynamics_report(hyper->dynamics, report);
  return hyper != NULL;
}

/* ---- creation ---- */

tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void) {
  tacHyperelasticBodyDef def = {.body = tac_body_def_default(),
                                .moved_along = {0.0, 0.0, 1.0},
                                .factor_delay = 5,
                                .most_sites = 96,
                                .thread_count = 1};
  def.body.contact_damping = 0.0;
  return def;
}

static tacStatus check(const tacHyperelasticBodyDef *def, tacError *error) {
  const double positive[] = {def->mass_damping, def->stiffness_damping};
  static const char *const names[] = {"damping by mass", "damping by stiffness"};
  if (def->mesh == NULL || def->mesh->tet_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a hyperelastic body needs a mesh of tetrahedra");
  if (def->mesh->brick_count > 0)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "a hyperelastic body supports only tetrahedra, but the mesh has "
                         "%d bricks",
                         def->mesh->brick_count);
  if (def->material_count < 1 || def->materials == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a hyperelastic body needs a material");
  for (int i = 0; i < 2; ++i)
    if (!(positive[i] >= 0.0 && positive[i] <= 1e3))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s %g: 0 to 1000", names[i], positive[i]);
  if (def->factor_delay < 1 || def->factor_delay > 1000)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the factor delay is %d steps; it must be between 1 and 1000",
                         def->factor_delay);
  if (def->most_sites < 1 || def->most_sites > 256)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d sites: 1 to 256", def->most_sites);
  if ((unsigned)def->factor > TAC_FACTOR_REST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "unknown factor mode %d", (int)def->factor);
  if (!tac_vec3_finite(def->body.velocity))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the velocity of the body is NaN or infinite; it must be finite");
  if (def->moved != NULL && !(fabs(tac_vec3_norm(def->moved_along) - 1.0) < 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the direction of motion is not a unit vector; normalize it");
  if (!(fabs(def->moved_distance) <= 1e3) || !(def->moved_period >= 0.0 && def->moved_period <= 1e6))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the motion is %g m in %g s; the distance must be at most 1000 m "
                         "and the period 0 to 1e6 s",
                         def->moved_distance, def->moved_period);
  return TAC_OK;
}

/* Returns the inertia of the lumped masses at rest. A hand that holds the body feels this inertia. */
static tacInertia weigh(const tacVolMesh *mesh, const double *mass) {
  tacInertia to = {0};
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    to.mass += mass[i];
    sum = tac_vec3_mad(sum, mass[i], mesh->vertices[i]);
  }
  to.centre = tac_vec3_scale(1.0 / to.mass, sum);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    tacVec3 r = tac_vec3_sub(mesh->vertices[i], to.centre);
    const double x[3] = {r.x, r.y, r.z};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) to.moments[a][b] += mass[i] * ((a == b ? tac_vec3_norm2(r) : 0.0) - x[a] * x[b]);
  }
  return to;
}

static tacStatus make_surface(Hyper *hyper, const tacHyperelasticBodyDef *def, tacError *error) {
  TAC_TRY(tac_volmesh_surface(def->mesh, &hyper->surface, &hyper->node_of, NULL, error));
  size_t vertices = (size_t)hyper->surface->vertex_count, nodes = (size_t)def->mesh->vertex_count;
  hyper->place = tac_arrays_add(&hyper->arrays, vertices, sizeof *hyper->place);
  hyper->normal = tac_arrays_add(&hyper->arrays, vertices, sizeof *hyper->normal);
  hyper->fixed = tac_arrays_add(&hyper->arrays, vertices, sizeof *hyper->fixed);
  hyper->young = tac_arrays_add(&hyper->arrays, vertices, sizeof *hyper->young);
  hyper->poisson = tac_arrays_add(&hyper->arrays, vertices, sizeof *hyper->poisson);
  hyper->moved = tac_arrays_add(&hyper->arrays, nodes, sizeof *hyper->moved);
  hyper->rest = tac_arrays_add(&hyper->arrays, 3 * nodes, sizeof *hyper->rest);
  hyper->target = tac_arrays_add(&hyper->arrays, 3 * nodes, sizeof *hyper->target);
  hyper->sites = tac_arrays_add(&hyper->arrays, (size_t)def->most_sites, sizeof *hyper->sites);
  TAC_TRY(tac_arrays_status(&hyper->arrays, "a hyperelastic body", error));
  memcpy(hyper->rest, def->mesh->vertices, 3 * nodes * sizeof *hyper->rest);
  for (size_t i = 0; i < nodes; ++i) {
    hyper->moved[i] = def->moved != NULL && def->moved[i];
    hyper->has_moved = hyper->has_moved || hyper->moved[i];
  }
  memcpy(hyper->target, hyper->rest, 3 * nodes * sizeof *hyper->target);
  for (size_t v = 0; v < vertices; ++v) hyper->fixed[v] = def->fixed != NULL && def->fixed[hyper->node_of[v]];
  return TAC_OK;
}

/* Stores for each surface vertex the small-strain moduli of an element at the vertex. */
static tacStatus find_moduli(Hyper *hyper, const tacHyperelasticBodyDef *def, const tacHyperMaterial *materials,
                             tacError *error) {
  TAC_MEMORY(int, of_node) = NULL;
  TAC_TRY(TAC_ARRAY(of_node, (size_t)def->mesh->vertex_count, "a hyperelastic body", error));
  for (int t = 0; t < def->mesh->tet_count; ++t)
    for (int k = 0; k < 4; ++k) of_node[def->mesh->tets[t].v[k]] = def->material_of != NULL ? def->material_of[t] : 0;
  for (int v = 0; v < hyper->surface->vertex_count; ++v) {
    const tacHyperMaterial *material_here = &materials[of_node[hyper->node_of[v]]];
    double shear, bulk;
    material_here->law->moduli(material_here->parameters, &shear, &bulk);
    hyper->young[v] = 9.0 * bulk * shear / (3.0 * bulk + shear);
    hyper->poisson[v] = (3.0 * bulk - 2.0 * shear) / (2.0 * (3.0 * bulk + shear));
  }
  return TAC_OK;
}

static tacStatus make_dynamics(Hyper *hyper, const tacHyperelasticBodyDef *def, tacError *error) {
  size_t nodes = (size_t)def->mesh->vertex_count, elements = def->fibres != NULL ? (size_t)def->mesh->tet_count : 0;
  TAC_FREED(tac_arrays_free, tacArrays, work) = {0};
  tacHyperMaterial *materials = tac_arrays_add(&work, (size_t)def->material_count, sizeof *materials);
  bool *held = tac_arrays_add(&work, nodes, sizeof *held);
  tacMat3 *axes = tac_arrays_add(&work, elements, sizeof *axes);
  double *mass = tac_arrays_add(&work, nodes, sizeof *mass);
  TAC_TRY(tac_arrays_status(&work, "a hyperelastic body", error));
  for (int i = 0; i < def->material_count; ++i)
    TAC_TRY(tac_law_material_read(&def->materials[i], &materials[i], error));
  TAC_TRY(find_moduli(hyper, def, materials, error));
  for (size_t i = 0; i < nodes; ++i) held[i] = (def->fixed != NULL && def->fixed[i]) || hyper->moved[i];
  for (size_t i = 0; i < elements; ++i)
    axes[i] = tac_mat3_from_columns(def->fibres[i][0], def->fibres[i][1], def->fibres[i][2]);
  tacHyperDynamicsDef dynamics = {.solid = {.mesh = def->mesh,
                                            .material_count = def->material_count,
                                            .materials = materials,
                                            .material_of = def->material_of,
                                            .axes = def->fibres != NULL ? axes : NULL,
                                            .patches = def->patches,
                                            .thread_count = def->thread_count},
                                  .held = held,
                                  .mass_damping = def->mass_damping,
                                  .stiffness_damping = def->stiffness_damping,
                                  .mode = def->factor,
                                  .delay = def->factor_delay,
                                  .most_sites = def->most_sites};
  TAC_TRY(tac_hyper_dynamics_create(&dynamics, &hyper->dynamics, error));
  TAC_TRY(
      tac_hyper_colours_create(&dynamics.solid, hyper->surface->vertex_count, hyper->node_of, &hyper->colours, error));
  tac_hyper_solid_masses(tac_hyper_dynamics_solid(hyper->dynamics), mass);
  hyper->inertia = weigh(def->mesh, mass);
  return TAC_OK;
}

tacStatus tac_hyperelastic_kind_create(const tacHyperelasticBodyDef *def, tacBody *body, tacError *error) {
  *body = (tacBody){NULL, NULL};
  TAC_TRY(check(def, error));
  TAC_OWN(Hyper, hyper) = NULL;
  TAC_TRY(TAC_ARRAY(hyper, 1, "a hyperelastic body", error));
  hyper->node_count = def->mesh->vertex_count;
  const double *q = def->body.pose.orientation;
  tacQuat back = tac_quat_conjugate(tac_quat_normalise(tac_quat(q[0], q[1], q[2], q[3])));
  hyper->velocity = def->body.free ? tac_quat_rotate(back, def->body.velocity) : tac_vec3(0.0, 0.0, 0.0);
  hyper->stiffness = 1.0;
  hyper->damping = def->stiffness_damping;
  hyper->along = def->moved_along;
  hyper->distance = def->moved_distance;
  hyper->period = def->moved_period;
  hyper->most_sites = def->most_sites;
  TAC_TRY(make_surface(hyper, def, error));
  TAC_TRY(make_dynamics(hyper, def, error));
  reset(hyper);
  *body = (tacBody){&table, tac_give(&hyper)};
  return TAC_OK;
}

/* ---- adding bodies to worlds ---- */

tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id,
                                     tacError *error) {
  TAC_REQUIRE(error, world, def);
  tacBodyDef common = def->body;
  tacBody body;
  tacError reason = {0};
  common.kind = "hyperelastic";
  tacStatus status = tac_hyperelastic_kind_create(def, &body, &reason);
  return tac_made_body_add(world, &common, status, &body, &reason, id, error);
}
