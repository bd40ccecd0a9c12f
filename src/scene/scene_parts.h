/* A scene as its files see it: what was read, and what became of it. */
#ifndef TAC_SCENE_SCENE_PARTS_H
#define TAC_SCENE_SCENE_PARTS_H

#include <tactus/scene.h>
#include "scene/scene_file.h"

/* What became of a body; all NULL before the bake. */
typedef struct tacBakedBody {
  tacGreen *green;
  tacReferenceProblem *problem; /* of a body that is stored near */
  tacReduced *reduced;
  tacTriMesh *surface;     /* of a rigid body */
  tacDistanceField *field; /* likewise */
  tacPointshell *shell;
  tacDeformedField *deformed;
} tacBakedBody;

struct tacScene {
  char *text, *name;
  tacYamlTree *tree;
  tacSceneFile file;
  tacBakedBody *baked; /* [body] */
  char *assets;        /* of the bake, for recordings; NULL: none */
};

void tac_baked_body_forget(tacBakedBody *baked);
/* The surface of any kind of body, in its frame; NULL before the bake. */
const tacTriMesh *tac_baked_body_surface(const tacBakedBody *baked);
tacStatus tac_scene_require_bake(const tacScene *scene, tacError *error);

/* The operator of a tool's device: the preset with what the scene changes. */
tacStatus tac_scene_operator(const tacScene *scene, const tacSceneDevice *device, tacOperatorDef *def, tacError *error);
/* What the device of a tool renders stably, in the scene (k in the scene feels like k scale at the device), N/m; infinity:
 * not known. And the torque of an operator of 6 dof, N m; 0: none. */
typedef struct tacToolLimits {
  double stiffness, torque;
} tacToolLimits;
tacStatus tac_scene_tool_limits(const tacScene *scene, const tacSceneTool *tool, tacToolLimits *limits,
                                tacError *error);
/* The least stiffness of the tools that touch at a point, N/m. */
tacStatus tac_scene_least_limit(const tacScene *scene, double *limit, tacError *error);
/* A rigid body as the world gets it; after the bake. `limit` is that of tac_scene_least_limit. */
tacStatus tac_scene_rigid_def(const tacScene *scene, int index, double limit, tacRigidBodyDef *def, tacError *error);
/* How a tool holds its body; after the bake. Without the body's id. */
tacStatus tac_scene_coupling(const tacScene *scene, const tacSceneTool *tool, tacBodyToolDef *def, tacError *error);

#endif
