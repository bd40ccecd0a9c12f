#include "app/viewer/stage/hands.h"

#include <string.h>
#include "device/pointer.h"
#include "math/geometry/quat.h"

static const double no_turn[4] = {1.0, 0.0, 0.0, 0.0};

static void release_tool(tacHands *hands, const tacStage *stage, int tool) {
  hands->leader[tool] = 0;
  if (!stage->takes_pointer[tool]) return;
  hands->held[tool].touch = hands->held[tool].grab = false;
  tac_stage_point(stage, tool, &hands->held[tool]);
  tac_device_pointer_lead(&stage->devices[tool], !hands->demo);
}

/* What a tool's hand holds where it is now, without a touch. */
static tacPointerSample hold_still(const tacHands *hands, const tacStage *stage, int tool) {
  const double *seen = hands->seen[tool];
  bool is_seen = seen[0] * seen[0] + seen[1] * seen[1] + seen[2] * seen[2] + seen[3] * seen[3] > 0.5;
  tacPointerStatus status = tac_device_pointer_status(&stage->devices[tool]);
  tacPointerSample sample = {.position = tac_stage_spring(stage, tool, &status)};
  memcpy(sample.orientation, is_seen ? seen : no_turn, sizeof no_turn);
  return sample;
}

void tac_hands_begin(tacHands *hands, const tacStage *stage) {
  for (int t = 0; t < stage->tool_count; ++t) {
    hands->leader[t] = hands->page[t] = hands->barred[t] = 0;
    hands->held[t] = (tacPointerSample){0};
    memset(hands->seen[t], 0, sizeof hands->seen[t]);
    if (stage->takes_pointer[t]) tac_device_pointer_lead(&stage->devices[t], !hands->demo);
  }
}

void tac_hands_see(tacHands *hands, const tacSnapshot *snapshot) {
  for (int t = 0; t < snapshot->tool_count; ++t)
    memcpy(hands->seen[t], snapshot->orientation[t], sizeof hands->seen[t]);
}

void tac_hands_release(tacHands *hands, const tacStage *stage) {
  for (int t = 0; t < stage->tool_count; ++t) {
    if (!stage->takes_pointer[t]) continue;
    hands->held[t] = hold_still(hands, stage, t);
    release_tool(hands, stage, t);
  }
}

void tac_hands_join(tacHands *hands, const tacStage *stage, int client) {
  for (int t = 0; t < stage->tool_count; ++t) {
    if (!stage->takes_pointer[t] || hands->page[t] != 0) continue;
    hands->page[t] = client;
    return;
  }
}

void tac_hands_leave(tacHands *hands, const tacStage *stage, int client) {
  for (int t = 0; t < stage->tool_count; ++t) {
    if (hands->page[t] == client) hands->page[t] = 0;
    if (hands->barred[t] == client) hands->barred[t] = 0;
    if (hands->leader[t] == client) release_tool(hands, stage, t);
  }
}

/* Who touches with a free tool has that instead of the one before. */
static void move_to(tacHands *hands, const tacStage *stage, int client, int tool) {
  if (hands->page[tool] != 0) return;
  for (int t = 0; t < stage->tool_count; ++t)
    if (hands->page[t] == client) hands->page[t] = 0;
  hands->page[tool] = client;
}

void tac_hands_take(tacHands *hands, const tacStage *stage, int client, int tool) {
  if (tool >= stage->tool_count || !stage->takes_pointer[tool] || hands->leader[tool] == client) return;
  hands->barred[tool] = hands->held[tool].touch ? hands->leader[tool] : 0;
  release_tool(hands, stage, tool);
  hands->leader[tool] = client;
}

bool tac_hands_point(tacHands *hands, const tacStage *stage, int client, const tacViewMessage *message) {
  int tool = message->pointer.tool;
  if (tool >= stage->tool_count || !stage->takes_pointer[tool]) return true;
  bool touch = message->pointer.touch;
  if (!touch && hands->barred[tool] == client) hands->barred[tool] = 0;
  if (!touch && hands->leader[tool] != client && (hands->leader[tool] != 0 || hands->demo)) return true;
  tacPointerSample *held = &hands->held[tool];
  bool taken = held->touch && hands->leader[tool] != 0 && hands->leader[tool] != client;
  if (touch && (taken || hands->barred[tool] == client)) return false;
  if (touch) move_to(hands, stage, client, tool);
  if (touch && held->touch && hands->leader[tool] != client)
    release_tool(hands, stage, tool); /* a SpaceMouse's touch ends before this begins */
  bool begins = touch && !held->touch;
  if (touch) hands->leader[tool] = client;
  held->position = message->pointer.position;
  memcpy(held->orientation, message->pointer.orientation, sizeof held->orientation);
  held->touch = touch;
  held->grab = touch && message->pointer.grab;
  if (begins) tac_device_pointer_lead(&stage->devices[tool], true);
  if (!touch && hands->demo)
    release_tool(hands, stage, tool);
  else
    tac_stage_point(stage, tool, held);
  return true;
}

void tac_hands_carry(tacHands *hands, const tacStage *stage, double radius, tacVec3 velocity, tacVec3 spin,
                     unsigned buttons, double dt) {
  tacPointerSample *held = &hands->held[0];
  if (stage->tool_count == 0 || !stage->takes_pointer[0] || hands->leader[0] != 0) return;
  if (tac_vec3_norm2(velocity) + tac_vec3_norm2(spin) == 0.0 && buttons == 0 && !held->touch) return;
  if (!held->touch) {
    *held = hold_still(hands, stage, 0);
    tac_device_pointer_lead(&stage->devices[0], true);
  }
  const double *q = held->orientation;
  tacQuat turned = tac_quat_normalise(
      tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(1.5 * dt, spin)), tac_quat(q[0], q[1], q[2], q[3])));
  held->position = tac_vec3_mad(held->position, radius * dt, velocity);
  held->orientation[0] = turned.w;
  held->orientation[1] = turned.x;
  held->orientation[2] = turned.y;
  held->orientation[3] = turned.z;
  held->touch = true;
  held->grab = (buttons & 1u) != 0;
  tac_stage_point(stage, 0, held);
}
