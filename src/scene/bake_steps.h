/* The bake of a scene as one piece of work: what each asset reports becomes a share of the whole, by the time that it is expected
 * to take, which never falls. Offline. */
#ifndef TAC_SCENE_BAKE_STEPS_H
#define TAC_SCENE_BAKE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/progress.h>

/* Of one asset (scene/bake_outlook.h). */
typedef struct tacBakeExpected {
  uint64_t key;
  bool baked;
  size_t bytes;   /* of its file, where it is baked */
  double seconds; /* to bake; < 0: not known */
} tacBakeExpected;

typedef struct tacBakeSteps {
  const tacProgress *whole; /* may be NULL */
  const tacBakeExpected *expected;
  int count, step;                     /* of assets; the one that is baked now, -1 before the first */
  const char *body;                    /* whose it is */
  double total, done;                  /* s: of all, and of those before this one */
  double slower;                       /* how much longer than expected they took so far */
  double expected_so_far, took_so_far; /* s */
  double fraction;                     /* told last */
  int64_t began;                       /* ns: this one */
  char piece[64];                      /* what it reported last, */
  double piece_fraction;               /* and how far it was */
  int pieces;                          /* before that one, of this asset */
  int64_t (*now)(void);                /* ns; tac_clock_now, or a test's */
} tacBakeSteps;

void tac_bake_steps_begin(const tacProgress *whole, int count, const tacBakeExpected *expected, tacBakeSteps *steps);
/* What those who bake report to. `steps` must outlive it. */
tacProgress tac_bake_steps_progress(tacBakeSteps *steps);
void tac_bake_steps_body(tacBakeSteps *steps, const char *name);
void tac_bake_steps_asset(tacBakeSteps *steps); /* the next one begins */
void tac_bake_steps_end(tacBakeSteps *steps);

#endif
