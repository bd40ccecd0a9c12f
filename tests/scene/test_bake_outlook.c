#include "scene/bake_outlook.h"

#include <pthread.h>
#include <sys/stat.h>
#include "base/threads/parallel.h"
#include "scene/scene_text.h"
#include "spec/bake_steps.h"
#include "spec/cache/bake_cache.h"

/* ---- the ledger ---- */

TAC_TEST(a_ledger_keeps_bake_times) {
  struct stat before, after;
  open_cache();
  const tacBakeEntry first[] = {{7, 2.5, "b-0000000000000007.green"}, {3, -1.0, "a-0000000000000003.field"}};
  tac_test_ok(tac_bake_ledger_note(cache, 2, first, &error), error);
  /* Without seconds those before stay; with other ones they change. */
  const tacBakeEntry second[] = {{7, -1.0, "b-0000000000000007.green"}, {3, 0.25, "a-0000000000000003.field"}};
  tac_test_ok(tac_bake_ledger_note(cache, 2, second, &error), error);
  const char *path = in_cache("" TAC_BAKE_LEDGER_NAME);
  tacBakeLedger ledger = tac_test_made(tacBakeLedger, tac_bake_ledger_read(path, &made, &error));
  ck_assert_uint_eq(ledger.count, 2);
  ck_assert_double_eq(tac_bake_ledger_find(&ledger, 7)->seconds, 2.5);
  ck_assert_double_eq(tac_bake_ledger_find(&ledger, 3)->seconds, 0.25);
  ck_assert_str_eq(tac_bake_ledger_find(&ledger, 3)->file, "a-0000000000000003.field");
  ck_assert_ptr_null(tac_bake_ledger_find(&ledger, 4));
  tac_bake_ledger_free(&ledger);
  /* What changes nothing writes nothing. */
  ck_assert_int_eq(stat(path, &before), 0);
  tac_test_ok(tac_bake_ledger_note(cache, 2, second, &error), error);
  ck_assert_int_eq(stat(path, &after), 0);
  ck_assert_uint_eq(before.st_ino, after.st_ino);
}

TAC_TEST(malformed_ledger_lines_are_skipped) {
  TAC_FREED(tac_bake_ledger_free, tacBakeLedger, ledger);
  const char *path = tac_test_path("ledger");
  tac_test_ok(tac_bake_ledger_read(path, &ledger, &error), error); /* there is none */
  ck_assert_uint_eq(ledger.count, 0);
  tac_test_write("ledger",
                 "# bake times\n\n0000000000000001 2 a.green\nnothing\n0000000000000002\n0000000000000003 nan "
                 "b.green\n0000000000000004 -1 b.green\n0000000000000005 1 ../b.green\n00000000000000 1 "
                 "b.green\n0000000000000006 - c.green\n0000000000000007 3 -\n0000000000000001 4 a.green\n");
  tac_test_ok(tac_bake_ledger_read(path, &ledger, &error), error);
  ck_assert_uint_eq(ledger.count, 3);
  ck_assert_double_eq(tac_bake_ledger_find(&ledger, 1)->seconds, 4.0);
  ck_assert_double_lt(tac_bake_ledger_find(&ledger, 6)->seconds, 0.0);
  ck_assert_str_eq(tac_bake_ledger_find(&ledger, 7)->file, "");
}

/* ---- outlooks ---- */

static const char text[] = "tactus: 1\n"
                           "bodies:\n"
                           "  - name: ball\n"
                           "    kind: rigid\n"
                           "    surface: {shape: sphere, size: 20 mm}\n"
                           "    field: {resolution: 24}\n"
                           "    points: {count: 200, levels: 2}\n"
                           "    friction: 0.3\n"
                           "tools:\n"
                           "  - name: probe\n"
                           "    kind: point\n"
                           "    device: {kind: operator, path: [{on: ball, near: [0, 0, 80 mm], depth: -5 mm}]}\n";

static tacSceneOutlook look(const tacScene *scene) {
  tacSceneOutlook outlook = tac_test_made(tacSceneOutlook, tac_scene_outlook(scene, cache, &made, &error));
  ck_assert_int_eq(outlook.assets, 2);
  return outlook;
}

static tacSceneOutlook look_at(const char *changed, const char *to) {
  const char *path = in_cache("s.yaml");
  const char *other = edited(text, changed, to);
  TAC_OWN(tacScene, scene) = parse(other, path);
  tacSceneOutlook outlook = look(scene);
  return outlook;
}

static void begin(void) {
  open_cache();
  ck_assert_int_eq(setenv("TACTUS_PREBAKED", "", 1), 0);
}

/* What is remembered of the mesh of the only body. */
static double mesh_seconds(const tacScene *scene) {
  tacBakeExpected expected[3];
  ck_assert_int_eq(tac_bake_outlook_count(scene), 3);
  tac_test_ok(tac_bake_outlook(scene, cache, expected, &error), error);
  return expected[0].seconds > 0.0 ? expected[0].seconds : 0.0;
}

/* Known without being made: what is there, what is not, and how long that took; by what the bake depends on. */
TAC_TEST(the_outlook_follows_the_cache) {
  tacSceneAsset assets[2];
  begin();
  const char *path = in_cache("s.yaml");
  TAC_OWN(tacScene, scene) = parse(text, path);
  tacSceneOutlook outlook = look(scene);
  ck_assert_int_eq(outlook.missing, 2);
  ck_assert_double_lt(outlook.seconds, 0.0);
  tac_test_ok(tac_scene_bake(scene, cache, false, NULL, assets, &error), error);
  outlook = look(scene);
  ck_assert_int_eq(outlook.missing, 0);
  ck_assert_double_eq(outlook.seconds, 0.0);
  ck_assert_uint_eq(outlook.bytes, assets[0].bytes + assets[1].bytes);
  ck_assert_int_eq(look_at("friction: 0.3", "friction:   0.2 # as of ice").missing, 0);
  ck_assert_int_eq(look_at("count: 200", "count: 201").missing, 2); /* of one body: all may depend on it */
  ck_assert_int_eq(look_at("tools:", "small: true\ntools:").missing, 2);
  ck_assert_int_eq(remove(assets[0].path), 0);
  outlook = look(scene);
  ck_assert_int_eq(outlook.missing, 1);
  ck_assert_double_ge(outlook.seconds, 0.0);
  ck_assert_double_le(outlook.seconds, assets[0].seconds * 1.01 + mesh_seconds(scene) + 2e-3);
}

/* What is not known here is taken from beside the scene. */
TAC_TEST(bake_times_may_be_stored_beside_scenes) {
  tacBakeExpected expected[3]; /* a mesh and two assets */
  begin();
  const char *path = in_cache("s.yaml");
  const char *table = in_cache("" TAC_BAKE_LEDGER_SHIPPED);
  TAC_OWN(tacScene, scene) = parse(text, path);
  tac_test_ok(tac_bake_outlook(scene, cache, expected, &error), error);
  FILE *file = fopen(table, "w");
  ck_assert_ptr_nonnull(file);
  ck_assert(expected[0].mesh && !expected[1].mesh && !expected[2].mesh);
  for (int i = 1; i < 3; ++i) fprintf(file, "%016llx %d -\n", (unsigned long long)expected[i].key, 29 + i);
  fflush(file);
  tacSceneOutlook outlook = look(scene);
  ck_assert_int_eq(outlook.missing, 2);
  ck_assert_double_eq_tol(outlook.seconds, 61.0, 1e-9);
  fprintf(file, "%016llx 9 -\n", (unsigned long long)expected[0].key);
  fclose(file);
  outlook = look(scene);
  ck_assert_int_eq(outlook.missing, 2);
  ck_assert_double_eq_tol(outlook.seconds, 70.0, 1e-9);
  /* One that took twice as long here: so will the other. */
  const tacBakeEntry here = {expected[1].key, 60.0, "gone.field"};
  tac_test_ok(tac_bake_ledger_note(cache, 1, &here, &error), error);
  ck_assert_double_eq_tol(look(scene).seconds, 60.0 + 2.0 * (31.0 + 9.0), 1e-9);
}

/* Times of meshes that were made are remembered; not those of meshes that were in the cache. */
TAC_TEST(mesh_times_are_stored) {
  tacBakeExpected expected[3];
  const tacSceneAsset none[2] = {0};
  begin();
  TAC_OWN(tacScene, scene) = parse(text, "s.yaml");
  tac_test_ok(tac_bake_outlook(scene, cache, expected, &error), error);
  ck_assert_double_lt(expected[0].seconds, 0.0);
  expected[0].took = 8.0;
  tac_bake_outlook_note(cache, 3, expected, none);
  ck_assert_double_eq(mesh_seconds(scene), 8.0);
  expected[0].seconds = 8.0;
  expected[0].took = 0.5;
  tac_bake_outlook_note(cache, 3, expected, none);
  ck_assert_double_eq(mesh_seconds(scene), 8.0);
  expected[0].took = 6.0;
  tac_bake_outlook_note(cache, 3, expected, none);
  ck_assert_double_eq(mesh_seconds(scene), 6.0);
}

static int count_endings(const char *ending) {
  char line[400], answer[32];
  snprintf(line, sizeof line, "ls '%s' | grep -c '\\%s$'", cache, ending);
  FILE *pipe = popen(line, "r");
  ck_assert_ptr_nonnull(fgets(answer, sizeof answer, pipe));
  pclose(pipe);
  return atoi(answer);
}

/* What is prebaked is read where it is; what is broken there is baked here. */
TAC_TEST(prebaked_assets_are_read) {
  tacSceneAsset made[2], assets[2];
  begin();
  TAC_OWN(tacScene, first) = parse(text, "s.yaml");
  TAC_OWN(tacScene, scene) = parse(text, "s.yaml");
  tac_test_ok(tac_scene_bake(first, cache, false, NULL, made, &error), error);
  ck_assert_int_eq(setenv("TACTUS_PREBAKED", cache, 1), 0);
  open_cache(); /* another one */
  ck_assert_int_eq(look(scene).missing, 0);
  tac_test_ok(tac_scene_bake(scene, cache, false, NULL, assets, &error), error);
  for (int i = 0; i < 2; ++i) {
    ck_assert(assets[i].was_cached);
    ck_assert_str_eq(assets[i].path, made[i].path);
    ck_assert_uint_eq(assets[i].checksum, made[i].checksum);
  }
  ck_assert_int_eq(count_endings(".field"), 0);
  ck_assert_int_eq(truncate(made[0].path, 100), 0);
  tac_test_ok(tac_scene_bake(scene, cache, false, NULL, assets, &error), error);
  ck_assert(!assets[0].was_cached && assets[1].was_cached);
  ck_assert_uint_eq(assets[0].checksum, made[0].checksum);
  ck_assert_int_eq(count_endings(".field"), 1);
}

/* ---- steps ---- */

static int64_t clock_now;
static int64_t fake_now(void) {
  return clock_now;
}

static double fraction_reported;
static char what_reported[200];

static bool note(const char *what, double fraction, void *user) {
  (void)user;
  ck_assert_double_ge(fraction, fraction_reported);
  ck_assert_double_le(fraction, 1.0);
  fraction_reported = fraction;
  snprintf(what_reported, sizeof what_reported, "%s", what);
  return true;
}

/* By the time that is expected; the next steps are expected to be as slow as those before; it never falls and never ends
 * before it is done. */
TAC_TEST(steps_are_fractions_of_the_bake) {
  const tacProgress whole = {note, NULL};
  tacBakeExpected expected[5] = {{.mesh = true, .seconds = 4.0},
                                 {.seconds = 10.0},
                                 {.seconds = 30.0},
                                 {.mesh = true, .seconds = -1.0},
                                 {.seconds = -1.0}};
  tacBakeSteps steps;
  fraction_reported = 0.0;
  clock_now = 0;
  tac_bake_steps_begin(&whole, 5, expected, &steps);
  steps.now = fake_now;
  const tacProgress progress = tac_bake_steps_progress(&steps);
  tac_bake_steps_body(&steps, "kidney");
  ck_assert_str_eq(what_reported, "kidney: mesh");
  clock_now = (int64_t)2e9;
  progress.report("tetrahedra", 0.7, progress.user); /* a mesh counts */
  ck_assert_double_eq_tol(fraction_reported, 2.0 / steps.total, 1e-12);
  clock_now = (int64_t)4e9;
  tac_bake_steps_asset(&steps);
  ck_assert_double_eq(expected[0].took, 4.0);
  clock_now = (int64_t)9e9;
  progress.report("columns", 0.4, progress.user);
  ck_assert_str_eq(what_reported, "kidney: columns");
  ck_assert_double_eq_tol(fraction_reported, 9.0 / steps.total, 1e-12);
  tac_bake_steps_next(&steps, 0.02);
  tac_bake_steps_next(&steps, 0.01); /* it does not fall */
  progress.report("columns", 0.4, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 9.6 / steps.total, 1e-12);
  clock_now = (int64_t)28e9; /* 24 s instead of 10: twice as slow as expected in all */
  progress.report("columns", 0.9, progress.user);
  ck_assert_double_lt(fraction_reported, 14.6 / steps.total);
  tac_bake_steps_asset(&steps);
  clock_now += (int64_t)30e9; /* half of what the second takes then */
  progress.report("columns", 0.1, progress.user);
  ck_assert_double_eq_tol(fraction_reported, (14.0 + 30.0 * 0.325) / steps.total,
                          1e-9); /* so far behind is not believed */
  progress.report("columns", 0.4, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 29.0 / steps.total, 1e-9);
  /* Of another body nothing is known: by what it reports, a surface and a volume; then an asset of several stages. */
  tac_bake_steps_body(&steps, "liver");
  progress.report("surface", 1.0, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 44.25 / steps.total, 1e-9);
  progress.report("tetrahedra", 0.0, progress.user);
  progress.report("tetrahedra", 1.0, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 44.375 / steps.total, 1e-9);
  tac_bake_steps_asset(&steps);
  tac_bake_steps_next(&steps, 0.5); /* there is no next one */
  progress.report("modes", 0.3, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 45.4 / steps.total, 1e-9);
  progress.report("polynomials", 0.8, progress.user);
  ck_assert_double_eq_tol(fraction_reported, 46.9 / steps.total, 1e-9);
  tac_bake_steps_end(&steps);
  ck_assert_double_eq(fraction_reported, 1.0);
  ck_assert_double_eq_tol(expected[2].took, 30.0, 1e-9);
}

/* The same of a real bake: one bar, and the body's name in all that it says. */
static bool watch(const char *what, double fraction, void *user) {
  ck_assert(strncmp(what, "ball: ", 6) == 0 || strcmp(what, "bake") == 0);
  ++*(int *)user;
  return note(what, fraction, NULL);
}

TAC_TEST(a_bake_has_one_progress_bar) {
  int calls = 0;
  const tacProgress progress = {watch, &calls};
  begin();
  fraction_reported = 0.0;
  TAC_OWN(tacScene, scene) = parse(text, "s.yaml");
  tac_test_ok(tac_scene_bake(scene, cache, false, &progress, NULL, &error), error);
  ck_assert_int_gt(calls, 2);
  ck_assert_double_eq(fraction_reported, 1.0);
}

/* ---- points beside a basis ---- */

static const char rod[] =
    ROD_BODY "    points: {count: 300, levels: 2, resolution: 24}\n"
             "  - name: ball\n"
             "    kind: rigid\n"
             "    analytic: [{sphere: {centre: [0, 0, 0], radius: 1 cm}}]\n"
             "contacts:\n"
             "  - {points: rod, field: ball}\n"
             "tools:\n"
             "  - {name: probe, kind: point, device: {kind: operator, path: [{at: [0, 0, 1 m]}]}}\n";

typedef struct {
  pthread_t caller;
  int calls, most; /* before it is cancelled; 0: it is not */
} Watched;

static bool watch_caller(const char *what, double fraction, void *user) {
  Watched *watched = user;
  ck_assert(pthread_equal(pthread_self(), watched->caller));
  return note(what, fraction, NULL) && (watched->most == 0 || ++watched->calls < watched->most);
}

static tacStatus bake_rod(const char *folder, int threads, bool again, int most, tacSceneAsset assets[2]) {
  Watched watched = {.caller = pthread_self(), .most = most};
  const tacProgress progress = {watch_caller, &watched};
  TAC_OWN(tacScene, scene) = parse(rod, "s.yaml");
  ck_assert_int_eq(tac_scene_asset_count(scene), 2);
  fraction_reported = 0.0;
  tac_parallel_set_threads(threads);
  tacStatus status = tac_scene_bake(scene, folder, again, &progress, assets, &error);
  tac_parallel_set_threads(0);
  return status;
}

/* The same files from one thread, which bakes one after the other, and from three; those of the points are not made twice. */
TAC_TEST(points_are_placed_beside_the_basis) {
  tacSceneAsset one[2], three[2];
  char line[1400];
  begin();
  const char *first = in_cache("1");
  const char *second = in_cache("3");
  tac_test_ok(bake_rod(first, 1, false, 0, one), error);
  ck_assert_double_eq(fraction_reported, 1.0);
  tac_test_ok(bake_rod(second, 3, false, 0, three), error);
  ck_assert_double_eq(fraction_reported, 1.0);
  for (int i = 0; i < 2; ++i) {
    ck_assert(!three[i].was_cached);
    ck_assert_uint_eq(one[i].checksum, three[i].checksum);
  }
  snprintf(line, sizeof line, "cmp -s '%s'/*.points '%s'/*.points && cmp -s '%s'/*.embedded '%s'/*.embedded", first,
           second, first, second);
  ck_assert_int_eq(system(line), 0);
  tac_test_ok(bake_rod(second, 3, true, 0, three), error); /* again */
  ck_assert(!three[0].was_cached && !three[1].was_cached);
  tac_test_ok(bake_rod(second, 3, false, 0, three), error);
  ck_assert(three[0].was_cached && three[1].was_cached);
}

TAC_TEST(points_beside_the_basis_can_be_cancelled) {
  tacSceneAsset assets[2];
  begin();
  for (int most = 1; most < 4; ++most) ck_assert_int_eq(bake_rod(cache, 3, false, most, assets), TAC_ERR_CANCELLED);
  tac_test_ok(bake_rod(cache, 3, false, 0, assets), error);
}
