/* How far bodies are from what they stand for: asked at the end of every eighth step, bodies in turn (tacBodyTable.doubt). */
#pragma once

#include "world/world_parts.h"

/* Tick. Of all bodies, into them and the report; with the tools whose couplings are saturated. */
void tac_doubt_measure(tacWorld *world, const tacToolOutput *outputs, tacTickReport *report);
