/* Creation and destruction of a world, and functions that check and add its parts. Load phase. */
#include "world/world_build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "world/pairs/pair.h"
#include "world/tools/held_tool.h"

/* Constants for the default stiffness of a pair. */
static const double usual_give = 0.01;    /* deformation under the expected load / thickness of the thinner body */
static const double hand_force = 5.0;     /* assumed force of a hand, N */
static const double weight = 9.81;        /* gravity, N/kg */
static const double most_stiffness = 1e7; /* upper limit of the stiffness of a point, N/m */

/* ---- creation and destruction ---- */

tacWorldDef tac_world_def_default(void) {
  return (tacWorldDef){.period = 0.001, .simulate_every = 1};
}

static tacStatus check_laws(const tacLawsDef *laws, const char *whose, tacError *error) {
  if (laws->patch < 0 || laws->patch > TAC_LAWS_MOST_PATCH)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: a patch of %d contacts; must be 1 to %d, or 0", whose,
                         laws->patch, TAC_LAWS_MOST_PATCH);
  if (!(laws->restitution >= 0.0 && laws->restitution <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: restitution %g must be between 0 and 1", whose,
                         laws->restitution);
  return TAC_OK;
}

tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error) {
  static atomic_uint worlds;
  TAC_REQUIRE(error, world);
  *world = NULL;
  TAC_REQUIRE(error, def);
  if (!(def->period >= 1e-5 && def->period <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "period %g s: must be between 1e-5 and 1 s", def->period);
  if (!(def->budget >= 0.0 && def->budget <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "budget %g s: must be between 0 (none) and 1 s", def->budget);
  if (!(def->simulate_every >= 1 && def->simulate_every <= 100))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "simulate_every %d: must be 1 to 100 ticks", def->simulate_every);
  TAC_TRY(check_laws(&def->laws, "free bodies", error));
  tacWorld *w;
  TAC_TRY(TAC_ARRAY(w, 1, "a world", error));
  w->tick_period = def->period;
  w->period = def->period * def->simulate_every;
  /* The result of a step is used during the next two steps. */
  w->look_ahead = def->simulate_every > 1 ? 3.0 : 1.0;
  w->budget = def->budget;
  w->method = def->method;
  w->laws = def->laws;
  w->movable = def->movable;
  w->simulate_every = def->simulate_every;
  tac_world_forget_pairs(w);
  w->generation = atomic_fetch_add(&worlds, 1u) + 1u;
  *world = w;
  return TAC_OK;
}

static void free_parts(tacWorldBody *body) {
  tac_proximity_destroy(&body->fingers.proximity);
  tac_surface_walk_destroy(&body->fingers.walk);
  free(body->name);
  free(body->kind);
  free(body->moves.pending);
}

void tac_world_destroy(tacWorld *world) {
  if (world == NULL) return;
  tac_world_stop_simulation(world);
  tac_world_unseal(world);
  for (int p = 0; p < world->pair_count; ++p) tac_pair_destroy(&world->contact_pairs[p]);
  for (int b = 0; b < world->body_count; ++b) {
    world->bodies[b].body.table->destroy(world->bodies[b].body.self);
    free_parts(&world->bodies[b]);
  }
  for (int t = 0; t < world->tool_count; ++t) free(world->tools[t].name);
  for (int s = 0; s < world->surface_count; ++s) tac_body_surface_destroy(world->surfaces[s]);
  tac_distance_field_destroy(world->floor_field);
  free(world->dump_folder);
  free(world->surfaces);
  free(world->bodies);
  free(world->contact_pairs);
  free(world);
}

enum { MOST_BODIES = 4096 };

static tacStatus check_open(const tacWorld *world, tacError *error) {
  return world->sealed ? tac_error_set(error, TAC_ERR_ARGUMENT, "the world is sealed: nothing can be added") : TAC_OK;
}

static tacStatus check_name(const char *name, const char *what, bool taken, tacError *error) {
  if (name == NULL || name[0] == '\0') return tac_error_set(error, TAC_ERR_ARGUMENT, "a %s needs a name", what);
  if (taken)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "another %s is already called %s; names must be unique", what, name);
  return TAC_OK;
}

tacBodyDef tac_body_def_default(void) {
  return (tacBodyDef){.kind = "",
                      .pose = {.orientation = {1.0, 0.0, 0.0, 0.0}},
                      .every = 1,
                      .friction = 0.4,
                      .touch_stiffness = 300.0,
                      .touch_damping = 0.3,
                      .contact_stiffness = 2000.0,
                      .contact_damping = 2.0,
                      .shown = TAC_SHOWN_VERTICES};
}

/* A value to check. It must be positive, or not negative if `may_be_zero`. */
typedef struct Number {
  const char *what;
  double value;
  bool may_be_zero;
} Number;

static tacStatus check_numbers(const char *owner, const char *name, size_t count, const Number *numbers,
                               tacError *error) {
  for (const Number *n = numbers; n < numbers + count; ++n)
    if (!isfinite(n->value) || n->value < 0.0 || (n->value == 0.0 && !n->may_be_zero))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s %s: %s %g must %s", owner, name, n->what, n->value,
                           n->may_be_zero ? "not be negative" : "be positive");
  return TAC_OK;
}

static tacStatus check_body(const tacWorld *world, const tacBodyDef *def, tacError *error) {
  const Number numbers[] = {{"friction", def->friction, true},
                            {"touch stiffness", def->touch_stiffness, false},
                            {"touch damping", def->touch_damping, true},
                            {"contact stiffness", def->contact_stiffness, false},
                            {"contact damping", def->contact_damping, true}};
  const char *name = def->name;
  bool taken = false;
  for (int b = 0; b < world->body_count && name != NULL; ++b) taken = taken || strcmp(world->bodies[b].name, name) == 0;
  TAC_TRY(check_name(name, "body", taken, error));
  if (world->body_count == MOST_BODIES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d bodies", MOST_BODIES);
  if (!tac_vec3_finite(def->pose.position) || !(fabs(tac_quat_norm(tac_quat_of(def->pose.orientation)) - 1.0) < 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: its pose must be finite, with a unit quaternion", name);
  TAC_TRY(check_numbers("body", name, sizeof numbers / sizeof *numbers, numbers, error));
  if (!tac_vec3_finite(def->gravity) || !tac_vec3_finite(def->velocity) || !tac_vec3_finite(def->spin))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: gravity, velocity and spin must be finite", name);
  if (def->every < 1 || def->every > 100)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a step every %d ticks is out of range; use 1 to 100", name,
                         def->every);
  return TAC_OK;
}

/* Checks that a kind implements all required functions. */
static tacStatus check_table(const tacBodyDef *def, const tacBodyTable *table, void *self, tacError *error) {
  if (table == NULL || self == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: the table of functions or its data is NULL; both are "
                         "required",
                         def->name);
  if (table->version != TAC_BODY_TABLE_VERSION)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "body %s: the table has version %u, but this library has version "
                         "%d; recompile the kind",
                         def->name, table->version, TAC_BODY_TABLE_VERSION);
  if (table->destroy == NULL || table->reset == NULL || table->describe == NULL || table->vertex == NULL ||
      table->vertex_normal == NULL || table->place == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: its table lacks destroy, reset, describe, vertex, vertex_normal or place",
                         def->name);
  const tacBodyDescription is = table->describe(self);
  bool lacks_step = table->linearise == NULL || table->move == NULL || table->finish == NULL || table->rows == NULL;
  if (is.coordinates < 0 || is.coordinates > TAC_BODY_MOST_COORDINATES || (is.coordinates > 0 && lacks_step))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: with coordinates (at most %d) its table needs linearise, move, finish and rows",
                         def->name, TAC_BODY_MOST_COORDINATES);
  if ((is.state > 0 && (table->save == NULL || table->load == NULL)) || is.shown > is.state)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: with a state (%d numbers, %d of them shown) its table needs save and load",
                         def->name, is.state, is.shown);
  if (is.parameters > 0 && (table->parameter == NULL || table->set_parameter == NULL))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: with parameters (%d) its table needs parameter and set_parameter", def->name,
                         is.parameters);
  if (table->begin_step != NULL &&
      (table->end_step == NULL || table->next_compliance == NULL || table->velocity == NULL))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "body %s: with the compliance of a step its table needs end_step, next_compliance and velocity", def->name);
  if (table->begin_step != NULL && is.sites < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: %d sites: must be 1 or more", def->name, is.sites);
  const tacBodyThread *thread = table->thread;
  if (thread != NULL &&
      (thread->start == NULL || thread->stop == NULL || thread->ready == NULL || thread->prepare == NULL))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s: with a separate thread its table needs start, stop, ready and prepare", def->name);
  if (table->compliance != NULL && table->displace == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: with a compliance its table needs displace", def->name);
  return TAC_OK;
}

/* Returns the surface data of a mesh. All bodies with the same mesh use the same data. */
static tacStatus share_surface(tacWorld *world, const tacTriMesh *mesh, const tacBodySurface **surface,
                               tacError *error) {
  for (int s = 0; s < world->surface_count; ++s)
    if (world->surfaces[s]->mesh == mesh) {
      *surface = world->surfaces[s];
      return TAC_OK;
    }
  TAC_TRY(tac_array_reserve((void **)&world->surfaces, &world->surface_capacity, (size_t)world->surface_count + 1,
                            sizeof *world->surfaces, "surfaces", error));
  tacBodySurface *made;
  TAC_TRY(tac_body_surface_create(mesh, &made, error));
  *surface = world->surfaces[world->surface_count++] = made;
  return TAC_OK;
}

static tacFrame start_of(const tacBodyDef *def) {
  return (tacFrame){.mode = def->free ? TAC_FRAME_FREE : TAC_FRAME_RESTS,
                    .position = def->pose.position,
                    .orientation = tac_quat_normalise(tac_quat_of(def->pose.orientation)),
                    .gravity = def->gravity,
                    .linear = def->free ? def->velocity : tac_vec3(0.0, 0.0, 0.0),
                    .angular = def->free ? def->spin : tac_vec3(0.0, 0.0, 0.0)};
}

static tacStatus fill_body(tacWorld *world, const tacBodyDef *def, tacWorldBody *body, tacError *error) {
  body->name = tac_array_text(def->name, error);
  body->kind = tac_array_text(def->kind != NULL ? def->kind : "", error);
  if (body->name == NULL || body->kind == NULL) return TAC_ERR_MEMORY;
  const tacBodyTable *table = body->body.table;
  const tacTriMesh *mesh = tac_body_describe(&body->body).surface;
  tacInertia inertia;
  bool heavy = table->inertia != NULL && table->inertia(body->body.self, &inertia);
  if (heavy && !tac_frame_set_inertia(&body->start, &inertia)) {
    if (body->def.free || inertia.mass != 0.0)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: its mass and moments must be positive", body->name);
  }
  if (tac_world_body_yields(body)) { /* the body moves by its nodes, not by its frame */
    tac_world_body_set_every(body, 1, 0);
    body->start.mode = TAC_FRAME_RESTS;
    body->start.linear = body->start.angular = tac_vec3(0.0, 0.0, 0.0);
  }
  if (body->def.free && !heavy)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a free body needs a mass and moments of inertia",
                         body->name);
  body->start.about = body->start.centre;
  body->frame = body->start;
  body->size = tac_body_size(&body->body);
  TAC_TRY(share_surface(world, mesh, &body->surface, error));
  if (tac_world_body_complies(body)) {
    TAC_TRY(tac_surface_walk_create(mesh, &body->fingers.walk, error));
    TAC_TRY(tac_proximity_create(&body->fingers.walk, &body->fingers.proximity, error));
  }
  return TAC_ARRAY(body->moves.pending, 6 + (size_t)body->size, "a body's impulses", error);
}

tacStatus tac_world_add_body(tacWorld *world, const tacBodyDef *def, const tacBodyTable *table, void *self,
                             tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  TAC_REQUIRE(error, world, def);
  TAC_TRY(check_open(world, error));
  TAC_TRY(check_body(world, def, error));
  TAC_TRY(check_table(def, table, self, error));
  TAC_TRY(tac_array_reserve((void **)&world->bodies, &world->body_capacity, (size_t)world->body_count + 1,
                            sizeof *world->bodies, "the world's bodies", error));
  tacWorldBody *body = &world->bodies[world->body_count];
  int phase = world->body_count % def->every;
  *body = (tacWorldBody){.body = {table, self},
                         .def = *def,
                         .start = start_of(def),
                         .feel = {def->friction, def->touch_stiffness},
                         .holder = -1,
                         .jaw = {.carrier = -1},
                         .shown = {-1, -1, -1, -1, -1, -1},
                         .error_estimate = -1.0,
                         .turn = {.every = def->every, .phase = phase, .next = phase},
                         .moves = {.block = -1}};
  tacStatus status = fill_body(world, def, body, error);
  if (status != TAC_OK) {
    free_parts(body);
    return status; /* the caller still owns `self` */
  }
  if (id != NULL) *id = (tacBodyId){(uint32_t)world->body_count, world->generation};
  ++world->body_count;
  return TAC_OK;
}

void *tac_world_body_self(const tacWorld *world, tacBodyId id, const tacBodyTable *table) {
  const tacWorldBody *body = tac_world_find(world, id);
  return body != NULL && body->body.table == table ? body->body.self : NULL;
}

tacFloorDef tac_floor_def_default(void) {
  return (tacFloorDef){.normal = {0.0, 0.0, 1.0}, .friction = 0.5};
}

tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error) {
  TAC_REQUIRE(error, world, def);
  TAC_TRY(check_open(world, error));
  if (!(fabs(tac_vec3_norm(def->normal) - 1.0) < 1e-6) || !isfinite(def->offset) ||
      !(def->friction >= 0.0 && isfinite(def->friction)))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a floor needs a unit normal, a finite offset and a friction of 0 or more");
  tacDistanceField *field;
  TAC_TRY(tac_distance_field_plane(def->normal, def->offset, &field, error));
  tac_distance_field_destroy(world->floor_field);
  world->floor_field = field;
  world->floor = *def;
  world->has_floor = true;
  return TAC_OK;
}

bool tac_world_floor(const tacWorld *world, tacFloorDef *floor) {
  if (world->has_floor) *floor = world->floor;
  return world->has_floor;
}

static tacStatus add_tool(tacWorld *world, const char *name, int *tool, tacError *error) {
  TAC_TRY(check_open(world, error));
  if (world->tool_count == TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d tools", TAC_MOST_TOOLS);
  bool taken = false;
  for (int t = 0; t < world->tool_count && name != NULL; ++t) taken = taken || strcmp(world->tools[t].name, name) == 0;
  TAC_TRY(check_name(name, "tool", taken, error));
  char *copy = tac_array_text(name, error);
  if (copy == NULL) return TAC_ERR_MEMORY;
  world->tools[world->tool_count] = (tacWorldTool){.name = copy, .body = -1, .held.body = -1, .pad.body = -1};
  if (tool != NULL) *tool = world->tool_count;
  ++world->tool_count;
  return TAC_OK;
}

tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error) {
  if (tool != NULL) *tool = -1;
  TAC_REQUIRE(error, world, def);
  const Number numbers[] = {{"radius", def->radius, true}};
  int made;
  TAC_TRY(check_numbers("tool", def->name != NULL ? def->name : "", 1, numbers, error));
  TAC_TRY(add_tool(world, def->name, &made, error));
  world->tools[made].radius = def->radius;
  if (tool != NULL) *tool = made;
  return TAC_OK;
}

static tacStatus check_loose(const tacWorld *world, const char *tool, const tacWorldBody *body, tacError *error) {
  if (body->holder < 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: %s is already held by tool %s", tool, body->name,
                       world->tools[body->holder].name);
}

static tacStatus check_jaws(const tacWorld *world, const tacBodyToolDef *def, tacError *error) {
  const char *name = def->name != NULL ? def->name : "";
  if (def->jaw_count < 0 || def->jaw_count > TAC_MOST_JAWS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: %d jaws: must be 0 to %d", name, def->jaw_count,
                         TAC_MOST_JAWS);
  if (def->jaw_count == 0) return TAC_OK;
  if (!(def->jaw_angle > 0.0 && def->jaw_angle < 3.14) || !(def->jaw_time > 0.0) || !isfinite(def->jaw_time) ||
      !(def->jaw_torque > 0.0) || !isfinite(def->jaw_torque))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "tool %s: its jaws' angle %g must be above 0 and below pi, their time %g and torque %g positive", name,
        def->jaw_angle, def->jaw_time, def->jaw_torque);
  if (def->reach > 0.0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "tool %s: its button closes the jaws, so it cannot have a reach; remove `reach`", name);
  for (int j = 0; j < def->jaw_count; ++j) {
    const tacJawDef *jaw = &def->jaws[j];
    const tacWorldBody *body = tac_world_find(world, jaw->body);
    if (body == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "tool %s: the body of a jaw does not exist in "
                           "this world",
                           name);
    TAC_TRY(check_loose(world, name, body, error));
    if (jaw->body.index == def->body.index || (j > 0 && jaw->body.index == def->jaws[0].body.index))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: body %s is used for two parts of the tool", name,
                           body->name);
    if (body->size > 0 || tac_world_body_complies(body) || tac_world_body_yields(body))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: its jaw %s must be rigid", name, body->name);
    if (!tac_vec3_finite(jaw->hinge) || !tac_vec3_finite(jaw->axis) || !(tac_vec3_norm(jaw->axis) > 0.0))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "tool %s: the hinge of jaw %s must be a finite point with a "
                           "direction that is not zero",
                           name, body->name);
  }
  return TAC_OK;
}

/* Marks a body as held by a tool and sets its velocity to zero. `about`: grasp, body's frame. */
static void begin_held(tacWorldBody *body, int tool, tacVec3 about) {
  body->holder = tool;
  body->def.free = false;
  body->start.mode = TAC_FRAME_HELD;
  body->start.about = about;
  body->start.linear = body->start.angular = tac_vec3(0.0, 0.0, 0.0);
  body->frame = body->start;
}

/* Adds a jaw to a tool. Call while the held body is in its start pose. */
static tacJaw add_jaw(tacWorld *world, const tacJawDef *def, int tool, int carrier) {
  tacWorldBody *body = tac_world_find(world, def->body);
  const tacFrame *held = &world->bodies[carrier].start;
  tacQuat back = tac_quat_conjugate(held->orientation);
  tacJaw jaw = {.body = (int)def->body.index,
                .hinge = def->hinge,
                .axis = tac_vec3_unit(def->axis),
                .place = tac_frame_from_world(held, body->start.position),
                .turn = tac_quat_normalise(tac_quat_mul(back, body->start.orientation))};
  body->jaw.carrier = carrier;
  body->jaw.hinge = tac_frame_from_world(&body->start, tac_frame_to_world(held, jaw.hinge));
  body->jaw.axis = tac_quat_rotate(tac_quat_conjugate(jaw.turn), jaw.axis);
  begin_held(body, tool, tac_frame_from_world(&body->start, tac_frame_about(held)));
  return jaw;
}

static tacStatus check_body_tool(const tacWorld *world, const tacBodyToolDef *def, tacError *error) {
  const char *name = def->name != NULL ? def->name : "";
  const tacWorldBody *body = tac_world_find(world, def->body);
  const Number numbers[] = {{"coupling stiffness", def->stiffness, false},
                            {"turn stiffness", def->turn_stiffness, false},
                            {"largest force", def->force_most, true},
                            {"largest torque", def->torque_most, true},
                            {"largest speed", def->speed_most, false},
                            {"largest turning speed", def->turn_most, false},
                            {"mass", def->mass, false},
                            {"damping ratio", def->damping_ratio, true},
                            {"reach", def->reach, true}};
  if (body == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "tool %s: the body to hold does not exist in this "
                         "world",
                         name);
  TAC_TRY(check_loose(world, name, body, error));
  TAC_TRY(check_numbers("tool", name, sizeof numbers / sizeof *numbers, numbers, error));
  if (!(def->static_damping >= 0.0 && def->static_damping < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: static damping %g must be from 0 to less than 1", name,
                         def->static_damping);
  if (!tac_vec3_finite(def->grasp))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: the grasp is NaN or infinite", name);
  if (def->trocar) {
    double lever = tac_vec3_distance(tac_frame_to_world(&body->start, def->grasp), def->pivot);
    if (!isfinite(lever) || !(lever >= 1e-3))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "tool %s: its grasp is %g m from the pivot of its trocar: must be at least 0.001 m", name,
                           lever);
  }
  return check_jaws(world, def, error);
}

tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error) {
  int added = -1;
  if (tool != NULL) *tool = -1;
  TAC_REQUIRE(error, world, def);
  TAC_TRY(check_open(world, error));
  TAC_TRY(check_body_tool(world, def, error));
  TAC_TRY(add_tool(world, def->name, &added, error));
  tacWorldBody *body = tac_world_find(world, def->body);
  tacHeldBody *held = &world->tools[added].held;
  held->body = (int)def->body.index;
  held->def = *def;
  held->def.name = NULL;
  held->coupling = tac_held_body_coupling(def, &body->body);
  begin_held(body, added, def->grasp);
  held->coupling.trocar = def->trocar;
  held->coupling.pivot = def->pivot;
  if (def->trocar)
    held->coupling.shaft = tac_vec3_unit(tac_vec3_sub(tac_frame_from_world(&body->start, def->pivot), def->grasp));
  held->jaw_count = def->jaw_count;
  for (int j = 0; j < def->jaw_count; ++j) held->jaws[j] = add_jaw(world, &def->jaws[j], added, held->body);
  tac_held_tool_reset(world, added);
  if (tool != NULL) *tool = added;
  return TAC_OK;
}

static tacStatus check_pad_tool(const tacWorld *world, const tacPadToolDef *def, tacError *error) {
  const char *name = def->name != NULL ? def->name : "";
  const tacWorldBody *body = tac_world_find(world, def->body);
  const Number numbers[] = {{"radius", def->radius, false},
                            {"coupling stiffness", def->stiffness, false},
                            {"turn stiffness", def->turn_stiffness, false},
                            {"largest speed", def->speed_most, false},
                            {"largest turning speed", def->turn_most, false}};
  if (body == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: the body to grab does not exist in this world", name);
  const tacPads *answers = body->body.table->pads;
  if (answers == NULL || !answers->may_hold(body->body.self))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "tool %s: pads need an elastostatic body whose Green's functions have storage: whole; %s is not one", name,
        body->name);
  TAC_TRY(check_numbers("tool", name, sizeof numbers / sizeof *numbers, numbers, error));
  if (!(def->friction >= 0.0) || !(def->opening >= 0.0 && isfinite(def->opening)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: friction is %g and opening is %g; both must be 0 or more",
                         name, def->friction, def->opening);
  if (!(fabs(tac_vec3_norm(def->approach) - 1.0) < 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: approach is not a unit vector", name);
  int pads = def->opening > 0.0 ? 2 : 1, most = TAC_PATCH_MOST / TAC_PAD_MOST_VERTICES;
  if (body->grip.pads + pads > most)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "tool %s: with it %s would have %d pads, which hold %d vertices each; it has at most %d", name,
                         body->name, body->grip.pads + pads, TAC_PAD_MOST_VERTICES, most);
  return TAC_OK;
}

tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error) {
  int added = -1;
  if (tool != NULL) *tool = -1;
  TAC_REQUIRE(error, world, def);
  TAC_TRY(check_open(world, error));
  TAC_TRY(check_pad_tool(world, def, error));
  TAC_TRY(add_tool(world, def->name, &added, error));
  tacWorldBody *body = tac_world_find(world, def->body);
  tac_pad_tool_set(&world->tools[added].pad, def, body->grip.pads, world->tick_period);
  body->grip.pads += world->tools[added].pad.count;
  if (tool != NULL) *tool = added;
  return TAC_OK;
}

static bool has_points(const tacWorldBody *body) {
  return tac_body_describe(&body->body).points != NULL;
}

/* True if the contacts of a pair are solved by the contact laws; false if they are penalty springs. Penalty springs are
 * possible only if both bodies are rigid or have coordinates, and no body is free. Other pairs use the contact laws
 * also for the penalty method, with soft contacts. */
static bool obeys_laws(const tacWorld *world, const tacPairDef *def) {
  const tacWorldBody *both[2] = {tac_world_find(world, def->points), tac_world_find(world, def->field)};
  bool laws = def->method == TAC_METHOD_SIGNORINI;
  for (int i = 0; i < 2; ++i)
    laws = laws || tac_world_body_complies(both[i]) || tac_world_body_yields(both[i]) || both[i]->def.free;
  return laws;
}

/* Estimates the thickness of a body, m: the shortest side of the bounding box, but at least a hundredth of the longest
 * side. */
static double thickness_of(const tacWorldBody *body) {
  tacBox box = tac_trimesh_box(body->surface->mesh);
  tacVec3 side = tac_vec3_sub(box.upper, box.lower);
  return fmax(fmin(side.x, fmin(side.y, side.z)), 0.01 * tac_box_longest(box));
}

/* Computes the default stiffness of a pair. Under the expected load the pair then deforms by 1 % of the thickness of
 * the thinner body. The expected load is the weight of all free bodies plus the force of a hand. A penalty pair
 * distributes the load over `full_count` springs; a contact solved by the contact laws bears the whole load. */
static double usual_stiffness(const tacWorld *world, const tacPairDef *def) {
  const tacWorldBody *points = tac_world_find(world, def->points), *field = tac_world_find(world, def->field);
  double load = hand_force, count = obeys_laws(world, def) ? 1.0 : def->full_count;
  double give = usual_give * fmin(thickness_of(points), thickness_of(field));
  for (int b = 0; b < world->body_count; ++b) {
    const tacBody *body = &world->bodies[b].body;
    tacInertia inertia;
    if (world->bodies[b].def.free && body->table->inertia(body->self, &inertia)) load += inertia.mass * weight;
  }
  return fmin(load / (count * give), most_stiffness);
}

static tacStatus check_pair(const tacWorld *world, const tacPairDef *def, tacError *error) {
  const tacWorldBody *points = tac_world_find(world, def->points), *field = tac_world_find(world, def->field);
  if (points == NULL || field == NULL || points == field)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a pair needs two bodies of the world: the points of one and a field of the other");
  bool surfaces = def->laws.detect == TAC_DETECT_SURFACES;
  if (surfaces && !obeys_laws(world, def))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "pair %s-%s: springs act only between points and a field; use the method signorini for surfaces", points->name,
        field->name);
  /* Detection uses the vertices of a body with step compliance if the body has no points. */
  if (!surfaces && !has_points(points) && !tac_world_body_yields(points))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: body %s has no points", points->name, field->name,
                         points->name);
  if (!surfaces && !tac_world_body_has_field(field))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: body %s has no field", points->name, field->name,
                         field->name);
  TAC_TRY(check_laws(&def->laws, points->name, error));
  const double positive[] = {def->stiffness != 0.0 ? def->stiffness : 1.0, def->full_count};
  const double others[] = {def->ramp, def->friction, def->tangential};
  for (int i = 0; i < 2; ++i)
    if (!(positive[i] >= 1e-9 && positive[i] <= 1e9))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: stiffness and count must be between 1e-9 and 1e9",
                           points->name, field->name);
  for (int i = 0; i < 3; ++i)
    if (!(others[i] >= 0.0 && others[i] <= 1e9))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "pair %s-%s: ramp, friction and tangential stiffness must be between 0 and 1e9",
                           points->name, field->name);
  if (def->level_most < 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: levels must be 0 or more", points->name, field->name);
  for (int p = 0; p < world->pair_count; ++p)
    if (world->contact_pairs[p].points == (int)def->points.index &&
        world->contact_pairs[p].field == (int)def->field.index)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: this pair already exists", points->name, field->name);
  return TAC_OK;
}

tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error) {
  if (pair != NULL) *pair = -1;
  TAC_REQUIRE(error, world, def);
  TAC_TRY(check_open(world, error));
  TAC_TRY(check_pair(world, def, error));
  tacPairDef chosen = *def;
  if (def->stiffness == 0.0) chosen.stiffness = usual_stiffness(world, def);
  TAC_TRY(tac_array_reserve((void **)&world->contact_pairs, &world->pair_capacity, (size_t)world->pair_count + 1,
                            sizeof *world->contact_pairs, "the world's pairs", error));
  TAC_TRY(tac_pair_create(&chosen, world->bodies, (int)def->points.index, (int)def->field.index, obeys_laws(world, def),
                          &world->contact_pairs[world->pair_count], error));
  if (pair != NULL) *pair = world->pair_count;
  ++world->pair_count;
  return TAC_OK;
}

tacStatus tac_world_dump_problems(tacWorld *world, const char *folder, int every, tacError *error) {
  TAC_REQUIRE(error, world);
  if (every < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "the step interval is %d; it must be 1 or more", every);
  char *copy = folder != NULL ? tac_array_text(folder, error) : NULL;
  if (folder != NULL && copy == NULL) return TAC_ERR_MEMORY;
  free(world->dump_folder);
  world->dump_folder = copy;
  world->dump_every = every;
  world->dump_failed = false;
  return TAC_OK;
}
