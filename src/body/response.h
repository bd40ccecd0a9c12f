/* What kinds of bodies need not answer themselves: rows and velocities of patches, from those of vertices, and rows as floats, from the
 * shell or those in doubles. Tick. */
#pragma once

#include "body/body.h"

/* tacBodyTable.rows of any site, [3][n]; `patches` as in tacBodyStep. */
void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows);
/* The same as floats, [3][*stride], in memory of the shell or in `room` [3][TAC_BODY_MOST_COORDINATES + 4]; the numbers after n of a row are
 * zero. Of a body with the coordinates n and these points; no patches. */
const float *tac_response_float_rows(const tacBody *body, int n, const tacPointshell *points, const tacSite *site,
                                     float *room, int *stride);
/* tacBodyTable.velocity of any site, m/s. */
tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site);
