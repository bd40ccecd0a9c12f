/* A fingertip of radius a on a surface: the size of the pressed patch, and the local compliance that the body's mesh or
 * basis does not resolve.
 *
 * The patch has the radius R = max(a, h), where h^2 is the surface area per vertex. The missing compliance C_loc is the
 * compliance of a half space (Boussinesq, Cerruti) under a disc of radius a, minus the body's compliance under the
 * patch. For linear tetrahedra of size h it is
 *
 *     C_loc = (0.6 / E*) [ (1/a - 1/R_n) n n^T + tau (1/a - 1/R_t) (1 - n n^T) ],
 *     E* = E / (1 - nu^2),   tau = (2 - nu) / (2 (1 - nu)),
 *     R_n^2 = R^2 + (0.85 + 0.038 / (1 - 2 nu)) h^2,   R_t^2 = R^2 + (1.25 + 0.066 / (1 - 2 nu)) h^2
 *
 * E is Young's modulus, nu Poisson's ratio, n the surface normal. R_n and R_t are fits. At the distance d from a sharp
 * edge, each term 1/r is multiplied by
 *
 *     rho(d/r) = 1 + q(d/r) - q(8),   q(x) = A / (1 + B x + C x^2);   rho = 1 for d/r > 8.
 *
 * For a body with coordinates, the compliance c of the basis under the patch is known. Then C_loc is
 * max(0, 0.6 / (E* a) - s - c). s is the compliance that a half space loses if it is fixed at the depth of the nearest
 * fixed vertices.
 *
 * tac_fingertip_create and tac_fingertip_destroy belong to the load phase. All other functions: any phase, no
 * allocation. Frame: the body's, at rest. */
#pragma once

#include "base/memory/array.h"
#include "body/body.h"
#include "body/patch.h"

/* Compliance normal and tangential to the surface, m/N. */
typedef struct tacDent {
  double normal, across;
} tacDent;

typedef struct tacFingertip {
  double radius; /* radius a, m */
  double young;  /* Young's modulus at vertex 0 at creation, Pa; 0: unknown material */
  const tacSurfaceWalk *walk;
  double *reach; /* [vertex]: patch radius R, m */
  tacVec3 *sag;  /* [vertex]: vector from the mean of the patch at the vertex to the vertex, m; 0 near sharp edges */
  tacDent *dent; /* [vertex]: missing compliance C_loc */
  tacDent *most; /* [vertex]: compliance of the half space under a disc of radius a; 0: unknown material */
  tacArrays arrays;
} tacFingertip;

/* Computes the fingertip data of a body, which must be at rest. `walk` must outlive the result. */
tacStatus tac_fingertip_create(const tacBody *body, const tacSurfaceWalk *walk, double radius, tacFingertip *tip,
                               tacError *error);
void tac_fingertip_destroy(tacFingertip *tip); /* a zeroed struct is allowed */

/* Computes the patch of the fingertip at a surface point. `patch`, `gradient`: as in tac_patch_find. */
void tac_fingertip_patch(const tacFingertip *tip, tacSurfacePoint at, tacPatch *patch, tacVec3 *gradient);
/* tac_fingertip_dent returns C_loc for linear tetrahedra; tac_fingertip_half_space returns the compliance of the half
 * space. `reach`: R, m. `size`: h, m. `edge`: distance to the nearest sharp edge, m, or INFINITY. `young`: Pa. */
tacDent tac_fingertip_dent(double radius, double reach, double size, double edge, double young, double poisson);
tacDent tac_fingertip_half_space(double radius, double edge, double young, double poisson);
