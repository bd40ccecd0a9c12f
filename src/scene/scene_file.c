#include "scene/scene_file.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/meshing.h>
#include <tactus/scene.h>
#include "base/log.h"
#include "base/nearest.h"
#include "kinds/scene_kinds.h"
#include "math/geometry/vec3.h"
#include "spec/body_copy.h"
#include "spec/text/scene_fields.h"

/* ---- floor, servo and scene ---- */

static void floor_defaults(void *record) {
  tacSceneFloor *floor = record;
  floor->normal.axis = 2;
  floor->friction = 0.5;
}

static tacStatus check_floor(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneFloor *floor = record;
  return tac_scene_normal_check(tree, floor->node, &floor->normal, error);
}

static const tacField floor_fields[] = {
    TAC_SCENE_NORMAL(tacSceneFloor, normal),
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
    SERVO(turn_limit, TAC_QUANTITY(TURN_RATE, 0.01, 1000.0)),
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
    TAC_FIELD(tacSceneFile, small, TAC_FLAG),
    TAC_FIELD(tacSceneFile, duration, TAC_QUANTITY(TIME, 0.0, 1e6)),
    TAC_FIELD(tacSceneFile, kinds, .kind = TAC_FIELD_TEXTS),
    TAC_FIELD(tacSceneFile, bodies, .kind = TAC_FIELD_LIST, TAC_REQUIRED),
    TAC_FIELD(tacSceneFile, tools, TAC_LIST(tac_scene_tool_record), TAC_REQUIRED),
    TAC_FIELD(tacSceneFile, contacts, TAC_LIST(tac_scene_pair_record)),
    TAC_FIELD(tacSceneFile, budget, TAC_QUANTITY(TIME, 1e-5, 1e-2)),
    TAC_FIELD(tacSceneFile, method, TAC_CHOICE(TAC_SCENE_METHODS)),
    TAC_FIELD(tacSceneFile, patch, TAC_COUNT(1, TAC_LAWS_MOST_PATCH)),
    TAC_FIELD(tacSceneFile, restitution, TAC_QUANTITY(NUMBER, 0.0, 1.0)),
    TAC_FIELD(tacSceneFile, detect, TAC_CHOICE(TAC_SCENE_DETECTIONS)),
    TAC_FIELD(tacSceneFile, gravity, TAC_VECTOR(ACCELERATION, 1e4)),
    TAC_FIELD(tacSceneFile, rate, TAC_RECORD(tac_scene_rate_record)),
    TAC_FIELD(tacSceneFile, floor, TAC_RECORD(floor_record)),
    TAC_FIELD(tacSceneFile, servo, TAC_RECORD(servo_record)),
};

/* Checks the format before any other key, since other formats have other keys. The schema refuses what is no number. */
static tacStatus check_format(const tacYamlTree *tree, tacError *error) {
  const tacYamlNode *node = tac_yaml_child(tac_yaml_tree_root(tree), "tactus");
  char *end = NULL;
  long format = node != NULL && node->text != NULL ? strtol(node->text, &end, 10) : TAC_SCENE_FORMAT;
  if (format == TAC_SCENE_FORMAT || *end != 0) return TAC_OK;
  return tac_yaml_error(tree, node, TAC_ERR_VERSION, error,
                        "the scene has format %ld, but this program reads format %d", format, TAC_SCENE_FORMAT);
}

/* Checks that the names in a list are unique. Names are read from the nodes, so that the function serves bodies,
 * tools and sensors. */
static tacStatus check_names(const tacYamlTree *tree, const tacYamlNode *list, tacError *error) {
  for (const tacYamlNode *b = list != NULL ? list->first : NULL; b != NULL; b = b->next)
    for (const tacYamlNode *a = list->first; a != b; a = a->next) {
      const tacYamlNode *name = tac_yaml_child(b, "name");
      if (strcmp(tac_yaml_child(a, "name")->text, name->text) != 0) continue;
      return tac_yaml_error(tree, name, TAC_ERR_FORMAT, error,
                            "%s[%d] in line %d is already called %s; names must be unique", list->key, a->index,
                            a->line, name->text);
    }
  return TAC_OK;
}

const tacSceneBody *tac_scene_file_find(const tacSceneFile *file, const char *name, int *copy) {
  for (int i = 0; i < file->bodies.count; ++i)
    if ((*copy = tac_body_copy_find(tac_scene_file_body(file, i), name)) >= 0) return tac_scene_file_body(file, i);
  return NULL;
}

/* Returns the scene body of the world body that `key` in `map` names. Returns NULL with `error` set if there is no such
 * body. */
static const tacSceneBody *require_body(const tacYamlTree *tree, const tacSceneFile *file, const tacYamlNode *map,
                                        const char *key, tacError *error) {
  int copy;
  const tacYamlNode *node = tac_yaml_child(map, key);
  const tacSceneBody *body = tac_scene_file_find(file, node->text, &copy);
  if (body != NULL) return body;
  char first[TAC_SCENE_MOST_BODIES][TAC_BODY_COPY_NAME];
  tacNearest nearest = {.given = node->text};
  for (int b = 0; b < file->bodies.count; ++b) {
    tac_body_copy_name(tac_scene_file_body(file, b), 0, first[b]);
    tac_nearest_offer(&nearest, first[b]);
  }
  tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "unknown body %s; did you mean %s?", node->text, nearest.best);
  return NULL;
}

static tacStatus check_waypoint_bodies(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  for (int t = 0; t < file->tools.count; ++t) {
    const tacSchemaList *path = &tac_scene_file_tool(file, t)->device.path;
    const tacSceneWaypoint *points = path->items;
    for (int i = 0; i < path->count; ++i)
      if (points[i].on != NULL && require_body(tree, file, points[i].node, "on", error) == NULL) return TAC_ERR_FORMAT;
  }
  return TAC_OK;
}

/* Checks the body of a tool that holds or grasps a body. */
static tacStatus check_held(const tacYamlTree *tree, const tacSceneFile *file, int index, tacError *error) {
  const tacSceneTool *tool = tac_scene_file_tool(file, index);
  if (tac_scene_tool_touches(tool)) return TAC_OK;
  const tacYamlNode *node = tac_yaml_child(tool->node, "body");
  const tacSceneBody *body = require_body(tree, file, tool->node, "body", error);
  if (body == NULL) return TAC_ERR_FORMAT;
  if (tool->kind == TAC_SCENE_PAD_TOOL) return TAC_OK; /* the world checks whether pads can grasp the body */
  for (int i = 0; i < index; ++i) {
    const tacSceneTool *other = tac_scene_file_tool(file, i);
    if (other->kind == TAC_SCENE_BODY_TOOL && strcmp(other->body, tool->body) == 0)
      return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                            "tools[%d] in line %d already holds %s; a body can be "
                            "held by one tool only",
                            i, other->node->line, tool->body);
  }
  const tacSceneJaw *jaws = tool->jaws.items; /* the world checks which tools hold the jaws */
  for (int j = 0; j < tool->jaws.count; ++j)
    if (require_body(tree, file, jaws[j].node, "body", error) == NULL) return TAC_ERR_FORMAT;
  return TAC_OK;
}

/* Checks that a body of a pair has points or a field, as `key` ("points" or "field") requires. Contacts by surfaces
 * need neither points nor fields. */
static tacStatus check_side(const tacYamlTree *tree, const tacSceneFile *file, const tacScenePair *pair,
                            const char *key, tacError *error) {
  const tacSceneBody *body = require_body(tree, file, pair->node, key, error);
  if (body == NULL) return TAC_ERR_FORMAT;
  const tacYamlNode *node = tac_yaml_child(pair->node, key);
  bool points = strcmp(key, "points") == 0;
  if (pair->detect == TAC_DETECT_SURFACES) return TAC_OK;
  if (tac_scene_kind_of(body)->vertices) {
    if (points) return TAC_OK;
    return tac_yaml_error(tree, tac_yaml_child(pair->node, "detect"), TAC_ERR_FORMAT, error,
                          "%s has no field; give it under points, or remove `detect`", node->text);
  }
  if (points ? body->points.node != NULL : tac_scene_body_has_field(body)) return TAC_OK;
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "%s has no %s; add them, for example %s below line %d",
                        node->text, key, points ? "points: {count: 65536}" : "field: {resolution: 128}",
                        body->node->line);
}

static tacStatus check_pair(const tacYamlTree *tree, const tacSceneFile *file, int index, tacError *error) {
  const tacScenePair *pair = tac_scene_file_pair(file, index);
  TAC_TRY(check_side(tree, file, pair, "points", error));
  TAC_TRY(check_side(tree, file, pair, "field", error));
  if (strcmp(pair->points, pair->field) == 0)
    return tac_yaml_error(tree, pair->node, TAC_ERR_FORMAT, error,
                          "points and field are the same body; give two "
                          "different bodies");
  for (int i = 0; i < index; ++i) {
    const tacScenePair *other = tac_scene_file_pair(file, i);
    if (strcmp(other->points, pair->points) == 0 && strcmp(other->field, pair->field) == 0)
      return tac_yaml_error(tree, pair->node, TAC_ERR_FORMAT, error,
                            "contacts[%d] in line %d already has these two "
                            "bodies; leave one of the two contacts out",
                            i, other->node->line);
  }
  return TAC_OK;
}

static tacStatus check_body_count(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  const tacYamlNode *bodies = tac_yaml_child(file->node, "bodies");
  int count = 0;
  if (file->bodies.count > TAC_SCENE_MOST_BODIES)
    return tac_yaml_error(tree, bodies, TAC_ERR_FORMAT, error, "too many bodies (%d); at most %d are allowed",
                          file->bodies.count, TAC_SCENE_MOST_BODIES);
  for (int i = 0; i < file->bodies.count; ++i) count += tac_body_copy_count(tac_scene_file_body(file, i));
  if (count > TAC_SCENE_MOST_COPIES)
    return tac_yaml_error(tree, bodies, TAC_ERR_FORMAT, error,
                          "too many bodies with their copies (%d); at most %d "
                          "are allowed",
                          count, TAC_SCENE_MOST_COPIES);
  return TAC_OK;
}

static bool is_held(const tacSceneFile *file, const char *name) {
  for (int t = 0; t < file->tools.count; ++t) {
    const tacSceneTool *tool = tac_scene_file_tool(file, t);
    const tacSceneJaw *jaws = tool->jaws.items;
    if (tool->kind == TAC_SCENE_BODY_TOOL && strcmp(tool->body, name) == 0) return true;
    for (int j = 0; j < tool->jaws.count; ++j)
      if (strcmp(jaws[j].body, name) == 0) return true;
  }
  return false;
}

static bool may_have_field(const tacSceneBody *body) {
  return tac_scene_body_has_field(body) || body->row->makes_field;
}

/* Warns if no free body has a field. Every surface has points, so a field of one free body is enough for a contact.
 * Without a field, free bodies pass through each other. */
static void warn_of_missing_fields(const tacYamlTree *tree, const tacSceneFile *file) {
  char names[2][TAC_BODY_COPY_NAME];
  int count = 0;
  for (int i = 0; i < file->bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(file, i);
    const tacSceneKind *kind = tac_scene_kind_of(body);
    if (!tac_scene_kind_frees(body)) continue;
    for (int copy = 0; copy < tac_body_copy_count(body); ++copy) {
      char name[TAC_BODY_COPY_NAME];
      tac_body_copy_name(body, copy, name);
      if (is_held(file, name)) continue;
      if (may_have_field(body) || kind->vertices) return;
      if (count < 2) memcpy(names[count], name, sizeof name);
      ++count;
    }
  }
  if (count > 1)
    tac_log(TAC_LOG_WARNING,
            "%s: %s and %s are free and pass through each other, because no free body has a field; give one of them "
            "a field, for example field: {resolution: 32}",
            tac_yaml_tree_path(tree), names[0], names[1]);
}

static tacStatus check_rate(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  int every;
  tacError reason;
  tacStatus status = tac_scene_rate_every(&file->rate, file->servo.def.rate, &every, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(file->rate.node, "simulate"), TAC_ERR_FORMAT, error, "%s", reason.text);
}

/* True if the contacts of a pair must be detected by triangles. Such a pair has a body with only vertices as points
 * and no field, and lacks points or a field. */
static bool detects_by_surfaces(const tacSceneFile *file, const tacScenePair *pair) {
  int copy;
  const tacSceneBody *points = tac_scene_file_find(file, pair->points, &copy);
  const tacSceneBody *field = tac_scene_file_find(file, pair->field, &copy);
  if (points == NULL || field == NULL) return false; /* check_pair reports the error later */
  bool vertices = tac_scene_kind_of(points)->vertices || tac_scene_kind_of(field)->vertices;
  bool has_field = (tac_scene_kind_of(points)->vertices || points->points.node != NULL) && may_have_field(field);
  return vertices && !has_field;
}

/* Sets missing values of bodies and contacts to the defaults of the scene. */
static void inherit(tacSceneFile *file) {
  for (int i = 0; i < file->bodies.count; ++i) {
    tacSceneBody *body = tac_scene_file_body(file, i);
    if (!body->has_gravity) body->gravity = file->gravity;
  }
  for (int i = 0; i < file->contacts.count; ++i) {
    tacScenePair *pair = tac_scene_file_pair(file, i);
    if (!pair->has_method) pair->method = file->method;
    if (!pair->has_patch) pair->def.laws.patch = file->patch;
    if (!pair->has_restitution) pair->def.laws.restitution = file->restitution;
    if (!pair->has_detect) pair->detect = detects_by_surfaces(file, pair) ? TAC_DETECT_SURFACES : file->detect;
  }
}

static tacStatus check_scene(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneFile *file = record;
  const tacYamlNode *bodies = tac_yaml_child(file->node, "bodies"), *tools = tac_yaml_child(file->node, "tools");
  TAC_TRY(check_body_count(tree, file, error));
  if (file->tools.count > TAC_MOST_TOOLS)
    return tac_yaml_error(tree, tools, TAC_ERR_FORMAT, error, "too many tools (%d); at most %d are allowed",
                          file->tools.count, TAC_MOST_TOOLS);
  TAC_TRY(check_names(tree, bodies, error));
  TAC_TRY(check_names(tree, tools, error));
  for (int i = 0; i < file->bodies.count; ++i)
    TAC_TRY(check_names(tree, tac_yaml_child(tac_scene_file_body(file, i)->node, "sensors"), error));
  TAC_TRY(check_waypoint_bodies(tree, file, error));
  for (int i = 0; i < file->tools.count; ++i) TAC_TRY(check_held(tree, file, i, error));
  inherit(file);
  for (int i = 0; i < file->contacts.count; ++i) TAC_TRY(check_pair(tree, file, i, error));
  TAC_TRY(check_rate(tree, file, error));
  if (file->detect != TAC_DETECT_SURFACES) warn_of_missing_fields(tree, file);
  return TAC_OK;
}

/* ---- small version ---- */

/* Limits of a small version. With these limits, every scene of the gallery bakes in a few seconds, and no body loses a
 * part. */
enum {
  VERTICES = 3000,
  VERTICES_RELAXED = 300, /* vertex limit of kinds whose bake time grows with the cube of this number */
  RESOLUTION = 64,
  LOADS = 32,
  POINTS = 4000,
  LEVELS = 3
};
static const double coarser = 1.5; /* factor of the element size in bodies that lose no part */

/* Limits `value` to `most`. True if `value` was larger. */
static bool lower(int *value, int most) {
  bool above = *value > most;
  if (above) *value = most;
  return above;
}

static bool lower_meshes(tacSceneBody *b, bool relaxes) {
  bool lowered = false;
  if (b->surface.shape != NULL)
    lowered = lower(&b->surface.vertices, relaxes && !b->has_volume ? VERTICES_RELAXED : VERTICES);
  bool covers = b->volume.has_bricks && b->volume.fill == TAC_VOXELS_COVER;
  if (b->volume.has_tets) b->volume.tets *= coarser;
  if (covers) b->volume.bricks *= coarser;
  return lowered || b->volume.has_tets || covers;
}

static bool lower_solids(tacSceneBody *b) {
  bool lowered = false;
  if (b->field.node != NULL && b->field.file == NULL) {
    if (b->field.resolution == 0) b->field.resolution = tac_field_def_default().resolution;
    lowered = lower(&b->field.resolution, RESOLUTION);
    lowered = lower(&b->field.loads, LOADS) || lowered;
  }
  if (b->points.node != NULL && b->points.file == NULL) {
    lowered = lower(&b->points.count, POINTS) || lowered;
    lowered = lower(&b->points.levels, LEVELS) || lowered;
    lowered = lower(&b->points.resolution, RESOLUTION) || lowered;
  }
  return lowered;
}

/* Reduces a body for the small version of a scene. A small version has the same bodies, tools and contacts, with
 * fewer vertices, elements, modes, voxels and points, so that the bake takes seconds. Users can touch the small
 * version while the full scene is baked. The small version is not suitable for measurements. Call after the checks
 * of the scene. False if there was nothing to reduce. */
static bool lower_body(tacSceneBody *body) {
  bool lowered = lower_meshes(body, tac_scene_kind_of(body)->relaxes);
  const tacSceneKind *kind = tac_scene_kind_of(body);
  if (kind->lower != NULL) lowered = kind->lower(body) || lowered;
  return lower_solids(body) || lowered;
}

tacStatus tac_scene_file_read(tacYamlTree *tree, tacSceneFile *file, tacError *error) {
  tacField fields[sizeof scene_fields / sizeof *scene_fields];
  tacRecord bodies,
      scene = {TAC_TABLE("a scene", tacSceneFile, fields), .defaults = scene_defaults, .check = check_scene};
  TAC_TRY(check_format(tree, error));
  TAC_TRY(tac_scene_kinds_load(tree, error));
  TAC_TRY(tac_scene_kinds_record(tree, &bodies, error));
  memcpy(fields, scene_fields, sizeof fields);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (fields[i].offset == offsetof(tacSceneFile, bodies)) fields[i].record = &bodies;
  TAC_TRY(tac_schema_read(tree, tac_yaml_tree_root(tree), &scene, file, error));
  for (int i = 0; file->small && i < file->bodies.count; ++i)
    file->lowered = lower_body(tac_scene_file_body(file, i)) || file->lowered;
  return TAC_OK;
}

tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error) {
  for (int i = 0; i < file->bodies.count; ++i) {
    const tacSceneBody *body = tac_scene_file_body(file, i);
    const struct {
      const tacYamlNode *node;
      const char *file;
    } parts[] = {{body->surface.node, body->surface.file},
                 {body->volume.node, body->volume.file},
                 {body->points.node, body->points.file},
                 {body->field.node, body->field.file}};
    for (int p = 0; p < 4; ++p)
      if (parts[p].file != NULL) TAC_TRY(visit(tac_yaml_child(parts[p].node, "file"), parts[p].file, user, error));
    const tacSceneKind *kind = tac_scene_kind_of(body);
    if (kind->visit != NULL) TAC_TRY(kind->visit(body, visit, user, error));
  }
  for (int i = 0; i < file->tools.count; ++i) {
    const tacSceneDevice *device = &tac_scene_file_tool(file, i)->device;
    if (device->kind == TAC_SCENE_DEVICE_REPLAY)
      TAC_TRY(visit(tac_yaml_child(device->node, "file"), device->file, user, error));
    if (device->path_file.file != NULL)
      TAC_TRY(visit(tac_yaml_child(device->path_file.node, "file"), device->path_file.file, user, error));
  }
  return TAC_OK;
}
