/* Building a world from a body's kind, and writing its contact problems to files. */
#pragma once

#include <tactus/world.h>

/* Rests; friction 0.4, touch 300 N/m and 0.3 N s/m, contact 2000 N/m and 2 N s/m; shown by its vertices. */
tacBodyDef tac_body_def_default(void);

/* A body of any kind: what it is made of, and the table that answers for it. On success the world owns `self`, and destroys it. */
tacStatus tac_world_add_body(tacWorld *world, const tacBodyDef *def, const tacBodyTable *table, void *self,
                             tacBodyId *id, tacError *error);
bool tac_world_floor(const tacWorld *world, tacFloorDef *floor); /* false: there is none */

/* What a body of a table works on, as it was added; NULL: there is no such body, or it has another table. */
void *tac_world_body_self(const tacWorld *world, tacBodyId id, const tacBodyTable *table);

/* Writes the contact problems of every `every`th step into a folder that is there, as `tactus solve` reads them: tick-00001234-0.dat,
 * one for each set of bodies that contacts join. For studies, not for real time: steps then allocate and write. What cannot be
 * written is told once by the log. Load phase; NULL ends it. */
tacStatus tac_world_dump_problems(tacWorld *world, const char *folder, int every, tacError *error);
