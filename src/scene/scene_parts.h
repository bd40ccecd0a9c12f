/* A scene as its files see it: what was read, and what became of it. */
#pragma once

#include <tactus/scene.h>
#include "scene/scene_file.h"
#include "spec/baked_body.h"

struct tacScene {
  char *text, *name;
  tacYamlTree *tree;
  tacSceneFile file;
  tacBakedBody *baked; /* [body] */
  char *assets;        /* of the bake, for recordings; NULL: none */
  char *cache;         /* folder of the bake; NULL before it */
};

tacStatus tac_scene_require_bake(const tacScene *scene, tacError *error);
/* How a tool holds its body; after the bake. Without the body's id. */
tacStatus tac_scene_coupling(const tacScene *scene, const tacSceneTool *tool, const tacWorld *world,
                             tacBodyToolDef *def, tacError *error);
/* A tool with pads as the world gets it, without the body's id. */
tacStatus tac_scene_pads(const tacScene *scene, const tacSceneTool *tool, tacPadToolDef *def, tacError *error);
