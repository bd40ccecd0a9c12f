/* The picture of a moment of a run: the bodies' deformed surfaces, coloured by displacement, with the tools, the places where
 * they touch, and their forces. */
#pragma once

#include <tactus/base.h>
#include <tactus/recording.h>
#include "app/cli/picture/image.h"

/* The tick with that index of a recording of the world. `progress` and `displacement_max` (the largest of any vertex, m) may be
 * NULL. The caller frees `image`; zeroed where the world has no surface to show. */
tacStatus tac_run_picture_draw(const tacWorld *world, tacRecording *recording, int64_t index, int width, int height,
                               const tacProgress *progress, tacImage *image, double *displacement_max, tacError *error);
