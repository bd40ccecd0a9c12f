/* A hyperelastic law: energy density Psi (J/m^3) of a deformation gradient F, by the split of MJED (Marchesseau et al.
 * 2010):
 *
 *     Psi = sum_k f_k(J) g_k(C) + U(J),   C = F^T F,   J = det F,
 *
 * with J taken as independent of C: its derivatives by nodal positions are simple (cofactors), those of C's invariants
 * too, and the mixed ones come from the product rule. U, the volumetric term, is apart, so that a solid may take it of
 * another J than the element's.
 *
 * One law is one file and one row of tac_hyper_laws (elastic/laws/hyper_laws.h). A law answers by one of three functions,
 * the first that fits: invariants (isotropic, in I1 and I2 of C and J), strain (any function of C and J), both of
 * TAC_HYPER_LANES elements at once, and gradient (of F itself, one at a time). All are finite for every finite F: f_k(J) and U(J) go on below J =
 * TAC_JACOBIAN_LEAST as their parabolas (elastic/laws/jacobian_term.h), so that force and tangent are continuous through
 * inversion and push elements back. Safe in a tick. */
#pragma once

#include "base/error.h"
#include "base/lanes.h"
#include "math/geometry/mat3.h"

enum { TAC_HYPER_LANES = 8, TAC_HYPER_MOST_PARAMETERS = 16 };

/* A loop over lanes that compilers turn into vectors (base/lanes.h); gcc would unroll a short one before it looks. */
#define TAC_EACH_LANE(l) _Pragma("GCC unroll 1") for (int l = 0; l < TAC_HYPER_LANES; ++l)

typedef struct tacHyperParameter {
  const char *name, *unit; /* "c1", "Pa"; "" of numbers */
  const char *about;       /* what it is, one line */
  double above, most;      /* above < value <= most; `at_least`: above <= value */
  bool at_least;
  double otherwise; /* where a scene does not give it; NAN: it must */
} tacHyperParameter;

/* Derivatives of sum f_k g_k by I1 = tr C, I2 = (I1^2 - tr C^2) / 2 and J, each [lane]. */
typedef struct tacInvariantEnergy {
  double w[TAC_HYPER_LANES];
  double w1[TAC_HYPER_LANES], w2[TAC_HYPER_LANES], wj[TAC_HYPER_LANES];
  double w11[TAC_HYPER_LANES], w12[TAC_HYPER_LANES], w22[TAC_HYPER_LANES];
  double w1j[TAC_HYPER_LANES], w2j[TAC_HYPER_LANES], wjj[TAC_HYPER_LANES];
} tacInvariantEnergy;

/* Derivatives of sum f_k g_k by C and J: order xx, yy, zz, yz, zx, xy, each [lane]; `stress` = 2 dPsi/dC is a symmetric
 * tensor (plain components, no factor for shear), `tangent` = 4 d2Psi/dC dC with minor symmetries, plain components. */
typedef struct tacStrainEnergy {
  double w[TAC_HYPER_LANES], wj[TAC_HYPER_LANES], wjj[TAC_HYPER_LANES];
  double stress[6][TAC_HYPER_LANES];      /* 2 dPsi/dC */
  double stress_by_j[6][TAC_HYPER_LANES]; /* 2 d2Psi/dC dJ */
  double tangent[6][6][TAC_HYPER_LANES];  /* 4 d2Psi/dC dC; symmetric to the bit */
} tacStrainEnergy;

/* U with U' and U'' by J, for all lanes. */
typedef struct tacVolumeEnergy {
  double u[TAC_HYPER_LANES], uj[TAC_HYPER_LANES], ujj[TAC_HYPER_LANES];
} tacVolumeEnergy;
typedef void tacHyperVolume(double k0, const double *j, tacVolumeEnergy *out);
extern tacHyperVolume tac_hyper_volume_log_square;  /* U = k0 / 2 (ln J)^2 */
extern tacHyperVolume tac_hyper_volume_log_product; /* U = k0 (J ln J - J + 1) */

typedef struct tacHyperLaw {
  const char *name;  /* in scenes: "mooney-rivlin" */
  const char *about; /* one line with the energy */
  int parameter_count;
  tacHyperParameter parameters[TAC_HYPER_MOST_PARAMETERS];
  bool fibres;    /* asks for axes per element */
  bool of_moduli; /* young and poisson may stand for its parameters (spec/law_material.c) */
  /* NULL: ranges are enough. */
  tacStatus (*check)(const double *p, tacError *error);
  /* Shear and bulk modulus at small strain, Pa (of anisotropic ones bounds from above). */
  void (*moduli)(const double *p, double *shear, double *bulk);
  tacHyperVolume *volume; /* U(J); NULL: none (St. Venant-Kirchhoff, corotational) */
  int k0;                 /* which parameter is the bulk modulus of U */
  void (*invariants)(const double *p, const double *i1, const double *i2, const double *j, tacInvariantEnergy *out);
  /* c: C's six components; of a law with fibres in the axes of fibre, sheet and normal at rest: C of F A with the
   * columns A. */
  void (*strain)(const double *p, const double c[6][TAC_HYPER_LANES], const double *j, tacStrainEnergy *out);
  /* P = dPsi/dF and dP_ij/dF_kl = tangent[3 i + j][3 k + l]. */
  void (*gradient)(const double *p, const tacMat3 *f, double *w, tacMat3 *stress, double tangent[9][9]);
} tacHyperLaw;

/* Of the parameters' U; zero where the law has none. */
static inline void tac_hyper_law_volume(const tacHyperLaw *law, const double *parameters, const double *j,
                                        tacVolumeEnergy *out) {
  if (law->volume == NULL)
    *out = (tacVolumeEnergy){0};
  else
    law->volume(parameters[law->k0], j, out);
}

/* What defines `invariants` of a law, from the body of a loop over lanes that compilers make for each instruction set. */
#define TAC_HYPER_INVARIANTS_BODY                                                                     \
  TAC_LANES_BODY void invariants_lanes(const int doubles, const double *p, const double *restrict i1, \
                                       const double *restrict i2, const double *restrict j,           \
                                       tacInvariantEnergy *restrict out)
#define TAC_HYPER_INVARIANTS                                                                                           \
  TAC_LANES_KERNEL(static, invariants,                                                                                 \
                   (const double *p, const double *i1, const double *i2, const double *j, tacInvariantEnergy *out), p, \
                   i1, i2, j, out)

/* Ranges, then `check`: names the parameter, its value and what would be right. */
tacStatus tac_hyper_law_check(const tacHyperLaw *law, const double *parameters, tacError *error);
/* The columns are of length 1 and at right angles, to 1e-6. Left-handed axes will do: laws see squares of their
 * components. */
tacStatus tac_hyper_axes_check(const tacMat3 *axes, tacError *error);
/* The same axes, right-handed: det F of F A is that of F. NULL: the identity. */
tacMat3 tac_hyper_axes_right_handed(const tacMat3 *axes);
