/* The parts of a closed surface that are not inside other parts. */
#pragma once

#include <tactus/mesh.h>

/* The solid parts of a closed mesh: components (triangles that share vertices) that face outward, of which those that cross, overlap, touch or contain each
 * other are one. What lies in a cavity is a part of its own. */
tacStatus tac_solid_parts(const tacTriMesh *mesh, int *count, tacError *error);

/* How many components of a closed, oriented mesh are inside out: they face inward and are the wall of no cavity, since the
 * winding number of the others is 0 around some of their corners. */
tacStatus tac_inside_out_parts(const tacTriMesh *mesh, int *count, tacError *error);

/* A copy of a closed mesh without components that face inward (walls of cavities) and without those that lie inside
 * another one. Components must not cross. Groups are not kept. */
tacStatus tac_outer_parts(const tacTriMesh *mesh, tacTriMesh **outer, tacError *error);
