#include "app/viewer/stage/loading.h"

#include <string.h>
#include "app/viewer/library/badges.h"
#include "app/viewer/stage/stage.h"
#include "app/viewer/stage/whole_bake.h"
#include "base/clock.h"
#include "scene/scene.h"
#include "test.h"

static int64_t clock_now;

static int64_t fake_now(void) {
  return clock_now;
}

static tacLoadingMoment reported;
static int reports;
static bool go_on = true;

static bool note(const tacLoadingMoment *moment, void *user) {
  (void)user;
  ck_assert_double_ge(moment->fraction, reported.fraction); /* it never falls */
  ck_assert_double_le(moment->fraction, 1.0);
  reported = *moment;
  ++reports;
  return go_on;
}

static const double seconds[TAC_LOADING_PHASES] = {8.0, 1.0, 0.0, 1.0};

static void begin(tacLoading *loading) {
  reported = (tacLoadingMoment){.fraction = -1.0};
  reports = 0;
  go_on = true;
  clock_now = 0;
  tac_loading_begin("kidney.yaml", note, NULL, loading);
  loading->now = fake_now;
  loading->start = 0;
  memcpy(loading->seconds, seconds, sizeof seconds);
}

static void at(double time) {
  clock_now = (int64_t)(1e9 * time);
}

/* Each phase has its share of the whole; pieces that begin again do not take it back; there is an estimate of the remaining
 * time after some seconds at a steady rate. */
TAC_TEST(one_bar_for_the_whole) {
  tacLoading loading;
  begin(&loading);
  const tacProgress progress = tac_loading_progress(&loading);
  tac_test_ok(tac_loading_enter(&loading, TAC_LOADING_BAKE, "reading", &error), error);
  ck_assert_str_eq(reported.scene, "kidney.yaml");
  ck_assert_double_eq(reported.fraction, 0.0);
  ck_assert_double_eq(reported.remaining, -1.0);
  at(1.0);
  progress.report("kidney: columns", 0.5, progress.user);
  ck_assert_double_eq_tol(reported.fraction, 0.4, 1e-12);
  ck_assert_double_eq(reported.remaining, -1.0); /* too soon to say */
  progress.report("kidney: checks", 0.0, progress.user);
  ck_assert_double_eq_tol(reported.fraction, 0.4, 1e-12);
  ck_assert_str_eq(reported.what, "kidney: checks");
  tac_test_ok(tac_loading_enter(&loading, TAC_LOADING_WORLD, "building the world", &error), error);
  ck_assert_double_eq_tol(reported.fraction, 0.8, 1e-12);
  tac_test_ok(tac_loading_enter(&loading, TAC_LOADING_SHOW, "what is shown", &error), error);
  ck_assert_double_eq_tol(reported.fraction, 0.9, 1e-12);
  progress.report("kidney", 2.0, progress.user);
  ck_assert_double_eq_tol(reported.fraction, 1.0, 1e-12);
}

/* 8 s of a bake that is the first 80 %. */
static double remaining_after_even_work(bool guessed) {
  tacLoading loading;
  begin(&loading);
  loading.guessed = guessed;
  const tacProgress progress = tac_loading_progress(&loading);
  for (int i = 0; i <= 70; ++i) {
    at(0.1 * i);
    progress.report("kidney: columns", 0.1 * i / 8.0, progress.user);
    if (i < 50) ck_assert_double_eq(reported.remaining, -1.0);
  }
  return reported.remaining;
}

TAC_TEST(remaining_time_is_estimated_only_where_bake_times_are_known) {
  ck_assert_double_eq_tol(remaining_after_even_work(false), 3.0, 1e-6);
  ck_assert_double_eq(remaining_after_even_work(true), -1.0);
}

TAC_TEST(the_progress_callback_can_cancel) {
  tacLoading loading;
  begin(&loading);
  const tacProgress progress = tac_loading_progress(&loading);
  go_on = false;
  ck_assert(!progress.report("columns", 0.1, progress.user));
  tac_test_refused(tac_loading_enter(&loading, TAC_LOADING_WORLD, "building the world", &error), TAC_ERR_CANCELLED,
                   error, "cancelled");
}

/* A folder with a scene whose small version is another, and one that has none. */

static const char ball[] = "tactus: 1\n"
                           "name: some-ball\n"
                           "bodies:\n"
                           "  - name: ball\n"
                           "    kind: rigid\n"
                           "    surface: {shape: sphere, size: 20 mm}\n"
                           "    field: {resolution: %d}\n"
                           "    points: {count: 200, levels: 2}\n"
                           "tools:\n"
                           "  - name: probe\n"
                           "    kind: point\n"
                           "    device: {kind: operator, path: [{on: ball, near: [0, 0, 80 mm], depth: -5 mm}]}\n";

static const char *cache;

static const char *write_scene(const char *name, int resolution) {
  char text[1000];
  snprintf(text, sizeof text, ball, resolution);
  return tac_test_write(name, text);
}

static void open_folder(void) {
  cache = tac_test_path("cache");
  ck_assert_int_eq(setenv("TACTUS_PREBAKED", "", 1), 0);
  write_scene("large.yaml", 72);
  write_scene("plain.yaml", 24);
}

static void check_badges(const tacGallery *gallery, const char *part, bool there) {
  TAC_MEMORY(char, text) = tac_badges_text(gallery, cache);
  ck_assert_ptr_nonnull(text);
  ck_assert_msg((strstr(text, part) != NULL) == there, "%s of %s", part, text);
}

static tacStage load(const char *file, bool or_small) {
  tacLoading loading;
  tacStage stage;
  reported = (tacLoadingMoment){.fraction = -1.0};
  go_on = true;
  tac_loading_begin(file, note, NULL, &loading);
  tac_test_ok(tac_stage_load(tac_test_path(file), cache, or_small, &loading, &stage, &error), error);
  return stage;
}

static _Atomic int whole_ready;
static char whole_fault[256];

static void take_whole(const tacWholeBakeMoment *moment, void *user) {
  (void)user;
  snprintf(whole_fault, sizeof whole_fault, "%s", moment->fault);
  if (moment->ready) whole_ready = 1;
  if (moment->fault[0] != 0) whole_ready = -1;
}

/* Until it has been told, or not for long. */
static void wait_for(const _Atomic int *number) {
  for (int i = 0; i < 60000 && *number == 0; ++i) tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 100);
}

static void bake_whole(const char *file) {
  tacWholeBake *whole = NULL;
  whole_ready = 0;
  tac_test_ok(tac_whole_bake_start(tac_test_path(file), cache, take_whole, NULL, &whole, &error), error);
  wait_for(&whole_ready);
  tac_whole_bake_stop(whole);
}

static void check_small(const char *file, bool or_small, bool small) {
  TAC_FREED(tac_stage_destroy, tacStage, stage) = load(file, or_small);
  ck_assert_int_eq(tac_scene_is_small(stage.scene), small);
}

/* What is not baked opens small; its whole version is baked behind, and opens the next time. Badges say so. */
TAC_TEST(a_scene_opens_small_until_it_is_baked) {
  TAC_FREED(tac_gallery_free, tacGallery, gallery) = {0};
  open_folder();
  tac_test_ok(tac_gallery_read(tac_test_own_folder(), &gallery, &error), error);
  ck_assert_int_eq(gallery.count, 2);
  check_badges(&gallery, "\"baked\":true", false);
  check_small("large.yaml", true, true);
  ck_assert_str_eq(reported.scene, "some-ball");
  ck_assert_int_gt(reports, 3);
  check_badges(&gallery, "\"small\":{\"baked\":true", true);

  check_small("plain.yaml", true, false); /* it has nothing that could be less */
  check_badges(&gallery, "{\"baked\":true,\"seconds\":0.0,\"small\":null,\"file\":\"plain.yaml\"}", true);

  bake_whole("large.yaml");
  ck_assert_msg(whole_ready == 1, "%s", whole_fault);
  check_small("large.yaml", true, false);
  check_badges(&gallery, "\"baked\":false", false);
}

TAC_TEST(a_scene_that_may_not_be_small_is_whole) {
  open_folder();
  check_small("large.yaml", false, false);
}

/* It ends when it is told to, and says what is wrong with a scene. */
TAC_TEST(whole_bakes_end) {
  tacWholeBake *whole = NULL;
  open_folder();
  tac_test_ok(tac_whole_bake_start(write_scene("huge.yaml", 500), cache, take_whole, NULL, &whole, &error), error);
  tac_whole_bake_stop(whole);
  tac_whole_bake_stop(NULL);
  bake_whole("none.yaml");
  ck_assert_int_eq(whole_ready, -1);
  ck_assert_ptr_nonnull(strstr(whole_fault, "none.yaml"));
}

static _Atomic int badge_reports;

static void take_badges(char *json, void *user) {
  ck_assert_ptr_eq(user, &badge_reports);
  free(json);
  ++badge_reports;
}

TAC_TEST(badges_are_reported_on_request) {
  TAC_FREED(tac_gallery_free, tacGallery, gallery) = {0};
  tacBadges *badges = NULL;
  open_folder();
  tac_test_ok(tac_gallery_read(tac_test_own_folder(), &gallery, &error), error);
  badge_reports = 0;
  tac_test_ok(tac_badges_start(&gallery, cache, take_badges, &badge_reports, &badges, &error), error);
  tac_badges_look(badges);
  wait_for(&badge_reports);
  ck_assert_int_eq(badge_reports, 1);
  tac_badges_look(badges);
  tac_badges_stop(badges); /* told or not */
  tac_badges_look(NULL);
  tac_badges_stop(NULL);
}
