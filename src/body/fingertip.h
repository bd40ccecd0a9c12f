/* A fingertip of radius a on a surface: the size of the pressed patch, and the local compliance that the body's mesh or
 * basis does not resolve.
 *
 * The patch has R = max(a, h), where h^2 is the area of a vertex. The missing compliance C_loc is the compliance of a
 * half space (Boussinesq, Cerruti) under a disc of radius a, minus the body's compliance under its patch:
 *
 *     C_loc = (0.6 / E*) [ (1/a - 1/R_n) n n^T + tau (1/a - 1/R_t) (1 - n n^T) ],   E* = E / (1 - nu^2),   tau = (2 - nu) / (2 (1 - nu)),
 *     R_n^2 = R^2 + (0.85 + 0.038 / (1 - 2 nu)) h^2,   R_t^2 = R^2 + (1.25 + 0.066 / (1 - 2 nu)) h^2
 *
 * for linear tetrahedra of size h; R_n and R_t were fitted. Near a sharp edge at distance d, 1/r becomes rho(d/r) / r,
 * rho(x) = 1 + A / (1 + B x + C x^2), minus its value at x = 8. For a basis, its own compliance c under the patch is
 * known, and C_loc = max(0, 0.6 / (E* a) - d - c). Here d is the compliance that the half space loses if the body is
 * held below.
 *
 * Creation is for the load phase; the rest is for any phase, without allocation. Frame: the body's, at rest. */
#pragma once

#include "base/memory/array.h"
#include "body/body.h"
#include "body/patch.h"

/* m/N: normal and tangential to the surface. */
typedef struct tacDent {
  double normal, across;
} tacDent;

typedef struct tacFingertip {
  double radius; /* a, m */
  double young;  /* Pa, at vertex 0 at creation; 0: unknown material */
  const tacSurfaceWalk *walk;
  double *reach; /* [vertex]: R, m */
  tacVec3 *sag;  /* [vertex], m: offset from the mean of its own patch to the vertex, where the surface is smooth */
  tacDent *dent; /* [vertex]: C_loc */
  tacDent *most; /* [vertex]: half space under the disc of radius a; 0: unknown material */
  tacArrays arrays;
} tacFingertip;

/* For a body at rest. Refers to `walk`. */
tacStatus tac_fingertip_create(const tacBody *body, const tacSurfaceWalk *walk, double radius, tacFingertip *tip,
                               tacError *error);
void tac_fingertip_destroy(tacFingertip *tip); /* a zeroed struct is allowed */

/* Finds the patch at a surface point, as tac_patch_find does. */
void tac_fingertip_patch(const tacFingertip *tip, tacSurfacePoint at, tacPatch *patch, tacVec3 *gradient);
/* C_loc of linear tetrahedra at a vertex of size h, and the compliance of the half space; for kinds with their own
 * stiffness. */
tacDent tac_fingertip_dent(double radius, double reach, double size, double edge, double young, double poisson);
tacDent tac_fingertip_half_space(double radius, double edge, double young, double poisson);
