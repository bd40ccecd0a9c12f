/* Returns properties of a tool's device in a scene: the kind of device and the operator's hand. */
#pragma once

#include <tactus/scene.h>

/* Returns the kind of device that moves a tool: "operator" (a simulated hand), "replay" or "driver". */
const char *tac_scene_device_kind(const tacScene *scene, int tool);

/* Gets the stiffness (N/m), damping (N s/m) and mass (kg) of an operator's hand: the preset with the changes of the
 * scene. False for another device; then nothing is set. */
bool tac_scene_hand(const tacScene *scene, int tool, double *stiffness, double *damping, double *mass);
