#include "contact/contact_spring.h"

#include <string.h>
#include <tactus/body.h>
#include "base/lanes.h"
#include "math/geometry/float4.h"

/* ---- rigid bodies ---- */

void tac_contact_springs_on_rigid(int count, const tacContactSpring *springs, double sign, tacVec3 about,
                                  tacWrench *wrench, double stiffness[6][6]) {
  tacVec3 force = {0.0, 0.0, 0.0}, torque = force;
  /* J^T K J with J = [I, -r~] (r~: cross-product matrix of r) has the diagonal blocks K and -r~ K r~ = r~ (r~ K)^T, and
   * the lower left block r~ K. Only the upper triangles of the diagonal blocks are summed. */
  double k[6] = {0.0}, m[3][3] = {{0.0}}, d[6] = {0.0};
  for (int i = 0; i < count; ++i) {
    const tacContactSpring *s = &springs[i];
    tacVec3 r = tac_vec3_sub(s->at, about);
    force = tac_vec3_add(force, s->force);
    torque = tac_vec3_add(torque, tac_vec3_cross(r, s->force));
    double xx = s->stiffness.m[0][0], xy = s->stiffness.m[0][1], xz = s->stiffness.m[0][2];
    double yy = s->stiffness.m[1][1], yz = s->stiffness.m[1][2], zz = s->stiffness.m[2][2];
    double m00 = r.y * xz - r.z * xy, m01 = r.y * yz - r.z * yy, m02 = r.y * zz - r.z * yz;
    double m10 = r.z * xx - r.x * xz, m11 = r.z * xy - r.x * yz, m12 = r.z * xz - r.x * zz;
    double m20 = r.x * xy - r.y * xx, m21 = r.x * yy - r.y * xy, m22 = r.x * yz - r.y * xz;
    k[0] += xx, k[1] += xy, k[2] += xz, k[3] += yy, k[4] += yz, k[5] += zz;
    m[0][0] += m00, m[0][1] += m01, m[0][2] += m02;
    m[1][0] += m10, m[1][1] += m11, m[1][2] += m12;
    m[2][0] += m20, m[2][1] += m21, m[2][2] += m22;
    d[0] += r.y * m02 - r.z * m01, d[1] += r.z * m00 - r.x * m02, d[2] += r.x * m01 - r.y * m00;
    d[3] += r.z * m10 - r.x * m12, d[4] += r.x * m11 - r.y * m10;
    d[5] += r.x * m21 - r.y * m20;
  }
  wrench->force = tac_vec3_mad(wrench->force, sign, force);
  wrench->torque = tac_vec3_mad(wrench->torque, sign, torque);
  for (int i = 0, place = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      stiffness[3 + i][j] += m[i][j];
      stiffness[j][3 + i] += m[i][j];
      if (j < i) continue;
      stiffness[i][j] += k[place];
      stiffness[3 + i][3 + j] += d[place];
      if (j > i) {
        stiffness[j][i] += k[place];
        stiffness[3 + j][3 + i] += d[place];
      }
      ++place;
    }
}

/* ---- reduced bodies ---- */

/* Sums are computed in the body's frame, where K becomes turn^T K turn, so that rows need no rotation. Panel A contains
 * the stacked rows of many springs, and panel B is K A. The stiffness is B^T A, and the mixed stiffness is B^T J.
 * Products are computed in tiles that fit into registers. Panels are float, like rows. Forces and sums over panels are
 * double. */
enum {
  TILE = 8,
  PANEL = 3072, /* floats per panel; enough for 6 springs with 160 coordinates */
  LINE = 16,    /* floats per cache line of 64 bytes */
  AHEAD = 4     /* prefetch distance: number of springs ahead */
};

typedef struct Panels {
  int depth; /* number of rows of both panels, three per spring */
  int width; /* floats per row of b */
  /* Floats per row of a. If `mixed` is computed, the last tile of a row holds a row of J: 6 numbers and 2 zeros. */
  int a_stride;
  double force[PANEL / TILE];
  _Alignas(16) float a[PANEL];
  _Alignas(16) float b[PANEL];
} Panels;

/* Computes a tile of B^T A from 8 columns of b and 8 columns of a, each with `depth` rows. */
TAC_LANES_BODY void tile_product(const int doubles, int depth, const float *b, int b_stride, const float *a,
                                 int a_stride, tacFloat4 tile[TILE][TILE / 4]) {
  if (doubles > 2) { /* wide vectors: one vector per row of the tile */
    typedef float Eight __attribute__((vector_size(4 * TILE)));
    Eight rows[TILE];
    memset(rows, 0, sizeof rows);
    for (int k = 0; k < depth; ++k, a += a_stride, b += b_stride) {
      Eight row;
      memcpy(&row, a, sizeof row);
      for (int i = 0; i < TILE; ++i) rows[i] += b[i] * row;
    }
    memcpy(tile, rows, sizeof rows);
    return;
  }
  tacFloat4 left[TILE], right[TILE];
  for (int i = 0; i < TILE; ++i) left[i] = right[i] = tac_float4(0.0f);
  for (int k = 0; k < depth; ++k, a += a_stride, b += b_stride) {
    tacFloat4 a0 = ((const tacFloat4 *)a)[0], a1 = ((const tacFloat4 *)a)[1];
    tacFloat4 b0 = ((const tacFloat4 *)b)[0], b1 = ((const tacFloat4 *)b)[1];
    for (int i = 0; i < 4; ++i) {
      left[i] += b0[i] * a0;
      right[i] += b0[i] * a1;
      left[4 + i] += b1[i] * a0;
      right[4 + i] += b1[i] * a1;
    }
  }
  for (int i = 0; i < TILE; ++i) {
    tile[i][0] = left[i];
    tile[i][1] = right[i];
  }
}

/* Adds A^T f to `sum`, for 8 columns of a with `depth` rows. */
TAC_LANES_BODY void column_product(int depth, const double *restrict f, const float *restrict a, int a_stride,
                                   double sum[restrict TILE]) {
  for (int k = 0; k < depth; ++k, a += a_stride)
    for (int j = 0; j < TILE; ++j) sum[j] += f[k] * (double)a[j];
}

/* Sets four columns of the panels for one spring: a = rows, b = K rows. */
TAC_LANES_BODY void add_columns(const float *rows, int stride, const float k[6], float *a, int a_stride, float *b,
                                int b_stride) {
  tacFloat4 x = tac_float4_load(rows), y = tac_float4_load(rows + stride), z = tac_float4_load(rows + 2 * stride);
  *(tacFloat4 *)a = x;
  *(tacFloat4 *)(a + a_stride) = y;
  *(tacFloat4 *)(a + 2 * a_stride) = z;
  *(tacFloat4 *)b = k[0] * x + k[1] * y + k[2] * z;
  *(tacFloat4 *)(b + b_stride) = k[1] * x + k[3] * y + k[4] * z;
  *(tacFloat4 *)(b + 2 * b_stride) = k[2] * x + k[4] * y + k[5] * z;
}

TAC_LANES_BODY void add_spring(Panels *p, const tacContactSpring *spring, const float *rows, int r, int stride,
                               const tacMat3 *turn, double sign, const tacVec3 *lever) {
  /* The columns of the rotation are the axes of the body. */
  const double(*t)[3] = turn->m, (*w)[3] = spring->stiffness.m;
  double product[3][3], *f = p->force + p->depth;
  float k[6];
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) product[i][j] = w[i][0] * t[0][j] + w[i][1] * t[1][j] + w[i][2] * t[2][j];
    f[j] = sign * (t[0][j] * spring->force.x + t[1][j] * spring->force.y + t[2][j] * spring->force.z);
  }
  for (int i = 0, place = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j, ++place)
      k[place] = (float)(t[0][i] * product[0][j] + t[1][i] * product[1][j] + t[2][i] * product[2][j]);

  float *a = p->a + p->depth * p->a_stride, *b = p->b + p->depth * p->width;
  int i = 0;
  for (; i < r && i + 4 <= stride; i += 4) /* columns from r on are written but not used */
    add_columns(rows + i, stride, k, a + i, p->a_stride, b + i, p->width);
  if (i < r) {
    float rest[3][4] = {{0.0f}};
    for (int j = i; j < r; ++j)
      for (int axis = 0; axis < 3; ++axis) rest[axis][j - i] = rows[axis * stride + j];
    add_columns(rest[0], 4, k, a + i, p->a_stride, b + i, p->width);
  }
  if (lever != NULL) { /* J = [I, -l~] in the body's frame */
    float l[3];
    for (int j = 0; j < 3; ++j) l[j] = (float)(t[0][j] * lever->x + t[1][j] * lever->y + t[2][j] * lever->z);
    float *j0 = a + p->width, *j1 = j0 + p->a_stride, *j2 = j1 + p->a_stride;
    j0[0] = j1[1] = j2[2] = 1.0f;
    j0[4] = l[2], j0[5] = -l[1];
    j1[3] = -l[2], j1[5] = l[0];
    j2[3] = l[1], j2[4] = -l[0];
  }
  p->depth += 3;
}

/* Adds the products of the panels to `force`, `stiffness` and `mixed`, and empties the panels. `mixed` [r][6] is in the
 * body's frame and may be NULL. */
TAC_LANES_BODY void add_panels_lanes(const int doubles, Panels *p, int r, double *force, double *stiffness,
                                     double (*mixed)[6]) {
  tacFloat4 tile[TILE][TILE / 4];
  for (int i0 = 0; i0 < r; i0 += TILE) {
    int i1 = i0 + TILE < r ? i0 + TILE : r;
    column_product(p->depth, p->force, p->a + i0, p->a_stride, force + i0);
    for (int j0 = 0; j0 <= i0; j0 += TILE) {
      tile_product(doubles, p->depth, p->b + i0, p->width, p->a + j0, p->a_stride, tile);
      for (int i = i0; i < i1; ++i)
        for (int j = j0; j < j0 + TILE && j <= i; ++j) {
          double sum = (double)tile[i - i0][(j - j0) / 4][j % 4];
          stiffness[i * r + j] += sum;
          if (j < i) stiffness[j * r + i] += sum;
        }
    }
    if (mixed == NULL) continue;
    tile_product(doubles, p->depth, p->b + i0, p->width, p->a + p->width, p->a_stride, tile);
    for (int i = i0; i < i1; ++i)
      for (int j = 0; j < 6; ++j) mixed[i][j] += (double)tile[i - i0][j / 4][j % 4];
  }
  p->depth = 0;
}

TAC_LANES_KERNEL(static, add_panels, (Panels * p, int r, double *force, double *stiffness, double (*mixed)[6]), p, r,
                 force, stiffness, mixed)

/* Fills the panels with `count` springs. `left`: number of remaining springs, which limits the prefetch. */
TAC_LANES_BODY void fill_panels_lanes(const int doubles, Panels *p, int count, const tacContactSpring *springs,
                                      const tacSpringRows *rows, int left, int r, int stride, const tacMat3 *turn,
                                      double sign, const tacVec3 *about) {
  (void)doubles;
  for (int i = 0; i < count; ++i) {
    /* Prefetches the rows of a later spring, since rows are scattered in memory. */
    const float *ahead = rows[i + AHEAD < left ? i + AHEAD : left - 1].rows;
    for (int j = 0; j < 3 * stride; j += LINE) __builtin_prefetch(ahead + j);
    if (about != NULL) {
      tacVec3 lever = tac_vec3_sub(springs[i].at, *about);
      add_spring(p, &springs[i], rows[i].rows, r, stride, turn, sign, &lever);
    } else {
      add_spring(p, &springs[i], rows[i].rows, r, stride, turn, sign, NULL);
    }
  }
}
TAC_LANES_KERNEL(static, fill_panels,
                 (Panels * p, int count, const tacContactSpring *springs, const tacSpringRows *rows, int left, int r,
                  int stride, const tacMat3 *turn, double sign, const tacVec3 *about),
                 p, count, springs, rows, left, r, stride, turn, sign, about)

void tac_contact_springs_on_reduced(int count, const tacContactSpring *springs, const tacSpringRows *rows, int r,
                                    int stride, tacMat3 turn, double sign, tacVec3 about, double *force,
                                    double *stiffness, double *mixed) {
  Panels p;
  p.depth = 0;
  p.width = (r + TILE - 1) / TILE * TILE;
  p.a_stride = p.width + (mixed != NULL ? TILE : 0);
  int most = PANEL / p.a_stride / 3 * 3, used = count < most / 3 ? 3 * count : most;
  memset(p.a, 0, (size_t)(used * p.a_stride) * sizeof *p.a); /* the padding of tiles stays zero */
  memset(p.b, 0, (size_t)(used * p.width) * sizeof *p.b);
  double sum[TAC_BODY_MOST_COORDINATES + TILE], turned[TAC_BODY_MOST_COORDINATES][6];
  memset(sum, 0, (size_t)p.width * sizeof *sum);
  if (mixed != NULL) memset(turned, 0, (size_t)r * sizeof *turned);
  for (int begin = 0; begin < count; begin += most / 3) {
    const int left = count - begin, size = left < most / 3 ? left : most / 3;
    fill_panels(&p, size, springs + begin, rows + begin, left, r, stride, &turn, sign, mixed != NULL ? &about : NULL);
    add_panels(&p, r, sum, stiffness, mixed != NULL ? turned : NULL);
  }
  for (int i = 0; i < r; ++i) force[i] += sum[i];
  if (mixed == NULL) return;
  for (int i = 0; i < r; ++i)
    for (int half = 0; half < 6; half += 3) {
      tacVec3 v = tac_mat3_mul_vec(turn, tac_vec3(turned[i][half], turned[i][half + 1], turned[i][half + 2]));
      mixed[half * r + i] += v.x;
      mixed[(half + 1) * r + i] += v.y;
      mixed[(half + 2) * r + i] += v.z;
    }
}
