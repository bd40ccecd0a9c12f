#include "app/viewer/stage/sketch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "world/world_view.h"

static int linear_of(const tacWorld *world, int body) {
  char name[200];
  snprintf(name, sizeof name, "%.140s.linear", tac_world_body_name(world, tac_world_body(world, body)));
  return tac_world_find_parameter(world, name);
}

bool tac_sketch_possible(const tacWorld *world, int body) {
  if (body < 0 || body >= tac_world_body_count(world)) return false;
  tacShownBasis basis;
  return tac_world_body_basis(world, tac_world_body(world, body), &basis) && !basis.is_free &&
         linear_of(world, body) >= 0;
}

tacStatus tac_sketch_begin(tacSketch *sketch, tacWorld *world, int body, tacError *error) {
  if (!tac_sketch_possible(world, body))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a sketch needs a body that moves in the coordinates of a basis and has fixed vertices");
  int parameter = linear_of(world, body);
  double before = tac_world_parameter(world, parameter).value;
  tacStatus status = tac_world_set_parameter(world, parameter, 1.0, error);
  if (status == TAC_OK) *sketch = (tacSketch){.active = true, .body = body, .parameter = parameter, .before = before};
  return status;
}

void tac_sketch_end(tacSketch *sketch, tacWorld *world, const char *recording) {
  sketch->active = false;
  tac_world_set_parameter(world, sketch->parameter, sketch->before, NULL);
  snprintf(sketch->done, sizeof sketch->done, "%s", recording);
}

/* Scenes name files from their own folder on, or from the root. */
static void seen_from(const char *scene_path, const char *file, char *path, size_t size) {
  char *scene = realpath(scene_path, NULL), *whole = realpath(file, NULL);
  const char *name = scene != NULL ? strrchr(scene, '/') : NULL;
  size_t folder = name != NULL ? (size_t)(name - scene) + 1 : 0;
  bool below = whole != NULL && folder > 1 && strncmp(whole, scene, folder) == 0;
  snprintf(path, size, "%s", below ? whole + folder : whole != NULL ? whole : file);
  free(scene);
  free(whole);
}

static bool needs_quotes(const char *path) {
  for (const char *c = path; *c != 0; ++c)
    if (!isalnum((unsigned char)*c) && strchr("/._-", *c) == NULL) return true;
  return path[0] == '-' || path[0] == 0;
}

void tac_sketch_advice(const tacSketch *sketch, const char *scene_path, int size, char *text, size_t room) {
  char path[1024], quoted[sizeof path * 2 + 3];
  seen_from(scene_path, sketch->done, path, sizeof path);
  size_t n = 0;
  bool quotes = needs_quotes(path);
  if (quotes) quoted[n++] = '"';
  for (const char *c = path; *c != 0; ++c) {
    if (*c == '"' || *c == '\\') quoted[n++] = '\\';
    quoted[n++] = *c;
  }
  if (quotes) quoted[n++] = '"';
  quoted[n] = 0;
  snprintf(text, room, "basis: {from: sketch, file: %s, size: %d}", quoted, size);
}
