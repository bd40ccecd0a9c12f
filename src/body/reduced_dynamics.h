/* The equation of motion of a reduced body in its kept coordinates, M q'' + D(q, q') + R(q) = f (Barbic 2007,
 * (2.21)), one step at a time: the part of tacReducedBody that does not know about surfaces and poses. Everything is
 * in the body's frame. Creation is for the load phase, the rest for any, without allocation. */
#ifndef TAC_BODY_REDUCED_DYNAMICS_H
#define TAC_BODY_REDUCED_DYNAMICS_H

#include "body/reduced_body.h"
#include "math/dense.h"

/* f = k (gap - J q) - c (J q' + carried), J = [axis][count] */
typedef struct tacReducedSpring {
  double stiffness, damping;
  double *jacobian; /* of the point that is pulled */
  tacVec3 gap,
      carried; /* from it undeformed to its target; its velocity by rigid motion; both at the end of the step */
} tacReducedSpring;

/* The first block is the caller's to read; `load`, `mass`, springs, answers and bounds are its to set before an
 * advance, too. */
typedef struct tacReducedDynamics {
  int count;                           /* n, of coordinates */
  double *q, *velocity, *acceleration; /* [n] */
  double *load;                        /* [n]: reduced force without springs and answers, N kg^-1/2 */
  int spring_count;
  tacReducedSpring springs[TAC_REDUCED_MOST_SPRINGS];
  bool has_answer;       /* else the next two are not read */
  double *answer_load;   /* [n]: f = answer_load - answer q, at the end of the step as springs are */
  tacDense answer;       /* n x n, symmetric, not negative */
  tacDense mass;         /* n x n, symmetric */
  bool mass_is_factored; /* clear it when the mass is set */
  bool is_starting;      /* q'' is not known: the equation gives it for the loads of the next advance; set by stop */
  double most_q;         /* a larger |q| is refused */

  double *next, *rate;                /* iterates of q and its velocity */
  double *internal, *residual, *work; /* R(q); what the equation lacks; anything */
  double *change, *trial;             /* a Newton step, and where it would lead */
  double *scratch;                    /* of the polynomial */
  tacDense mass_factor, stiffness, matrix, factor;
  double *memory;
} tacReducedDynamics;

tacStatus tac_reduced_dynamics_create(int count, tacReducedDynamics *dynamics, tacError *error);
void tac_reduced_dynamics_destroy(tacReducedDynamics *dynamics); /* may be called on {0} */

/* False, with nothing changed, where the state is not finite or too large. */
bool tac_reduced_dynamics_set(tacReducedDynamics *dynamics, double step, const double *q, const double *velocity);
void tac_reduced_dynamics_stop(tacReducedDynamics *dynamics); /* no velocity */
/* With the coefficients of the energy. Where it returns false the state is that before. */
bool tac_reduced_dynamics_advance(tacReducedDynamics *dynamics, const tacReducedMotion *motion,
                                  const double *coefficients, tacReducedAdvance *report);
double tac_reduced_dynamics_energy(const tacReducedDynamics *dynamics, bool linear, const double *coefficients); /* J */

/* J x and y += J^T f for J [axis][n]. */
tacVec3 tac_reduced_jacobian_mul(int n, const double *jacobian, const double *x);
void tac_reduced_jacobian_add(int n, const double *restrict jacobian, tacVec3 f, double *restrict y);

#endif
