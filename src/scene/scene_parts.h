/* Internal structure of a scene: the scene file, and the results of the bake. */
#pragma once

#include <tactus/scene.h>
#include "scene/scene_file.h"
#include "spec/baked_body.h"

struct tacScene {
  char *text, *name;
  tacYamlTree *tree;
  tacSceneFile file;
  tacBakedBody *baked; /* [body]: results of the bake */
  char *assets;        /* names of the baked assets, for recordings; NULL: none */
  char *cache;         /* cache folder of the bake; NULL before the bake */
};

tacStatus tac_scene_require_bake(const tacScene *scene, tacError *error);
/* Computes how a tool holds a body, without the id of the body. Call after the bake. */
tacStatus tac_scene_coupling(const tacScene *scene, const tacSceneTool *tool, const tacWorld *world,
                             tacBodyToolDef *def, tacError *error);
/* Computes the definition of a tool with pads, without the id of the body. */
tacStatus tac_scene_pads(const tacScene *scene, const tacSceneTool *tool, tacPadToolDef *def, tacError *error);
