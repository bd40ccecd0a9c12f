/* Making, writing and reading checks of bakes: the internal side of <tactus/base.h>. */
#pragma once

#include <tactus/base.h>
#include "base/files/chunk_transfer.h"

/* The worst of many comparisons; not a number is worse than any. Start with {0}. */
typedef struct tacWorst {
  int samples;
  double error;
  int place; /* of the worst: a column, a node, a point */
} tacWorst;
void tac_worst_add(tacWorst *worst, double error, int place);
/* As if the samples of `next` had been added after those of `worst`. */
void tac_worst_join(tacWorst *worst, const tacWorst *next);

/* Adds a check. TAC_ERR_CHECK where the worst error is more than `allowed`; the text then says what was compared, both
 * numbers, the place ("column 12"; `place_name` NULL: not told) and what to do. At most TAC_BAKE_MOST_CHECKS. */
tacStatus tac_bake_checks_add(tacBakeChecks *checks, const char *what, const tacWorst *worst, double allowed,
                              const char *place_name, tacError *error);

/* Adds those of a part. Where several parts have the same check, they become one: all samples, and the worst of them. */
void tac_bake_checks_join(tacBakeChecks *checks, const tacBakeChecks *part);

/* As chunks of an asset's file. Reading refuses a check that is bad (TAC_ERR_CHECK), broken or absent
 * (TAC_ERR_FORMAT). */
void tac_bake_checks_put(tacChunkTransfer *to, const tacBakeChecks *checks);
void tac_bake_checks_take(tacChunkTransfer *from, tacBakeChecks *checks);
