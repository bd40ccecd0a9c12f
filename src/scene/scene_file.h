/* What a scene file says, checked against the schema and against itself, but without opening anything that it names. */
#ifndef TAC_SCENE_SCENE_FILE_H
#define TAC_SCENE_SCENE_FILE_H

#include <tactus/servo.h>
#include "scene/scene_body.h"

#define TAC_SCENE_FORMAT 1
#define TAC_SCENE_MOST_BODIES 64

/* Each struct begins with its node, for errors that come later. Paths are in the scene's frame. */

typedef struct tacSceneWaypoint {
  const tacYamlNode *node;
  bool has_at, has_near, has_depth, has_after;
  tacVec3 at;
  const char *on; /* a body */
  tacVec3 near;
  double depth;     /* along the inward normal */
  double after;     /* since the waypoint before */
  uint32_t buttons; /* TAC_BUTTON_* */
} tacSceneWaypoint;

typedef struct tacScenePathFile {
  const tacYamlNode *node;
  const char *file;
} tacScenePathFile;

typedef struct tacSceneHand {
  const tacYamlNode *node;
  double stiffness, damping, mass;
  bool has_stiffness, has_damping, has_mass;
} tacSceneHand;

typedef enum tacSceneDeviceKind {
  TAC_SCENE_DEVICE_OPERATOR,
  TAC_SCENE_DEVICE_REPLAY,
  TAC_SCENE_DEVICE_DRIVER
} tacSceneDeviceKind;

typedef struct tacSceneDevice {
  const tacYamlNode *node;
  int kind; /* tacSceneDeviceKind */
  const char *preset;
  tacSceneHand hand;
  tacSchemaList path; /* tacSceneWaypoint */
  tacScenePathFile path_file;
  bool smooth, repeat;
  const char *file, *options;
  double stiffness_limit; /* of a driver; 0: not stated */
} tacSceneDevice;

typedef struct tacSceneTool {
  const tacYamlNode *node;
  const char *name;
  int kind;
  double scale;
  tacVec3 centre;
  tacSceneRotation rotation; /* device axes to scene axes */
  tacSceneDevice device;
} tacSceneTool;

typedef struct tacSceneServo {
  const tacYamlNode *node;
  tacServoDef def;
} tacSceneServo;

typedef struct tacSceneFloor {
  const tacYamlNode *node; /* NULL: none */
  int axis;                /* of the normal, where it is not given by three numbers */
  tacVec3 normal;          /* unit */
  bool has_normal;
  double at, friction;
} tacSceneFloor;

typedef struct tacSceneFile {
  const tacYamlNode *node;
  int format;
  const char *name, *about; /* the name is NULL where the file has none */
  double duration;          /* 0: without end */
  tacSchemaList bodies;     /* tacSceneBody */
  tacSchemaList tools;      /* tacSceneTool */
  tacSceneFloor floor;
  tacSceneServo servo;
} tacSceneFile;

tacStatus tac_scene_file_read(tacYamlTree *tree, tacSceneFile *file, tacError *error);

static inline tacSceneBody *tac_scene_file_body(const tacSceneFile *file, int index) {
  return (tacSceneBody *)file->bodies.items + index;
}
static inline tacSceneTool *tac_scene_file_tool(const tacSceneFile *file, int index) {
  return (tacSceneTool *)file->tools.items + index;
}

/* The body that stands for the world's body of that name, and which of its copies it is; NULL: none. */
const tacSceneBody *tac_scene_file_find(const tacSceneFile *file, const char *name, int *copy);

/* Calls `visit` for every file that the scene reads (meshes, loads, paths), with the node that names it. */
typedef tacStatus (*tacSceneFileVisit)(const tacYamlNode *node, const char *file, void *user, tacError *error);
tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error);

#endif
