/* Bakes the distance field of a reduced body under any deformation. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "asset/deformed_field.h"

/* Domains (section 3.12.1) are grid fields of parts of the body at rest in its frame; their union is the body. A single
 * domain means an undivided body. On success the field owns the domains. */
tacStatus tac_deformed_field_bake(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                                  const tacDeformedFieldDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error);
