#include <math.h>
#include <string.h>
#include <tactus/distance_field.h>
#include <tactus/scene.h>
#include "asset/deformed_field.h"
#include "asset/pointshell.h"
#include "base/error.h"
#include "base/memory/owned.h"
#include "kinds/scene_kinds.h"
#include "math/geometry/vec3.h"
#include "mesh/trimesh.h"
#include "scene/tool_device.h"
#include "world/world.h"

/* Values for couplings without a stiffness in the scene. share_of_limit: fraction of the device's stiffness limit.
 * angle_of_limit: rotation at which the torque reaches the limit of the device. */
static const double share_of_limit = 0.5, angle_of_limit = 0.1; /* angle in rad */

/* ---- bodies ---- */

static tacStatus add_bodies(const tacScene *scene, tacWorld *world, tacError *error) {
  double limit;
  tacError reason;
  TAC_TRY(tac_tool_device_least_stiffness(scene, &limit, error));
  for (int i = 0; i < scene->file.bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(&scene->file, i);
    const tacBodyAdd add = {scene->tree, body, &scene->baked[i], limit, world};
    tacStatus status = tac_scene_kind_of(body)->add(&add, &reason);
    if (status != TAC_OK) return tac_yaml_error(scene->tree, body->node, status, error, "%.400s", reason.text);
  }
  return TAC_OK;
}

static tacStatus add_floor(const tacScene *scene, tacWorld *world, tacError *error) {
  const tacSceneFloor *floor = &scene->file.floor;
  tacFloorDef def = {floor->normal.vector, floor->at, floor->friction};
  tacError reason;
  if (floor->node == NULL) return TAC_OK;
  tacStatus status = tac_world_set_floor(world, &def, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(scene->tree, floor->node, status, error, "%.400s", reason.text);
}

static tacStatus add_pairs(const tacScene *scene, tacWorld *world, tacError *error) {
  for (int i = 0; i < scene->file.contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(&scene->file, i);
    tacPairDef def = pair->def;
    tacError reason;
    int number;
    def.points = tac_world_find_body(world, pair->points);
    def.field = tac_world_find_body(world, pair->field);
    def.method = (tacContactMethod)pair->method;
    def.laws.detect = (tacDetection)pair->detect;
    tacStatus status = tac_world_add_pair(world, &def, &number, &reason);
    if (status != TAC_OK) return tac_yaml_error(scene->tree, pair->node, status, error, "%.400s", reason.text);
  }
  return TAC_OK;
}

/* ---- tools ---- */

static const tacBakedBody *baked_of(const tacScene *scene, const char *name) {
  int copy;
  return &scene->baked[tac_scene_file_find(&scene->file, name, &copy) - tac_scene_file_body(&scene->file, 0)];
}

/* Returns the default saturation depth of a pair, m: half a voxel of the field. If the field is exact, the depth is
 * half the spacing of the points. */
static double usual_depth(const tacScene *scene, const tacScenePair *pair) {
  const tacBakedBody *baked = baked_of(scene, pair->field);
  const tacGrid *grid =
      tac_distance_field_grid(baked->deformed != NULL ? tac_deformed_field_domain(baked->deformed, 0) : baked->field);
  if (grid != NULL) return 0.5 * grid->spacing;
  const tacBakedBody *points = baked_of(scene, pair->points);
  if (points->shell == NULL) /* the vertices serve as points */
    return 0.5 * sqrt(tac_trimesh_area(points->surface) / points->surface->vertex_count);
  int count = tac_pointshell_size(points->shell, tac_pointshell_level_count(points->shell) - 1);
  return 0.5 * sqrt(tac_pointshell_surface_area(points->shell) / count);
}

/* True if a tool holds the body, or if the body is a jaw of the tool. */
static bool holds(const tacSceneTool *tool, const char *name) {
  const tacSceneJaw *jaws = tool->jaws.items;
  for (int j = 0; j < tool->jaws.count; ++j)
    if (strcmp(jaws[j].body, name) == 0) return true;
  return strcmp(tool->body, name) == 0;
}

/* Returns the force at which a coupling saturates, N. The force is the smallest value over all pairs of the held
 * body, and 0 if the body is in no pair. The force of a pair presses full_count points to the saturation depth. The
 * same force presses a single point full_count times as deep. `world` gives the stiffness of pairs without a
 * stiffness in the scene. If `world` is NULL, these pairs are ignored. */
static double saturation(const tacScene *scene, const tacSceneTool *tool, const tacWorld *world) {
  double least = INFINITY;
  for (int i = 0; i < scene->file.contacts.count; ++i) {
    const tacScenePair *pair = tac_scene_file_pair(&scene->file, i);
    if (!holds(tool, pair->points) && !holds(tool, pair->field)) continue;
    bool exact = pair->method == TAC_METHOD_SIGNORINI || pair->detect == TAC_DETECT_SURFACES;
    if (exact && !tool->coupling.has_depth) continue; /* the pair has no penetration, or no voxels and points */
    double depth = tool->coupling.has_depth ? tool->coupling.depth : usual_depth(scene, pair);
    double stiffness = pair->def.stiffness;
    if (stiffness == 0.0) stiffness = world != NULL ? tac_world_pair(world, i).stiffness : INFINITY;
    least = fmin(least, stiffness * pair->def.full_count * depth);
  }
  return isfinite(least) ? least : 0.0;
}

/* Returns the largest distance of the surface from the grasp point, m. */
static double lever_of(const tacTriMesh *surface, tacVec3 grasp) {
  double most = 0.0;
  for (int v = 0; v < surface->vertex_count; ++v) most = fmax(most, tac_vec3_distance(surface->vertices[v], grasp));
  return most;
}

/* Sets the stiffness of a coupling to the values of the scene. Missing values are chosen from the limits of the
 * device. */
static tacStatus choose_stiffness(const tacScene *scene, const tacSceneTool *tool, double lever, double *stiffness,
                                  double *turn_stiffness, tacError *error) {
  const tacSceneCoupling *c = &tool->coupling;
  tacToolLimits limits;
  TAC_TRY(tac_tool_device_limits(scene, tool, &limits, error));
  if (c->stiffness > 0.0)
    *stiffness = fmin(c->stiffness, limits.stiffness);
  else if (isfinite(limits.stiffness))
    *stiffness = share_of_limit * limits.stiffness;
  /* The torque is turn_stiffness sin(theta/2). With this value, the end of the lever is as stiff as the grasp point. */
  double turn = 2.0 * *stiffness * lever * lever;
  if (limits.torque > 0.0) turn = fmin(turn, limits.torque / sin(0.5 * angle_of_limit));
  *turn_stiffness = c->turn_stiffness > 0.0 ? c->turn_stiffness : turn;
  return TAC_OK;
}

tacStatus tac_scene_coupling(const tacScene *scene, const tacSceneTool *tool, const tacWorld *world,
                             tacBodyToolDef *def, tacError *error) {
  const tacSceneCoupling *c = &tool->coupling;
  const tacTriMesh *surface = baked_of(scene, tool->body)->surface;
  *def = tac_body_tool_def_default();
  def->name = tool->name;
  def->grasp = tool->has_grasp ? tool->grasp : tac_box_centre(tac_trimesh_box(surface));
  def->reach = tool->reach;
  def->trocar = tool->has_trocar;
  def->pivot = tool->trocar;
  def->jaw_angle = tool->close.angle;
  def->jaw_time = tool->close.time;
  def->jaw_torque = tool->close.torque;
  double lever = lever_of(surface, def->grasp);
  def->coupling = (tacCouplingKind)c->kind;
  TAC_TRY(choose_stiffness(scene, tool, lever, &def->stiffness, &def->turn_stiffness, error));
  def->force_most = c->has_force_limit ? c->force_limit : saturation(scene, tool, world);
  def->torque_most = c->has_torque_limit ? c->torque_limit : def->force_most * lever;
  def->static_damping = c->static_damping;
  def->damping_ratio = c->damping_ratio;
  def->speed_most = c->speed_limit;
  def->turn_most = c->turn_limit;
  def->mass = c->mass;
  return TAC_OK;
}

static tacStatus add_body_tool(const tacScene *scene, const tacSceneTool *tool, tacWorld *world, int *number,
                               tacError *error) {
  tacBodyToolDef def;
  TAC_TRY(tac_scene_coupling(scene, tool, world, &def, error));
  def.body = tac_world_find_body(world, tool->body);
  const tacSceneJaw *jaws = tool->jaws.items;
  def.jaw_count = tool->jaws.count;
  for (int j = 0; j < def.jaw_count; ++j)
    def.jaws[j] = (tacJawDef){tac_world_find_body(world, jaws[j].body), jaws[j].hinge, jaws[j].axis};
  return tac_world_add_body_tool(world, &def, number, error);
}

/* The lever is the distance of the rims of the pads from the middle between the pads. */
tacStatus tac_scene_pads(const tacScene *scene, const tacSceneTool *tool, tacPadToolDef *def, tacError *error) {
  *def = tac_pad_tool_def_default();
  def->name = tool->name;
  def->radius = tool->pad.radius;
  def->hold = (tacPadHold)tool->pad.hold;
  def->friction = tool->pad.friction;
  def->opening = tool->pad.opening;
  def->approach = tool->pad.approach;
  def->speed_most = tool->coupling.speed_limit;
  def->turn_most = tool->coupling.turn_limit;
  double lever = hypot(0.5 * def->opening, def->radius);
  return choose_stiffness(scene, tool, lever, &def->stiffness, &def->turn_stiffness, error);
}

static tacStatus add_pad_tool(const tacScene *scene, const tacSceneTool *tool, tacWorld *world, int *number,
                              tacError *error) {
  tacPadToolDef def;
  TAC_TRY(tac_scene_pads(scene, tool, &def, error));
  def.body = tac_world_find_body(world, tool->body);
  return tac_world_add_pad_tool(world, &def, number, error);
}

static tacStatus add_point_tool(const tacSceneTool *tool, tacWorld *world, int *number, tacError *error) {
  tacPointToolDef def = {tool->name, tool->kind == TAC_SCENE_FINGERTIP_TOOL ? tool->radius : 0.0};
  return tac_world_add_point_tool(world, &def, number, error);
}

static tacStatus add_tools(const tacScene *scene, tacWorld *world, tacError *error) {
  for (int i = 0; i < scene->file.tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(&scene->file, i);
    tacError reason;
    int number;
    tacStatus status = tool->kind == TAC_SCENE_BODY_TOOL  ? add_body_tool(scene, tool, world, &number, &reason)
                       : tool->kind == TAC_SCENE_PAD_TOOL ? add_pad_tool(scene, tool, world, &number, &reason)
                                                          : add_point_tool(tool, world, &number, &reason);
    if (status != TAC_OK) return tac_yaml_error(scene->tree, tool->node, status, error, "%.400s", reason.text);
  }
  return TAC_OK;
}

static tacStatus fill_world(const tacScene *scene, tacWorld *world, tacError *error) {
  TAC_TRY(add_bodies(scene, world, error));
  TAC_TRY(add_floor(scene, world, error));
  TAC_TRY(add_pairs(scene, world, error));
  TAC_TRY(add_tools(scene, world, error));
  return tac_world_seal(world, error);
}

TAC_OWNED_TYPE(tacWorld, tac_world_destroy)

tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error) {
  TAC_REQUIRE(error, world);
  *world = NULL;
  TAC_REQUIRE(error, scene);
  TAC_OWN(tacWorld, made) = NULL;
  tacWorldDef def = tac_world_def_default();
  def.period = 1.0 / scene->file.servo.def.rate;
  def.budget = scene->file.budget;
  def.method = (tacContactMethod)scene->file.method;
  def.laws = (tacLawsDef){scene->file.patch, scene->file.restitution, (tacDetection)scene->file.detect};
  TAC_TRY(tac_scene_rate_every(&scene->file.rate, scene->file.servo.def.rate, &def.simulate_every, error));
  TAC_TRY(tac_scene_require_bake(scene, error));
  TAC_TRY(tac_world_create(&def, &made, error));
  TAC_TRY(fill_world(scene, made, error));
  *world = tac_give(&made);
  return TAC_OK;
}
