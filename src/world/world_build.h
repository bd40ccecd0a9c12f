/* Functions that add bodies of any kind to a world, and a function that writes contact problems to files. */
#pragma once

#include <tactus/world.h>

/* Returns the default definition: a body at rest with friction 0.4, shown by its vertices. The touch stiffness is 300
 * N/m with a damping of 0.3 N s/m, the contact stiffness 2000 N/m with 2 N s/m. */
tacBodyDef tac_body_def_default(void);

/* Adds a body with the data `self` and the function table `table`. On success the world owns and later destroys
 * `self`. */
tacStatus tac_world_add_body(tacWorld *world, const tacBodyDef *def, const tacBodyTable *table, void *self,
                             tacBodyId *id, tacError *error);
/* Writes the definition of the floor to `floor`. False if the world has no floor. */
bool tac_world_floor(const tacWorld *world, tacFloorDef *floor);

/* Returns the data `self` of a body. NULL if the body does not exist or has another function table. */
void *tac_world_body_self(const tacWorld *world, tacBodyId id, const tacBodyTable *table);

/* Writes the contact problems of each step whose number is a multiple of `every`. `folder` must exist; NULL ends the
 * writing. Each island gives one file in the format of `tactus solve`, for example tick-00001234-0.dat. Steps then
 * allocate memory and write files, so use this function only offline. The first write error is logged and ends the
 * writing. Load phase. */
tacStatus tac_world_dump_problems(tacWorld *world, const char *folder, int every, tacError *error);
