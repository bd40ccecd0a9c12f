#include "scene/vademecum_scene.h"

#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "scene/bake_cache.h"
#include "scene/bake_key.h"
#include "scene/hyperelastic_material.h"
#include "scene/reduced_scene.h"
#include "scene/scene_fields.h"
#include "scene/vademecum_problem.h"

/* Keys */

#define MODES_MOST 160 /* of tac_vademecum_bake */

/* Hooke's law of a linear one needs the moduli alone: they are those of this law at small strain. */
static tacStatus check_material(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMaterial *m = record;
  if (m->law == NULL) m->law = "st-venant-kirchhoff";
  if (strcmp(m->law, "st-venant-kirchhoff") != 0 && strcmp(m->law, "neo-hookean") != 0)
    return tac_yaml_error(tree, tac_yaml_child(m->node, "law"), TAC_ERR_FORMAT, error,
                          "%.40s: vademecums are of st-venant-kirchhoff and neo-hookean; others are kind: hyperelastic",
                          m->law);
  return tac_hyperelastic_material_complete(tree, m, error);
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
                          "is no direction; write it like direction: [0, 0, -1], or leave it out for any");
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
  const tacSceneVademecum *v = &b->vademecum;
  if (b->fixed.count == 0)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "nothing is fixed, so that no load has a displacement; write it like fixed: [{below: {axis: "
                          "x, at: 0}}], and free: true for a body that moves with what is fixed");
  if (v->free && b->reduced.is_static)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "static"), TAC_ERR_FORMAT, error,
                          "a free body has inertia: leave free or static out");
  if (!v->free && b->reduced.contact.node != NULL)
    return tac_yaml_error(tree, b->reduced.contact.node, TAC_ERR_FORMAT, error,
                          "is of free bodies with the floor and each other; write free: true, or leave it out");
  return tac_scene_body_check_motion(tree, b, v->free, "write free: true", error);
}

static tacStatus check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacSceneReduced *r = &b->reduced;
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, 1.0, NULL},
      {"friction", live->friction, r->friction, tac_yaml_child(b->node, "friction")},
      {"damping", live->damping, r->damping.stiffness,
       r->damping.node != NULL ? tac_yaml_child(r->damping.node, "stiffness") : NULL},
      {"touch", live->touch, r->touch.stiffness,
       r->touch.node != NULL ? tac_yaml_child(r->touch.node, "stiffness") : NULL},
  };
  if (b->copies.node != NULL && live->node != NULL)
    return tac_yaml_error(tree, live->node, TAC_ERR_FORMAT, error,
                          "a body with copies has no live parameters: each copy would have its own");
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = tac_scene_body_check_elements(tree, b, error);
  if (status == TAC_OK) status = check_holding(tree, b, error);
  if (status == TAC_OK && b->reduced.keep > b->vademecum.modes)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "keep"), TAC_ERR_FORMAT, error, "%d of at most %d modes",
                          b->reduced.keep, b->vademecum.modes);
  return status == TAC_OK ? check_live(tree, b, error) : status;
}

static void defaults(tacSceneBody *body) {
  tacVademecumDef def = tac_vademecum_def_default();
  tacSceneVademecum *v = &body->vademecum;
  tac_reduced_scene_motion_defaults(&body->reduced);
  v->accuracy = def.accuracy;
  v->modes = def.mode_most;
  v->paths = def.path_most;
  v->sample = def.sample_count;
  v->method = (int)def.method;
}

/* The bounds are those of the body's own values. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, damping, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, touch, TAC_RANGE(STIFFNESS, 1e-3, 1e7)),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
#define OWN(member, ...) TAC_INNER(tacSceneBody, vademecum, member, __VA_ARGS__)
#define MOTION(member, ...) TAC_INNER(tacSceneBody, reduced, member, __VA_ARGS__)
static const tacField fields[] = {
    KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface)),
    KEY(volume, TAC_RECORD(tac_scene_volume_record), TAC_GIVEN(tacSceneBody, has_volume)),
    KEY(material, TAC_RECORD(material_record), TAC_REQUIRED, TAC_GIVEN(tacSceneBody, has_material)),
    KEY(fixed, TAC_LIST(tac_scene_region_record)),
    KEY(live, TAC_RECORD(ranges_record)),
    OWN(loads, TAC_RECORD(loads_record), TAC_REQUIRED),
    OWN(free, TAC_FLAG),
    OWN(linear, TAC_FLAG),
    OWN(accuracy, TAC_QUANTITY(NUMBER, 1e-6, 1.0)),
    OWN(modes, TAC_COUNT(1, MODES_MOST)),
    OWN(paths, TAC_COUNT(1, 1e6)),
    OWN(sample, TAC_COUNT(1, 1e6)),
    OWN(method, TAC_CHOICE("series|increments")), /* tacLoadPathMethod */
    MOTION(keep, TAC_COUNT(1, MODES_MOST)),
    MOTION(damping, TAC_RECORD(tac_reduced_scene_damping)),
    MOTION(newton, TAC_COUNT(1, 10)),
    {.key = "static", .offset = offsetof(tacSceneBody, reduced.is_static), TAC_FLAG},
    MOTION(acceleration_limit, TAC_QUANTITY(ACCELERATION, 0.0, 1e9)),
    MOTION(every, TAC_COUNT(1, 1000)),
    MOTION(touch, TAC_RECORD(tac_reduced_scene_touch)),
    MOTION(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    MOTION(contact, TAC_RECORD(tac_reduced_scene_contact)),
    KEY(copies, TAC_RECORD(tac_scene_copies_record)),
    KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
    KEY(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin)),
    KEY(points, TAC_RECORD(tac_scene_points_record)),
    KEY(field, TAC_RECORD(tac_scene_loaded_record)),
};

static bool is_free(const tacSceneBody *body) {
  return body->vademecum.free;
}

static double touch(const tacSceneBody *body) {
  return body->reduced.touch.stiffness;
}

/* What becomes of them */

static tacStatus bake_loads(tacBodyBake *b, uint64_t key) {
  const tacSceneField *field = &b->body->field;
  if (field->loads == 0) return TAC_OK;
  tacError reason;
  tacVademecumLoadsDef def = {
      .vademecum = b->baked->vademecum, .key = key, .most = field->loads, .resolution = field->resolution};
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_LOADS);
  tacStatus status =
      tac_bake_cache_loads(b->folder, b->body->name, &def, b->again, b->progress, &b->baked->loads, asset, &reason);
  return tac_body_bake_blame(b, field->node, status, &reason);
}

static tacStatus bake(tacBodyBake *b) {
  tacVademecumProblem problem;
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacStatus status = tac_vademecum_problem_create(&maker, &problem);
  if (status != TAC_OK) return status;
  uint64_t key = tac_bake_key_vademecum(&problem.def);
  tacSceneAsset *asset = tac_body_bake_asset(b, TAC_ASSET_VADEMECUM);
  status = tac_bake_cache_vademecum(b->folder, b->body->name, &problem.def, b->again, b->progress, &b->baked->vademecum,
                                    asset, &reason);
  tac_vademecum_problem_free(&problem);
  if (status != TAC_OK) return tac_body_bake_blame(b, b->body->vademecum.loads.node, status, &reason);
  status = tac_reduced_scene_bake_field(b, key);
  if (status == TAC_OK) status = bake_loads(b, key);
  return status == TAC_OK ? tac_reduced_scene_bake_points(b, key) : status;
}

static tacStatus add_one(const tacBodyAdd *a, const tacReducedBodyDef *def, tacError *error) {
  tacVademecumBodyDef own = tac_vademecum_body_def_default();
  tacBodyId id;
  own.vademecum = a->baked->vademecum;
  own.body = *def;
  own.free = a->body->vademecum.free;
  return tac_world_add_vademecum(a->world, &own, &id, error);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  return tac_reduced_scene_add(a, add_one, error);
}

/* In words */

static void describe_loads(const tacSceneLines *to, const tacSceneVademecum *v) {
  char direction[96] = "any direction";
  tacVec3 d = v->loads.direction;
  if (v->loads.has_direction) snprintf(direction, sizeof direction, "direction (%.3g, %.3g, %.3g)", d.x, d.y, d.z);
  char patch[128] = "";
  if (v->loads.patch > 0.0) snprintf(patch, sizeof patch, ", spread over %s", tac_text_length(v->loads.patch).text);
  tac_scene_say(to, "", "loads up to %.4g N of %s%s%s, to %.3g %%", v->loads.size, direction, patch,
                v->loads.in.count > 0 ? " in a part of the surface" : "", 100.0 * v->accuracy);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char text[1024];
  tac_body_description_source(b, text, sizeof text);
  tac_scene_say(to, label, "vademecum%s, of %s", b->vademecum.linear ? " of small strain" : "", text);
  tac_hyperelastic_material_say(&b->material, text, sizeof text);
  tac_scene_say(to, "", "%s", text);
  describe_loads(to, &b->vademecum);
  tac_reduced_scene_describe(to, b, b->vademecum.free ? "free" : "held");
}

const tacSceneKind tac_vademecum_scene = {.name = "vademecum",
                                          .fields = fields,
                                          .field_count = (int)(sizeof fields / sizeof *fields),
                                          .defaults = defaults,
                                          .check = check,
                                          .is_free = is_free,
                                          .touch = touch,
                                          .divides = true,
                                          .assets = 1,
                                          .bake = bake,
                                          .add = add,
                                          .describe = describe};
