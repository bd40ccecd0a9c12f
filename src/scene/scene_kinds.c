#include "scene/scene_kinds.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "scene/corotational_scene.h"
#include "scene/green_scene.h"
#include "scene/hyperelastic_scene.h"
#include "scene/reduced_scene.h"
#include "scene/registered_scene.h"
#include "scene/rigid_scene.h"
#include "scene/scene_fields.h"
#include "scene/vademecum_scene.h"

static const tacSceneKind *const own_kinds[] = {&tac_green_scene,        &tac_reduced_scene,      &tac_rigid_scene,
                                                &tac_corotational_scene, &tac_hyperelastic_scene, &tac_vademecum_scene};
enum { OWN_COUNT = sizeof own_kinds / sizeof *own_kinds };
_Static_assert(OWN_COUNT + TAC_BODY_KIND_MOST <= 64, "a bit for each kind in tacField.variants");

const tacSceneKind *tac_scene_kinds_row(int kind) {
  return kind < OWN_COUNT ? own_kinds[kind] : &tac_registered_scene;
}

const char *tac_scene_kinds_name(int kind) {
  return kind < OWN_COUNT ? own_kinds[kind]->name : tac_body_kind_at(kind - OWN_COUNT)->name;
}

/* What a scene may say */

static void body_defaults(void *record) {
  tacSceneBody *body = record;
  if (body->kind >= OWN_COUNT) body->registered.kind = tac_body_kind_at(body->kind - OWN_COUNT);
  tac_scene_kind_of(body)->defaults(body);
}

static tacStatus check_body(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBody *body = record;
  return tac_scene_kind_of(body)->check(tree, body, error);
}

/* Keys of all kinds. */
static const tacField all_fields[] = {
    TAC_FIELD(tacSceneBody, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, kind, TAC_CHOICE(NULL), TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, position, TAC_POINT),
    TAC_FIELD(tacSceneBody, rotation, TAC_RECORD(tac_scene_rotation_record)),
};
enum { ALL_COUNT = sizeof all_fields / sizeof *all_fields, VARIANT = 1 };

/* "green|reduced|rigid|..." */
static char *join_names(tacYamlTree *tree, int count, tacError *error) {
  size_t room = 1;
  for (int i = 0; i < count; ++i) room += strlen(tac_scene_kinds_name(i)) + 1;
  char *words = tac_yaml_tree_allocate(tree, room, 1, error);
  for (int i = 0; words != NULL && i < count; ++i) {
    if (i > 0) strcat(words, "|");
    strcat(words, tac_scene_kinds_name(i));
  }
  return words;
}

tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error) {
  int registered = tac_body_kind_count(), room = ALL_COUNT + registered * TAC_REGISTERED_FIELDS, count = ALL_COUNT;
  for (int i = 0; i < OWN_COUNT; ++i) room += own_kinds[i]->field_count;
  tacField *fields = tac_yaml_tree_allocate(tree, (size_t)room, sizeof *fields, error);
  char *words = join_names(tree, OWN_COUNT + registered, error);
  if (fields == NULL || words == NULL) return TAC_ERR_MEMORY;
  memcpy(fields, all_fields, sizeof all_fields);
  fields[VARIANT].words = words;
  for (int i = 0; i < OWN_COUNT + registered; ++i) {
    int first = count;
    if (i < OWN_COUNT) {
      memcpy(fields + count, own_kinds[i]->fields, (size_t)own_kinds[i]->field_count * sizeof *fields);
      count += own_kinds[i]->field_count;
    } else {
      count += tac_registered_scene_fields(tac_body_kind_at(i - OWN_COUNT), fields + count);
    }
    for (int k = first; k < count; ++k) fields[k].variants = (uint64_t)1 << i;
  }
  *record = (tacRecord){.noun = "a body",
                        .size = sizeof(tacSceneBody),
                        .fields = fields,
                        .field_count = count,
                        .variant = &fields[VARIANT],
                        .defaults = body_defaults,
                        .check = check_body};
  return TAC_OK;
}

/* Beside the scene, never where the system looks: dlopen takes a name without a slash for one of the system's. */
static char *path_of(const tacYamlTree *tree, const char *file, tacError *error) {
  char *path = tac_body_path(tree, file, error);
  if (path == NULL || strchr(path, '/') != NULL) return path;
  char *here = tac_array_create(strlen(path) + 3, 1, "a path", error);
  if (here != NULL) strcat(strcpy(here, "./"), path);
  free(path);
  return here;
}

tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error) {
  const tacYamlNode *root = tac_yaml_tree_root(tree), *list = root != NULL ? tac_yaml_child(root, "kinds") : NULL;
  if (list == NULL || list->kind != TAC_YAML_LIST) return TAC_OK; /* what is wrong with it, the schema says */
  for (const tacYamlNode *item = list->first; item != NULL; item = item->next) {
    tacError reason = {0};
    if (item->kind != TAC_YAML_TEXT || item->text[0] == '\0') continue;
    char *path = path_of(tree, item->text, error);
    if (path == NULL) return TAC_ERR_MEMORY;
    tacStatus status = tac_body_kind_load(path, &reason);
    free(path);
    if (status != TAC_OK) return tac_yaml_error(tree, item, status, error, "%.420s", reason.text);
  }
  return TAC_OK;
}
