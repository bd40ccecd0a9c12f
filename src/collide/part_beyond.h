/* What of a surface has come out behind another solid. Offline. */
#pragma once

#include "collide/surface_cut.h"

/* How far it comes out, m, counted from the opening by which it went in; 0 where nothing does
 * (tacInterpenetration.through). */
tacStatus tac_part_beyond_height(const tacSurfaceCut *cut, const tacSolidSurface *other, double *height,
                                 tacError *error);
