#include "spec/cache/bake_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <tactus/distance_field.h>
#include <tactus/green.h>
#include <tactus/meshing.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "asset/pointshell.h"
#include "bake/checkpoint.h"
#include "base/clock.h"
#include "base/files/checksum.h"
#include "base/files/chunk_transfer.h"
#include "base/files/input_file.h"
#include "base/files/little_endian.h"
#include "base/files/new_file.h"
#include "base/log.h"
#include "brick_beam.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green_cache.h"
#include "kinds/reduced/reduced_cache.h"
#include "spec/cache/bake_key.h"
#include "spec/cache/solid_cache.h"
#include "test.h"

static tacReferenceProblem *problem; /* of the last fetch; NULL for whole storage */

/* A coarse sphere, held below: small enough to bake in no time. */
typedef struct Sample {
  tacTriMesh *surface;
  bool fixed[64];
  tacMaterial material;
  tacSensor sensor;
  tacGreenDef def;
} Sample;

static void make_sample(Sample *sample) {
  *sample = (Sample){.def = tac_green_def_default()};
  tac_test_ok(tac_shape_build("sphere", 0.035, NULL, &sample->surface, &error), error);
  ck_assert_int_le(sample->surface->vertex_count, 64);
  for (int i = 0; i < sample->surface->vertex_count; ++i) sample->fixed[i] = sample->surface->vertices[i].z < -0.005;
  tac_test_ok(tac_material_isotropic(1000.0, 1e4, 0.4, &sample->material, &error), error);
  sample->sensor = (tacSensor){"middle", TAC_SENSOR_DISPLACEMENT, {0.0, 0.0, 0.0}};
  sample->def.problem.method = TAC_BOUNDARY_ELEMENTS;
  sample->def.problem.surface = sample->surface;
  sample->def.problem.material_count = 1;
  sample->def.problem.materials = &sample->material;
  sample->def.problem.fixed = sample->fixed;
  sample->def.error_estimate_loads = 1;
}

/* A short beam, held at its end. */
typedef struct Beam {
  tacVolMesh *volume;
  tacTriMesh *surface;
  bool held[64];
  int material_of[8];
  tacMaterial materials[2];
  tacLoadSample load;
  tacReducedDef def;
} Beam;

static void make_beam(Beam *beam) {
  static const char *const names[] = {"near", "far"};
  *beam = (Beam){.volume = brick_beam_mesh(8, 1, 1, 0.01), .def = tac_reduced_def_default()};
  ck_assert_int_le(beam->volume->vertex_count, 64);
  for (int i = 0; i < beam->volume->vertex_count; ++i) beam->held[i] = beam->volume->vertices[i].x < 1e-6;
  for (int i = 0; i < 8; ++i) beam->material_of[i] = i / 4;
  for (int i = 0; i < 2; ++i)
    tac_test_ok(tac_material_isotropic(1000.0, 1e4 * (i + 1), 0.4, &beam->materials[i], &error), error);
  tac_test_ok(tac_volmesh_surface(beam->volume, &beam->surface, NULL, NULL, &error), error);
  beam->load = (tacLoadSample){0.0, {0.08, 0.005, 0.005}, {0.0, 0.0, 0.001}, 0.0};
  beam->def.volume = beam->volume;
  beam->def.fixed = beam->held;
  beam->def.material_count = 2;
  beam->def.materials = beam->materials;
  beam->def.material_of = beam->material_of;
  beam->def.group_names = names;
  beam->def.mode_count = 3;
  beam->def.size = 4;
  beam->def.error_estimate_loads = 1;
}

/* Of each test. */
static Sample s;
static Beam b;
static char warned[1024];

static void keep_warning(tacLogLevel level, const char *text, void *user) {
  (void)user;
  if (level == TAC_LOG_WARNING) snprintf(warned, sizeof warned, "%s", text);
}

static void before(void) {
  make_sample(&s);
  make_beam(&b);
  warned[0] = 0;
  tac_log_set(keep_warning, NULL);
}

static void after(void) {
  tac_log_set(NULL, NULL);
  tac_trimesh_destroy(s.surface);
  tac_volmesh_destroy(b.volume);
  tac_trimesh_destroy(b.surface);
}
TAC_TEST_AROUND(before, after)

static void store_near(void) {
  s.def.storage = TAC_GREEN_NEAR;
  s.def.near_radius = 0.04;
}

/* Of the sphere, from the test's folder. */
static tacStatus fetch_green(tacGreen **green, tacSceneAsset *asset) {
  return tac_green_cache(tac_test_own_folder(), "ball", &s.def, false, NULL, green, &problem, asset, &error);
}

static int count_files(void) {
  DIR *list = opendir(tac_test_own_folder());
  ck_assert_ptr_nonnull(list);
  int count = 0;
  for (struct dirent *entry; (entry = readdir(list)) != NULL;) count += entry->d_name[0] != '.';
  closedir(list);
  return count;
}

/* The file of the same name with another ending. */
static const char *beside(const tacSceneAsset *asset, const char *ending) {
  const char *name = strrchr(asset->path, '/') + 1;
  char other[256];
  snprintf(other, sizeof other, "%.*s%s", (int)(strrchr(name, '.') - name), name, ending);
  return tac_test_path(other);
}

static void check_different(int count, const uint64_t *keys) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) ck_assert_uint_ne(keys[i], keys[j]);
}

/* Processes that want the same asset at once: all get it, and it is whole. The first test, as a fork leaves threads of OpenMP
 * behind, which solutions in this process would have begun. */
TAC_TEST(concurrent_processes_share_the_cache_safely) {
  enum { PROCESSES = 4 };
  pid_t children[PROCESSES];
  tac_test_own_folder();
  for (int i = 0; i < PROCESSES; ++i) {
    children[i] = fork();
    ck_assert_int_ge(children[i], 0);
    if (children[i] == 0) {
      tacGreen *green = NULL;
      _exit(fetch_green(&green, NULL) == TAC_OK ? 0 : 1);
    }
  }
  for (int i = 0; i < PROCESSES; ++i) {
    int result = -1;
    ck_assert_int_eq(waitpid(children[i], &result, 0), children[i]);
    ck_assert(WIFEXITED(result) && WEXITSTATUS(result) == 0);
  }
  tacSceneAsset asset;
  TAC_CREATE(tacGreen, green, fetch_green(&green, &asset));
  ck_assert(asset.was_cached);
  ck_assert_int_eq(count_files(), 1);
}

/* ---- keys ---- */

TAC_TEST(cache_key_depends_on_relevant_inputs) {
  uint64_t keys[10];
  int count = 0, wanted[1] = {5};
#define KEY_GREEN keys[count++] = tac_green_cache_key(&s.def)
  KEY_GREEN;
  ck_assert_uint_eq(keys[0], tac_green_cache_key(&s.def));
  s.surface->vertices[7].x += 1e-9, KEY_GREEN;
  s.fixed[0] = !s.fixed[0], KEY_GREEN;
  s.material.stiffness[0][0] *= 1.001, KEY_GREEN;
  s.def.problem.sensor_count = 1, s.def.problem.sensors = &s.sensor, KEY_GREEN;
  s.sensor.point.z = 1e-6, KEY_GREEN;
  s.def.wanted_count = 1, s.def.wanted = wanted, KEY_GREEN;
  s.def.storage = TAC_GREEN_NEAR, KEY_GREEN;
  s.def.near_radius = 0.01, KEY_GREEN;
  check_different(count, keys);
}

TAC_TEST(reduced_key_depends_on_relevant_inputs) {
  static const char *const other[] = {"near", "end"};
  uint64_t keys[24];
  int count = 0;
#define KEY keys[count++] = tac_reduced_cache_key(&b.def)
  KEY;
  ck_assert_uint_eq(keys[0], tac_reduced_cache_key(&b.def));
  b.def.mass_damping = 7.0; /* of the full motion, which these modes do not have */
  ck_assert_uint_eq(keys[0], tac_reduced_cache_key(&b.def));
  b.volume->vertices[7].x += 1e-9, KEY;
  b.held[0] = !b.held[0], KEY;
  b.def.fixed = NULL, KEY;
  b.def.fixed = b.held;
  b.materials[1].stiffness[0][0] *= 1.001, KEY;
  b.materials[1].density *= 1.001, KEY;
  b.material_of[3] = 1, KEY;
  b.def.group_names = other, KEY;
  b.def.surface = b.surface, KEY;
  b.surface->vertices[0].y += 1e-9, KEY;
  b.def.lumped_mass = true, KEY;
  b.def.mode_count = 4, KEY;
  b.def.size = 5, KEY;
  b.def.source = TAC_BASIS_SKETCH, KEY;
  b.def.load_count = 1, b.def.loads = &b.load, KEY;
  b.load.force.x = 1e-9, KEY;
  b.def.source = TAC_BASIS_MOTION, KEY;
  b.def.motion_step *= 2.0, KEY;
  b.def.motion_duration = 1.0, KEY;
  b.def.mass_damping = 8.0, KEY;
  b.def.stiffness_damping = 1.0, KEY;
  check_different(count, keys);
}

TAC_TEST(field_and_point_keys_depend_on_relevant_inputs) {
  static tacSceneRegion domains[2];
  tacEmbeddedDef embedded = {
      .shell = {.solid = {.mesh = s.surface, .def = tac_field_def_default()}, .points = tac_pointshell_def_default()}};
  tacShellDef *points = &embedded.shell;
  tacSolidDef *solid = &points->solid;
  tacDeformedDef deformed = {.solid = *solid, .domains = domains, .def = tac_deformed_field_def_default()};
  uint64_t keys[48];
  int count = 0;
#define KEYS                                               \
  keys[count++] = tac_bake_key_field(solid);               \
  keys[count++] = tac_bake_key_points(points);             \
  keys[count++] = tac_reduced_cache_points_key(&embedded); \
  deformed.solid = *solid;                                 \
  keys[count++] = tac_reduced_cache_field_key(&deformed)
  KEYS;
  solid->def.thread_count = 7; /* the result does not depend on it */
  points->points.thread_count = 7;
  ck_assert_uint_eq(keys[0], tac_bake_key_field(solid));
  ck_assert_uint_eq(keys[1], tac_bake_key_points(points));
  s.surface->vertices[7].x += 1e-9;
  KEYS;
  solid->offset = true;
  KEYS;
  solid->def.offset = 1e-3;
  KEYS;
  solid->def.resolution += 1;
  KEYS;
  solid->def.expansion *= 1.1;
  KEYS;
  solid->def.band += 1.0;
  KEYS;
  /* Of points and what they are embedded in. */
  points->points.point_count += 1;
  keys[count++] = tac_bake_key_points(points);
  points->points.level_count = 3;
  keys[count++] = tac_bake_key_points(points);
  points->field_key = 9;
  keys[count++] = tac_bake_key_points(points);
  points->field_key = 10;
  keys[count++] = tac_bake_key_points(points);
  embedded.reduced_key = 1;
  ck_assert_uint_eq(keys[count - 1], tac_bake_key_points(points));
  keys[count++] = tac_reduced_cache_points_key(&embedded);
  /* Of what deforms. */
  deformed.reduced_key = 1;
#define KEY_DEFORMED keys[count++] = tac_reduced_cache_field_key(&deformed)
  KEY_DEFORMED;
  deformed.def.proxy_count += 1, KEY_DEFORMED;
  deformed.def.nearest += 1, KEY_DEFORMED;
  deformed.domain_count = 1, domains[0].has_below = true, KEY_DEFORMED;
  domains[0].below.at = 1e-6, KEY_DEFORMED;
  domains[0].below.axis = 1, KEY_DEFORMED;
  deformed.domain_count = 2, domains[1].has_sphere = true, KEY_DEFORMED;
  domains[1].sphere.radius = 1e-6, KEY_DEFORMED;
  domains[1].sphere.centre.y = 1e-6, KEY_DEFORMED;
  ck_assert_int_le(count, (int)(sizeof keys / sizeof *keys));
  check_different(count, keys);
}

/* ---- files ---- */

/* Two of a kind that differ in nothing that can be seen of them but in their keys. */
typedef enum { GREEN, REDUCED, FIELD, POINTS, EMBEDDED, DEFORMED, KINDS } AssetKind;

static tacStatus try_fetch(AssetKind kind, bool second, bool again, const tacProgress *progress, tacSceneAsset *asset) {
  const char *folder = tac_test_own_folder();
  TAC_OWN(tacReduced, body) = NULL;
  if (kind == EMBEDDED || kind == DEFORMED) tac_test_ok(tac_reduced_bake(&b.def, NULL, &body, &error), error);
  tacShellDef points = {
      .solid = {.mesh = body != NULL ? tac_reduced_surface(body) : s.surface, .def = tac_field_def_default()},
      .points = tac_pointshell_def_default()};
  points.solid.def.resolution = 26;
  points.points.point_count = 60;
  points.points.level_count = 2;
  if (kind == FIELD && second) points.solid.def.expansion *= 1.1;
  if (kind == POINTS && second) points.points.point_count = 61;
  tacEmbeddedDef embedded = {.shell = points, .reduced = body, .reduced_key = second};
  tacDeformedDef deformed = {
      .solid = points.solid, .def = tac_deformed_field_def_default(), .reduced = body, .reduced_key = second};
  deformed.def.proxy_count = 8;
  tac_test_ok(tac_material_isotropic(1000.0, second ? 2e4 : 1e4, 0.4, &s.material, &error), error);
  b.materials[0].density = second ? 900.0 : 1000.0;
  TAC_OWN(tacGreen, green) = NULL;
  TAC_OWN(tacReduced, reduced) = NULL;
  TAC_OWN(tacDistanceField, field) = NULL;
  TAC_OWN(tacPointshell, shell) = NULL;
  TAC_OWN(tacDeformedField, deforming) = NULL;
  tacStatus status = TAC_OK;
  if (kind == GREEN)
    status = tac_green_cache(folder, "a", &s.def, again, progress, &green, &problem, asset, &error);
  else if (kind == REDUCED)
    status = tac_reduced_cache(folder, "a", &b.def, again, progress, &reduced, asset, &error);
  else if (kind == FIELD)
    status = tac_solid_cache_field(folder, "a", &points.solid, again, progress, &field, asset, &error);
  else if (kind == DEFORMED)
    status = tac_reduced_cache_field(folder, "a", &deformed, again, progress, &deforming, asset, &error);
  else if (kind == EMBEDDED)
    status = tac_reduced_cache_points(folder, "a", &embedded, again, progress, &shell, asset, &error);
  else
    status = tac_solid_cache_points(folder, "a", &points, again, progress, &shell, asset, &error);
  bool any = green != NULL || reduced != NULL || field != NULL || shell != NULL || deforming != NULL;
  ck_assert_int_eq(any, status == TAC_OK);
  return status;
}

static tacSceneAsset fetch(AssetKind kind, bool second) {
  tacSceneAsset asset;
  int64_t start = tac_clock_now();
  tac_test_ok(try_fetch(kind, second, false, NULL, &asset), error);
  ck_assert(asset.seconds >= 0.0 && asset.seconds <= tac_clock_seconds(tac_clock_now() - start));
  return asset;
}

/* Baked once, without a lock or a checkpoint that is left, and fetched from then on; a file that is broken is named; and a bake
 * that is cancelled leaves nothing. */
TAC_TEST(baked_assets_are_reused) {
  int calls = 0;
  const tacProgress cancel = {tac_test_cancel, &calls};
  for (AssetKind kind = 0; kind < KINDS; ++kind) {
    int before_it = count_files();
    ck_assert_int_eq(try_fetch(kind, false, false, &cancel, NULL), TAC_ERR_CANCELLED);
    ck_assert_int_eq(count_files(), before_it);
    tacSceneAsset asset = fetch(kind, false);
    ck_assert(!asset.was_cached && asset.bytes > 0 && strstr(asset.path, "/a-") != NULL);
    ck_assert_int_eq(count_files(),
                     before_it + (kind == EMBEDDED ? 2 : 1)); /* those at rest stay beside embedded points */
    ck_assert(fetch(kind, false).was_cached);
    ck_assert_int_eq(truncate(asset.path, (off_t)asset.bytes / 2), 0);
    ck_assert_int_ne(try_fetch(kind, false, false, NULL, NULL), TAC_OK);
    ck_assert_msg(strstr(error.text, asset.path) != NULL &&
                      strstr(error.text, "delete this cached file, or bake with --again") != NULL,
                  "%s", error.text);
    tacSceneAsset again;
    tac_test_ok(try_fetch(kind, false, true, NULL, &again), error);
    ck_assert(!again.was_cached && again.checksum == asset.checksum);
  }
}

/* Near blocks go with the factored problem: both are there, or both are baked again. */
TAC_TEST(near_storage_caches_the_factored_problem) {
  const char *factored = NULL;
  tacGreen *green = NULL;
  tacSceneAsset asset;
  store_near();
  for (int round = 0; round < 3; ++round) {
    tac_test_ok(fetch_green(&green, &asset), error);
    ck_assert_int_eq(asset.was_cached, round == 1);
    ck_assert_int_eq(tac_reference_problem_surface(problem)->vertex_count, s.surface->vertex_count);
    ck_assert_int_eq(count_files(), 2);
    tac_green_destroy(green);
    tac_reference_problem_destroy(problem);
    factored = beside(&asset, ".factored");
    if (round == 1) ck_assert_int_eq(remove(factored), 0);
  }
  ck_assert_int_eq(truncate(factored, 0), 0);
  ck_assert_int_ne(fetch_green(&green, NULL), TAC_OK);
  ck_assert(green == NULL && problem == NULL);
  ck_assert_msg(strstr(error.text, factored) != NULL, "%s", error.text);
}

/* What an asset of the cache may be, though its file is whole. */
typedef enum { OLDER, BAD_CHECK, NO_CHECKS, FAULTS } Fault;

static void spoil(const char *path, Fault fault) {
  tacChunkFile *file = NULL;
  char other[1200];
  snprintf(other, sizeof other, "%s.other", path);
  tac_test_ok(tac_chunk_file_open(path, &file, &error), error);
  tacChunkTransfer to = tac_chunk_transfer_write(other, tac_chunk_file_kind(file),
                                                 tac_chunk_file_version(file) - (fault == OLDER), &error);
  for (int i = 0; i < tac_chunk_file_count(file); ++i) {
    const tacChunkInfo *info = tac_chunk_file_info(file, i);
    uint64_t count = 0;
    TAC_MEMORY(void, items) = NULL;
    tac_test_ok(tac_chunk_file_read(file, info->name, info->type, UINT64_MAX, &count, &items, &error), error);
    bool numbers = strcmp(info->name, "checks") == 0;
    if (numbers && fault == BAD_CHECK) ((double *)items)[1] = 2.0 * ((double *)items)[2];
    if (fault == NO_CHECKS && (numbers || strcmp(info->name, "check names") == 0)) count = 0;
    tac_chunk_transfer_put(&to, info->name, info->type, count, items);
  }
  tac_test_ok(tac_chunk_transfer_end(&to), error);
  tac_chunk_file_close(file);
  ck_assert_int_eq(rename(other, path), 0);
}

/* Of an asset and of the factored problem that goes with it: baked again without an error; read directly, an error. */
TAC_TEST(old_or_unchecked_assets_are_rebaked) {
  for (int near = 0; near < 2; ++near) {
    tacGreen *green = NULL;
    tacSceneAsset asset;
    if (near) store_near();
    for (int round = 0; round <= 2 * FAULTS; ++round) {
      tac_test_ok(fetch_green(&green, &asset), error);
      ck_assert_msg(asset.was_cached == (round % 2 == 1), "round %d", round);
      ck_assert_int_eq(tac_green_checks(green)->count, 3);
      tac_green_destroy(green);
      tac_reference_problem_destroy(problem);
      Fault fault = (Fault)(round / 2);
      if (round % 2 == 0 || fault == FAULTS) continue;
      bool factored = near && fault != NO_CHECKS;
      const char *path = beside(&asset, factored ? ".factored" : ".green");
      spoil(path, fault);
      tacStatus status =
          factored ? tac_reference_problem_read(path, &problem, &error) : tac_green_read(path, &green, &error);
      ck_assert_int_eq(status, fault == OLDER ? TAC_ERR_VERSION : fault == BAD_CHECK ? TAC_ERR_CHECK : TAC_OK);
      if (status != TAC_OK) ck_assert_msg(strstr(error.text, path) != NULL, "%s", error.text);
      if (status == TAC_OK) tac_green_destroy(green);
    }
  }
}

/* A checkpoint with a column that is wrong by 0.1 %, though its checksum is right: the bake says so and leaves
 * nothing. */
TAC_TEST(failed_check_leaves_no_asset) {
  enum { HEAD = 24, NUMBER = 7 };
  char name[64];
  unsigned char head[HEAD];
  tacGreen *green = NULL;
  snprintf(name, sizeof name, "ball-%016llx.part", (unsigned long long)tac_green_cache_key(&s.def));
  s.def.checkpoint = tac_test_path(name);
  tac_test_ok(tac_green_bake(&s.def, NULL, &green, &error), error);
  size_t count = 9 * (size_t)tac_green_column_count(green) * (size_t)s.surface->vertex_count;
  double *numbers = tac_test_alloc(count * sizeof *numbers);
  tac_green_destroy(green);
  FILE *file = fopen(s.def.checkpoint, "r+b"); /* its layout: see checkpoint.c */
  ck_assert(fseek(file, HEAD, SEEK_SET) == 0 && fread(head, 1, HEAD, file) == HEAD);
  ck_assert_uint_eq(fread(numbers, sizeof *numbers, count, file), count);
  for (int i = 0; i < 3 * s.surface->vertex_count; ++i) numbers[3 * NUMBER * s.surface->vertex_count + i] *= 1.001;
  tac_little_endian_put_u64(tac_checksum(numbers, count * sizeof *numbers), head + 8);
  tac_little_endian_put_u64(tac_checksum(head, 16), head + 16);
  ck_assert(fseek(file, HEAD, SEEK_SET) == 0 && fwrite(head, 1, HEAD, file) == HEAD);
  ck_assert_uint_eq(fwrite(numbers, sizeof *numbers, count, file), count);
  fclose(file);
  s.def.checkpoint = NULL;
  tac_test_refused(fetch_green(&green, NULL), TAC_ERR_CHECK, error, "bake again");
  ck_assert_ptr_null(green);
  ck_assert_int_eq(count_files(), 0);
  tac_test_ok(fetch_green(&green, NULL), error);
  tac_green_destroy(green);
}

/* Embedded points are made from rigid ones, which stay for another body. A broken file of those is named. */
TAC_TEST(rest_points_are_reused_for_embedding) {
  tacPointshell *shell;
  tacSceneAsset asset;
  const char *folder = tac_test_own_folder();
  TAC_CREATE(tacReduced, reduced, tac_reduced_bake(&b.def, NULL, &reduced, &error));
  tacEmbeddedDef def = {.shell = {.solid = {.mesh = tac_reduced_surface(reduced), .def = tac_field_def_default()},
                                  .points = tac_pointshell_def_default()},
                        .reduced = reduced};
  def.shell.solid.def.resolution = 26;
  def.shell.points.point_count = 60;
  for (int round = 0; round < 4; ++round) {
    bool rests = round == 0 || round == 3;
    def.reduced_key = (uint64_t)round;
    tac_test_ok(rests ? tac_solid_cache_points(folder, "beam", &def.shell, false, NULL, &shell, &asset, &error)
                      : tac_reduced_cache_points(folder, "beam", &def, false, NULL, &shell, &asset, &error),
                error);
    ck_assert_int_eq(asset.was_cached, round == 3);
    ck_assert_int_eq(tac_pointshell_coordinates(shell), rests ? 0 : 4);
    ck_assert_int_eq(count_files(), 1 + (round < 2 ? round : 2));
    tac_pointshell_destroy(shell);
  }
  ck_assert_int_eq(truncate(asset.path, (off_t)asset.bytes / 2), 0);
  def.reduced_key = 7;
  ck_assert_int_ne(tac_reduced_cache_points(folder, "beam", &def, false, NULL, &shell, NULL, &error), TAC_OK);
  ck_assert_ptr_null(shell);
  ck_assert_ptr_nonnull(strstr(error.text, asset.path));
  tac_test_ok(tac_reduced_cache_points(folder, "beam", &def, true, NULL, &shell, NULL, &error), error);
  tac_pointshell_destroy(shell);
}

TAC_TEST(the_folder_comes_from_the_environment) {
  setenv("XDG_CACHE_HOME", "/x/cache", 1);
  char *folder = tac_bake_cache_folder(&error);
  ck_assert_str_eq(folder, "/x/cache/tactus");
  free(folder);
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/home/me", 1);
  folder = tac_bake_cache_folder(&error);
  ck_assert_str_eq(folder, "/home/me/.cache/tactus");
  free(folder);
  setenv("HOME", "", 1);
  ck_assert_ptr_null(tac_bake_cache_folder(&error));
  unsetenv("HOME");
  ck_assert_ptr_null(tac_bake_cache_folder(&error));
  ck_assert_str_eq(error.text, "no folder for baked assets: neither XDG_CACHE_HOME nor HOME is set; set one of them "
                               "or give a cache folder");
}

/* ---- whoever changes an asset's file or leaves something beside it ---- */

static void copy_file(const char *from, const char *to) {
  TAC_FREED(tac_input_file_free, tacInputFile, file);
  tacNewFile copy;
  tac_test_ok(tac_input_file_read(from, TAC_INPUT_ANY, &file, &error), error);
  tac_test_ok(tac_new_file_open(to, &copy, &error), error);
  fwrite(file.bytes, 1, file.size, copy.stream);
  tac_test_ok(tac_new_file_commit(&copy, &error), error);
}

TAC_TEST(misnamed_asset_is_set_aside) {
  for (AssetKind kind = 0; kind < KINDS; ++kind) {
    char aside[1100];
    tacSceneAsset first = fetch(kind, false), second = fetch(kind, true);
    ck_assert_str_ne(first.path, second.path);
    ck_assert(fetch(kind, false).was_cached);
    copy_file(first.path, second.path);
    warned[0] = 0;
    tacSceneAsset again = fetch(kind, true);
    ck_assert_msg(!again.was_cached, "kind %d", (int)kind);
    ck_assert_uint_eq(again.checksum, second.checksum);
    snprintf(aside, sizeof aside, "%s.aside", second.path);
    ck_assert_msg(strstr(warned, second.path) != NULL && strstr(warned, aside) != NULL, "%s", warned);
    ck_assert_int_eq(remove(aside), 0);
    ck_assert(fetch(kind, true).was_cached);
  }
}

/* The factored problem goes with near blocks, and is as easily taken for another's. */
TAC_TEST(factored_problem_of_another_body_is_set_aside) {
  const char *factored[2];
  store_near();
  for (int i = 0; i < 2; ++i) {
    tacSceneAsset asset = fetch(GREEN, i == 1);
    tac_reference_problem_destroy(problem);
    factored[i] = beside(&asset, ".factored");
  }
  copy_file(factored[0], factored[1]);
  for (int i = 0; i < 2; ++i) {
    ck_assert_int_eq(fetch(GREEN, true).was_cached, i);
    tac_reference_problem_destroy(problem);
  }
  ck_assert_msg(strstr(warned, factored[1]) != NULL, "%s", warned);
}

/* As they were before assets had keys. */
TAC_TEST(asset_without_a_key_is_rebaked) {
  tacSceneAsset asset = fetch(GREEN, false);
  TAC_CREATE(tacGreen, green, tac_green_read(asset.path, &green, &error));
  tac_test_ok(tac_green_write(green, asset.path, &error), error); /* not by the cache */
  for (int i = 0; i < 2; ++i) ck_assert_int_eq(fetch(GREEN, false).was_cached, i);
  ck_assert_str_eq(warned, "");
}

/* Of a write that was killed the temporary file stays, and goes with the next bake. Those of writes that go on stay, and
 * so does whatever has no name of ours. */
TAC_TEST(stale_temporary_files_are_removed) {
  const char *live = tac_test_path("a-0123456789abcdef.green");
  tacNewFile writing;
  tac_test_ok(tac_new_file_open(live, &writing, &error), error);
  const char *dead = tac_test_write("a-fedcba9876543210.field.new-01234567", "");
  const char *other = tac_test_write("notes.new-01234567", "");
  const char *wanted = tac_test_write("b-0123456789abcdef.new-0123456", "");
  fetch(GREEN, false);
  ck_assert_int_ne(access(dead, F_OK), 0);
  ck_assert_int_eq(access(other, F_OK), 0);
  ck_assert_int_eq(access(wanted, F_OK), 0);
  fputs("whole", writing.stream);
  tac_test_ok(tac_new_file_commit(&writing, &error), error);
  ck_assert_int_eq(access(live, F_OK), 0);
}

TAC_TEST(long_names_are_kept_whole) {
  char name[101] = {0}, expected[256];
  tacGreen *green = NULL;
  tacSceneAsset asset;
  store_near();
  memset(name, 'n', sizeof name - 1);
  tac_test_ok(tac_green_cache(tac_test_own_folder(), name, &s.def, false, NULL, &green, &problem, &asset, &error),
              error);
  snprintf(expected, sizeof expected, "%s-%016llx.green", name, (unsigned long long)tac_green_cache_key(&s.def));
  ck_assert_str_eq(asset.path, tac_test_path(expected));
  ck_assert_int_eq(access(beside(&asset, ".factored"), F_OK), 0);
  tac_green_destroy(green);
  tac_reference_problem_destroy(problem);
}

/* ---- locks ---- */

static int hold_lock(const char *path) {
  int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ck_assert_int_eq(flock(lock, LOCK_EX | LOCK_NB), 0);
  return lock;
}

/* A bake that was killed after its asset was written leaves its checkpoint. Other files with that name stay. */
TAC_TEST(checkpoint_beside_its_asset_is_deleted_unless_it_is_locked) {
  const int64_t start[] = {0, 1};
  double number = 1.0;
  bool done = false;
  tacCheckpoint checkpoint;
  tacSceneAsset asset = fetch(GREEN, false);
  const char *part = beside(&asset, ".part");
  tac_test_ok(tac_checkpoint_open(part, 1, 1, start, &number, &done, &checkpoint, &error), error);
  tac_test_ok(tac_checkpoint_add(&checkpoint, 0, &error), error);
  tac_checkpoint_close(&checkpoint);
  int lock = hold_lock(beside(&asset, ".lock"));
  ck_assert(fetch(GREEN, false).was_cached);
  ck_assert_int_eq(access(part, F_OK), 0);
  close(lock);
  ck_assert(fetch(GREEN, false).was_cached);
  ck_assert_int_ne(access(part, F_OK), 0);
  tac_test_write(strrchr(part, '/') + 1, "this is not a checkpoint");
  ck_assert(fetch(GREEN, false).was_cached);
  ck_assert_int_eq(access(part, F_OK), 0);
}

typedef struct Holder {
  const char *path;
  int lock, waits;
} Holder;

/* Ends the bake that another process waits for, and begins a second one before that process can. */
static bool replace_lock(const char *stage, double done, void *user) {
  Holder *holder = user;
  (void)done;
  if (strstr(stage, "waiting for another process") == NULL) return true;
  ck_assert_int_le(++holder->waits, 2);
  unlink(holder->path);
  close(holder->lock);
  if (holder->waits == 1) holder->lock = hold_lock(holder->path);
  return true;
}

TAC_TEST(lock_of_a_removed_file_is_not_enough_to_bake) {
  tacSceneAsset asset = fetch(GREEN, false);
  Holder holder = {.path = beside(&asset, ".lock")};
  const tacProgress progress = {replace_lock, &holder};
  ck_assert_int_eq(remove(asset.path), 0);
  holder.lock = hold_lock(holder.path);
  tac_test_ok(try_fetch(GREEN, false, false, &progress, &asset), error);
  ck_assert(!asset.was_cached);
  ck_assert_int_eq(holder.waits, 2);
  ck_assert_int_eq(count_files(), 1);
}

/* What is no checkpoint under the name of one is set aside, and the bake begins anew. */
TAC_TEST(invalid_checkpoint_is_set_aside) {
  tacSceneAsset asset = fetch(GREEN, false);
  const char *part = beside(&asset, ".part"), *aside = beside(&asset, ".part.aside");
  ck_assert_int_eq(remove(asset.path), 0);
  tac_test_write(strrchr(part, '/') + 1, "this is no checkpoint, but somebody may want to see it");
  tacSceneAsset again = fetch(GREEN, false);
  ck_assert_uint_eq(again.checksum, asset.checksum);
  ck_assert_msg(strstr(warned, aside) != NULL, "%s", warned);
  ck_assert_int_eq(access(aside, F_OK), 0);
  ck_assert_int_ne(access(part, F_OK), 0);
}
