/* Triangles as unordered sets of corners: who repeats whom? */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

/* Sets repeats[t] (one byte for each triangle) to 1 where an earlier triangle has the same three corners, in any order,
 * else to 0; `*count` receives how many do. */
tacStatus tac_triangle_repeats(const tacTriMesh *mesh, unsigned char *repeats, int *count, tacError *error);

/* 1 for an equilateral triangle p q r, 0 for a degenerate one. */
double tac_triangle_quality(tacVec3 p, tacVec3 q, tacVec3 r);

/* Whether the triangle has no area to speak of: a repeated corner, or a height below 1e-10 of its longest edge. */
bool tac_triangle_is_degenerate(const tacTriMesh *mesh, int triangle);
