#include <tactus/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "world/world_parts.h"

enum { MOST_EVALUATIONS = 2000 /* of the contact laws in one step */, MOST_BODIES = 4096 };

tacWorldDef tac_world_def_default(void) {
  return (tacWorldDef){.period = 0.001};
}

tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error) {
  static atomic_uint worlds;
  *world = NULL;
  if (!(def->period >= 1e-5 && def->period <= 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "period %g s: must be between 1e-5 and 1 s", def->period);
  tacWorld *w = tac_array_create(1, sizeof *w, "a world", error);
  if (w == NULL) return TAC_ERR_MEMORY;
  w->period = def->period;
  tac_world_forget_pairs(w);
  w->generation = atomic_fetch_add(&worlds, 1u) + 1u;
  *world = w;
  return TAC_OK;
}

static void body_free(tacWorldBody *body) {
  body->ops->destroy(body);
  free(body->name);
}

void tac_world_destroy(tacWorld *world) {
  if (world == NULL) return;
  for (int b = 0; b < world->body_count; ++b) body_free(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) free(world->tools[t].name);
  for (int s = 0; s < world->surface_count; ++s) tac_deformed_surface_destroy(world->surfaces[s]);
  tac_crowd_destroy(&world->crowd);
  free(world->surfaces);
  free(world->bodies);
  free(world->approaches);
  free(world);
}

double tac_world_period(const tacWorld *world) {
  return world->period;
}

tacGreenBodyDef tac_green_body_def_default(void) {
  return (tacGreenBodyDef){.pose = {.orientation = {1.0, 0.0, 0.0, 0.0}},
                           .stiffness = 1.0,
                           .rigid_stiffness = 1500.0,
                           .friction = 0.2,
                           .response_bytes = (size_t)1 << 30};
}

static tacStatus check_open(const tacWorld *world, tacError *error) {
  return world->sealed ? tac_error_set(error, TAC_ERR_ARGUMENT, "the world is sealed: nothing can be added") : TAC_OK;
}

static tacStatus check_name(const char *name, const char *what, bool taken, tacError *error) {
  if (name == NULL || name[0] == '\0') return tac_error_set(error, TAC_ERR_ARGUMENT, "a %s needs a name", what);
  if (taken)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is already a %s called %s; give each another name", what,
                         name);
  return TAC_OK;
}

/* A body of any kind with its name and pose; `ops->destroy` frees what the caller adds. */
static tacStatus begin_body(tacWorld *world, const char *name, const tacPose *pose, double friction, tacWorldBody *body,
                            tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  bool taken = false;
  for (int b = 0; b < world->body_count && name != NULL; ++b) taken = taken || strcmp(world->bodies[b].name, name) == 0;
  status = check_name(name, "body", taken, error);
  if (status != TAC_OK) return status;
  if (world->body_count == MOST_BODIES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d bodies", MOST_BODIES);
  const double *q = pose->orientation;
  tacQuat orientation = tac_quat(q[0], q[1], q[2], q[3]);
  if (!tac_vec3_finite(pose->position) || !(fabs(tac_quat_norm(orientation) - 1.0) < 1e-6))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: its pose must be finite, with a unit quaternion", name);
  if (!(friction >= 0.0 && isfinite(friction)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: friction %g must not be negative", name, friction);
  status = tac_array_reserve((void **)&world->bodies, &world->body_capacity, (size_t)world->body_count + 1,
                             sizeof *world->bodies, "the world's bodies", error);
  if (status != TAC_OK) return status;
  *body = (tacWorldBody){.position = pose->position,
                         .orientation = tac_quat_normalise(orientation),
                         .friction = friction,
                         .state = -1,
                         .name = tac_array_text(name, error)};
  return body->name != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus end_body(tacWorld *world, tacWorldBody *body, tacStatus status, tacBodyId *id) {
  if (status != TAC_OK) {
    body_free(body);
    return status;
  }
  world->bodies[world->body_count++] = *body;
  if (id != NULL) *id = tac_world_body(world, world->body_count - 1);
  return TAC_OK;
}

tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  if (!(def->stiffness > 0.0 && isfinite(def->stiffness)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: stiffness factor %g must be positive",
                         def->name != NULL ? def->name : "", def->stiffness);
  tacWorldBody body;
  tacStatus status = begin_body(world, def->name, &def->pose, def->friction, &body, error);
  if (status != TAC_OK) return status;
  body.kind = TAC_BODY_GREEN;
  body.ops = &tac_green_touch;
  body.mask_radius = def->mask_radius;
  status = tac_green_body_create(def->green, def->mask_radius, def->rigid_stiffness, &body.green, error);
  if (status == TAC_OK && def->problem != NULL)
    status = tac_green_body_compute_on_demand(body.green, def->problem, def->response_bytes, error);
  if (status == TAC_OK) status = tac_proximity_create(tac_green_body_surface(body.green), &body.proximity, error);
  if (status == TAC_OK) tac_green_body_set_stiffness(body.green, def->stiffness);
  return end_body(world, &body, status, id);
}

tacReducedBodyDef tac_reduced_body_def_default(void) {
  return (tacReducedBodyDef){.pose = {.orientation = {1.0, 0.0, 0.0, 0.0}},
                             .alpha_mass = 0.5,
                             .beta_stiffness = 0.002,
                             .newton_steps = 1,
                             .every = 1,
                             .touch_stiffness = 300.0,
                             .touch_damping = 0.3,
                             .friction = 0.4,
                             .contact_stiffness = 2000.0,
                             .contact_damping = 2.0};
}

static tacStatus check_reduced(const tacReducedBodyDef *def, tacError *error) {
  const struct {
    const char *what;
    double value;
    bool may_be_zero;
  } numbers[] = {
      {"damping of the mass", def->alpha_mass, true},        {"damping of the stiffness", def->beta_stiffness, true},
      {"acceleration limit", def->acceleration_limit, true}, {"touch stiffness", def->touch_stiffness, false},
      {"touch damping", def->touch_damping, true},           {"contact stiffness", def->contact_stiffness, false},
      {"contact damping", def->contact_damping, true}};
  const char *name = def->name != NULL ? def->name : "";
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (!isfinite(numbers[i].value) || numbers[i].value < 0.0 || (numbers[i].value == 0.0 && !numbers[i].may_be_zero))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: %s %g must %s", name, numbers[i].what, numbers[i].value,
                           numbers[i].may_be_zero ? "not be negative" : "be positive");
  if (!tac_vec3_finite(def->gravity))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: its gravity is not finite", name);
  if (def->every < 1 || def->every > 100)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a step every %d ticks; it goes from 1 to 100", name,
                         def->every);
  return TAC_OK;
}

/* Bodies of one asset share what is found on its surface. */
static tacStatus share_surface(tacWorld *world, const tacReduced *reduced, const tacDeformedSurface **surface,
                               tacError *error) {
  for (int s = 0; s < world->surface_count; ++s)
    if (world->surfaces[s]->reduced == reduced) {
      *surface = world->surfaces[s];
      return TAC_OK;
    }
  tacStatus status = tac_array_reserve((void **)&world->surfaces, &world->surface_capacity,
                                       (size_t)world->surface_count + 1, sizeof *world->surfaces, "surfaces", error);
  tacDeformedSurface *made = NULL;
  if (status == TAC_OK) status = tac_deformed_surface_create(reduced, &made, error);
  if (status != TAC_OK) return status;
  world->surfaces[world->surface_count++] = made;
  *surface = made;
  return TAC_OK;
}

tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  tacStatus status = check_reduced(def, error);
  if (status != TAC_OK) return status;
  tacWorldBody body;
  status = begin_body(world, def->name, &def->pose, def->friction, &body, error);
  if (status != TAC_OK) return status;
  body.kind = TAC_BODY_REDUCED;
  body.ops = &tac_reduced_touch;
  body.every = def->every;
  body.phase = world->body_count % def->every;
  body.touch_damping = def->touch_damping;
  body.contact_stiffness = def->contact_stiffness;
  body.contact_damping = def->contact_damping;
  tacReducedMotion motion = tac_reduced_motion_default();
  motion.step = world->period * def->every;
  motion.newton_steps = def->newton_steps;
  motion.alpha_mass = def->alpha_mass;
  motion.beta_stiffness = def->beta_stiffness;
  motion.is_static = def->is_static;
  motion.linear = def->linear;
  motion.acceleration_limit = def->acceleration_limit;
  motion.gravity = def->gravity;
  status =
      tac_reduced_body_create(def->reduced, def->kept, &motion, body.position, body.orientation, &body.reduced, error);
  if (status == TAC_OK) status = share_surface(world, def->reduced, &body.surface, error);
  if (status == TAC_OK) status = tac_reduced_touch_begin(&body, def, error);
  body.state = world->state_size;
  status = end_body(world, &body, status, id);
  if (status == TAC_OK)
    world->state_size += tac_reduced_size(def->reduced) + (tac_reduced_is_free(def->reduced) ? 7 : 0);
  return status;
}

tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  if (!(fabs(tac_vec3_norm(def->normal) - 1.0) < 1e-6) || !isfinite(def->offset) ||
      !(def->friction >= 0.0 && isfinite(def->friction)))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a floor needs a unit normal, a finite offset and a friction that is not negative");
  world->floor = *def;
  world->has_floor = true;
  return TAC_OK;
}

bool tac_world_floor(const tacWorld *world, tacFloorDef *floor) {
  if (world->has_floor) *floor = world->floor;
  return world->has_floor;
}

tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error) {
  if (tool != NULL) *tool = -1;
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  if (world->tool_count == TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d tools", TAC_MOST_TOOLS);
  bool taken = false;
  for (int t = 0; t < world->tool_count && def->name != NULL; ++t)
    taken = taken || strcmp(world->tools[t].name, def->name) == 0;
  status = check_name(def->name, "tool", taken, error);
  if (status != TAC_OK) return status;
  char *name = tac_array_text(def->name, error);
  if (name == NULL) return TAC_ERR_MEMORY;
  world->tools[world->tool_count] = (tacWorldTool){.name = name, .body = -1};
  if (tool != NULL) *tool = world->tool_count;
  ++world->tool_count;
  return TAC_OK;
}

tacStatus tac_world_seal(tacWorld *world, tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  world->approaches = tac_array_create((size_t)world->tool_count * (size_t)world->body_count, sizeof *world->approaches,
                                       "the world's state", error);
  if (world->approaches == NULL) return TAC_ERR_MEMORY;
  status = tac_crowd_create(world, &world->crowd, error);
  if (status != TAC_OK) {
    free(world->approaches);
    world->approaches = NULL;
    return status;
  }
  world->sealed = true;
  return TAC_OK;
}

int tac_world_body_count(const tacWorld *world) {
  return world->body_count;
}

tacBodyId tac_world_body(const tacWorld *world, int index) {
  if (index < 0 || index >= world->body_count) return (tacBodyId){0, 0};
  return (tacBodyId){(uint32_t)index, world->generation};
}

tacBodyId tac_world_find_body(const tacWorld *world, const char *name) {
  for (int b = 0; b < world->body_count; ++b)
    if (strcmp(world->bodies[b].name, name) == 0) return tac_world_body(world, b);
  return (tacBodyId){0, 0};
}

static tacWorldBody *find(const tacWorld *world, tacBodyId id) {
  if (id.generation != world->generation || id.index >= (uint32_t)world->body_count) return NULL;
  return &world->bodies[id.index];
}

const char *tac_world_body_name(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->name : NULL;
}

tacBodyKind tac_world_body_kind(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->kind : TAC_BODY_NONE;
}

const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL && body->kind == TAC_BODY_GREEN ? tac_green_body_green(body->green) : NULL;
}

const tacReduced *tac_world_body_reduced(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL && body->kind == TAC_BODY_REDUCED ? tac_reduced_body_asset(body->reduced) : NULL;
}

const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->ops->surface(body) : NULL;
}

const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->ops->fixed(body) : NULL;
}

tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id) {
  static const tacSnapshot start; /* without a state */
  return tac_world_snapshot_pose(world, &start, id);
}

int tac_world_tool_count(const tacWorld *world) {
  return world->tool_count;
}

const char *tac_world_tool_name(const tacWorld *world, int tool) {
  return tool >= 0 && tool < world->tool_count ? world->tools[tool].name : NULL;
}

double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->ops->most_stiffness(body) : 0.0;
}

/* ---- parameters ---- */

int tac_world_parameter_count(const tacWorld *world) {
  int count = 0;
  for (int b = 0; b < world->body_count; ++b) count += world->bodies[b].ops->parameter_count(&world->bodies[b]);
  return count;
}

/* The body that has the parameter, whose number among the body's own `*index` becomes; NULL: there is none. */
static tacWorldBody *parameter_owner(const tacWorld *world, int *index) {
  for (int b = 0; b < world->body_count && *index >= 0; ++b) {
    tacWorldBody *body = &world->bodies[b];
    int count = body->ops->parameter_count(body);
    if (*index < count) return body;
    *index -= count;
  }
  return NULL;
}

static tacParameter parameter_of(const tacWorldBody *body, int index) {
  tacParameter own = body->ops->parameter(body, index), parameter = own;
  snprintf(parameter.name, sizeof parameter.name, "%.70s.%.80s", body->name, own.name);
  return parameter;
}

tacParameter tac_world_parameter(const tacWorld *world, int index) {
  const tacWorldBody *body = parameter_owner(world, &index);
  return body != NULL ? parameter_of(body, index) : (tacParameter){.label = "", .unit = ""};
}

int tac_world_find_parameter(const tacWorld *world, const char *name) {
  int first = 0;
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    int count = body->ops->parameter_count(body);
    for (int i = 0; i < count; ++i)
      if (strcmp(parameter_of(body, i).name, name) == 0) return first + i;
    first += count;
  }
  return -1;
}

tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error) {
  int own = index;
  tacWorldBody *body = parameter_owner(world, &own);
  if (body == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no parameter %d; the world has %d", index,
                         tac_world_parameter_count(world));
  tac_world_forget_pairs(world);
  return body->ops->set_parameter(body, own, value, error);
}

/* ---- the step ---- */

static void fill_output(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  *output = (tacToolOutput){.proxy = tool->position};
  if (tool->body < 0) return;
  tacContact *c = &output->contact;
  c->state = tool->point.state;
  c->body = (uint32_t)tool->body;
  c->triangle = tool->point.at.triangle;
  memcpy(c->weight, tool->point.at.weight, sizeof c->weight);
  world->bodies[tool->body].ops->describe(world, t, output, report);
  output->force = tac_vec3_scale(-1.0, c->force);
  output->proxy = c->deformed;
  ++report->contact_count;
}

static bool finite_output(const tacToolOutput *o) {
  return tac_vec3_finite(o->force) && tac_vec3_finite(o->proxy) && tac_vec3_finite(o->contact.at) &&
         tac_vec3_finite(o->contact.normal);
}

/* As if it had not been in the scene before. */
static void set_free(tacWorld *world, int t) {
  world->tools[t].body = -1;
  for (int b = 0; b < world->body_count; ++b) *tac_world_approach(world, t, b) = (tacApproach){0};
}

static void take_input(tacWorld *world, int t, const tacToolInput *input, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  if (tac_vec3_finite(input->position) && tac_vec3_norm(input->position) < 1e6) {
    tool->motion = tac_vec3_distance(tool->position, input->position);
    tool->position = input->position;
    tool->grab = input->grab;
    tool->lifted = input->lifted;
  } else {
    ++report->refused;
  }
  if (tool->lifted) set_free(world, t);
  tool->start = tool->point.at;
}

void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report) {
  *report = (tacTickReport){0};
  int budget = MOST_EVALUATIONS;
  for (int t = 0; t < world->tool_count; ++t) take_input(world, t, &inputs[t], report);
  /* A free tool meets the first body that it enters. */
  for (int t = 0; t < world->tool_count; ++t)
    for (int b = 0; b < world->body_count && world->tools[t].body < 0 && !world->tools[t].lifted; ++b)
      world->bodies[b].ops->approach(world, t, b, report);
  tac_crowd_locate(world, &world->crowd);
  for (int b = 0; b < world->body_count; ++b) world->bodies[b].ops->advance(world, b, &budget, report);
  for (int t = 0; t < world->tool_count; ++t) {
    int b = world->tools[t].body;
    if (b >= 0 && world->tools[t].point.state == TAC_CONTACT_NONE)
      world->bodies[b].ops->release(world, t, &budget, report);
  }
  for (int t = 0; t < world->tool_count; ++t) {
    fill_output(world, t, &outputs[t], report);
    if (finite_output(&outputs[t])) continue;
    /* Cannot happen with finite assets; a device must not be the one to find out. */
    set_free(world, t);
    outputs[t] = (tacToolOutput){.proxy = world->tools[t].position};
    ++report->refused;
  }
  ++world->tick;
}

void tac_world_reset(tacWorld *world) {
  tac_world_forget_pairs(world);
  world->tick = 0;
  for (int b = 0; b < world->body_count; ++b) world->bodies[b].ops->reset(&world->bodies[b]);
  for (int t = 0; t < world->tool_count; ++t) {
    world->tools[t] = (tacWorldTool){.name = world->tools[t].name};
    set_free(world, t);
  }
}

/* ---- what to show ---- */

int tac_world_state_size(const tacWorld *world) {
  return world->state_size;
}

int tac_world_body_state(const tacWorld *world, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->state : -1;
}

void tac_world_state(const tacWorld *world, double *state) {
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    if (body->state < 0) continue;
    const tacReduced *asset = tac_reduced_body_asset(body->reduced);
    int size = tac_reduced_size(asset);
    double *to = state + body->state;
    memcpy(to, tac_reduced_body_q(body->reduced), (size_t)size * sizeof *to);
    if (!tac_reduced_is_free(asset)) continue;
    tacVec3 p = tac_reduced_body_position(body->reduced);
    tacQuat o = tac_reduced_body_orientation(body->reduced);
    const double pose[7] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z};
    memcpy(to + size, pose, sizeof pose);
  }
}

tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id) {
  const tacWorldBody *body = find(world, id);
  return body != NULL ? body->ops->pose(body, snapshot) : (tacPose){.orientation = {1.0, 0.0, 0.0, 0.0}};
}

void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices) {
  const tacWorldBody *body = find(world, id);
  if (body != NULL) body->ops->vertices(body, id.index, snapshot, vertices);
}

void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions) {
  const tacWorldBody *body = find(world, id);
  if (body != NULL) body->ops->tractions(body, id.index, snapshot, tractions);
}

void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values) {
  const tacWorldBody *body = find(world, id);
  if (body != NULL && body->ops->sensors != NULL) body->ops->sensors(body, id.index, snapshot, values);
}
