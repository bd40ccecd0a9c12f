/* The arithmetic of hyper_batch.c for one width: included there once for each, with WIDTH, the doubles that are computed at
 * once, and TARGET, the processors that have them. Vectors are written out since no compiler makes them of loops this deep. */
#define OF_WIDTH(name, width) OF_WIDTH_(name, width)
#define OF_WIDTH_(name, width) name##_on_##width
#define OF(name) OF_WIDTH(name, WIDTH)

typedef double OF(Vector) __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));
#define Vector OF(Vector)
#define LOAD(from) (*(const Vector *)(from))
#define STORE(to, value) (*(Vector *)(to) = (value))

/* ---- deformation ---- */

TARGET static void OF(deform)(const tacHyperShape *shape, tacHyperState *state) {
  for (int l = 0; l < LANES; l += WIDTH) {
    Vector e[3][3], f[3][3], scale = LOAD(shape->scale + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) e[a][i] = LOAD(state->edge[a][i] + l);
    for (int j = 0; j < 3; ++j) {
      Vector d0 = LOAD(shape->gradient[0][j] + l), d1 = LOAD(shape->gradient[1][j] + l),
             d2 = LOAD(shape->gradient[2][j] + l);
      for (int i = 0; i < 3; ++i) {
        f[i][j] = e[0][i] * d0 + e[1][i] * d1 + e[2][i] * d2;
        STORE(state->f[i][j] + l, f[i][j]);
      }
    }
    for (int a = 0; a < 3; ++a) {
      const Vector *p = e[(a + 1) % 3], *q = e[(a + 2) % 3];
      for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        STORE(state->area[a][i] + l, (p[i1] * q[i2] - p[i2] * q[i1]) * scale);
      }
    }
    STORE(state->j + l, e[0][0] * LOAD(state->area[0][0] + l) + e[0][1] * LOAD(state->area[0][1] + l) +
                            e[0][2] * LOAD(state->area[0][2] + l));
    Vector xx = f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[0][2] * f[0][2];
    Vector yy = f[1][0] * f[1][0] + f[1][1] * f[1][1] + f[1][2] * f[1][2];
    Vector zz = f[2][0] * f[2][0] + f[2][1] * f[2][1] + f[2][2] * f[2][2];
    Vector yz = f[1][0] * f[2][0] + f[1][1] * f[2][1] + f[1][2] * f[2][2];
    Vector zx = f[2][0] * f[0][0] + f[2][1] * f[0][1] + f[2][2] * f[0][2];
    Vector xy = f[0][0] * f[1][0] + f[0][1] * f[1][1] + f[0][2] * f[1][2];
    STORE(state->left[0] + l, xx);
    STORE(state->left[1] + l, yy);
    STORE(state->left[2] + l, zz);
    STORE(state->left[3] + l, yz);
    STORE(state->left[4] + l, zx);
    STORE(state->left[5] + l, xy);
    STORE(state->i1 + l, xx + yy + zz);
    /* The sum of B's principal minors: no large squares that cancel. */
    STORE(state->i2 + l, (yy * zz - yz * yz) + (zz * xx - zx * zx) + (xx * yy - xy * xy));
  }
}

/* ---- a law by invariants ---- */

/* Corner 0 from the others. */
TARGET static inline void OF(complete_force)(tacHyperBlocks *blocks) {
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < LANES; l += WIDTH)
      STORE(blocks->force[0][i] + l,
            -((LOAD(blocks->force[1][i] + l) + LOAD(blocks->force[2][i] + l)) + LOAD(blocks->force[3][i] + l)));
}

TARGET static void OF(complete)(tacHyperBlocks *blocks) {
  for (int a = 1; a < 4; ++a)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const double *p = entry(blocks, a, 1, i, j), *q = entry(blocks, a, 2, i, j), *r = entry(blocks, a, 3, i, j);
        double *at = blocks->tangent[tac_hyper_block_start[a][0] + 3 * j + i];
        for (int l = 0; l < LANES; l += WIDTH) STORE(at + l, -((LOAD(p + l) + LOAD(q + l)) + LOAD(r + l)));
      }
  for (int j = 0; j < 3; ++j)
    for (int i = j; i < 3; ++i) {
      const double *p = blocks->tangent[tac_hyper_block_start[1][0] + 3 * j + i],
                   *q = blocks->tangent[tac_hyper_block_start[2][0] + 3 * j + i],
                   *r = blocks->tangent[tac_hyper_block_start[3][0] + 3 * j + i];
      double *at = blocks->tangent[half[i][j]];
      for (int l = 0; l < LANES; l += WIDTH) STORE(at + l, -((LOAD(p + l) + LOAD(q + l)) + LOAD(r + l)));
    }
}

/* Terms of I2 are left out where a law has none. */
TARGET static inline __attribute__((always_inline)) void OF(find_isotropic)(const tacHyperShape *shape,
                                                                            const tacHyperState *state,
                                                                            const tacInvariantEnergy *energy,
                                                                            bool with_i2, bool with_tangent,
                                                                            tacHyperBlocks *blocks) {
  for (int l = 0; l < LANES; l += WIDTH) {
    Vector d[3][3], u[3][3], v[3][3], z[3][3], weight = LOAD(shape->weight + l), b[6];
    Vector two = weight + weight, w1 = two * LOAD(energy->w1 + l), wj = weight * LOAD(energy->wj + l);
    Vector w2 = two * LOAD(energy->w2 + l), i1 = LOAD(state->i1 + l);
    for (int k = 0; k < 6; ++k) b[k] = LOAD(state->left[k] + l);
    for (int a = 0; a < 3; ++a) {
      for (int i = 0; i < 3; ++i) {
        d[a][i] = LOAD(shape->gradient[a][i] + l);
        u[a][i] = LOAD(state->area[a][i] + l);
      }
      for (int i = 0; i < 3; ++i)
        v[a][i] = LOAD(state->f[i][0] + l) * d[a][0] + LOAD(state->f[i][1] + l) * d[a][1] +
                  LOAD(state->f[i][2] + l) * d[a][2];
      if (with_i2) {
        z[a][0] = i1 * v[a][0] - (b[0] * v[a][0] + b[5] * v[a][1] + b[4] * v[a][2]);
        z[a][1] = i1 * v[a][1] - (b[5] * v[a][0] + b[1] * v[a][1] + b[3] * v[a][2]);
        z[a][2] = i1 * v[a][2] - (b[4] * v[a][0] + b[3] * v[a][1] + b[2] * v[a][2]);
      }
      for (int i = 0; i < 3; ++i) {
        Vector force = w1 * v[a][i] + wj * u[a][i];
        if (with_i2) force += w2 * z[a][i];
        STORE(blocks->force[a + 1][i] + l, force);
      }
    }
    if (!with_tangent) continue;

    Vector four = two + two, w11 = four * LOAD(energy->w11 + l), w1j = two * LOAD(energy->w1j + l),
           wjj = weight * LOAD(energy->wjj + l), turn = wj * LOAD(shape->scale + l);
    Vector w12 = four * LOAD(energy->w12 + l), w22 = four * LOAD(energy->w22 + l), w2j = two * LOAD(energy->w2j + l);
    for (int c = 0; c < 3; ++c) { /* columns: corner c + 1 */
      Vector p[3], q[3], r[3];    /* what v_a, z_a and u_a are multiplied with */
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
        Vector dot = d[a][0] * d[c][0] + d[a][1] * d[c][1] + d[a][2] * d[c][2], straight = w1 * dot, flat = w2 * dot;
        if (with_i2) straight += flat * i1 - w2 * (v[a][0] * v[c][0] + v[a][1] * v[c][1] + v[a][2] * v[c][2]);
        Vector block[3][3];
        for (int j = 0; j < 3; ++j)
          for (int i = a == c ? j : 0; i < 3; ++i) {
            Vector sum = v[a][i] * p[j] + u[a][i] * r[j];
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
          Vector sign = a - c == 1 ? turn : -turn, x = sign * LOAD(state->edge[other][0] + l),
                 y = sign * LOAD(state->edge[other][1] + l), w = sign * LOAD(state->edge[other][2] + l);
          block[0][1] -= w;
          block[0][2] += y;
          block[1][0] += w;
          block[1][2] -= x;
          block[2][0] -= y;
          block[2][1] += x;
        }
        double(*at)[LANES] = blocks->tangent + tac_hyper_block_start[a + 1][c + 1];
        for (int j = 0; j < 3; ++j)
          for (int i = a == c ? j : 0; i < 3; ++i) STORE(at[a == c ? half[i][j] : 3 * j + i] + l, block[i][j]);
      }
    }
  }
}

TARGET static void OF(isotropic)(const tacHyperShape *shape, const tacHyperState *state,
                                 const tacInvariantEnergy *energy, bool with_tangent, tacHyperBlocks *blocks) {
  bool with_i2 = false;
  for (int l = 0; l < LANES; ++l)
    with_i2 |= energy->w2[l] != 0.0 || energy->w12[l] != 0.0 || energy->w22[l] != 0.0 || energy->w2j[l] != 0.0;
  if (!with_tangent)
    OF(find_isotropic)(shape, state, energy, true, false, blocks);
  else if (with_i2)
    OF(find_isotropic)(shape, state, energy, true, true, blocks);
  else
    OF(find_isotropic)(shape, state, energy, false, true, blocks);
  OF(complete_force)(blocks);
  if (with_tangent) OF(complete)(blocks);
}

/* ---- a law by strain ---- */

TARGET static void OF(right)(const tacHyperState *state, double c[6][LANES]) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  for (int l = 0; l < LANES; l += WIDTH)
    for (int k = 0; k < 6; ++k)
      STORE(c[k] + l, LOAD(state->f[0][row[k]] + l) * LOAD(state->f[0][col[k]] + l) +
                          LOAD(state->f[1][row[k]] + l) * LOAD(state->f[1][col[k]] + l) +
                          LOAD(state->f[2][row[k]] + l) * LOAD(state->f[2][col[k]] + l));
}

/* With S = 2 dPsi/dC, S' = 2 d2Psi/dC dJ and T = 4 d2Psi/dC dC: P = F S + wj cof F and
 * dP_ij/dF_kl = delta_ik S_jl + F_im T_mjnl F_kn + (F S')_ij cof_kl + cof_ij (F S')_kl + wjj cof_ij cof_kl + wj d2J. */
TARGET static void OF(strain)(const tacHyperState *unit, const tacStrainEnergy *energy, bool with_tangent,
                              tacHyperBlocks *by_gradient) {
  for (int l = 0; l < LANES; l += WIDTH) {
    Vector f[3][3], cof[3][3], fj[3][3]; /* F; cof F and F S' by columns */
    Vector wj = LOAD(energy->wj + l), wjj = LOAD(energy->wjj + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) {
        f[i][a] = LOAD(unit->f[i][a] + l);
        cof[a][i] = LOAD(unit->area[a][i] + l);
      }
    for (int a = 0; a < 3; ++a) {
      const int *v = voigt[a];
      Vector s0 = LOAD(energy->stress[v[0]] + l), s1 = LOAD(energy->stress[v[1]] + l),
             s2 = LOAD(energy->stress[v[2]] + l);
      Vector j0 = LOAD(energy->stress_by_j[v[0]] + l), j1 = LOAD(energy->stress_by_j[v[1]] + l),
             j2 = LOAD(energy->stress_by_j[v[2]] + l);
      for (int i = 0; i < 3; ++i) {
        STORE(by_gradient->force[a + 1][i] + l, f[i][0] * s0 + f[i][1] * s1 + f[i][2] * s2 + wj * cof[a][i]);
        fj[a][i] = f[i][0] * j0 + f[i][1] * j1 + f[i][2] * j2;
      }
    }
    for (int b = 0; with_tangent && b < 3; ++b) {
      Vector ft[6][3]; /* [v][k]: sum_n T_v,nb F_kn */
      for (int v = 0; v < 6; ++v) {
        Vector t0 = LOAD(energy->tangent[v][voigt[b][0]] + l), t1 = LOAD(energy->tangent[v][voigt[b][1]] + l),
               t2 = LOAD(energy->tangent[v][voigt[b][2]] + l);
        for (int k = 0; k < 3; ++k) ft[v][k] = t0 * f[k][0] + t1 * f[k][1] + t2 * f[k][2];
      }
      for (int a = b; a < 3; ++a) {
        Vector block[3][3] = {0}, stress = LOAD(energy->stress[voigt[a][b]] + l);
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < (a == b ? i + 1 : 3); ++k)
            block[i][k] = f[i][0] * ft[voigt[0][a]][k] + f[i][1] * ft[voigt[1][a]][k] + f[i][2] * ft[voigt[2][a]][k] +
                          fj[a][i] * cof[b][k] + cof[a][i] * (fj[b][k] + wjj * cof[b][k]);
        for (int i = 0; i < 3; ++i) block[i][i] += stress;
        if (a != b) { /* d2J: wj [f_c x] of the column that is neither, for (b, a, c) in the order of the circle */
          const int c = 3 - a - b;
          Vector by = a - b == 1 ? wj : -wj, x = by * f[0][c], y = by * f[1][c], z = by * f[2][c];
          block[0][1] -= z;
          block[0][2] += y;
          block[1][0] += z;
          block[1][2] -= x;
          block[2][0] -= y;
          block[2][1] += x;
        }
        double(*at)[LANES] = by_gradient->tangent + tac_hyper_block_start[a + 1][b + 1];
        for (int k = 0; k < 3; ++k)
          for (int i = a == b ? k : 0; i < 3; ++i) STORE(at[a == b ? half[i][k] : 3 * k + i] + l, block[i][k]);
      }
    }
  }
}

/* ---- any law, by derivatives by F ---- */

TARGET static void OF(pull)(const tacHyperShape *shape, const tacHyperBlocks *by_gradient, bool with_tangent,
                            tacHyperBlocks *blocks) {
  for (int l = 0; l < LANES; l += WIDTH) {
    Vector d[3][3], weight = LOAD(shape->weight + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) d[a][i] = LOAD(shape->gradient[a][i] + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        STORE(blocks->force[a + 1][i] + l,
              weight * (LOAD(by_gradient->force[1][i] + l) * d[a][0] + LOAD(by_gradient->force[2][i] + l) * d[a][1] +
                        LOAD(by_gradient->force[3][i] + l) * d[a][2]));
    for (int c = 0; with_tangent && c < 3; ++c)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          Vector row[3]; /* d2 / dF_i. dx_c,j */
          for (int n = 0; n < 3; ++n)
            row[n] = weight * (LOAD(entry(by_gradient, n + 1, 1, i, j) + l) * d[c][0] +
                               LOAD(entry(by_gradient, n + 1, 2, i, j) + l) * d[c][1] +
                               LOAD(entry(by_gradient, n + 1, 3, i, j) + l) * d[c][2]);
          for (int a = c; a < 3; ++a)
            if (a > c || i >= j)
              STORE(blocks->tangent[tac_hyper_block_start[a + 1][c + 1] + (a == c ? half[i][j] : 3 * j + i)] + l,
                    row[0] * d[a][0] + row[1] * d[a][1] + row[2] * d[a][2]);
        }
  }
  OF(complete_force)(blocks);
  if (with_tangent) OF(complete)(blocks);
}

/* ---- viscosity ---- */

TARGET static void OF(relax)(const tacHyperShape *shape, const tacHyperState *state, double keep,
                             const double g[6][LANES], bool with_tangent, tacHyperBlocks *blocks) {
  for (int l = 0; l < LANES; l += WIDTH) {
    Vector d[3][3], t[3][3], weight = LOAD(shape->weight + l); /* t: |V| G D_a */
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) d[a][i] = LOAD(shape->gradient[a][i] + l);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        t[a][i] = weight * (LOAD(g[voigt[i][0]] + l) * d[a][0] + LOAD(g[voigt[i][1]] + l) * d[a][1] +
                            LOAD(g[voigt[i][2]] + l) * d[a][2]);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) {
        double *at = blocks->force[a + 1][i] + l;
        STORE(at, keep * LOAD(at) - (LOAD(state->f[i][0] + l) * t[a][0] + LOAD(state->f[i][1] + l) * t[a][1] +
                                     LOAD(state->f[i][2] + l) * t[a][2]));
      }
    if (!with_tangent) continue;
    for (int n = tac_hyper_block_start[1][1]; n < TAC_HYPER_TANGENT; ++n)
      STORE(blocks->tangent[n] + l, keep * LOAD(blocks->tangent[n] + l));
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c <= a; ++c) {
        Vector dot = d[a][0] * t[c][0] + d[a][1] * t[c][1] + d[a][2] * t[c][2];
        double(*block)[LANES] = blocks->tangent + tac_hyper_block_start[a + 1][c + 1];
        for (int i = 0; i < 3; ++i) {
          double *at = block[a == c ? half[i][i] : 4 * i] + l;
          STORE(at, LOAD(at) - dot);
        }
      }
  }
  OF(complete_force)(blocks);
  if (with_tangent) OF(complete)(blocks);
}

#undef OF_WIDTH
#undef OF_WIDTH_
#undef OF
#undef Vector
#undef LOAD
#undef STORE
#undef WIDTH
#undef TARGET
