/* The experiments on point-like contact of James and Pai 2001, section 6, as numbers: for tests and benchmarks. */
#pragma once

#include <tactus/green.h>
#include "bench/green/paper_model.h"

/* Table 1: the stiffness at the top of the nodule. */
typedef struct tacStiffnessLevel {
  int vertex_count;
  double single, masked; /* |K|_F of the vertex alone, and with a mask as wide as a mean edge of level 1; N/m */
} tacStiffnessLevel;

tacStatus tac_point_stiffness_level(int level, tacStiffnessLevel *result, tacError *error);

/* Figure 7: a probe slides over the kidney along its centre line, 1 mm deep, without friction. */
enum { TAC_SLIDE_SAMPLES = 400 };
typedef struct tacStiffnessSlide {
  int vertex_count;
  double along[TAC_SLIDE_SAMPLES]; /* m, along the centre line */
  double force[TAC_SLIDE_SAMPLES]; /* N; felt at each place, in one world that is stepped from place to place */
} tacStiffnessSlide;

/* With `mask_radius` m, 0 for single vertices, on the kidney whose functions are `green`. */
tacStatus tac_point_stiffness_slide(const tacGreen *green, double mask_radius, tacStiffnessSlide *slide,
                                    tacError *error);

/* How far a slide is from the one that it should be: with both divided by their means (single vertices are softer as a whole),
 * the root mean square and the largest of their difference along the way. */
typedef struct tacStiffnessError {
  double rms, most;
} tacStiffnessError;
tacStiffnessError tac_point_stiffness_error(const tacStiffnessSlide *slide, const tacStiffnessSlide *reference);

/* Ripple alone: root mean square of the force over its mean, less its running mean over 20 mm. */
double tac_point_stiffness_ripple(const tacStiffnessSlide *slide);

/* How far the stiffness of neighbours differs from what it should: root mean square of ln(|K_i|_F / |K_j|_F) less the same on
 * `reference` with masks, the kidney one level finer, which has these vertices too. Over the edges between vertices that are
 * farther than the reference's radius from fixed ones, where the two bodies are held alike. */
tacStatus tac_point_stiffness_spread(const tacGreen *green, double mask_radius, const tacGreen *reference,
                                     double reference_radius, double *spread, tacError *error);
