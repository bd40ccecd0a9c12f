/* Load phase: what a world is made of is checked and added. */
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "world/held_body.h"

enum { MOST_BODIES = 4096 };

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
                         .pose_state = -1,
                         .holder = -1,
                         .advanced = -1,
                         .name = tac_array_text(name, error)};
  return body->name != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus end_body(tacWorld *world, tacWorldBody *body, tacStatus status, tacBodyId *id) {
  if (status != TAC_OK) {
    tac_world_body_free(body);
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
  int size = def->reduced != NULL ? tac_reduced_size(def->reduced) : 0;
  int points = def->shell != NULL ? tac_pointshell_coordinates(def->shell) : size;
  int proxies = def->field != NULL ? tac_deformed_field_coordinates(def->field) : size;
  if (points != size || proxies != size)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "body %s has %d coordinates, its points %d and its field %d: they belong to other bodies",
                         name, size, points, proxies);
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
  body.shell = def->shell;
  body.deformed_field = def->field;
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
  if (status == TAC_OK && def->field != NULL) status = tac_deformed_pose_create(def->field, &body.deformed_pose, error);
  if (status == TAC_OK && def->field != NULL)
    tac_deformed_pose_set(body.deformed_pose, tac_reduced_body_q(body.reduced));
  return end_body(world, &body, status, id);
}

tacRigidBodyDef tac_rigid_body_def_default(void) {
  return (tacRigidBodyDef){
      .pose = {.orientation = {1.0, 0.0, 0.0, 0.0}}, .friction = 0.4, .touch_stiffness = 300.0, .touch_damping = 0.3};
}

tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error) {
  if (id != NULL) *id = (tacBodyId){0, 0};
  const char *name = def->name != NULL ? def->name : "";
  if (def->surface == NULL || def->surface->triangle_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "body %s: a rigid body needs a surface that is shown", name);
  if (def->shell != NULL && tac_pointshell_coordinates(def->shell) != 0)
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "body %s: its points are embedded in a body of %d coordinates; a rigid body takes them as baked", name,
        tac_pointshell_coordinates(def->shell));
  tacWorldBody body;
  tacStatus status = begin_body(world, def->name, &def->pose, 0.0, &body, error);
  if (status != TAC_OK) return status;
  body.kind = TAC_BODY_RIGID;
  body.ops = &tac_rigid_body;
  body.mesh = def->surface;
  body.shell = def->shell;
  body.field = def->field;
  if (def->field != NULL) body.reach = tac_field_reach(def->field);
  body.unfixed = tac_array_create((size_t)def->surface->vertex_count, sizeof *body.unfixed, "a rigid body", error);
  if (body.unfixed == NULL) status = TAC_ERR_MEMORY;
  body.ops->reset(&body);
  return end_body(world, &body, status, id);
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

static tacStatus add_tool(tacWorld *world, const char *name, int *tool, tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  if (world->tool_count == TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a world has at most %d tools", TAC_MOST_TOOLS);
  bool taken = false;
  for (int t = 0; t < world->tool_count && name != NULL; ++t) taken = taken || strcmp(world->tools[t].name, name) == 0;
  status = check_name(name, "tool", taken, error);
  if (status != TAC_OK) return status;
  char *copy = tac_array_text(name, error);
  if (copy == NULL) return TAC_ERR_MEMORY;
  world->tools[world->tool_count] = (tacWorldTool){.name = copy, .body = -1, .held.body = -1};
  if (tool != NULL) *tool = world->tool_count;
  ++world->tool_count;
  return TAC_OK;
}

tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error) {
  if (tool != NULL) *tool = -1;
  return add_tool(world, def->name, tool, error);
}

tacBodyToolDef tac_body_tool_def_default(void) {
  return (tacBodyToolDef){.coupling = TAC_COUPLING_STATIC,
                          .stiffness = 600.0,
                          .turn_stiffness = 0.5,
                          .static_damping = 0.5,
                          .speed_most = 1.0,
                          .turn_most = 10.0,
                          .mass = 0.1,
                          .damping_ratio = 1.0,
                          .substeps = 4};
}

static tacStatus check_body_tool(const tacWorld *world, const tacBodyToolDef *def, tacError *error) {
  const char *name = def->name != NULL ? def->name : "";
  const tacWorldBody *body = tac_world_find(world, def->body);
  const struct {
    const char *what;
    double value;
    bool may_be_zero;
  } numbers[] = {{"coupling stiffness", def->stiffness, false},
                 {"turn stiffness", def->turn_stiffness, false},
                 {"largest force", def->force_most, true},
                 {"largest torque", def->torque_most, true},
                 {"largest speed", def->speed_most, false},
                 {"largest turning speed", def->turn_most, false},
                 {"mass", def->mass, false},
                 {"damping ratio", def->damping_ratio, true}};
  if (body == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: there is no such body to hold", name);
  if (body->kind == TAC_BODY_GREEN ||
      (body->kind == TAC_BODY_REDUCED && tac_reduced_is_free(tac_reduced_body_asset(body->reduced))))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "tool %s: it cannot hold %s; a tool holds a rigid body, or a reduced one that has held vertices", name,
        body->name);
  if (body->holder >= 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: %s is held by tool %s already", name, body->name,
                         world->tools[body->holder].name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (!isfinite(numbers[i].value) || numbers[i].value < 0.0 || (numbers[i].value == 0.0 && !numbers[i].may_be_zero))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: %s %g must %s", name, numbers[i].what, numbers[i].value,
                           numbers[i].may_be_zero ? "not be negative" : "be positive");
  if (!(def->static_damping >= 0.0 && def->static_damping < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: static damping %g must be from 0 to less than 1", name,
                         def->static_damping);
  if (def->substeps < 1 || def->substeps > 100)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: %d substeps; from 1 to 100 are possible", name,
                         def->substeps);
  if (!tac_vec3_finite(def->grasp))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "tool %s: its grasp is not finite", name);
  return TAC_OK;
}

tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error) {
  int added = -1;
  if (tool != NULL) *tool = -1;
  tacStatus status = check_body_tool(world, def, error);
  if (status == TAC_OK) status = add_tool(world, def->name, &added, error);
  if (status != TAC_OK) return status;
  tacWorldBody *body = tac_world_find(world, def->body);
  tacHeldBody *held = &world->tools[added].held;
  held->body = (int)def->body.index;
  held->def = *def;
  held->def.name = NULL;
  held->coupling = tac_held_body_coupling(def, body->ops->surface(body));
  body->holder = added;
  tac_held_body_reset(world, added);
  if (tool != NULL) *tool = added;
  return TAC_OK;
}

tacPairDef tac_pair_def_default(void) {
  return (tacPairDef){.stiffness = 300.0,
                      .full_count = 10.0,
                      .tangential = 0.5,
                      .area_weights = true,
                      .level_most = TAC_POINTSHELL_MOST_LEVELS};
}

static tacStatus check_pair(const tacWorld *world, const tacPairDef *def, tacError *error) {
  const tacWorldBody *points = tac_world_find(world, def->points), *field = tac_world_find(world, def->field);
  if (points == NULL || field == NULL || points == field)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a pair needs two bodies of the world, points of one and a field of the "
                         "other");
  if (points->shell == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: body %s has no points", points->name, field->name,
                         points->name);
  if (field->field == NULL && field->deformed_field == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: body %s has no field", points->name, field->name,
                         field->name);
  const tacWorldBody *both[2] = {points, field};
  for (int i = 0; i < 2; ++i)
    if (both[i]->kind == TAC_BODY_REDUCED && tac_reduced_is_free(tac_reduced_body_asset(both[i]->reduced)))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "pair %s-%s: body %s is free; bodies of pairs have held vertices or are held by a tool",
                           points->name, field->name, both[i]->name);
  const double positive[] = {def->stiffness, def->full_count};
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
    return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: levels are counted from 0", points->name, field->name);
  for (int p = 0; p < world->pair_count; ++p)
    if (world->contact_pairs[p].points == (int)def->points.index &&
        world->contact_pairs[p].field == (int)def->field.index)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "pair %s-%s: is there already", points->name, field->name);
  return TAC_OK;
}

tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error) {
  if (pair != NULL) *pair = -1;
  tacStatus status = check_open(world, error);
  if (status == TAC_OK) status = check_pair(world, def, error);
  if (status == TAC_OK)
    status = tac_array_reserve((void **)&world->contact_pairs, &world->pair_capacity, (size_t)world->pair_count + 1,
                               sizeof *world->contact_pairs, "the world's pairs", error);
  if (status == TAC_OK)
    status = tac_pair_create(def, world->bodies, (int)def->points.index, (int)def->field.index,
                             &world->contact_pairs[world->pair_count], error);
  if (status != TAC_OK) return status;
  if (pair != NULL) *pair = world->pair_count;
  ++world->pair_count;
  return TAC_OK;
}

/* Where each body's numbers are in the state, and room for what pairs answer to reduced bodies. */
static tacStatus lay_out(tacWorld *world, tacError *error) {
  size_t most = 0;
  world->state_size = 0;
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    bool soft = body->kind == TAC_BODY_REDUCED;
    const tacReduced *asset = soft ? tac_reduced_body_asset(body->reduced) : NULL;
    size_t r = soft ? (size_t)tac_reduced_size(asset) : 0;
    bool moves = body->holder >= 0 || (soft && tac_reduced_is_free(asset));
    if (r > most) most = r;
    if (soft || moves) body->state = world->state_size;
    world->state_size += (int)r;
    if (moves) body->pose_state = world->state_size;
    world->state_size += moves ? 7 : 0;
  }
  world->state_size += world->pair_count;
  if (world->pair_count == 0 || most == 0) return TAC_OK;
  world->answer = tac_array_create(most * (most + 14) + 6, sizeof *world->answer, "the world's pairs", error);
  return world->answer != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

tacStatus tac_world_seal(tacWorld *world, tacError *error) {
  tacStatus status = check_open(world, error);
  if (status != TAC_OK) return status;
  world->approaches = tac_array_create((size_t)world->tool_count * (size_t)world->body_count, sizeof *world->approaches,
                                       "the world's state", error);
  if (world->approaches == NULL) return TAC_ERR_MEMORY;
  status = lay_out(world, error);
  if (status == TAC_OK) status = tac_crowd_create(world, &world->crowd, error);
  if (status != TAC_OK) {
    free(world->approaches);
    free(world->answer);
    world->approaches = NULL;
    world->answer = NULL;
    return status;
  }
  for (int p = 0; world->budget > 0.0 && p < world->pair_count; ++p)
    tac_pair_set_budget(&world->contact_pairs[p], world->bodies, world->budget / world->pair_count);
  world->sealed = true;
  return TAC_OK;
}
