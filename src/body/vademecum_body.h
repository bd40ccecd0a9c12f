/* Bodies that answer from a vademecum as a kind: reduced bodies whose coordinates are those of its modes, and whose internal force
 * comes from its sampled elements. */
#pragma once

#include <tactus/vademecum.h>
#include "body/body.h"

/* Load phase. Refers to the def's assets. */
tacStatus tac_vademecum_body_create(const tacVademecumBodyDef *def, tacBody *body, tacError *error);
