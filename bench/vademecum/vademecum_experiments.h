/* Experiments with vademecums: how many modes separations need, how loads are followed to their full size, how near
 * vademecums are to full solutions where several loads act, and the volume of a beam that bends (Gonzalez et al.
 * 2015; docs/vademecum.md). */
#pragma once

#include <tactus/reduced.h>
#include "bench/vademecum/vademecum_solid.h"
#include "elastic/hyper/load_path.h"
#include "kinds/vademecum/vademecum.h"

/* ---- modes of the linear problem ---- */

/* Relative errors of all loads together, each load weighed so that all count alike, after n = 1, 2, ... modes. */
typedef struct tacModesExperiment {
  int nodes, loads;
  int count;         /* of modes: arrays have one entry for each */
  double *separated; /* by alternating directions, as they come, in the norm of energy */
  double *optimum;   /* by the singular value decomposition of all direct solutions, in that norm */
  int kept_count;
  double *kept;           /* of those modes, compressed, in the norm of masses, against direct solutions */
  double *kept_optimum;   /* by singular values, in that norm; [kept_count] */
  double seconds, direct; /* s: of the separation; of direct solutions and their decomposition */
  int alternations;
  double residual; /* the last of `separated` */
} tacModesExperiment;
tacStatus tac_vademecum_experiment_modes(const tacVademecumSolid *solid, double residual, tacModesExperiment *e,
                                         tacError *error);
void tac_modes_experiment_destroy(tacModesExperiment *e);           /* a zeroed struct is allowed */
int tac_modes_needed(int count, const double *errors, double most); /* 0: more than there are */

/* ---- one load followed ---- */

typedef struct tacPathWay {
  const char *name;
  tacLoadPathMethod method;
  int order, increments; /* of series, of increments */
  bool newton;           /* instead: Newton's method from each level to the next */
} tacPathWay;
typedef struct tacPathExperiment {
  int factorisations, steps;
  double seconds; /* of the processor, without what is made once for all loads; mean over the loads */
  double error;   /* against Newton's method, relative, the largest of four levels; in the norm of masses */
  bool ended;     /* no equilibrium was found to the full load */
} tacPathExperiment;
/* `count` loads that are far from each other; the sums of counts, the worst error. */
tacStatus tac_vademecum_experiment_path(const tacVademecumSolid *solid, const tacPathWay *way, int count,
                                        tacPathExperiment *e, tacError *error);

/* ---- several loads at once ---- */

enum { TAC_CORRECTIONS = 5 };
extern const int tac_correction_steps[TAC_CORRECTIONS]; /* 0: superposition alone */

/* Errors |u - u_fe| / |u_fe| in the norm of masses, over samples. Loads of one sample act at random places, roughly
 * in one direction, as those of one other body do, and are as large as one of the largest size together. */
typedef struct tacContactsExperiment {
  int contacts, samples;
  double mean[TAC_CORRECTIONS], most[TAC_CORRECTIONS];
  double seconds[TAC_CORRECTIONS];   /* s, mean, of superposition and corrections */
  double linear_mean, linear_most;   /* of linear elasticity */
  double nearest_mean, nearest_most; /* of the nearest state that the modes have */
  double full_seconds;               /* s, mean, of a full solution from rest */
  double displaced;                  /* m: the largest displacement of any node */
} tacContactsExperiment;
tacStatus tac_vademecum_experiment_contacts(const tacVademecumSolid *solid, const tacVademecum *vademecum, int contacts,
                                            int samples, tacContactsExperiment *e, tacError *error);

/* ---- the volume of a beam ---- */

enum { TAC_VOLUME_LEVELS = 10 };
/* Changes of the volume, relative, while a load at the middle of the end's upper edge grows. */
typedef struct tacVolumeExperiment {
  double load[TAC_VOLUME_LEVELS]; /* N */
  double linear[TAC_VOLUME_LEVELS], alone[TAC_VOLUME_LEVELS], corrected[TAC_VOLUME_LEVELS], full[TAC_VOLUME_LEVELS];
  double linear_tip[TAC_VOLUME_LEVELS], alone_tip[TAC_VOLUME_LEVELS],
      full_tip[TAC_VOLUME_LEVELS]; /* m: where it acts */
} tacVolumeExperiment;
tacStatus tac_vademecum_experiment_volume(const tacVademecumSolid *solid, const tacVademecum *vademecum,
                                          tacVolumeExperiment *e, tacError *error);

/* ---- a full solution ---- */

/* All nodes of a solid under point loads, by Newton's method; and linear elasticity. Offline. */
typedef struct tacFullSolver tacFullSolver;
tacStatus tac_full_solver_create(const tacVademecumSolid *solid, tacFullSolver **solver, tacError *error);
void tac_full_solver_destroy(tacFullSolver *solver); /* NULL is allowed */
/* force, u: [3 vertices]; u holds the start. */
tacStatus tac_full_solver_solve(tacFullSolver *solver, const double *force, double *u, tacError *error);
