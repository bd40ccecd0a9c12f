#include "bench/truth/truth_bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* docs/truth.md has what was measured, and tells which rows are large because something is wrong there. */
static const tacTruthBounds rows[] = {
    /* scene, mJ, step, depth mm, through mm, error % */
    {"alpha", 0.2, 1.5, 1.6, 1.6, 0.0},
    {"banana-seat", 0.47, 1.5, 1.0, 1.0, 0.0},
    {"baskets", 0.2, 2.4, 8.4, 33.0, 0.0},
    {"blocks", 0.2, 1.5, 25.0, 25.0, 0.0},
    {"boxes", 3.0, 2.0, 4.5, 4.5, 0.0},
    {"bridge", 0.2, 1.7, 1.0, 1.0, 46.0},
    {"cables", 0.2, 1.5, 2.6, 2.6, 77.0},
    {"chair", 0.2, 1.5, 5.0, 5.0, 0.0},
    {"clip", 0.2, 1.5, 3.0, 3.0, 20.0},
    {"clip-soft-pipe", 0.2, 1.5, 9.0, 33.0, 0.0},
    {"dinosaur", 0.2, 1.5, 6.4, 6.4, 56.0},
    {"dragon", 4.0, 1.9, 1.0, 1.0, 53.0},
    {"dragon-dinosaur", 0.2, 1.5, 1.9, 1.9, 0.0},
    {"elongation", 18.0, 17.0, 1.0, 1.0, 20.0},
    {"eye", 1.4, 1.5, 15.0, 42.0, 0.0},
    {"grasp", 1.5, 1.5, 1.0, 1.0, 0.0},
    {"grasp-soft", 0.2, 1.5, 29.0, 110.0, 0.0},
    {"grasper", 0.2, 1.5, 6.2, 6.2, 0.0},
    {"gripper", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"heart", 290.0, 8.0, 1.0, 1.0, 60.0},
    {"hoses", 0.2, 1.5, 1.9, 1.9, 36.0},
    {"kidney", 1.3, 1.5, 1.0, 1.0, 0.0},
    {"kidney-fem", 0.95, 1.5, 1.0, 1.0, 20.0},
    {"knight", 0.2, 1.5, 5.2, 5.2, 0.0},
    {"lift", 0.2, 1.5, 8.5, 8.5, 0.0},
    {"nodule", 1.5, 1.5, 1.0, 1.0, 0.0},
    {"organs", 450.0, 7.6, 64.0, 120.0, 0.0},
    {"peg", 0.2, 1.5, 1.2, 1.2, 0.0},
    {"peg-hole", 0.2, 1.5, 15.0, 15.0, 0.0},
    {"plank", 0.71, 1.5, 6.4, 6.4, 0.0},
    {"poke", 12.0, 1.5, 16.0, 16.0, 0.0},
    {"press", 1.0, 1.5, 7.0, 7.0, 0.0},
    {"spatula", 0.99, 1.5, 1.0, 1.0, 20.0},
    {"spoon", 0.2, 1.9, 1.0, 1.0, 9.0},
    {"squeezed-ball", 0.2, 1.5, 5.1, 5.1, 0.0},
    {"table", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"table-reinforced", 1.8, 1.5, 1.0, 1.0, 20.0},
    {"tables", 0.2, 3.0, 17.0, 200.0, 20.0},
    {"thin-blade", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"thin-needle", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"thin-rod", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"thin-sheets", 0.2, 1.5, 1.0, 1.0, 0.0},
    {"tower", 4.0, 1.7, 1.0, 1.0, 30.0},
    {"trocar", 1.0, 1.5, 6.0, 17.0, 0.0},
    {"twisting-beam", 0.2, 1.7, 1.0, 1.0, 23.0},
    {"vademecum-beam", 0.2, 1.5, 6.6, 6.6, 20.0},
    {"vademecum-beams", 52.0, 1.5, 6.6, 6.6, 20.0},
    {"vademecum-blobs", 0.2, 1.5, 2.5, 2.5, 0.0},
};

const tacTruthBounds *tac_truth_bounds(const char *scene) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].scene, scene) == 0) return &rows[i];
  return NULL;
}

/* A value that is not a number is beyond any bound. */
static void compare(const char *what, double value, double bound, char *text, size_t size) {
  size_t length = strlen(text);
  if (value <= bound) return;
  snprintf(text + length, size - length, "%s%s %.3g (bound %.3g)", length > 0 ? ", " : "", what, value, bound);
}

bool tac_truth_beyond(const tacTruth *truth, const tacTruthBounds *bounds, char *text, size_t size) {
  const tacBalance *b = &truth->balance;
  int tools = tac_world_tool_count(truth->world);
  double generated = fmax(truth->energy.episode.generated, truth->energy.second.generated), step = 0.0;
  for (int t = 0; t < tools; ++t) step = fmax(step, truth->tools[t].force.step_ratio);
  if (tools == 1) generated = fmax(truth->tools[0].energy.episode.generated, truth->tools[0].energy.second.generated);
  text[0] = '\0';
  compare("refused inputs", (double)truth->refused, 0.0, text, size);
  compare("third law of forces", b->force, 1e-12, text, size);
  compare("third law of torques", b->torque, 1e-12, text, size);
  compare("momentum", b->momentum, 1e-9, text, size);
  compare("angular momentum", b->angular, 1e-9, text, size);
  compare("generated, mJ", 1e3 * generated, bounds->generated, text, size);
  compare("step", step, bounds->step, text, size);
  compare("depth, mm", 1e3 * truth->depth.deepest, bounds->depth, text, size);
  compare("through, mm", 1e3 * truth->depth.through, bounds->through, text, size);
  if (truth->full.count > 0 && bounds->error > 0.0)
    compare("off the full solution, %", 100.0 * truth->full.median, bounds->error, text, size);
  return text[0] != '\0';
}
