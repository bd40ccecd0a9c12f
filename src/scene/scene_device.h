/* The device that a scene names, and its operator's hand. */
#pragma once

#include <tactus/scene.h>

/* Who moves a tool: "operator" (a simulated hand), "replay" or "driver". */
const char *tac_scene_device_kind(const tacScene *scene, int tool);

/* The hand of an operator, the preset's with what the scene changes: N/m, N s/m, kg. False, and nothing is set, for others. */
bool tac_scene_hand(const tacScene *scene, int tool, double *stiffness, double *damping, double *mass);
