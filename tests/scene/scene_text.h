/* Scenes made from text, baked into a cache of the test's own. */
#pragma once

#include <tactus/scene.h>
#include "test.h"

/* `text` with the first `from` replaced by `to`. There is room for another 2 kB at its end. */
static inline char *edited(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "%s is not in the scene", from);
  char *result = tac_test_alloc(strlen(text) + strlen(to) + 2048);
  memcpy(result, text, (size_t)(at - text));
  strcpy(result + (at - text), to);
  return strcat(result, at + strlen(from));
}

static inline void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  ck_assert_int_eq(fclose(file), 0);
}

static inline tacScene *parse(const char *text, const char *path) {
  tacScene *scene = NULL;
  tacError error = {0};
  tac_test_ok(tac_scene_parse(text, path, &scene, &error), error);
  return scene;
}

/* A new folder for baked assets; bake() opens the first one of a test. */
static char cache[256];
static inline void open_cache(void) {
  tac_test_folder(cache, sizeof cache);
}

/* The path of a file there. */
static inline const char *in_cache(const char *name) {
  return tac_test_join(cache, name);
}

/* Into the cache of the run, where the suite shares it. */
static inline tacScene *bake(const char *text, const char *path) {
  tacScene *scene = parse(text, path);
  tacError error = {0};
  if (access(cache, F_OK) != 0) open_cache();
  tac_test_ok(tac_scene_bake(scene, tac_test_cache(cache), false, NULL, NULL, &error), error);
  return scene;
}

static inline tacWorld *world_of(const tacScene *scene) {
  tacWorld *world = NULL;
  tacError error = {0};
  tac_test_ok(tac_scene_world(scene, &world, &error), error);
  return world;
}

/* A scene that is refused, and the error's text. */
typedef struct Mistake {
  const char *from, *to, *message;
} Mistake;

typedef enum Match { WHOLE, BEGINS } Match; /* how the message is that of the error */

static inline void check_text(const char *text, const char *message, Match match) {
  size_t length = match == WHOLE ? strlen(text) + 1 : strlen(message);
  ck_assert_msg(strncmp(text, message, length) == 0, "%s\nis not: %s", text, message);
}

/* Text that is refused where it is read. */
static inline void check_refused(const char *text, const char *message, Match match) {
  tacScene *scene = NULL;
  tacError error = {0};
  ck_assert_int_ne(tac_scene_parse(text, "s", &scene, &error), TAC_OK);
  ck_assert_ptr_null(scene);
  check_text(error.text, message, match);
}

static inline void check_reading(const char *base, size_t count, const Mistake *mistakes, Match match) {
  for (size_t i = 0; i < count; ++i)
    check_refused(edited(base, mistakes[i].from, mistakes[i].to), mistakes[i].message, match);
}

/* What is refused by the bake, and how the error begins. */
static inline void check_mistakes(const char *base, size_t count, const Mistake *mistakes) {
  open_cache();
  for (size_t i = 0; i < count; ++i) {
    tacError error = {0};
    TAC_OWN(tacScene, scene) = parse(edited(base, mistakes[i].from, mistakes[i].to), "s");
    ck_assert_int_ne(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_OK);
    check_text(error.text, mistakes[i].message, BEGINS);
  }
}
