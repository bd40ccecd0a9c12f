#include "kinds/green/green_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "elastic/reference/reference_problem.h"
#include "elastic/solids/solid_mass.h"
#include "kinds/green/green.h"
#include "kinds/green/green_cache.h"
#include "kinds/green/green_problem.h"

/* ---- keys ---- */

static const tacField sensor_fields[] = {
    TAC_FIELD(tacSceneSensor, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, kind, TAC_CHOICE("displacement|stress"), TAC_REQUIRED),
    TAC_FIELD(tacSceneSensor, point, TAC_POINT, TAC_REQUIRED),
};
static const tacRecord sensor_record = {TAC_TABLE("a sensor", tacSceneSensor, sensor_fields)};

static tacStatus check_boundary_elements(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->has_surface)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "boundary elements need a surface; write it like surface: {shape: kidney, vertices: 322}");
  if (b->has_volume)
    return tac_yaml_error(tree, b->volume.node, TAC_ERR_FORMAT, error,
                          "boundary elements use only the surface; remove `volume` or write `method: finite-elements`");
  if (b->materials.count > 0)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "materials"), TAC_ERR_FORMAT, error,
                          "boundary elements support only one material; use material instead of materials");
  if (b->material.has_stiffness)
    return tac_yaml_error(tree, tac_yaml_child(b->material.node, "stiffness"), TAC_ERR_FORMAT, error,
                          "boundary elements support only isotropic materials; give young and poisson, or write "
                          "method: finite-elements");
  return TAC_OK;
}

static tacStatus check_storage(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if ((tac_green_keys(b)->storage == TAC_GREEN_NEAR) != tac_green_keys(b)->has_near_radius)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "storage: near and near_radius need each other; write it like near_radius: 20 mm");
  if (tac_green_keys(b)->storage == TAC_GREEN_NEAR && b->live.mask.most > 0.0)
    return tac_yaml_error(tree, tac_yaml_child(b->live.node, "mask"), TAC_ERR_FORMAT, error,
                          "the mask cannot be changed with storage: near; leave this key out or write storage: whole");
  return TAC_OK;
}

static tacStatus check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, tac_green_keys(b)->stiffness, tac_yaml_child(b->node, "stiffness")},
      {"friction", live->friction, b->friction, tac_yaml_child(b->node, "friction")},
      {"mask", live->mask, tac_green_keys(b)->mask, tac_yaml_child(b->node, "mask")},
  };
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  TAC_TRY(tac_green_keys(b)->method == TAC_BOUNDARY_ELEMENTS ? check_boundary_elements(tree, b, error)
                                                             : tac_scene_body_check_elements(tree, b, error));
  TAC_TRY(tac_scene_body_check_materials(tree, b, error));
  TAC_TRY(check_live(tree, b, error));
  TAC_TRY(check_storage(tree, b, error));
  return tac_scene_body_check_motion(tree, b, b->free, "write free: true", error);
}

static void defaults(tacSceneBody *body) {
  tacGreenBodyDef green = tac_green_body_def_default();
  tacGreenKeys *keys = tac_scene_own(body);
  keys->stiffness = green.stiffness;
  keys->rigid_stiffness = green.rigid_stiffness;
  body->friction = green.body.friction;
}

static void corotational_defaults(tacSceneBody *body) {
  tacGreenKeys *keys = tac_scene_own(body);
  defaults(body);
  keys->method = TAC_FINITE_ELEMENTS;
  keys->storage = TAC_GREEN_WHOLE;
}

/* The bounds of the ranges equal the bounds of the keys with the same names. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, mask, TAC_RANGE(LENGTH, TAC_SMALLEST, TAC_LARGEST)),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define OWN(member, ...) TAC_OWN_KEY(tacGreenKeys, member, __VA_ARGS__)
#define KEYS_OF_TOUCH                                                                                       \
  OWN(stiffness, TAC_QUANTITY(NUMBER, 1e-6, 1e6)), OWN(rigid_stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)), \
      TAC_KEY_FRICTION
static const tacField fields[] = {
    OWN(method, TAC_CHOICE("boundary-elements|finite-elements"), TAC_REQUIRED),
    TAC_KEYS_OF_MESHES,
    TAC_KEYS_OF_MATERIALS,
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record), TAC_REQUIRED),
    OWN(wanted, TAC_LIST(tac_scene_region_record)),
    OWN(sensors, TAC_LIST(sensor_record)),
    OWN(mask, TAC_LENGTH, TAC_REQUIRED, .words = "single"),
    KEYS_OF_TOUCH,
    OWN(storage, TAC_CHOICE("whole|near")),
    OWN(near_radius, TAC_LENGTH, .given = TAC_OWN_OFFSET(tacGreenKeys, has_near_radius)),
    TAC_KEY(live, TAC_RECORD(ranges_record)),
    TAC_KEY(points, TAC_RECORD(tac_scene_points_record)),
    TAC_KEY(field, TAC_RECORD(tac_scene_field_record)),
};
static const tacField corotational_fields[] = {
    TAC_KEYS_OF_MESHES,
    TAC_KEYS_OF_MATERIALS,
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record)),
    OWN(sensors, TAC_LIST(sensor_record)),
    TAC_KEY(free, TAC_FLAG),
    OWN(mask, TAC_LENGTH, .words = "single"),
    KEYS_OF_TOUCH,
    TAC_KEY(contact, TAC_RECORD(tac_scene_contact_record)),
    TAC_KEY(live, TAC_RECORD(ranges_record)),
    TAC_KEYS_OF_MOTION,
    TAC_KEY(points, TAC_RECORD(tac_scene_points_record)),
    TAC_KEY(field, TAC_RECORD(tac_scene_field_record)),
};

static double touch(const tacSceneBody *body) {
  return tac_green_keys(body)->rigid_stiffness;
}

static double finger(const tacSceneBody *body) {
  return tac_green_keys(body)->mask;
}

/* Estimates memory and bake time (docs/green.md, Table 2). */
static tacBodyAppetite appetite(const tacSceneBody *body, const tacBodyExtent *extent) {
  double n = extent->surface;
  if (!body->has_volume) return (tacBodyAppetite){144.0 * n * n + 72.0 * n * n, 1.4e-9 * n * n * n + 3.0};
  const tacGreenKeys *keys = tac_green_keys(body);
  double wanted = keys->wanted.count > 0 ? 0.3 * extent->skin : extent->skin;
  return (tacBodyAppetite){keys->storage == TAC_GREEN_WHOLE ? 72.0 * extent->skin * wanted : 0.0,
                           1e-6 * wanted * extent->elements + 3.0};
}

/* ---- bake and creation ---- */

typedef struct {
  tacGreen *green;
  tacReferenceProblem *problem; /* factored problem; NULL unless the storage is near */
  tacInertia mass;              /* mass properties; zero if the surface is open */
  tacMaterial material;         /* first material */
} Baked;
TAC_OWNED_TYPE(tacGreen, tac_green_destroy)

/* Computes the mass of the deforming elements. With boundary elements, computes the mass of the volume inside the
 * surface if the surface is closed. */
static tacStatus find_mass(const tacGreenProblem *p, tacInertia *mass, tacError *error) {
  const tacReferenceDef *def = &p->def.problem;
  const tacSolid solid = {.mesh = p->volume,
                          .material_count = def->material_count,
                          .materials = def->materials,
                          .material_of = def->material_of};
  if (p->volume != NULL) return tac_solid_mass(&solid, mass, error);
  if (tac_trimesh_require_closed(p->surface, NULL) != TAC_OK) return TAC_OK;
  return tac_mass_properties(p->surface, p->materials[0].density, mass, error);
}

static void free_own(void *own) {
  Baked *baked = own;
  tac_green_destroy(baked->green);
  tac_reference_problem_destroy(baked->problem);
  free(baked);
}

static const void *made(const tacBakedBody *baked, const char *ending) {
  const Baked *own = baked->own;
  return own != NULL && strcmp(ending, "green") == 0 ? own->green : NULL;
}

static tacStatus make(tacBodyBake *b, Baked *own) {
  TAC_FREED(tac_green_problem_free, tacGreenProblem, problem) = {0};
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  TAC_TRY(tac_green_problem_create(&maker, &problem));
  tacSceneAsset *asset = tac_body_bake_asset(b, "green");
  tacStatus status = tac_green_cache(b->folder, b->body->name, &problem.def, b->again, b->progress, &own->green,
                                     &own->problem, asset, &reason);
  if (status == TAC_OK) status = find_mass(&problem, &own->mass, &reason);
  own->material = problem.materials[0];
  return status == TAC_OK ? TAC_OK : tac_body_bake_error(b, b->body->node, status, &reason);
}

static tacStatus bake(tacBodyBake *b) {
  Baked *own;
  TAC_TRY(TAC_ARRAY(own, 1, "a body", b->error));
  b->baked->own = own;
  b->baked->free_own = free_own;
  TAC_TRY(make(b, own));
  b->baked->surface = tac_green_surface(own->green);
  TAC_TRY(tac_body_bake_field(b, b->baked->surface));
  return tac_body_bake_points(b, b->baked->surface, b->baked->field);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  const tacGreenKeys *keys = tac_green_keys(a->body);
  const Baked *baked = a->baked->own;
  tacGreenBodyDef def = tac_green_body_def_default();
  def.body = tac_scene_kind_def(a);
  def.green = baked->green;
  def.problem = baked->problem;
  def.mask_radius = keys->mask;
  def.stiffness = keys->stiffness;
  def.rigid_stiffness = fmin(keys->rigid_stiffness, a->limit);
  if (baked->material.isotropic) {
    def.young = baked->material.young;
    def.poisson = baked->material.poisson;
  }
  def.shell = a->baked->shell;
  def.field = a->baked->field;
  def.inertia = baked->mass;
  return tac_world_add_green(a->world, &def, NULL, error);
}

/* ---- descriptions ---- */

static const char *method_name(int method) {
  return method == TAC_BOUNDARY_ELEMENTS ? "boundary elements" : "finite elements";
}

/* Prints all lines of the description after the first. */
static void describe_answer(const tacSceneLines *to, const tacSceneBody *b) {
  const tacGreenKeys *keys = tac_green_keys(b);
  tac_body_description_materials(to, b);
  tac_lines_add(to, "", "%s%s, at most %.4g N/m, friction %.3g, %s", keys->mask > 0.0 ? "masks of " : "single vertices",
                keys->mask > 0.0 ? tac_text_length(keys->mask).text : "", keys->rigid_stiffness, b->friction,
                tac_text_many(keys->sensors.count, "sensor").text);
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_lines_add(to, label, "Green's functions by %s, of %s", method_name(tac_green_keys(b)->method), source);
  describe_answer(to, b);
}

static void describe_corotational(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_lines_add(to, label, "corotational, %s, of %s", b->free ? "free" : "at rest", source);
  tac_lines_add(to, "", "%s",
                b->fixed.count > 0 ? "deforms from vertices that are fixed to its frame"
                                   : "deforms about its centre of mass, by inertia relief");
  describe_answer(to, b);
}

static int free_vertices(const tacGreen *green) {
  int vertices = tac_green_surface(green)->vertex_count, result = 0;
  for (int i = 0; i < vertices; ++i) result += !tac_green_fixed(green)[i];
  return result;
}

static void describe_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset) {
  const tacGreen *green = made;
  tac_lines_add(to, label, "%s (%d free), %s, %s, Betti defect %.2g",
                tac_text_many(tac_green_surface(green)->vertex_count, "vertex").text, free_vertices(green),
                method_name((int)tac_green_method(green)), tac_body_description_made(asset).text,
                tac_green_betti_defect(green));
}

static tacStatus describe_file(const tacSceneLines *to, const char *path, tacError *error) {
  TAC_OWN(tacGreen, green) = NULL;
  TAC_TRY(tac_green_read(path, &green, error));
  const tacTriMesh *surface = tac_green_surface(green);
  tac_lines_add(to, "method", "%s", method_name((int)tac_green_method(green)));
  tac_lines_add(to, "surface", "%s (%d free), %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                free_vertices(green), tac_text_many(surface->triangle_count, "triangle").text,
                tac_text_size(tac_trimesh_box(surface)).text);
  tac_lines_add(to, "columns", "%s, %s", tac_text_many(tac_green_column_count(green), "vertex").text,
                tac_green_storage(green) == TAC_GREEN_WHOLE ? "whole" : "near blocks only");
  for (int i = 0; i < tac_green_sensor_count(green); ++i) {
    const tacSensor *sensor = tac_green_sensor(green, i);
    tac_lines_add(to, "sensor", "%s: %s at (%.4g, %.4g, %.4g) mm", sensor->name,
                  sensor->kind == TAC_SENSOR_STRESS ? "stress" : "displacement", 1e3 * sensor->point.x,
                  1e3 * sensor->point.y, 1e3 * sensor->point.z);
  }
  tac_lines_add(to, "Betti defect", "%.2g", tac_green_betti_defect(green));
  return TAC_OK;
}

/* ---- draft scenes ---- */

static void write_draft(const tacBodyDraft *d, char *text, size_t size) {
  snprintf(text, size,
           "    kind: green                    # deforms without inertia, small strain: what a finger presses, exactly "
           "and fast\n"
           "    method: boundary-elements      # from the surface alone; finite-elements: a volume, several materials\n"
           "%s%s%s"
           "    mask: %s                    # of tools of kind: point: what they press; a few edges of the mesh (%s)\n"
           "    friction: 0.2                  # wet; 0.5 dry\n"
           "    live: {stiffness: [0.25, 4], friction: [0, 1]}   # sliders of the viewer\n",
           d->surface, d->material, d->fixed, tac_text_written_length(d->finger).text,
           tac_text_written_length(d->edge).text);
}

static const tacBodyDrafter drafter = {.use = TAC_DRAFT_USUAL, .held = true, .write = write_draft};

static const tacBakeChecks *checks(const void *made) {
  return tac_green_checks(made);
}

static const char *variation(const tacSceneBody *body) {
  return tac_green_keys(body)->storage == TAC_GREEN_NEAR
             ? "with storage: near, responses come as fast as they are computed, never twice alike"
             : NULL;
}

#define OF_BOTH                                                                                            \
  .check = check, .touch = touch, .finger = finger, .appetite = appetite, .relaxes = true, .linear = true, \
  .assets = 1, .bake = bake, .made = made, .add = add, .describe_asset = describe_asset, .checks = checks
static const tacSceneKind scene = {OF_BOTH,
                                   .fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = defaults,
                                   .version = TAC_GREEN_CACHE_VERSION,
                                   .describe = describe,
                                   .file = "green",
                                   .describe_file = describe_file,
                                   .variation = variation};
static const tacSceneKind corotational_scene = {
    OF_BOTH, .fields = corotational_fields,
    .field_count = (int)(sizeof corotational_fields / sizeof *corotational_fields), .defaults = corotational_defaults,
    .describe = describe_corotational};

const tacBodyKind tac_green_row = {.version = TAC_BODY_KIND_VERSION,
                                   .name = "green",
                                   .summary = "elastostatic, from Green's functions",
                                   .shown = TAC_SHOWN_VERTICES,
                                   .scene = &scene,
                                   .drafter = &drafter};
const tacBodyKind tac_corotational_row = {.version = TAC_BODY_KIND_VERSION,
                                          .name = "corotational",
                                          .summary = "elastostatic in a frame that moves",
                                          .shown = TAC_SHOWN_VERTICES,
                                          .scene = &corotational_scene};
