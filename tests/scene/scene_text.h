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

/* A soft rod of four coordinates, nine lines of a scene from `bodies:` on, and a rigid ball, its points in two levels. */
#define ROD_BODY                                                    \
  "tactus: 1\n"                                                     \
  "bodies:\n"                                                       \
  "  - name: rod\n"                                                 \
  "    kind: reduced\n"                                             \
  "    surface: {shape: beam, size: 20 mm}\n"                       \
  "    volume: {bricks: 20 mm}\n"                                   \
  "    material: {young: 10 kPa, poisson: 0.4, density: 1 g/cm3}\n" \
  "    fixed: [{below: {axis: x, at: 1 mm}}]\n"                     \
  "    basis: {from: modes, modes: 3, size: 4}\n" /* line 9 */
#define ROD_POINTS "    points: {count: 120, levels: 2}\n"
#define ROD_AND_BALL(ball_points)                                             \
  ROD_BODY ROD_POINTS "    field: {resolution: 16, proxies: 8, nearest: 4}\n" \
                      "  - name: ball\n"                                      \
                      "    kind: rigid\n"                                     \
                      "    surface: {shape: sphere, size: 20 mm}\n"           \
                      "    points: " ball_points "\n"                         \
                      "    field: {resolution: 20, expansion: 1.3}\n"         \
                      "    position: [200 mm, 0, 80 mm]\n" /* line 17 */

static inline tacScene *parse(const char *text, const char *path) {
  return tac_test_made(tacScene *, tac_scene_parse(text, path, &made, &error));
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
  if (access(cache, F_OK) != 0) open_cache();
  tac_test_ok(tac_scene_bake(scene, tac_test_cache(cache), false, NULL, NULL, &error), error);
  return scene;
}

static inline tacWorld *world_of(const tacScene *scene) {
  return tac_test_made(tacWorld *, tac_scene_world(scene, &made, &error));
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
  error = (tacError){0};
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
    TAC_OWN(tacScene, scene) = parse(edited(base, mistakes[i].from, mistakes[i].to), "s");
    error = (tacError){0};
    ck_assert_int_ne(tac_scene_bake(scene, cache, false, NULL, NULL, &error), TAC_OK);
    check_text(error.text, mistakes[i].message, BEGINS);
  }
}
