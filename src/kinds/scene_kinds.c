#include "kinds/scene_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/owned.h"
#include "kinds/body_kind.h"
#include "kinds/declared_scene.h"
#include "spec/body_mesh.h"
#include "spec/cache/bake_key.h"

_Static_assert(TAC_BODY_KIND_MOST <= 64, "a bit for each kind in tacField.variants");

/* ---- keys of scenes ---- */

static void body_defaults(void *record) {
  tacSceneBody *body = record;
  body->row = tac_body_kind_at(body->kind);
  body->scene = body->row->scene != NULL ? body->row->scene : &tac_declared_scene;
  tac_scene_body_defaults(body);
  body->scene->defaults(body);
}

static tacStatus check_body(const tacYamlTree *tree, void *record, tacError *error) {
  const tacSceneBody *body = record;
  return tac_scene_kind_of(body)->check(tree, body, error);
}

/* Keys that bodies of all kinds have. */
static const tacField all_fields[] = {
    TAC_FIELD(tacSceneBody, name, TAC_NAME, TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, kind, TAC_CHOICE(NULL), TAC_REQUIRED),
    TAC_FIELD(tacSceneBody, position, TAC_POINT),
    TAC_FIELD(tacSceneBody, rotation, TAC_RECORD(tac_scene_rotation_record)),
};
enum { ALL_COUNT = sizeof all_fields / sizeof *all_fields, VARIANT = 1 };

/* Returns the names of all kinds, joined like "green|reduced|rigid". */
static char *join_names(tacYamlTree *tree, int count, tacError *error) {
  size_t room = 1;
  for (int i = 0; i < count; ++i) room += strlen(tac_body_kind_at(i)->name) + 1;
  char *words = tac_yaml_tree_allocate(tree, room, 1, error);
  for (int i = 0; words != NULL && i < count; ++i) {
    if (i > 0) strcat(words, "|");
    strcat(words, tac_body_kind_at(i)->name);
  }
  return words;
}

static int fields_of(const tacBodyKind *kind, tacField *fields) {
  if (kind->scene == NULL) return tac_declared_scene_fields(kind, fields);
  memcpy(fields, kind->scene->fields, (size_t)kind->scene->field_count * sizeof *fields);
  return kind->scene->field_count;
}

tacStatus tac_scene_kinds_record(tacYamlTree *tree, tacRecord *record, tacError *error) {
  int kinds = tac_body_kind_count(), room = ALL_COUNT, count = ALL_COUNT;
  for (int i = 0; i < kinds; ++i) {
    const tacSceneKind *scene = tac_body_kind_at(i)->scene;
    room += scene != NULL ? scene->field_count : TAC_DECLARED_FIELDS;
  }
  tacField *fields = tac_yaml_tree_allocate(tree, (size_t)room, sizeof *fields, error);
  char *words = join_names(tree, kinds, error);
  if (fields == NULL || words == NULL) return TAC_ERR_MEMORY;
  memcpy(fields, all_fields, sizeof all_fields);
  fields[VARIANT].words = words;
  for (int i = 0; i < kinds; ++i) {
    int first = count;
    count += fields_of(tac_body_kind_at(i), fields + count);
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

tacStatus tac_scene_kinds_load(const tacYamlTree *tree, tacError *error) {
  const tacYamlNode *root = tac_yaml_tree_root(tree), *list = root != NULL ? tac_yaml_child(root, "kinds") : NULL;
  if (list == NULL || list->kind != TAC_YAML_LIST) return TAC_OK; /* the schema check reports a wrong `kinds` */
  for (const tacYamlNode *item = list->first; item != NULL; item = item->next) {
    tacError reason = {0};
    if (item->kind != TAC_YAML_TEXT || item->text[0] == '\0') continue;
    TAC_MEMORY(char, path) = tac_body_path(tree, item->text, error);
    if (path == NULL) return TAC_ERR_MEMORY;
    tacStatus status = tac_body_kind_load(path, &reason);
    if (status != TAC_OK) return tac_yaml_error(tree, item, status, error, "%.420s", reason.text);
  }
  return TAC_OK;
}

/* ---- queries ---- */

uint64_t tac_scene_kinds_versions(void) {
  int versions[TAC_BODY_KIND_MOST], count = 0;
  for (int i = 0; i < tac_body_kind_count(); ++i) {
    const tacSceneKind *scene = tac_body_kind_at(i)->scene;
    if (scene != NULL && scene->version > 0) versions[count++] = scene->version;
  }
  return tac_bake_key_versions(count, versions);
}

void tac_scene_kinds_of_large_strain(char *text, size_t size) {
  text[0] = '\0';
  for (int i = 0; i < tac_body_kind_count(); ++i) {
    const tacBodyKind *kind = tac_body_kind_at(i);
    if (kind->scene == NULL || !kind->scene->large) continue;
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length > 0 ? " or " : "", kind->name);
  }
}
