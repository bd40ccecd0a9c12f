/* All hyperelastic laws. A new one is a file and a row in hyper_laws.c. */
#pragma once

#include "elastic/laws/hyper_law.h"

/* In the order of the docs; count to *count. */
const tacHyperLaw *const *tac_hyper_laws(int *count);
/* NULL where there is none; then `error` (may be NULL) names the nearest and lists all. */
const tacHyperLaw *tac_hyper_law_find(const char *name, tacError *error);
