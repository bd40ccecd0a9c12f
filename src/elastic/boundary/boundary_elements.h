/* Boundary elements for linear isotropic elastostatics on a closed triangle mesh, by Kelvin's solution. Offline.
 *
 * At a point x of the boundary, Somigliana's identity with displacement u and traction p (Pa, the force per area that acts
 * on the body, outward normal n) reads c(x) u(x) + \int T(x, y) u(y) dS = \int U(x, y) p(y) dS. Collocated at the vertices
 * with linear elements it becomes H u = G p (James and Pai 2001, (8)): H is 3n x 3n, with the free term c in its diagonal
 * blocks by rigid-body motion.
 *
 * Displacement is continuous: one value a vertex. Traction jumps across edges and corners, where n does: each vertex has
 * one traction node for each smooth fan of triangles around it (fans are separated by edges whose dihedral angle exceeds
 * `crease`), so that G is 3n x 3m with m >= n traction nodes. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include "base/memory/owned.h"
#include "math/dense/dense.h"
#include "mesh/surface_point.h"

typedef struct tacBoundaryDef {
  double young, poisson; /* Pa, - */
  double crease;         /* radians; edges bent more than this separate traction nodes. Default 30 degrees */
  int thread_count;      /* 0: one for each core */
} tacBoundaryDef;

tacBoundaryDef tac_boundary_def_default(void);

typedef struct tacBoundaryElements {
  int vertex_count, traction_count;
  int (*traction_of)[3]; /* [triangle][corner] -> traction node */
  int *vertex_of;        /* [traction node] -> vertex; nodes of one vertex are consecutive, in the order of vertices */
  double *area;          /* [traction node]: integral of its shape function, m^2 */
  tacDense h;            /* 3n x 3n */
  tacDense g;            /* 3n x 3m */
} tacBoundaryElements;

/* TAC_ERR_GEOMETRY where the mesh is not closed, a part of it does not face outward (holes face into the hole), a triangle is
 * degenerate (least height below 1e-6 of its longest side) or a vertex is loose; names it. Memory is 72 n (n + m) bytes:
 * TAC_ERR_MEMORY where that exceeds `most_bytes` (0: no limit), before it is allocated. The same bits for any number of
 * threads. Integrals are good to 1e-9 each, so H times a rigid motion vanishes to about 1e-13. */
tacStatus tac_boundary_elements_create(const tacTriMesh *mesh, const tacBoundaryDef *def, size_t most_bytes,
                                       const tacProgress *progress, tacBoundaryElements **elements, tacError *error);
void tac_boundary_elements_destroy(tacBoundaryElements *elements); /* NULL is allowed */
TAC_OWNED_TYPE(tacBoundaryElements, tac_boundary_elements_destroy)

/* Extra equations: the rows of H and G (3 each, `count` points) for collocation points on the surface that are not
 * vertices, given as a triangle and barycentric coordinates, each at least 0.001 (free term included, c = 1/2 on a face, spread on
 * the triangle's vertices): needed where a vertex has more unknown traction nodes than its own 3 equations. Matrices are
 * created here. `mesh` and `def` are those that `elements` were made of. */
tacStatus tac_boundary_elements_rows(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                     const tacBoundaryElements *elements, int count, const tacSurfacePoint *points,
                                     tacDense *h_rows, tacDense *g_rows, tacError *error);

/* The rows of H and G of these vertices again, as they are in `elements`. One thread. */
tacStatus tac_boundary_elements_again(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                      const tacBoundaryElements *elements, int count, const int *vertices,
                                      tacDense *h_rows, tacDense *g_rows, tacError *error);

/* Displacement (3 rows a point) or stress (6 rows a point, xx yy zz yz zx xy, Pa) at points inside the body:
 * value = G_i p - H_i u with the kernels of Somigliana's identity (displacement) or their derivatives (stress).
 * TAC_ERR_GEOMETRY for a point that is not inside, or nearer to the surface than 1e-6 of the mesh's longest extent. Matrices
 * are created here. */
typedef enum tacInnerQuantity { TAC_INNER_DISPLACEMENT, TAC_INNER_STRESS } tacInnerQuantity;
tacStatus tac_boundary_elements_inner(const tacTriMesh *mesh, const tacBoundaryDef *def,
                                      const tacBoundaryElements *elements, int count, const tacVec3 *points,
                                      tacInnerQuantity quantity, tacDense *h_rows, tacDense *g_rows, tacError *error);
