/* The device's workspace in the scene: scaling, rotation and indexing (thesis of Barbic 2007, section 4.5).
 *
 *   x_scene = centre + scale R (x_device - device_centre) + offset,   q_scene = R q_device turn
 *
 * While the index button is held the tool rests and the hand moves freely; when it is released, offset and turn are such
 * that the tool continues from where it rests. The turn comes first, hence the hand's later rotations turn the tool about the
 * same axes of the scene. Forces go back by R^T, unscaled. They fade to zero in the first 20 ms of indexing and return in
 * the 20 ms after it: nothing jumps at the device, and the hand does not drag a force to where it repositions. */
#pragma once

#include "couple/encoder_hold.h"
#include "math/geometry/quat.h"

typedef struct tacWorkspace {
  double scale;
  tacVec3 centre, device_centre;
  tacQuat rotation; /* R */
  double fade_step; /* of `share`, in a tick */
  tacEncoderHold encoder;
  tacVec3 offset; /* m, scene */
  tacQuat turn;
  tacVec3 position;    /* of the tool, scene */
  tacQuat orientation; /* of the tool */
  double share;        /* of the force that the hand feels: 1, and 0 while indexing */
  bool indexing;
} tacWorkspace;

/* `scale` and `period` (s) are positive; the rotation is normalised. */
tacWorkspace tac_workspace_begin(double scale, tacVec3 centre, tacVec3 device_centre, tacQuat rotation, double period);
/* `count`, m: a step of the device's encoder, to hold the tool still while the hand does; 0, as it begins: not known. */
void tac_workspace_set_count(tacWorkspace *workspace, double count);
/* Tick: from the device's state to the tool's position and orientation. The first call may have the button held: the tool
 * then rests where the device is. */
void tac_workspace_move(tacWorkspace *workspace, tacVec3 device_position, tacQuat device_orientation,
                        bool index_button);
/* Tick: a force or torque of the scene on the hand, in the device's frame, faded. */
tacVec3 tac_workspace_to_device(const tacWorkspace *workspace, tacVec3 force);
