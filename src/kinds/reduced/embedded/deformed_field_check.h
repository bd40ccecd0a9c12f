/* Checks a deforming distance field against the fields and the body from which it was baked. Offline.
 *
 * At q = 0 the field must equal the fields of the undeformed domains. The proxies (material points at which the
 * field knows the deformation) must lie on the surface of their domain. Their displacements and deformation gradients
 * must equal those of the body. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "base/files/bake_check.h"

/* Adds three checks to `checks`. */
tacStatus tac_deformed_field_check(const tacDeformedField *field, const tacReduced *reduced, tacBakeChecks *checks,
                                   tacError *error);
