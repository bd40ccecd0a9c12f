/* The pictures of docs/vademecum.md, from what `tactus bench vademecum` measured. */
#pragma once

#include <tactus/reduced.h>
#include "bench/vademecum/vademecum_experiments.h"
#include "bench/vademecum/vademecum_growth.h"

/* FOLDER/vademecum_modes_NAME.svg: errors over numbers of modes. */
tacStatus tac_vademecum_picture_modes(const char *folder, const char *name, const tacModesExperiment *e,
                                      tacError *error);
/* FOLDER/vademecum_volume.svg: changes of the volume over the load. */
tacStatus tac_vademecum_picture_volume(const char *folder, const tacVolumeExperiment *e, tacError *error);
/* FOLDER/vademecum_growth_NAME.svg: s of each stage over `of` (nodes or loads) [count]. */
tacStatus tac_vademecum_picture_growth(const char *folder, const char *name, const char *x_name, const char *remark,
                                       int count, const double *of, const tacGrowthPoint *points, tacError *error);
