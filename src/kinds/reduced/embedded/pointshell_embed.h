/* Embeds the points of a shell in the displacement basis of a reduced body. */
#pragma once

#include <tactus/reduced.h>

/* Copies `shell` and adds the data that moves its points with `reduced`: U_s and Delta N_s of each point (Barbic 2007,
 * (3.6), (3.8)), and the growth of each bounding sphere (3.12). */
tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                               tacError *error);
