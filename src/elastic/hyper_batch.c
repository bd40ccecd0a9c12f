#include "elastic/hyper_batch.h"

#include <string.h>
#include "math/vector.h"

enum { LANES = TAC_HYPER_LANES };
typedef tacVectorPair Pair; /* two lanes: SSE2 and NEON have both, and every width gives the same bits */

static inline Pair load(const double *lanes) {
  return *(const Pair *)lanes;
}
static inline void store(double *lanes, Pair value) {
  *(Pair *)lanes = value;
}

void tac_hyper_shape_unit(tacHyperShape *shape) {
  memset(shape, 0, sizeof *shape);
  for (int l = 0; l < LANES; ++l) {
    for (int a = 0; a < 3; ++a) shape->gradient[a][a][l] = 1.0;
    shape->scale[l] = shape->weight[l] = 1.0;
  }
}

/* ---- deformation ---- */

void tac_hyper_batch_deform(const tacHyperShape *shape, tacHyperState *state) {
  for (int l = 0; l < LANES; l += 2) {
    Pair e[3][3], f[3][3], scale = load(shape->scale + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) e[a][i] = load(state->edge[a][i] + l);
    for (int j = 0; j < 3; ++j) {
      Pair d0 = load(shape->gradient[0][j] + l), d1 = load(shape->gradient[1][j] + l),
           d2 = load(shape->gradient[2][j] + l);
      for (int i = 0; i < 3; ++i) {
        f[i][j] = e[0][i] * d0 + e[1][i] * d1 + e[2][i] * d2;
        store(state->f[i][j] + l, f[i][j]);
      }
    }
    for (int a = 0; a < 3; ++a) {
      const Pair *p = e[(a + 1) % 3], *q = e[(a + 2) % 3];
      for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        store(state->area[a][i] + l, (p[i1] * q[i2] - p[i2] * q[i1]) * scale);
      }
    }
    store(state->j + l, e[0][0] * load(state->area[0][0] + l) + e[0][1] * load(state->area[0][1] + l) +
                            e[0][2] * load(state->area[0][2] + l));
    Pair xx = f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[0][2] * f[0][2];
    Pair yy = f[1][0] * f[1][0] + f[1][1] * f[1][1] + f[1][2] * f[1][2];
    Pair zz = f[2][0] * f[2][0] + f[2][1] * f[2][1] + f[2][2] * f[2][2];
    Pair yz = f[1][0] * f[2][0] + f[1][1] * f[2][1] + f[1][2] * f[2][2];
    Pair zx = f[2][0] * f[0][0] + f[2][1] * f[0][1] + f[2][2] * f[0][2];
    Pair xy = f[0][0] * f[1][0] + f[0][1] * f[1][1] + f[0][2] * f[1][2];
    store(state->left[0] + l, xx);
    store(state->left[1] + l, yy);
    store(state->left[2] + l, zz);
    store(state->left[3] + l, yz);
    store(state->left[4] + l, zx);
    store(state->left[5] + l, xy);
    store(state->i1 + l, xx + yy + zz);
    /* The sum of B's principal minors: no large squares that cancel. */
    store(state->i2 + l, (yy * zz - yz * yz) + (zz * xx - zx * zx) + (xx * yy - xy * xy));
  }
}

/* ---- a law by invariants ---- */

/* Corner 0 from the others. */
static inline void complete_force(tacHyperBlocks *blocks) {
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < LANES; ++l)
      blocks->force[0][i][l] = -((blocks->force[1][i][l] + blocks->force[2][i][l]) + blocks->force[3][i][l]);
}

/* Entries of a block on the diagonal: [row][column], its lower half by columns. */
static const int half[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/* The entry (row i, column j) of the block of corners a and b (1 to 3), from whichever is stored. */
static inline const double *entry(const tacHyperBlocks *blocks, int a, int b, int i, int j) {
  return blocks->tangent[a == b  ? tac_hyper_block_start[a][a] + half[i][j]
                         : a > b ? tac_hyper_block_start[a][b] + 3 * j + i
                                 : tac_hyper_block_start[b][a] + 3 * i + j];
}

void tac_hyper_batch_complete(tacHyperBlocks *blocks) {
  for (int a = 1; a < 4; ++a)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const double *p = entry(blocks, a, 1, i, j), *q = entry(blocks, a, 2, i, j), *r = entry(blocks, a, 3, i, j);
        double *at = blocks->tangent[tac_hyper_block_start[a][0] + 3 * j + i];
        for (int l = 0; l < LANES; l += 2) store(at + l, -((load(p + l) + load(q + l)) + load(r + l)));
      }
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      const double *p = blocks->tangent[tac_hyper_block_start[1][0] + 3 * j + i],
                   *q = blocks->tangent[tac_hyper_block_start[2][0] + 3 * j + i],
                   *r = blocks->tangent[tac_hyper_block_start[3][0] + 3 * j + i];
      double *at = blocks->tangent[half[i][j]];
      for (int l = 0; l < LANES; l += 2) store(at + l, -((load(p + l) + load(q + l)) + load(r + l)));
    }
}

/* Terms of I2 are left out where a law has none. */
static inline __attribute__((always_inline)) void isotropic(const tacHyperShape *shape, const tacHyperState *state,
                                                            const tacInvariantEnergy *energy, bool with_i2,
                                                            bool with_tangent, tacHyperBlocks *blocks) {
  for (int l = 0; l < LANES; l += 2) {
    Pair d[3][3], u[3][3], v[3][3], z[3][3], weight = load(shape->weight + l), b[6];
    Pair two = weight + weight, w1 = two * load(energy->w1 + l), wj = weight * load(energy->wj + l);
    Pair w2 = two * load(energy->w2 + l), i1 = load(state->i1 + l);
    for (int k = 0; k < 6; ++k) b[k] = load(state->left[k] + l);
    for (int a = 0; a < 3; ++a) {
      for (int i = 0; i < 3; ++i) {
        d[a][i] = load(shape->gradient[a][i] + l);
        u[a][i] = load(state->area[a][i] + l);
      }
      for (int i = 0; i < 3; ++i)
        v[a][i] = load(state->f[i][0] + l) * d[a][0] + load(state->f[i][1] + l) * d[a][1] +
                  load(state->f[i][2] + l) * d[a][2];
      if (with_i2) {
        z[a][0] = i1 * v[a][0] - (b[0] * v[a][0] + b[5] * v[a][1] + b[4] * v[a][2]);
        z[a][1] = i1 * v[a][1] - (b[5] * v[a][0] + b[1] * v[a][1] + b[3] * v[a][2]);
        z[a][2] = i1 * v[a][2] - (b[4] * v[a][0] + b[3] * v[a][1] + b[2] * v[a][2]);
      }
      for (int i = 0; i < 3; ++i) {
        Pair force = w1 * v[a][i] + wj * u[a][i];
        if (with_i2) force += w2 * z[a][i];
        store(blocks->force[a + 1][i] + l, force);
      }
    }
    if (!with_tangent) continue;

    Pair four = two + two, w11 = four * load(energy->w11 + l), w1j = two * load(energy->w1j + l),
         wjj = weight * load(energy->wjj + l), turn = wj * load(shape->scale + l);
    Pair w12 = four * load(energy->w12 + l), w22 = four * load(energy->w22 + l), w2j = two * load(energy->w2j + l);
    for (int c = 0; c < 3; ++c) { /* columns: corner c + 1 */
      Pair p[3], q[3], r[3];      /* what v_a, z_a and u_a are multiplied with */
      for (int j = 0; j < 3; ++j) {
        p[j] = w11 * v[c][j] + w1j * u[c][j];
        r[j] = w1j * v[c][j] + wjj * u[c][j];
        if (with_i2) {
          p[j] += w12 * z[c][j] + (w2 + w2) * v[c][j];
          r[j] += w2j * z[c][j];
          q[j] = w12 * v[c][j] + w22 * z[c][j] + w2j * u[c][j];
        }
      }
      for (int a = c; a < 3; ++a) {
        Pair dot = d[a][0] * d[c][0] + d[a][1] * d[c][1] + d[a][2] * d[c][2], straight = w1 * dot, flat = w2 * dot;
        if (with_i2) straight += flat * i1 - w2 * (v[a][0] * v[c][0] + v[a][1] * v[c][1] + v[a][2] * v[c][2]);
        Pair block[3][3];
        for (int j = 0; j < 3; ++j)
          for (int i = a == c ? j : 0; i < 3; ++i) {
            Pair sum = v[a][i] * p[j] + u[a][i] * r[j];
            if (with_i2) sum += z[a][i] * q[j] - (w2 * v[c][i]) * v[a][j];
            block[i][j] = sum;
          }
        if (with_i2) {
          for (int i = 0; i < 3; ++i) block[i][i] -= flat * b[i];
          block[2][1] -= flat * b[3];
          block[2][0] -= flat * b[4];
          block[1][0] -= flat * b[5];
          if (a != c) {
            block[1][2] -= flat * b[3];
            block[0][2] -= flat * b[4];
            block[0][1] -= flat * b[5];
          }
        }
        for (int i = 0; i < 3; ++i) block[i][i] += straight;
        if (a != c) { /* d2J: the edge that is neither, + [e x] for a after c in the circle */
          const int other = 3 - a - c;
          Pair sign = a - c == 1 ? turn : -turn, x = sign * load(state->edge[other][0] + l),
               y = sign * load(state->edge[other][1] + l), w = sign * load(state->edge[other][2] + l);
          block[0][1] -= w;
          block[0][2] += y;
          block[1][0] += w;
          block[1][2] -= x;
          block[2][0] -= y;
          block[2][1] += x;
        }
        double(*at)[LANES] = blocks->tangent + tac_hyper_block_start[a + 1][c + 1];
        for (int j = 0; j < 3; ++j)
          for (int i = a == c ? j : 0; i < 3; ++i) store(at[a == c ? half[i][j] : 3 * j + i] + l, block[i][j]);
      }
    }
  }
}

void tac_hyper_batch_isotropic(const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy,
                               bool with_tangent, tacHyperBlocks *blocks) {
  bool with_i2 = false;
  for (int l = 0; l < LANES; ++l)
    with_i2 |= energy->w2[l] != 0.0 || energy->w12[l] != 0.0 || energy->w22[l] != 0.0 || energy->w2j[l] != 0.0;
  if (!with_tangent)
    isotropic(shape, state, energy, true, false, blocks);
  else if (with_i2)
    isotropic(shape, state, energy, true, true, blocks);
  else
    isotropic(shape, state, energy, false, true, blocks);
  complete_force(blocks);
  if (with_tangent) tac_hyper_batch_complete(blocks);
}

/* ---- any law, by derivatives by F ---- */

void tac_hyper_batch_pull(const tacHyperShape *shape, const tacHyperBlocks *by_gradient, bool with_tangent,
                          tacHyperBlocks *blocks) {
  for (int l = 0; l < LANES; l += 2) {
    Pair d[3][3], weight = load(shape->weight + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) d[a][i] = load(shape->gradient[a][i] + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        store(blocks->force[a + 1][i] + l,
              weight * (load(by_gradient->force[1][i] + l) * d[a][0] + load(by_gradient->force[2][i] + l) * d[a][1] +
                        load(by_gradient->force[3][i] + l) * d[a][2]));
    for (int c = 0; with_tangent && c < 3; ++c)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          Pair row[3]; /* d2 / dF_i. dx_c,j */
          for (int n = 0; n < 3; ++n)
            row[n] = weight * (load(entry(by_gradient, n + 1, 1, i, j) + l) * d[c][0] +
                               load(entry(by_gradient, n + 1, 2, i, j) + l) * d[c][1] +
                               load(entry(by_gradient, n + 1, 3, i, j) + l) * d[c][2]);
          for (int a = c; a < 3; ++a)
            if (a > c || i >= j)
              store(blocks->tangent[tac_hyper_block_start[a + 1][c + 1] + (a == c ? half[i][j] : 3 * j + i)] + l,
                    row[0] * d[a][0] + row[1] * d[a][1] + row[2] * d[a][2]);
        }
  }
  complete_force(blocks);
  if (with_tangent) tac_hyper_batch_complete(blocks);
}

/* ---- viscosity ---- */

void tac_hyper_batch_relax(const tacHyperShape *shape, const tacHyperState *state, double keep,
                           const double g[6][TAC_HYPER_LANES], bool with_tangent, tacHyperBlocks *blocks) {
  static const int row[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  for (int a = 1; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < LANES; ++l) blocks->force[a][i][l] *= keep;
  for (int n = 0; with_tangent && n < TAC_HYPER_TANGENT; ++n)
    for (int l = 0; l < LANES; ++l) blocks->tangent[n][l] *= keep;
  for (int l = 0; l < LANES; ++l) {
    double t[3][3]; /* |V| G D_a */
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        t[a][i] = shape->weight[l] *
                  (g[row[i][0]][l] * shape->gradient[a][0][l] + g[row[i][1]][l] * shape->gradient[a][1][l] +
                   g[row[i][2]][l] * shape->gradient[a][2][l]);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        blocks->force[a + 1][i][l] -=
            state->f[i][0][l] * t[a][0] + state->f[i][1][l] * t[a][1] + state->f[i][2][l] * t[a][2];
    if (!with_tangent) continue;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c <= a; ++c) {
        double dot = shape->gradient[a][0][l] * t[c][0] + shape->gradient[a][1][l] * t[c][1] +
                     shape->gradient[a][2][l] * t[c][2];
        double(*at)[LANES] = blocks->tangent + tac_hyper_block_start[a + 1][c + 1];
        for (int i = 0; i < 3; ++i) at[a == c ? half[i][i] : 4 * i][l] -= dot;
      }
  }
  complete_force(blocks);
  if (with_tangent) tac_hyper_batch_complete(blocks);
}
