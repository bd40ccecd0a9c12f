#include "elastic/laws/hyper_batch.h"

#include <string.h>
#include "base/lanes.h"

enum { LANES = TAC_HYPER_LANES };

void tac_hyper_shape_unit(tacHyperShape *shape) {
  memset(shape, 0, sizeof *shape);
  for (int l = 0; l < LANES; ++l) {
    for (int a = 0; a < 3; ++a) shape->gradient[a][a][l] = 1.0;
    shape->scale[l] = shape->weight[l] = 1.0;
  }
}

/* Of a symmetric tensor's six components. */
static const int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

/* Entries of a block on the diagonal: [row][column], its lower half by columns. */
static const int half[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

/* The entry (row i, column j) of the block of corners a and b (1 to 3), from whichever is stored. */
static inline const double *entry(const tacHyperBlocks *blocks, int a, int b, int i, int j) {
  return blocks->tangent[a == b  ? tac_hyper_block_start[a][a] + half[i][j]
                         : a > b ? tac_hyper_block_start[a][b] + 3 * j + i
                                 : tac_hyper_block_start[b][a] + 3 * i + j];
}

#define WIDTH 2
#define TARGET
#include "elastic/laws/hyper_batch_width.h"

#if defined(__x86_64__)
#define WIDTH 4
#define TARGET TAC_LANES_TARGET_4
#include "elastic/laws/hyper_batch_width.h"

#define WIDTH 8
#define TARGET TAC_LANES_TARGET_8
#include "elastic/laws/hyper_batch_width.h"

/* tac_hyper_batch_<name> by the copy of this processor's width. */
#define KERNEL(name, parameters, ...)                    \
  void tac_hyper_batch_##name parameters {               \
    switch (tac_lanes()) {                               \
      case TAC_LANES_8: name##_on_8(__VA_ARGS__); break; \
      case TAC_LANES_4: name##_on_4(__VA_ARGS__); break; \
      default: name##_on_2(__VA_ARGS__);                 \
    }                                                    \
  }
#else
#define KERNEL(name, parameters, ...)      \
  void tac_hyper_batch_##name parameters { \
    name##_on_2(__VA_ARGS__);              \
  }
#endif

KERNEL(deform, (const tacHyperShape *shape, tacHyperState *state), shape, state)
KERNEL(isotropic,
       (const tacHyperShape *shape, const tacHyperState *state, const tacInvariantEnergy *energy, bool with_tangent,
        tacHyperBlocks *blocks),
       shape, state, energy, with_tangent, blocks)
KERNEL(right, (const tacHyperState *state, double c[6][LANES]), state, c)
KERNEL(strain,
       (const tacHyperState *unit, const tacStrainEnergy *energy, bool with_tangent, tacHyperBlocks *by_gradient), unit,
       energy, with_tangent, by_gradient)
KERNEL(complete, (tacHyperBlocks * blocks), blocks)
KERNEL(pull, (const tacHyperShape *shape, const tacHyperBlocks *by_gradient, bool with_tangent, tacHyperBlocks *blocks),
       shape, by_gradient, with_tangent, blocks)
KERNEL(relax,
       (const tacHyperShape *shape, const tacHyperState *state, double keep, const double g[6][LANES],
        bool with_tangent, tacHyperBlocks *blocks),
       shape, state, keep, g, with_tangent, blocks)
