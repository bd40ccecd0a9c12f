/* What a scene file says without the plugins that it names. Reading an outline loads no code. Load phase. */
#pragma once

#include <tactus/scene.h>
#include "base/memory/owned.h"

typedef struct tacSceneOutline tacSceneOutline;

/* Receives the path of one shared object of a scene. `what` is "kinds" or "driver". */
typedef void (*tacScenePluginFn)(const char *what, const char *path, void *user);

tacStatus tac_scene_outline_read(const char *path, tacSceneOutline **outline, tacError *error);
/* As above, of a text. `path` names it in errors, and files are relative to its folder. */
tacStatus tac_scene_outline_parse(const char *text, const char *path, tacSceneOutline **outline, tacError *error);
void tac_scene_outline_destroy(tacSceneOutline *outline); /* NULL is allowed */
TAC_OWNED_TYPE(tacSceneOutline, tac_scene_outline_destroy)

/* Whether the scene lists `kinds`, so that reading it needs code. */
bool tac_scene_outline_has_kinds(const tacSceneOutline *outline);
/* Parses the scene itself from the same text. TAC_ERR_UNSUPPORTED if it lists `kinds`. */
tacStatus tac_scene_outline_scene(const tacSceneOutline *outline, tacScene **scene, tacError *error);

/* The keys `name` and `about`; "" if absent. */
const char *tac_scene_outline_name(const tacSceneOutline *outline);
const char *tac_scene_outline_about(const tacSceneOutline *outline);
/* Visits the shared objects: kinds, then drivers. A driver that is given by name and is not found is skipped. */
void tac_scene_outline_plugins(const tacSceneOutline *outline, tacScenePluginFn visit, void *user);
/* Describes name, bodies with their kinds, and tools, as tac_scene_describe does. */
void tac_scene_outline_describe(const tacSceneOutline *outline, tacSceneLineFn line, void *user);
