/* All shapes of the gallery at once: as a table, and as one picture. */
#pragma once

#include "app/cli/picture/picture.h"

/* Names, default triangle sizes and summaries, on standard output. */
void tac_shape_sheet_list(void);

/* Every shape with its name below, in a grid that fills def->width; def->height is not used. */
tacStatus tac_shape_sheet_draw(const tacPictureDef *def, tacImage *image, tacError *error);
