/* What the viewer's clients get of pointshells, once and only when they request it (docs/viewer_protocol.md): points in the frame
 * of their bodies and, where those deform, the displacements of each. Bodies that are made from one asset share a shell. */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"

typedef struct tacViewShell {
  const tacPointshell *shell;
  int body_count;
  int *bodies; /* their numbers in the world, ascending */
} tacViewShell;

/* All of a world's, in the order of their first bodies; to be destroyed even where it failed. */
tacStatus tac_view_shells_create(const tacWorld *world, int *count, tacViewShell **shells, tacError *error);
void tac_view_shells_destroy(int count, tacViewShell *shells); /* NULL is allowed */

/* The message `shell`. Its deepest levels are left out where it would be larger than 64 MiB. */
tacStatus tac_view_shell_packet(const tacViewShell *shell, int number, uint32_t load, tacPacket **packet,
                                tacError *error);
