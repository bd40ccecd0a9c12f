/* Rigid bodies: they rest, or a tool holds them. Point tools pass through them. */
#include <stdlib.h>
#include <string.h>
#include "world/world_parts.h"

static void destroy(tacWorldBody *body) {
  free(body->unfixed);
}

static void reset(tacWorldBody *body) {
  body->now_position = body->position;
  body->now_orientation = body->orientation;
}

static const tacTriMesh *surface(const tacWorldBody *body) {
  return body->mesh;
}

static const bool *fixed(const tacWorldBody *body) {
  return body->unfixed;
}

static double most_stiffness(const tacWorldBody *body) {
  (void)body;
  return 0.0;
}

static void approach(tacWorld *world, int tool, int body, tacTickReport *report) {
  (void)world;
  (void)tool;
  (void)body;
  (void)report;
}

static void advance(tacWorld *world, int body, int *budget, tacTickReport *report) {
  (void)world;
  (void)body;
  (void)budget;
  (void)report;
}

static int parameter_count(const tacWorldBody *body) {
  (void)body;
  return 0;
}

static tacPose pose(const tacWorldBody *body, const tacSnapshot *snapshot) {
  tacQuat o = body->orientation;
  if (body->pose_state < 0 || snapshot->state == NULL) return (tacPose){body->position, {o.w, o.x, o.y, o.z}};
  const double *s = snapshot->state + body->pose_state;
  return (tacPose){tac_vec3(s[0], s[1], s[2]), {s[3], s[4], s[5], s[6]}};
}

static void vertices(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  (void)index;
  tacPose at = pose(body, snapshot);
  tacQuat turn = tac_quat(at.orientation[0], at.orientation[1], at.orientation[2], at.orientation[3]);
  for (int v = 0; v < body->mesh->vertex_count; ++v)
    to[v] = tac_vec3_add(tac_quat_rotate(turn, body->mesh->vertices[v]), at.position);
}

static void tractions(const tacWorldBody *body, uint32_t index, const tacSnapshot *snapshot, tacVec3 *to) {
  (void)index;
  (void)snapshot;
  memset(to, 0, (size_t)body->mesh->vertex_count * sizeof *to);
}

/* No tool touches one at a point: release, describe and parameters are never asked for. */
const tacBodyOps tac_rigid_body = {.destroy = destroy,
                                   .reset = reset,
                                   .surface = surface,
                                   .fixed = fixed,
                                   .most_stiffness = most_stiffness,
                                   .approach = approach,
                                   .advance = advance,
                                   .parameter_count = parameter_count,
                                   .pose = pose,
                                   .vertices = vertices,
                                   .tractions = tractions};
