/* What is wrong with the way that a simulated hand goes. Offline. */
#ifndef TAC_SCENE_PATH_CHECK_H
#define TAC_SCENE_PATH_CHECK_H

#include "scene/finding.h"

/* After the bodies. */
tacStatus tac_path_check(tacCheck *check, const tacSceneTool *tool);

#endif
