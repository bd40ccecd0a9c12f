/* Interface for pads that grip a body, for kinds whose surface takes prescribed displacements. The tool that moves the
 * pads is independent of the kind (world/tools/pad_tool.c); a kind that can be gripped has these functions in its
 * table. Frame: the body's.
 *
 * Creation is for the load phase; everything else is for any phase, one thread, no allocation, bounded time. */
#pragma once

#include <tactus/base.h>
#include <tactus/contact.h>
#include "math/geometry/quat.h"

enum { TAC_PATCH_MOST = 128 }; /* vertices of all pads */

typedef struct tacPatchGrip tacPatchGrip; /* grip state of a body's pads; defined by the kind */

typedef struct tacPadPose {
  tacVec3 centre;
  tacQuat turn; /* unit quaternion */
} tacPadPose;

typedef struct tacPad {
  tacPadHold hold;
  double radius;   /* m */
  double friction; /* friction coefficient of a pressing pad; INFINITY: never slips */
} tacPad;

typedef struct tacPadReply {
  bool in_use;
  tacVec3 force;  /* on the body, N */
  tacVec3 torque; /* on the body about the pad's centre, N m */
  int held;       /* number of held vertices */
  int waiting;    /* vertices to be held in later steps */
  int leaving;    /* vertices to be released, or already free with a fading traction */
  int slipping;   /* held vertices that slip */
} tacPadReply;
/* Plain numbers that suffice to display the body. */
typedef enum tacPatchState { TAC_PATCH_HELD, TAC_PATCH_SLIPPING, TAC_PATCH_LEAVING } tacPatchState;
typedef struct tacPatchLoad {
  int vertex, pad;
  int slot; /* index among the slots of all pads, most_vertices per pad; constant while the vertex is loaded */
  tacPatchState state;
  tacVec3 traction; /* on the body, Pa */
} tacPatchLoad;
typedef struct tacPatchSnapshot {
  double stiffness; /* factor on the baked stiffness */
  int count;
  tacPatchLoad loads[TAC_PATCH_MOST];
} tacPatchSnapshot;

typedef struct tacPads {
  bool (*may_hold)(const void *self); /* whether pads can grip this body */
  tacStatus (*create)(const void *self, int most_pads, int most_vertices, tacPatchGrip **grip, tacError *error);
  void (*destroy)(tacPatchGrip *grip); /* NULL is allowed */
  void (*reset)(tacPatchGrip *grip);   /* releases everything at once */
  /* take: false if the pad is in use or has nothing in reach. move: false if the pad would be torn off. */
  bool (*take)(tacPatchGrip *grip, int pad, const tacPad *def, tacPadPose pose);
  bool (*move)(tacPatchGrip *grip, int pad, tacPadPose pose);
  void (*release)(tacPatchGrip *grip, int pad);
  void (*step)(tacPatchGrip *grip, const void *self); /* one tick of all pads, at the body's present stiffness */
  tacPadReply (*reply)(const tacPatchGrip *grip, int pad);
  /* d(force, torque) / d(translation, rotation) of pads `first` to `first` + `count` - 1 moving together, about a
   * point. */
  void (*stiffness)(const tacPatchGrip *grip, int first, int count, tacVec3 about, double stiffness[6][6]);
  void (*snapshot)(const tacPatchGrip *grip, tacPatchSnapshot *snapshot);
  bool (*may_load)(const void *self, int vertex); /* whether a snapshot may have a load there; accepts any number */
  /* Any thread: adds the effect of the loads to displacements (m), tractions (Pa) and sensors; each may be NULL. */
  void (*add)(const void *self, const tacPatchSnapshot *snapshot, tacVec3 *displacements, tacVec3 *tractions,
              double *sensors);
} tacPads;
