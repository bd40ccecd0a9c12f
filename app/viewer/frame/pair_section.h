/* What the viewer's clients see of the pairs of bodies in contact: the section `pair` of a frame (docs/viewer_protocol.md). */
#pragma once

#include <tactus/world.h>
#include "app/viewer/protocol/protocol.h"
#include "world/pair_look.h"

typedef struct tacPairSection {
  int pair;
  int level_last; /* the deepest level that the pair may render */
  tacPairLook *look;
  tacPairSeen seen; /* in the moment that is shown */
} tacPairSection;

/* One for each pair of the world that meets by points; refers to it. To be destroyed even where it failed. */
tacStatus tac_pair_sections_create(const tacWorld *world, int *count, tacPairSection **sections, tacError *error);
void tac_pair_sections_destroy(int count, tacPairSection *sections); /* NULL is allowed */

void tac_pair_section_look(tacPairSection *section, const tacSnapshot *snapshot);
/* What was seen last; points and balls if `requests` includes them. */
size_t tac_pair_section_bytes(const tacPairSection *section, unsigned requests);
void tac_pair_section_write(const tacPairSection *section, unsigned requests, tacByteWriter *writer);
