/* The internal side of tacRecorder. */
#pragma once

#include <tactus/recording.h>

/* Whether the next push would lose its record but a later one would not: a run that is not in real time waits while this holds.
 * False where writing has failed, since no room will come. For the thread that pushes. */
bool tac_recorder_full(const tacRecorder *recorder);
