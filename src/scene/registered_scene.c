#include "scene/registered_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "scene/body_copy.h"
#include "scene/scene_fields.h"

/* Keys */

static void touch_defaults(void *record) {
  tacBodyDef def = tac_body_def_default();
  *(tacSceneSpring *)record =
      (tacSceneSpring){((tacSceneSpring *)record)->node, def.touch_stiffness, def.touch_damping};
}

static void contact_defaults(void *record) {
  tacBodyDef def = tac_body_def_default();
  *(tacSceneSpring *)record =
      (tacSceneSpring){((tacSceneSpring *)record)->node, def.contact_stiffness, def.contact_damping};
}

static const tacRecord touch_record = {TAC_TABLE("touch", tacSceneSpring, tac_scene_spring_fields),
                                       .defaults = touch_defaults};
static const tacRecord contact_record = {TAC_TABLE("contact", tacSceneSpring, tac_scene_spring_fields),
                                         .defaults = contact_defaults};

static void defaults(tacSceneBody *body) {
  tacSceneRegistered *own = &body->registered;
  tacBodyDef def = tac_body_def_default();
  own->every = def.every;
  own->friction = def.friction;
  touch_defaults(&own->touch);
  contact_defaults(&own->contact);
  if (own->kind->defaults != NULL) memcpy(own->record, own->kind->defaults, own->kind->record_size);
}

#define KEY(member, ...) TAC_FIELD(tacSceneBody, member, __VA_ARGS__)
#define OWN(member, ...) TAC_INNER(tacSceneBody, registered, member, __VA_ARGS__)
static const tacField common[] = {
    OWN(free, TAC_FLAG),
    OWN(every, TAC_COUNT(1, 100)),
    OWN(friction, TAC_QUANTITY(NUMBER, 0.0, 10.0)),
    OWN(touch, TAC_RECORD(touch_record)),
    OWN(contact, TAC_RECORD(contact_record)),
    KEY(copies, TAC_RECORD(tac_scene_copies_record)),
    KEY(gravity, TAC_VECTOR(ACCELERATION, 1e4), TAC_GIVEN(tacSceneBody, has_gravity)),
    KEY(velocity, TAC_VECTOR(SPEED, 1e3), TAC_GIVEN(tacSceneBody, has_velocity)),
    KEY(spin, TAC_VECTOR(TURN_RATE, 1e4), TAC_GIVEN(tacSceneBody, has_spin)),
};
static const tacField surface_field =
    KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface));
static const tacField points_field = KEY(points, TAC_RECORD(tac_scene_points_record));
static const tacField field_field = KEY(field, TAC_RECORD(tac_scene_field_record));

static tacField field_of(const tacBodyKey *key) {
  static const tacFieldKind kinds[] = {
      [TAC_KEY_NUMBER] = TAC_FIELD_QUANTITY, [TAC_KEY_VECTOR] = TAC_FIELD_QUANTITIES, [TAC_KEY_COUNT] = TAC_FIELD_COUNT,
      [TAC_KEY_FLAG] = TAC_FIELD_FLAG,       [TAC_KEY_TEXT] = TAC_FIELD_TEXT,         [TAC_KEY_PATH] = TAC_FIELD_TEXT,
  };
  tacField field = {.key = key->name,
                    .kind = kinds[key->type],
                    .offset = offsetof(tacSceneBody, registered.record) + key->offset,
                    .required = key->required,
                    .lower = key->least,
                    .upper = key->most,
                    .count = key->count};
  const char *unit = key->unit != NULL ? key->unit : "";
  if (!tac_quantity_find(unit, &field.quantity)) field.unit = unit;
  return field;
}

int tac_registered_scene_fields(const tacBodyKind *kind, tacField *fields) {
  int count = 0;
  if (kind->takes_surface) fields[count++] = surface_field;
  for (int i = 0; i < kind->key_count; ++i) fields[count++] = field_of(&kind->keys[i]);
  for (size_t i = 0; i < sizeof common / sizeof *common; ++i) fields[count++] = common[i];
  if (kind->takes_points) fields[count++] = points_field;
  if (kind->takes_field) fields[count++] = field_field;
  return count;
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  return tac_scene_body_check_motion(tree, b, b->registered.free, "write free: true", error);
}

static const char **path_in(unsigned char *record, const tacBodyKey *key) {
  return (const char **)(void *)(record + key->offset);
}

static tacStatus visit(const tacSceneBody *body, tacSceneFileVisit visitor, void *user, tacError *error) {
  const tacBodyKind *kind = body->registered.kind;
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < kind->key_count; ++i) {
    const tacYamlNode *node = tac_yaml_child(body->node, kind->keys[i].name);
    if (kind->keys[i].type == TAC_KEY_PATH && node != NULL) status = visitor(node, node->text, user, error);
  }
  return status;
}

static bool is_free(const tacSceneBody *body) {
  return body->registered.free;
}

static double touch(const tacSceneBody *body) {
  return body->registered.touch.stiffness;
}

/* Bodies */

/* The kind's own function, with paths as they are seen from here. */
static tacStatus create(const tacYamlTree *tree, const tacSceneBody *body, const tacBakedBody *baked, void **self,
                        tacError *error) {
  const tacBodyKind *kind = body->registered.kind;
  tacSceneRegistered own = body->registered;
  char *paths[TAC_BODY_KIND_MOST_KEYS] = {0}, *folder = tac_body_path(tree, "", error);
  tacStatus status = folder != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int i = 0; status == TAC_OK && i < kind->key_count; ++i) {
    if (kind->keys[i].type != TAC_KEY_PATH || tac_yaml_child(body->node, kind->keys[i].name) == NULL) continue;
    const char **path = path_in(own.record, &kind->keys[i]);
    *path = paths[i] = tac_body_path(tree, *path, error);
    if (paths[i] == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    const tacBodyCreate context = {.name = body->name,
                                   .folder = folder[0] != '\0' ? folder : ".",
                                   .surface = baked->given,
                                   .points = baked->shell,
                                   .field = baked->field};
    tacError reason = {.text = ""};
    *self = NULL;
    status = kind->create(own.record, &context, self, &reason);
    reason.text[sizeof reason.text - 1] = '\0';
    if (status == TAC_OK && *self == NULL)
      status =
          tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: create says that all is well, but made no body", kind->name);
    else if (status != TAC_OK)
      tac_error_set(error, status, "%.400s",
                    reason.text[0] != '\0' ? reason.text : "cannot be made (its kind does not say why)");
  }
  for (int i = 0; i < kind->key_count; ++i) free(paths[i]);
  free(folder);
  return status;
}

/* Its surface, which field and points are made of. */
static tacStatus find_surface(tacBodyBake *b, tacError *error) {
  const tacBodyTable *table = b->body->registered.kind->table;
  void *self;
  tacStatus status = create(b->tree, b->body, b->baked, &self, error);
  if (status != TAC_OK) return status;
  const tacTriMesh *mesh = table->surface(self);
  if (mesh == NULL || mesh->triangle_count < 1)
    status = tac_error_set(error, TAC_ERR_GEOMETRY, "a body needs a surface that is shown");
  if (status == TAC_OK) status = tac_trimesh_validate(mesh, error);
  if (status == TAC_OK) status = tac_trimesh_copy(mesh, &b->baked->surface, error);
  table->destroy(self);
  return status;
}

static tacStatus bake(tacBodyBake *b) {
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacError reason = {0};
  tacStatus status = b->body->has_surface ? tac_body_mesh_surface(&maker, &b->baked->given) : TAC_OK;
  if (status != TAC_OK) return status;
  status = find_surface(b, &reason);
  if (status != TAC_OK) return tac_yaml_error(b->tree, b->body->node, status, b->error, "%.420s", reason.text);
  status = tac_body_bake_field(b, b->baked->surface);
  return status == TAC_OK ? tac_body_bake_points(b, b->baked->surface, b->baked->field, 0) : status;
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  const tacSceneBody *body = a->body;
  const tacSceneRegistered *own = &body->registered;
  tacBodyDef def = tac_body_def_default();
  def.kind = own->kind->name;
  def.free = own->free;
  def.velocity = body->velocity;
  def.spin = body->spin;
  def.gravity = body->gravity;
  def.every = own->every;
  def.friction = own->friction;
  def.touch_stiffness = fmin(own->touch.stiffness, a->limit);
  def.touch_damping = own->touch.damping;
  def.contact_stiffness = own->contact.stiffness;
  def.contact_damping = own->contact.damping;
  def.shown = own->kind->shown;
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < tac_body_copy_count(body); ++i) {
    char name[TAC_BODY_COPY_NAME];
    void *self;
    tac_body_copy_name(body, i, name);
    def.name = name;
    def.pose = tac_body_copy_pose(body, i);
    status = create(a->tree, body, a->baked, &self, error);
    if (status != TAC_OK) break;
    status = tac_world_add_body(a->world, &def, own->kind->table, self, NULL, error);
    if (status != TAC_OK) own->kind->table->destroy(self);
  }
  return status;
}

/* In words */

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  const tacBodyKind *kind = b->registered.kind;
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_scene_say(to, label, "%s: %s%s%s", kind->name, kind->summary, source[0] != '\0' ? ", of " : "", source);
  for (int i = 0; i < kind->key_count; ++i) {
    const tacYamlNode *node = tac_yaml_child(b->node, kind->keys[i].name);
    char text[400] = "";
    if (node == NULL) continue;
    if (node->text != NULL) snprintf(text, sizeof text, "%s", node->text);
    for (const tacYamlNode *item = node->first; item != NULL; item = item->next)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", item->index > 0 ? ", " : "", item->text);
    tac_scene_say(to, "", "%s %s", node->key, text);
  }
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

const tacSceneKind tac_registered_scene = {.defaults = defaults,
                                           .check = check,
                                           .visit = visit,
                                           .is_free = is_free,
                                           .touch = touch,
                                           .bake = bake,
                                           .add = add,
                                           .describe = describe};
