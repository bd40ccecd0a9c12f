/* Interface of a body that pads can grip. Pads prescribe displacements of the body's surface. A kind that supports pads
 * has these functions in tacBodyTable.pads. The tool that moves the pads does not depend on the kind
 * (couple/pad_tool.c). Frame: the body's.
 *
 * `create` belongs to the load phase. All other functions: any phase, one thread, no allocation, bounded time. */
#pragma once

#include <tactus/base.h>
#include <tactus/contact.h>
#include "math/geometry/quat.h"

enum { TAC_PATCH_MOST = 128 }; /* maximum number of vertices of all pads together */

typedef struct tacPatchGrip tacPatchGrip; /* state of the pads on a body; defined by the kind */

typedef struct tacPadPose {
  tacVec3 centre;
  tacQuat turn; /* orientation, unit quaternion */
} tacPadPose;

typedef struct tacPad {
  tacPadHold hold;
  double radius;   /* m */
  double friction; /* friction coefficient of a pressing pad; INFINITY: never slips */
} tacPad;

typedef struct tacPadReply {
  bool in_use;
  tacVec3 force;  /* force on the body, N */
  tacVec3 torque; /* torque on the body about the pad's centre, N m */
  int held;       /* number of held vertices */
  int waiting;    /* number of vertices that later steps will hold */
  int leaving;    /* number of vertices that later steps will release, or that are free with a fading traction */
  int slipping;   /* number of held vertices that slip */
} tacPadReply;
typedef enum tacPatchState { TAC_PATCH_HELD, TAC_PATCH_SLIPPING, TAC_PATCH_LEAVING } tacPatchState;
typedef struct tacPatchLoad {
  int vertex, pad;
  int slot; /* slot of the vertex; each pad has `most_vertices` slots; constant while the vertex is loaded */
  tacPatchState state;
  tacVec3 traction; /* traction on the body, Pa */
} tacPatchLoad;
/* Loads of all pads: the data that a display needs to deform the body. */
typedef struct tacPatchSnapshot {
  double stiffness; /* ratio of the present stiffness of the body to the baked stiffness */
  int count;
  tacPatchLoad loads[TAC_PATCH_MOST];
} tacPatchSnapshot;

typedef struct tacPads {
  bool (*may_hold)(const void *self); /* returns true if pads can grip the body */
  tacStatus (*create)(const void *self, int most_pads, int most_vertices, tacPatchGrip **grip, tacError *error);
  void (*destroy)(tacPatchGrip *grip); /* NULL is allowed */
  void (*reset)(tacPatchGrip *grip);   /* releases all vertices at once */
  /* Starts to grip with a pad. Returns false if the pad is in use or a sticking pad finds no vertex in reach. */
  bool (*take)(tacPatchGrip *grip, int pad, const tacPad *def, tacPadPose pose);
  /* Sets the pose of a pad in the next step. Returns false if the motion is too large for the held vertices. */
  bool (*move)(tacPatchGrip *grip, int pad, tacPadPose pose);
  void (*release)(tacPatchGrip *grip, int pad);
  /* Computes one tick of all pads, with the present stiffness of the body. */
  void (*step)(tacPatchGrip *grip, const void *self);
  tacPadReply (*reply)(const tacPatchGrip *grip, int pad);
  /* Computes the derivative of (force, torque) by (translation, rotation), both about the point `about`. The pads
   * `first` to `first` + `count` - 1 move together. */
  void (*stiffness)(const tacPatchGrip *grip, int first, int count, tacVec3 about, double stiffness[6][6]);
  void (*snapshot)(const tacPatchGrip *grip, tacPatchSnapshot *snapshot);
  /* Returns true if a snapshot may have a load at `vertex`, which may be any number. */
  bool (*may_load)(const void *self, int vertex);
  /* Adds the effect of the loads to displacements (m), tractions (Pa) and values of sensors. Each array may be NULL.
   * Any thread. */
  void (*add)(const void *self, const tacPatchSnapshot *snapshot, tacVec3 *displacements, tacVec3 *tractions,
              double *sensors);
} tacPads;
