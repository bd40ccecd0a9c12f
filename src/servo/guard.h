/* Returns the names of device faults. */
#pragma once

#include <tactus/guard.h>

const char *tac_fault_name(tacFault fault);
