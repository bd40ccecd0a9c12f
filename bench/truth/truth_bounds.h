/* What a scene may show at most in rough hands (bench/truth/truth.h), for ten minutes and on either architecture. What holds by
 * construction (third law, momentum) has one bound for all; the others are measured, with a margin of half: a scene that
 * grows beyond its row got worse. */
#pragma once

#include "bench/truth/truth.h"

typedef struct tacTruthBounds {
  const char *scene;
  double generated; /* mJ, in a contact and in a second, of a tool; of all where there are several */
  double step;      /* of its own bound */
  double depth;     /* mm, true */
  double through;   /* mm */
  double error;     /* %, median, off the full solution; 0: not held to it */
} tacTruthBounds;

/* NULL: the scene has no row. */
const tacTruthBounds *tac_truth_bounds(const char *scene);
/* Writes what is beyond the bounds, and by how much; false where nothing is. */
bool tac_truth_beyond(const tacTruth *truth, const tacTruthBounds *bounds, char *text, size_t size);
