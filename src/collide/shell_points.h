/* Where the points of a pointshell are in the frame of a field, and which of them are in contact. Tick: no allocation. */
#pragma once

#include "asset/contact_field.h"
#include "asset/pointshell.h"
#include "math/geometry/mat3.h"

/* Where the shell is in the field's frame: x = rotation (P + U q) + translation. */
typedef struct tacShellPose {
  tacMat3 rotation; /* a rotation */
  tacVec3 translation;
  const double *q; /* [r]; NULL: undeformed */
} tacShellPose;

typedef struct tacShellContact {
  int point;
  double depth;      /* m, positive: minus the field's value */
  tacVec3 at;        /* field's frame */
  int domain, proxy; /* of a field that deforms: with the largest weight, as in tacDeformedAnswer; else 0 */
} tacShellContact;
static inline tacShellContact tac_shell_contact(int point, tacVec3 at, const tacDeformedLook *look) {
  return (tacShellContact){point, -look->value, at, look->domain, look->proxy};
}

/* Places the first `count` of `listed` points of `nodes`, a level of the shell's, in the field's frame; memory of those listed after them is
 * asked for ahead. q has `stride` numbers. Points are placed nowhere else, so that they are the same numbers whoever asks. */
void tac_shell_place_points(const tacPointshellView *view, const tacPointshellNode *nodes, const tacShellPose *pose,
                            const int32_t *points, int count, int listed, tacVec3 *at);

/* The contacts of a traversal without tree, in order of points: every point up to `level` is looked up. For comparison;
 * returns their number, of which at most `capacity` are stored. */
int tac_shell_exhaustive(const tacPointshell *shell, const tacContactField *field, const tacShellPose *pose, int level,
                         int capacity, tacShellContact *contacts);
