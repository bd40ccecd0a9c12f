/* Scenes of the gallery, as they are and, of those with distributed contact, small: fewer points, coarser fields, bricks and
 * triangles. */
#pragma once

#include <tactus/scene.h>
#include "test.h"

static inline tacScene *read_gallery(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.yaml", TACTUS_SCENES, name);
  return tac_test_made(tacScene *, tac_scene_read(path, &made, &error));
}

/* Into the cache of the run, or of the test. */
static inline void bake_scene(tacScene *scene) {
  tac_test_ok(tac_scene_bake(scene, tac_test_cache(tac_test_own_folder()), false, NULL, NULL, &error), error);
}

static inline tacWorld *world_of(const tacScene *scene) {
  return tac_test_made(tacWorld *, tac_scene_world(scene, &made, &error));
}

typedef struct SmallScene {
  const char *name;
  int points;         /* of the shell */
  int resolution;     /* of fields, and of the one that points are made on */
  double bricks;      /* factor on their edges; 0: nothing is made of bricks */
  const char *change; /* "from|to": what is left to change; may be NULL */
} SmallScene;

static inline char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  ck_assert_msg(file != NULL, "%s", path);
  char *text = calloc(1, 1 << 16);
  ck_assert_uint_lt(fread(text, 1, (1 << 16) - 1, file), (1 << 16) - 1);
  fclose(file);
  return text;
}

/* text[from, to) becomes `by`. */
static inline char *replace(char *text, size_t from, size_t to, const char *by) {
  size_t size = strlen(by), rest = strlen(text + to);
  char *next = malloc(from + size + rest + 1);
  memcpy(next, text, from);
  memcpy(next + from, by, size);
  memcpy(next + from + size, text + to, rest + 1);
  free(text);
  return next;
}

/* Every number after `key` becomes `value`, or itself times `factor` where that is not 0. Returns how many there were. */
static inline int replace_numbers(char **text, const char *key, double value, double factor) {
  int hits = 0;
  for (size_t from = 0;; ++hits) {
    const char *at = strstr(*text + from, key);
    if (at == NULL) return hits;
    char number[32], *end;
    from = (size_t)(at - *text) + strlen(key);
    double was = strtod(*text + from, &end);
    snprintf(number, sizeof number, "%g", factor != 0.0 ? factor * was : value);
    *text = replace(*text, from, (size_t)(end - *text), number);
  }
}

static inline tacScene *read_small_scene(const SmallScene *small) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.yaml", TACTUS_SCENES, small->name);
  TAC_MEMORY(char, text) = read_text(path);
  ck_assert_int_gt(replace_numbers(&text, "count: ", small->points, 0.0), 0);
  ck_assert_int_gt(replace_numbers(&text, "levels: ", 3, 0.0), 0);
  ck_assert_int_gt(replace_numbers(&text, "resolution: ", small->resolution, 0.0), 0);
  replace_numbers(&text, "vertices: ", 1500, 0.0);
  const char *budget = strstr(text, "\nbudget: "); /* with it a slow machine would leave points out */
  if (budget != NULL) text = replace(text, (size_t)(budget - text) + 1, (size_t)(budget - text) + 1, "# ");
  ck_assert((replace_numbers(&text, "bricks: ", 0.0, small->bricks > 0.0 ? small->bricks : 1.0) > 0) ==
            (small->bricks > 0.0));
  if (small->change != NULL) {
    char from[64];
    const char *bar = strchr(small->change, '|');
    snprintf(from, sizeof from, "%.*s", (int)(bar - small->change), small->change);
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "%s: no %s", small->name, from);
    text = replace(text, (size_t)(at - text), (size_t)(at - text) + strlen(from), bar + 1);
  }
  return tac_test_made(tacScene *, tac_scene_parse(text, path, &made, &error));
}
