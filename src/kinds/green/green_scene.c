#include "kinds/green/green_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/trimesh.h>
#include "base/memory/array.h"
#include "base/text.h"
#include "elastic/solids/solid_mass.h"
#include "kinds/green/green_cache.h"
#include "kinds/green/green_problem.h"
#include "kinds/green/green_words.h"

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
  if ((tac_green_keys(b)->storage == TAC_GREEN_NEAR) != tac_green_keys(b)->has_near_radius)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "storage: near and near_radius belong together; write it like near_radius: 20 mm");
  if (tac_green_keys(b)->storage == TAC_GREEN_NEAR && b->live.mask.most > 0.0)
    return tac_yaml_error(tree, tac_yaml_child(b->live.node, "mask"), TAC_ERR_FORMAT, error,
                          "cannot be changed where storage is near; leave it out or write storage: whole");
  return TAC_OK;
}

tacStatus tac_green_scene_check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, tac_green_keys(b)->stiffness, tac_yaml_child(b->node, "stiffness")},
      {"friction", live->friction, b->friction, tac_yaml_child(b->node, "friction")},
      {"mask", live->mask, tac_green_keys(b)->mask, tac_yaml_child(b->node, "mask")},
  };
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = tac_green_keys(b)->method == TAC_BOUNDARY_ELEMENTS ? check_boundary_elements(tree, b, error)
                                                                        : tac_scene_body_check_elements(tree, b, error);
  if (status == TAC_OK) status = tac_scene_body_check_materials(tree, b, error);
  if (status == TAC_OK) status = tac_green_scene_check_live(tree, b, error);
  if (status == TAC_OK) status = check_storage(tree, b, error);
  return status;
}

void tac_green_scene_defaults(tacSceneBody *body) {
  tacGreenBodyDef green = tac_green_body_def_default();
  tacGreenKeys *keys = tac_scene_own(body);
  keys->stiffness = green.stiffness;
  keys->rigid_stiffness = green.rigid_stiffness;
  body->friction = green.body.friction;
}

/* The bounds are those of the body's own values. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, mask, TAC_RANGE(LENGTH, TAC_SMALLEST, TAC_LARGEST)),
};
const tacRecord tac_green_scene_ranges = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

static const tacField fields[] = {
    TAC_GREEN_OWN(method, TAC_CHOICE("boundary-elements|finite-elements"), TAC_REQUIRED),
    TAC_KEYS_OF_MESHES,
    TAC_KEYS_OF_MATERIALS,
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record), TAC_REQUIRED),
    TAC_GREEN_OWN(wanted, TAC_LIST(tac_scene_region_record)),
    TAC_GREEN_OWN(sensors, TAC_LIST(tac_green_scene_sensor)),
    TAC_GREEN_OWN(mask, TAC_LENGTH, TAC_REQUIRED, .words = "single"),
    TAC_GREEN_KEYS_OF_TOUCH,
    TAC_GREEN_OWN(storage, TAC_CHOICE("whole|near")),
    TAC_GREEN_OWN(near_radius, TAC_LENGTH, .given = TAC_OWN_OFFSET(tacGreenKeys, has_near_radius)),
    TAC_KEY(live, TAC_RECORD(tac_green_scene_ranges)),
    TAC_KEY(points, TAC_RECORD(tac_scene_points_record)),
    TAC_KEY(field, TAC_RECORD(tac_scene_field_record)),
};

double tac_green_scene_touch(const tacSceneBody *body) {
  return tac_green_keys(body)->rigid_stiffness;
}

double tac_green_scene_finger(const tacSceneBody *body) {
  return tac_green_keys(body)->mask;
}

/* docs/green.md, Table 2 */
tacBodyAppetite tac_green_scene_appetite(const tacSceneBody *body, const tacBodyExtent *extent) {
  double n = extent->surface;
  if (!body->has_volume) return (tacBodyAppetite){144.0 * n * n + 72.0 * n * n, 1.4e-9 * n * n * n + 3.0};
  const tacGreenKeys *keys = tac_green_keys(body);
  double wanted = keys->wanted.count > 0 ? 0.3 * extent->skin : extent->skin;
  return (tacBodyAppetite){keys->storage == TAC_GREEN_WHOLE ? 72.0 * extent->skin * wanted : 0.0,
                           1e-6 * wanted * extent->elements + 3.0};
}

/* What becomes of them */

/* Of its elements, as they deform; of boundary elements by the surface, where that encloses something. */
static tacStatus find_mass(const tacGreenProblem *p, tacMassProperties *mass, tacError *error) {
  const tacReferenceDef *def = &p->def.problem;
  const tacSolid solid = {.mesh = p->volume,
                          .material_count = def->material_count,
                          .materials = def->materials,
                          .material_of = def->material_of};
  if (p->volume != NULL) return tac_solid_mass(&solid, mass, error);
  if (tac_trimesh_require_closed(p->surface, NULL) != TAC_OK) return TAC_OK;
  return tac_mass_properties(p->surface, p->materials[0].density, mass, error);
}

static void forget(void *own) {
  tacGreenBaked *baked = own;
  tac_green_destroy(baked->green);
  tac_reference_problem_destroy(baked->problem);
  free(baked);
}

const void *tac_green_scene_made(const tacBakedBody *baked, const char *ending) {
  const tacGreenBaked *own = baked->own;
  return own != NULL && strcmp(ending, "green") == 0 ? own->green : NULL;
}

tacStatus tac_green_scene_bake(tacBodyBake *b) {
  tacGreenProblem problem;
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacGreenBaked *own = tac_array_create(1, sizeof *own, "a body", b->error);
  if (own == NULL) return TAC_ERR_MEMORY;
  b->baked->own = own;
  b->baked->forget = forget;
  tacStatus status = tac_green_problem_create(&maker, &problem);
  if (status != TAC_OK) return status;
  tacSceneAsset *asset = tac_body_bake_asset(b, "green");
  status = tac_green_cache(b->folder, b->body->name, &problem.def, b->again, b->progress, &own->green, &own->problem,
                           asset, &reason);
  if (status == TAC_OK) status = find_mass(&problem, &own->mass, &reason);
  tac_green_problem_free(&problem);
  if (status != TAC_OK) return tac_body_bake_blame(b, b->body->node, status, &reason);
  b->baked->surface = tac_green_surface(own->green);
  status = tac_body_bake_field(b, b->baked->surface);
  return status == TAC_OK ? tac_body_bake_points(b, b->baked->surface, b->baked->field) : status;
}

tacStatus tac_green_scene_add(const tacBodyAdd *a, tacError *error) {
  const tacGreenKeys *keys = tac_green_keys(a->body);
  const tacGreenBaked *baked = a->baked->own;
  tacGreenBodyDef def = tac_green_body_def_default();
  tacBodyId id;
  def.body = tac_scene_kind_def(a);
  def.green = baked->green;
  def.problem = baked->problem;
  def.mask_radius = keys->mask;
  def.stiffness = keys->stiffness;
  def.rigid_stiffness = fmin(keys->rigid_stiffness, a->limit);
  def.shell = a->baked->shell;
  def.field = a->baked->field;
  def.inertia = (tacInertia){.mass = baked->mass.mass, .centre = baked->mass.centre};
  memcpy(def.inertia.moments, baked->mass.inertia, sizeof def.inertia.moments);
  return tac_world_add_green(a->world, &def, &id, error);
}

/* In words */

void tac_green_scene_describe(const tacSceneLines *to, const tacSceneBody *b) {
  tac_body_description_materials(to, b);
  tac_scene_say(to, "", "%s%s, at most %.4g N/m, friction %.3g, %s",
                tac_green_keys(b)->mask > 0.0 ? "masks of " : "single vertices",
                tac_green_keys(b)->mask > 0.0 ? tac_text_length(tac_green_keys(b)->mask).text : "",
                tac_green_keys(b)->rigid_stiffness, b->friction,
                tac_text_many(tac_green_keys(b)->sensors.count, "sensor").text);
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "Green's functions by %s, of %s",
                tac_green_keys(b)->method == TAC_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements", source);
  tac_green_scene_describe(to, b);
}

const tacBakeChecks *tac_green_scene_checks(const void *made) {
  return tac_green_checks(made);
}

static const char *variation(const tacSceneBody *body) {
  return tac_green_keys(body)->storage == TAC_GREEN_NEAR
             ? "with storage: near, responses come as fast as they are computed, never twice alike"
             : NULL;
}

static const tacSceneKind scene = {.fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = tac_green_scene_defaults,
                                   .check = check,
                                   .touch = tac_green_scene_touch,
                                   .finger = tac_green_scene_finger,
                                   .appetite = tac_green_scene_appetite,
                                   .relaxes = true,
                                   .linear = true,
                                   .assets = 1,
                                   .version = TAC_GREEN_CACHE_VERSION,
                                   .bake = tac_green_scene_bake,
                                   .made = tac_green_scene_made,
                                   .add = tac_green_scene_add,
                                   .describe = describe,
                                   .describe_asset = tac_green_words_asset,
                                   .checks = tac_green_scene_checks,
                                   .file = "green",
                                   .describe_file = tac_green_words_file,
                                   .variation = variation};

const tacBodyKind tac_green_row = {.version = TAC_BODY_KIND_VERSION,
                                   .name = "green",
                                   .summary = "elastostatic, from Green's functions",
                                   .shown = TAC_SHOWN_VERTICES,
                                   .scene = &scene,
                                   .drafter = &tac_green_drafter};
