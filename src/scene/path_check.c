#include "scene/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "kinds/scene_kinds.h"
#include "math/geometry/quat.h"
#include "scene/hand_path.h"
#include "scene/tool_device.h"
#include "spec/body_copy.h"

#define SAMPLES 400
#define MOMENTS 5000      /* number of speed samples: waypoints may follow each other quickly */
#define NEAR_ENOUGH 1e-3  /* distance at which a path may touch a body, m */
#define SMALL_STRAIN 0.15 /* indentation / shortest side at which linear elasticity errs by a tenth */
#define FASTEST 1.5       /* fastest deliberate motion of a hand, m/s */

typedef struct {
  tacCheck *check;
  const tacSceneTool *tool;
  const tacYamlNode *node; /* YAML node of the key `path` */
  tacOperatorDef device;
  tacWorkspaceDef workspace;
  tacTrajectory *path;
} Look;

static tacVec3 to_scene(const Look *l, tacVec3 p) {
  tacVec3 turned = tac_quat_rotate(tac_quat_of(l->workspace.orientation), tac_vec3_sub(p, l->workspace.device_centre));
  return tac_vec3_mad(l->workspace.centre, l->workspace.scale, turned);
}

static tacVec3 at_sample(const Look *l, int sample, uint32_t *buttons) {
  tacDeviceState state;
  tac_trajectory_at(l->path, tac_trajectory_duration(l->path) * sample / SAMPLES, &state, NULL);
  *buttons = state.buttons;
  return state.position;
}

/* Returns the depth of a point of the scene in an undeformed body, m; negative outside the body. */
static double depth_in(const Look *l, int body, tacVec3 p) {
  const tacSceneBody *b = tac_scene_file_body(&l->check->scene->file, body);
  double deepest = -INFINITY;
  for (int copy = 0; copy < tac_body_copy_count(b); ++copy) {
    tacPose pose = tac_body_copy_pose(b, copy);
    tacQuat q = tac_quat_of(pose.orientation);
    tacVec3 local = tac_quat_rotate(tac_quat_conjugate(q), tac_vec3_sub(p, pose.position));
    deepest = fmax(deepest, -tac_triangle_tree_signed_distance(l->check->bodies[body].tree, local));
  }
  return deepest;
}

/* True if a body stays at the place in the file, so that a path can be compared with this place. */
static bool rests(const Look *l, int body) {
  const tacSceneFile *file = &l->check->scene->file;
  const tacSceneBody *b = tac_scene_file_body(file, body);
  if (l->check->bodies[body].tree == NULL || tac_scene_kind_frees(b)) return false;
  for (int i = 0; i < file->tools.count; ++i) {
    const tacSceneTool *tool = tac_scene_file_tool(file, i);
    if (tool->kind == TAC_SCENE_BODY_TOOL && strcmp(tool->body, b->name) == 0) return false;
    const tacSceneJaw *jaws = tool->jaws.items;
    for (int k = 0; k < tool->jaws.count; ++k)
      if (strcmp(jaws[k].body, b->name) == 0) return false;
  }
  return true;
}

static void check_start(const Look *l, int body) {
  uint32_t buttons;
  double depth = depth_in(l, body, to_scene(l, at_sample(l, 0, &buttons)));
  if (depth <= NEAR_ENOUGH) return;
  tac_finding_report(l->check, TAC_FINDING_WARNING, "path", l->node,
                     "the path starts %s inside %s, so the tool is pushed out at once; start outside, for example "
                     "{on: %s, near: [...], depth: -10 mm}",
                     tac_text_length(depth).text, tac_scene_file_body(&l->check->scene->file, body)->name,
                     tac_scene_file_body(&l->check->scene->file, body)->name);
}

/* Checks how deep the hand presses or pulls a body. The stiffness of the hand acts in series with the stiffness of
 * the body. */
static void check_depth(const Look *l, int body) {
  const tacSceneBody *b = tac_scene_file_body(&l->check->scene->file, body);
  const tacCheckedBody *checked = &l->check->bodies[body];
  double deepest = 0.0, pull = 0.0;
  tacVec3 held = {0};
  uint32_t buttons = 0, before = 0;
  for (int i = 0; i <= SAMPLES; ++i) {
    tacVec3 p = to_scene(l, at_sample(l, i, &buttons));
    double depth = depth_in(l, body, p);
    bool grabs = (buttons & TAC_BUTTON_GRAB) != 0, began = grabs && (before & TAC_BUTTON_GRAB) == 0;
    if (began) held = p;
    if (grabs && (began ? depth : 0.0) > -5e-3) pull = fmax(pull, tac_vec3_distance(p, held));
    if (!grabs) deepest = fmax(deepest, depth);
    before = buttons;
  }
  if (deepest > 0.4 * checked->least_side) {
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "path", l->node,
        "the path goes %s deep into %s, which is %s at its shortest side: the tool slips off or comes out on the "
        "other side; press less deep",
        tac_text_length(deepest).text, b->name, tac_text_length(checked->least_side).text);
    return;
  }
  if (!tac_scene_kind_of(b)->linear) return;
  double hand = l->device.hand_stiffness / l->tool->scale / l->tool->scale;
  double yields = checked->stiffness > 0.0 ? hand / (hand + checked->stiffness) : 1.0;
  double press = yields * deepest, most = fmax(press, yields * pull);
  if (most <= SMALL_STRAIN * checked->least_side) return;
  char kinds[200];
  tac_scene_kinds_of_large_strain(kinds, sizeof kinds);
  tac_finding_report(l->check, TAC_FINDING_WARNING, "strain", l->node,
                     "the hand %s %s by about %s, %.0f %% of its shortest side: linear elasticity is not accurate at "
                     "this strain (kind: %s is); press less, or accept the error",
                     press >= yields * pull ? "presses" : "pulls", b->name, tac_text_length(most).text,
                     100.0 * most / checked->least_side, kinds);
}

static void check_touch(const Look *l) {
  const tacSceneFile *file = &l->check->scene->file;
  double nearest = INFINITY;
  const char *name = "";
  for (int b = 0; b < file->bodies.count; ++b) {
    if (!rests(l, b)) return; /* the body may move to the hand */
    for (int i = 0; i <= SAMPLES; ++i) {
      uint32_t buttons;
      double away = -depth_in(l, b, to_scene(l, at_sample(l, i, &buttons)));
      if (away >= nearest) continue;
      nearest = away;
      name = tac_scene_file_body(file, b)->name;
    }
  }
  if (nearest > NEAR_ENOUGH)
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "path", l->node,
        "the path touches no body: its smallest distance is %s from %s; let it touch a body, for example {on: %s, "
        "near: [...], depth: 4 mm}",
        tac_text_length(nearest).text, name, name);
}

static void check_workspace(const Look *l) {
  tacBox reach = l->device.info.workspace, need = tac_box_empty();
  double longest = 0.0, ratio = 0.0;
  for (int i = 0; i <= SAMPLES; ++i) {
    uint32_t buttons;
    need = tac_box_add(need, at_sample(l, i, &buttons));
  }
  tacVec3 size = tac_box_size(need), room = tac_box_size(reach);
  const double sizes[] = {size.x, size.y, size.z}, rooms[] = {room.x, room.y, room.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (!(rooms[axis] > 0.0)) return;
    ratio = fmax(ratio, sizes[axis] / rooms[axis]);
    longest = fmax(longest, sizes[axis]);
  }
  if (ratio > 1.0)
    tac_finding_report(l->check, ratio > 1.5 ? TAC_FINDING_WARNING : TAC_FINDING_NOTE, "workspace", l->tool->node,
                       "the path is too large for the device: the hand moves over %s, and the device (%s) reaches "
                       "%s; use scale: %.2g",
                       tac_text_size(need).text, l->device.info.name, tac_text_size(reach).text,
                       ceil(10.0 * ratio * l->tool->scale) / 10.0);
  else if (tac_vec3_norm(tac_vec3_sub(tac_box_centre(need), tac_box_centre(reach))) >
           0.5 * longest + 0.5 * tac_box_longest(reach))
    tac_finding_report(
        l->check, TAC_FINDING_WARNING, "workspace", l->tool->node,
        "the path is far from the centre of the device's workspace; set centre to the point of the scene where this "
        "centre should be");
}

static void check_speed(const Look *l) {
  double duration = tac_trajectory_duration(l->path), fastest = 0.0, when = 0.0;
  for (int i = 0; i <= MOMENTS; ++i) {
    tacDeviceState state;
    tacVec3 velocity;
    tac_trajectory_at(l->path, duration * i / MOMENTS, &state, &velocity);
    if (tac_vec3_norm(velocity) > fastest) when = duration * i / MOMENTS;
    fastest = fmax(fastest, tac_vec3_norm(velocity));
  }
  if (fastest > FASTEST)
    tac_finding_report(l->check, TAC_FINDING_WARNING, "speed", l->node,
                       "at %s the hand moves at %.2g m/s, faster than people move; give that waypoint more time "
                       "(after)",
                       tac_text_seconds(when).text, fastest);
}

static tacStatus look(Look *l) {
  const tacSceneFile *file = &l->check->scene->file;
  check_workspace(l);
  check_speed(l);
  if (!tac_scene_tool_touches(l->tool)) return TAC_OK;
  for (int b = 0; b < file->bodies.count; ++b) {
    if (!rests(l, b)) continue;
    check_start(l, b);
    check_depth(l, b);
  }
  check_touch(l);
  return TAC_OK;
}

/* Lists the surfaces of all bodies. True if every surface that a waypoint names exists. */
static bool has_surfaces(const tacCheck *check, const tacSceneTool *tool, const tacTriMesh **surfaces) {
  const tacSceneWaypoint *waypoints = tool->device.path.items;
  for (int b = 0; b < check->scene->file.bodies.count; ++b) surfaces[b] = check->bodies[b].surface;
  for (int i = 0; i < tool->device.path.count; ++i) {
    int copy;
    const tacSceneBody *body =
        waypoints[i].on != NULL ? tac_scene_file_find(&check->scene->file, waypoints[i].on, &copy) : NULL;
    if (body != NULL && surfaces[body - tac_scene_file_body(&check->scene->file, 0)] == NULL) return false;
  }
  return true;
}

tacStatus tac_path_check(tacCheck *check, const tacSceneTool *tool) {
  Look l = {.check = check, .tool = tool, .node = tac_yaml_child(tool->device.node, "path")};
  const tacTriMesh *surfaces[TAC_SCENE_MOST_BODIES];
  tacError reason = {0};
  if (tool->device.kind != TAC_SCENE_DEVICE_OPERATOR || !has_surfaces(check, tool, surfaces)) return TAC_OK;
  tacStatus status = tac_tool_device_operator(check->scene, &tool->device, &l.device, &reason);
  l.workspace = tac_tool_device_workspace(tool);
  if (status == TAC_OK) l.workspace.device_centre = tac_box_centre(l.device.info.workspace);
  if (status == TAC_OK)
    status =
        tac_hand_path_create(check->scene->tree, &check->scene->file, tool, surfaces, &l.workspace, &l.path, &reason);
  if (status == TAC_ERR_MEMORY) return tac_error_set(check->error, status, "%s", reason.text);
  if (status != TAC_OK) {
    tac_finding_report_error(check, "path", &reason);
    return TAC_OK;
  }
  status = look(&l);
  tac_trajectory_destroy(l.path);
  return status;
}
