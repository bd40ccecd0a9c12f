#include "scene/scene_outline.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "device/driver_file.h"
#include "scene/scene.h"
#include "spec/body_mesh.h"
#include "spec/text/yaml_tree.h"

struct tacSceneOutline {
  tacYamlTree *tree;
  char *text;
};

tacStatus tac_scene_outline_parse(const char *text, const char *path, tacSceneOutline **outline, tacError *error) {
  *outline = NULL;
  TAC_OWN(tacSceneOutline, made) = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a scene", error));
  if ((made->text = tac_array_text(text, error)) == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_yaml_tree_parse(text, strlen(text), path, &made->tree, error));
  *outline = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_scene_outline_read(const char *path, tacSceneOutline **outline, tacError *error) {
  *outline = NULL;
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  TAC_TRY(tac_scene_text_read(path, &input, error));
  return tac_scene_outline_parse((const char *)input.bytes, path, outline, error);
}

void tac_scene_outline_destroy(tacSceneOutline *outline) {
  if (outline == NULL) return;
  tac_yaml_tree_destroy(outline->tree);
  free(outline->text);
  free(outline);
}

/* ---- nodes; a wrong type is an absent key here, and an error where the scene is read ---- */

static const tacYamlNode *child_of(const tacYamlNode *map, const char *key) {
  return map != NULL && map->kind == TAC_YAML_MAP ? tac_yaml_child(map, key) : NULL;
}

static const char *text_of(const tacYamlNode *map, const char *key) {
  const tacYamlNode *node = child_of(map, key);
  return node != NULL && node->kind == TAC_YAML_TEXT ? node->text : "";
}

static const tacYamlNode *first_of(const tacSceneOutline *outline, const char *key) {
  const tacYamlNode *list = child_of(tac_yaml_tree_root(outline->tree), key);
  return list != NULL && list->kind == TAC_YAML_LIST ? list->first : NULL;
}

/* The condition of tac_scene_kinds_load. */
static bool is_file(const tacYamlNode *item) {
  return item->kind == TAC_YAML_TEXT && item->text[0] != '\0';
}

/* ---- queries ---- */

bool tac_scene_outline_has_kinds(const tacSceneOutline *outline) {
  for (const tacYamlNode *item = first_of(outline, "kinds"); item != NULL; item = item->next)
    if (is_file(item)) return true;
  return false;
}

tacStatus tac_scene_outline_scene(const tacSceneOutline *outline, tacScene **scene, tacError *error) {
  const char *path = tac_yaml_tree_path(outline->tree);
  *scene = NULL;
  if (tac_scene_outline_has_kinds(outline))
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: the kinds of bodies are in files, which are not loaded here",
                         path);
  return tac_scene_parse(outline->text, path, scene, error);
}

const char *tac_scene_outline_name(const tacSceneOutline *outline) {
  return text_of(tac_yaml_tree_root(outline->tree), "name");
}

const char *tac_scene_outline_about(const tacSceneOutline *outline) {
  return text_of(tac_yaml_tree_root(outline->tree), "about");
}

static void visit_file(const tacSceneOutline *outline, const char *what, const char *file, tacScenePluginFn visit,
                       void *user) {
  TAC_MEMORY(char, path) = tac_body_path(outline->tree, file, NULL);
  if (path != NULL) visit(what, path, user);
}

void tac_scene_outline_plugins(const tacSceneOutline *outline, tacScenePluginFn visit, void *user) {
  for (const tacYamlNode *kind = first_of(outline, "kinds"); kind != NULL; kind = kind->next)
    if (is_file(kind)) visit_file(outline, "kinds", kind->text, visit, user);
  for (const tacYamlNode *tool = first_of(outline, "tools"); tool != NULL; tool = tool->next) {
    const tacYamlNode *device = child_of(tool, "device");
    const char *file = text_of(device, "file");
    char found[PATH_MAX];
    if (strcmp(text_of(device, "kind"), "driver") != 0 || file[0] == '\0') continue;
    if (!tac_driver_file_is_name(file))
      visit_file(outline, "driver", file, visit, user);
    else if (tac_driver_file_find(file, found, sizeof found))
      visit("driver", found, user);
  }
}

void tac_scene_outline_describe(const tacSceneOutline *outline, tacSceneLineFn line, void *user) {
  const char *name = tac_scene_outline_name(outline), *about = tac_scene_outline_about(outline);
  char label[80], text[200];
  if (name[0] != '\0') line("name", name, user);
  if (about[0] != '\0') {
    snprintf(text, sizeof text, "%.*s", (int)strcspn(about, "\n"), about);
    line("about", text, user);
  }
  for (const tacYamlNode *body = first_of(outline, "bodies"); body != NULL; body = body->next) {
    snprintf(label, sizeof label, "body %.64s", text_of(body, "name"));
    snprintf(text, sizeof text, "kind %.64s", text_of(body, "kind"));
    line(label, text, user);
  }
  for (const tacYamlNode *tool = first_of(outline, "tools"); tool != NULL; tool = tool->next) {
    const tacYamlNode *device = child_of(tool, "device");
    snprintf(label, sizeof label, "tool %.64s", text_of(tool, "name"));
    snprintf(text, sizeof text, "%.64s, device %.64s", text_of(tool, "kind"), text_of(device, "kind"));
    line(label, text, user);
  }
}
