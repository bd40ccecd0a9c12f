/* An elastostatic body of Green's functions under point contacts: pressure masks, vertex stiffnesses, response of the
 * surface (James and Pai 2001, section 6). Creation is for the load phase; everything else is for any phase, without
 * allocation, in bounded time. Frame: the asset's. Forces act on the body. */
#pragma once

#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/fingertip.h"
#include "body/vertex_stiffness.h"
#include "mesh/surface_walk.h"

typedef struct tacGreenBody tacGreenBody;

/* A force at a surface point, spread by the masks of the triangle's vertices (35). */
typedef struct tacPointForce {
  tacSurfacePoint at;
  tacVec3 force;               /* N */
  const tacGreenBody *by_mask; /* body of the same Green's functions, with the masks to use; NULL: the queried body */
} tacPointForce;

/* `mask_radius` m (0: single vertices), `rigid_stiffness` N/m. Refers to `green`. */
tacStatus tac_green_body_create(const tacGreen *green, double mask_radius, double rigid_stiffness, tacGreenBody **body,
                                tacError *error);
/* The same for a fingertip: its patches replace the masks, and its local compliance C_loc (m/N at the baked stiffness)
 * is added at each vertex. */
tacStatus tac_green_body_create_touched(const tacGreen *green, const tacFingertip *tip, double rigid_stiffness,
                                        tacGreenBody **body, tacError *error);
/* For functions stored as TAC_GREEN_NEAR: starts a thread that computes requested responses and keeps at most
 * `most_bytes` of them. Only this thread may use `problem` until it is stopped. */
tacStatus tac_green_body_compute_on_demand(tacGreenBody *body, tacReferenceProblem *problem, size_t most_bytes,
                                           tacError *error);
void tac_green_body_forget_on_demand(tacGreenBody *body); /* stops the thread */
void tac_green_body_destroy(tacGreenBody *body);          /* NULL is allowed */
TAC_OWNED_TYPE(tacGreenBody, tac_green_body_destroy)

const tacGreen *tac_green_body_green(const tacGreenBody *body);
const tacSurfaceWalk *tac_green_body_surface(const tacGreenBody *body);
double tac_green_body_rigid_stiffness(const tacGreenBody *body);

/* Sets the factor on the baked stiffness, > 0. The run time is proportional to the number of vertices. During the call,
 * another thread may call tac_green_body_deform, but no other function of the body. */
void tac_green_body_set_stiffness(tacGreenBody *body, double factor);
double tac_green_body_stiffness(const tacGreenBody *body);

/* Mask of a vertex: densities rho_j (1/m^2) at some vertices, with sum of a_j rho_j = 1. Returns the number of these
 * vertices; 0 if `vertex` is not elastic. An elastic vertex is free and has columns in the asset. Other vertices have
 * the rigid stiffness (33). */
int tac_green_body_mask(const tacGreenBody *body, int vertex, const int **vertices, const double **density);
/* K^E_i (32), from the symmetric part of the compliance, N/m; k^Rigid I if not elastic. */
tacMat3 tac_green_body_elastic_stiffness(const tacGreenBody *body, int vertex);
/* K^H_i: K^E_i with its eigenvalues limited to k^Rigid: the rendered stiffness. (Section 6.4 scales all of K^E_i by
 * eta_i = k^Rigid / |K^E_i|. A thin plate, stiff in its plane, would then lose its bending stiffness.) */
const tacVertexStiffness *tac_green_body_haptic_stiffness(const tacGreenBody *body, int vertex);
/* Largest eigenvalue of K^H anywhere on the surface, N/m. */
double tac_green_body_most_stiffness(const tacGreenBody *body);

/* Estimate for tacBodyTable.error_estimate, under forces spread by the points' masks. It sums
 * the displacements that the forces cause at their own points, as if all forces acted at one place. -1: unknown. */
double tac_green_body_error_estimate(const tacGreenBody *body, int count, const tacPointForce *forces);

/* Displacement of the surface point `at` per force at `by`, m/N, symmetrised (Betti): u(at) = W f(by), W(at, by) =
 * W(by, at)^T. False: the required Green's functions are not in memory. */
bool tac_green_body_compliance(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 *compliance);
/* The same with the masks of two bodies that have the same Green's functions. */
bool tac_green_body_compliance_between(const tacGreenBody *at_mask, tacSurfacePoint at, const tacGreenBody *by_mask,
                                       tacSurfacePoint by, tacMat3 *compliance);

/* Tractions (Pa) on all vertices: the forces spread by their masks (30), plus reactions at fixed vertices. Reactions
 * are omitted for Green's functions that are not in memory. */
void tac_green_body_tractions(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *tractions);

/* Displacements (m) of all vertices, and rows of the sensors (m, Pa), under the forces; either output may be NULL.
 * Forces at vertices whose functions are not in memory are omitted; returns the number of these vertices. */
int tac_green_body_deform(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *displacement,
                          double *sensors);
