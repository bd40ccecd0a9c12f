/* A check as a bake leaves it, for assets that tests make by hand. */
#pragma once

#include <tactus/base.h>

static const tacBakeChecks some_checks = {1, {{"columns with their loads", 24, 3e-14, 1e-9}}};
