/* The pictures of the experiments on reduced bodies, from what `tactus bench figures` measured. */
#pragma once

#include <tactus/reduced.h>
#include "bench/reduced/reduced_experiments.h"

/* FOLDER/reduced_figure23.svg: the tip of the spoon over time. */
tacStatus tac_reduced_picture_spoon(const char *folder, const tacSpoonExperiment *spoon, tacError *error);
/* FOLDER/reduced_figure214.svg: the angle of the beam's end over the torque, and the beam at last. */
tacStatus tac_reduced_picture_twist(const char *folder, const tacTwistExperiment *twist, tacError *error);
/* FOLDER/reduced_table21.svg: ranges of frequencies of tower and heart, beside the paper's. */
tacStatus tac_reduced_picture_spectra(const char *folder, const tacSpectrumExperiment spectra[2], tacError *error);
/* FOLDER/reduced_progressive_head.svg (load 0), ..._back.svg (load 1): the pushed vertex over time. */
tacStatus tac_reduced_picture_progress(const char *folder, int load, const tacProgressExperiment *progress,
                                       tacError *error);
