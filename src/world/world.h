/* Queries of the program and reports beyond <tactus/world.h>: shells, fields, pairs and tools. */
#pragma once

#include <tactus/world.h>

int tac_world_simulate_every(const tacWorld *world);                    /* ticks */
tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id); /* default: TAC_SHOWN_VERTICES */

/* Data for distributed contact; NULL if the body has none. The field of a body with coordinates is a deformed field;
 * other bodies have a distance field. */
const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id);
const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id);
const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id);
const tacLoadField *tac_world_body_load_field(const tacWorld *world, tacBodyId id); /* loads of the deformed field */
int tac_world_pair_count(const tacWorld *world);
/* The definition passed when the pair was added, with the stiffness and ramp in use. */
tacPairDef tac_world_pair(const tacWorld *world, int pair);

/* m: radius of a fingertip; 0: not a fingertip. */
double tac_world_tool_radius(const tacWorld *world, int tool);

/* Pivot of the tool's trocar, m, world. A tool without a trocar: returns false and leaves `pivot` unchanged. */
bool tac_world_tool_trocar(const tacWorld *world, int tool, tacVec3 *pivot);

/* Writes the bodies that are jaws of the tool; returns their number. */
int tac_world_tool_jaws(const tacWorld *world, int tool, tacBodyId jaws[TAC_MOST_JAWS]);

/* The definition passed when the tool was added, without its name. False: the tool has no pads. */
bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def);
