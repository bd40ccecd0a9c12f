/* Checks a deforming distance field against the source fields and the reduced body. Offline.
 *
 * At q = 0 the field must equal the fields of the undeformed domains. The proxies (material points at which the field
 * knows the deformation) must lie on the surface of their domain. Displacements and deformation gradients at the
 * proxies must equal the values of the body. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include "asset/deformed_field.h"
#include "base/files/bake_check.h"

/* Adds three checks to `checks`. */
tacStatus tac_deformed_field_check(const tacDeformedField *field, const tacReduced *reduced, tacBakeChecks *checks,
                                   tacError *error);
