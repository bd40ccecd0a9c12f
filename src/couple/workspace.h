/* Conversion of device poses to tool poses in the scene: scaling, rotation and indexing (Barbic 2007, section 4.5).
 *
 *   x_scene = centre + scale R (x_device - device_centre) + offset,   q_scene = R q_device turn
 *
 * Indexing: while the index button is held, the tool rests and the hand moves freely. On release, `offset` and `turn`
 * are set so that the tool continues from its rest pose. `turn` is applied before the rotation of the device. So later
 * rotations of the hand rotate the tool about the same axes of the scene.
 *
 * Forces are rotated to the device by R^T without scaling. Forces fade to zero in the first 20 ms of indexing and
 * return in the 20 ms after indexing. So the force on the device is continuous, and the device does not pull a hand
 * that repositions. */
#pragma once

#include "couple/encoder_hold.h"
#include "math/geometry/quat.h"

typedef struct tacWorkspace {
  double scale;
  tacVec3 centre, device_centre;
  tacQuat rotation; /* rotation R from the device's frame to the scene */
  double fade_step; /* change of `share` per tick */
  tacEncoderHold encoder;
  tacVec3 offset; /* offset of the tool, scene, m */
  tacQuat turn;
  tacVec3 position;    /* tool position, scene */
  tacQuat orientation; /* tool orientation, scene */
  double share; /* factor on the force that the hand feels: 0 while indexing, 1 otherwise, between 0 and 1 in a fade */
  bool indexing;
} tacWorkspace;

/* Returns a workspace without offset. `scale` and `period` (s) must be positive. The function normalises `rotation`. */
tacWorkspace tac_workspace_begin(double scale, tacVec3 centre, tacVec3 device_centre, tacQuat rotation, double period);
/* Sets the resolution of the device's encoder, `count` (m), so that the tool is still while the hand rests
 * (couple/encoder_hold.h). The default 0 means unknown. */
void tac_workspace_set_count(tacWorkspace *workspace, double count);
/* Computes the pose of the tool from the pose of the device. Call once per tick. If the button is held in the first
 * call, the tool rests at the pose of the device. */
void tac_workspace_move(tacWorkspace *workspace, tacVec3 device_position, tacQuat device_orientation,
                        bool index_button);
/* Rotates a force or torque from the scene to the device's frame and applies the fade. Call in a tick. */
tacVec3 tac_workspace_to_device(const tacWorkspace *workspace, tacVec3 force);
