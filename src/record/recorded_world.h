/* Parameter changes of a recording. */
#pragma once

#include <tactus/recording.h>

tacStatus tac_recording_change(const tacTickRecord *record, tacWorld *world, tacError *error);
