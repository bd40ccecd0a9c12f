#include "scene/scene_file.h"

#include <stdio.h>
#include <string.h>
#include <tactus/shape.h>
#include "base/nearest.h"
#include "math/vec3.h"

/* Tables. Ranges are wide: they catch a wrong unit or a slip of the keyboard, physics checks the rest. */

#define FIELD(type, member, ...) \
  { .key = #member, .offset = offsetof(type, member), __VA_ARGS__ }
#define QUANTITY(what, least, most) \
  .kind = TAC_FIELD_QUANTITY, .quantity = TAC_QUANTITY_##what, .lower = (least), .upper = (most)
#define LENGTH QUANTITY(LENGTH, SMALLEST, LARGEST)
#define POINT \
  .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_LENGTH, .count = 3, .lower = -LARGEST, .upper = LARGEST
#define RANGE(what, lowest, highest) \
  .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_##what, .count = 2, .lower = (lowest), .upper = (highest)
#define TEXT .kind = TAC_FIELD_TEXT
#define NAME .kind = TAC_FIELD_NAME
#define FLAG .kind = TAC_FIELD_FLAG
#define COUNT(least, most) .kind = TAC_FIELD_COUNT, .lower = (least), .upper = (most)
#define CHOICE(list) .kind = TAC_FIELD_CHOICE, .words = (list)
#define RECORD(of) .kind = TAC_FIELD_RECORD, .record = &(of)
#define LIST(of) .kind = TAC_FIELD_LIST, .record = &(of)
#define GIVEN(type, member) .given = offsetof(type, member)
#define REQUIRED .required = true
#define TABLE(what, type, table) \
  .noun = (what), .size = sizeof(type), .fields = (table), .field_count = (int)(sizeof(table) / sizeof *(table))
#define SMALLEST 1e-7 /* m */
#define LARGEST 1e4   /* m */

/* Rotations */

static tacStatus check_rotation(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneRotation *rotation = record;
  if (tac_vec3_norm2(rotation->axis) > 0.0) return TAC_OK;
  return tac_yaml_error(tree, rotation->node, TAC_ERR_FORMAT, error, "the axis is zero; write it like axis: [0, 0, 1]");
}

static const tacField rotation_fields[] = {
    FIELD(tacSceneRotation, axis, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_NUMBER, .count = 3, REQUIRED),
    FIELD(tacSceneRotation, angle, QUANTITY(ANGLE, -100.0, 100.0), REQUIRED),
};
static const tacRecord rotation_record = {TABLE("a rotation", tacSceneRotation, rotation_fields),
                                          .check = check_rotation};

/* Bodies */

static tacStatus check_surface(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneSurface *s = record;
  if ((s->shape != NULL) == (s->file != NULL))
    return tac_yaml_error(tree, s->node, TAC_ERR_FORMAT, error,
                          "a surface is either a shape of the gallery or a file; write it like {shape: kidney, "
                          "vertices: 322} or {file: organ.obj, scale: 0.001}");
  if (s->file != NULL && (s->has_vertices || s->has_size))
    return tac_yaml_error(tree, tac_yaml_child(s->node, s->has_vertices ? "vertices" : "size"), TAC_ERR_FORMAT, error,
                          "is for shapes of the gallery; a file is as fine as it is");
  if (s->file == NULL && s->has_scale)
    return tac_yaml_error(tree, tac_yaml_child(s->node, "scale"), TAC_ERR_FORMAT, error,
                          "is for files; a shape has its own size");
  if (s->has_vertices && s->has_size)
    return tac_yaml_error(tree, tac_yaml_child(s->node, "size"), TAC_ERR_FORMAT, error,
                          "give either vertices or size, not both");
  if (s->shape == NULL || tac_shape_find(s->shape) != NULL) return TAC_OK;
  tacNearest nearest = {.given = s->shape};
  for (int i = 0; i < tac_shape_count(); ++i) tac_nearest_offer(&nearest, tac_shape_info(i)->name);
  return tac_yaml_error(tree, tac_yaml_child(s->node, "shape"), TAC_ERR_FORMAT, error,
                        "there is no shape %.40s; did you mean %s?", s->shape, nearest.best);
}

static void surface_defaults(void *record) {
  ((tacSceneSurface *)record)->scale = 1.0;
}

static const tacField surface_fields[] = {
    FIELD(tacSceneSurface, shape, TEXT),
    FIELD(tacSceneSurface, vertices, COUNT(12, 1e6), GIVEN(tacSceneSurface, has_vertices)),
    FIELD(tacSceneSurface, size, LENGTH, GIVEN(tacSceneSurface, has_size)),
    FIELD(tacSceneSurface, file, TEXT),
    FIELD(tacSceneSurface, scale, QUANTITY(NUMBER, 1e-9, 1e9), GIVEN(tacSceneSurface, has_scale)),
};
static const tacRecord surface_record = {TABLE("a surface", tacSceneSurface, surface_fields),
                                         .defaults = surface_defaults, .check = check_surface};

static tacStatus check_volume(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneVolume *v = record;
  if (v->has_tets + v->has_bricks + (v->file != NULL) != 1)
    return tac_yaml_error(tree, v->node, TAC_ERR_FORMAT, error,
                          "a volume is one of tets, bricks and file; write it like {tets: 6 mm} or {file: beam.veg}");
  if (v->file == NULL && v->has_scale)
    return tac_yaml_error(tree, tac_yaml_child(v->node, "scale"), TAC_ERR_FORMAT, error,
                          "is for files; a filled surface has its size");
  return TAC_OK;
}

static void volume_defaults(void *record) {
  ((tacSceneVolume *)record)->scale = 1.0;
}

static const tacField volume_fields[] = {
    FIELD(tacSceneVolume, tets, LENGTH, GIVEN(tacSceneVolume, has_tets)),
    FIELD(tacSceneVolume, bricks, LENGTH, GIVEN(tacSceneVolume, has_bricks)),
    FIELD(tacSceneVolume, file, TEXT),
    FIELD(tacSceneVolume, scale, QUANTITY(NUMBER, 1e-9, 1e9), GIVEN(tacSceneVolume, has_scale)),
};
static const tacRecord volume_record = {TABLE("a volume", tacSceneVolume, volume_fields), .defaults = volume_defaults,
                                        .check = check_volume};

static tacStatus check_material(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneMaterial *m = record;
  if (m->has_stiffness ? m->has_young || m->has_poisson : !m->has_young || !m->has_poisson)
    return tac_yaml_error(
        tree, m->node, TAC_ERR_FORMAT, error,
        "a material has young and poisson, or stiffness with 21 values; write it like {young: 20 kPa, "
        "poisson: 0.45, density: 1050 kg/m3}");
  return TAC_OK;
}

#define MATERIAL_FIELDS                                                                                                \
  FIELD(tacSceneMaterial, young, QUANTITY(PRESSURE, 1e-3, 1e13), GIVEN(tacSceneMaterial, has_young)),                  \
      FIELD(tacSceneMaterial, poisson, QUANTITY(NUMBER, -0.99, 0.4999), GIVEN(tacSceneMaterial, has_poisson)),         \
      FIELD(tacSceneMaterial, density, QUANTITY(DENSITY, 1e-3, 1e6), REQUIRED),                                        \
      FIELD(tacSceneMaterial, stiffness, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_PRESSURE, .count = 21, \
            GIVEN(tacSceneMaterial, has_stiffness))
static const tacField material_fields[] = {MATERIAL_FIELDS};
static const tacField group_material_fields[] = {MATERIAL_FIELDS, FIELD(tacSceneMaterial, group, TEXT, REQUIRED)};
static const tacRecord material_record = {TABLE("a material", tacSceneMaterial, material_fields),
                                          .check = check_material};
static const tacRecord group_material_record = {TABLE("a material", tacSceneMaterial, group_material_fields),
                                                .check = check_material};

static const tacField plane_fields[] = {
    FIELD(tacScenePlane, axis, CHOICE("x|y|z"), REQUIRED),
    FIELD(tacScenePlane, at, QUANTITY(LENGTH, -LARGEST, LARGEST), REQUIRED),
};
static const tacRecord plane_record = {TABLE("a half-space", tacScenePlane, plane_fields)};

static tacStatus check_box(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBox *box = record;
  if (box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z) return TAC_OK;
  return tac_yaml_error(tree, box->node, TAC_ERR_FORMAT, error, "lower exceeds upper: the box is empty");
}

static const tacField box_fields[] = {
    FIELD(tacSceneBox, lower, POINT, REQUIRED),
    FIELD(tacSceneBox, upper, POINT, REQUIRED),
};
static const tacRecord box_record = {TABLE("a box", tacSceneBox, box_fields), .check = check_box};

static const tacField ball_fields[] = {
    FIELD(tacSceneBall, centre, POINT, REQUIRED),
    FIELD(tacSceneBall, radius, LENGTH, REQUIRED),
};
static const tacRecord ball_record = {TABLE("a sphere", tacSceneBall, ball_fields)};

static const tacField region_fields[] = {
    FIELD(tacSceneRegion, below, RECORD(plane_record), GIVEN(tacSceneRegion, has_below)),
    FIELD(tacSceneRegion, above, RECORD(plane_record), GIVEN(tacSceneRegion, has_above)),
    FIELD(tacSceneRegion, box, RECORD(box_record), GIVEN(tacSceneRegion, has_box)),
    FIELD(tacSceneRegion, sphere, RECORD(ball_record), GIVEN(tacSceneRegion, has_sphere)),
    FIELD(tacSceneRegion, group, TEXT),
};
static const tacRecord region_record = {TABLE("a region", tacSceneRegion, region_fields), .exactly_one = true};

static const tacField sensor_fields[] = {
    FIELD(tacSceneSensor, name, NAME, REQUIRED),
    FIELD(tacSceneSensor, kind, CHOICE("displacement|stress"), REQUIRED),
    FIELD(tacSceneSensor, point, POINT, REQUIRED),
};
static const tacRecord sensor_record = {TABLE("a sensor", tacSceneSensor, sensor_fields)};

static void body_defaults(void *record) {
  tacSceneBody *body = record;
  tacGreenBodyDef def = tac_green_body_def_default();
  body->stiffness = def.stiffness;
  body->rigid_stiffness = def.rigid_stiffness;
  body->friction = def.friction;
}

static tacStatus check_boundary_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "boundary elements need a surface; write it like surface: {shape: kidney, vertices: 322}");
  if (b->has_volume)
    return tac_yaml_error(
        tree, b->volume.node, TAC_ERR_FORMAT, error,
        "boundary elements take the surface alone; leave volume out or write method: finite-elements");
  if (b->materials.count > 0)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "materials"), TAC_ERR_FORMAT, error,
                          "boundary elements take one material; give material instead");
  if (b->material.has_stiffness)
    return tac_yaml_error(tree, tac_yaml_child(b->material.node, "stiffness"), TAC_ERR_FORMAT, error,
                          "boundary elements take isotropic materials: give young and poisson, or write method: "
                          "finite-elements");
  return TAC_OK;
}

static tacStatus check_finite_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_volume)
    return tac_yaml_error(
        tree, b->node, TAC_ERR_FORMAT, error,
        "finite elements need a volume; write it like volume: {tets: 6 mm} beside surface, or volume: "
        "{file: beam.veg}");
  if (b->volume.file == NULL && !b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "tets and bricks fill a surface; write it like surface: {shape: kidney}");
  if (b->volume.file != NULL && b->has_surface)
    return tac_yaml_error(tree, b->surface.node, TAC_ERR_FORMAT, error,
                          "the file of volume has its own surface; leave one of the two out");
  return TAC_OK;
}

/* Of one live parameter; `own` is the body's value. */
static tacStatus check_range(const tacYamlTree *tree, const tacSceneBody *b, const char *key, tacSceneRange range,
                             double own, tacError *error) {
  const tacYamlNode *node = b->live.node != NULL ? tac_yaml_child(b->live.node, key) : NULL;
  if (node == NULL || (range.least < range.most && range.least <= own && own <= range.most)) return TAC_OK;
  const char *least = node->first->text, *most = node->first->next->text;
  if (!(range.least < range.most))
    return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "%.40s is not less than %.40s; a range is [least, most]",
                          least, most);
  const tacYamlNode *value = tac_yaml_child(b->node, key);
  char text[32];
  snprintf(text, sizeof text, "%g", own); /* a default, without a unit */
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error, "the body's own %s, %.40s, is not from %.40s to %.40s", key,
                        value != NULL ? value->text : text, least, most);
}

static tacStatus check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = check_range(tree, b, "stiffness", b->live.stiffness, b->stiffness, error);
  if (status == TAC_OK) status = check_range(tree, b, "friction", b->live.friction, b->friction, error);
  if (status == TAC_OK) status = check_range(tree, b, "mask", b->live.mask, b->mask, error);
  if (status == TAC_OK && b->storage == TAC_GREEN_NEAR && b->live.mask.most > 0.0)
    return tac_yaml_error(tree, tac_yaml_child(b->live.node, "mask"), TAC_ERR_FORMAT, error,
                          "cannot be changed where storage is near; leave it out or write storage: whole");
  return status;
}

static tacStatus check_body(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBody *b = record;
  tacStatus status = b->method == TAC_GREEN_BOUNDARY_ELEMENTS ? check_boundary_elements(tree, b, error)
                                                              : check_finite_elements(tree, b, error);
  if (status != TAC_OK) return status;
  if (b->has_material == (b->materials.count > 0))
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a body has material or materials, one of the two; write it like material: {young: 20 kPa, "
                          "poisson: 0.45, density: 1050 kg/m3}");
  if ((b->storage == TAC_GREEN_NEAR) != b->has_near_radius)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "storage: near and near_radius belong together; write it like near_radius: 20 mm");
  return check_live(tree, b, error);
}

/* The bounds are those of the body's own values. */
static const tacField ranges_fields[] = {
    FIELD(tacSceneRanges, stiffness, RANGE(NUMBER, 1e-6, 1e6)),
    FIELD(tacSceneRanges, friction, RANGE(NUMBER, 0.0, 10.0)),
    FIELD(tacSceneRanges, mask, RANGE(LENGTH, SMALLEST, LARGEST)),
};
static const tacRecord ranges_record = {TABLE("live", tacSceneRanges, ranges_fields)};

static const tacField body_fields[] = {
    FIELD(tacSceneBody, name, NAME, REQUIRED),
    FIELD(tacSceneBody, kind, CHOICE("green"), REQUIRED),
    FIELD(tacSceneBody, method, CHOICE("boundary-elements|finite-elements"), REQUIRED),
    FIELD(tacSceneBody, surface, RECORD(surface_record), GIVEN(tacSceneBody, has_surface)),
    FIELD(tacSceneBody, volume, RECORD(volume_record), GIVEN(tacSceneBody, has_volume)),
    FIELD(tacSceneBody, material, RECORD(material_record), GIVEN(tacSceneBody, has_material)),
    FIELD(tacSceneBody, materials, LIST(group_material_record)),
    FIELD(tacSceneBody, fixed, LIST(region_record), REQUIRED),
    FIELD(tacSceneBody, wanted, LIST(region_record)),
    FIELD(tacSceneBody, sensors, LIST(sensor_record)),
    FIELD(tacSceneBody, mask, LENGTH, REQUIRED, .words = "single"),
    FIELD(tacSceneBody, stiffness, QUANTITY(NUMBER, 1e-6, 1e6)),
    FIELD(tacSceneBody, rigid_stiffness, QUANTITY(STIFFNESS, 1.0, 1e6)),
    FIELD(tacSceneBody, friction, QUANTITY(NUMBER, 0.0, 10.0)),
    FIELD(tacSceneBody, position, POINT),
    FIELD(tacSceneBody, rotation, RECORD(rotation_record)),
    FIELD(tacSceneBody, storage, CHOICE("whole|near")),
    FIELD(tacSceneBody, near_radius, LENGTH, GIVEN(tacSceneBody, has_near_radius)),
    FIELD(tacSceneBody, live, RECORD(ranges_record)),
};
static const tacRecord body_record = {TABLE("a body", tacSceneBody, body_fields), .defaults = body_defaults,
                                      .check = check_body};

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
    FIELD(tacSceneWaypoint, at, POINT, GIVEN(tacSceneWaypoint, has_at)),
    FIELD(tacSceneWaypoint, on, NAME),
    FIELD(tacSceneWaypoint, near, POINT, GIVEN(tacSceneWaypoint, has_near)),
    FIELD(tacSceneWaypoint, depth, QUANTITY(LENGTH, -10.0, 10.0), GIVEN(tacSceneWaypoint, has_depth)),
    FIELD(tacSceneWaypoint, after, QUANTITY(TIME, 0.0, 1e5), GIVEN(tacSceneWaypoint, has_after)),
    FIELD(tacSceneWaypoint, buttons, .kind = TAC_FIELD_CHOICES, .words = "index|grab"),
};
static const tacRecord waypoint_record = {TABLE("a waypoint", tacSceneWaypoint, waypoint_fields),
                                          .check = check_waypoint};

static const tacField path_file_fields[] = {
    FIELD(tacScenePathFile, file, TEXT, REQUIRED),
};
static const tacRecord path_file_record = {TABLE("a path", tacScenePathFile, path_file_fields)};

static const tacField hand_fields[] = {
    FIELD(tacSceneHand, stiffness, QUANTITY(STIFFNESS, 1.0, 1e5), GIVEN(tacSceneHand, has_stiffness)),
    FIELD(tacSceneHand, damping, QUANTITY(DAMPING, 0.0, 1e4), GIVEN(tacSceneHand, has_damping)),
    FIELD(tacSceneHand, mass, QUANTITY(MASS, 0.0, 100.0), GIVEN(tacSceneHand, has_mass)),
};
static const tacRecord hand_record = {TABLE("a hand", tacSceneHand, hand_fields)};

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
    FIELD(tacSceneDevice, kind, CHOICE("operator|replay|driver"), REQUIRED),
    FIELD(tacSceneDevice, preset, TEXT, .variants = OPERATOR),
    FIELD(tacSceneDevice, hand, RECORD(hand_record), .variants = OPERATOR),
    FIELD(tacSceneDevice, path, LIST(waypoint_record), .variants = OPERATOR),
    {.key = "path", .offset = offsetof(tacSceneDevice, path_file), RECORD(path_file_record), .variants = OPERATOR},
    FIELD(tacSceneDevice, smooth, FLAG, .variants = OPERATOR),
    FIELD(tacSceneDevice, repeat, FLAG, .variants = OPERATOR | REPLAY),
    FIELD(tacSceneDevice, file, TEXT, REQUIRED, .variants = REPLAY | DRIVER),
    FIELD(tacSceneDevice, options, TEXT, .variants = DRIVER),
    FIELD(tacSceneDevice, stiffness_limit, QUANTITY(STIFFNESS, 1.0, 1e6), .variants = DRIVER),
};
static const tacRecord device_record = {TABLE("a device", tacSceneDevice, device_fields), .variant = &device_fields[0],
                                        .defaults = device_defaults, .check = check_device};

static void tool_defaults(void *record) {
  ((tacSceneTool *)record)->scale = 1.0;
}

static const tacField tool_fields[] = {
    FIELD(tacSceneTool, name, NAME, REQUIRED),
    FIELD(tacSceneTool, kind, CHOICE("point"), REQUIRED),
    FIELD(tacSceneTool, scale, QUANTITY(NUMBER, 1e-6, 1e6)),
    FIELD(tacSceneTool, centre, POINT),
    FIELD(tacSceneTool, rotation, RECORD(rotation_record)),
    FIELD(tacSceneTool, device, RECORD(device_record), REQUIRED),
};
static const tacRecord tool_record = {TABLE("a tool", tacSceneTool, tool_fields), .defaults = tool_defaults};

/* The servo and the whole */

static void servo_defaults(void *record) {
  ((tacSceneServo *)record)->def = tac_servo_def_default();
}

#define SERVO(member, ...) \
  { .key = #member, .offset = offsetof(tacSceneServo, def) + offsetof(tacServoDef, member), __VA_ARGS__ }
static const tacField servo_fields[] = {
    SERVO(rate, QUANTITY(RATE, 250.0, 10000.0)),
    SERVO(priority, COUNT(0, 99)),
    SERVO(core, COUNT(-1, 1023)),
    SERVO(lock_memory, FLAG),
    SERVO(ramp_in, QUANTITY(TIME, 0.0, 60.0)),
    SERVO(ramp_out, QUANTITY(TIME, 0.0, 10.0)),
    SERVO(speed_limit, QUANTITY(SPEED, 0.01, 100.0)),
    SERVO(late_limit, COUNT(1, 100000)),
    SERVO(force_rate, QUANTITY(FORCE_RATE, 1.0, 1e6)),
    SERVO(passivity, FLAG),
};
static const tacRecord servo_record = {TABLE("a servo", tacSceneServo, servo_fields), .defaults = servo_defaults};

static void scene_defaults(void *record) {
  tacSceneFile *file = record;
  servo_defaults(&file->servo);
}

static const tacField scene_fields[] = {
    {.key = "tactus", .offset = offsetof(tacSceneFile, format), COUNT(1, 1000), REQUIRED},
    FIELD(tacSceneFile, name, NAME),
    FIELD(tacSceneFile, about, TEXT),
    FIELD(tacSceneFile, duration, QUANTITY(TIME, 0.0, 1e6)),
    FIELD(tacSceneFile, bodies, LIST(body_record), REQUIRED),
    FIELD(tacSceneFile, tools, LIST(tool_record), REQUIRED),
    FIELD(tacSceneFile, servo, RECORD(servo_record)),
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

static const tacSceneBody *find_body(const tacSceneFile *file, const char *name) {
  for (int i = 0; i < file->bodies.count; ++i)
    if (strcmp(tac_scene_file_body(file, i)->name, name) == 0) return tac_scene_file_body(file, i);
  return NULL;
}

static tacStatus check_waypoint_bodies(const tacYamlTree *tree, const tacSceneFile *file, tacError *error) {
  for (int t = 0; t < file->tools.count; ++t) {
    const tacSchemaList *path = &tac_scene_file_tool(file, t)->device.path;
    const tacSceneWaypoint *points = path->items;
    for (int i = 0; i < path->count; ++i) {
      if (points[i].on == NULL || find_body(file, points[i].on) != NULL) continue;
      tacNearest nearest = {.given = points[i].on};
      for (int b = 0; b < file->bodies.count; ++b) tac_nearest_offer(&nearest, tac_scene_file_body(file, b)->name);
      return tac_yaml_error(tree, tac_yaml_child(points[i].node, "on"), TAC_ERR_FORMAT, error,
                            "there is no body %s; did you mean %s?", points[i].on, nearest.best);
    }
  }
  return TAC_OK;
}

static tacStatus check_scene(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneFile *file = record;
  const tacYamlNode *bodies = tac_yaml_child(file->node, "bodies"), *tools = tac_yaml_child(file->node, "tools");
  tacStatus status = check_format(tree, file, error);
  if (status != TAC_OK) return status;
  if (file->bodies.count > TAC_SCENE_MOST_BODIES)
    return tac_yaml_error(tree, bodies, TAC_ERR_FORMAT, error, "%d bodies; at most %d", file->bodies.count,
                          TAC_SCENE_MOST_BODIES);
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

static const tacRecord scene_record = {TABLE("a scene", tacSceneFile, scene_fields), .defaults = scene_defaults,
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
