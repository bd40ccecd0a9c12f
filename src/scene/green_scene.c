#include "scene/green_scene.h"

#include <math.h>
#include <string.h>
#include <tactus/green.h>
#include <tactus/trimesh.h>
#include "base/text.h"
#include "elastic/solids/solid_mass.h"
#include "scene/bake_cache.h"
#include "scene/body_problem.h"
#include "scene/scene_fields.h"

/* Keys */

static const tacField sensor_fields[] = {
    TAC_FIELD(tacSceneSensor, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, kind, TAC_CHOICE("displacement|stress"), TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, point, TAC_POINT, TAC_REQUIRED),
};
const tacRecord tac_green_scene_sensor = {TAC_TABLE("a sensor", tacSceneSensor, sensor_fields)};

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

static tacStatus check_storage(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if ((b->storage == TAC_GREEN_NEAR) != b->has_near_radius)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "storage: near and near_radius belong together; write it like near_radius: 20 mm");
  if (b->storage == TAC_GREEN_NEAR && b->live.mask.most > 0.0)
    return tac_yaml_error(tree, tac_yaml_child(b->live.node, "mask"), TAC_ERR_FORMAT, error,
                          "cannot be changed where storage is near; leave it out or write storage: whole");
  return TAC_OK;
}

tacStatus tac_green_scene_check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, b->stiffness, tac_yaml_child(b->node, "stiffness")},
      {"friction", live->friction, b->friction, tac_yaml_child(b->node, "friction")},
      {"mask", live->mask, b->mask, tac_yaml_child(b->node, "mask")},
  };
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = b->method == TAC_GREEN_BOUNDARY_ELEMENTS ? check_boundary_elements(tree, b, error)
                                                              : tac_scene_body_check_elements(tree, b, error);
  if (status == TAC_OK) status = tac_scene_body_check_materials(tree, b, error);
  if (status == TAC_OK) status = tac_green_scene_check_live(tree, b, error);
  if (status == TAC_OK) status = check_storage(tree, b, error);
  return status;
}

static void defaults(tacSceneBody *body) {
  tacGreenBodyDef green = tac_green_body_def_default();
  body->stiffness = green.stiffness;
  body->rigid_stiffness = green.rigid_stiffness;
  body->friction = green.friction;
}

/* The bounds are those of the body's own values. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, mask, TAC_RANGE(LENGTH, TAC_SMALLEST, TAC_LARGEST)),
};
const tacRecord tac_green_scene_ranges = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
static const tacField fields[] = {
    KEY(method, TAC_CHOICE("boundary-elements|finite-elements"), TAC_REQUIRED),
    KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface)),
    KEY(volume, TAC_RECORD(tac_scene_volume_record), TAC_GIVEN(tacSceneBody, has_volume)),
    KEY(material, TAC_RECORD(tac_scene_material_record), TAC_GIVEN(tacSceneBody, has_material)),
    KEY(materials, TAC_LIST(tac_scene_materials_record)),
    KEY(fixed, TAC_LIST(tac_scene_region_record), TAC_REQUIRED),
    KEY(wanted, TAC_LIST(tac_scene_region_record)),
    KEY(sensors, TAC_LIST(tac_green_scene_sensor)),
    KEY(mask, TAC_LENGTH, TAC_REQUIRED, .words = "single"),
    KEY(stiffness, TAC_QUANTITY(NUMBER, 1e-6, 1e6)),
    KEY(rigid_stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)),
    KEY(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    KEY(storage, TAC_CHOICE("whole|near")),
    KEY(near_radius, TAC_LENGTH, TAC_GIVEN(tacSceneBody, has_near_radius)),
    KEY(live, TAC_RECORD(tac_green_scene_ranges)),
    KEY(points, TAC_RECORD(tac_scene_points_record)),
    KEY(field, TAC_RECORD(tac_scene_field_record)),
};

static double touch(const tacSceneBody *body) {
  return body->rigid_stiffness;
}

/* What becomes of them */

/* Of its elements, as they deform; of boundary elements by the surface, where that encloses something. */
static tacStatus find_mass(const tacBodyProblem *p, tacMassProperties *mass, tacError *error) {
  const tacReferenceDef *def = &p->def.problem;
  const tacSolid solid = {.mesh = p->volume,
                          .material_count = def->material_count,
                          .materials = def->materials,
                          .material_of = def->material_of};
  if (p->volume != NULL) return tac_solid_mass(&solid, mass, error);
  if (tac_trimesh_require_closed(p->surface, NULL) != TAC_OK) return TAC_OK;
  return tac_mass_properties(p->surface, p->materials[0].density, mass, error);
}

tacStatus tac_green_scene_bake(tacBodyBake *b) {
  tacBodyProblem problem;
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacStatus status = tac_body_problem_create(&maker, &problem);
  if (status != TAC_OK) return status;
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_GREEN);
  status = tac_bake_cache_green(b->folder, b->body->name, &problem.def, b->again, b->progress, &b->baked->green,
                                &b->baked->problem, asset, &reason);
  if (status == TAC_OK) status = find_mass(&problem, &b->baked->mass, &reason);
  tac_body_problem_free(&problem);
  if (status != TAC_OK) return tac_body_bake_blame(b, b->body->node, status, &reason);
  const tacTriMesh *surface = tac_green_surface(b->baked->green);
  status = tac_body_bake_field(b, surface);
  return status == TAC_OK ? tac_body_bake_points(b, surface, b->baked->field, 0) : status;
}

tacGreenBodyDef tac_green_scene_def(const tacBodyAdd *a) {
  const tacSceneBody *body = a->body;
  tacGreenBodyDef def = tac_green_body_def_default();
  def.name = body->name;
  def.green = a->baked->green;
  def.problem = a->baked->problem;
  def.pose = tac_scene_body_pose(body);
  def.mask_radius = body->mask;
  def.stiffness = body->stiffness;
  def.rigid_stiffness = fmin(body->rigid_stiffness, a->limit);
  def.friction = body->friction;
  def.shell = a->baked->shell;
  def.field = a->baked->field;
  def.inertia = (tacInertia){.mass = a->baked->mass.mass, .centre = a->baked->mass.centre};
  memcpy(def.inertia.moments, a->baked->mass.inertia, sizeof def.inertia.moments);
  return def;
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  tacGreenBodyDef def = tac_green_scene_def(a);
  tacBodyId id;
  return tac_world_add_green(a->world, &def, &id, error);
}

/* In words */

void tac_green_scene_describe(const tacSceneLines *to, const tacSceneBody *b) {
  tac_body_description_materials(to, b);
  tac_scene_say(to, "", "%s%s, at most %.4g N/m, friction %.3g, %s", b->mask > 0.0 ? "masks of " : "single vertices",
                b->mask > 0.0 ? tac_text_length(b->mask).text : "", b->rigid_stiffness, b->friction,
                tac_text_many(b->sensors.count, "sensor").text);
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "Green's functions by %s, of %s",
                b->method == TAC_GREEN_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements", source);
  tac_green_scene_describe(to, b);
}

const tacSceneKind tac_green_scene = {.name = "green",
                                      .fields = fields,
                                      .field_count = (int)(sizeof fields / sizeof *fields),
                                      .defaults = defaults,
                                      .check = check,
                                      .touch = touch,
                                      .relaxes = true,
                                      .linear = true,
                                      .assets = 1,
                                      .bake = tac_green_scene_bake,
                                      .add = add,
                                      .describe = describe};
