#include "kinds/green/green_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "asset/pointshell.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "kinds/green/green.h"
#include "kinds/green/patch_grip.h"
#include "kinds/made_body.h"
#include "world/world_build.h"

enum { MOST_FORCES = 512 }; /* maximum number of forces in one query */
enum { PARAMETER_STIFFNESS, PARAMETER_MASK, PARAMETERS };

typedef struct Green {
  /* Bodies by contact type. Index 0 is for point contacts with the mask. Each further index is for one fingertip; NULL
   * if there is no such fingertip. */
  tacGreenBody *touched[1 + TAC_MOST_TOOLS];
  double mask_radius;
  double young, poisson;
  tacReferenceProblem *problem;
  size_t response_bytes;
  tacInertia inertia;
  const tacPointshell *shell;
  const tacDistanceField *field;
} Green;

tacGreenBodyDef tac_green_body_def_default(void) {
  tacGreenBodyDef def = {
      .body = tac_body_def_default(), .stiffness = 1.0, .rigid_stiffness = 1500.0, .response_bytes = (size_t)1 << 30};
  def.body.friction = 0.2;
  return def;
}

/* Returns the body for queries that do not depend on the contact type. */
static tacGreenBody *body_of(const void *self) {
  return ((const Green *)self)->touched[0];
}

/* Returns the body whose masks spread a force at the site: the body of the first fingertip for fingertips, else the
 * body of point contacts. With near storage only one body computes responses, so all sites use the same body. This is
 * the body of the first fingertip, or the body of point contacts if there are no fingertips. */
static tacGreenBody *mask_at(const Green *g, const tacSite *site) {
  return g->touched[(site->kind == TAC_SITE_TIP || g->problem != NULL) && g->touched[1] != NULL];
}

static bool on_surface(const tacSite *site) {
  return site->kind == TAC_SITE_SURFACE || site->kind == TAC_SITE_TIP;
}

static void destroy(void *self) {
  Green *g = self;
  if (g == NULL) return;
  for (int k = 0; k <= TAC_MOST_TOOLS; ++k) tac_green_body_destroy(g->touched[k]);
  free(g);
}
TAC_OWNED_TYPE(Green, destroy)

static void reset(void *self) {
  (void)self; /* a body of this kind has no state */
}

static bool inertia(const void *self, tacInertia *to) {
  *to = ((const Green *)self)->inertia;
  return to->mass > 0.0;
}

/* ---- parameters ---- */

static tacStatus set_stiffness(Green *g, double factor, tacError *error) {
  if (!(factor > 0.0 && isfinite(factor)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the stiffness factor is %g; it must be positive", factor);
  for (int k = 0; k <= TAC_MOST_TOOLS; ++k)
    if (g->touched[k] != NULL) tac_green_body_set_stiffness(g->touched[k], factor);
  return TAC_OK;
}

/* Replaces a body after its masks have changed, since the masks determine the stiffness of every vertex. Contacts
 * continue with the new stiffness. */
static void replace(Green *g, int tip, tacGreenBody *made) {
  tac_green_body_set_stiffness(made, tac_green_body_stiffness(g->touched[0]));
  tac_green_body_destroy(g->touched[tip]);
  g->touched[tip] = made;
}

/* Sets the mask of point contacts. Fingertips have their own patches. */
static tacStatus set_mask(Green *g, double radius, tacError *error) {
  const tacGreen *green = tac_green_body_green(body_of(g));
  if (tac_green_storage(green) != TAC_GREEN_WHOLE)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the mask cannot change while Green's functions have near storage; "
                         "bake them with `storage: whole`");
  tacGreenBody *made;
  TAC_TRY(tac_green_body_create(green, radius, tac_green_body_rigid_stiffness(body_of(g)), &made, error));
  replace(g, 0, made);
  g->mask_radius = radius;
  return TAC_OK;
}

static tacParameter parameter(const void *self, int index) {
  const Green *g = self;
  if (index == PARAMETER_STIFFNESS)
    return (tacParameter){"stiffness", "stiffness", "", tac_green_body_stiffness(body_of(g)), .in_tick = true};
  return (tacParameter){"mask", "mask", "m", g->mask_radius, .in_tick = false};
}

static tacStatus set_parameter(void *self, int index, double value, tacError *error) {
  return index == PARAMETER_STIFFNESS ? set_stiffness(self, value, error) : set_mask(self, value, error);
}

/* ---- fingertips ---- */

/* Returns the baked material, without the stiffness factor of the body. The factor applies to the vertex
 * stiffnesses. */
static bool material(const void *self, int v, double *young, double *poisson) {
  const Green *g = self;
  (void)v;
  *young = g->young;
  *poisson = g->poisson;
  return g->young > 0.0;
}

static tacStatus meet_fingertip(void *self, int tip, double radius, tacError *error);

/* ---- geometry at rest ---- */

static const tacTriMesh *surface(const void *self) {
  return tac_green_body_surface(body_of(self))->mesh;
}

static tacBodyDescription describe(const void *self) {
  const Green *g = self;
  const tacGreen *green = tac_green_body_green(body_of(g));
  double tips = 0.0;
  for (int k = 1; k <= TAC_MOST_TOOLS; ++k)
    if (g->touched[k] != NULL) tips = fmax(tips, tac_green_body_most_stiffness(g->touched[k]));
  return (tacBodyDescription){
      .surface = surface(self),
      .fixed = tac_green_fixed(green),
      .points = g->shell,
      .field = g->field,
      .parameters = PARAMETERS,
      .stiffness = tac_green_body_most_stiffness(g->touched[0]),
      .tip_stiffness = tips,
      .method = tac_green_method(green) == TAC_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements"};
}

static tacVec3 vertex(const void *self, int v) {
  return surface(self)->vertices[v];
}

static tacVec3 vertex_normal(const void *self, int v) {
  return tac_green_body_surface(body_of(self))->vertex_normal[v];
}

static tacVec3 place(const void *self, const tacSite *site) {
  const Green *g = self;
  if (site->kind == TAC_SITE_SHELL) return tac_pointshell_point(g->shell, site->index);
  if (!on_surface(site)) return site->at;
  return tac_surface_walk_position(tac_green_body_surface(body_of(g)), tac_site_surface_point(site));
}

/* ---- response ---- */

static bool compliance(const void *self, const tacSite *at, const tacSite *by, double c[3][3]) {
  tacMat3 w;
  if (!on_surface(at) || !on_surface(by) ||
      !tac_green_body_compliance_between(mask_at(self, at), tac_site_surface_point(at), mask_at(self, by),
                                         tac_site_surface_point(by), &w))
    return false;
  memcpy(c, w.m, sizeof w.m);
  return true;
}

static const tacVertexStiffness *stiffness(const void *self, int tip, int v) {
  return tac_green_body_haptic_stiffness(((const Green *)self)->touched[tip], v);
}

/* Collects the forces at sites on the surface. Other sites are skipped, since sites may come from files. */
static int point_forces(const void *self, int count, const tacSite *sites, const tacVec3 *forces, tacPointForce *to) {
  int used = 0;
  for (int i = 0; i < count && used < MOST_FORCES; ++i)
    if (on_surface(&sites[i]) && sites[i].index >= 0 && sites[i].index < surface(self)->triangle_count)
      to[used++] = (tacPointForce){tac_site_surface_point(&sites[i]), forces[i], mask_at(self, &sites[i])};
  return used;
}

static void displace(const void *self, int count, const tacSite *sites, const tacVec3 *forces, tacVec3 *displacements,
                     tacVec3 *tractions, double *sensors) {
  tacPointForce at[MOST_FORCES];
  count = point_forces(self, count, sites, forces, at);
  if (displacements != NULL || sensors != NULL) tac_green_body_deform(body_of(self), count, at, displacements, sensors);
  if (tractions != NULL) tac_green_body_tractions(body_of(self), count, at, tractions);
}

static bool sensor(const void *self, int index, tacShownSensor *to) {
  const tacSensor *s = tac_green_sensor(tac_green_body_green(body_of(self)), index);
  if (s == NULL) return false;
  *to = s->kind == TAC_SENSOR_STRESS ? (tacShownSensor){s->name, "stress", "Pa", 6}
                                     : (tacShownSensor){s->name, "displacement", "m", 3};
  return true;
}

static double error_estimate(const void *self, int count, const tacSite *sites, const tacVec3 *forces) {
  tacPointForce at[MOST_FORCES];
  count = point_forces(self, count, sites, forces, at);
  return tac_green_body_error_estimate(body_of(self), count, at);
}

/* ---- pads ---- */

static bool may_hold(const void *self) {
  return tac_green_storage(tac_green_body_green(body_of(self))) == TAC_GREEN_WHOLE;
}

static tacStatus create_grip(const void *self, int most_pads, int most_vertices, tacPatchGrip **grip, tacError *error) {
  tacPatchGripDef def = tac_patch_grip_def_default();
  def.most_pads = most_pads;
  def.most_vertices = most_vertices;
  return tac_patch_grip_create(tac_green_body_green(body_of(self)), &def, grip, error);
}

static void step_grip(tacPatchGrip *grip, const void *self) {
  tac_patch_grip_set_stiffness(grip, tac_green_body_stiffness(body_of(self)));
  tac_patch_grip_step(grip);
}

static bool may_load(const void *self, int vertex) {
  const tacGreen *green = tac_green_body_green(body_of(self));
  return vertex >= 0 && vertex < tac_green_surface(green)->vertex_count && !tac_green_fixed(green)[vertex] &&
         tac_green_column(green, vertex) != NULL;
}

static void add_loads(const void *self, const tacPatchSnapshot *snapshot, tacVec3 *moved, tacVec3 *loaded,
                      double *rows) {
  tac_patch_snapshot_add(snapshot, tac_green_body_green(body_of(self)), moved, loaded, rows);
}

static const tacPads pads = {.may_hold = may_hold,
                             .create = create_grip,
                             .destroy = tac_patch_grip_destroy,
                             .reset = tac_patch_grip_reset,
                             .take = tac_patch_grip_take,
                             .move = tac_patch_grip_move,
                             .release = tac_patch_grip_release,
                             .step = step_grip,
                             .reply = tac_patch_grip_reply,
                             .stiffness = tac_patch_grip_stiffness,
                             .snapshot = tac_patch_grip_snapshot,
                             .may_load = may_load,
                             .add = add_loads};

static const tacBodyLooks looks = {.sensor = sensor, .tractions = true};

static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .describe = describe,
                                   .parameter = parameter,
                                   .set_parameter = set_parameter,
                                   .inertia = inertia,
                                   .material = material,
                                   .meet_fingertip = meet_fingertip,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place,
                                   .compliance = compliance,
                                   .stiffness = stiffness,
                                   .displace = displace,
                                   .looks = &looks,
                                   .pads = &pads,
                                   .error_estimate = error_estimate,
                                   .error_cause = "displacements are beyond the range of linear elasticity",
                                   .remedy = "use a kind for large strain, or press and pull less"};

static tacStatus meet_fingertip(void *self, int tip, double radius, tacError *error) {
  Green *g = self;
  tacGreenBody *now = body_of(g);
  const tacBody body = {&table, self};
  TAC_FREED(tac_fingertip_destroy, tacFingertip, found) = {0};
  TAC_OWN(tacGreenBody, made) = NULL;
  TAC_TRY(tac_fingertip_create(&body, tac_green_body_surface(now), radius, &found, error));
  TAC_TRY(tac_green_body_create_touched(tac_green_body_green(now), &found, tac_green_body_rigid_stiffness(now), &made,
                                        error));
  /* Only one thread may use the problem, so the thread of the body for point contacts stops first. */
  if (g->problem != NULL && tip == 1) {
    tac_green_body_forget_on_demand(now);
    TAC_TRY(tac_green_body_compute_on_demand(made, g->problem, g->response_bytes, error));
  }
  replace(g, tip, tac_give(&made));
  return TAC_OK;
}

tacGreenBody *tac_green_kind_body(const tacBody *body) {
  return body->table == &table ? body_of(body->self) : NULL;
}

tacStatus tac_green_kind_create(const tacGreenBodyDef *def, tacBody *body, tacError *error) {
  *body = (tacBody){NULL, NULL};
  if (def->green == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a green body needs Green's functions");
  if (!(def->stiffness > 0.0 && isfinite(def->stiffness)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the stiffness factor is %g; it must be positive", def->stiffness);
  if (!(def->young >= 0.0 && isfinite(def->young) && def->poisson > -1.0 && def->poisson < 0.5))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "Young's modulus is %g Pa and Poisson's ratio %g; they must be 0 "
                         "or more, and between -1 and 0.5",
                         def->young, def->poisson);
  if (def->shell != NULL && tac_pointshell_coordinates(def->shell) != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the points are embedded in a body with %d coordinates; a green body needs points that are "
                         "not embedded",
                         tac_pointshell_coordinates(def->shell));
  TAC_OWN(Green, g) = NULL;
  TAC_TRY(TAC_ARRAY(g, 1, "a body", error));
  *g = (Green){.mask_radius = def->mask_radius,
               .inertia = def->inertia,
               .shell = def->shell,
               .field = def->field,
               .young = def->young,
               .poisson = def->poisson,
               .problem = def->problem,
               .response_bytes = def->response_bytes};
  TAC_TRY(tac_green_body_create(def->green, def->mask_radius, def->rigid_stiffness, &g->touched[0], error));
  if (def->problem != NULL)
    TAC_TRY(tac_green_body_compute_on_demand(g->touched[0], def->problem, def->response_bytes, error));
  tac_green_body_set_stiffness(g->touched[0], def->stiffness);
  *body = (tacBody){&table, tac_give(&g)};
  return TAC_OK;
}

/* ---- use in a world ---- */

tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error) {
  TAC_REQUIRE(error, world, def);
  tacBodyDef common = def->body;
  tacBody body;
  tacError reason = {0};
  common.kind = common.kind != NULL && common.kind[0] != '\0' ? common.kind : "green";
  common.every = 1;
  tacStatus status = tac_green_kind_create(def, &body, &reason);
  return tac_made_body_add(world, &common, status, &body, &reason, id, error);
}

const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id) {
  const Green *g = tac_world_body_self(world, id, &table);
  return g != NULL ? tac_green_body_green(body_of(g)) : NULL;
}
