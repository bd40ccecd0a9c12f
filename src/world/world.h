/* Queries of the program and reports beyond <tactus/world.h>: shells, fields, pairs and tools. */
#pragma once

#include <tactus/world.h>

int tac_world_simulate_every(const tacWorld *world);                    /* ticks */
tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id); /* default: TAC_SHOWN_VERTICES */

/* For pairs; NULL if the body has none. A body with coordinates has a deformed field, others a distance field. */
const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id);
const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id);
const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id);
const tacLoadField *tac_world_body_load_field(const tacWorld *world, tacBodyId id); /* of its deformed field */
int tac_world_pair_count(const tacWorld *world);
tacPairDef tac_world_pair(const tacWorld *world, int pair); /* as added, with the chosen stiffness and ramp */

/* m: radius of a fingertip; 0: not a fingertip. */
double tac_world_tool_radius(const tacWorld *world, int tool);

/* Pivot of its trocar, m, world. False, and `pivot` unchanged, if it has none. */
bool tac_world_tool_trocar(const tacWorld *world, int tool, tacVec3 *pivot);

/* Its jaws; returns their number. */
int tac_world_tool_jaws(const tacWorld *world, int tool, tacBodyId jaws[TAC_MOST_JAWS]);

/* As added, without its name; false: not a tool with pads. */
bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def);
