/* Random problems of contacts that obey laws. */
#pragma once

#include <math.h>
#include <string.h>
#include "contact/laws/law_problem.h"
#include "math/random.h"

enum { MOST_CONTACTS = 64, MOST_PARTS = 5, MOST_COORDINATES = 31 };

typedef struct Laws {
  tacLawProblem problem;
  tacLawContact contacts[MOST_CONTACTS];
  int size_of[MOST_PARTS];
  double rows[MOST_CONTACTS][2][3 * MOST_COORDINATES];
  double compliance[9 * MOST_CONTACTS * MOST_CONTACTS];
  double size; /* of W's entries, m/N: a bound by the diagonal */
} Laws;

/* Contacts between neighbours of five parts with 1 to 31 coordinates; rows of normal numbers, and a compliance that
 * is positive semidefinite. Free motions are zero, friction is from 0 to 1. */
static inline void make_laws(tacRandom *random, int count, bool compliant, Laws *laws) {
  const int sizes[MOST_PARTS] = {6, 30, 1, 5, 31};
  memcpy(laws->size_of, sizes, sizeof sizes);
  memset(laws->contacts, 0, sizeof laws->contacts);
  laws->size = 1.0;
  for (int i = 0; i < count; ++i) {
    tacLawContact *contact = &laws->contacts[i];
    contact->part[0] = i % MOST_PARTS;
    contact->part[1] = (i + 1) % MOST_PARTS;
    contact->friction = tac_random_uniform(random, 0.0, 1.0);
    contact->softness = i % 3 == 0 ? 0.5 : 0.0;
    double sum = contact->softness;
    for (int s = 0; s < 2; ++s) {
      for (int k = 0; k < 3 * MOST_COORDINATES; ++k) {
        double z = tac_random_normal(random);
        laws->rows[i][s][k] = z;
        sum += z * z;
      }
      contact->rows[s] = laws->rows[i][s];
    }
    laws->size = fmax(laws->size, sum);
  }
  size_t n = 3 * (size_t)count;
  double factor[3 * MOST_CONTACTS];
  memset(laws->compliance, 0, n * n * sizeof *laws->compliance);
  for (int k = 0; k < 4; ++k) {
    for (size_t r = 0; r < n; ++r) factor[r] = tac_random_normal(random);
    for (size_t r = 0; r < n; ++r)
      for (size_t c = 0; c < n; ++c) laws->compliance[r * n + c] += factor[r] * factor[c];
    for (size_t r = 0; r < n; ++r) laws->size = fmax(laws->size, laws->compliance[r * n + r]);
  }
  laws->problem = (tacLawProblem){.count = count,
                                  .contacts = laws->contacts,
                                  .part_count = MOST_PARTS,
                                  .part_size = laws->size_of,
                                  .compliance = compliant ? laws->compliance : NULL};
}
