/* The assets that a run used, as a recording names them: a text with a line for each,
 *
 *   fedcba9876543210 kidney-0123456789abcdef.green
 *
 * the checksum of what it holds, then its name in the cache: body, key (of all that it was made from) and kind. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>
#include <tactus/recording.h>

/* Whether the scene that runs now (tac_scene_assets) uses the assets that were used then. Otherwise `text` gets a line
 * that names those that are others. Also true where the recording does not name any. */
bool tac_recording_same_assets(const tacRecording *recording, const char *assets, char *text, size_t size);

/* Whether an asset of this name had another checksum when the recording was made. */
bool tac_recording_asset_changed(const tacRecording *recording, const char *name, uint64_t checksum);

/* Adds a line to a text that grows: `text` is malloc'ed, NULL at first, `room` its bytes. */
tacStatus tac_recorded_assets_add(uint64_t checksum, const char *name, char **text, size_t *room, tacError *error);
