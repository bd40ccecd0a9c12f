/* Computes the positions of the points of a pointshell in the frame of a field, and finds the points in contact. The
 * functions may be called in a tick: they do not allocate. */
#pragma once

#include "asset/contact_field.h"
#include "asset/pointshell.h"
#include "math/geometry/mat3.h"

/* Pose of the shell in the field's frame. A point with rest position P and displacement U q is at x = rotation (P + U
 * q) + translation. */
typedef struct tacShellPose {
  tacMat3 rotation;
  tacVec3 translation;
  const double *q; /* reduced coordinates of the shell; NULL: undeformed */
} tacShellPose;

typedef struct tacShellContact {
  int point;
  double depth; /* penetration depth, m, positive; equals minus the field value */
  tacVec3 at;   /* position in the field's frame, m */
  /* domain and proxy with the largest weight in a deforming field (tacDeformedAnswer); 0 in a rigid field */
  int domain, proxy;
} tacShellContact;
static inline tacShellContact tac_shell_contact(int point, tacVec3 at, const tacDeformedLook *look) {
  return (tacShellContact){point, -look->value, at, look->domain, look->proxy};
}

/* Computes the positions of the points points[0] to points[count - 1] in the field's frame. Prefetches the other
 * entries of `points`, `listed` in total. `nodes`: nodes of one level of the shell. `pose->q` has `stride` elements.
 * All callers use this function, so that the results are bitwise equal. */
void tac_shell_place_points(const tacPointshellView *view, const tacPointshellNode *nodes, const tacShellPose *pose,
                            const int32_t *points, int count, int listed, tacVec3 *at);

/* Finds all contacts of the points up to `level` by evaluating every point, in order of points. Serves as a reference
 * for the tree search. Returns the number of contacts, and stores at most `capacity` of them. */
int tac_shell_exhaustive(const tacPointshell *shell, const tacContactField *field, const tacShellPose *pose, int level,
                         int capacity, tacShellContact *contacts);
