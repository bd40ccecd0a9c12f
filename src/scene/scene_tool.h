/* Defines the values of a tool in a scene file, and of the device that moves the tool. Paths are in the frame of the
 * scene. */
#pragma once

#include "spec/scene_place.h"

typedef struct tacSceneWaypoint {
  const tacYamlNode *node;
  bool has_at, has_near, has_depth, has_after;
  tacVec3 at;
  const char *on; /* name of a body */
  tacVec3 near;
  double depth;          /* depth along the inward normal, m */
  tacSceneRotation turn; /* rotation of a held body relative to the start, or of pads */
  double after;          /* time since the previous waypoint, s */
  uint32_t buttons;      /* TAC_BUTTON_* flags */
  double grip;           /* grip of jaws, 0 (open) to 1 (closed) */
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
  int kind;           /* value of tacSceneDeviceKind */
  const char *preset; /* preset of an operator */
  tacSceneHand hand;
  tacSchemaList path; /* tacSceneWaypoint items */
  tacScenePathFile path_file;
  bool smooth, repeat;
  const char *file, *options;
  double stiffness_limit; /* stiffness limit of a driver, N/m; 0: not stated */
} tacSceneDevice;

typedef struct tacSceneCoupling {
  const tacYamlNode *node;
  int kind;                                          /* value of tacCouplingKind */
  double stiffness, turn_stiffness;                  /* N/m; N m; 0: chosen automatically */
  double depth;                                      /* point depth at which the force saturates, m; 0: chosen */
  double force_limit, torque_limit;                  /* N; N m; 0: no limit */
  bool has_depth, has_force_limit, has_torque_limit; /* true if the scene gives the value */
  double static_damping, damping_ratio;              /* damping of a static coupling; of a dynamic coupling */
  double speed_limit, turn_limit;                    /* m/s; rad/s */
  double mass;
} tacSceneCoupling;

typedef struct tacScenePad {
  double radius;
  int hold; /* value of tacPadHold */
  double friction, opening;
  tacVec3 approach; /* direction of approach; unit vector after the scene's checks */
} tacScenePad;

typedef struct tacSceneJaw {
  const tacYamlNode *node;
  const char *body;
  tacVec3 hinge, axis; /* hinge point and axis in the frame of the held body */
} tacSceneJaw;

/* Closing motion of jaws. */
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
  int kind; /* value of tacSceneToolKind */
  /* Values of a tool that holds a body, or grasps a body with pads. */
  const char *body;
  tacVec3 grasp; /* grasp point in the body's frame */
  bool has_grasp;
  double reach;   /* grasping distance, m; 0: the tool always holds the body */
  tacVec3 trocar; /* pivot of the trocar in the frame of the scene */
  bool has_trocar;
  tacSchemaList jaws; /* tacSceneJaw items */
  tacSceneClosing close;
  tacSceneCoupling coupling;
  tacScenePad pad;
  double radius; /* radius of a fingertip, m */
  double scale;
  tacVec3 centre;
  tacSceneRotation rotation; /* rotation from device axes to scene axes */
  tacSceneDevice device;
} tacSceneTool;

/* True for a tool that touches at a point and does not rotate: a point tool or a fingertip. */
static inline bool tac_scene_tool_touches(const tacSceneTool *tool) {
  return tool->kind == TAC_SCENE_POINT_TOOL || tool->kind == TAC_SCENE_FINGERTIP_TOOL;
}

extern const tacRecord tac_scene_tool_record;
