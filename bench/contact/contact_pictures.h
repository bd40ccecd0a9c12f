/* The experiments of contact_experiments.h as SVG files in a folder. */
#pragma once

#include "bench/contact/contact_experiments.h"

tacStatus tac_contact_picture_slide(const char *folder, const tacSlideExperiment *slide, tacError *error);
tacStatus tac_contact_picture_degraded(const char *folder, tacDegradedCase which, const tacDegradedExperiment *e,
                                       tacError *error);
tacStatus tac_contact_picture_asymmetry(const char *folder, const tacAsymmetryExperiment *e, tacError *error);
