/* Workspace of the device in the scene: scaling, rotation and indexing (thesis of Barbic 2007, section 4.5).
 *
 *   x_scene = centre + scale R (x_device - device_centre) + offset,   q_scene = R q_device turn
 *
 * While the index button is held the tool rests and the hand moves freely. On release, offset and turn are such that
 * the tool continues from its rest pose. The turn is applied first, hence later rotations of the hand rotate the tool
 * about the same axes of the scene. Forces are rotated back by R^T, unscaled. They fade to zero in the first 20 ms of
 * indexing and return in the 20 ms after it: the force on the device is continuous, and the hand is not pulled while it
 * repositions. */
#pragma once

#include "couple/encoder_hold.h"
#include "math/geometry/quat.h"

typedef struct tacWorkspace {
  double scale;
  tacVec3 centre, device_centre;
  tacQuat rotation; /* R */
  double fade_step; /* change of `share` per tick */
  tacEncoderHold encoder;
  tacVec3 offset; /* m, scene */
  tacQuat turn;
  tacVec3 position;    /* tool position, scene */
  tacQuat orientation; /* tool orientation, scene */
  double share;        /* factor on the force that the hand feels: 1, 0 while indexing, between them while fading */
  bool indexing;
} tacWorkspace;

/* `scale` and `period` (s) must be positive; the rotation is normalised. */
tacWorkspace tac_workspace_begin(double scale, tacVec3 centre, tacVec3 device_centre, tacQuat rotation, double period);
/* `count`, m: resolution of the device's encoder, to hold the tool still while the hand rests; 0, the default:
 * unknown. */
void tac_workspace_set_count(tacWorkspace *workspace, double count);
/* Tick: computes the tool's pose from the device's. The first call may have the button held: the tool then rests where
 * the device is. */
void tac_workspace_move(tacWorkspace *workspace, tacVec3 device_position, tacQuat device_orientation,
                        bool index_button);
/* Tick: converts a force or torque of the scene to the device's frame, faded. */
tacVec3 tac_workspace_to_device(const tacWorkspace *workspace, tacVec3 force);
