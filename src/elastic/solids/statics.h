/* Linear elastostatics of a volume mesh: K u = f with some vertices held, through one sparse factorisation. Offline.
 *
 * With free (f) and held (c) vertices: u_f = K_ff^-1 (f_f - K_fc u_c), and the reactions, the forces that the support puts
 * on the body, are r_c = K_cf u_f + K_cc u_c - f_c. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/material.h>
#include <tactus/mesh.h>
#include "base/memory/owned.h"
#include "elastic/solids/solid.h"

typedef struct tacStatics tacStatics;

/* `material_of[element]` indexes `materials`; NULL: all elements have materials[0]. `held[vertex]` tells which vertices
 * are held. Refers to nothing afterwards. TAC_ERR_GEOMETRY where a part of the mesh is not held against rigid motion (says
 * how many vertices hold it), or an element is inverted (names it). TAC_ERR_SINGULAR where parts that meet only in a vertex
 * or an edge can turn there, or the numbers are too far apart to solve to 1e-4 of a load. */
tacStatus tac_statics_create(const tacVolMesh *mesh, const tacMaterial *materials, const int *material_of,
                             const bool *held, tacStatics **statics, tacError *error);
/* Of a solid that nothing holds, for loads that are in equilibrium: springs of a statically determinate support (the
 * first vertex in all directions, the second across the line to it, the third across the plane of the three) bear
 * nothing then, and K u = f. The rigid motion in u is such that they do not move. `support` has three vertices that are
 * not on a line; NULL: far apart. */
tacStatus tac_statics_create_free(const tacSolid *solid, const int support[3], tacStatics **statics, tacError *error);
void tac_statics_destroy(tacStatics *statics); /* NULL is allowed */
TAC_OWNED_TYPE(tacStatics, tac_statics_destroy)

/* For each of `count` load cases, 3 numbers a vertex of the mesh and one case after the other: `load` holds forces (N) of
 * free vertices and displacements (m) of held ones; `response` receives displacements of free vertices and reactions (N)
 * of held ones. `response` may be `load`. One thread at a time. */
tacStatus tac_statics_solve(tacStatics *statics, int count, const double *load, double *response, tacError *error);
