/* Where an operator's hand goes: the waypoints of a scene as a trajectory of the device. Load phase. */
#ifndef TAC_SCENE_HAND_PATH_H
#define TAC_SCENE_HAND_PATH_H

#include "scene/scene_file.h"

/* The undeformed surface of a body, and where it is. */
typedef struct tacHandPathBody {
  const char *name;
  const tacTriMesh *surface;
  tacPose pose;
} tacHandPathBody;

/* Waypoints are in the scene; x_device = device_centre + R^T (x_scene - centre) / scale. */
tacStatus tac_hand_path_create(const tacYamlTree *tree, const tacSceneDevice *device, int body_count,
                               const tacHandPathBody *bodies, const tacWorkspaceDef *workspace,
                               tacTrajectory **trajectory, tacError *error);

#endif
