/* The internal side of tacRecording. */
#pragma once

#include <tactus/recording.h>
#include "record/recording_file.h"

/* Whether the file begins as recordings do; false also where it cannot be read. */
bool tac_recording_recognise(const char *path);

/* An error where the recording is incomplete: the run was killed, or its recording could not be written to the end. */
tacStatus tac_recording_expect_complete(const tacRecording *recording, tacError *error);

/* The last state that was stored until a tick, or the first of all; in memory of the recording, until its next call. */
tacStatus tac_recording_stored_state(tacRecording *recording, int64_t tick, const tacStateRecord **state,
                                     tacError *error);

/* Whether what it holds is of a world like this one: as many tools, and a state of the same size. */
tacStatus tac_recording_check_world(const tacRecording *recording, const tacWorld *world, tacError *error);
