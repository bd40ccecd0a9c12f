/* The pictures of docs/hyperelastic.md, from what `tactus bench hyperelastic` measured. */
#pragma once

#include "bench/hyperelastic/hyper_experiments.h"

/* FOLDER/hyper_figure3.svg: forces over displacements, e[TAC_STRETCH_LAWS]. */
tacStatus tac_hyper_picture_stretch(const char *folder, const tacStretchExperiment *e, tacError *error);
/* FOLDER/hyper_figure4.svg: forces over time, of `count` experiments; those that crash end there. */
tacStatus tac_hyper_picture_press(const char *folder, int count, const tacPressExperiment *e, const char *const *names,
                                  tacError *error);
/* FOLDER/hyper_growth.svg: s over tetrahedra. */
tacStatus tac_hyper_picture_growth(const char *folder, int count, const double *tets, const double *step,
                                   const double *factor, tacError *error);
