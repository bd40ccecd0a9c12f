/* What kinds of bodies need not answer themselves: places, rows and velocities of patches, from those of vertices. Tick. */
#pragma once

#include "body/body.h"

/* tacBodyTable.place of any site, m. */
tacVec3 tac_response_place(const tacBody *body, const tacPatch *patches, const tacSite *site);
/* tacBodyTable.rows of any site, [3][n]; `patches` as in tacBodyStep. */
void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows);
/* tacBodyTable.velocity of any site, m/s. */
tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site);
