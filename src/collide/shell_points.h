/* Computes positions of a pointshell's points in the frame of a field, and finds the points in contact. Tick: no
 * allocation. */
#pragma once

#include "asset/contact_field.h"
#include "asset/pointshell.h"
#include "math/geometry/mat3.h"

/* Pose of the shell in the field's frame: x = rotation (P + U q) + translation. */
typedef struct tacShellPose {
  tacMat3 rotation; /* rotation matrix */
  tacVec3 translation;
  const double *q; /* [r]; NULL: undeformed */
} tacShellPose;

typedef struct tacShellContact {
  int point;
  double depth;      /* m, positive: minus the field's value */
  tacVec3 at;        /* field's frame */
  int domain, proxy; /* of a deforming field: those with the largest weight (tacDeformedAnswer); else 0 */
} tacShellContact;
static inline tacShellContact tac_shell_contact(int point, tacVec3 at, const tacDeformedLook *look) {
  return (tacShellContact){point, -look->value, at, look->domain, look->proxy};
}

/* Computes the first `count` of `listed` points of `nodes`, a level of the shell, in the field's frame, and prefetches
 * the rest. q has `stride` numbers. All callers compute points by this function, so that results are bitwise equal. */
void tac_shell_place_points(const tacPointshellView *view, const tacPointshellNode *nodes, const tacShellPose *pose,
                            const int32_t *points, int count, int listed, tacVec3 *at);

/* Contacts without a tree, in order of points: looks up every point up to `level`. For comparison. Returns their
 * number, of which at most `capacity` are stored. */
int tac_shell_exhaustive(const tacPointshell *shell, const tacContactField *field, const tacShellPose *pose, int level,
                         int capacity, tacShellContact *contacts);
