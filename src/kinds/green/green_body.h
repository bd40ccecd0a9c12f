/* Computes the response of an elastostatic body to point contacts by Green's functions (James and Pai 2001, section 6).
 * Provides pressure masks, vertex stiffnesses and displacements of the surface.
 *
 * Creation is for the load phase. All other functions are for any phase: they do not allocate and take bounded time.
 * Positions are in the asset's frame. Forces act on the body. */
#pragma once

#include <tactus/green.h>
#include "base/memory/owned.h"
#include "body/fingertip.h"
#include "body/vertex_stiffness.h"
#include "mesh/surface_walk.h"

typedef struct tacGreenBody tacGreenBody;

/* A force at a surface point, spread by the masks of the vertices of the point's triangle (35). */
typedef struct tacPointForce {
  tacSurfacePoint at;
  tacVec3 force; /* force, N */
  /* body whose masks spread the force, with the same Green's functions; NULL: the queried body */
  const tacGreenBody *by_mask;
} tacPointForce;

/* Creates a body that refers to `green`. `mask_radius`: radius of the pressure masks, m; 0: masks of single vertices.
 * `rigid_stiffness`: upper limit of the rendered stiffness, N/m. */
tacStatus tac_green_body_create(const tacGreen *green, double mask_radius, double rigid_stiffness, tacGreenBody **body,
                                tacError *error);
/* Creates a body that is touched with a fingertip. The patches of the fingertip replace the masks. The local compliance
 * C_loc of the fingertip (m/N at the baked stiffness) is added at each vertex. */
tacStatus tac_green_body_create_touched(const tacGreen *green, const tacFingertip *tip, double rigid_stiffness,
                                        tacGreenBody **body, tacError *error);
/* Starts a thread that computes requested responses and stores at most `most_bytes` of responses. Does nothing for
 * whole storage. Only this thread may use `problem` until the thread is stopped. */
tacStatus tac_green_body_compute_on_demand(tacGreenBody *body, tacReferenceProblem *problem, size_t most_bytes,
                                           tacError *error);
void tac_green_body_forget_on_demand(tacGreenBody *body); /* stops the thread of tac_green_body_compute_on_demand */
void tac_green_body_destroy(tacGreenBody *body);          /* NULL is allowed */
TAC_OWNED_TYPE(tacGreenBody, tac_green_body_destroy)

const tacGreen *tac_green_body_green(const tacGreenBody *body);
const tacSurfaceWalk *tac_green_body_surface(const tacGreenBody *body);
double tac_green_body_rigid_stiffness(const tacGreenBody *body);

/* Sets the factor on the baked stiffness, > 0. The run time is proportional to the number of vertices. During the call,
 * another thread may call tac_green_body_deform, but no other function of the body. */
void tac_green_body_set_stiffness(tacGreenBody *body, double factor);
double tac_green_body_stiffness(const tacGreenBody *body);

/* Returns the mask of a vertex: densities rho_j (1/m^2) at some vertices j. With the vertex areas a_j, the sum of a_j
 * rho_j is 1. The result is the number of vertices j; 0 if `vertex` is not elastic. An elastic vertex is free and has
 * columns in the asset. Other vertices have the rigid stiffness (33). */
int tac_green_body_mask(const tacGreenBody *body, int vertex, const int **vertices, const double **density);
/* Returns the elastic stiffness K^E_i (32) of vertex i, N/m, from the symmetric part of the compliance. Returns k^Rigid
 * I if the vertex is not elastic. */
tacMat3 tac_green_body_elastic_stiffness(const tacGreenBody *body, int vertex);
/* Returns the rendered stiffness K^H_i of vertex i: K^E_i with its eigenvalues limited to k^Rigid. (Section 6.4 scales
 * all of K^E_i by eta_i = k^Rigid / |K^E_i|. A thin plate, which is stiff in its plane, would then lose its bending
 * stiffness.) */
const tacVertexStiffness *tac_green_body_haptic_stiffness(const tacGreenBody *body, int vertex);
/* Returns the largest eigenvalue of K^H on the surface, N/m. */
double tac_green_body_most_stiffness(const tacGreenBody *body);

/* Returns the estimated model error for tacBodyTable.error_estimate, under forces spread by masks. Sums the
 * displacements that the forces cause at their own points, as if all forces acted at one place. Returns -1 if the
 * estimate is unknown. */
double tac_green_body_error_estimate(const tacGreenBody *body, int count, const tacPointForce *forces);

/* Computes the compliance W of two surface points, m/N, so that a force f at `by` displaces `at` by W f. The result is
 * symmetrised: W(at, by) = W(by, at)^T (Betti). Returns false if the required Green's functions are not in memory. */
bool tac_green_body_compliance(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 *compliance);
/* Computes the same compliance with the masks of two bodies that have the same Green's functions. */
bool tac_green_body_compliance_between(const tacGreenBody *at_mask, tacSurfacePoint at, const tacGreenBody *by_mask,
                                       tacSurfacePoint by, tacMat3 *compliance);

/* Computes the tractions (Pa) on all vertices: the forces spread by their masks (30), and the reactions at fixed
 * vertices. Omits the reactions to forces whose Green's functions are not in memory. */
void tac_green_body_tractions(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *tractions);

/* Computes the displacements (m) of all vertices and the sensor rows (m, Pa) under the forces. Either output may be
 * NULL. Forces at vertices whose Green's functions are not in memory are omitted. Returns the number of these
 * vertices. */
int tac_green_body_deform(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *displacement,
                          double *sensors);
