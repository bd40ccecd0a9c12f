/* Reads the properties of a tool's device from a scene, before the device is opened. */
#pragma once

#include "scene/scene_parts.h"

/* Computes the operator of a device: the preset with the changes of the scene. */
tacStatus tac_tool_device_operator(const tacScene *scene, const tacSceneDevice *device, tacOperatorDef *def,
                                   tacError *error);
/* Returns the map from the device to the scene. The device's centre is not known yet. */
tacWorkspaceDef tac_tool_device_workspace(const tacSceneTool *tool);
/* Limits of a tool's device. `stiffness` is the largest stiffness in the scene that the device renders stably, N/m;
 * infinite if unknown. A stiffness k in the scene feels like k scale at the device. `torque` is the torque limit of
 * an operator with six degrees of freedom, N m; 0: no torque. */
typedef struct tacToolLimits {
  double stiffness, torque;
} tacToolLimits;
tacStatus tac_tool_device_limits(const tacScene *scene, const tacSceneTool *tool, tacToolLimits *limits,
                                 tacError *error);
/* Computes the smallest stiffness limit of all tools that touch at a point, N/m; infinite if unknown. */
tacStatus tac_tool_device_least_stiffness(const tacScene *scene, double *limit, tacError *error);
