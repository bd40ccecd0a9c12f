#include "kinds/vademecum/vademecum_scene.h"

#include <stdio.h>
#include <string.h>
#include <tactus/reduced.h>
#include <tactus/world.h>
#include "base/memory/owned.h"
#include "base/text.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_body.h"
#include "kinds/vademecum/vademecum_cache.h"
#include "kinds/vademecum/vademecum_problem.h"
#include "math/geometry/vec3.h"
#include "spec/law_material.h"

TAC_OWNED_TYPE(tacVademecum, tac_vademecum_destroy)

/* ---- keys ---- */

#define MODES_MOST 160 /* maximum of tacVademecumDef.mode_most */

/* Checks and completes the material. A linear vademecum uses Hooke's law with the small-strain moduli of the law. */
static tacStatus check_material(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMaterial *m = record;
  if (m->law == NULL) m->law = "st-venant-kirchhoff";
  if (strcmp(m->law, "st-venant-kirchhoff") != 0 && strcmp(m->law, "neo-hookean") != 0)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "law"), TAC_ERR_FORMAT, error,
                          "%.40s: vademecums support only st-venant-kirchhoff and neo-hookean; for other laws use a "
                          "kind that supports every law (docs/kinds.md)",
                          m->law);
  return tac_law_material_complete(tree, m, error);
}

#define MATERIAL(member, ...) TAC_FIELD(tacSceneMaterial, member, __VA_ARGS__)
static const tacField material_fields[] = {
    MATERIAL(tissue, TAC_TEXT),
    MATERIAL(law, TAC_TEXT),
    MATERIAL(parameters, .kind = TAC_FIELD_MAP),
    MATERIAL(young, TAC_QUANTITY(PRESSURE, 1e-3, 1e13), TAC_GIVEN(tacSceneMaterial, has_young)),
    MATERIAL(poisson, TAC_QUANTITY(NUMBER, -0.99, 0.4999), TAC_GIVEN(tacSceneMaterial, has_poisson)),
    MATERIAL(density, TAC_QUANTITY(DENSITY, 1e-3, 1e6), TAC_GIVEN(tacSceneMaterial, has_density)),
};
static const tacRecord material_record = {TAC_TABLE("a material", tacSceneMaterial, material_fields),
                                          .check = check_material, .short_for = "tissue"};

static tacStatus check_loads(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneLoads *loads = record;
  if (!loads->has_direction) return TAC_OK;
  if (!(tac_vec3_norm(loads->direction) > 0.0))
    return tac_yaml_error(tree, tac_yaml_child(loads->node, "direction"), TAC_ERR_FORMAT, error,
                          "the direction is zero; write it like direction: [0, 0, -1], or leave it out to allow any "
                          "direction");
  loads->direction = tac_vec3_unit(loads->direction);
  return TAC_OK;
}

static const tacField loads_fields[] = {
    TAC_FIELD(tacSceneLoads, size, TAC_QUANTITY(FORCE, 1e-9, 1e12), TAC_REQUIRED),
    TAC_FIELD(tacSceneLoads, direction, TAC_VECTOR(NUMBER, 1e6), TAC_GIVEN(tacSceneLoads, has_direction)),
    TAC_FIELD(tacSceneLoads, in, TAC_LIST(tac_scene_region_record)),
    TAC_FIELD(tacSceneLoads, patch, TAC_QUANTITY(LENGTH, 0.0, TAC_LARGEST)),
};
static const tacRecord loads_record = {TAC_TABLE("loads", tacSceneLoads, loads_fields), .check = check_loads};

static tacStatus check_holding(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->fixed.count == 0)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "nothing is fixed, so a load has no displacement; write it like fixed: [{below: {axis: x, "
                          "at: 0}}], and free: true for a body that moves with its fixed part");
  if (b->free && tac_reduced_keys(b)->is_static)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "static"), TAC_ERR_FORMAT, error,
                          "a free body has inertia, so it cannot be static; remove `free` or `static`");
  if (!b->free && b->contact.node != NULL)
    return tac_yaml_error(tree, b->contact.node, TAC_ERR_FORMAT, error,
                          "this key applies only to free bodies, which touch the floor and each other; write free: "
                          "true, or leave it out");
  return tac_scene_body_check_motion(tree, b, b->free, "write free: true", error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  TAC_TRY(tac_scene_body_check_elements(tree, b, error));
  TAC_TRY(check_holding(tree, b, error));
  if (tac_reduced_keys(b)->keep > tac_vademecum_keys(b)->modes)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "keep"), TAC_ERR_FORMAT, error,
                          "keep is %d, but the vademecum has at "
                          "most %d modes; keep at most that many",
                          tac_reduced_keys(b)->keep, tac_vademecum_keys(b)->modes);
  return tac_reduced_scene_check_live(tree, b, error);
}

static void defaults(tacSceneBody *body) {
  tacVademecumDef def = tac_vademecum_def_default();
  tacVademecumKeys *v = tac_scene_own(body);
  tac_reduced_scene_motion_defaults(&v->motion);
  v->accuracy = def.accuracy;
  v->modes = def.mode_most;
  v->paths = def.path_most;
  v->sample = def.sample_count;
  v->method = (int)def.method;
}

/* The limits of each range are the limits of the corresponding value of the body. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, damping, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, touch, TAC_RANGE(STIFFNESS, 1e-3, 1e7)),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define OWN(member, ...) TAC_OWN_KEY(tacVademecumKeys, member, __VA_ARGS__)
static const tacField fields[] = {
    TAC_KEYS_OF_MESHES,
    TAC_KEY(material, TAC_RECORD(material_record), TAC_REQUIRED, TAC_GIVEN(tacSceneBody, has_material)),
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record)),
    TAC_KEY(live, TAC_RECORD(ranges_record)),
    OWN(loads, TAC_RECORD(loads_record), TAC_REQUIRED),
    TAC_KEY(free, TAC_FLAG),
    OWN(linear, TAC_FLAG),
    OWN(accuracy, TAC_QUANTITY(NUMBER, 1e-6, 1.0)),
    OWN(modes, TAC_COUNT(1, MODES_MOST)),
    OWN(paths, TAC_COUNT(1, 1e6)),
    OWN(sample, TAC_COUNT(1, 1e6)),
    OWN(method, TAC_CHOICE("series|increments")), /* names in the order of tacLoadPathMethod */
    TAC_REDUCED_OWN(keep, TAC_COUNT(1, MODES_MOST)),
    TAC_REDUCED_OWN(damping, TAC_RECORD(tac_reduced_scene_damping)),
    TAC_REDUCED_KEYS_OF_STEPS,
    TAC_KEY(field, TAC_RECORD(tac_scene_loaded_record)),
};

/* Reduces the parameters of the bake, so that every scene of the gallery bakes in a few seconds. False if nothing
 * changed. */
static bool lower_bake(tacSceneBody *body) {
  enum { MOST_MODES = 16, MOST_PATHS = 24, MOST_SAMPLE = 20 };
  tacVademecumKeys *v = tac_scene_own(body);
  bool modes = tac_reduced_scene_lower(&v->modes, MOST_MODES), paths = tac_reduced_scene_lower(&v->paths, MOST_PATHS);
  bool sample = tac_reduced_scene_lower(&v->sample, MOST_SAMPLE);
  tac_reduced_scene_lower(&v->motion.keep, v->modes);
  return modes || paths || sample;
}

/* ---- bake and creation ---- */

static void free_own(void *own) {
  tac_vademecum_destroy(own);
}

static const void *made(const tacBakedBody *baked, const char *ending) {
  if (strcmp(ending, "reduced") == 0 && baked->own != NULL) return tac_vademecum_shape(baked->own);
  return strcmp(ending, "vademecum") == 0 ? baked->own : NULL;
}

static tacStatus bake_loads(tacBodyBake *b, uint64_t key) {
  const tacSceneField *field = &b->body->field;
  if (field->loads == 0) return TAC_OK;
  tacError reason;
  tacVademecumLoadsDef def = {
      .vademecum = b->baked->own, .key = key, .most = field->loads, .resolution = field->resolution};
  tacSceneAsset *asset = tac_body_bake_asset(b, "loads");
  tacStatus status = tac_vademecum_cache_loads(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->loads,
                                               asset, &reason);
  return tac_body_bake_error(b, field->node, status, &reason);
}

static tacStatus bake(tacBodyBake *b) {
  TAC_FREED(tac_vademecum_problem_free, tacVademecumProblem, problem) = {0};
  tacVademecum *vademecum = NULL;
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  TAC_TRY(tac_vademecum_problem_create(&maker, &problem));
  uint64_t key = tac_vademecum_cache_key(&problem.def);
  tacSceneAsset *asset = tac_body_bake_asset(b, "vademecum");
  tacStatus status =
      tac_vademecum_cache(b->folder, b->body->name, &problem.def, b->again, b->progress, &vademecum, asset, &reason);
  if (status != TAC_OK) return tac_body_bake_error(b, tac_vademecum_keys(b->body)->loads.node, status, &reason);
  const tacReduced *shape = tac_vademecum_shape(vademecum);
  b->baked->own = vademecum;
  b->baked->free_own = free_own;
  b->baked->surface = tac_reduced_surface(shape);
  TAC_TRY(tac_reduced_scene_bake_field(b, shape, key));
  TAC_TRY(bake_loads(b, key));
  return tac_reduced_scene_bake_points(b, shape, key, -1.0);
}

static tacStatus add_one(const tacBodyAdd *a, const tacReducedBodyDef *def, tacError *error) {
  tacVademecumBodyDef own = {.vademecum = a->baked->own, .motion = *def};
  return tac_world_add_vademecum(a->world, &own, NULL, error);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  return tac_reduced_scene_add(a, tac_vademecum_shape(a->baked->own), add_one, error);
}

/* ---- descriptions ---- */

static void describe_loads(const tacSceneLines *to, const tacVademecumKeys *v) {
  char direction[96] = "any direction";
  tacVec3 d = v->loads.direction;
  if (v->loads.has_direction) snprintf(direction, sizeof direction, "direction (%.3g, %.3g, %.3g)", d.x, d.y, d.z);
  char patch[128] = "";
  if (v->loads.patch > 0.0) snprintf(patch, sizeof patch, ", spread over %s", tac_text_length(v->loads.patch).text);
  tac_lines_add(to, "", "loads up to %.4g N of %s%s%s, to %.3g %%", v->loads.size, direction, patch,
                v->loads.in.count > 0 ? " in a part of the surface" : "", 100.0 * v->accuracy);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char text[1024];
  tac_body_description_source(b, text, sizeof text);
  tac_lines_add(to, label, "vademecum%s, of %s", tac_vademecum_keys(b)->linear ? " of small strain" : "", text);
  tac_law_material_describe(&b->material, text, sizeof text);
  tac_lines_add(to, "", "%s", text);
  describe_loads(to, tac_vademecum_keys(b));
  tac_reduced_scene_describe(to, b, b->free ? "free" : "held");
}

/* ---- descriptions after the bake ---- */

static void describe_asset(const tacSceneLines *to, const char *label, const void *made, const tacSceneAsset *asset) {
  const tacVademecum *vademecum = made;
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  tac_lines_add(to, label, "%s, %s, %s up to %.4g N, %s, %s", tac_text_many(info->element_count, "element").text,
                tac_text_many(info->node_count, "vertex").text, tac_text_many(info->load_count, "load").text,
                tac_vademecum_load_most(vademecum), info->law, tac_body_description_made(asset).text);
  tac_lines_add(to, "", "%s from %s, forces from %s", tac_text_many(info->mode_count, "mode").text,
                tac_text_many(info->path_count, "path").text, tac_text_many(info->sampled_count, "element").text);
  tac_lines_add(to, "", "error of %s: mean %s, most %s; corrected mean %s, most %s; linear elasticity has %s",
                tac_text_many(info->sample_count, "load").text, tac_text_share(info->error_mean).text,
                tac_text_share(info->error_most).text, tac_text_share(info->corrected_mean).text,
                tac_text_share(info->corrected_most).text, tac_text_share(info->linear_mean).text);
  if (!info->reached)
    tac_lines_add(to, "", "this exceeds the wanted error of %s; use more modes or a smaller load",
                  tac_text_share(info->wanted).text);
  if (!asset->was_cached)
    tac_lines_add(to, "", "bake times: linear %s, paths %s, modes %s, elements %s, loads %s, check %s",
                  tac_text_seconds(info->seconds_linear).text, tac_text_seconds(info->seconds_paths).text,
                  tac_text_seconds(info->seconds_basis).text, tac_text_seconds(info->seconds_elements).text,
                  tac_text_seconds(info->seconds_loads).text, tac_text_seconds(info->seconds_check).text);
}

/* ---- descriptions of files ---- */

static tacStatus describe_file(const tacSceneLines *to, const char *path, tacError *error) {
  TAC_OWN(tacVademecum, vademecum) = NULL;
  TAC_TRY(tac_vademecum_read(path, &vademecum, error));
  const tacVademecumInfo *info = tac_vademecum_info(vademecum);
  const tacReduced *shape = tac_vademecum_shape(vademecum);
  const tacTriMesh *surface = tac_reduced_surface(shape);
  tacVec3 d = tac_vademecum_load_direction(vademecum);
  char direction[96] = "any direction";
  if (tac_vec3_norm(d) > 0.0) snprintf(direction, sizeof direction, "direction (%.3g, %.3g, %.3g)", d.x, d.y, d.z);
  tac_lines_add(to, "law", "%s", info->law);
  tac_lines_add(to, "volume", "%s, %s, %.4g kg", tac_text_many(info->node_count, "vertex").text,
                tac_text_many(info->element_count, "element").text, tac_reduced_info(shape)->mass);
  tac_lines_add(to, "surface", "%s, %s, %s", tac_text_many(surface->vertex_count, "vertex").text,
                tac_text_many(surface->triangle_count, "triangle").text, tac_text_size(tac_trimesh_box(surface)).text);
  tac_lines_add(to, "loads", "at %s, up to %.4g N of %s", tac_text_many(info->load_count, "vertex").text,
                tac_vademecum_load_most(vademecum), direction);
  tac_lines_add(to, "modes", "%d, each with %s of the load", info->mode_count,
                tac_text_many(info->term_count, "term").text);
  tac_lines_add(to, "paths", "%s followed with all nodes", tac_text_many(info->path_count, "load").text);
  tac_lines_add(to, "sampled", "%s of %s", tac_text_many(info->sampled_count, "element").text,
                tac_text_count(info->element_count).text);
  tac_lines_add(to, "error", "for %s: mean %s, most %s; wanted: %s", tac_text_many(info->sample_count, "load").text,
                tac_text_share(info->error_mean).text, tac_text_share(info->error_most).text,
                tac_text_share(info->wanted).text);
  tac_lines_add(to, "error, corrected", "mean %s, most %s%s", tac_text_share(info->corrected_mean).text,
                tac_text_share(info->corrected_most).text, info->reached ? "" : ", above the wanted value");
  tac_lines_add(to, "error of linear elasticity", "mean %s", tac_text_share(info->linear_mean).text);
  tac_lines_add(to, "residual", "%.2g of the linear separation", info->residual);
  tac_lines_add(to, "size", "%s", tac_text_bytes(info->bytes).text);
  return TAC_OK;
}

static const tacBakeChecks *checks(const void *made_asset) {
  return tac_vademecum_checks(made_asset);
}

static const tacSceneKind scene = {.fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = defaults,
                                   .check = check,
                                   .lower = lower_bake,
                                   .large = true,
                                   .divides = true,
                                   .assets = 1,
                                   .version = TAC_VADEMECUM_CACHE_VERSION,
                                   .bake = bake,
                                   .made = made,
                                   .add = add,
                                   .describe = describe,
                                   .describe_asset = describe_asset,
                                   .checks = checks,
                                   .file = "vademecum",
                                   .describe_file = describe_file};

const tacBodyKind tac_vademecum_row = {.version = TAC_BODY_KIND_VERSION,
                                       .name = "vademecum",
                                       .summary = "large deformations, computed for all loads beforehand",
                                       .shown = TAC_SHOWN_COORDINATES,
                                       .scene = &scene};
