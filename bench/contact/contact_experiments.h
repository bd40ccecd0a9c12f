/* The experiments of Barbic 2007, section 3.13, as numbers. Bodies are those of the gallery's scenes, baked through the cache. */
#pragma once

#include <stdbool.h>
#include "base/error.h"

/* Figure 3.26: the back of a dinosaur with six bumps slides over the upper beam of a bridge's tower, both rigid. What the hand feels,
 * with the points of one, two, ... levels of the bridge. */
enum { TAC_SLIDE_MOST_LEVELS = 6, TAC_SLIDE_TICKS = 4000 };
typedef struct tacSlideExperiment {
  int level_count;
  int point_count[TAC_SLIDE_MOST_LEVELS];
  double force[TAC_SLIDE_MOST_LEVELS][TAC_SLIDE_TICKS]; /* N */
  int peaks[TAC_SLIDE_MOST_LEVELS];
} tacSlideExperiment;
tacStatus tac_contact_experiment_slide(tacSlideExperiment *slide, tacError *error);

/* Figures 3.27 and 3.28: one path of a hand, with and without a limit on the nodes that are visited. */
typedef enum tacDegradedCase { TAC_DEGRADED_BRIDGE, TAC_DEGRADED_PEG } tacDegradedCase;
enum { TAC_DEGRADED_TICKS = 4000 };
typedef struct tacDegradedRun {
  double force[TAC_DEGRADED_TICKS];    /* N, on the hand */
  double nodes[TAC_DEGRADED_TICKS];    /* visited */
  double contacts[TAC_DEGRADED_TICKS]; /* points */
  double levels[TAC_DEGRADED_TICKS];   /* rendered */
  double seconds[TAC_DEGRADED_TICKS];  /* of processor time, whole ticks */
} tacDegradedRun;
typedef struct tacDegradedExperiment {
  int limit, point_count, level_count;
  tacDegradedRun run[2]; /* without, with the limit */
  double force_error;    /* rms of the difference of forces over rms of the force without */
} tacDegradedExperiment;
tacStatus tac_contact_experiment_degraded(tacDegradedCase which, tacDegradedExperiment *experiment, tacError *error);

/* Figures 3.29 and 3.30: two rigid copies of a dragon, one of which moves into the other along a line; the raw force on the one that
 * moves, once with its points, once with its field. */
enum { TAC_ASYMMETRY_SAMPLES = 1800 };
typedef struct tacAsymmetryExperiment {
  double voxel, step;                      /* m; between samples */
  double along[2][TAC_ASYMMETRY_SAMPLES];  /* N, against the motion: points move, field moves */
  double across[2][TAC_ASYMMETRY_SAMPLES]; /* N */
  double depth[2][TAC_ASYMMETRY_SAMPLES];  /* voxels, of the deepest point */
  int contacts[2][TAC_ASYMMETRY_SAMPLES];
  int touched, one_voxel; /* the first samples with a contact, and with one that is a voxel deep */
} tacAsymmetryExperiment;
tacStatus tac_contact_experiment_asymmetry(tacAsymmetryExperiment *experiment, tacError *error);
