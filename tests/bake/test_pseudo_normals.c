#include "bake/points/pseudo_normals.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/make_mesh.h"
#include "test.h"

/* Outside a box the closest part is known from the coordinates alone: a face, an edge or a corner where one, two or three of
 * them are beyond it. At a corner the angles of the faces are a right angle each, however they are divided. */
TAC_TEST(pseudo_normals_outside_a_box_are_exact) {
  TAC_OWN(tacTriMesh, mesh) = make_box((tacBox){{-1, -1, -1}, {1, 1, 1}}, 3);
  TAC_FREED(tac_pseudo_normals_free, tacPseudoNormals, normals);
  tac_test_ok(tac_pseudo_normals_create(mesh, &normals, &error), error);
  tacRandom random = tac_random_seed(1);
  int kinds[4] = {0};
  for (int i = 0; i < 3000; ++i) {
    tacVec3 p = tac_random_in_box(&random, (tacBox){{-2, -2, -2}, {2, 2, 2}});
    tacVec3 beyond = tac_vec3((p.x > 1) - (p.x < -1), (p.y > 1) - (p.y < -1), (p.z > 1) - (p.z < -1));
    int kind = (int)tac_vec3_norm2(beyond);
    if (kind == 0) continue;
    ++kinds[kind];
    tacVec3 past = tac_vec3(fmax(fabs(p.x) - 1, 0), fmax(fabs(p.y) - 1, 0), fmax(fabs(p.z) - 1, 0));
    double distance;
    tacVec3 n = tac_pseudo_normals_at(&normals, p, &distance);
    ck_assert_double_eq_tol(distance, tac_vec3_norm(past), 1e-9);
    ck_assert_double_lt(tac_vec3_distance(n, tac_vec3_unit(beyond)), 1e-9);
  }
  ck_assert(kinds[1] > 100 && kinds[2] > 100 && kinds[3] > 100);
}
