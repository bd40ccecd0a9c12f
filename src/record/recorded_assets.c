#include "record/recorded_assets.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tactus/recording.h>
#include "base/memory/array.h"

enum { DIGITS = 16 }; /* of a checksum and of a key */

tacStatus tac_recorded_assets_add(uint64_t checksum, const char *name, char **text, size_t *room, tacError *error) {
  size_t length = *text != NULL ? strlen(*text) : 0, more = DIGITS + 1 + strlen(name) + 2;
  tacStatus status = tac_array_reserve((void **)text, room, length + more, 1, "names of assets", error);
  if (status == TAC_OK) snprintf(*text + length, more, "%016" PRIx64 " %s\n", checksum, name);
  return status;
}

/* One line of a text, which may come from outside. The name without its key is what an asset is looked for by. */
typedef struct {
  const char *line, *name;
  int length, name_length;
  int body_length; /* of the name, as far as its key */
  bool has_key;
} Asset;

/* False at the end. Lines that are too short to have a name are passed over. */
static bool next_asset(const char **text, Asset *asset) {
  for (;;) {
    if (**text == 0) return false;
    size_t length = strcspn(*text, "\n");
    const char *line = *text;
    *text += length + ((*text)[length] == '\n');
    if (length <= DIGITS + 1 || length > 4096) continue;
    *asset = (Asset){.line = line, .name = line + DIGITS + 1, .length = (int)length};
    asset->name_length = asset->body_length = (int)length - DIGITS - 1;
    for (int i = asset->name_length - 1; i >= 0 && !asset->has_key; --i) {
      asset->has_key =
          asset->name[i] == '-' && i + DIGITS + 1 < asset->name_length && asset->name[i + DIGITS + 1] == '.';
      if (asset->has_key) asset->body_length = i;
    }
    return true;
  }
}

static bool same_bytes(const char *a, int a_length, const char *b, int b_length) {
  return a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;
}

/* Whether both are of the same kind for the same body. */
static bool same_purpose(const Asset *a, const Asset *b) {
  if (!a->has_key || !b->has_key) return same_bytes(a->name, a->name_length, b->name, b->name_length);
  int a_kind = a->body_length + DIGITS + 1, b_kind = b->body_length + DIGITS + 1;
  return same_bytes(a->name, a->body_length, b->name, b->body_length) &&
         same_bytes(a->name + a_kind, a->name_length - a_kind, b->name + b_kind, b->name_length - b_kind);
}

/* What is the matter with an asset of then; NULL: nothing. */
static const char *what_changed(const Asset *then, const char *assets) {
  Asset now;
  while (next_asset(&assets, &now)) {
    if (!same_purpose(then, &now)) continue;
    if (!same_bytes(then->name, then->name_length, now.name, now.name_length))
      return "has changed since: its mesh or other inputs have a different checksum";
    return memcmp(then->line, now.line, DIGITS) == 0 ? NULL
                                                     : "has changed since: it was baked again, or on another "
                                                       "machine";
  }
  return "is no longer used";
}

bool tac_recording_asset_changed(const tacRecording *recording, const char *name, uint64_t checksum) {
  const char *recorded = tac_recording_info(recording)->assets;
  char digits[DIGITS + 1];
  snprintf(digits, sizeof digits, "%016" PRIx64, checksum);
  for (Asset then; next_asset(&recorded, &then);)
    if (same_bytes(then.name, then.name_length, name, (int)strlen(name))) return memcmp(then.line, digits, DIGITS) != 0;
  return false;
}

bool tac_recording_same_assets(const tacRecording *recording, const char *assets, char *text, size_t size) {
  const char *recorded = tac_recording_info(recording)->assets;
  Asset then;
  int others = 0;
  if (size > 0) text[0] = 0;
  while (next_asset(&recorded, &then)) {
    const char *change = what_changed(&then, assets);
    if (change == NULL) continue;
    if (others++ == 0)
      snprintf(text, size, "the asset %.*s of the recording %s", then.name_length < 120 ? then.name_length : 120,
               then.name, change);
  }
  size_t used = size > 0 ? strlen(text) : 0;
  if (others > 1 && used < size) snprintf(text + used, size - used, " (and %d more)", others - 1);
  return others == 0;
}
