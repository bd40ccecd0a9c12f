/* Elastostatic bodies of Green's functions as a kind: compliance bodies (James and Pai 2001, section 6). */
#pragma once

#include <tactus/green.h>
#include "body/body.h"
#include "kinds/green/green_body.h"

/* Load phase. Refers to the def's assets. */
tacStatus tac_green_kind_create(const tacGreenBodyDef *def, tacBody *body, tacError *error);
/* The tacGreenBody of a body of this kind; NULL for another kind. A change of the mask parameter replaces it. */
tacGreenBody *tac_green_kind_body(const tacBody *body);
