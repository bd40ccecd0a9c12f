/* What is wrong with the way that a simulated hand goes. Offline. */
#pragma once

#include "scene/finding.h"

/* After the bodies. */
tacStatus tac_path_check(tacCheck *check, const tacSceneTool *tool);
