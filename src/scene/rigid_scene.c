#include "scene/rigid_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tactus/trimesh.h>
#include "scene/body_solid.h"
#include "scene/exact_solid.h"
#include "scene/scene_fields.h"

/* Keys */

static void touch_defaults(void *record) {
  tacSceneSpring *touch = record;
  tacRigidBodyDef def = tac_rigid_body_def_default();
  touch->stiffness = def.touch_stiffness;
  touch->damping = def.touch_damping;
}

static const tacRecord touch_record = {TAC_TABLE("touch", tacSceneSpring, tac_scene_spring_fields),
                                       .defaults = touch_defaults};

static tacStatus check_inertia(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  tacVec3 i = b->rigid.inertia;
  const tacYamlNode *node = tac_yaml_child(b->node, "inertia");
  if (!b->rigid.has_density && !b->rigid.has_mass)
    return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                          "a body with inertia has mass, too; write it like mass: 20 g beside it");
  /* Each is the integral of two squares, of which the others have one each; a disk has the sum, but for rounding. */
  double sum = 0.5 * (i.x + i.y + i.z);
  if (fmax(i.x, fmax(i.y, i.z)) <= sum * (1.0 + 1e-9)) return TAC_OK;
  return tac_yaml_error(tree, node, TAC_ERR_FORMAT, error,
                        "no solid has these moments: none is larger than the sum of the other two; write it like "
                        "inertia: [2e-5 kg m2, 2e-5 kg m2, 3e-5 kg m2]");
}

static tacStatus check_mass(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacSceneRigid *r = &b->rigid;
  const tacSceneSolid *solids = b->analytic.items;
  if (r->has_density && r->has_mass)
    return tac_yaml_error(tree, tac_yaml_child(b->node, "mass"), TAC_ERR_FORMAT, error,
                          "give either density or mass, not both");
  if (r->free && !r->has_density && !r->has_mass)
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a free body needs density or mass; write it like density: 1000 kg/m3 or mass: 20 g");
  for (int i = 0; i < b->analytic.count && (r->has_density || r->has_mass); ++i)
    if (solids[i].has_plane)
      return tac_yaml_error(tree, solids[i].node, TAC_ERR_FORMAT, error,
                            "a plane is solid without end and has no mass; write it like box: {lower: [...], upper: "
                            "[...]}, or leave %s out",
                            r->has_density ? "density" : "mass");
  return r->has_inertia ? check_inertia(tree, b, error) : TAC_OK;
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (b->has_surface == (b->analytic.count > 0))
    return tac_yaml_error(
        tree, b->node, TAC_ERR_FORMAT, error,
        "a rigid body has surface or analytic, one of the two; write it like surface: {shape: box} or "
        "analytic: [{plane: {normal: z}}]");
  if (b->analytic.count > 0 && b->field.node != NULL)
    return tac_yaml_error(tree, b->field.node, TAC_ERR_FORMAT, error,
                          "is for surfaces; analytic is an exact field already: leave it out");
  if (b->analytic.count > 0 && b->points.node != NULL)
    return tac_yaml_error(tree, b->points.node, TAC_ERR_FORMAT, error,
                          "are fitted to a surface; write it like surface: {shape: box} instead of analytic");
  tacStatus status = check_mass(tree, b, error);
  return status == TAC_OK ? tac_scene_body_check_motion(tree, b, b->rigid.free, "write free: true", error) : status;
}

static void defaults(tacSceneBody *body) {
  touch_defaults(&body->rigid.touch);
  body->rigid.friction = tac_rigid_body_def_default().friction;
}

#define KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
#define OWN(member, ...) TAC_INNER(tacSceneBody, rigid, member, __VA_ARGS__)
static const tacField fields[] = {
    KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface)),
    OWN(free, TAC_FLAG),
    OWN(density, TAC_QUANTITY(DENSITY, 1e-3, 1e6), TAC_GIVEN(tacSceneBody, rigid.has_density)),
    OWN(mass, TAC_QUANTITY(MASS, 1e-9, 1e9), TAC_GIVEN(tacSceneBody, rigid.has_mass)),
    OWN(inertia, .kind = TAC_FIELD_QUANTITIES, .quantity = TAC_QUANTITY_INERTIA, .count = 3, .lower = 1e-20,
        .upper = 1e20, TAC_GIVEN(tacSceneBody, rigid.has_inertia)),
    OWN(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    OWN(touch, TAC_RECORD(touch_record)),
    KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
    KEY(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin)),
    KEY(points, TAC_RECORD(tac_scene_points_record)),
    KEY(field, TAC_RECORD(tac_scene_field_record)),
    KEY(analytic, TAC_LIST(tac_scene_solid_record)),
};

static bool is_free(const tacSceneBody *body) {
  return body->rigid.free;
}

static double touch(const tacSceneBody *body) {
  return body->rigid.touch.stiffness;
}

/* What becomes of them */

static tacStatus bake(tacBodyBake *b) {
  tacBodyMaker maker = tac_body_bake_maker(b);
  if (b->body->analytic.count > 0) return tac_exact_solid_make(&maker, &b->baked->surface, &b->baked->field);
  tacStatus status = tac_body_mesh_surface(&maker, &b->baked->surface);
  if (status == TAC_OK) status = tac_body_bake_field(b, b->baked->surface);
  if (status == TAC_OK) status = tac_body_bake_points(b, b->baked->surface, b->baked->field, 0);
  return status;
}

/* Mass, centre and inertia of a rigid body, by its surface; nothing where the scene gives no mass. */
static tacStatus set_mass(const tacSceneRigid *rigid, tacRigidBodyDef *def, tacError *error) {
  tacMassProperties properties;
  if (!rigid->has_density && !rigid->has_mass) return TAC_OK;
  tacStatus status = tac_mass_properties(def->surface, rigid->has_density ? rigid->density : 1.0, &properties, error);
  if (status == TAC_OK && rigid->has_mass) status = tac_mass_properties_scale(&properties, rigid->mass, error);
  if (status != TAC_OK) return status;
  def->inertia.mass = properties.mass;
  def->inertia.centre = properties.centre;
  memcpy(def->inertia.moments, properties.inertia, sizeof def->inertia.moments);
  if (!rigid->has_inertia) return TAC_OK;
  memset(def->inertia.moments, 0, sizeof def->inertia.moments);
  def->inertia.moments[0][0] = rigid->inertia.x;
  def->inertia.moments[1][1] = rigid->inertia.y;
  def->inertia.moments[2][2] = rigid->inertia.z;
  return TAC_OK;
}

tacStatus tac_rigid_scene_def(const tacBodyAdd *a, tacRigidBodyDef *def, tacError *error) {
  const tacSceneBody *body = a->body;
  *def = tac_rigid_body_def_default();
  def->name = body->name;
  def->surface = a->baked->surface;
  def->pose = tac_scene_body_pose(body);
  def->shell = a->baked->shell;
  def->field = a->baked->field;
  def->free = body->rigid.free;
  def->gravity = body->gravity;
  def->velocity = body->velocity;
  def->spin = body->spin;
  def->friction = body->rigid.friction;
  def->touch_stiffness = fmin(body->rigid.touch.stiffness, a->limit);
  def->touch_damping = body->rigid.touch.damping;
  return set_mass(&body->rigid, def, error);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  tacRigidBodyDef def;
  tacBodyId id;
  tacStatus status = tac_rigid_scene_def(a, &def, error);
  return status == TAC_OK ? tac_world_add_rigid(a->world, &def, &id, error) : status;
}

/* In words */

/* The exact solids of a body: "a plane, 2 boxes". */
static void describe_solids(const tacSceneBody *b, char *text, size_t size) {
  static const char *const nouns[][2] = {
      {"a plane", "planes"}, {"a sphere", "spheres"}, {"a box", "boxes"}, {"a capsule", "capsules"}};
  const tacSceneSolid *solids = b->analytic.items;
  int counts[4] = {0};
  for (int i = 0; i < b->analytic.count; ++i)
    ++counts[solids[i].has_plane ? 0 : solids[i].has_sphere ? 1 : solids[i].has_box ? 2 : 3];
  text[0] = '\0';
  for (int i = 0; i < 4; ++i)
    if (counts[i] > 0) {
      size_t length = strlen(text);
      length += (size_t)snprintf(text + length, size - length, "%s", length > 0 ? ", " : "");
      if (counts[i] == 1)
        snprintf(text + length, size - length, "%s", nouns[i][0]);
      else
        snprintf(text + length, size - length, "%d %s", counts[i], nouns[i][1]);
    }
}

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  char source[400];
  if (b->analytic.count > 0)
    describe_solids(b, source, sizeof source);
  else
    tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "rigid, %s%s", b->analytic.count > 0 ? "" : "of ", source);
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

const tacSceneKind tac_rigid_scene = {.name = "rigid",
                                      .fields = fields,
                                      .field_count = (int)(sizeof fields / sizeof *fields),
                                      .defaults = defaults,
                                      .check = check,
                                      .is_free = is_free,
                                      .touch = touch,
                                      .bake = bake,
                                      .add = add,
                                      .describe = describe};
