/* Compares a replay with its recording within tolerances. */
#pragma once

#include <tactus/recording.h>

/* Whether rounding that differs from platform to platform can be all: at most one in ten of the ticks that are felt is
 * far apart. docs/recording.md says why. */
bool tac_replay_report_within(const tacReplayReport *report);
