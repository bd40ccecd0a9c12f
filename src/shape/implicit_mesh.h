/* Triangles on the surface of an implicit solid. Offline. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include "shape/implicit.h"

typedef struct tacImplicitSolid {
  tacSolidFn function;
  tacBox box;   /* contains the solid */
  double slope; /* |f(p)| is at most this times the distance from p to the surface */
} tacImplicitSolid;

/* A closed manifold whose vertices lie on the zero set (to 1e-9 m) and whose triangles are those of an equilateral
 * triangulation of edge length `size` in number. Parts thinner than about two edges may be lost or joined. Where `size` is
 * so small that more than 700^3 nodes would be sampled: TAC_ERR_ARGUMENT that names the smallest size. */
tacStatus tac_implicit_mesh_build(const tacImplicitSolid *solid, double size, const tacProgress *progress,
                                  tacTriMesh **mesh, tacError *error);
