/* Pictures of pointshells: what `tactus mesh --points --picture` shows. */
#pragma once

#include <tactus/pointshell.h>
#include "app/cli/picture/picture.h"

/* Each point as a small disc on the surface, with a colour for its level; `surface` may be NULL. */
tacStatus tac_points_picture(const tacPointshell *shell, const tacTriMesh *surface, const tacPictureDef *def,
                             tacImage *image, tacError *error);
