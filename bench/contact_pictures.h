/* The experiments of contact_experiments.h as SVG files in a folder. */
#ifndef TAC_BENCH_CONTACT_PICTURES_H
#define TAC_BENCH_CONTACT_PICTURES_H

#include "bench/contact_experiments.h"

tacStatus tac_contact_picture_slide(const char *folder, const tacSlideExperiment *slide, tacError *error);
tacStatus tac_contact_picture_degraded(const char *folder, tacDegradedCase which, const tacDegradedExperiment *e,
                                       tacError *error);
tacStatus tac_contact_picture_asymmetry(const char *folder, const tacAsymmetryExperiment *e, tacError *error);

#endif
