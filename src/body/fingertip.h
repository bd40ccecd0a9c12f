/* A fingertip of the radius a on a surface: how wide the patch is that it presses, and how far it dents the body beyond what the body's
 * mesh or basis resolves.
 *
 * The patch has R = max(a, h), where h^2 is the area of a vertex. What the body lacks is the compliance of a half space of its material
 * (Boussinesq, Cerruti) under a disc of the radius a, less what the body itself gives under its patch:
 *
 *     C_loc = (0.6 / E*) [ (1/a - 1/R_n) n n^T + tau (1/a - 1/R_t) (1 - n n^T) ],   E* = E / (1 - nu^2),   tau = (2 - nu) / (2 (1 - nu)),
 *     R_n^2 = R^2 + (0.85 + 0.038 / (1 - 2 nu)) h^2,   R_t^2 = R^2 + (1.25 + 0.066 / (1 - 2 nu)) h^2
 *
 * for linear tetrahedra of the size h; R_n and R_t were fitted. Near a sharp edge at the distance d, 1/r becomes rho(d/r) / r,
 * rho(x) = 1 + A / (1 + B x + C x^2), less what that has at x = 8. A basis resolves what it does: its own compliance under the patch, c, is known, and
 * C_loc = max(0, 0.6 / (E* a) - d - c), where d is what the half space lacks if the body is held below.
 *
 * Creation is for the load phase; the rest is for any phase, without allocation. Frame: the body's, at rest. */
#pragma once

#include "base/memory/array.h"
#include "body/body.h"
#include "body/patch.h"

/* m/N: along the normal of the surface, and across it. */
typedef struct tacDent {
  double normal, across;
} tacDent;

typedef struct tacFingertip {
  double radius; /* a, m */
  double young;  /* Pa, at vertex 0 when it was made; 0: the material is not known */
  const tacSurfaceWalk *walk;
  double *reach; /* [vertex]: R, m */
  tacVec3 *sag;  /* [vertex], m: from the mean of its own patch to the vertex, where the surface is smooth */
  tacDent *dent; /* [vertex]: C_loc */
  tacDent *most; /* [vertex]: of a half space under the disc of the radius a; 0: the material is not known */
  tacArrays arrays;
} tacFingertip;

/* Of a body at rest. Refers to `walk`. */
tacStatus tac_fingertip_create(const tacBody *body, const tacSurfaceWalk *walk, double radius, tacFingertip *tip,
                               tacError *error);
void tac_fingertip_destroy(tacFingertip *tip); /* a zeroed struct is allowed */

/* The patch at a place. */
void tac_fingertip_patch(const tacFingertip *tip, tacSurfacePoint at, tacPatch *patch, tacVec3 *gradient);
/* C_loc of linear tetrahedra at a vertex of the size h, and that of the half space; for kinds that find their own stiffness. */
tacDent tac_fingertip_dent(double radius, double reach, double size, double edge, double young, double poisson);
tacDent tac_fingertip_half_space(double radius, double edge, double young, double poisson);
