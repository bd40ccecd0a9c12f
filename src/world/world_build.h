/* Adds bodies of any kind to a world; writes its contact problems to files. */
#pragma once

#include <tactus/world.h>

/* A body at rest with friction 0.4, touch 300 N/m and 0.3 N s/m, contact 2000 N/m and 2 N s/m; shown by vertices. */
tacBodyDef tac_body_def_default(void);

/* Adds a body: its data `self` and the table of its functions. On success the world owns `self` and destroys it. */
tacStatus tac_world_add_body(tacWorld *world, const tacBodyDef *def, const tacBodyTable *table, void *self,
                             tacBodyId *id, tacError *error);
bool tac_world_floor(const tacWorld *world, tacFloorDef *floor); /* false: there is none */

/* The `self` passed when the body was added; NULL: no such body, or it has another table. */
void *tac_world_body_self(const tacWorld *world, tacBodyId id, const tacBodyTable *table);

/* Writes the contact problems of every `every`th step to an existing folder, in the format of `tactus solve`:
 * tick-00001234-0.dat, one file per island. For studies, not for real time: steps then allocate and write. The first
 * write error is logged once. Load phase; NULL ends it. */
tacStatus tac_world_dump_problems(tacWorld *world, const char *folder, int every, tacError *error);
