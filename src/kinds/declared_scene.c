#include "kinds/declared_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "mesh/trimesh.h"
#include "spec/body_copy.h"
#include "spec/exact_solid.h"
#include "world/world_build.h"

/* ---- keys ---- */

static void defaults(tacSceneBody *body) {
  if (body->row->defaults != NULL) memcpy(tac_scene_own(body), body->row->defaults, body->row->record_size);
}

static const tacField common[] = {
    TAC_KEY(free, TAC_FLAG),
    TAC_KEY(every, TAC_COUNT(1, 100)),
    TAC_KEY_FRICTION,
    TAC_KEY(touch, TAC_RECORD(tac_scene_touch_record)),
    TAC_KEY(contact, TAC_RECORD(tac_scene_contact_record)),
    TAC_KEY(copies, TAC_RECORD(tac_scene_copies_record)),
    TAC_KEYS_OF_MOTION,
};
static const tacField surface_field =
    TAC_KEY(surface, TAC_RECORD(tac_scene_surface_record), TAC_GIVEN(tacSceneBody, has_surface));
static const tacField points_field = TAC_KEY(points, TAC_RECORD(tac_scene_points_record));
static const tacField field_field = TAC_KEY(field, TAC_RECORD(tac_scene_field_record));
static const tacField analytic_field = TAC_KEY(analytic, TAC_LIST(tac_scene_solid_record));

static tacField field_of(const tacBodyKey *key) {
  static const tacFieldKind kinds[] = {
      [TAC_KEY_NUMBER] = TAC_FIELD_QUANTITY, [TAC_KEY_VECTOR] = TAC_FIELD_QUANTITIES, [TAC_KEY_COUNT] = TAC_FIELD_COUNT,
      [TAC_KEY_FLAG] = TAC_FIELD_FLAG,       [TAC_KEY_TEXT] = TAC_FIELD_TEXT,         [TAC_KEY_PATH] = TAC_FIELD_TEXT,
  };
  tacField field = {.key = key->name,
                    .kind = kinds[key->type],
                    .offset = offsetof(tacSceneBody, own) + key->offset,
                    .required = key->required,
                    .lower = key->least,
                    .upper = key->most,
                    .count = key->count};
  const char *unit = key->unit != NULL ? key->unit : "";
  if (!tac_quantity_find(unit, &field.quantity)) field.unit = unit;
  return field;
}

int tac_declared_scene_fields(const tacBodyKind *kind, tacField *fields) {
  int count = 0;
  if (kind->takes_surface) fields[count++] = surface_field;
  for (int i = 0; i < kind->key_count; ++i) fields[count++] = field_of(&kind->keys[i]);
  for (size_t i = 0; i < sizeof common / sizeof *common; ++i) fields[count++] = common[i];
  if (kind->takes_points) fields[count++] = points_field;
  if (kind->takes_field) fields[count++] = field_field;
  if (kind->takes_analytic) fields[count++] = analytic_field;
  return count;
}

static const tacYamlNode *first_plane(const tacSceneBody *b) {
  const tacSceneSolid *solids = b->analytic.items;
  for (int i = 0; i < b->analytic.count; ++i)
    if (solids[i].has_plane) return solids[i].node;
  return NULL;
}

/* Requires either a surface or exact solids if the kind accepts both. */
static tacStatus check_solid(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  if (!b->row->takes_analytic) return TAC_OK;
  if (b->has_surface == (b->analytic.count > 0))
    return tac_yaml_error(tree, b->node, TAC_ERR_FORMAT, error,
                          "a %s body needs either surface or analytic; write it like surface: {shape: box} or "
                          "analytic: [{plane: {normal: z}}]",
                          b->row->name);
  if (b->analytic.count > 0 && b->field.node != NULL)
    return tac_yaml_error(
        tree, b->field.node, TAC_ERR_FORMAT, error,
        "this key applies only to surfaces; `analytic` is already an exact field, so remove this key");
  if (b->analytic.count > 0 && b->points.node != NULL)
    return tac_yaml_error(tree, b->points.node, TAC_ERR_FORMAT, error,
                          "points are sampled on a surface, but this body has only analytic; write it like surface: "
                          "{shape: box} instead of analytic");
  return TAC_OK;
}

static tacStatus check(const tacYamlTree *tree, const tacSceneBody *b, tacError *error) {
  const tacBodyKind *kind = b->row;
  const tacYamlNode *plane = first_plane(b);
  const tacBodyGiven given = {.free = b->free, .endless = plane != NULL};
  const char *key = NULL;
  tacError reason = {.text = ""};
  TAC_TRY(check_solid(tree, b, error));
  tacStatus status = kind->check != NULL ? kind->check(tac_scene_own_of(b), &given, &key, &reason) : TAC_OK;
  if (status != TAC_OK) {
    const tacYamlNode *node = key == NULL ? NULL : strcmp(key, "analytic") == 0 ? plane : tac_yaml_child(b->node, key);
    reason.text[sizeof reason.text - 1] = '\0';
    return tac_yaml_error(tree, node != NULL ? node : b->node, status, error, "%.400s", reason.text);
  }
  return tac_scene_body_check_motion(tree, b, b->free, "write free: true", error);
}

static tacStatus visit(const tacSceneBody *body, tacSceneFileVisit visitor, void *user, tacError *error) {
  const tacBodyKind *kind = body->row;
  for (int i = 0; i < kind->key_count; ++i) {
    const tacYamlNode *node = tac_yaml_child(body->node, kind->keys[i].name);
    if (kind->keys[i].type == TAC_KEY_PATH && node != NULL) TAC_TRY(visitor(node, node->text, user, error));
  }
  return TAC_OK;
}

/* ---- bodies ---- */

typedef struct {
  char *of[TAC_BODY_KIND_MOST_KEYS];
} Paths;

static void free_paths(Paths *paths) {
  for (int i = 0; i < TAC_BODY_KIND_MOST_KEYS; ++i) free(paths->of[i]);
}

/* Creates a body with the kind's `create`. Paths of files are first converted from relative to the scene to relative to
 * the working directory. */
static tacStatus create(const tacYamlTree *tree, const tacSceneBody *body, const tacBakedBody *baked, void **self,
                        tacError *error) {
  const tacBodyKind *kind = body->row;
  _Alignas(max_align_t) unsigned char own[TAC_BODY_KIND_MOST_RECORD];
  memcpy(own, tac_scene_own_of(body), sizeof own);
  TAC_FREED(free_paths, Paths, paths) = {0};
  TAC_MEMORY(char, folder) = tac_body_path(tree, "", error);
  if (folder == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < kind->key_count; ++i) {
    if (kind->keys[i].type != TAC_KEY_PATH || tac_yaml_child(body->node, kind->keys[i].name) == NULL) continue;
    const char **path = (const char **)(void *)(own + kind->keys[i].offset);
    *path = paths.of[i] = tac_body_path(tree, *path, error);
    if (*path == NULL) return TAC_ERR_MEMORY;
  }
  const tacBodyCreate context = {.name = body->name,
                                 .folder = folder[0] != '\0' ? folder : ".",
                                 .surface = baked->given,
                                 .points = baked->shell,
                                 .field = baked->field};
  tacError reason = {.text = ""};
  *self = NULL;
  tacStatus status = kind->create(own, &context, self, &reason);
  reason.text[sizeof reason.text - 1] = '\0';
  if (status != TAC_OK)
    return tac_error_set(error, status, "%.400s",
                         reason.text[0] != '\0' ? reason.text : "the body cannot be created (its kind gave no reason)");
  if (*self == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: create returned TAC_OK but no body", kind->name);
  const tacBodyDescription is = kind->table->describe(*self);
  bool no_points = context.points != NULL && is.points == NULL, no_field = context.field != NULL && is.field == NULL;
  if (!no_points && !no_field) return TAC_OK;
  kind->table->destroy(*self);
  return tac_error_set(error, TAC_ERR_ARGUMENT, "kind %s: create was given %s, but describe does not return them",
                       kind->name, no_points ? "points" : "a field");
}

/* Creates a temporary body and stores the surface of the body in `b->baked`. The bake makes the field and the points
 * from this surface. */
static tacStatus find_surface(tacBodyBake *b, tacError *error) {
  const tacBodyTable *table = b->body->row->table;
  void *self;
  TAC_TRY(create(b->tree, b->body, b->baked, &self, error));
  const tacTriMesh *mesh = table->describe(self).surface;
  tacStatus status = mesh != NULL && mesh->triangle_count > 0
                         ? tac_trimesh_validate(mesh, error)
                         : tac_error_set(error, TAC_ERR_GEOMETRY,
                                         "a body needs a visible surface; its kind returned "
                                         "none");
  if (status == TAC_OK && mesh != b->baked->given) status = tac_trimesh_copy(mesh, &b->baked->shaped, error);
  b->baked->surface = b->baked->shaped != NULL ? b->baked->shaped : b->baked->given;
  table->destroy(self);
  return status;
}

static tacStatus bake(tacBodyBake *b) {
  tacBodyMaker maker = tac_body_bake_maker(b);
  tacError reason = {0};
  if (b->body->analytic.count > 0) TAC_TRY(tac_exact_solid_make(&maker, &b->baked->given, &b->baked->field));
  if (b->body->has_surface) TAC_TRY(tac_body_mesh_surface(&maker, &b->baked->given));
  tacStatus status = find_surface(b, &reason);
  if (status != TAC_OK) return tac_yaml_error(b->tree, b->body->node, status, b->error, "%.420s", reason.text);
  TAC_TRY(tac_body_bake_field(b, b->baked->surface));
  return tac_body_bake_points(b, b->baked->surface, b->baked->field);
}

static tacStatus add(const tacBodyAdd *a, tacError *error) {
  const tacSceneBody *body = a->body;
  const tacBodyTable *table = body->row->table;
  tacBodyDef def = tac_scene_kind_def(a);
  for (int i = 0; i < tac_body_copy_count(body); ++i) {
    char name[TAC_BODY_COPY_NAME];
    void *self;
    tac_body_copy_name(body, i, name);
    def.name = name;
    def.pose = tac_body_copy_pose(body, i);
    TAC_TRY(create(a->tree, body, a->baked, &self, error));
    tacStatus status = tac_world_add_body(a->world, &def, table, self, NULL, error);
    if (status == TAC_OK) continue;
    table->destroy(self);
    return status;
  }
  return TAC_OK;
}

/* ---- descriptions ---- */

static void describe(const tacSceneLines *to, const char *label, const tacSceneBody *b) {
  const tacBodyKind *kind = b->row;
  char source[400];
  tac_body_description_source(b, source, sizeof source);
  tac_lines_add(to, label, "%s: %s%s%s", kind->name, kind->summary, source[0] != '\0' ? ", of " : "", source);
  for (int i = 0; i < kind->key_count; ++i) {
    const tacYamlNode *node = tac_yaml_child(b->node, kind->keys[i].name);
    char text[400] = "";
    if (node == NULL) continue;
    if (node->text != NULL) snprintf(text, sizeof text, "%s", node->text);
    for (const tacYamlNode *item = node->first; item != NULL; item = item->next)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", item->index > 0 ? ", " : "", item->text);
    tac_lines_add(to, "", "%s %s", node->key, text);
  }
  tac_body_description_field(to, b, "");
  tac_body_description_points(to, b);
}

const tacSceneKind tac_declared_scene = {
    .defaults = defaults, .check = check, .visit = visit, .bake = bake, .add = add, .describe = describe};
