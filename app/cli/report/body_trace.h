/* What bodies tell of themselves over a run (tac_world_body_number): how old a factor was, how wrong a compliance. */
#pragma once

#include <tactus/recording.h>
#include <tactus/world.h>

typedef struct tacBodyTrace {
  char name[200]; /* "cube: factor's age" */
  const char *unit;
  double mean, most;
} tacBodyTrace;

/* Of the numbers of all bodies, in the states that a recording holds. `traces`: malloc'ed, NULL where there are none; `count`: how
 * many. */
tacStatus tac_body_trace_read(tacRecording *recording, const tacWorld *world, tacBodyTrace **traces, int *count,
                              tacError *error);
