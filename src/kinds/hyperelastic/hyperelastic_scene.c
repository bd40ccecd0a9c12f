#include "kinds/hyperelastic/hyperelastic_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/hyperelastic.h>
#include "base/memory/array.h"
#include "base/text.h"
#include "kinds/hyperelastic/hyperelastic_problem.h"
#include "math/geometry/vec3.h"
#include "spec/law_material.h"

/* ---- keys ---- */

static void contact_defaults(void *record) {
  tacSceneSpring *contact = record;
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  contact->stiffness = def.body.contact_stiffness;
  contact->damping = def.body.contact_damping;
}

static void damping_defaults(void *record) {
  tacSceneDamping *damping = record;
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  damping->mass = def.mass_damping;
  damping->stiffness = def.stiffness_damping;
}

static const tacRecord contact_record = {TAC_TABLE("contact", tacSceneSpring, tac_scene_spring_fields),
                                         .defaults = contact_defaults};
static const tacField damping_fields[] = {
    TAC_FIELD(tacSceneDamping, mass, TAC_QUANTITY(DECAY, 0.0, 1e3)),
    TAC_FIELD(tacSceneDamping, stiffness, TAC_QUANTITY(TIME, 0.0, 1e3)),
};
static const tacRecord damping_record = {TAC_TABLE("damping", tacSceneDamping, damping_fields),
                                         .defaults = damping_defaults};

static tacStatus check_moved(const tacYamlTree *tree, void *record, tacError *error) {
  tacSceneMoved *m = record;
  if (!(tac_vec3_norm(m->along) > 0.0))
    return tac_yaml_error(tree, tac_yaml_child(m->node, "along"), TAC_ERR_FORMAT, error,
                          "the direction is zero; write it like along: [1, 0, 0]");
  if ((m->distance != 0.0) != (m->period > 0.0))
    return tac_yaml_error(tree, m->node, TAC_ERR_FORMAT, error,
                          "distance and period need each other: the distance moved, and the time to go there and "
                          "back; write it like distance: 20 mm, period: 4 s");
  m->along = tac_vec3_unit(m->along);
  return TAC_OK;
}

static const tacField moved_fields[] = {
    TAC_FIELD(tacSceneMoved, in, TAC_LIST(tac_scene_region_record), TAC_REQUIRED),
    TAC_FIELD(tacSceneMoved, along, TAC_VECTOR(NUMBER, 1e6), TAC_REQUIRED),
    TAC_FIELD(tacSceneMoved, distance, TAC_QUANTITY(LENGTH, -TAC_LARGEST, TAC_LARGEST)),
    TAC_FIELD(tacSceneMoved, period, TAC_QUANTITY(TIME, 1e-2, 1e6)),
};
static const tacRecord moved_record = {TAC_TABLE("what is moved", tacSceneMoved, moved_fields), .check = check_moved};

static tacStatus check_holding(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacHyperelasticKeys *h = tac_hyperelastic_keys(b);
  if (b->free && (b->fixed.count > 0 || h->moved.node != NULL))
    return tac_yaml_error(tree, h->moved.node != NULL ? h->moved.node : tac_yaml_child(b->node, "fixed"),
                          TAC_ERR_FORMAT, error, "the body is free, but this key holds it; leave one of the two out");
  if (!b->free && b->fixed.count == 0 && h->moved.node == NULL)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "the body is neither held nor free; write it like fixed: [{below: {axis: z, at: 0}}], or "
                          "free: true");
  if (!b->free && b->contact.node != NULL)
    return tac_yaml_error(tree, b->contact.node, TAC_ERR_FORMAT, error,
                          "this key applies only to free bodies, which touch the floor and each other, and this body "
                          "is held; leave it out");
  return TAC_OK;
}

static tacStatus check_live(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRanges *live = &b->live;
  const tacHyperelasticKeys *h = tac_hyperelastic_keys(b);
  if (live->moved.most > live->moved.least && h->moved.node == NULL)
    return tac_yaml_error(tree, tac_yaml_child(live->node, "moved"), TAC_ERR_FORMAT, error,
                          "the body has no moved region; write it like moved: {in: [{above: {axis: z, at: 60 mm}}], "
                          "along: [0, 0, 1]}");
  const tacSceneLiveValue values[] = {
      {"stiffness", live->stiffness, 1.0, NULL},
      {"friction", live->friction, b->friction, tac_yaml_child(b->node, "friction")},
      {"damping", live->damping, h->damping.stiffness,
       h->damping.node != NULL ? tac_yaml_child(h->damping.node, "stiffness") : NULL},
      {"touch", live->touch, b->touch.stiffness,
       b->touch.node != NULL ? tac_yaml_child(b->touch.node, "stiffness") : NULL},
      {"moved", live->moved, 0.0, NULL},
  };
  return tac_scene_body_check_live(tree, b, (int)(sizeof values / sizeof *values), values, error);
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  TAC_TRY(tac_scene_body_check_elements(tree, b, error));
  if (b->has_material == (b->materials.count > 0))
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a body needs either material or materials; write it like material: {law: neo-hookean, "
                          "parameters: {mu: 1 kPa, k0: 20 kPa}, density: 1050 kg/m3}");
  TAC_TRY(tac_scene_body_check_material_names(tree, b, error));
  TAC_TRY(check_holding(tree, b, error));
  TAC_TRY(tac_scene_body_check_motion(tree, b, b->free, "write free: true", error));
  return check_live(tree, b, error);
}

static void defaults(tacSceneBody *body) {
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  tacHyperelasticKeys *h = tac_scene_own(body);
  contact_defaults(&body->contact);
  damping_defaults(&h->damping);
  h->patches = def.patches;
  h->factor = (int)def.factor;
  h->factor_delay = def.factor_delay;
  h->sites = def.most_sites;
  h->threads = def.thread_count;
}

/* The limits of each range are the limits of the corresponding value of the body. */
static const tacField ranges_fields[] = {
    TAC_FIELD(tacSceneRanges, stiffness, TAC_RANGE(NUMBER, 1e-6, 1e6)),
    TAC_FIELD(tacSceneRanges, friction, TAC_RANGE(NUMBER, 0.0, 10.0)),
    TAC_FIELD(tacSceneRanges, damping, TAC_RANGE(TIME, 0.0, 1e3)),
    TAC_FIELD(tacSceneRanges, touch, TAC_RANGE(STIFFNESS, 1e-3, 1e7)),
    TAC_FIELD(tacSceneRanges, moved, TAC_RANGE(LENGTH, -TAC_LARGEST, TAC_LARGEST)),
};
static const tacRecord ranges_record = {TAC_TABLE("live", tacSceneRanges, ranges_fields)};

#define OWN(member, ...) TAC_OWN_KEY(tacHyperelasticKeys, member, __VA_ARGS__)
static const tacField fields[] = {
    TAC_KEYS_OF_MESHES,
    TAC_KEY(material, TAC_RECORD(tac_law_material_record), TAC_GIVEN(tacSceneBody, has_material)),
    TAC_KEY(materials, TAC_LIST(tac_law_materials_record)),
    TAC_KEY(fixed, TAC_LIST(tac_scene_region_record)),
    TAC_KEY(live, TAC_RECORD(ranges_record)),
    OWN(moved, TAC_RECORD(moved_record)),
    TAC_KEY(free, TAC_FLAG),
    OWN(patches, TAC_FLAG),
    TAC_KEY_FRICTION,
    TAC_KEY(touch, TAC_RECORD(tac_scene_touch_record)),
    TAC_KEY(contact, TAC_RECORD(contact_record)),
    OWN(damping, TAC_RECORD(damping_record)),
    OWN(factor, TAC_CHOICE("asynchronous|exact|rest")), /* names in the order of tacFactorMode */
    OWN(factor_delay, TAC_COUNT(1, 1000)),
    OWN(sites, TAC_COUNT(1, 256)),
    OWN(threads, TAC_COUNT(1, 64)),
    TAC_KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    TAC_KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
};

/* True if the elements do not lock near incompressibility. Each patch of elements then has one pressure unknown. */
static bool keeps_volume(const tacSceneBody *body) {
  return tac_hyperelastic_keys(body)->patches;
}

/* ---- bake and creation ---- */

static void free_own(void *own) {
  tac_hyperelastic_problem_free(own);
  free(own);
}

static tacStatus bake(tacBodyBake *b) {
  tacError reason;
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacHyperelasticProblem *problem;
  TAC_TRY(TAC_ARRAY(problem, 1, "a body", b->error));
  b->baked->own = problem;
  b->baked->free_own = free_own;
  TAC_TRY(tac_hyperelastic_problem_create(&maker, problem));
  tacStatus status = tac_volmesh_surface(problem->volume, &b->baked->shaped, NULL, NULL, &reason);
  b->baked->surface = b->baked->shaped;
  return tac_body_bake_error(b, b->body->volume.node, status, &reason);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  const tacHyperelasticKeys *h = tac_hyperelastic_keys(a->body);
  const tacHyperelasticProblem *p = a->baked->own;
  tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
  def.body = tac_scene_kind_def(a);
  def.mesh = p->volume;
  def.material_count = p->material_count;
  def.materials = p->materials;
  def.material_of = p->material_of;
  def.fibres = (const tacVec3(*)[3])p->fibres;
  def.fixed = p->fixed;
  def.moved = p->moved;
  if (h->moved.node != NULL) def.moved_along = h->moved.along;
  def.moved_distance = h->moved.distance;
  def.moved_period = h->moved.period;
  def.mass_damping = h->damping.mass;
  def.stiffness_damping = h->damping.stiffness;
  def.patches = h->patches;
  def.factor = (tacFactorMode)h->factor;
  def.factor_delay = h->factor_delay;
  def.most_sites = h->sites;
  def.thread_count = h->threads;
  return tac_world_add_hyperelastic(a->world, &def, NULL, error);
}

/* ---- descriptions ---- */

static void describe_moved(const tacSceneLines *to, const tacSceneMoved *m) {
  if (m->node == NULL) return;
  if (m->period > 0.0)
    tac_lines_add(to, "", "a part is moved along (%.3g, %.3g, %.3g), by %s and back in %s", m->along.x, m->along.y,
                  m->along.z, tac_text_length(m->distance).text, tac_text_seconds(m->period).text);
  else
    tac_lines_add(to, "", "a part is moved along (%.3g, %.3g, %.3g)", m->along.x, m->along.y, m->along.z);
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  static const char *const factors[] = {"on a separate thread", "in each step", "of the body at rest"};
  const tacHyperelasticKeys *h = tac_hyperelastic_keys(b);
  char text[1024];
  tac_body_description_source(b, text, sizeof text);
  tac_lines_add(to, label, "hyperelastic, %s, of %s", b->free ? "free" : "held", text);
  for (int i = 0; i < tac_scene_body_material_count(b); ++i) {
    const tacSceneMaterial *m = tac_scene_body_material(b, i);
    tac_law_material_describe(m, text, sizeof text);
    tac_lines_add(to, "", "%s%s%s", b->has_material ? "" : tac_scene_material_name(m), b->has_material ? "" : ": ",
                  text);
  }
  describe_moved(to, &h->moved);
  tac_lines_add(to, "", "factored %s%s, damping %.4g 1/s and %s, touch %.4g N/m and %.4g Ns/m, friction %.3g",
                factors[h->factor], h->patches ? ", volume of patches" : "", h->damping.mass,
                tac_text_seconds(h->damping.stiffness).text, b->touch.stiffness, b->touch.damping, b->friction);
}

/* ---- draft scenes ---- */

static void write_draft(const tacBodyDraft *d, char *text, size_t size) {
  double tets = cbrt(6.0 * d->volume / 2500.0); /* 2,500 tetrahedra take a few milliseconds per step */
  snprintf(text, size,
           "    kind: hyperelastic             # tetrahedra with inertia and a nonlinear law: any deformation, slower\n"
           "%s"
           "    volume: {tets: %s}            # finer: dearer with the third power\n"
           "%s%s"
           "    damping: {mass: 1 1/s, stiffness: 10 ms}\n"
           "    touch: {stiffness: 300 N/m, damping: 0.3 Ns/m}\n"
           "    friction: 0.3\n"
           "    live: {stiffness: [0.25, 4], damping: [0, 50 ms], friction: [0, 1]}\n",
           d->surface, tac_text_written_length(tets).text, d->material, d->fixed);
}

static const tacBodyDrafter drafter = {.held = true, .rate = 100.0, .write = write_draft};

/* Returns the estimated duration of a step, s. Measurements on arm64 gave 3 ms for 2,000 tetrahedra, 20 ms for 8,000
 * and 216 ms for 48,000 (docs/hyperelastic.md). A brick is divided into six tetrahedra. */
static double step(const tacSceneBody *body, int elements) {
  bool bricks = body->volume.has_bricks || body->volume.shape != NULL;
  double tets = (bricks ? 6.0 : 1.0) * elements;
  return 1.4e-6 * tets * pow(1.0 + tets / 12000.0, 0.8);
}

static const tacSceneKind scene = {.fields = fields,
                                   .field_count = (int)(sizeof fields / sizeof *fields),
                                   .defaults = defaults,
                                   .check = check,
                                   .keeps_volume = keeps_volume,
                                   .large = true,
                                   .vertices = true,
                                   .divides = true,
                                   .step = step,
                                   .bake = bake,
                                   .add = add,
                                   .describe = describe};

const tacBodyKind tac_hyperelastic_row = {.version = TAC_BODY_KIND_VERSION,
                                          .name = "hyperelastic",
                                          .summary = "tetrahedra with a law of large strain, inertia and viscosity",
                                          .shown = TAC_SHOWN_VERTICES,
                                          .scene = &scene,
                                          .drafter = &drafter};
