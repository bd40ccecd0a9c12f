#include "bench/truth_bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* docs/truth.md has what was measured. */
static const tacTruthBounds rows[] = {
    /* scene, mJ, step, depth mm, through mm, error % */
    {"alpha", 0.2, 1.5, 2.5, 2.5, 0.0},
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
  if (truth->full.count > 0) compare("off the full solution, %", 100.0 * truth->full.median, bounds->error, text, size);
  return text[0] != '\0';
}
