#include "scene/hand_path.h"

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/quat.h"
#include "mesh/query/triangle_tree.h"
#include "spec/body_copy.h"
#include "spec/body_mesh.h"

static tacVec3 to_device(const tacWorkspaceDef *w, tacVec3 p) {
  tacVec3 turned = tac_quat_rotate(tac_quat_conjugate(tac_quat_of(w->orientation)), tac_vec3_sub(p, w->centre));
  return tac_vec3_mad(w->device_centre, 1.0 / w->scale, turned);
}

/* Returns the outward normal of a vertex: the sum of triangle normals, weighted by the angles at the vertex. */
static tacVec3 vertex_normal(const tacTriMesh *mesh, int vertex) {
  tacVec3 sum = {0};
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    for (int i = 0; i < 3; ++i) {
      if (v[i] != vertex) continue;
      tacVec3 a = tac_vec3_sub(mesh->vertices[v[(i + 1) % 3]], mesh->vertices[vertex]);
      tacVec3 b = tac_vec3_sub(mesh->vertices[v[(i + 2) % 3]], mesh->vertices[vertex]);
      tacVec3 normal = tac_vec3_cross(a, b);
      double angle = atan2(tac_vec3_norm(normal), tac_vec3_dot(a, b));
      sum = tac_vec3_mad(sum, angle, tac_vec3_unit(normal));
    }
  }
  return tac_vec3_unit(sum);
}

/* Returns the normal at point `p` of a triangle, interpolated from the normals of the corners. */
static tacVec3 smooth_normal(const tacTriMesh *mesh, int triangle, tacVec3 p) {
  const int *v = mesh->triangles[triangle].v;
  tacVec3 sum = {0};
  for (int i = 0; i < 3; ++i) {
    tacVec3 a = mesh->vertices[v[(i + 1) % 3]], b = mesh->vertices[v[(i + 2) % 3]];
    double area = tac_vec3_norm(tac_vec3_cross(tac_vec3_sub(a, p), tac_vec3_sub(b, p)));
    sum = tac_vec3_mad(sum, area, vertex_normal(mesh, v[i]));
  }
  return tac_vec3_unit(sum);
}

/* Computes the point of the surface nearest to `near`, moved inward by `depth`. Points are in the frame of the
 * scene. */
static tacStatus point_on(const tacTriMesh *surface, tacPose pose, tacVec3 near, double depth, tacVec3 *point,
                          tacError *error) {
  tacTriangleTree *tree = NULL;
  TAC_TRY(tac_triangle_tree_create(surface, &tree, error));
  tacQuat q = tac_quat_of(pose.orientation);
  tacVec3 local = tac_quat_rotate(tac_quat_conjugate(q), tac_vec3_sub(near, pose.position)), closest;
  int triangle = 0;
  tac_triangle_tree_distance(tree, local, &triangle, &closest);
  tac_triangle_tree_destroy(tree);
  closest = tac_vec3_mad(closest, -depth, smooth_normal(surface, triangle, closest));
  *point = tac_vec3_add(pose.position, tac_quat_rotate(q, closest));
  return TAC_OK;
}

static tacStatus place_waypoint(const tacSceneFile *file, const tacSceneWaypoint *w, const tacTriMesh *const *surfaces,
                                const tacWorkspaceDef *workspace, tacVec3 *point, tacError *error) {
  tacVec3 p = w->at;
  tacStatus status = TAC_OK;
  int copy;
  const tacSceneBody *body = w->on != NULL ? tac_scene_file_find(file, w->on, &copy) : NULL;
  if (body != NULL)
    status = point_on(surfaces[body - tac_scene_file_body(file, 0)], tac_body_copy_pose(body, copy), w->near, w->depth,
                      &p, error);
  *point = to_device(workspace, p);
  return status;
}

static tacStatus read_path(const tacYamlTree *tree, const tacScenePathFile *from, tacTrajectory **trajectory,
                           tacError *error) {
  tacError reason;
  TAC_MEMORY(char, path) = tac_body_path(tree, from->file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_trajectory_read(path, trajectory, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(from->node, "file"), status, error, "%.400s", reason.text);
}

/* Returns the device orientation that gives a held body or pads the rotation `turn`. Point tools do not rotate. */
static tacQuat turn_to_device(const tacWorkspaceDef *w, const tacSceneTool *tool, const tacSceneRotation *turn) {
  if (tac_scene_tool_touches(tool)) return tac_quat_identity();
  return tac_quat_mul(tac_quat_conjugate(tac_quat_of(w->orientation)),
                      tac_quat_from_axis_angle(turn->axis, turn->angle));
}

tacStatus tac_hand_path_create(const tacYamlTree *tree, const tacSceneFile *file, const tacSceneTool *tool,
                               const tacTriMesh *const *surfaces, const tacWorkspaceDef *workspace,
                               tacTrajectory **trajectory, tacError *error) {
  *trajectory = NULL;
  const tacSceneDevice *device = &tool->device;
  if (device->path_file.file != NULL) return read_path(tree, &device->path_file, trajectory, error);
  int count = device->path.count;
  const tacSceneWaypoint *waypoints = device->path.items;
  TAC_MEMORY(tacTrajectoryPoint, points) = NULL;
  TAC_TRY(TAC_ARRAY(points, (size_t)count + 1, "waypoints", error));
  for (int i = 0; i < count; ++i) {
    tacQuat q = turn_to_device(workspace, tool, &waypoints[i].turn);
    points[i] =
        (tacTrajectoryPoint){.time = i > 0 ? points[i - 1].time + waypoints[i].after : 0.0,
                             .orientation = {q.w, q.x, q.y, q.z},
                             .buttons = waypoints[i].buttons | TAC_BUTTON_GRIP(lround(255.0 * waypoints[i].grip))};
    TAC_TRY(place_waypoint(file, &waypoints[i], surfaces, workspace, &points[i].position, error));
  }
  if (device->repeat) { /* the path returns to the first waypoint */
    points[count] = points[0];
    points[count].time = points[count - 1].time + waypoints[0].after;
    ++count;
  }
  tacError reason;
  tacStatus status = tac_trajectory_create(count, points, device->smooth, trajectory, &reason);
  if (status == TAC_OK) return TAC_OK;
  return tac_yaml_error(tree, tac_yaml_child(device->node, "path"), status, error, "%.400s", reason.text);
}
