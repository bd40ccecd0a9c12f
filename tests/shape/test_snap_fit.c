#include "shape/snap_fit.h"

#include <tactus/meshing.h>
#include "elastic/solids/statics.h"
#include "math/geometry/vec3.h"
#include "test.h"

#define YOUNG 7e8
#define POISSON 0.35
#define RING (TAC_CLIP_INNER + 0.5 * TAC_CLIP_WALL)
static const double pi = 3.141592653589793;

static tacVolMesh *fill(const char *name, double size) {
  tacVolMesh *mesh;
  tac_test_ok(tac_shape_bricks(name, size, &mesh, &error), error);
  return mesh;
}

/* Where the ring ends: nodes across the wall and along the width. */
static bool at_mouth(tacVec3 p) {
  double angle = atan2(fabs(p.z), p.x), radius = hypot(p.x, p.z);
  return fabs(angle - TAC_CLIP_MOUTH) < 1e-9 && fabs(radius - RING) < 0.5 * TAC_CLIP_WALL + 1e-9;
}

/* How far each arm opens at the mouth, m, by 1 N at each of them along z, with the handle held. */
static double opening(double size) {
  TAC_OWN(tacVolMesh, mesh) = fill("clip", size);
  tacMaterial material;
  tac_test_ok(tac_material_isotropic(950.0, YOUNG, POISSON, &material, &error), error);
  int count = mesh->vertex_count, loaded = 0;
  bool *held = tac_test_alloc((size_t)count * sizeof *held);
  double *x = tac_test_alloc(3 * (size_t)count * sizeof *x), sum = 0.0;
  for (int v = 0; v < count; ++v) {
    held[v] = mesh->vertices[v].x < 0.0 && fabs(mesh->vertices[v].z) < TAC_CLIP_HANDLE_HALF + 1e-9;
    loaded += at_mouth(mesh->vertices[v]);
  }
  ck_assert_int_gt(loaded, 0);
  for (int v = 0; v < count; ++v)
    if (at_mouth(mesh->vertices[v])) x[3 * v + 2] = copysign(2.0 / loaded, mesh->vertices[v].z);
  TAC_CREATE(tacStatics, statics, tac_statics_create(mesh, &material, NULL, held, &statics, &error));
  tac_test_ok(tac_statics_solve(statics, 1, x, x, &error), error);
  for (int v = 0; v < count; ++v)
    if (at_mouth(mesh->vertices[v])) sum += copysign(x[3 * v + 2], x[3 * v + 2] * mesh->vertices[v].z) / loaded;
  return sum;
}

/* A curved beam held where the handle ends, at the angle a0 from the back, and pushed along z at the mouth, a1: the moment at a is
 * F R (cos a - cos a1), so that u / F = R^3 / (E I) \int (cos a - cos a1)^2 da. */
static double beam_opening(void) {
  double a0 = asin(TAC_CLIP_HANDLE_HALF / (TAC_CLIP_INNER + TAC_CLIP_WALL)), a1 = pi - TAC_CLIP_MOUTH, sum = 0.0;
  int steps = 10000;
  for (int i = 0; i < steps; ++i) {
    double arm = cos(a0 + (a1 - a0) * (i + 0.5) / steps) - cos(a1);
    sum += arm * arm * (a1 - a0) / steps;
  }
  double inertia = 2.0 * TAC_CLIP_HALF_WIDTH * pow(TAC_CLIP_WALL, 3.0) / 12.0;
  return pow(RING, 3.0) * sum / (YOUNG * inertia);
}

TAC_TEST(clip_of_polyethylene_weighs_fifteen_grams) {
  TAC_OWN(tacVolMesh, mesh) = fill("clip", 0.0);
  ck_assert_double_eq_tol(950.0 * tac_volmesh_volume(mesh), 0.015, 0.0001);
}

/* A plate bends less than a beam, by 1 - nu^2 = 0.88, and bricks less than a plate; they come nearer as they grow smaller. */
TAC_TEST(arms_of_the_clip_open_as_a_curved_beam) {
  double beam = beam_opening(), of_bricks = opening(0.0), finer = opening(0.0008);
  ck_assert_double_gt(of_bricks, 0.78 * beam);
  ck_assert_double_gt(finer, of_bricks);
  ck_assert_double_lt(finer, 0.9 * beam);
}

/* The wall at the bend is a circle about a centre outside the ring: half the mouth is what that leaves free. */
TAC_TEST(clip_snaps_on_the_pipe_by_a_force_of_the_hand) {
  double half = (RING + TAC_CLIP_BEND) * sin(TAC_CLIP_MOUTH) - TAC_CLIP_BEND - 0.5 * TAC_CLIP_WALL,
         narrowest = INFINITY;
  TAC_OWN(tacVolMesh, mesh) = fill("clip", 0.0008);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (mesh->vertices[v].x > 0.0) narrowest = fmin(narrowest, fabs(mesh->vertices[v].z));
  ck_assert_double_eq_tol(narrowest, half,
                          3e-5); /* nodes 1.1 mm apart on a circle of 6.5 mm miss it by 23 um at most */
  double force = (TAC_PIPE_OUTER - half) / opening(0.0); /* on each arm, where the mouth is as wide as the pipe */
  ck_assert_double_gt(force, 5.0);
  ck_assert_double_lt(force, 20.0);
}

TAC_TEST(clip_is_tighter_than_the_pipe) {
  TAC_OWN(tacVolMesh, clip) = fill("clip", 0.0);
  TAC_OWN(tacVolMesh, pipe) = fill("pipe", 0.0);
  double inner = INFINITY, outer = 0.0;
  for (int v = 0; v < clip->vertex_count; ++v) inner = fmin(inner, hypot(clip->vertices[v].x, clip->vertices[v].z));
  for (int v = 0; v < pipe->vertex_count; ++v) outer = fmax(outer, hypot(pipe->vertices[v].x, pipe->vertices[v].z));
  ck_assert_double_eq_tol(outer - inner, 0.0002, 1e-9);
}
