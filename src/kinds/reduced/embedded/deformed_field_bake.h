/* Bakes the distance field of a deforming reduced body. Offline. */
#pragma once

#include <tactus/reduced.h>
#include "asset/deformed_field.h"

/* Bakes a deforming field from `domain_count` domains (Barbic 2007, section 3.12.1). A domain is a grid distance field
 * of a part of the undeformed body. The union of the domains is the body. On success the new field owns the domains. */
tacStatus tac_deformed_field_bake(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                                  const tacDeformedFieldDef *def, const tacProgress *progress, tacDeformedField **field,
                                  tacError *error);
