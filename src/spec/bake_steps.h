/* The bake of a scene as one piece of work: what the mesh of each body and each asset report becomes a share of the whole, by
 * the time that it is expected to take; it never falls. Offline. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>

/* Of one step: the mesh of a body, or an asset (scene/bake_outlook.h). */
typedef struct tacBakeExpected {
  uint64_t key;
  bool mesh;      /* of a body, before its assets */
  bool baked;     /* of a mesh: all assets of its body are */
  size_t bytes;   /* of its file, where it is baked */
  double seconds; /* to make; < 0: not known */
  double took;    /* s, measured; 0 before */
} tacBakeExpected;

typedef struct tacBakeSteps {
  const tacProgress *whole; /* may be NULL */
  tacBakeExpected *expected;
  int count, step;                     /* the one that is made now, -1 before the first */
  const char *body;                    /* whose it is */
  double total, done;                  /* s: of all, and of those before this one */
  double slower;                       /* how much longer than expected they took so far */
  double expected_so_far, took_so_far; /* s */
  double fraction;                     /* told last */
  int64_t began;                       /* ns: this one */
  double piece_fraction;               /* reported last */
  int pieces;                          /* of this step, before that one: a fraction that falls begins another */
  _Atomic double next_share;           /* how much is done of the next one, which other threads make beside this */
  int64_t (*now)(void);                /* ns; tac_clock_now, or a test's */
} tacBakeSteps;

/* `expected` must outlive `steps`, which sets what each took. */
void tac_bake_steps_begin(const tacProgress *whole, int count, tacBakeExpected *expected, tacBakeSteps *steps);
/* What those who bake report to. `steps` must outlive it. */
tacProgress tac_bake_steps_progress(tacBakeSteps *steps);
void tac_bake_steps_body(tacBakeSteps *steps, const char *name); /* the mesh of the next one begins */
void tac_bake_steps_asset(tacBakeSteps *steps);                  /* the next one begins */
void tac_bake_steps_end(tacBakeSteps *steps);
/* Of the step after this one, so much is done already. From any thread; it never falls. */
void tac_bake_steps_next(tacBakeSteps *steps, double fraction);
