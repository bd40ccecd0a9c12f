/* Checks deformed fields against their source. At q = 0 the field equals the field at rest. Proxies lie on the surface
 * of their domain, and they move and deform with the body. Offline. Plain loops on one thread. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "base/files/bake_check.h"

/* Adds three checks. */
tacStatus tac_deformed_field_check(const tacDeformedField *field, const tacReduced *reduced, tacBakeChecks *checks,
                                   tacError *error);
