/* Patches that fingertips press: weights over the vertices of a surface. */
#include "body/patch.h"

#include "math/random.h"
#include "mesh/make_mesh.h"

#define RADIUS 0.012 /* m */

static tacBox slab(void) {
  return (tacBox){tac_vec3(0.0, 0.0, 0.0), tac_vec3(0.1, 0.08, 0.06)};
}

/* The top of a slab with vertices 10 mm apart, moved about in its plane by up to 2 mm. */
static tacTriMesh *uneven_slab(void) {
  TAC_OWN(tacVolMesh, tets) = make_tets(slab(), 10, 8, 6);
  tacTriMesh *mesh = surface_of(tets);
  tacRandom random = tac_random_seed(3);
  for (int v = 0; v < mesh->vertex_count; ++v) {
    tacVec3 *x = &mesh->vertices[v];
    double dx = tac_random_uniform(&random, -2e-3, 2e-3), dy = tac_random_uniform(&random, -2e-3, 2e-3);
    if (x->z < 0.0599 || x->x < 1e-6 || x->y < 1e-6 || x->x > 0.0999 || x->y > 0.0799) continue;
    x->x += dx;
    x->y += dy;
  }
  return mesh;
}

static tacSurfaceWalk walk_on(const tacTriMesh *mesh) {
  tacSurfaceWalk walk;
  tac_test_ok(tac_surface_walk_create(mesh, &walk, &error), error);
  return walk;
}

/* A place on the top. */
static tacSurfacePoint top(const tacSurfaceWalk *walk, double x, double y) {
  for (int t = 0; t < walk->mesh->triangle_count; ++t) {
    if (walk->face_normal[t].z < 0.9) continue;
    tacSurfacePoint at = tac_surface_walk_locate(walk, t, tac_vec3(x, y, 0.06));
    if (tac_vec3_distance(tac_surface_walk_position(walk, at), tac_vec3(x, y, 0.06)) < 1e-9) return at;
  }
  ck_abort_msg("no place at %g, %g", x, y);
  return (tacSurfacePoint){0};
}

static tacVec3 mean_of(const tacPatch *patch, const tacTriMesh *mesh) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < patch->count; ++i) sum = tac_vec3_mad(sum, patch->weight[i], mesh->vertices[patch->vertex[i]]);
  return sum;
}

static void check_weights(const tacPatch *patch, const tacTriMesh *mesh) {
  double sum = 0.0;
  ck_assert_int_gt(patch->count, 0);
  for (int i = 0; i < patch->count; ++i) {
    ck_assert_double_ge(patch->weight[i], 0.0);
    ck_assert_int_eq(mesh->triangles[patch->corner[i] / 3].v[patch->corner[i] % 3], patch->vertex[i]);
    for (int j = 0; j < i; ++j) ck_assert_int_ne(patch->vertex[i], patch->vertex[j]);
    sum += patch->weight[i];
  }
  ck_assert_double_eq_tol(sum, 1.0, 1e-12);
}

TAC_TEST(weights_are_a_partition_of_unity) {
  TAC_OWN(tacTriMesh, mesh) = uneven_slab();
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacRandom random = tac_random_seed(4);
  for (int trial = 0; trial < 2000; ++trial) {
    tacSurfacePoint at = {(int)(tac_random_bits(&random) % (uint64_t)mesh->triangle_count), {0.2, 0.3, 0.5}};
    tacPatch patch;
    tac_patch_find(&walk, at, tac_random_uniform(&random, 1e-4, 0.03), &patch, NULL);
    check_weights(&patch, mesh);
  }
}

/* On a plane they reproduce linear fields: the mean place of a patch is its centre, since its points lie in a regular pattern. */
TAC_TEST(linear_fields_are_reproduced) {
  TAC_OWN(tacTriMesh, mesh) = uneven_slab();
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  for (int i = 0; i < 200; ++i) {
    double x = 0.025 + 0.05 * i / 200.0, y = 0.03 + 0.02 * i / 200.0;
    tacPatch patch;
    tac_patch_find(&walk, top(&walk, x, y), RADIUS, &patch, NULL);
    ck_assert_double_lt(tac_vec3_distance(mean_of(&patch, mesh), tac_vec3(x, y, 0.06)), 1e-3 * RADIUS);
  }
}

/* Hertz's pressure has the mean square radius 2/5 R^2. Hat functions add their own spread, some h^2 / 6 an axis: on a fine mesh little. */
TAC_TEST(pressure_is_that_of_hertz) {
  TAC_OWN(tacVolMesh, tets) = make_tets(slab(), 50, 40, 2);
  TAC_OWN(tacTriMesh, mesh) = surface_of(tets);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacPatch patch;
  double square = 0.0;
  tac_patch_find(&walk, top(&walk, 0.0503, 0.0411), RADIUS, &patch, NULL);
  for (int i = 0; i < patch.count; ++i) {
    tacVec3 p = mesh->vertices[patch.vertex[i]];
    square += patch.weight[i] * (pow(p.x - 0.0503, 2.0) + pow(p.y - 0.0411, 2.0));
  }
  ck_assert_double_eq_tol(square / (RADIUS * RADIUS), 0.4, 0.4 * 0.05);
}

/* Along a fine walk over the top no weight jumps: by 20 um, a 600th of the radius, none changes by more than a few times what the slope of
 * the pressure has it change, 3 / R. And gradients tell the change: of the sum over a millimetre within a few percent. */
TAC_TEST(weights_vary_smoothly_with_the_place) {
  TAC_OWN(tacTriMesh, mesh) = uneven_slab();
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  enum { STEPS = 2500 };
  const double step = 2e-5;
  double *weight = tac_test_alloc((size_t)mesh->vertex_count * sizeof *weight);
  double *told = tac_test_alloc((size_t)mesh->vertex_count * sizeof *told);
  double *before = tac_test_alloc((size_t)mesh->vertex_count * sizeof *before);
  double most = 0.0, off = 0.0, changed = 0.0;
  for (int i = 0; i <= STEPS; ++i) {
    tacPatch patch;
    tacVec3 gradient[TAC_PATCH_VERTICES];
    tac_patch_find(&walk, top(&walk, 0.025 + step * i, 0.03 + 0.3 * step * i), RADIUS, &patch, gradient);
    memset(weight, 0, (size_t)mesh->vertex_count * sizeof *weight);
    for (int k = 0; k < patch.count; ++k) weight[patch.vertex[k]] = patch.weight[k];
    for (int v = 0; v < mesh->vertex_count && i > 0; ++v) {
      most = fmax(most, fabs(weight[v] - before[v]));
      off += fabs(weight[v] - before[v] - told[v]);
      changed += fabs(weight[v] - before[v]);
    }
    memset(told, 0, (size_t)mesh->vertex_count * sizeof *told);
    for (int k = 0; k < patch.count; ++k)
      told[patch.vertex[k]] = tac_vec3_dot(gradient[k], tac_vec3(step, 0.3 * step, 0.0));
    memcpy(before, weight, (size_t)mesh->vertex_count * sizeof *before);
  }
  ck_assert_double_lt(most, 3.0 * step / RADIUS);
  ck_assert_double_lt(off, 0.05 * changed);
}

/* A patch near an edge does not hang over it: all of its force acts on the face that is pressed. */
TAC_TEST(a_patch_does_not_hang_over_an_edge) {
  TAC_OWN(tacVolMesh, tets) = make_tets(slab(), 40, 32, 24);
  TAC_OWN(tacTriMesh, mesh) = surface_of(tets);
  TAC_FREED(tac_surface_walk_destroy, tacSurfaceWalk, walk) = walk_on(mesh);
  tacPatch patch;
  tac_patch_find(&walk, top(&walk, 0.0961, 0.0411), RADIUS, &patch, NULL);
  check_weights(&patch, mesh);
  for (int i = 0; i < patch.count; ++i) ck_assert_double_gt(mesh->vertices[patch.vertex[i]].z, 0.0599);
}
