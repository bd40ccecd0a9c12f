/* Which baked deformations a deformed body is nearest to: where contact with it is looked up
 * (asset/deformed_pose.c).
 *
 * A node's loads of growing size are a path in q, from rest over its levels, straight between them. The body's state
 * is compared with the place c(lambda) of each path whose projection on the path's last state is that of q. At
 * distances d_1 <= d_2 <= ... in the norm of masses (Euclid's in q), path k has the weight
 *
 *     a_k = (d_1 / d_k - d_1 / rho)^2 where d_k < rho    (Franke and Little),    rho = min(max(d_3, 1.15 d_1), d_5),
 *
 * which it shares between the two levels that lambda is between: two paths as a rule, up to four where they are
 * about equally far away. Where even more are, all a_k vanish together, and the body at rest takes over with (d_1 /
 * rho - 1 / 1.1)^2. So weights are continuous in q, not negative, add up to 1, and are 1 for a level that q is at.
 *
 * Paths that end within a voxel of another, and levels that move nothing by a voxel, are left out: the way from one
 * to the other is nothing for proxies. */
#pragma once

#include <stdbool.h>
#include <tactus/distance_field.h>
#include "asset/load_slice.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/mat3.h"

enum { TAC_LOAD_PATHS = 4, TAC_LOAD_SLOTS = 2 * TAC_LOAD_PATHS };

/* What a proxy is in a baked deformation: X -> at + f (X - P). A ball, in material places, holds what the map's
 * inverse makes of the column's solid. */
typedef struct tacLoadMap {
  tacVec3 at;
  tacMat3 f;
  tacVec3 centre;
  double radius;
} tacLoadMap;

/* A deformation that takes part. */
typedef struct tacLoadSlot {
  int column; /* -1: free */
  double weight;
  tacLoadSlice *slice;
  const tacLoadMap *maps; /* [proxy] */
} tacLoadSlot;

typedef struct tacLoadBases {
  const tacLoadField *field;
  double rest; /* the weight of the body at rest */
  int count;
  const tacLoadSlot *active[TAC_LOAD_SLOTS]; /* in the order of columns */
  double *to_reaches; /* [slot of `active`][proxy]: at most 1 / |F* G|: from reaches of a column to those of the pose */
  /* Below: its own. */
  tacArrays arrays;
  tacLoadSlot slots[TAC_LOAD_SLOTS];
  int proxies, level_count;
  tacLoadMap *maps;  /* [column][proxy] */
  int path_count;    /* of nodes that are not left out */
  int *level_counts; /* [path]: levels that can be used, in ascending order */
  int *columns;      /* [path][level]: of those */
  double *places;    /* [path][level]: of those, q.q_last / |q_last|^2 */
  /* By floats, for [path][level]: */
  float *states; /* [coordinate] of each */
  float *dots;   /* with q */
  float *norms;  /* [2]: of each |q|^2, and its product with the level before */
} tacLoadBases;

/* Load phase. The deformed field has one domain and as many coordinates. Levels in which a proxy is squeezed flat or
 * turned inside out are not used, nor what follows them. At rest. */
tacStatus tac_load_bases_create(const tacLoadField *field, const tacDeformedField *deformed, tacLoadBases **bases,
                                tacError *error);
void tac_load_bases_destroy(tacLoadBases *bases); /* NULL is allowed */
TAC_OWNED_TYPE(tacLoadBases, tac_load_bases_destroy)

/* Tick. What columns say of proxies at material places X: adds weight times their values D(at + f (X - P)), and
 * lowers `reaches` to how far away negative ones are at least. */
void tac_load_bases_add(const tacLoadBases *bases, const tacVec3 *positions, int count, const int *proxies,
                        const tacVec3 *material, double *values, double *reaches);
/* The same for one, without reaches: adds to the gradient by X. Returns what is to be added to the value. */
double tac_load_bases_gradient(const tacLoadBases *bases, tacVec3 position, int proxy, tacVec3 material,
                               tacVec3 *gradient);

/* Tick. Returns whether something takes part that did not before. */
bool tac_load_bases_set(tacLoadBases *bases, const double *q);
