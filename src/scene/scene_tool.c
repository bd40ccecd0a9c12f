#include "scene/scene_tool.h"

#include <string.h>
#include <tactus/device.h>
#include <tactus/world.h>
#include "base/nearest.h"
#include "device/operator.h"
#include "math/geometry/vec3.h"
#include "spec/text/scene_fields.h"

/* ---- devices ---- */

static tacStatus check_waypoint(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneWaypoint *w = record;
  bool on = w->on != NULL && w->has_near;
  if (w->has_at ? w->on == NULL && !w->has_near && !w->has_depth : on) return TAC_OK;
  return tac_yaml_error(
      tree, w->node, TAC_ERR_FORMAT, error,
      "a waypoint needs either a point, {at: [0 mm, 0 mm, 60 mm], after: 0.5 s}, or a point on the surface of a "
      "body, {on: kidney, near: [0 mm, 0 mm, 60 mm], depth: 4 mm, after: 0.5 s}");
}

static const tacField waypoint_fields[] = {
    TAC_FIELD(tacSceneWaypoint, at, TAC_POINT, TAC_GIVEN(tacSceneWaypoint, has_at)),
    TAC_FIELD(tacSceneWaypoint, on, TAC_NAME),
    TAC_FIELD(tacSceneWaypoint, near, TAC_POINT, TAC_GIVEN(tacSceneWaypoint, has_near)),
    TAC_FIELD(tacSceneWaypoint, depth, TAC_QUANTITY(LENGTH, -10.0, 10.0), TAC_GIVEN(tacSceneWaypoint, has_depth)),
    TAC_FIELD(tacSceneWaypoint, turn, TAC_RECORD(tac_scene_rotation_record)),
    TAC_FIELD(tacSceneWaypoint, after, TAC_QUANTITY(TIME, 0.0, 1e5), TAC_GIVEN(tacSceneWaypoint, has_after)),
    TAC_FIELD(tacSceneWaypoint, buttons, .kind = TAC_FIELD_CHOICES, .words = "index|grab"),
    TAC_FIELD(tacSceneWaypoint, grip, TAC_QUANTITY(NUMBER, 0.0, 1.0)),
};
static const tacRecord waypoint_record = {TAC_TABLE("a waypoint", tacSceneWaypoint, waypoint_fields),
                                          .check = check_waypoint};

static const tacField path_file_fields[] = {
    TAC_FIELD(tacScenePathFile, file, TAC_TEXT, TAC_REQUIRED),
};
static const tacRecord path_file_record = {TAC_TABLE("a path", tacScenePathFile, path_file_fields)};

static const tacField hand_fields[] = {
    TAC_FIELD(tacSceneHand, stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e5), TAC_GIVEN(tacSceneHand, has_stiffness)),
    TAC_FIELD(tacSceneHand, damping, TAC_QUANTITY(DAMPING, 0.0, 1e4), TAC_GIVEN(tacSceneHand, has_damping)),
    TAC_FIELD(tacSceneHand, mass, TAC_QUANTITY(MASS, 0.0, 100.0), TAC_GIVEN(tacSceneHand, has_mass)),
};
static const tacRecord hand_record = {TAC_TABLE("a hand", tacSceneHand, hand_fields)};

static void device_defaults(void *record) {
  tacSceneDevice *device = record;
  device->smooth = true;
  device->options = "";
}

static tacStatus check_path(const tacYamlTree *tree, const tacSceneDevice *d, tacError *error) {
  const tacSceneWaypoint *points = d->path.items;
  const tacYamlNode *node = tac_yaml_child(d->node, "path");
  if (node == NULL)
    return tac_yaml_error(tree, d->node, TAC_ERR_FORMAT, error,
                          "an operator needs a path; write it like path: [{at: [0 mm, 0 mm, 60 mm]}, {at: [0 mm, 0 "
                          "mm, 40 mm], after: 0.5 s}]");
  if (d->path_file.file != NULL) return TAC_OK;
  for (int i = 0; i < d->path.count; ++i) {
    if (i > 0 && !(points[i].after > 0.0))
      return tac_yaml_error(tree, points[i].node, TAC_ERR_FORMAT, error,
                            "the waypoint has no time; give after, the time since the previous waypoint, for example "
                            "after: 0.5 s");
    if (i == 0 && points[0].has_after && !d->repeat)
      return tac_yaml_error(tree, tac_yaml_child(points[0].node, "after"), TAC_ERR_FORMAT, error,
                            "the first waypoint has no previous one, so after has no meaning; leave it out, or write "
                            "repeat: true, and after is the time of the way back to this waypoint");
  }
  if (d->repeat && !(points[0].after > 0.0))
    return tac_yaml_error(tree, points[0].node, TAC_ERR_FORMAT, error,
                          "the path repeats, but the first waypoint has no time; give after, the time of the way "
                          "from the last waypoint back to this one, for example after: 0.5 s");
  return TAC_OK;
}

static tacStatus check_device(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneDevice *d = record;
  if (d->kind != TAC_SCENE_DEVICE_OPERATOR) return TAC_OK;
  if (d->preset == NULL) return check_path(tree, d, error);
  for (int i = 0; i < tac_operator_preset_count(); ++i)
    if (strcmp(tac_operator_preset_name(i), d->preset) == 0) return check_path(tree, d, error);
  tacNearest nearest = {.given = d->preset};
  for (int i = 0; i < tac_operator_preset_count(); ++i) tac_nearest_offer(&nearest, tac_operator_preset_name(i));
  return tac_yaml_error(tree, tac_yaml_child(d->node, "preset"), TAC_ERR_FORMAT, error,
                        "unknown preset %.40s; did you mean %s?", d->preset, nearest.best);
}

#define OPERATOR (1u << TAC_SCENE_DEVICE_OPERATOR)
#define REPLAY (1u << TAC_SCENE_DEVICE_REPLAY)
#define DRIVER (1u << TAC_SCENE_DEVICE_DRIVER)
static const tacField device_fields[] = {
    TAC_FIELD(tacSceneDevice, kind, TAC_CHOICE("operator|replay|driver"), TAC_REQUIRED),
    TAC_FIELD(tacSceneDevice, preset, TAC_TEXT, .variants = OPERATOR),
    TAC_FIELD(tacSceneDevice, hand, TAC_RECORD(hand_record), .variants = OPERATOR),
    TAC_FIELD(tacSceneDevice, path, TAC_LIST(waypoint_record), .variants = OPERATOR),
    {.key = "path", .offset = offsetof(tacSceneDevice, path_file), TAC_RECORD(path_file_record), .variants = OPERATOR},
    TAC_FIELD(tacSceneDevice, smooth, TAC_FLAG, .variants = OPERATOR),
    TAC_FIELD(tacSceneDevice, repeat, TAC_FLAG, .variants = OPERATOR | REPLAY),
    TAC_FIELD(tacSceneDevice, file, TAC_TEXT, TAC_REQUIRED, .variants = REPLAY | DRIVER),
    TAC_FIELD(tacSceneDevice, options, TAC_TEXT, .variants = DRIVER),
    TAC_FIELD(tacSceneDevice, stiffness_limit, TAC_QUANTITY(STIFFNESS, 1.0, 1e6), .variants = DRIVER),
};
static const tacRecord device_record = {TAC_TABLE("a device", tacSceneDevice, device_fields),
                                        .variant = &device_fields[0], .defaults = device_defaults,
                                        .check = check_device};

/* ---- couplings ---- */

static void coupling_defaults(void *record) {
  tacSceneCoupling *coupling = record;
  tacBodyToolDef def = tac_body_tool_def_default();
  coupling->kind = def.coupling;
  coupling->static_damping = def.static_damping;
  coupling->damping_ratio = def.damping_ratio;
  coupling->speed_limit = def.speed_most;
  coupling->turn_limit = def.turn_most;
  coupling->mass = def.mass;
}

static tacStatus check_coupling(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneCoupling *coupling = record;
  if (!coupling->has_depth || !coupling->has_force_limit) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(coupling->node, "depth"), TAC_ERR_FORMAT, error,
                        "depth and force_limit both define where the force saturates; give only one of them");
}

#define STATIC (1u << TAC_COUPLING_STATIC)
#define DYNAMIC (1u << TAC_COUPLING_DYNAMIC)
static const tacField coupling_fields[] = {
    TAC_FIELD(tacSceneCoupling, kind, TAC_CHOICE("static|dynamic")),
    TAC_FIELD(tacSceneCoupling, stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)),
    TAC_FIELD(tacSceneCoupling, turn_stiffness, TAC_QUANTITY(TORQUE, 1e-6, 1e6)),
    TAC_FIELD(tacSceneCoupling, depth, TAC_LENGTH, TAC_GIVEN(tacSceneCoupling, has_depth)),
    TAC_FIELD(tacSceneCoupling, force_limit, TAC_QUANTITY(FORCE, 1e-3, 1e6), .words = "none",
              TAC_GIVEN(tacSceneCoupling, has_force_limit)),
    TAC_FIELD(tacSceneCoupling, torque_limit, TAC_QUANTITY(TORQUE, 1e-6, 1e6), .words = "none",
              TAC_GIVEN(tacSceneCoupling, has_torque_limit)),
    {.key = "damping",
     .offset = offsetof(tacSceneCoupling, static_damping),
     TAC_QUANTITY(NUMBER, 0.0, 0.99),
     .variants = STATIC},
    {.key = "damping",
     .offset = offsetof(tacSceneCoupling, damping_ratio),
     TAC_QUANTITY(NUMBER, 0.0, 10.0),
     .variants = DYNAMIC},
    TAC_FIELD(tacSceneCoupling, speed_limit, TAC_QUANTITY(SPEED, 1e-3, 100.0)),
    TAC_FIELD(tacSceneCoupling, turn_limit, TAC_QUANTITY(TURN_RATE, 1e-3, 1000.0)),
    TAC_FIELD(tacSceneCoupling, mass, TAC_QUANTITY(MASS, 1e-4, 100.0), .variants = DYNAMIC),
};
static const tacRemovedKey coupling_removed[] = {
    {"joint", "leave it out: a held body and what it touches are always solved together"},
    {"substeps", "leave it out: a dynamic coupling takes one implicit step a tick"},
    {NULL, NULL},
};
static const tacRecord coupling_record = {TAC_TABLE("a coupling", tacSceneCoupling, coupling_fields),
                                          .variant = &coupling_fields[0], .defaults = coupling_defaults,
                                          .removed = coupling_removed, .check = check_coupling};

static const tacField pad_coupling_fields[] = {
    TAC_FIELD(tacSceneCoupling, stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)),
    TAC_FIELD(tacSceneCoupling, turn_stiffness, TAC_QUANTITY(TORQUE, 1e-6, 1e6)),
    TAC_FIELD(tacSceneCoupling, speed_limit, TAC_QUANTITY(SPEED, 1e-3, 100.0)),
    TAC_FIELD(tacSceneCoupling, turn_limit, TAC_QUANTITY(TURN_RATE, 1e-3, 1000.0)),
};
static const tacRecord pad_coupling_record = {TAC_TABLE("a coupling of pads", tacSceneCoupling, pad_coupling_fields),
                                              .defaults = coupling_defaults};

/* ---- jaws ---- */

static tacStatus check_jaw(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneJaw *jaw = record;
  if (tac_vec3_norm2(jaw->axis) > 0.0) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(jaw->node, "axis"), TAC_ERR_FORMAT, error,
                        "the direction is zero; write it like axis: [0, 1, 0]");
}

static const tacField jaw_fields[] = {
    TAC_FIELD(tacSceneJaw, body, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneJaw, hinge, TAC_POINT, TAC_REQUIRED),
    TAC_FIELD(tacSceneJaw, axis, TAC_VECTOR(NUMBER, 1e6), TAC_REQUIRED),
};
static const tacRecord jaw_record = {TAC_TABLE("a jaw", tacSceneJaw, jaw_fields), .check = check_jaw};

static void closing_defaults(void *record) {
  tacSceneClosing *closing = record;
  tacBodyToolDef def = tac_body_tool_def_default();
  closing->angle = def.jaw_angle;
  closing->time = def.jaw_time;
  closing->torque = def.jaw_torque;
}

static const tacField closing_fields[] = {
    TAC_FIELD(tacSceneClosing, angle, TAC_QUANTITY(ANGLE, 1e-3, 3.1)),
    TAC_FIELD(tacSceneClosing, time, TAC_QUANTITY(TIME, 1e-3, 1e3)),
    TAC_FIELD(tacSceneClosing, torque, TAC_QUANTITY(TORQUE, 1e-6, 1e3)),
};
static const tacRecord closing_record = {TAC_TABLE("how jaws close", tacSceneClosing, closing_fields),
                                         .defaults = closing_defaults};

/* ---- tools ---- */

static void tool_defaults(void *record) {
  tacSceneTool *tool = record;
  tool->scale = 1.0;
  tool->radius = 6e-3;
  coupling_defaults(&tool->coupling);
  closing_defaults(&tool->close);
  tacPadToolDef def = tac_pad_tool_def_default();
  tool->pad = (tacScenePad){def.radius, def.hold, def.friction, def.opening, def.approach};
}

static tacStatus check_tool(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneTool *tool = record;
  const tacSceneWaypoint *points = tool->device.path.items;
  bool point = tac_scene_tool_touches(tool);
  if (tool->device.preset == NULL) tool->device.preset = point ? "premium-3" : "premium-6";
  if (!(tac_vec3_norm2(tool->pad.approach) > 0.0))
    return tac_yaml_error(tree, tac_yaml_child(tool->node, "approach"), TAC_ERR_FORMAT, error,
                          "the direction is zero; write it like approach: [0, 0, -1]");
  tool->pad.approach = tac_vec3_unit(tool->pad.approach);
  if (tool->jaws.count > TAC_MOST_JAWS)
    return tac_yaml_error(tree, tac_yaml_child(tool->node, "jaws"), TAC_ERR_FORMAT, error,
                          "too many jaws (%d); at most %d are "
                          "allowed",
                          tool->jaws.count, TAC_MOST_JAWS);
  if (tool->close.node != NULL && tool->jaws.count == 0)
    return tac_yaml_error(tree, tool->close.node, TAC_ERR_FORMAT, error,
                          "the tool has no jaws; add them, for example jaws: [{body: left, hinge: [0, 0, 0], axis: "
                          "[0, 1, 0]}]");
  for (int i = 0; tool->jaws.count == 0 && i < tool->device.path.count; ++i)
    if (points[i].grip > 0.0)
      return tac_yaml_error(tree, tac_yaml_child(points[i].node, "grip"), TAC_ERR_FORMAT, error,
                            "the tool has no jaws; remove `grip`, or give the tool jaws");
  for (int i = 0; point && i < tool->device.path.count; ++i)
    if (points[i].turn.node != NULL)
      return tac_yaml_error(tree, points[i].turn.node, TAC_ERR_FORMAT, error,
                            "a point or fingertip tool cannot be turned; remove `turn`, or hold a body with kind: "
                            "body");
  return TAC_OK;
}

#define HOLDS (1u << TAC_SCENE_BODY_TOOL)
#define PADS (1u << TAC_SCENE_PAD_TOOL)
#define FINGERTIP (1u << TAC_SCENE_FINGERTIP_TOOL)
static const tacField tool_fields[] = {
    TAC_FIELD(tacSceneTool, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneTool, kind, TAC_CHOICE("point|body|pad|fingertip"), TAC_REQUIRED),
    TAC_FIELD(tacSceneTool, body, TAC_NAME, TAC_REQUIRED, .variants = HOLDS | PADS),
    TAC_FIELD(tacSceneTool, reach, TAC_LENGTH, .variants = HOLDS),
    TAC_FIELD(tacSceneTool, trocar, TAC_POINT, TAC_GIVEN(tacSceneTool, has_trocar), .variants = HOLDS),
    TAC_FIELD(tacSceneTool, jaws, TAC_LIST(jaw_record), .variants = HOLDS),
    TAC_FIELD(tacSceneTool, close, TAC_RECORD(closing_record), .variants = HOLDS),
    TAC_FIELD(tacSceneTool, grasp, TAC_POINT, TAC_GIVEN(tacSceneTool, has_grasp), .variants = HOLDS),
    TAC_FIELD(tacSceneTool, coupling, TAC_RECORD(coupling_record), .variants = HOLDS),
    TAC_FIELD(tacSceneTool, coupling, TAC_RECORD(pad_coupling_record), .variants = PADS),
    TAC_INNER(tacSceneTool, pad, radius, TAC_LENGTH, .variants = PADS),
    TAC_INNER(tacSceneTool, pad, hold, TAC_CHOICE("stick|press"), .variants = PADS),
    TAC_INNER(tacSceneTool, pad, friction, TAC_QUANTITY(NUMBER, 0.0, 100.0), .variants = PADS),
    TAC_INNER(tacSceneTool, pad, opening, TAC_QUANTITY(LENGTH, 0.0, TAC_LARGEST), .variants = PADS),
    TAC_INNER(tacSceneTool, pad, approach, TAC_VECTOR(NUMBER, 1e6), .variants = PADS),
    TAC_FIELD(tacSceneTool, radius, TAC_QUANTITY(LENGTH, 1e-4, 0.1), .variants = FINGERTIP),
    TAC_FIELD(tacSceneTool, scale, TAC_QUANTITY(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneTool, centre, TAC_POINT),
    TAC_FIELD(tacSceneTool, rotation, TAC_RECORD(tac_scene_rotation_record)),
    TAC_FIELD(tacSceneTool, device, TAC_RECORD(device_record), TAC_REQUIRED),
};
const tacRecord tac_scene_tool_record = {TAC_TABLE("a tool", tacSceneTool, tool_fields), .variant = &tool_fields[1],
                                         .defaults = tool_defaults, .check = check_tool};
