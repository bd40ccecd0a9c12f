/* The internal side of tacRecorder. */
#pragma once

#include <tactus/recording.h>

/* Load phase; starts the thread. Strings of `info` are copied. `seconds` of ticks fit in the ring (default 0: 2 s). */
tacStatus tac_recorder_open(const char *path, const tacRecordingInfo *info, double seconds, tacRecorder **recorder,
                            tacError *error);

/* Whether the next push would lose its record but a later one would not: a run that is not in real time waits while this holds.
 * False where writing has failed, since no room will come. For the thread that pushes. */
bool tac_recorder_full(const tacRecorder *recorder);
