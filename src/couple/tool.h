/* Checks of what a tool takes in and gives out in a tick (<tactus/tool.h>). Any phase, any thread. */
#pragma once

#include <tactus/tool.h>
#include "math/geometry/quat.h"

/* True if an input is valid. Writes the orientation to `turn`. The orientation of a point tool is not checked. */
bool tac_tool_input_good(const tacToolInput *input, bool point, tacQuat *turn);
/* Returns the commanded closing of the jaws, 0 to 1, from `grab` or `grip` of the input. */
double tac_tool_input_grip(const tacToolInput *input);
bool tac_tool_output_finite(const tacToolOutput *output);
