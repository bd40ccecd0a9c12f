/* A force at a point of a volume, spread over the vertices within a radius of it. Offline.
 *
 * Vertex v at the distance r_v < R has the weight w_v ~ V_v (1 - r_v^2 / R^2)^2 with the volume V_v around it, all
 * positive and together 1, with the mean c of the places x_v. It gets
 *
 *   F_v = w_v (f + o x (x_v - c)),   o = T^-1 ((p - c) x f),   T = sum w_v (|x_v - c|^2 1 - (x_v - c)(x_v - c)^T)
 *
 * of all forces with the resultant f and the moment of f at p those with the least sum of |F_v|^2 / w_v. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/error.h"

typedef struct tacLoadSpread {
  const tacVolMesh *mesh;
  double *volume; /* [vertex], m^3: its share of the elements around it */
} tacLoadSpread;

/* The mesh must outlive it. */
tacStatus tac_load_spread_create(const tacVolMesh *mesh, tacLoadSpread *spread, tacError *error);
void tac_load_spread_free(tacLoadSpread *spread); /* a zeroed struct is allowed */
/* Adds to `forces` [3 vertices], N. False, with nothing added, where the vertices within the radius carry no moment,
 * since there are fewer than three or all are in a line: the radius is smaller than the elements. */
bool tac_load_spread_add(const tacLoadSpread *spread, tacVec3 point, double radius, tacVec3 force, double *forces);
