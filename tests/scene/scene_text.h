/* Scenes made from text, baked into a cache of the test's own. */
#pragma once

#include <string.h>
#include <tactus/scene.h>
#include "test.h"

/* `text` with the first `from` replaced by `to`. */
static inline void edit(const char *text, const char *from, const char *to, char *result, size_t size) {
  const char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "%s is not in the scene", from);
  ck_assert_uint_lt(strlen(text) + strlen(to), size);
  memcpy(result, text, (size_t)(at - text));
  strcpy(result + (at - text), to);
  strcat(result, at + strlen(from));
}

static inline tacScene *parse(const char *text, const char *path) {
  tacScene *scene = NULL;
  tacError error = {0};
  tac_test_ok(tac_scene_parse(text, path, &scene, &error), error);
  return scene;
}

/* A folder for baked assets, removed with everything in it. */
static char cache[256];
static inline void open_cache(void) {
  tac_test_folder(cache, sizeof cache);
}
static inline void close_cache(void) {
  char line[300];
  snprintf(line, sizeof line, "rm -r '%s'", cache);
  ck_assert_int_eq(system(line), 0);
}

/* Into the cache of the run, where the suite shares it. */
static inline tacScene *bake(const char *text, const char *path) {
  tacScene *scene = parse(text, path);
  tacError error = {0};
  tac_test_ok(tac_scene_bake(scene, tac_test_cache(cache), false, NULL, NULL, &error), error);
  return scene;
}

/* A scene that the bake refuses, and how the error begins. */
typedef struct Mistake {
  const char *from, *to, *message;
} Mistake;

static inline void check_mistakes(const char *base, size_t count, const Mistake *mistakes) {
  open_cache();
  for (size_t i = 0; i < count; ++i) {
    char text[8192];
    tacError error = {0};
    edit(base, mistakes[i].from, mistakes[i].to, text, sizeof text);
    tacScene *scene = parse(text, "s");
    ck_assert_int_ne(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_OK);
    ck_assert_msg(strncmp(error.text, mistakes[i].message, strlen(mistakes[i].message)) == 0, "%s", error.text);
    tac_scene_destroy(scene);
  }
  close_cache();
}
