#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "math/geometry/quat.h"
#include "record/recording.h"
#include "world/world.h"
#include "world/world_show.h"
#include "world/world_view.h"

/* Whether a tool may touch this body without a triangle: with the body that it holds, or that one's jaws, or with pads. */
static bool may_touch(const tacWorld *world, int tool, tacBodyId id) {
  tacBodyId held = tac_world_tool_body(world, tool, NULL);
  tacPadToolDef pads;
  if (tac_world_tool_pads(world, tool, &pads)) return pads.body.index == id.index;
  return held.generation != 0 && held.index != id.index;
}

/* What a recording says of contacts is used as indices and weights. Those of a held body have no triangle. */
static bool contact_fits(const tacWorld *world, int tool, const tacContact *c) {
  if (c->body >= (uint32_t)tac_world_body_count(world)) return false;
  tacBodyId id = tac_world_body(world, (int)c->body);
  if (c->triangle == -1) return may_touch(world, tool, id);
  return c->triangle >= 0 && c->triangle < tac_world_body_surface(world, id)->triangle_count;
}

static bool contact_finite(const tacContact *c) {
  return isfinite(c->weight[0]) && isfinite(c->weight[1]) && isfinite(c->weight[2]) && tac_vec3_finite(c->at) &&
         tac_vec3_finite(c->normal) && tac_vec3_finite(c->deformed) && tac_vec3_finite(c->force);
}

static bool finite4(const double q[4]) {
  return isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]);
}

static tacStatus check_tool(const tacWorld *world, const tacTickRecord *record, int t, tacError *error) {
  const tacToolRecord *tool = &record->tool[t];
  const tacContact *contact = &tool->output.contact;
  bool touches = contact->state != TAC_CONTACT_NONE;
  if (touches && !contact_fits(world, t, contact))
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "tick %" PRId64 ": tool %d touches triangle %d of body %u, which the world does not have",
                         record->tick, t, (int)contact->triangle, (unsigned)contact->body);
  if ((touches && !contact_finite(contact)) || !tac_vec3_finite(tool->position) ||
      !tac_vec3_finite(tool->output.proxy) || !tac_vec3_finite(tool->output.force) ||
      !tac_vec3_finite(tool->output.torque) || !isfinite(tool->output.depth) || !tac_vec3_finite(tool->written) ||
      !finite4(tool->output.proxy_orientation) || !finite4(tool->orientation))
    return tac_error_set(error, TAC_ERR_FORMAT, "tick %" PRId64 ": tool %d is not finite", record->tick, t);
  return TAC_OK;
}

/* What was rounded and interpolated is nearly of unit length. */
static void normalise_orientations(const tacWorld *world, double *state) {
  for (int b = 0; b < tac_world_body_count(world); ++b) {
    int pose = tac_world_body_pose_state(world, tac_world_body(world, b));
    if (pose < 0) continue;
    double *q = state + pose + 3;
    tac_quat_put(tac_quat_normalise(tac_quat_of(q)), q);
  }
}

tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state,
                                 tacSnapshot *snapshot, tacError *error) {
  TAC_REQUIRE(error, recording, world, snapshot);
  tacTickRecord record;
  const tacRecordingInfo *info = tac_recording_info(recording);
  if (info->state_size > 0) TAC_REQUIRE(error, state);
  memset(snapshot, 0, sizeof *snapshot);
  TAC_TRY(tac_recording_check_world(recording, world, error));
  TAC_TRY(tac_recording_tick(recording, index, &record, error));
  for (int t = 0; t < info->tool_count; ++t) TAC_TRY(check_tool(world, &record, t, error));
  if (info->state_size > 0) {
    const tacStateRecord *stored;
    TAC_TRY(tac_recording_state(recording, record.tick, state, error));
    TAC_TRY(tac_recording_stored_state(recording, record.tick, &stored, error));
    tac_world_take_presses(world, stored->values, state);
    normalise_orientations(world, state);
    snapshot->state = state;
  }
  snapshot->tick = record.tick;
  snapshot->tool_count = info->tool_count;
  for (int t = 0; t < info->tool_count; ++t) {
    const tacToolRecord *tool = &record.tool[t];
    snapshot->position[t] = tool->position;
    snapshot->output[t] = tool->output;
    snapshot->lifted[t] = tool->lifted != 0;
    snapshot->given[t] = tac_vec3_norm(tool->written);
    snapshot->limits[t] = tool->limits;
    memcpy(snapshot->orientation[t], tool->orientation, sizeof snapshot->orientation[t]);
  }
  return TAC_OK;
}
