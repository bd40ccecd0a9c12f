/* Bricks that cover a gallery shape, of one material, held somewhere; and the reduced body that they make. */
#pragma once

#include <tactus/reduced.h>
#include "elastic/solids/solid.h"
#include "kinds/reduced/basis/motion_basis.h"

typedef struct tacBrickBody {
  tacVolMesh *mesh;
  tacBox box;
  double side; /* of a brick, m */
  bool *held;
  tacMaterial material; /* 1 MPa, 0.3, 1000 kg/m^3 */
  tacSolid solid;       /* refers to the above: do not copy the struct */
} tacBrickBody;

/* `edge`: of the shape's triangles, as for tac_shape_build. Bricks cover the shape, or `hollow`: only its surface. Vertices are held whose place along `axis`, from 0 to 1 in
 * the mesh's box, is in [from, to]. Empty on failure. */
tacStatus tac_brick_body_create(const char *shape, double edge, int resolution, bool hollow, int axis, double from,
                                double to, tacBrickBody *body, tacError *error);
void tac_brick_body_free(tacBrickBody *body);

static inline size_t tac_brick_body_size(const tacBrickBody *body) {
  return 3 * (size_t)body->mesh->vertex_count;
}
int tac_brick_body_nearest(const tacBrickBody *body, tacVec3 point); /* a vertex */

/* A reduced body with this mass-orthonormal basis. Its normals are not to be used. */
tacStatus tac_brick_body_reduce(const tacBrickBody *body, const tacMotionBasis *basis, tacReduced **reduced,
                                tacError *error);
