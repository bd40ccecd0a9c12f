#include "couple/workspace.h"

static const double fade_time = 0.02; /* duration of a fade of the force, s */

tacWorkspace tac_workspace_begin(double scale, tacVec3 centre, tacVec3 device_centre, tacQuat rotation, double period) {
  return (tacWorkspace){.scale = scale,
                        .centre = centre,
                        .device_centre = device_centre,
                        .rotation = tac_quat_normalise(rotation),
                        .fade_step = period / fade_time,
                        .encoder = tac_encoder_hold_begin(0.0, period),
                        .turn = tac_quat_identity(),
                        .orientation = tac_quat_identity(),
                        .share = 1.0};
}

void tac_workspace_set_count(tacWorkspace *w, double count) {
  w->encoder = tac_encoder_hold_begin(count, w->encoder.period);
}

void tac_workspace_move(tacWorkspace *w, tacVec3 device_position, tacQuat device_orientation, bool index_button) {
  tacVec3 arm = tac_vec3_sub(tac_encoder_hold_take(&w->encoder, device_position), w->device_centre);
  tacVec3 mapped = tac_vec3_mad(w->centre, w->scale, tac_quat_rotate(w->rotation, arm));
  tacQuat turned = tac_quat_normalise(tac_quat_mul(w->rotation, device_orientation));
  if (!w->indexing) { /* also true in the tick in which the button is pressed */
    w->position = tac_vec3_add(mapped, w->offset);
    w->orientation = tac_quat_normalise(tac_quat_mul(turned, w->turn));
  } else {
    w->offset = tac_vec3_sub(w->position, mapped);
    w->turn = tac_quat_normalise(tac_quat_mul(tac_quat_conjugate(turned), w->orientation));
  }
  w->indexing = index_button;
  w->share = index_button ? fmax(0.0, w->share - w->fade_step) : fmin(1.0, w->share + w->fade_step);
}

tacVec3 tac_workspace_to_device(const tacWorkspace *w, tacVec3 force) {
  return tac_vec3_scale(w->share, tac_quat_rotate(tac_quat_conjugate(w->rotation), force));
}
