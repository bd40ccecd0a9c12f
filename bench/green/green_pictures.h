/* The pictures of docs/green.md, from what `tactus bench green` measured. */
#pragma once

#include <tactus/green.h>
#include "bench/green/point_stiffness.h"

/* FOLDER/green_table1.svg: stiffness over the number of vertices, beside the paper's. */
tacStatus tac_green_picture_levels(const char *folder, int count, const tacStiffnessLevel *levels, tacError *error);
/* FOLDER/green_figure7.svg: forces along slides: single vertices, masks, masks on a finer mesh. */
tacStatus tac_green_picture_slides(const char *folder, const tacStiffnessSlide slides[3], tacError *error);
