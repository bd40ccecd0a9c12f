/* What bakes took, and where what they made is: a small text file beside the assets, FOLDER/bakes.txt, so that it is known
 * without making meshes or reading assets whether a scene is baked and how long the rest will take. A memory aid: the assets'
 * own keys decide. Offline.
 *
 * A line for each asset: a key of what the scene says of it, the seconds that it took (- where that is not known), its file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

#define TAC_BAKE_LEDGER_NAME "bakes.txt"
/* The same, as it was measured where the scenes come from: beside the scenes. */
#define TAC_BAKE_LEDGER_SHIPPED "bake_times.txt"

typedef struct tacBakeEntry {
  uint64_t key;
  double seconds; /* < 0: not known */
  char file[160]; /* in the folder; "": none */
} tacBakeEntry;

typedef struct tacBakeLedger {
  tacBakeEntry *entries; /* by key */
  size_t count, room;
} tacBakeLedger;

/* Lines that are none are passed over; a file that is not there is an empty ledger. */
tacStatus tac_bake_ledger_read(const char *path, tacBakeLedger *ledger, tacError *error);
void tac_bake_ledger_free(tacBakeLedger *ledger);                                    /* a zeroed one is allowed */
const tacBakeEntry *tac_bake_ledger_find(const tacBakeLedger *ledger, uint64_t key); /* NULL: none */

/* Adds to FOLDER/bakes.txt, or replaces what has the same keys; seconds that are not known leave those that are. Nothing is
 * written where nothing changes. One process at a time. */
tacStatus tac_bake_ledger_note(const char *folder, size_t count, const tacBakeEntry *entries, tacError *error);
