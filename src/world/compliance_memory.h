/* Compliances between places of bodies, kept from step to step: W is assembled anew only where contacts are new or have moved over a
 * body. A table of one place for each hash: what is not there any more is computed again. */
#pragma once

#include "body/body.h"
#include "math/geometry/mat3.h"

typedef struct tacComplianceMemory tacComplianceMemory;

/* Load phase; for so many contacts. */
tacStatus tac_compliance_memory_create(int contacts, tacComplianceMemory **memory, tacError *error);
void tac_compliance_memory_destroy(tacComplianceMemory *memory); /* NULL is allowed */
/* After a body's stiffness was changed. NULL is allowed. */
void tac_compliance_memory_clear(tacComplianceMemory *memory);

/* C(at, by) of a body, m/N, in its frame; `number`: of the body in its world. False: it does not know. */
bool tac_compliance_memory_find(tacComplianceMemory *memory, const tacBody *body, int number, const tacSite *at,
                                const tacSite *by, tacMat3 *compliance);
