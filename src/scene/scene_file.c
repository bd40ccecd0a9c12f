#include "scene/scene_file.h"

#include <string.h>
#include "base/nearest.h"
#include "math/vec3.h"
#include "scene/body_copy.h"
#include "scene/scene_fields.h"

/* Tools */

static tacStatus check_waypoint(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneWaypoint *w = record;
  bool on = w->on != NULL && w->has_near;
  if (w->has_at ? w->on == NULL && !w->has_near && !w->has_depth : on) return TAC_OK;
  return tac_yaml_error(
      tree, w->node, TAC_ERR_FORMAT, error,
      "a waypoint is a point, {at: [0 mm, 0 mm, 60 mm], after: 0.5 s}, or a point of a body's surface, "
      "{on: kidney, near: [0 mm, 0 mm, 60 mm], depth: 4 mm, after: 0.5 s}");
}

static const tacField waypoint_fields[] = {
    TAC_FIELD(tacSceneWaypoint, at, TAC_POINT, TAC_GIVEN(tacSceneWaypoint, has_at)),
    TAC_FIELD(tacSceneWaypoint, on, TAC_NAME),
    TAC_FIELD(tacSceneWaypoint, near, TAC_POINT, TAC_GIVEN(tacSceneWaypoint, has_near)),
    TAC_FIELD(tacSceneWaypoint, depth, TAC_QUANTITY(LENGTH, -10.0, 10.0), TAC_GIVEN(tacSceneWaypoint, has_depth)),
    TAC_FIELD(tacSceneWaypoint, after, TAC_QUANTITY(TIME, 0.0, 1e5), TAC_GIVEN(tacSceneWaypoint, has_after)),
    TAC_FIELD(tacSceneWaypoint, buttons, .kind = TAC_FIELD_CHOICES, .words = "index|grab"),
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
  device->preset = "premium-3";
  device->smooth = true;
  device->options = "";
}

static tacStatus check_path(const tacYamlTree *tree, const tacSceneDevice *d, tacError *error) {
  const tacSceneWaypoint *points = d->path.items;
  const tacYamlNode *node = tac_yaml_child(d->node, "path");
  if (node == NULL)
    return tac_yaml_error(tree, d->node, TAC_ERR_FORMAT, error,
                          "an operator needs path; write it like path: [{at: [0 mm, 0 mm, 60 mm]}, {at: [0 mm, 0 mm, "
                          "40 mm], after: 0.5 s}]");
  if (d->path_file.file != NULL) return TAC_OK;
  for (int i = 0; i < d->path.count; ++i) {
    if (i > 0 && !(points[i].after > 0.0))
      return tac_yaml_error(tree, points[i].node, TAC_ERR_FORMAT, error,
                            "when? give after, the time since the waypoint before, like after: 0.5 s");
    if (i == 0 && points[0].has_after && !d->repeat)
      return tac_yaml_error(tree, tac_yaml_child(points[0].node, "after"), TAC_ERR_FORMAT, error,
                            "the path begins with its first waypoint at once; after is the time of the way back to it, "
                            "with repeat: true");
  }
  if (d->repeat && !(points[0].after > 0.0))
    return tac_yaml_error(tree, points[0].node, TAC_ERR_FORMAT, error,
                          "the path repeats: give after, the time of the way from the last waypoint back to this one, "
                          "like after: 0.5 s");
  return TAC_OK;
}

static tacStatus check_device(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneDevice *d = record;
  if (d->kind != TAC_SCENE_DEVICE_OPERATOR) return TAC_OK;
  for (int i = 0; i < tac_operator_preset_count(); ++i)
    if (strcmp(tac_operator_preset_name(i), d->preset) == 0) return check_path(tree, d, error);
  tacNearest nearest = {.given = d->preset};
  for (int i = 0; i < tac_operator_preset_count(); ++i) tac_nearest_offer(&nearest, tac_operator_preset_name(i));
  return tac_yaml_error(tree, tac_yaml_child(d->node, "preset"), TAC_ERR_FORMAT, error,
                        "there is no preset %.40s; did you mean %s?", d->preset, nearest.best);
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

static void tool_defaults(void *record) {
  ((tacSceneTool *)record)->scale = 1.0;
}

static const tacField tool_fields[] = {
    TAC_FIELD(tacSceneTool, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneTool, kind, TAC_CHOICE("point"), TAC_REQUIRED),
    TAC_FIELD(tacSceneTool, scale, TAC_QUANTITY(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneTool, centre, TAC_POINT),
    TAC_FIELD(tacSceneTool, rotation, TAC_RECORD(tac_scene_rotation_record)),
    TAC_FIELD(tacSceneTool, device, TAC_RECORD(device_record), TAC_REQUIRED),
};
static const tacRecord tool_record = {TAC_TABLE("a tool", tacSceneTool, tool_fields), .defaults = tool_defaults};

/* The floor, the servo and the whole */

static void floor_defaults(void *record) {
  tacSceneFloor *floor = record;
  floor->axis = 2;
  floor->friction = 0.5;
}

static tacStatus check_floor(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneFloor *floor = record;
  if (!floor->has_normal) floor->normal = tac_vec3(floor->axis == 0, floor->axis == 1, floor->axis == 2);
  if (!(tac_vec3_norm2(floor->normal) > 0.0))
    return tac_yaml_error(tree, tac_yaml_child(floor->node, "normal"), TAC_ERR_FORMAT, error,
                          "the normal is zero; write it like normal: z or normal: [0, 0, 1]");
  floor->normal = tac_vec3_unit(floor->normal);
  return TAC_OK;
}

static const tacField floor_fields[] = {
    {.key = "normal", .offset = offsetof(tacSceneFloor, axis), TAC_CHOICE("x|y|z")},
    TAC_FIELD(tacSceneFloor, normal, TAC_VECTOR(NUMBER, 1e6), TAC_GIVEN(tacSceneFloor, has_normal)),
    TAC_FIELD(tacSceneFloor, at, TAC_QUANTITY(LENGTH, -TAC_LARGEST, TAC_LARGEST)),
    TAC_FIELD(tacSceneFloor, friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
};
static const tacRecord floor_record = {TAC_TABLE("a floor", tacSceneFloor, floor_fields), .defaults = floor_defaults,
                                       .check = check_floor};

static void servo_defaults(void *record) {
  ((tacSceneServo *)record)->def = tac_servo_def_default();
}

#define SERVO(member, ...) \
  { .key = #member, .offset = offsetof(tacSceneServo, def) + offsetof(tacServoDef, member), __VA_ARGS__ }
static const tacField servo_fields[] = {
    SERVO(rate, TAC_QUANTITY(RATE, 250.0, 10000.0)),
    SERVO(priority, TAC_COUNT(0, 99)),
    SERVO(core, TAC_COUNT(-1, 1023)),
    SERVO(lock_memory, TAC_FLAG),
    SERVO(ramp_in, TAC_QUANTITY(TIME, 0.0, 60.0)),
    SERVO(ramp_out, TAC_QUANTITY(TIME, 0.0, 10.0)),
    SERVO(speed_limit, TAC_QUANTITY(SPEED, 0.01, 100.0)),
    SERVO(late_limit, TAC_COUNT(1, 100000)),
    SERVO(force_rate, TAC_QUANTITY(FORCE_RATE, 1.0, 1e6)),
    SERVO(passivity, TAC_FLAG),
};
static const tacRecord servo_record = {TAC_TABLE("a servo", tacSceneServo, servo_fields), .defaults = servo_defaults};

static void scene_defaults(void *record) {
  tacSceneFile *file = record;
  servo_defaults(&file->servo);
}

static const tacField scene_fields[] = {
    {.key = "tactus", .offset = offsetof(tacSceneFile, format), TAC_COUNT(1, 1000), TAC_REQUIRED},
    TAC_FIELD(tacSceneFile, name, TAC_NAME),
    TAC_FIELD(tacSceneFile, about, TAC_TEXT),
    TAC_FIELD(tacSceneFile, duration, TAC_QUANTITY(TIME, 0.0, 1e6)),
    TAC_FIELD(tacSceneFile, bodies, TAC_LIST(tac_scene_body_record), TAC_REQUIRED),
    TAC_FIELD(tacSceneFile, tools, TAC_LIST(tool_record), TAC_REQUIRED),
    TAC_FIELD(tacSceneFile, floor, TAC_RECORD(floor_record)),
    TAC_FIELD(tacSceneFile, servo, TAC_RECORD(servo_record)),
};

static tacStatus check_format(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  if (file->format == TAC_SCENE_FORMAT) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(file->node, "tactus"), TAC_ERR_VERSION, error,
                        "the scene is of format %d; this program reads format %d", file->format, TAC_SCENE_FORMAT);
}

/* Names are read from the nodes, so that one function serves bodies, tools and sensors. */
static tacStatus check_names(const tacYamlTree *tree, const tacYamlNode *list, tacError *error) {
  for (const tacYamlNode *b = list != NULL ? list->first : NULL; b != NULL; b = b->next)
    for (const tacYamlNode *a = list->first; a != b; a = a->next) {
      const tacYamlNode *name = tac_yaml_child(b, "name");
      if (strcmp(tac_yaml_child(a, "name")->text, name->text) != 0) continue;
      return tac_yaml_error(tree, name, TAC_ERR_FORMAT, error,
                            "%s[%d] in line %d is called %s already; names are unique", list->key, a->index, a->line,
                            name->text);
    }
  return TAC_OK;
}

const tacSceneBody *tac_scene_file_find(const tacSceneFile *file, const char *name, int *copy) {
  for (int i = 0; i < file->bodies.count; ++i)
    if ((*copy = tac_body_copy_find(tac_scene_file_body(file, i), name)) >= 0) return tac_scene_file_body(file, i);
  return NULL;
}

static tacStatus check_waypoint_bodies(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  for (int t = 0; t < file->tools.count; ++t) {
    const tacSchemaList *path = &tac_scene_file_tool(file, t)->device.path;
    const tacSceneWaypoint *points = path->items;
    for (int i = 0; i < path->count; ++i) {
      int copy;
      if (points[i].on == NULL || tac_scene_file_find(file, points[i].on, &copy) != NULL) continue;
      char first[TAC_SCENE_MOST_BODIES][TAC_BODY_COPY_NAME];
      tacNearest nearest = {.given = points[i].on};
      for (int b = 0; b < file->bodies.count; ++b) {
        tac_body_copy_name(tac_scene_file_body(file, b), 0, first[b]);
        tac_nearest_offer(&nearest, first[b]);
      }
      return tac_yaml_error(tree, tac_yaml_child(points[i].node, "on"), TAC_ERR_FORMAT, error,
                            "there is no body %s; did you mean %s?", points[i].on, nearest.best);
    }
  }
  return TAC_OK;
}

static tacStatus check_body_count(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  const tacYamlNode *bodies = tac_yaml_child(file->node, "bodies");
  int count = 0;
  if (file->bodies.count > TAC_SCENE_MOST_BODIES)
    return tac_yaml_error(tree, bodies, TAC_ERR_FORMAT, error, "%d bodies; at most %d", file->bodies.count,
                          TAC_SCENE_MOST_BODIES);
  for (int i = 0; i < file->bodies.count; ++i) count += tac_body_copy_count(tac_scene_file_body(file, i));
  if (count > TAC_BODY_COPY_MOST)
    return tac_yaml_error(tree, bodies, TAC_ERR_FORMAT, error, "%d bodies with their copies; at most %d", count,
                          TAC_BODY_COPY_MOST);
  return TAC_OK;
}

static tacStatus check_scene(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneFile *file = record;
  const tacYamlNode *bodies = tac_yaml_child(file->node, "bodies"), *tools = tac_yaml_child(file->node, "tools");
  tacStatus status = check_format(tree, file, error);
  if (status == TAC_OK) status = check_body_count(tree, file, error);
  if (status != TAC_OK) return status;
  if (file->tools.count > TAC_MOST_TOOLS)
    return tac_yaml_error(tree, tools, TAC_ERR_FORMAT, error, "%d tools; at most %d", file->tools.count,
                          TAC_MOST_TOOLS);
  status = check_names(tree, bodies, error);
  if (status == TAC_OK) status = check_names(tree, tools, error);
  for (int i = 0; status == TAC_OK && i < file->bodies.count; ++i)
    status = check_names(tree, tac_yaml_child(tac_scene_file_body(file, i)->node, "sensors"), error);
  if (status == TAC_OK) status = check_waypoint_bodies(tree, file, error);
  return status;
}

static const tacRecord scene_record = {TAC_TABLE("a scene", tacSceneFile, scene_fields), .defaults = scene_defaults,
                                       .check = check_scene};

tacStatus tac_scene_file_read(tacYamlTree *tree, tacSceneFile *file, tacError *error) {
  return tac_schema_read(tree, tac_yaml_tree_root(tree), &scene_record, file, error);
}

tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error) {
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < file->bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(file, i);
    if (body->surface.file != NULL)
      status = visit(tac_yaml_child(body->surface.node, "file"), body->surface.file, user, error);
    if (status == TAC_OK && body->volume.file != NULL)
      status = visit(tac_yaml_child(body->volume.node, "file"), body->volume.file, user, error);
    const tacSceneBasis *basis = &body->reduced.basis;
    if (status == TAC_OK && basis->file != NULL)
      status = visit(tac_yaml_child(basis->node, "file"), basis->file, user, error);
  }
  for (int i = 0; status == TAC_OK && i < file->tools.count; ++i) {
    const tacSceneDevice *device = &tac_scene_file_tool(file, i)->device;
    if (device->kind == TAC_SCENE_DEVICE_REPLAY)
      status = visit(tac_yaml_child(device->node, "file"), device->file, user, error);
    if (status == TAC_OK && device->path_file.file != NULL)
      status = visit(tac_yaml_child(device->path_file.node, "file"), device->path_file.file, user, error);
  }
  return status;
}
