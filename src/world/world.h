/* What the program and reports ask of a world beyond <tactus/world.h>: shells, fields, pairs and tools. */
#pragma once

#include <tactus/world.h>

int tac_world_simulate_every(const tacWorld *world);                    /* ticks */
tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id); /* vertices where there is no such body */

/* For pairs; NULL where the body has none. A body with coordinates has a deformed field, another a distance field. */
const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id);
const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id);
const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id);
const tacLoadField *tac_world_body_load_field(const tacWorld *world, tacBodyId id); /* of its deformed field */
int tac_world_pair_count(const tacWorld *world);
tacPairDef tac_world_pair(const tacWorld *world,
                          int pair); /* as it was added, with the stiffness and ramp that were chosen */

/* m: of a fingertip; 0: it is none. */
double tac_world_tool_radius(const tacWorld *world, int tool);

/* The pivot of its trocar, m, world; false, and nothing is set, where it goes through none. */
bool tac_world_tool_trocar(const tacWorld *world, int tool, tacVec3 *pivot);

/* Its jaws; returns how many. */
int tac_world_tool_jaws(const tacWorld *world, int tool, tacBodyId jaws[TAC_MOST_JAWS]);

/* As it was added, but for its name; false: it is no tool with pads. */
bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def);
