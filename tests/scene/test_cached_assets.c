/* Files of the cache that are whole and yet not what is wanted, and bakes of one asset at once. */
#include <sys/wait.h>
#include <tactus/green.h>
#include <tactus/material.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "brick_beam.h"
#include "kinds/green/green_cache.h"
#include "kinds/reduced/reduced_cache.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"
#include "kinds/vademecum/vademecum_cache.h"
#include "mesh/make_mesh.h"
#include "spec/cache/solid_cache.h"

/* ---- two bakes at once ---- */

/* A coarse sphere, held below. */
typedef struct Ball {
  tacTriMesh *surface;
  bool fixed[256];
  tacMaterial material;
  tacSensor sensor;
  tacGreenDef def;
} Ball;

static void make_ball(Ball *ball, double size) {
  *ball = (Ball){.def = tac_green_def_default()};
  ball->surface = tac_test_kept(tacTriMesh, tac_shape_build("sphere", size, NULL, &made, &error));
  ck_assert_int_le(ball->surface->vertex_count, 256);
  for (int i = 0; i < ball->surface->vertex_count; ++i) ball->fixed[i] = ball->surface->vertices[i].z < -0.005;
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.4, &ball->material, &error), error);
  ball->sensor = (tacSensor){"middle", TAC_SENSOR_DISPLACEMENT, {0.0, 0.0, 0.0}};
  ball->def.problem.method = TAC_BOUNDARY_ELEMENTS;
  ball->def.problem.surface = ball->surface;
  ball->def.problem.material_count = 1;
  ball->def.problem.materials = &ball->material;
  ball->def.problem.fixed = ball->fixed;
  ball->def.error_estimate_loads = 1;
}

/* A process that bakes: it tells its parent what it is at, a letter each, and in the midst of its bake waits for a word. */
typedef struct Baker {
  pid_t process;
  int reports, word;        /* parent: reads from the one, writes to the other */
  int writes_to, waits_for; /* child; waits_for < 0: it does not wait */
  bool gives_up;            /* as soon as it bakes */
} Baker;

enum { BAKES = 'b', WAITS = 'w', HAS_BAKED = 'B', HAS_FOUND = 'F', FAILED = 'x' };

static void send_status(const Baker *baker, char what) {
  if (write(baker->writes_to, &what, 1) != 1) _exit(1);
}

static bool report(const char *what, double fraction, void *user) {
  Baker *baker = user;
  (void)fraction;
  bool waits = strstr(what, "waiting for another process to bake this asset") != NULL;
  send_status(baker, waits ? WAITS : BAKES);
  if (!waits && baker->waits_for >= 0) {
    char word;
    if (read(baker->waits_for, &word, 1) != 1) _exit(1);
    baker->waits_for = -1;
  }
  return waits || !baker->gives_up;
}

static Baker start_baker(const char *folder, const Ball *ball, bool waits, bool gives_up) {
  int reports[2], word[2];
  ck_assert_int_eq(pipe(reports), 0);
  ck_assert_int_eq(pipe(word), 0);
  Baker baker = {.reports = reports[0],
                 .word = word[1],
                 .writes_to = reports[1],
                 .waits_for = waits ? word[0] : -1,
                 .gives_up = gives_up,
                 .process = fork()};
  ck_assert_int_ge(baker.process, 0);
  if (baker.process == 0) {
    close(reports[0]);
    close(word[1]);
    tacProgress progress = {report, &baker};
    tacGreen *green = NULL;
    tacReferenceProblem *problem = NULL;
    tacSceneAsset asset;
    tacStatus status = tac_green_cache(folder, "ball", &ball->def, false, &progress, &green, &problem, &asset, NULL);
    send_status(&baker, status != TAC_OK ? FAILED : asset.was_cached ? HAS_FOUND : HAS_BAKED);
    _exit(0);
  }
  close(reports[1]);
  close(word[0]);
  return baker;
}

static int hear(const Baker *baker) {
  char what;
  return read(baker->reports, &what, 1) == 1 ? what : -1;
}

/* What it says last, of it all. */
static int wait_for_end(const Baker *baker, bool *baked) {
  int what, last = -1;
  *baked = false;
  for (; (what = hear(baker)) >= 0; last = what) *baked = *baked || what == BAKES;
  int status = -1;
  ck_assert_int_eq(waitpid(baker->process, &status, 0), baker->process);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(baker->reports);
  close(baker->word);
  return last;
}

/* While one process is in the midst of its bake another that wants the same waits, and bakes nothing: it finds what the first
 * made. Where the first gave up, the second bakes. No times: each stands still until the other is where it shall be.
 * The first test, as it forks: children would have none of the threads that others leave waiting for work (with CK_FORK=no). */
TAC_TEST(concurrent_bakes_of_one_asset_wait) {
  for (int gives_up = 0; gives_up < 2; ++gives_up) {
    char folder[256];
    bool baked;
    Ball ball;
    make_ball(&ball, 0.035);
    tac_test_folder(folder, sizeof folder);
    Baker first = start_baker(folder, &ball, true, gives_up);
    ck_assert_int_eq(hear(&first), BAKES); /* and stands there */
    Baker second = start_baker(folder, &ball, false, false);
    for (int i = 0; i < 3; ++i) ck_assert_int_eq(hear(&second), WAITS);
    ck_assert_int_eq(write(first.word, "", 1), 1);
    ck_assert_int_eq(wait_for_end(&first, &baked), gives_up ? FAILED : HAS_BAKED);
    ck_assert_int_eq(wait_for_end(&second, &baked), gives_up ? HAS_BAKED : HAS_FOUND);
    ck_assert_int_eq(baked, gives_up);
  }
}

/* ---- a file that is of something else ---- */

/* A kind of asset: fetches what is wanted and lets go of it. */
typedef tacStatus Fetch(const char *folder, const void *def, bool again, tacSceneAsset *asset);

/* A fetch by the cache function of a kind of asset, which gives what it returns TAC_OK for. */
#define FETCH(name, type, call)                                                                  \
  static tacStatus name(const char *folder, const void *def, bool again, tacSceneAsset *asset) { \
    TAC_OWN(type, made) = NULL;                                                                  \
    tacStatus status = call(folder, "body", def, again, NULL, &made, asset, &error);             \
    ck_assert((made != NULL) == (status == TAC_OK));                                             \
    return status;                                                                               \
  }
FETCH(fetch_reduced, tacReduced, tac_reduced_cache)
FETCH(fetch_vademecum, tacVademecum, tac_vademecum_cache)
FETCH(fetch_field, tacDistanceField, tac_solid_cache_field)
FETCH(fetch_points, tacPointshell, tac_solid_cache_points)
FETCH(fetch_moving, tacPointshell, tac_reduced_cache_points)

static tacStatus fetch_green(const char *folder, const void *def, bool again, tacSceneAsset *asset) {
  TAC_OWN(tacGreen, green) = NULL;
  TAC_OWN(tacReferenceProblem, problem) = NULL;
  tacStatus status = tac_green_cache(folder, "body", def, again, NULL, &green, &problem, asset, &error);
  ck_assert((green != NULL) == (status == TAC_OK));
  return status;
}

/* Those at rest where there is no model that they move with. */
static tacStatus fetch_embedded(const char *folder, const void *of, bool again, tacSceneAsset *asset) {
  const tacEmbeddedDef *def = of;
  return def->reduced == NULL ? fetch_points(folder, &def->shell, again, asset)
                              : fetch_moving(folder, of, again, asset);
}

static char cache[256]; /* of one test: what is wanted is baked once, and again after each file that is refused */

/* The file of `other` under the name of what is `wanted`, as if names collided: it is not given out, and what is baked again is. */
static void check_refused(Fetch *fetch, const char *what, const void *wanted, const void *other) {
  tacSceneAsset mine = {0}, its = {0}, asset = {0};
  if (access(cache, F_OK) != 0) tac_test_folder(cache, sizeof cache);
  tac_test_ok(fetch(cache, wanted, false, &mine), error);
  tac_test_ok(fetch(cache, other, false, &its), error);
  ck_assert_str_ne(mine.path, its.path);
  tac_test_ok(fetch(cache, wanted, false, &asset), error);
  ck_assert(asset.was_cached);
  ck_assert_int_eq(rename(its.path, mine.path), 0);
  tacStatus status = fetch(cache, wanted, false, &asset);
  ck_assert_msg(status != TAC_OK || !asset.was_cached, "%s: a file of another body is taken for its own", what);
  if (status != TAC_OK) {
    ck_assert_msg(strstr(error.text, mine.path) != NULL, "%s: %s", what, error.text);
    tac_test_ok(fetch(cache, wanted, true, &asset), error);
  }
  ck_assert_uint_eq(asset.checksum, mine.checksum);
}

TAC_TEST(a_green_function_of_another_body_is_refused) {
  Ball ball;
  Ball finer;
  Ball other;
  make_ball(&ball, 0.035);
  make_ball(&finer, 0.02);
  ck_assert_int_ne(ball.surface->vertex_count, finer.surface->vertex_count);
  check_refused(fetch_green, "vertices", &ball.def, &finer.def);
  make_ball(&other, 0.035);
  other.def.problem.sensor_count = 1;
  other.def.problem.sensors = &other.sensor;
  check_refused(fetch_green, "sensors", &ball.def, &other.def);
  other.def.problem.sensor_count = 0;
  other.def.storage = TAC_GREEN_NEAR;
  other.def.near_radius = 0.04;
  check_refused(fetch_green, "storage", &ball.def, &other.def);
}

/* A beam of bricks, held at its end. */
typedef struct Beam {
  tacVolMesh *volume;
  tacTriMesh *surface;
  bool held[64];
  int material_of[16];
  tacMaterial materials[2];
  tacReducedDef def;
} Beam;

static void make_beam(Beam *beam, int nx, int ny, int nz) {
  *beam = (Beam){.volume = brick_beam_mesh(nx, ny, nz, 0.01), .def = tac_reduced_def_default()};
  tac_test_keep(beam->volume, tac_volmesh_destroy);
  ck_assert_int_le(beam->volume->vertex_count, 64);
  for (int i = 0; i < beam->volume->vertex_count; ++i) beam->held[i] = beam->volume->vertices[i].x < 1e-6;
  for (int i = 0; i < 2; ++i)
    tac_test_ok(tac_material_isotropic(1000.0, 1e4 * (i + 1), 0.4, &beam->materials[i], &error), error);
  beam->surface = tac_test_kept(tacTriMesh, tac_volmesh_surface(beam->volume, &made, NULL, NULL, &error));
  beam->def.volume = beam->volume;
  beam->def.fixed = beam->held;
  beam->def.material_count = 1;
  beam->def.materials = beam->materials;
  beam->def.mode_count = 3;
  beam->def.size = 4;
  beam->def.error_estimate_loads = 1;
}

/* They differ in one number each: 8 bricks with 36 vertices, 8 with 30, 10 with 36; a surface of 8 vertices, and one of 26. */
TAC_TEST(a_reduced_asset_of_another_body_is_refused) {
  static const char *const names[] = {"near", "far"};
  static const tacBox in_all = {{0.0, 0.0, 0.0}, {0.04, 0.01, 0.01}};
  TAC_OWN(tacTriMesh, coarse) = make_box(in_all, 1);
  TAC_OWN(tacTriMesh, fine) = make_box(in_all, 2);
  Beam beam, other;
  make_beam(&beam, 8, 1, 1);
  make_beam(&other, 4, 2, 1);
  beam.def.surface = other.def.surface = coarse;
  ck_assert_int_ne(other.volume->vertex_count, beam.volume->vertex_count);
  check_refused(fetch_reduced, "vertices", &beam.def, &other.def);
  make_beam(&other, 5, 2, 1);
  other.def.surface = coarse;
  ck_assert_int_eq(other.volume->vertex_count, beam.volume->vertex_count);
  check_refused(fetch_reduced, "elements", &beam.def, &other.def);
  make_beam(&other, 8, 1, 1);
  other.def.surface = fine;
  check_refused(fetch_reduced, "vertices of the surface", &beam.def, &other.def);
  other.def.surface = coarse;
  other.def.size = 5;
  check_refused(fetch_reduced, "coordinates", &beam.def, &other.def);
  other.def.size = 4;
  for (int i = 0; i < 8; ++i) other.material_of[i] = i / 4;
  other.def.material_count = 2;
  other.def.material_of = other.material_of;
  other.def.group_names = names;
  check_refused(fetch_reduced, "materials", &beam.def, &other.def);
}

typedef struct Block {
  tacVolMesh *mesh;
  bool fixed[64];
  tacVademecumDef def;
} Block;

static void make_block(Block *block, int nx, int ny, int nz) {
  *block = (Block){.mesh = make_tets((tacBox){{-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}}, nx, ny, nz),
                   .def = tac_vademecum_def_default()};
  tac_test_keep(block->mesh, tac_volmesh_destroy);
  ck_assert_int_le(block->mesh->vertex_count, 64);
  for (int v = 0; v < block->mesh->vertex_count; ++v) block->fixed[v] = block->mesh->vertices[v].z < -0.04;
  block->def.mesh = block->mesh;
  block->def.material = (tacLawMaterial){.law = "neo-hookean", .parameters = {2e4, 4e4}, .density = 1000.0};
  block->def.fixed = block->fixed;
  block->def.load = 1.0;
  block->def.mode_most = 4;
  block->def.sample_count = 3;
}

/* Again one number each: 36 nodes with 48 and with 60 tetrahedra, 27 nodes with 48. */
TAC_TEST(a_vademecum_of_another_body_is_refused) {
  Block block, other;
  make_block(&block, 8, 1, 1);
  make_block(&other, 5, 2, 1);
  ck_assert_int_eq(other.mesh->vertex_count, block.mesh->vertex_count);
  ck_assert_int_ne(other.mesh->tet_count, block.mesh->tet_count);
  check_refused(fetch_vademecum, "elements", &block.def, &other.def);
  make_block(&other, 2, 2, 2);
  ck_assert_int_eq(other.mesh->tet_count, block.mesh->tet_count);
  ck_assert_int_ne(other.mesh->vertex_count, block.mesh->vertex_count);
  check_refused(fetch_vademecum, "nodes", &block.def, &other.def);
  make_block(&other, 8, 1, 1);
  other.def.load = 0.9;
  check_refused(fetch_vademecum, "load", &block.def, &other.def);
  other.def.load = 1.0;
  other.def.linear = true;
  check_refused(fetch_vademecum, "linear", &block.def, &other.def);
  other.def.linear = false;
  other.def.mode_most = 6;
  check_refused(fetch_vademecum, "modes", &block.def, &other.def);
}

TAC_TEST(fields_and_points_of_another_body_are_refused) {
  Beam beam;
  make_beam(&beam, 8, 1, 1);
  tacShellDef def = {.solid = {.mesh = beam.surface, .def = tac_field_def_default()},
                     .points = tac_pointshell_def_default()};
  def.solid.def.resolution = 16;
  def.points.point_count = 240;
  def.points.level_count = 2;
  tacShellDef other = def;
  other.solid.def.resolution = 20;
  check_refused(fetch_field, "resolution", &def.solid, &other.solid);
  other = def;
  other.points.level_count = 3;
  check_refused(fetch_points, "levels", &def, &other);
  TAC_CREATE(tacReduced, small, tac_reduced_bake(&beam.def, NULL, &small, &error));
  beam.def.size = 5;
  TAC_CREATE(tacReduced, large, tac_reduced_bake(&beam.def, NULL, &large, &error));
  const tacEmbeddedDef rests = {.shell = def}, four = {.shell = def, .reduced = small, .reduced_key = 1},
                       five = {.shell = def, .reduced = large, .reduced_key = 2};
  check_refused(fetch_embedded, "embedded", &rests, &four);
  check_refused(fetch_embedded, "coordinates", &five, &four);
}
