/* One step of a world: the list of stages, without a way back. */
#pragma once

#include "world/world_parts.h"

/* Tick, of a sealed world. */
/* The bodies that take what their threads have ready in the step that begins now: bits of tacTickReport.renewed. Whoever steps tells
 * them, by tac_world_renew, before. */
uint32_t tac_world_renewal(tacWorld *world);
void tac_world_renew(tacWorld *world, uint32_t renewed);

/* Instead of the first step where ticks tell what tools did to bodies: there is nothing to tell yet. Nothing moves. */
void tac_world_look(tacWorld *world, const tacToolInput *inputs, tacTickReport *report);
void tac_world_advance(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report);
/* As after sealing. */
void tac_world_restart(tacWorld *world);

/* Whether an input makes sense, and how it is turned; the turn does not matter where a tool is a point. */
bool tac_tool_input_good(const tacToolInput *input, bool point, tacQuat *turn);
/* How far jaws are to close, 0 to 1, by either button. */
double tac_tool_input_grip(const tacToolInput *input);
bool tac_tool_output_finite(const tacToolOutput *output);
