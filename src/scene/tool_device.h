/* What a scene says of a tool's device, before it is opened. */
#pragma once

#include "scene/scene_parts.h"

/* The operator of a tool's device: the preset with what the scene changes. */
tacStatus tac_tool_device_operator(const tacScene *scene, const tacSceneDevice *device, tacOperatorDef *def,
                                   tacError *error);
/* How the tool maps its device to the scene; the device's centre is not known yet. */
tacWorkspaceDef tac_tool_device_workspace(const tacSceneTool *tool);
/* What the device of a tool renders stably, in the scene (k in the scene feels like k scale at the device), N/m;
 * infinity: not known. And the torque of an operator of 6 dof, N m; 0: none. */
typedef struct tacToolLimits {
  double stiffness, torque;
} tacToolLimits;
tacStatus tac_tool_device_limits(const tacScene *scene, const tacSceneTool *tool, tacToolLimits *limits,
                                 tacError *error);
/* The least stiffness of the tools that touch at a point, N/m. */
tacStatus tac_tool_device_least_stiffness(const tacScene *scene, double *limit, tacError *error);
