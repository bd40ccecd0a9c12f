/* Compliances between sites of bodies with static compliance. A table keeps them over many steps. Each hash has one
 * entry. */
#pragma once

#include "body/body.h"
#include "math/geometry/mat3.h"

typedef struct tacComplianceMemory tacComplianceMemory;

/* Creates a table for at most `contacts` contacts. Load phase. */
tacStatus tac_compliance_memory_create(int contacts, tacComplianceMemory **memory, tacError *error);
void tac_compliance_memory_destroy(tacComplianceMemory *memory); /* NULL is allowed */
/* Clears the table. Call after the stiffness of a body changed. NULL is allowed. */
void tac_compliance_memory_forget(tacComplianceMemory *memory);
/* Looks up or computes the compliance between two sites of a body with static compliance, m/N, body's frame. `key`:
 * number of the body, the same in all calls. Returns false if the compliance is unknown. Tick phase. */
bool tac_compliance_memory_find(tacComplianceMemory *memory, int key, const tacBody *body, const tacSite *at,
                                const tacSite *by, tacMat3 *compliance);
