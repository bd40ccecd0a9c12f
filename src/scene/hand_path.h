/* Where an operator's hand goes: the waypoints of a scene as a trajectory of the device. Load phase. */
#pragma once

#include "scene/scene_file.h"

/* Waypoints are in the scene; x_device = device_centre + R^T (x_scene - centre) / scale, and R q_device is the turn of a held
 * body. `surfaces` are those of the file's bodies, undeformed, in their frames. */
tacStatus tac_hand_path_create(const tacYamlTree *tree, const tacSceneFile *file, const tacSceneTool *tool,
                               const tacTriMesh *const *surfaces, const tacWorkspaceDef *workspace,
                               tacTrajectory **trajectory, tacError *error);
