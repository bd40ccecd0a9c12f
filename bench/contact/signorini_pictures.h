/* The pictures of docs/signorini.md, from what `tactus bench signorini` measured. */
#pragma once

#include "bench/contact/signorini_experiments.h"

/* FOLDER/signorini_figure7.svg: the gap between pyramids and the cone over the number of sides. */
tacStatus tac_signorini_picture_sides(const char *folder, const tacSidesExperiment *e, tacError *error);
/* FOLDER/signorini_figure8.svg: times of methods over the number of contacts. */
tacStatus tac_signorini_picture_growth(const char *folder, const tacGrowthExperiment *e, tacError *error);
/* FOLDER/signorini_figure17.svg: whole ticks of the clip, the largest of each 20, of `count` experiments with as many
 * ticks each. Before they are sorted. */
tacStatus tac_signorini_picture_ticks(const char *folder, int count, const tacClipExperiment *e, tacError *error);
