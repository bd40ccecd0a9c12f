/* Body kind "green": elastostatic bodies of Green's functions, with static compliance (James and Pai 2001, section
 * 6). */
#pragma once

#include <tactus/green.h>
#include "body/body.h"
#include "kinds/green/green_body.h"

/* Creates a body that refers to the assets of `def`. Call in the load phase. */
tacStatus tac_green_kind_create(const tacGreenBodyDef *def, tacBody *body, tacError *error);
/* Returns the tacGreenBody of a body of this kind; NULL for another kind. A change of the parameter `mask` replaces the
 * tacGreenBody. */
tacGreenBody *tac_green_kind_body(const tacBody *body);
