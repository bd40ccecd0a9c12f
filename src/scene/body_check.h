/* What is wrong with a body of a scene: its mesh, what is held, thin parts, masks, moduli, memory and time. Offline. */
#pragma once

#include "scene/finding.h"

/* Fills check->bodies[index]. */
tacStatus tac_body_check(tacCheck *check, int index);
void tac_body_check_free(tacCheckedBody *body);
