#include "kinds/reduced/reduced_kind.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asset/contact_field.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/pointshell.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "elastic/surface_stretch.h"
#include "kinds/made_body.h"
#include "kinds/reduced/reduced.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "math/dense/vector.h"
#include "world/world_build.h"

typedef struct Reduced {
  tacReducedBody *body;
  const tacTriMesh *surface;
  bool moved;             /* true if `move` was called in the unfinished step */
  bool limited;           /* true if the acceleration was limited in the unfinished step */
  double *reach;          /* largest displacement of any vertex per unit of each coordinate, [r] */
  _Atomic double *values; /* parameter values, [parameter]; written by the stepping thread, read by any thread */
  const tacPointshell *shell;
  const tacDeformedField *field;
  tacContactField contact_field; /* deforming field for contacts; its member `moved` covers only the last step */
  /* Displacement and deformation gradient per coordinate at the proxies of the field, [proxy of all
   * domains][12][stride]. The rows give the response to a force at a proxy. */
  float *proxy_rows;
  int *first_proxy; /* index of the first proxy of each domain, [domain] */
  int stride;
  tacCoordinateForceDef force; /* given internal force; all members are NULL for polynomials */
  tacArrays arrays;
} Reduced;

tacReducedBodyDef tac_reduced_body_def_default(void) {
  return (tacReducedBodyDef){
      .body = tac_body_def_default(), .mass_damping = 0.5, .stiffness_damping = 0.002, .newton_steps = 1};
}

static const tacReduced *asset_of(const Reduced *r) {
  return tac_reduced_body_asset(r->body);
}

/* ---- destruction, reset ---- */

static void destroy(void *self) {
  Reduced *r = self;
  if (r == NULL) return;
  tac_reduced_body_destroy(r->body);
  tac_deformed_pose_destroy(r->contact_field.deformed);
  tac_arrays_free(&r->arrays);
  free(r);
}

static void follow(Reduced *r) {
  if (r->contact_field.deformed != NULL)
    r->contact_field.moved = tac_deformed_pose_set(r->contact_field.deformed, tac_reduced_body_q(r->body));
}

static void reset(void *self) {
  Reduced *r = self;
  tac_reduced_body_settle(r->body); /* completes the energy sum; parameters are not reset */
  tac_reduced_body_reset(r->body);
  r->moved = false;
  follow(r);
}

static int state_size(const void *self) {
  return tac_reduced_body_state_size(((const Reduced *)self)->body);
}

static void save(const void *self, int count, double *state) {
  const Reduced *r = self;
  if (count < state_size(self))
    memcpy(state, tac_reduced_body_q(r->body), (size_t)count * sizeof *state);
  else
    tac_reduced_body_save(r->body, state);
}

static bool load(void *self, const double *state) {
  Reduced *r = self;
  if (!tac_reduced_body_load(r->body, state)) return false;
  follow(r);
  return true;
}

static bool inertia(const void *self, tacInertia *to) {
  *to = *tac_reduced_body_inertia(((const Reduced *)self)->body);
  return to->mass > 0.0;
}

/* ---- parameters ---- */

/* Indices of the parameters: first the parameters of the body, then the parameters of each group. Strain-rate damping
 * is the last parameter, if the model has data for strain-rate damping. */
enum { STIFFNESS, DAMPING, LINEAR, OF_BODY, LAMBDA = 0, MU, DENSITY, OF_GROUP };
static const struct {
  const char *label, *unit;
} names[] = {{"stiffness", ""}, {"damping", "s"}, {"linear", ""}, {"strain_rate", "s"}};
static const char *const group_names[] = {"lambda", "mu", "density"};

/* Returns the number of groups whose factors can be set. */
static int group_count(const Reduced *r) {
  return tac_reduced_body_has_force(r->body) ? 0 : tac_reduced_group_count(asset_of(r));
}

static bool has_strain_rate(const Reduced *r) {
  return !tac_reduced_body_has_force(r->body) && tac_reduced_has_strain_rate(asset_of(r));
}

static int strain_rate_index(const Reduced *r) {
  return has_strain_rate(r) ? OF_BODY + OF_GROUP * group_count(r) : -1;
}

static int parameter_count(const Reduced *r) {
  return OF_BODY + OF_GROUP * group_count(r) + has_strain_rate(r);
}

static tacParameter parameter(const void *self, int index) {
  const Reduced *r = self;
  bool of_body = index < OF_BODY || index == strain_rate_index(r);
  int group = (index - OF_BODY) / OF_GROUP, place = index < OF_BODY ? index : OF_BODY;
  tacParameter p = {.value = r->values[index], .in_tick = true, .unit = ""};
  p.label = of_body ? names[place].label : group_names[(index - OF_BODY) % OF_GROUP];
  if (of_body) p.unit = names[place].unit;
  if (of_body || group_count(r) == 1)
    snprintf(p.name, sizeof p.name, "%s", p.label);
  else
    snprintf(p.name, sizeof p.name, "%.64s.%s", tac_reduced_group_name(asset_of(r), group), p.label);
  return p;
}

static tacStatus set_parameter(void *self, int index, double value, tacError *error) {
  Reduced *r = self;
  int strain_rate = strain_rate_index(r);
  double least = index == DAMPING || index == LINEAR || index == strain_rate ? 0.0 : 1e-9;
  if (!(value >= least && value <= 1e9))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s is %g; it must be between %g and 1e9",
                         parameter(self, index).name, value, least);
  const _Atomic double *values = r->values;
  r->values[index] = index == LINEAR ? value != 0.0 : value;
  tacReducedMotion motion = *tac_reduced_body_motion(r->body);
  motion.stiffness_damping = values[DAMPING];
  motion.linear = values[LINEAR] != 0.0;
  if (strain_rate >= 0) motion.strain_rate = values[strain_rate];
  tac_reduced_body_set_motion(r->body, &motion);
  tac_reduced_body_set_stiffness(r->body, values[STIFFNESS]);
  for (int g = 0; g < group_count(r); ++g) { /* the set functions ignore unchanged values */
    const _Atomic double *of_group = values + OF_BODY + OF_GROUP * g;
    tac_reduced_body_set_lambda(r->body, g, values[STIFFNESS] * of_group[LAMBDA]);
    tac_reduced_body_set_mu(r->body, g, values[STIFFNESS] * of_group[MU]);
    tac_reduced_body_set_density(r->body, g, of_group[DENSITY]);
  }
  return TAC_OK;
}

/* ---- positions ---- */

static tacVec3 vertex(const void *self, int v) {
  return tac_reduced_body_vertex(((const Reduced *)self)->body, v);
}

static tacVec3 vertex_normal(const void *self, int v) {
  return tac_reduced_body_vertex_normal(((const Reduced *)self)->body, v);
}

static tacBodyBounds bounds(const void *self) {
  const Reduced *r = self;
  const double *q = tac_reduced_body_q(r->body);
  double sum = 0.0;
  for (int j = 0; j < tac_reduced_body_size(r->body); ++j) sum += r->reach[j] * fabs(q[j]);
  return (tacBodyBounds){.swelling = sum};
}

static tacVec3 place(const void *self, const tacSite *site) {
  const Reduced *r = self;
  if (site->kind == TAC_SITE_SURFACE) return tac_reduced_body_point(r->body, tac_site_surface_point(site));
  if (site->kind == TAC_SITE_SHELL)
    return tac_pointshell_deformed_point(r->shell, site->index, tac_reduced_body_q(r->body));
  if (site->kind == TAC_SITE_FIELD)
    return tac_deformed_pose_push_forward(r->contact_field.deformed, site->index >> 16, site->index & 65535, site->at);
  return site->at;
}

static void vertices(const void *self, const double *q, tacVec3 *to) {
  const Reduced *r = self;
  const double *u = tac_reduced_displacements(asset_of(r));
  int n = tac_reduced_body_size(r->body);
  for (int v = 0; v < r->surface->vertex_count; ++v, u += 3 * (size_t)n) {
    double sum[3] = {0.0, 0.0, 0.0};
    if (q != NULL) tac_vector_dot3(n, u, q, sum);
    to[v] = tac_vec3_add(r->surface->vertices[v], tac_vec3(sum[0], sum[1], sum[2]));
  }
}

/* Computes vertex colours by stress. Returns false if the body has several groups, because the material of each vertex
 * is then unknown. */
static bool colours(const void *self, const double *q, const tacVec3 *at, tacColouring colour, tacStressSum *room,
                    double *stress) {
  const Reduced *r = self;
  const tacMaterial *material = tac_reduced_group_material(asset_of(r), 0);
  (void)q;
  if (colour != TAC_COLOUR_STRESS || tac_reduced_group_count(asset_of(r)) != 1 || !material->isotropic) return false;
  double scale[2] = {r->values[STIFFNESS], r->values[STIFFNESS]}; /* factors on lambda and mu */
  for (int i = 0; i < 2 && group_count(r) > 0; ++i) scale[i] *= r->values[OF_BODY + (i == 0 ? LAMBDA : MU)];
  double shear = 0.5 * material->young / (1.0 + material->poisson);
  double lambda = 2.0 * shear * material->poisson / (1.0 - 2.0 * material->poisson);
  tac_surface_stretch_stress(r->surface, at, scale[0] * lambda, scale[1] * shear, room, stress);
  return true;
}

static bool basis(const void *self, tacShownBasis *to) {
  const tacReduced *asset = asset_of(self);
  *to = (tacShownBasis){.size = tac_reduced_size(asset),
                        .is_free = tac_reduced_is_free(asset),
                        .surface = tac_reduced_surface(asset),
                        .fixed = tac_reduced_fixed(asset),
                        .displacements = tac_reduced_displacements(asset),
                        .normals = tac_reduced_normals(asset),
                        .normal_changes = tac_reduced_normal_changes(asset)};
  return true;
}

static bool shape(const void *self, int index, tacShownShape *to) {
  const tacReduced *asset = asset_of(self);
  *to = (tacShownShape){tac_reduced_shape_label(asset, index), tac_reduced_shape(asset, index)};
  return to->label != NULL;
}

static tacBodyDescription describe(const void *self) {
  const Reduced *r = self;
  const tacReducedMotion *motion = tac_reduced_body_motion(r->body);
  const int *kept;
  return (tacBodyDescription){.surface = r->surface,
                              .fixed = tac_reduced_fixed(asset_of(r)),
                              .points = r->shell,
                              .points_q = tac_reduced_body_q(r->body),
                              .deformed_field = r->contact_field.deformed != NULL ? &r->contact_field : NULL,
                              .state = state_size(self),
                              .shown = tac_reduced_body_size(r->body),
                              .parameters = parameter_count(r),
                              .coordinates = tac_reduced_body_kept(r->body, &kept),
                              .iterations = motion->newton_steps,
                              .rates = motion->is_static ? NULL : tac_reduced_body_rates(r->body)};
}

/* ---- the step ---- */

static void begin(Reduced *r, const tacBodyStep *step) {
  tacReducedMotion motion = *tac_reduced_body_motion(r->body);
  motion.step = step->length;
  motion.euler = step->euler;
  motion.gravity = step->gravity;
  tac_reduced_body_set_motion(r->body, &motion);
  r->limited = false;
}

static bool linearise(void *self, const tacBodyStep *step, double *matrix, double *to) {
  Reduced *r = self;
  if (!r->moved) { /* linearise may be called several times before the first call of move */
    begin(r, step);
    tac_reduced_body_begin(r->body);
  }
  tacReducedAdvance report = {0};
  bool done = tac_reduced_body_linearise(r->body, matrix, to, &report);
  r->limited = r->limited || report.limited;
  return done;
}

static void move(void *self, const double *motion) {
  Reduced *r = self;
  r->moved = true;
  tac_reduced_body_move(r->body, motion);
}

static tacBodyFinish finish(void *self, const tacBodyStep *step) {
  (void)step;
  Reduced *r = self;
  tacBodyFinish report = {.refused = !tac_reduced_body_finish(r->body)};
  report.limited = r->limited || tac_reduced_body_shortened(r->body);
  r->moved = false;
  follow(r);
  return report;
}

static tacBodyFinish advance(void *self, const tacBodyStep *step) {
  Reduced *r = self;
  begin(r, step);
  tacReducedAdvance done = tac_reduced_body_advance(r->body);
  r->moved = false;
  follow(r);
  return (tacBodyFinish){.limited = done.limited, .refused = done.refused};
}

/* Computes the displacement of a material point X of the field per coordinate, dp + dF (X - P). The modes dp and dF
 * belong to the proxy at P. Barbic 2007 uses only dp, which omits the rotation of the body between proxies. `to` is
 * [3][stride]. */
static void field_rows(const Reduced *r, const tacSite *site, float *to) {
  int domain = site->index >> 16, proxy = site->index & 65535;
  tacVec3 away = tac_vec3_sub(site->at, tac_deformed_field_proxy(r->field, domain, proxy));
  const float ax = (float)away.x, ay = (float)away.y, az = (float)away.z;
  const size_t row = (size_t)r->stride;
  const float *u = r->proxy_rows + (size_t)(r->first_proxy[domain] + proxy) * 12 * row, *f = u + 3 * row;
  for (int axis = 0; axis < 3; ++axis, u += row, to += row, f += 3 * row)
    for (size_t j = 0; j < row; ++j) to[j] = u[j] + (f[j] * ax + f[row + j] * ay + f[2 * row + j] * az);
}

/* Returns the rows of U at a site for all r coordinates of the asset, [3][stride]. */
static const float *all_rows(const Reduced *r, const tacSite *site, float *room) {
  if (site->kind == TAC_SITE_SHELL)
    return tac_pointshell_view(r->shell)->displacements + (size_t)site->index * 3 * (size_t)r->stride;
  field_rows(r, site, room);
  return room;
}

static void rows(const void *self, const tacSite *site, double *to) {
  const Reduced *r = self;
  const int *kept;
  int n = tac_reduced_body_kept(r->body, &kept);
  if (site->kind == TAC_SITE_SURFACE) {
    tac_reduced_body_jacobian(r->body, tac_site_surface_point(site), to);
    return;
  }
  float room[3 * (TAC_BODY_MOST_COORDINATES + 4)];
  const float *all = site->kind == TAC_SITE_FRAME ? NULL : all_rows(r, site, room);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < n; ++i) to[axis * n + i] = all != NULL ? (double)all[axis * r->stride + kept[i]] : 0.0;
}

/* Returns the estimated model error. A uniform stiffness factor does not change the error. */
static double error_estimate(const void *self, int count, const tacSite *sites, const tacVec3 *forces) {
  const Reduced *r = self;
  double stiffness = r->values[STIFFNESS];
  (void)count, (void)sites, (void)forces; /* the estimate depends only on the state of the body */
  if (group_count(r) == 1) stiffness *= r->values[OF_BODY + MU];
  return tac_reduced_body_error_estimate(r->body, stiffness);
}

/* Returns the material of the first group. Young's modulus is scaled with the factor on mu, and Poisson's ratio is
 * unchanged. */
static bool material(const void *self, int v, double *young, double *poisson) {
  const Reduced *r = self;
  const tacMaterial *baked = tac_reduced_group_material(asset_of(r), 0);
  (void)v;
  if (baked == NULL || !baked->isotropic) return false;
  *young = r->values[STIFFNESS] * baked->young * (group_count(r) > 0 ? r->values[OF_BODY + MU] : 1.0);
  *poisson = baked->poisson;
  return true;
}

static double energy(const void *self) {
  return tac_reduced_body_stored(((const Reduced *)self)->body);
}

static bool covers(const void *self, tacVec3 force) {
  const Reduced *r = self;
  return r->force.covers(r->force.source, force);
}

static bool known_loads(const void *self, tacKnownLoads *to) {
  const Reduced *r = self;
  return r->force.known_loads(r->force.source, to);
}

static bool load_mode(const void *self, int v, int coordinate, tacVec3 *mode) {
  const Reduced *r = self;
  if (v < 0 || v >= r->surface->vertex_count || coordinate < 0 || coordinate >= tac_reduced_body_size(r->body))
    return false;
  return r->force.load_mode(r->force.source, v, coordinate, mode);
}

/* Members that `looks` and `bounded_looks` have in common. `bounded_looks` is for models that are valid only for some
 * forces. */
#define LOOKS .vertices = vertices, .colours = colours, .shape = shape, .basis = basis
static const tacBodyLooks looks = {LOOKS};
static const tacBodyLooks bounded_looks = {LOOKS, .covers = covers, .known_loads = known_loads, .load_mode = load_mode};
#define ANSWERS                                                                                                   \
  .version = TAC_BODY_TABLE_VERSION, .destroy = destroy, .reset = reset, .describe = describe, .save = save,      \
  .load = load, .parameter = parameter, .set_parameter = set_parameter, .inertia = inertia, .material = material, \
  .vertex = vertex, .vertex_normal = vertex_normal, .place = place, .bounds = bounds, .linearise = linearise,     \
  .move = move, .finish = finish, .advance = advance, .rows = rows, .energy = energy,                             \
  .error_estimate = error_estimate, .error_cause = "the body is deformed beyond what its basis can represent",    \
  .remedy = "bake it with a larger size or more modes, or from a sketch of such loads"
static const tacBodyTable table = {ANSWERS, .looks = &looks};
static const tacBodyTable bounded_table = {ANSWERS, .looks = &bounded_looks};

/* ---- creation ---- */

tacReducedBody *tac_reduced_kind_body(const tacBody *body) {
  return body->table == &table || body->table == &bounded_table ? ((Reduced *)body->self)->body : NULL;
}

static tacStatus make_proxy_rows(Reduced *r, tacError *error) {
  int n = tac_deformed_field_coordinates(r->field), domains = tac_deformed_field_domain_count(r->field), count = 0;
  size_t row = (size_t)r->stride;
  r->first_proxy = tac_arrays_add(&r->arrays, (size_t)domains, sizeof *r->first_proxy);
  TAC_TRY(tac_arrays_status(&r->arrays, "domains", error));
  for (int d = 0; d < domains; ++d) {
    r->first_proxy[d] = count;
    count += tac_deformed_field_proxy_count(r->field, d);
  }
  r->proxy_rows = tac_arrays_add(&r->arrays, (size_t)count * 12 * row, sizeof *r->proxy_rows);
  TAC_TRY(tac_arrays_status(&r->arrays, "proxies", error));
  for (int d = 0; d < domains; ++d)
    for (int p = 0; p < tac_deformed_field_proxy_count(r->field, d); ++p) {
      const double *from = tac_deformed_pose_modes(r->contact_field.deformed, d, p);
      float *to = r->proxy_rows + (size_t)(r->first_proxy[d] + p) * 12 * row;
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < n; ++j) to[(size_t)i * row + (size_t)j] = (float)from[i * n + j];
    }
  return TAC_OK;
}

static void measure(Reduced *r) {
  int n = tac_reduced_body_size(r->body);
  const double *u = tac_reduced_displacements(asset_of(r));
  for (int v = 0; v < r->surface->vertex_count; ++v, u += 3 * (size_t)n)
    for (int j = 0; j < n; ++j) r->reach[j] = fmax(r->reach[j], tac_vec3_norm(tac_vec3(u[j], u[n + j], u[2 * n + j])));
}

static tacStatus fill(Reduced *r, const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacError *error) {
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.newton_steps = def->newton_steps;
  motion.mass_damping = def->mass_damping;
  motion.stiffness_damping = def->stiffness_damping;
  motion.strain_rate = def->strain_rate;
  motion.is_static = def->is_static;
  motion.linear = def->linear;
  motion.acceleration_limit = def->acceleration_limit;
  motion.gravity = def->body.gravity;
  TAC_TRY(tac_reduced_body_create_with(def->reduced, force, def->kept, &motion, &r->body, error));
  int n = tac_reduced_body_size(r->body), count = parameter_count(r);
  r->surface = tac_reduced_surface(def->reduced);
  r->stride = (n + 3) / 4 * 4;
  r->shell = def->shell;
  r->field = def->field;
  if (force != NULL) r->force = *force;
  r->values = tac_arrays_add(&r->arrays, (size_t)count, sizeof *r->values);
  r->reach = tac_arrays_add(&r->arrays, (size_t)n, sizeof *r->reach);
  TAC_TRY(tac_arrays_status(&r->arrays, "a reduced body", error));
  for (int i = 0; i < count; ++i) r->values[i] = 1.0;
  r->values[DAMPING] = def->stiffness_damping;
  r->values[LINEAR] = def->linear ? 1.0 : 0.0;
  if (has_strain_rate(r)) r->values[strain_rate_index(r)] = def->strain_rate;
  measure(r);
  if (def->field == NULL) return TAC_OK;
  TAC_TRY(tac_deformed_pose_create_loaded(def->field, def->loads, &r->contact_field.deformed, error));
  follow(r);
  return make_proxy_rows(r, error);
}

static tacStatus check(const tacReducedBodyDef *def, tacError *error) {
  if (def->reduced == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a reduced body needs its model");
  int n = tac_reduced_size(def->reduced);
  int of_points = def->shell != NULL ? tac_pointshell_coordinates(def->shell) : n;
  int of_field = def->field != NULL ? tac_deformed_field_coordinates(def->field) : n;
  if (of_points != n || of_field != n)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the body has %d coordinates, but its points are embedded in %d and its field in %d; use "
                         "points and field of the same body",
                         n, of_points, of_field);
  return TAC_OK;
}

TAC_OWNED_TYPE(Reduced, destroy)

tacStatus tac_reduced_kind_create(const tacReducedBodyDef *def, const tacCoordinateForceDef *force, tacBody *body,
                                  tacError *error) {
  *body = (tacBody){NULL, NULL};
  TAC_TRY(check(def, error));
  TAC_OWN(Reduced, r) = tac_array_create(1, sizeof *r, "a reduced body", error);
  if (r == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(fill(r, def, force, error));
  *body = (tacBody){r->force.covers != NULL ? &bounded_table : &table, r};
  tac_give(&r);
  return TAC_OK;
}

/* ---- in a world ---- */

tacStatus tac_reduced_kind_add(tacWorld *world, const char *kind, bool is_free, const tacReducedBodyDef *def,
                               const tacCoordinateForceDef *force, tacBodyId *id, tacError *error) {
  tacBodyDef common = def->body;
  tacBody body;
  tacError reason = {0};
  common.kind = kind;
  common.free = is_free;
  common.shown = TAC_SHOWN_COORDINATES;
  tacStatus status = tac_reduced_kind_create(def, force, &body, &reason);
  return tac_made_body_add(world, &common, status, &body, &reason, id, error);
}

tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error) {
  TAC_REQUIRE(error, world, def);
  bool is_free = def->reduced != NULL && tac_reduced_is_free(def->reduced);
  return tac_reduced_kind_add(world, "reduced", is_free, def, NULL, id, error);
}

static const Reduced *find(const tacWorld *world, tacBodyId id) {
  const Reduced *r = tac_world_body_self(world, id, &table);
  return r != NULL ? r : tac_world_body_self(world, id, &bounded_table);
}

const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id) {
  const Reduced *r = find(world, id);
  return r != NULL ? asset_of(r) : NULL;
}

const void *tac_reduced_kind_source(const tacWorld *world, tacBodyId id) {
  const Reduced *r = find(world, id);
  return r != NULL ? r->force.source : NULL;
}
