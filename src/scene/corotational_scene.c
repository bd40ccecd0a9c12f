#include "scene/corotational_scene.h"

#include "scene/green_scene.h"
#include "scene/scene_fields.h"

/* Keys */

static void contact_defaults(void *record) {
  tacSceneSpring *contact = record;
  tacGreenBodyDef def = tac_green_body_def_default();
  contact->stiffness = def.contact_stiffness;
  contact->damping = def.contact_damping;
}

static const tacRecord contact_record = {TAC_TABLE("contact", tacSceneSpring, tac_scene_spring_fields),
                                         .defaults = contact_defaults};

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacStatus status = tac_scene_body_check_elements(tree, b, error);
  if (status == TAC_OK) status = tac_scene_body_check_materials(tree, b, error);
  if (status == TAC_OK) status = tac_green_scene_check_live(tree, b, error);
  return status == TAC_OK ? tac_scene_body_check_motion(tree, b, b->corotational.free, "write free: true", error)
                          : status;
}

static void defaults(tacSceneBody *body) {
  tac_green_scene.defaults(body);
  contact_defaults(&body->corotational.contact);
  body->method = TAC_GREEN_FINITE_ELEMENTS;
  body->storage = TAC_GREEN_WHOLE;
}

#define KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
#define OWN(member, ...) TAC_INNER(tacSceneBody, corotational, member, __VA_ARGS__)
static const tacField fields[] = {
    KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface)),
    KEY(volume, TAC_RECORD(tac_scene_volume_record), TAC_GIVEN(tacSceneBody, has_volume)),
    KEY(material, TAC_RECORD(tac_scene_material_record), TAC_GIVEN(tacSceneBody, has_material)),
    KEY(materials, TAC_LIST(tac_scene_materials_record)),
    KEY(fixed, TAC_LIST(tac_scene_region_record)),
    KEY(sensors, TAC_LIST(tac_green_scene_sensor)),
    OWN(free, TAC_FLAG),
    KEY(mask, TAC_LENGTH, .words = "single"),
    KEY(stiffness, TAC_QUANTITY(NUMBER, 1e-6, 1e6)),
    KEY(rigid_stiffness, TAC_QUANTITY(STIFFNESS, 1.0, 1e6)),
    KEY(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    OWN(contact, TAC_RECORD(contact_record)),
    KEY(live, TAC_RECORD(tac_green_scene_ranges)),
    KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
    KEY(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin)),
    KEY(points, TAC_RECORD(tac_scene_points_record)),
    KEY(field, TAC_RECORD(tac_scene_field_record)),
};

static bool is_free(const tacSceneBody *body) {
  return body->corotational.free;
}

static double touch(const tacSceneBody *body) {
  return body->rigid_stiffness;
}

/* What becomes of them */

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  const tacSceneBody *body = a->body;
  tacGreenBodyDef def = tac_green_scene_def(a);
  tacBodyId id;
  def.kind = tac_corotational_scene.name;
  def.free = body->corotational.free;
  def.gravity = body->gravity;
  def.velocity = body->velocity;
  def.spin = body->spin;
  def.contact_stiffness = body->corotational.contact.stiffness;
  def.contact_damping = body->corotational.contact.damping;
  return tac_world_add_green(a->world, &def, &id, error);
}

/* In words */

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "corotational, %s, of %s", b->corotational.free ? "free" : "at rest", source);
  tac_scene_say(to, "", "%s",
                b->fixed.count > 0 ? "deforms from vertices that are fixed to its frame"
                                   : "deforms about its centre of mass, by inertia relief");
  tac_green_scene_describe(to, b);
}

const tacSceneKind tac_corotational_scene = {.name = "corotational",
                                             .fields = fields,
                                             .field_count = (int)(sizeof fields / sizeof *fields),
                                             .defaults = defaults,
                                             .check = check,
                                             .is_free = is_free,
                                             .touch = touch,
                                             .relaxes = true,
                                             .linear = true,
                                             .assets = 1,
                                             .bake = tac_green_scene_bake,
                                             .add = add,
                                             .describe = describe};
