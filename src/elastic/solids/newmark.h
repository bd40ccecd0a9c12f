/* Motion at large deformations, M a + D(u, v) + R(u) = f, by the implicit Newmark method with all degrees of freedom
 * (Barbic 2007, section 2.9). Offline: it is what reduced bodies are compared with. */
#pragma once

#include "base/memory/owned.h"
#include "elastic/solids/finite_strain.h"

typedef struct tacNewmarkDef {
  double step;        /* s */
  double beta, gamma; /* default 1/4 and 1/2: second order, no numerical damping in linear problems */
  int most_newton;    /* j_max; default 10. 1: the semi-implicit method, whose residual is not looked at */
  double tolerance;   /* of the residual, relative to the largest of its parts; default 1e-8 */
  /* A factor is used again, in later steps too, as long as an iteration leaves no more than this share of the residual; default 0:
   * never, which is Newton's method. Same results, to the tolerance; most_newton should be larger. */
  double reuse;
  double mass_damping;      /* Rayleigh damping D = (alpha M + beta K(u)) v (2.33), 1/s */
  double stiffness_damping; /* s */
  const double *phi, *psi;  /* strain-rate damping (2.34), Pa s by material; both or NULL: none */
  bool linear;              /* R = K(0) u, for comparison */
} tacNewmarkDef;

tacNewmarkDef tac_newmark_def_default(void);

typedef struct tacNewmark tacNewmark;

/* TAC_ERR_SINGULAR where a free vertex has no mass. Free bodies are allowed. */
tacStatus tac_newmark_create(const tacSolid *solid, const tacNewmarkDef *def, tacNewmark **newmark, tacError *error);
void tac_newmark_destroy(tacNewmark *newmark); /* NULL is allowed */
TAC_OWNED_TYPE(tacNewmark, tac_newmark_destroy)

/* Starts from these displacements and velocities (NULL: zero) with the acceleration that the equation gives for
 * `force`. Held vertices keep their displacement. */
tacStatus tac_newmark_start(tacNewmark *newmark, const double *u, const double *v, const double *force,
                            tacError *error);
/* One step under the external force (N, 3 a vertex) at its end. TAC_ERR_NO_CONVERGENCE, TAC_ERR_GEOMETRY (names the
 * element that is inverted): the state is then that before the step. */
tacStatus tac_newmark_step(tacNewmark *newmark, const double *force, tacError *error);
const double *tac_newmark_displacement(const tacNewmark *newmark);
const double *tac_newmark_velocity(const tacNewmark *newmark);
double tac_newmark_energy(const tacNewmark *newmark); /* elastic and kinetic, J */
