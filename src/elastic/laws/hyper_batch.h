/* Force and tangent of TAC_HYPER_LANES linear tetrahedra at once, 2, 4 or 8 an instruction. Arrays end in [lane].
 *
 * With corners 0 to 3, edges e_a = x_a - x_0 (a = 1, 2, 3) and shape gradients D_a at rest: F = sum e_a D_a^T,
 * B = F F^T,
 *     dI1/dx_a = 2 v_a,  v_a = F D_a,
 *     dI2/dx_a = 2 z_a,  z_a = (I1 F - F C) D_a = I1 v_a - B v_a,
 *     dJ/dx_a = u_a = cof(F) D_a:  u_1 = e_2 x e_3 / 6V and so on round,
 *     d2I1/dx_a dx_b = 2 (D_a . D_b) 1,
 *     d2I2/dx_a dx_b = 4 v_a v_b^T - 2 v_b v_a^T + 2 (I1 D_a . D_b - v_a . v_b) 1 - 2 (D_a . D_b) B,
 *     d2J/dx_1 dx_2 = -[e_3 x] / 6V and so on round (Marchesseau et al. 2010).
 * Corner 0 has minus the sum of the others. Volumes are signed: corners may be in any order. */
#pragma once

#include "elastic/laws/hyper_law.h"

/* At rest. */
typedef struct tacHyperShape {
  double gradient[3][3][TAC_HYPER_LANES]; /* D_a of corners 1 to 3, 1/m: [corner][axis] */
  double scale[TAC_HYPER_LANES];          /* 1 / 6V, signed by the order of corners, 1/m^3 */
  double weight[TAC_HYPER_LANES];         /* |V|, m^3; 0 in lanes that are not used */
} tacHyperShape;

/* Deformed. */
typedef struct tacHyperState {
  double edge[3][3][TAC_HYPER_LANES]; /* e_a: [corner][axis] */
  double f[3][3][TAC_HYPER_LANES];    /* F: [row][column] */
  double left[6][TAC_HYPER_LANES];    /* B: xx, yy, zz, yz, zx, xy */
  double area[3][3][TAC_HYPER_LANES]; /* u_a */
  double i1[TAC_HYPER_LANES], i2[TAC_HYPER_LANES], j[TAC_HYPER_LANES];
} tacHyperState;

/* The lower triangle of the 4 x 4 blocks of corners, row by row of blocks: (0,0) (1,0) (1,1) (2,0) ...; each column
 * by column, of those on the diagonal the lower half: 4 x 6 + 6 x 9 numbers. */
enum { TAC_HYPER_TANGENT = 78 };
typedef struct tacHyperBlocks {
  double force[4][3][TAC_HYPER_LANES];                /* N */
  double tangent[TAC_HYPER_TANGENT][TAC_HYPER_LANES]; /* N/m */
} tacHyperBlocks;
/* Where the block (a, b), b <= a, begins. */
static const int tac_hyper_block_start[4][4] = {{0}, {6, 15}, {21, 30, 39}, {45, 54, 63, 72}};

/* The cube of unit edges: D_a = axes, V = 1, so that x_a of corners 1 to 3 are the columns of F, and derivatives by
 * them those by F. */
void tac_hyper_shape_unit(tacHyperShape *shape);

/* All but `edge` from it. */
void tac_hyper_batch_deform(const tacHyperShape *shape, tacHyperState *state);
/* Of a law by invariants, J's derivatives of the volumetric term included. `with_tangent`: not only the force. */
void tac_hyper_batch_isotropic(const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy,
                               bool with_tangent, tacHyperBlocks *blocks);
/* C = F^T F: xx, yy, zz, yz, zx, xy. */
void tac_hyper_batch_right(const tacHyperState *state, double c[6][TAC_HYPER_LANES]);
/* Of a law by strain, J's derivatives of the volumetric term included, by F: of the unit shape, without corner 0. */
void tac_hyper_batch_strain(const tacHyperState *unit, const tacStrainEnergy *energy, bool with_tangent,
                            tacHyperBlocks *by_gradient);
/* Corner 0's blocks of the tangent from those of the others: minus their sums. */
void tac_hyper_batch_complete(tacHyperBlocks *blocks);
/* From derivatives by F (`by_gradient`, of the unit shape: corners 1 to 3) to those by nodes. */
void tac_hyper_batch_pull(const tacHyperShape *shape, const tacHyperBlocks *by_gradient, bool with_tangent,
                          tacHyperBlocks *blocks);
/* Viscosity: force = keep force - |V| F G D_a, tangent = keep tangent - |V| (D_a . G D_b) 1, with G symmetric. */
void tac_hyper_batch_relax(const tacHyperShape *shape, const tacHyperState *state, double keep,
                           const double g[6][TAC_HYPER_LANES], bool with_tangent, tacHyperBlocks *blocks);
