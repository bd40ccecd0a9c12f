/* What a scene file says, checked against the schema and against itself, but without opening anything that it names. */
#ifndef TAC_SCENE_SCENE_FILE_H
#define TAC_SCENE_SCENE_FILE_H

#include <tactus/servo.h>
#include "scene/schema.h"

#define TAC_SCENE_FORMAT 1
#define TAC_SCENE_MOST_BODIES 64

/* Each struct begins with its node, for errors that come later. Lengths of shapes, regions and sensors are in the body's
 * frame, paths in the scene's. */

typedef struct tacSceneRotation {
  const tacYamlNode *node;
  tacVec3 axis;
  double angle;
} tacSceneRotation;

typedef struct tacSceneSurface {
  const tacYamlNode *node;
  const char *shape, *file; /* one of them */
  int vertices;             /* of a shape; 0: by size */
  double size;              /* of a shape; 0: its own */
  double scale;             /* of a file */
  bool has_vertices, has_size, has_scale;
} tacSceneSurface;

typedef struct tacSceneVolume {
  const tacYamlNode *node;
  double tets, bricks; /* one of the three */
  const char *file;
  double scale;
  bool has_tets, has_bricks, has_scale;
} tacSceneVolume;

typedef struct tacSceneMaterial {
  const tacYamlNode *node;
  const char *group; /* of the volume mesh; NULL: everywhere */
  double density, young, poisson;
  double stiffness[21];
  bool has_young, has_poisson, has_stiffness;
} tacSceneMaterial;

typedef struct tacScenePlane {
  const tacYamlNode *node;
  int axis;
  double at;
} tacScenePlane;

typedef struct tacSceneBox {
  const tacYamlNode *node;
  tacVec3 lower, upper;
} tacSceneBox;

typedef struct tacSceneBall {
  const tacYamlNode *node;
  tacVec3 centre;
  double radius;
} tacSceneBall;

/* Exactly one is there. */
typedef struct tacSceneRegion {
  const tacYamlNode *node;
  bool has_below, has_above, has_box, has_sphere;
  tacScenePlane below, above;
  tacSceneBox box;
  tacSceneBall sphere;
  const char *group;
} tacSceneRegion;

typedef struct tacSceneSensor {
  const tacYamlNode *node;
  const char *name;
  int kind; /* tacSensorKind */
  tacVec3 point;
} tacSceneSensor;

/* How far a parameter may be changed; most > least, or both 0: not at all. */
typedef struct tacSceneRange {
  double least, most;
} tacSceneRange;

typedef struct tacSceneRanges {
  const tacYamlNode *node; /* NULL: none */
  tacSceneRange stiffness, friction, mask;
} tacSceneRanges;

typedef struct tacSceneBody {
  const tacYamlNode *node;
  const char *name;
  int kind, method; /* method: tacGreenMethod */
  bool has_surface, has_volume, has_material;
  tacSceneSurface surface;
  tacSceneVolume volume;
  tacSceneMaterial material;
  tacSchemaList materials;     /* tacSceneMaterial */
  tacSchemaList fixed, wanted; /* tacSceneRegion */
  tacSchemaList sensors;       /* tacSceneSensor */
  double mask;                 /* 0: single vertices */
  double stiffness, rigid_stiffness, friction;
  tacVec3 position;
  tacSceneRotation rotation;
  int storage; /* tacGreenStorage */
  double near_radius;
  bool has_near_radius;
  tacSceneRanges live;
} tacSceneBody;

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

typedef struct tacSceneFile {
  const tacYamlNode *node;
  int format;
  const char *name, *about; /* the name is NULL where the file has none */
  double duration;          /* 0: without end */
  tacSchemaList bodies;     /* tacSceneBody */
  tacSchemaList tools;      /* tacSceneTool */
  tacSceneServo servo;
} tacSceneFile;

tacStatus tac_scene_file_read(tacYamlTree *tree, tacSceneFile *file, tacError *error);

static inline tacSceneBody *tac_scene_file_body(const tacSceneFile *file, int index) {
  return (tacSceneBody *)file->bodies.items + index;
}
static inline tacSceneTool *tac_scene_file_tool(const tacSceneFile *file, int index) {
  return (tacSceneTool *)file->tools.items + index;
}

/* Calls `visit` for every file that the scene reads (meshes, paths), with the node that names it. */
typedef tacStatus (*tacSceneFileVisit)(const tacYamlNode *node, const char *file, void *user, tacError *error);
tacStatus tac_scene_file_visit(const tacSceneFile *file, tacSceneFileVisit visit, void *user, tacError *error);

#endif
