/* What of the gallery is baked, and how long the rest will take: looked up on a thread of its own, so that nobody waits for it. */
#pragma once

#include "app/viewer/library/gallery.h"

typedef struct tacBadges tacBadges;

/* `report` gets JSON, malloc'ed, which it takes; on the thread of the badges. The gallery must outlive them. */
tacStatus tac_badges_start(const tacGallery *gallery, const char *cache, void (*report)(char *json, void *user),
                           void *user, tacBadges **badges, tacError *error);
void tac_badges_stop(tacBadges *badges); /* NULL is allowed */
/* Looks again, and tells; returns at once. */
void tac_badges_look(tacBadges *badges);

/* {"scenes": [{"file", "baked": bool, "seconds": of what is missing, -1: not known, "small": null | the same of its small version}]} */
char *tac_badges_text(const tacGallery *gallery, const char *cache);
