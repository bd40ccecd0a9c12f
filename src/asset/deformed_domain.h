/* What a deformed field holds: shared by the asset and its poses alone. */
#pragma once

#include <tactus/distance_field.h>
#include "asset/field_reach.h"
#include "base/memory/array.h"

enum { TAC_DEFORMED_DOMAINS = 64, TAC_DEFORMED_PROXIES = 256, TAC_DEFORMED_NEAREST = 16 }; /* at most */
enum { TAC_PROXY_ROWS = 12 };                                                              /* of U, then of dF/dq */

typedef struct tacDeformedDomain {
  tacDistanceField *field;
  tacBox box; /* of the grid, less a trifle, so that what is inside of it is inside for the field too */
  double boundary;
  tacFieldReach reach;
  tacVec3 centre; /* of a ball that holds every place with a negative value */
  double radius;
  int count; /* proxies */
  tacVec3 *positions;
  double *modes; /* [proxy][TAC_PROXY_ROWS][r] */
} tacDeformedDomain;

struct tacDeformedField {
  tacArrays arrays; /* of the domains */
  int r, nearest, domain_count;
  tacDeformedDomain domains[TAC_DEFORMED_DOMAINS];
  tacBakeChecks checks;
};
