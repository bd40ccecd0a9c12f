/* The laws of the registry by number. */
#pragma once

#include "elastic/laws/hyper_laws.h"

static inline int law_count(void) {
  int count;
  tac_hyper_laws(&count);
  return count;
}

static inline const tacHyperLaw *law_at(int n) {
  int count;
  return tac_hyper_laws(&count)[n];
}
