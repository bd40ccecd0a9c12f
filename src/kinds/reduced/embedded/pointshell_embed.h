/* Embeds the points of a shell in the displacement basis of a reduced body. */
#pragma once

#include <tactus/reduced.h>

/* Copies the shell and lets its points move with a reduced body: adds U_s and Delta N_s of each point (3.6, 3.8), and
 * the growth of each ball (3.12). */
tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                               tacError *error);
