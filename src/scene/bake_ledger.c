#include "scene/bake_ledger.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "base/files/new_file.h"
#include "base/memory/array.h"

enum { MOST_ENTRIES = 20000, LINE_SIZE = 256 };

void tac_bake_ledger_free(tacBakeLedger *ledger) {
  free(ledger->entries);
  *ledger = (tacBakeLedger){0};
}

/* Returns the index of the first entry whose key is at least `key`. */
static size_t place_of(const tacBakeLedger *ledger, uint64_t key) {
  size_t low = 0, high = ledger->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ledger->entries[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const tacBakeEntry *tac_bake_ledger_find(const tacBakeLedger *ledger, uint64_t key) {
  size_t place = place_of(ledger, key);
  return place < ledger->count && ledger->entries[place].key == key ? &ledger->entries[place] : NULL;
}

/* Adds or updates an entry. Sets `changed` if the ledger changes. */
static tacStatus put(tacBakeLedger *ledger, const tacBakeEntry *entry, bool *changed, tacError *error) {
  size_t place = place_of(ledger, entry->key);
  if (place < ledger->count && ledger->entries[place].key == entry->key) {
    tacBakeEntry *old = &ledger->entries[place], merged = *entry;
    if (merged.seconds < 0.0) merged.seconds = old->seconds;
    if (merged.seconds == old->seconds && strcmp(merged.file, old->file) == 0) return TAC_OK;
    *old = merged;
    *changed = true;
    return TAC_OK;
  }
  if (ledger->count == MOST_ENTRIES) return TAC_OK;
  TAC_TRY(tac_array_reserve((void **)&ledger->entries, &ledger->room, ledger->count + 1, sizeof *ledger->entries,
                            "bake times", error));
  memmove(ledger->entries + place + 1, ledger->entries + place, (ledger->count - place) * sizeof *ledger->entries);
  ledger->entries[place] = *entry;
  ++ledger->count;
  *changed = true;
  return TAC_OK;
}

/* Parses a line such as "0123456789abcdef 12.5 kidney-0123456789abcdef.green". False if the line is invalid, or if
 * the name of the file contains a slash. */
static bool parse(const char *line, tacBakeEntry *entry) {
  char seconds[32] = "", *end = NULL;
  int read = 0;
  *entry = (tacBakeEntry){.seconds = -1.0};
  if (strspn(line, "0123456789abcdef") != 16 || line[16] != ' ') return false;
  entry->key = strtoull(line, NULL, 16);
  if (sscanf(line + 17, "%31s %159s%n", seconds, entry->file, &read) < 1) return false;
  if (strcmp(entry->file, "-") == 0) entry->file[0] = '\0';
  if (strchr(entry->file, '/') != NULL) return false;
  if (strcmp(seconds, "-") == 0) return true;
  entry->seconds = strtod(seconds, &end);
  return *end == '\0' && entry->seconds >= 0.0 && entry->seconds < 1e9;
}

tacStatus tac_bake_ledger_read(const char *path, tacBakeLedger *ledger, tacError *error) {
  char line[LINE_SIZE];
  *ledger = (tacBakeLedger){0};
  FILE *stream = fopen(path, "re");
  if (stream == NULL) return TAC_OK;
  tacStatus status = TAC_OK;
  tacBakeEntry entry;
  bool changed;
  while (status == TAC_OK && fgets(line, sizeof line, stream) != NULL)
    if (parse(line, &entry)) status = put(ledger, &entry, &changed, error);
  fclose(stream);
  if (status != TAC_OK) tac_bake_ledger_free(ledger);
  return status;
}

static tacStatus write_ledger(const char *path, const tacBakeLedger *ledger, tacError *error) {
  tacNewFile file;
  TAC_TRY(tac_new_file_open(path, &file, error));
  for (size_t i = 0; i < ledger->count; ++i) {
    const tacBakeEntry *e = &ledger->entries[i];
    char seconds[32] = "-";
    if (e->seconds >= 0.0) snprintf(seconds, sizeof seconds, "%.3g", e->seconds);
    fprintf(file.stream, "%016" PRIx64 " %s %s\n", e->key, seconds, e->file[0] != '\0' ? e->file : "-");
  }
  return tac_new_file_commit(&file, error);
}

tacStatus tac_bake_ledger_note(const char *folder, size_t count, const tacBakeEntry *entries, tacError *error) {
  char path[1200], lock_path[1200];
  bool changed = false;
  tacBakeLedger ledger;
  snprintf(path, sizeof path, "%.1000s/" TAC_BAKE_LEDGER_NAME, folder);
  snprintf(lock_path, sizeof lock_path, "%.1000s/.bakes.lock", folder);
  int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* the lock file is never deleted */
  if (lock >= 0) flock(lock, LOCK_EX);
  tacStatus status = tac_bake_ledger_read(path, &ledger, error);
  for (size_t i = 0; i < count && status == TAC_OK; ++i) status = put(&ledger, &entries[i], &changed, error);
  if (status == TAC_OK && changed) status = write_ledger(path, &ledger, error);
  tac_bake_ledger_free(&ledger);
  if (lock >= 0) close(lock);
  return status;
}
