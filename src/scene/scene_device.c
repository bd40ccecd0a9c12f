#include "scene/scene_device.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "device/driver_file.h"
#include "kinds/scene_kinds.h"
#include "math/geometry/quat.h"
#include "scene/hand_path.h"
#include "scene/tool_device.h"
#include "spec/body_mesh.h"

const char *tac_scene_device_kind(const tacScene *scene, int tool) {
  static const char *const kinds[] = {[TAC_SCENE_DEVICE_OPERATOR] = "operator",
                                      [TAC_SCENE_DEVICE_REPLAY] = "replay",
                                      [TAC_SCENE_DEVICE_DRIVER] = "driver"};
  return kinds[tac_scene_file_tool(&scene->file, tool)->device.kind];
}

bool tac_scene_hand(const tacScene *scene, int tool, double *stiffness, double *damping, double *mass) {
  const tacSceneDevice *device = &tac_scene_file_tool(&scene->file, tool)->device;
  tacOperatorDef def;
  if (device->kind != TAC_SCENE_DEVICE_OPERATOR || tac_tool_device_operator(scene, device, &def, NULL) != TAC_OK)
    return false;
  *stiffness = def.hand_stiffness;
  *damping = def.hand_damping;
  *mass = def.hand_mass;
  return true;
}

static tacVec3 middle_of(const tacDeviceInfo *info) {
  tacVec3 middle = tac_box_centre(info->workspace);
  return tac_vec3_finite(middle) ? middle : tac_vec3(0.0, 0.0, 0.0);
}

static tacStatus open_operator(const tacScene *scene, const tacSceneTool *tool, tacWorkspaceDef *workspace,
                               tacDevice *device, tacError *error) {
  const tacTriMesh *surfaces[TAC_SCENE_MOST_BODIES];
  for (int i = 0; i < scene->file.bodies.count; ++i) surfaces[i] = scene->baked[i].surface;
  tacOperatorDef def;
  tacTrajectory *path = NULL;
  TAC_TRY(tac_tool_device_operator(scene, &tool->device, &def, error));
  workspace->device_centre = middle_of(&def.info);
  TAC_TRY(tac_hand_path_create(scene->tree, &scene->file, tool, surfaces, workspace, &path, error));
  return tac_device_operator_open(&def, path, 1.0 / scene->file.servo.def.rate, device, error);
}

static tacStatus open_replay(const tacScene *scene, const tacSceneTool *tool, const char *path, tacDevice *device,
                             tacError *error) {
  tacTrajectory *trajectory = NULL;
  TAC_TRY(tac_trajectory_read(path, &trajectory, error));
  return tac_device_replay_open(trajectory, tool->device.repeat, 1.0 / scene->file.servo.def.rate, device, error);
}

/* Computes the largest stiffness that the world renders to a tool, N/m. */
static tacStatus most_stiffness(const tacScene *scene, const tacSceneTool *tool, double *most, tacError *error) {
  tacBodyToolDef body = {0};
  tacPadToolDef pads = {0};
  double limit = 0.0;
  TAC_TRY(tool->kind == TAC_SCENE_BODY_TOOL  ? tac_scene_coupling(scene, tool, NULL, &body, error)
          : tool->kind == TAC_SCENE_PAD_TOOL ? tac_scene_pads(scene, tool, &pads, error)
                                             : tac_tool_device_least_stiffness(scene, &limit, error));
  *most = body.stiffness + pads.stiffness; /* at most one summand is not zero */
  for (int i = 0; limit > 0.0 && i < scene->file.bodies.count; ++i)
    *most = fmax(*most, fmin(limit, tac_scene_kind_touch(tac_scene_file_body(&scene->file, i))));
  return TAC_OK;
}

/* Checks that the world renders no more stiffness than the driver's device can. The world was created before the
 * driver was opened, with the limit that the scene states. */
static tacStatus check_driver_limit(const tacScene *scene, const tacSceneTool *tool, const tacDevice *device,
                                    tacError *error) {
  double stated = tool->device.stiffness_limit, actual = device->info.stiffness_limit, most;
  TAC_TRY(most_stiffness(scene, tool, &most, error));
  if (!(actual > 0.0) || (stated > 0.0 && stated <= actual) || most * tool->scale <= actual) return TAC_OK;
  return tac_error_set(error, TAC_ERR_ARGUMENT,
                       "the scene needs more stiffness than the device renders stably (%.4g N/m); write "
                       "stiffness_limit: %.4g N/m beside its file",
                       actual, actual);
}

static tacStatus open_driver(const tacScene *scene, const tacSceneTool *tool, const char *path,
                             tacWorkspaceDef *workspace, tacDevice *device, tacError *error) {
  TAC_TRY(tac_device_load(path, tool->device.options, 1.0 / scene->file.servo.def.rate, device, error));
  workspace->device_centre = middle_of(&device->info);
  return check_driver_limit(scene, tool, device, error);
}

static tacStatus open_device(const tacScene *scene, const tacSceneTool *tool, tacWorkspaceDef *workspace,
                             tacDevice *device, tacError *error) {
  if (tool->device.kind == TAC_SCENE_DEVICE_OPERATOR) return open_operator(scene, tool, workspace, device, error);
  bool driver = tool->device.kind == TAC_SCENE_DEVICE_DRIVER;
  const char *file = tool->device.file;
  tacError reason;
  TAC_MEMORY(char, path) =
      driver && tac_driver_file_is_name(file) ? tac_array_text(file, error) : tac_body_path(scene->tree, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = driver ? open_driver(scene, tool, path, workspace, device, &reason)
                            : open_replay(scene, tool, path, device, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(scene->tree, tac_yaml_child(tool->device.node, "file"), status, error, "%.400s", reason.text);
}

tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS],
                            tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error) {
  TAC_REQUIRE(error, scene, devices, workspaces);
  for (int i = 0; i < TAC_MOST_TOOLS; ++i) devices[i] = (tacDevice){0};
  tacStatus status = tac_scene_require_bake(scene, error);
  for (int i = 0; status == TAC_OK && i < scene->file.tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(&scene->file, i);
    workspaces[i] = tac_tool_device_workspace(tool);
    status = open_device(scene, tool, &workspaces[i], &devices[i], error);
  }
  for (int i = 0; status != TAC_OK && i < scene->file.tools.count; ++i) {
    tac_device_close(&devices[i]);
    devices[i] = (tacDevice){0};
  }
  return status;
}
