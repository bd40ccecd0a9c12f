/* Loads that a model is tried with, beside the full solution: forces at places all over the boundary of a volume, out of
 * it, into it and across, each spread over a radius. Offline. */
#pragma once

#include "bake/loads/load_spread.h"
#include "elastic/elements/element.h"

typedef enum tacTrialWay { TAC_TRIAL_OUT, TAC_TRIAL_IN, TAC_TRIAL_ACROSS, TAC_TRIAL_WAYS } tacTrialWay;

typedef struct tacTrialLoad {
  int vertex; /* of the volume */
  tacTrialWay way;
  tacVec3 direction; /* unit */
} tacTrialLoad;

typedef struct tacTrialLoads {
  const tacVolMesh *mesh;
  const bool *held; /* [vertex] */
  double radius;    /* m */
  tacLoadSpread spread;
  int count;
  tacTrialLoad *loads;
  int boundary_count;
  int *boundary; /* -> vertices of the volume, */
  double *area;  /* and what of the surface is theirs, m^2 */
} tacTrialLoads;

/* At most `count` of them, in turn as far as can be from what is held and from those before, and anywhere; always the same.
 * Refers to mesh and `held`. To be destroyed on failure, too. */
tacStatus tac_trial_loads_create(const tacVolMesh *mesh, const bool *held, int count, tacTrialLoads *loads,
                                 tacError *error);
void tac_trial_loads_destroy(tacTrialLoads *loads); /* may be called on {0} */

/* 1 N of a load on free vertices, [3 vertices]; false: there are too few around it. */
bool tac_trial_loads_force(const tacTrialLoads *loads, int load, double *force);
/* Of displacements [3 vertices]: the root of the mean of |du/dx|^2 where the body moves, weighed by |u|^2. */
double tac_trial_loads_gradient(const tacTrialLoads *loads, const double *u);
/* |scale u - truth| / |truth|, in the root of the mean square over the boundary: what is called the error of a model. */
double tac_trial_loads_error(const tacTrialLoads *loads, double scale, const double *u, const double *truth);

/* Tells in a remark where more than half of what was tried gave no answer, and is left out. `what`: "limits of the basis". */
void tac_trial_loads_remark(const char *what, int found, int tried);

/* Fits found = root of the sum of (factor[k] measure[k][i])^2 over k to the errors in logarithms, whose squares together are least, where
 * errors below 3 % count as 3 %: that is what is trusted. Then all factors grow by half of what is left, in the root of the mean square: an
 * error that is told too large does less harm. Zeros where nothing can be told. */
void tac_trial_fit(int count, int terms, const double *const *measure, const double *error, double *factor);
