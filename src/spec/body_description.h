/* What a scene says of bodies, in words: the lines that several kinds have. */
#pragma once

#include <tactus/scene.h>
#include "base/text.h"
#include "spec/scene_body.h"

/* Whom to tell. */
typedef struct tacSceneLines {
  tacSceneLineFn line;
  void *user;
} tacSceneLines;

void tac_lines_add(const tacSceneLines *to, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What its meshes are made of: "kidney with 322 vertices in tetrahedra of 6 mm". */
void tac_body_description_source(const tacSceneBody *body, char *text, size_t size);
void tac_body_description_materials(const tacSceneLines *to, const tacSceneBody *body);
void tac_body_description_points(const tacSceneLines *to, const tacSceneBody *body);
/* Of its field, where it has one; `more` follows. */
void tac_body_description_field(const tacSceneLines *to, const tacSceneBody *body, const char *more);
/* What an asset took: "cached, 1.2 MB", "baked in 3.20 s, 1.2 MB". */
tacText tac_body_description_made(const tacSceneAsset *asset);
