/* Records the durations and files of bakes in a text file beside the assets, FOLDER/bakes.txt. From this file, a
 * program estimates whether a scene is baked and how long the remaining bake takes, without creating meshes or reading
 * assets. The file is only an estimate: the keys of the assets decide. Runs offline.
 *
 * Each line describes an asset: a hash of the asset's definition in the scene, the duration of the bake in seconds
 * (- if unknown), and the file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#define TAC_BAKE_LEDGER_NAME "bakes.txt"
/* File of the same format beside the scenes, with durations that the author of the scenes measured. */
#define TAC_BAKE_LEDGER_SHIPPED "bake_times.txt"

typedef struct tacBakeEntry {
  uint64_t key;
  double seconds; /* duration of the bake, s; negative: unknown */
  char file[160]; /* file name of the asset in the folder; "": none */
} tacBakeEntry;

typedef struct tacBakeLedger {
  tacBakeEntry *entries; /* entries in ascending order of keys */
  size_t count, room;
} tacBakeLedger;

/* Reads a ledger. Invalid lines are ignored. A missing file gives an empty ledger. */
tacStatus tac_bake_ledger_read(const char *path, tacBakeLedger *ledger, tacError *error);
void tac_bake_ledger_free(tacBakeLedger *ledger);                                    /* a zeroed struct is allowed */
const tacBakeEntry *tac_bake_ledger_find(const tacBakeLedger *ledger, uint64_t key); /* NULL if the key is missing */

/* Adds entries to FOLDER/bakes.txt, or replaces entries with the same keys. An unknown duration does not replace a
 * known duration. The file is written only if an entry changes. A file lock excludes other processes. */
tacStatus tac_bake_ledger_note(const char *folder, size_t count, const tacBakeEntry *entries, tacError *error);
