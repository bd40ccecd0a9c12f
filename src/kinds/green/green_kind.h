/* Elastostatic bodies of Green's functions as a kind: they answer as a compliance (James and Pai 2001, section 6). */
#pragma once

#include <tactus/green.h>
#include "body/body.h"
#include "kinds/green/green_body.h"

/* Load phase. Refers to the def's assets. */
tacStatus tac_green_kind_create(const tacGreenBodyDef *def, tacBody *body, tacError *error);
/* What a body of this kind is made of; NULL for another. It is another one after its mask was set. */
tacGreenBody *tac_green_kind_body(const tacBody *body);
