/* Sketching (Barbic 2007, section 2.8.2): a hand pulls a body, made linear, into the shapes that its next basis shall know,
 * and what it does is recorded. The bake computes the true shapes under the recorded forces. */
#pragma once

#include <tactus/world.h>

typedef struct tacSketch {
  bool active;
  int body;        /* in the world, of this or the last sketch */
  int parameter;   /* its "linear" */
  double before;   /* value of that */
  char done[1024]; /* recording of the last sketch; "": none yet */
} tacSketch;

/* Whether a body can be sketched on: one that moves in the coordinates of a basis and is held somewhere. */
bool tac_sketch_possible(const tacWorld *world, int body);
/* While nothing else uses the world: makes the body linear. */
tacStatus tac_sketch_begin(tacSketch *sketch, tacWorld *world, int body, tacError *error);
/* Likewise: makes it as it was before. `recording` is what came of it; "" where nothing did. */
void tac_sketch_end(tacSketch *sketch, tacWorld *world, const char *recording);
/* What to write into the scene's file at `scene_path` to bake with the last sketch; `size`: coordinates, r. */
void tac_sketch_advice(const tacSketch *sketch, const char *scene_path, int size, char *text, size_t room);
