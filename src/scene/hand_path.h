/* Converts the waypoints of an operator's hand to a trajectory of the device. Runs in the load phase. */
#pragma once

#include "scene/scene_file.h"

/* Creates the trajectory. Waypoints are in the frame of the scene: x_device = device_centre + R^T (x_scene - centre)
 * / scale. R q_device is the rotation of a held body. `surfaces` are the undeformed surfaces of the file's bodies,
 * each in the frame of the body. */
tacStatus tac_hand_path_create(const tacYamlTree *tree, const tacSceneFile *file, const tacSceneTool *tool,
                               const tacTriMesh *const *surfaces, const tacWorkspaceDef *workspace,
                               tacTrajectory **trajectory, tacError *error);
