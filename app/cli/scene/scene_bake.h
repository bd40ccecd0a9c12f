/* What `bake`, `run` and `replay` share: a scene's assets, with a line a body. */
#pragma once

#include <tactus/scene.h>
#include "app/cli/console/console.h"
#include "base/memory/owned.h"

TAC_OWNED_TYPE(tacScene, tac_scene_destroy)

/* Reads a scene; its small version where `small` and it has one. */
tacStatus tac_scene_read_version(const char *path, bool small, tacScene **scene, tacError *error);
/* Bakes what the cache lacks; says what became of each body, or only what was baked where `only_new`. */
tacStatus tac_scene_bake_and_report(tacScene *scene, const char *cache, bool again, bool only_new, tacConsole *console,
                                    tacError *error);
/* As tac_console_fail, but an interrupted bake leaves something. */
int tac_scene_bake_fail(const tacError *error);
