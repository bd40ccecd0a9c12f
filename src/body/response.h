/* What kinds of bodies need not answer themselves: places, rows and velocities of patches, from those of vertices; rows as floats, from the
 * shell or those in doubles; and the compliance of a body that springs hold. Tick. */
#pragma once

#include "base/memory/arena.h"
#include "body/body.h"
#include "math/geometry/mat3.h"

/* tacBodyTable.place of any site, m. */
tacVec3 tac_response_place(const tacBody *body, const tacPatch *patches, const tacSite *site);
/* tacBodyTable.rows of any site, [3][n]; `patches` as in tacBodyStep. */
void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows);
/* The same as floats, [3][*stride], in memory of the shell or in `room` [3][TAC_BODY_MOST_COORDINATES + 4]; the numbers after n of a row are
 * zero. Of a body with the coordinates n and these points; no patches. */
const float *tac_response_float_rows(const tacBody *body, int n, const tacPointshell *points, const tacSite *site,
                                     float *room, int *stride);
/* Of any site of any kind, m/s: by tacBodyTable.velocity, or by the rates of its coordinates; zero of bodies that tell none. */
tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site);

/* Holds the sites [first, count) of a compliance c [3 count][3 count] by springs k [count - first] (N/m) to what does not move: c of the
 * sites before becomes C_LL - C_LS G C_SL with G = (1 + K C_SS)^-1 K, [3 (count - first)] squared, symmetric. False, unchanged, where
 * there is no room in the arena. */
bool tac_response_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena);
