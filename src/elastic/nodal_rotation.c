#include "elastic/nodal_rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "math/geometry/quat.h"
#include "math/geometry/svd3.h"

struct tacNodalRotation {
  tacArrays arrays;
  int node_count;
  int *start;     /* [node + 1] into `neighbour` */
  int *neighbour; /* both ways */
  double *mass;
  double *then;
  tacVec3 *arm;  /* [neighbour]: m_j (x0_j - x0_i) */
  tacQuat *last; /* [node] */
};

/* Nodes that share a block of the lower triangle, counted (`neighbour` is NULL) or written. */
static void connect(const tacSparse *pattern, int *start, int *neighbour, int *seen) {
  int nodes = pattern->cols / 3;
  for (int j = 0; j < nodes; ++j) seen[j] = -1;
  for (int j = 0; j < nodes; ++j)
    for (int p = pattern->column_start[3 * j]; p < pattern->column_start[3 * j + 3]; ++p) {
      int i = pattern->row[p] / 3;
      if (i <= j || seen[i] == j) continue;
      seen[i] = j;
      if (neighbour != NULL) {
        neighbour[start[i]] = j;
        neighbour[start[j]] = i;
      }
      ++start[i];
      ++start[j];
    }
}

tacStatus tac_nodal_rotation_create(const tacSparse *pattern, const double *mass, tacNodalRotation **rotation,
                                    tacError *error) {
  *rotation = NULL;
  if (pattern->rows != pattern->cols || pattern->cols % 3 != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the pattern for nodal rotations is %d x %d; it must be square, with a multiple of 3 rows",
                         pattern->rows, pattern->cols);
  static const char what[] = "rotations of nodes";
  TAC_MEMORY(int, seen) = NULL;
  TAC_OWN(tacNodalRotation, r) = tac_array_create(1, sizeof *r, what, error);
  if (r == NULL) return TAC_ERR_MEMORY;
  size_t nodes = (size_t)pattern->cols / 3;
  r->node_count = (int)nodes;
  TAC_TRY(TAC_ARRAY(seen, nodes, what, error));
  r->start = tac_arrays_add(&r->arrays, nodes + 2, sizeof *r->start);
  r->mass = tac_arrays_add(&r->arrays, nodes, sizeof *r->mass);
  r->then = tac_arrays_add(&r->arrays, 3 * nodes, sizeof *r->then);
  r->last = tac_arrays_add(&r->arrays, nodes, sizeof *r->last);
  TAC_TRY(tac_arrays_status(&r->arrays, what, error));
  /* Counted two places ahead and written one ahead, so that starts are where they belong in the end. */
  if (nodes > 0) connect(pattern, r->start + 2, NULL, seen);
  for (size_t i = 1; i < nodes + 2; ++i) r->start[i] += r->start[i - 1];
  size_t count = (size_t)r->start[nodes + 1];
  r->neighbour = tac_arrays_add(&r->arrays, count, sizeof *r->neighbour);
  r->arm = tac_arrays_add(&r->arrays, count, sizeof *r->arm);
  TAC_TRY(tac_arrays_status(&r->arrays, what, error));
  if (nodes > 0) connect(pattern, r->start + 1, r->neighbour, seen);
  for (size_t i = 0; i < nodes; ++i) r->mass[i] = mass != NULL ? mass[i] : 1.0;
  tac_nodal_rotation_begin(r, r->then);
  *rotation = tac_give(&r);
  return TAC_OK;
}

void tac_nodal_rotation_destroy(tacNodalRotation *r) {
  if (r == NULL) return;
  tac_arrays_free(&r->arrays);
  free(r);
}

static tacVec3 at(const double *x, int node) {
  return tac_vec3(x[3 * node], x[3 * node + 1], x[3 * node + 2]);
}

void tac_nodal_rotation_begin(tacNodalRotation *r, const double *then) {
  if (then != r->then) memcpy(r->then, then, 3 * (size_t)r->node_count * sizeof *then);
  for (int i = 0; i < r->node_count; ++i) {
    r->last[i] = tac_quat_identity();
    for (int p = r->start[i]; p < r->start[i + 1]; ++p)
      r->arm[p] = tac_vec3_scale(r->mass[r->neighbour[p]], tac_vec3_sub(at(then, r->neighbour[p]), at(then, i)));
  }
}

/* H w = v by Cholesky; false where H is not positive definite to within `least`. */
static bool solve_definite(const double h[6], double least, tacVec3 v, tacVec3 *w) {
  double xx = h[0], xy = h[1], xz = h[2], yy = h[3], yz = h[4], zz = h[5];
  if (!(xx > least)) return false;
  double lyx = xy / xx, lzx = xz / xx;
  double dy = yy - lyx * xy;
  if (!(dy > least)) return false;
  double dyz = yz - lyx * xz, lzy = dyz / dy;
  double dz = zz - lzx * xz - lzy * dyz;
  if (!(dz > least)) return false;
  double y = v.y - lyx * v.x, z = v.z - lzx * v.x - lzy * y;
  w->z = z / dz;
  w->y = y / dy - lzy * w->z;
  w->x = v.x / xx - lyx * w->y - lzx * w->z;
  return true;
}

/* What of A's size its second largest direction must have for R to be told. */
static const double THINNEST = 1e-9;

/* Newton from *q; false where it does not get there within a few steps. */
static bool turn_from(tacMat3 a, tacQuat *q) {
  enum { STEPS = 6 };
  double least = THINNEST * tac_mat3_norm(a);
  tacQuat turn = *q;
  for (int step = 0; step < STEPS; ++step) {
    tacMat3 b = tac_mat3_mul(tac_mat3_transpose(tac_quat_to_mat3(turn)), a);
    double xx = b.m[0][0], yy = b.m[1][1], zz = b.m[2][2];
    double h[6] = {yy + zz, -0.5 * (b.m[0][1] + b.m[1][0]), -0.5 * (b.m[0][2] + b.m[2][0]),
                   xx + zz, -0.5 * (b.m[1][2] + b.m[2][1]), xx + yy};
    tacVec3 v = tac_vec3(b.m[2][1] - b.m[1][2], b.m[0][2] - b.m[2][0], b.m[1][0] - b.m[0][1]), w;
    if (!solve_definite(h, least, v, &w)) return false;
    double size2 = tac_vec3_norm2(w);
    if (!(size2 < 1.0)) return false;
    /* 1 + w/2 of unit length turns by |w| - |w|^3 / 12 + ...: near enough for a step that converges quadratically. */
    turn = tac_quat_normalise(tac_quat_mul(turn, tac_quat(1.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z)));
    if (size2 < 1e-16) { /* what is left is of the order of w^2 */
      *q = turn;
      return true;
    }
  }
  return false;
}

static tacQuat nearest_turn(tacMat3 a) {
  tacSvd3 svd = tac_svd3_rotations(a);
  if (!(svd.s[1] + svd.s[2] > THINNEST * svd.s[0])) return tac_quat_identity();
  return tac_quat_from_mat3(tac_mat3_mul(svd.u, tac_mat3_transpose(svd.v)));
}

void tac_nodal_rotation_update(tacNodalRotation *r, const double *now, tacMat3 *turn) {
  for (int i = 0; i < r->node_count; ++i) {
    tacMat3 a = tac_mat3_zero();
    tacVec3 x = at(now, i);
    for (int p = r->start[i]; p < r->start[i + 1]; ++p) {
      tacVec3 d = tac_vec3_sub(at(now, r->neighbour[p]), x), arm = r->arm[p];
      a.m[0][0] += d.x * arm.x, a.m[0][1] += d.x * arm.y, a.m[0][2] += d.x * arm.z;
      a.m[1][0] += d.y * arm.x, a.m[1][1] += d.y * arm.y, a.m[1][2] += d.y * arm.z;
      a.m[2][0] += d.z * arm.x, a.m[2][1] += d.z * arm.y, a.m[2][2] += d.z * arm.z;
    }
    if (!turn_from(a, &r->last[i])) r->last[i] = nearest_turn(a);
    turn[i] = tac_quat_to_mat3(r->last[i]);
  }
}

void tac_nodal_rotation_save(const tacNodalRotation *r, double *last) {
  for (int i = 0; i < r->node_count; ++i) {
    const double q[4] = {r->last[i].w, r->last[i].x, r->last[i].y, r->last[i].z};
    memcpy(last + 4 * i, q, sizeof q);
  }
}

void tac_nodal_rotation_load(tacNodalRotation *r, const double *last) {
  for (int i = 0; i < r->node_count; ++i) {
    const double *q = last + 4 * i;
    double norm2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    r->last[i] = fabs(norm2 - 1.0) < 1e-6 ? tac_quat(q[0], q[1], q[2], q[3]) : tac_quat_identity();
  }
}
