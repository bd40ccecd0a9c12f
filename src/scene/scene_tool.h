/* What a scene file says of a tool: what it is, and the device that moves it. Paths are in the scene's frame. */
#pragma once

#include "spec/scene_place.h"

typedef struct tacSceneWaypoint {
  const tacYamlNode *node;
  bool has_at, has_near, has_depth, has_after;
  tacVec3 at;
  const char *on; /* a body */
  tacVec3 near;
  double depth;          /* along the inward normal */
  tacSceneRotation turn; /* of a held body, from how it lies at the start; of pads */
  double after;          /* since the waypoint before */
  uint32_t buttons;      /* TAC_BUTTON_* */
  double grip;           /* of jaws, 0 to 1 */
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
  int kind;           /* tacSceneDeviceKind */
  const char *preset; /* of an operator */
  tacSceneHand hand;
  tacSchemaList path; /* tacSceneWaypoint */
  tacScenePathFile path_file;
  bool smooth, repeat;
  const char *file, *options;
  double stiffness_limit; /* of a driver; 0: not stated */
} tacSceneDevice;

typedef struct tacSceneCoupling {
  const tacYamlNode *node;
  int kind;                                          /* tacCouplingKind */
  double stiffness, turn_stiffness;                  /* N/m, N m; 0: chosen */
  double depth;                                      /* m, of a point, at which the force saturates; 0: chosen */
  double force_limit, torque_limit;                  /* N, N m; 0: none */
  bool has_depth, has_force_limit, has_torque_limit; /* what is not given is chosen */
  double static_damping, damping_ratio;              /* one of them, by the kind */
  double speed_limit, turn_limit;                    /* m/s, rad/s */
  double mass;
} tacSceneCoupling;

typedef struct tacScenePad {
  double radius;
  int hold; /* tacPadHold */
  double friction, opening;
  tacVec3 approach; /* unit, once it was checked */
} tacScenePad;

typedef struct tacSceneJaw {
  const tacYamlNode *node;
  const char *body;
  tacVec3 hinge, axis; /* held body's frame */
} tacSceneJaw;

/* How jaws close. */
typedef struct tacSceneClosing {
  const tacYamlNode *node;
  double angle, time, torque;
} tacSceneClosing;

typedef enum tacSceneToolKind {
  TAC_SCENE_POINT_TOOL,
  TAC_SCENE_BODY_TOOL,
  TAC_SCENE_PAD_TOOL,
  TAC_SCENE_FINGERTIP_TOOL
} tacSceneToolKind;

typedef struct tacSceneTool {
  const tacYamlNode *node;
  const char *name;
  int kind; /* tacSceneToolKind */
  /* Of one that holds a body, or takes hold of one with pads: */
  const char *body;
  tacVec3 grasp; /* body's frame */
  bool has_grasp;
  double reach;   /* 0: it always holds its body */
  tacVec3 trocar; /* the pivot, scene */
  bool has_trocar;
  tacSchemaList jaws; /* tacSceneJaw */
  tacSceneClosing close;
  tacSceneCoupling coupling;
  tacScenePad pad;
  double radius; /* of a fingertip, m */
  double scale;
  tacVec3 centre;
  tacSceneRotation rotation; /* device axes to scene axes */
  tacSceneDevice device;
} tacSceneTool;

/* It touches where it is, and is not turned. */
static inline bool tac_scene_tool_touches(const tacSceneTool *tool) {
  return tool->kind == TAC_SCENE_POINT_TOOL || tool->kind == TAC_SCENE_FINGERTIP_TOOL;
}

extern const tacRecord tac_scene_tool_record;
