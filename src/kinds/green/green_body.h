/* An elastostatic body of Green's functions under point-like contacts: pressure masks, vertex stiffnesses, the response of the
 * surface (James and Pai 2001, section 6). Creation is for the load phase; everything else is for any phase, without
 * allocation, in bounded time. Frame: the asset's. Forces act on the body. */
#pragma once

#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/fingertip.h"
#include "body/vertex_stiffness.h"
#include "mesh/surface_walk.h"

typedef struct tacGreenBody tacGreenBody;

/* A force that acts at a point of the surface, spread by the masks of the triangle's vertices (35). */
typedef struct tacPointForce {
  tacSurfacePoint at;
  tacVec3 force;               /* N */
  const tacGreenBody *by_mask; /* whose masks, of the same Green's functions; NULL: those of the body that is asked */
} tacPointForce;

/* `mask_radius` m (0: single vertices), `rigid_stiffness` N/m. Refers to `green`. */
tacStatus tac_green_body_create(const tacGreen *green, double mask_radius, double rigid_stiffness, tacGreenBody **body,
                                tacError *error);
/* Touched by a fingertip: its patches in place of masks, and C_loc of its vertices (N/m at the baked stiffness). */
tacStatus tac_green_body_create_touched(const tacGreen *green, const tacFingertip *tip, double rigid_stiffness,
                                        tacGreenBody **body, tacError *error);
/* For functions stored TAC_GREEN_NEAR: a thread computes the responses that are asked for below, and keeps at most `most_bytes`
 * of them. `problem` is that thread's until the body is destroyed. */
tacStatus tac_green_body_compute_on_demand(tacGreenBody *body, tacReferenceProblem *problem, size_t most_bytes,
                                           tacError *error);
void tac_green_body_forget_on_demand(tacGreenBody *body); /* the thread ends */
void tac_green_body_destroy(tacGreenBody *body);          /* NULL is allowed */
TAC_OWNED_TYPE(tacGreenBody, tac_green_body_destroy)

const tacGreen *tac_green_body_green(const tacGreenBody *body);
const tacSurfaceWalk *tac_green_body_surface(const tacGreenBody *body);
double tac_green_body_rigid_stiffness(const tacGreenBody *body);

/* Factor on the baked stiffness, positive; takes time in proportion to the vertices. Another thread may deform the body meanwhile, and nothing else. */
void tac_green_body_set_stiffness(tacGreenBody *body, double factor);
double tac_green_body_stiffness(const tacGreenBody *body);

/* The mask of a vertex: densities rho_j (1/m^2) at `count` vertices, sum of a_j rho_j = 1; empty where it is not elastic. Elastic means:
 * free, and its columns are in the asset. Other vertices answer with the rigid stiffness (33). */
int tac_green_body_mask(const tacGreenBody *body, int vertex, const int **vertices, const double **density);
/* K^E_i (32), its symmetric part's inverse compliance, N/m; k^Rigid I where not elastic. */
tacMat3 tac_green_body_elastic_stiffness(const tacGreenBody *body, int vertex);
/* K^H_i: K^E_i with its eigenvalues cut at k^Rigid: what is rendered. (Section 6.4 scales K^E_i as a whole by
 * eta_i = k^Rigid / |K^E_i|, which leaves a thin plate without its resistance to bending, since it is stiff in its plane.) */
const tacVertexStiffness *tac_green_body_haptic_stiffness(const tacGreenBody *body, int vertex);
/* Largest eigenvalue of K^H anywhere on the surface, N/m. */
double tac_green_body_most_stiffness(const tacGreenBody *body);

/* What tacBodyTable.error_estimate tells, under forces of the points' masks: by the displacement that each causes where it acts; those of all
 * forces add up, as if they acted at one place. -1: not known. */
double tac_green_body_error_estimate(const tacGreenBody *body, int count, const tacPointForce *forces);

/* Displacement of the surface point `at` under a unit force at `by`, m/N, made symmetric in work (Betti):
 * u(at) = W f(by), W(at, by) = W(by, at)^T. False where the Green's functions that it takes are not in memory. */
bool tac_green_body_compliance(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 *compliance);
/* The same where forces at either point are spread by masks of another body of the same Green's functions. */
bool tac_green_body_compliance_between(const tacGreenBody *at_mask, tacSurfacePoint at, const tacGreenBody *by_mask,
                                       tacSurfacePoint by, tacMat3 *compliance);

/* Tractions (Pa) on all vertices under the forces: by their masks (30), and the reactions that hold the fixed ones, as far as the
 * functions are in memory. */
void tac_green_body_tractions(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *tractions);

/* Displacements (m) of all vertices, and rows of the sensors (m, Pa), under the forces; either output may be NULL. Forces at
 * vertices whose functions are not in memory are left out; returns how many vertices that were. */
int tac_green_body_deform(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *displacement,
                          double *sensors);
