#include "collide/shell_points.h"

#include <string.h>
#include <tactus/body.h>
#include "base/lanes.h"
#include "math/geometry/float_rows.h"
#include "math/geometry/vec3.h"

/* prefetch distances in nodes and in rows of displacements: long enough to hide latency, short enough for the
 * first-level cache */
enum { AHEAD = 16, ROWS_AHEAD = 6 };
enum { BLOCK = 64 }; /* number of points evaluated together */

static inline int least_int(int a, int b) {
  return a < b ? a : b;
}

typedef double Two __attribute__((vector_size(16)));

TAC_LANES_BODY void place(const tacPointshellView *view, const tacPointshellNode *nodes, const tacShellPose *pose,
                          const int32_t *points, int count, int listed, tacVec3 *at, bool deforms) {
  const int stride = view->stride;
  const size_t rows = 3 * (size_t)stride;
  const double(*r)[3] = pose->rotation.m;
  const Two x_xy = {r[0][0], r[1][0]}, y_xy = {r[0][1], r[1][1]}, z_xy = {r[0][2], r[1][2]};
  const Two t_xy = {pose->translation.x, pose->translation.y};
  const double x_z = r[2][0], y_z = r[2][1], z_z = r[2][2], t_z = pose->translation.z;
  for (int i = 0; i < count; ++i) {
    const tacPointshellNode *node = &nodes[points[i]], *later = &nodes[points[least_int(i + AHEAD, listed - 1)]];
    __builtin_prefetch(later);
    __builtin_prefetch(&later->first_child); /* a node may span two cache lines */
    tacVec3 p = {(double)node->x, (double)node->y, (double)node->z};
    if (deforms) {
      const float *u = view->displacements + rows * (size_t)points[i];
      const float *ahead = view->displacements + rows * (size_t)points[least_int(i + ROWS_AHEAD, listed - 1)];
      for (int j = 0; j < 3 * stride; j += 16) __builtin_prefetch(ahead + j);
      p = tac_vec3_add(p, tac_float_rows_mul(u, stride, pose->q));
    }
    const Two xy = ((t_xy + p.x * x_xy) + p.y * y_xy) + p.z * z_xy;
    at[i] = (tacVec3){xy[0], xy[1], ((t_z + p.x * x_z) + p.y * y_z) + p.z * z_z};
  }
}

TAC_LANES_BODY void tac_shell_place_points_lanes(const int doubles, const tacPointshellView *view,
                                                 const tacPointshellNode *nodes, const tacShellPose *pose,
                                                 const int32_t *points, int count, int listed, tacVec3 *at) {
  (void)doubles;
  if (view->r > 0)
    place(view, nodes, pose, points, count, listed, at, true);
  else
    place(view, nodes, pose, points, count, listed, at, false);
}
TAC_LANES_KERNEL(, tac_shell_place_points,
                 (const tacPointshellView *view, const tacPointshellNode *nodes, const tacShellPose *pose,
                  const int32_t *points, int count, int listed, tacVec3 *at),
                 view, nodes, pose, points, count, listed, at)

int tac_shell_exhaustive(const tacPointshell *shell, const tacContactField *field, const tacShellPose *pose, int level,
                         int capacity, tacShellContact *contacts) {
  const tacPointshellView *view = tac_pointshell_view(shell);
  int size = tac_pointshell_size(shell, level), last = view->level_count - 1, contact_count = 0;
  double q[TAC_BODY_MOST_COORDINATES] = {0.0};
  tacShellPose padded = {pose->rotation, pose->translation, q};
  if (pose->q != NULL) memcpy(q, pose->q, (size_t)view->r * sizeof *q);
  for (int begin = 0; begin < size; begin += BLOCK) {
    int32_t points[BLOCK];
    tacVec3 at[BLOCK];
    double values[BLOCK], radii[BLOCK];
    tacDeformedLook looks[BLOCK] = {{.value = 0.0}};
    int count = least_int(size - begin, BLOCK);
    for (int i = 0; i < count; ++i) {
      points[i] = begin + i;
      radii[i] = INFINITY;
    }
    tac_shell_place_points(view, view->nodes[last], &padded, points, count, count, at);
    if (field->deformed == NULL) {
      tac_distance_field_values(field->field, count, at, values);
      for (int i = 0; i < count; ++i) looks[i].value = values[i];
    } else {
      tac_deformed_pose_look(field->deformed, count, at, radii, 0.0, looks);
    }
    for (int i = 0; i < count; ++i) {
      if (!(looks[i].value < 0.0)) continue;
      if (contact_count < capacity) contacts[contact_count] = tac_shell_contact(points[i], at[i], &looks[i]);
      ++contact_count;
    }
  }
  return contact_count;
}
