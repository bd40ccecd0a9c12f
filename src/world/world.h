/* Queries about a world for programs and reports, in addition to <tactus/world.h>: shells, fields, pairs and tools. */
#pragma once

#include <tactus/world.h>

/* Returns the number of ticks per step. */
int tac_world_simulate_every(const tacWorld *world);
/* Returns how the body is shown; TAC_SHOWN_VERTICES if the body does not exist. */
tacBodyShown tac_world_body_shown(const tacWorld *world, tacBodyId id);

/* Pointshell and field of a body for distributed contact. These functions return NULL if the body has no such data. A
 * body with coordinates has a deformed field; other bodies have a distance field. */
const tacPointshell *tac_world_body_shell(const tacWorld *world, tacBodyId id);
const tacDistanceField *tac_world_body_field(const tacWorld *world, tacBodyId id);
const tacDeformedField *tac_world_body_deformed_field(const tacWorld *world, tacBodyId id);
/* Returns the precomputed loads of the body's deformed field. */
const tacLoadField *tac_world_body_load_field(const tacWorld *world, tacBodyId id);
int tac_world_pair_count(const tacWorld *world);
/* Returns the definition of a pair. A zero stiffness or ramp is replaced by the value in use. */
tacPairDef tac_world_pair(const tacWorld *world, int pair);

/* Returns the radius of a fingertip, m; 0 if the tool is not a fingertip. */
double tac_world_tool_radius(const tacWorld *world, int tool);

/* Writes the pivot of the tool's trocar to `pivot`, m, world frame. False if the tool has no trocar; `pivot` is then
 * unchanged. */
bool tac_world_tool_trocar(const tacWorld *world, int tool, tacVec3 *pivot);

/* Writes the bodies that are jaws of the tool to `jaws`. Returns the number of jaws. */
int tac_world_tool_jaws(const tacWorld *world, int tool, tacBodyId jaws[TAC_MOST_JAWS]);

/* Writes the definition of a tool with pads to `def`, without the name. False if the tool has no pads. */
bool tac_world_tool_pads(const tacWorld *world, int tool, tacPadToolDef *def);
