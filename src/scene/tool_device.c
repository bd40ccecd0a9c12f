#include "scene/tool_device.h"

#include <math.h>
#include "math/geometry/quat.h"
#include "servo/servo.h"

tacStatus tac_tool_device_operator(const tacScene *scene, const tacSceneDevice *device, tacOperatorDef *def,
                                   tacError *error) {
  tacError reason;
  tacStatus status = tac_operator_def_preset(device->preset, def, &reason);
  if (status != TAC_OK) return tac_yaml_error(scene->tree, device->node, status, error, "%.400s", reason.text);
  if (device->hand.has_stiffness) def->hand_stiffness = device->hand.stiffness;
  if (device->hand.has_damping) def->hand_damping = device->hand.damping;
  if (device->hand.has_mass) def->hand_mass = device->hand.mass;
  def->repeats = device->repeat;
  return TAC_OK;
}

tacWorkspaceDef tac_tool_device_workspace(const tacSceneTool *tool) {
  tacWorkspaceDef workspace = tac_workspace_def_default();
  workspace.scale = tool->scale;
  workspace.centre = tool->centre;
  tac_quat_put(tac_quat_from_axis_angle(tool->rotation.axis, tool->rotation.angle), workspace.orientation);
  return workspace;
}

tacStatus tac_tool_device_limits(const tacScene *scene, const tacSceneTool *tool, tacToolLimits *limits,
                                 tacError *error) {
  *limits = (tacToolLimits){INFINITY, 0.0};
  if (tool->device.kind == TAC_SCENE_DEVICE_OPERATOR) {
    tacOperatorDef def;
    TAC_TRY(tac_tool_device_operator(scene, &tool->device, &def, error));
    *limits = (tacToolLimits){def.info.stiffness_limit / tool->scale, def.info.torque_limit};
  } else if (tool->device.kind == TAC_SCENE_DEVICE_DRIVER && tool->device.stiffness_limit > 0.0) {
    limits->stiffness = tool->device.stiffness_limit / tool->scale;
  }
  return TAC_OK;
}

tacStatus tac_tool_device_least_stiffness(const tacScene *scene, double *limit, tacError *error) {
  *limit = INFINITY;
  for (int i = 0; i < scene->file.tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(&scene->file, i);
    tacToolLimits own;
    if (!tac_scene_tool_touches(tool)) continue;
    TAC_TRY(tac_tool_device_limits(scene, tool, &own, error));
    *limit = fmin(*limit, own.stiffness);
  }
  return TAC_OK;
}
