/* A vademecum against full solutions of the same problem, over a random sample of loads of the largest size. Offline, on all
 * cores. */
#pragma once

#include <tactus/vademecum.h>
#include "kinds/vademecum/load_problem.h"

/* Fills the errors of `info`: |u - u_fe| / |u_fe| in the norm of masses. u_fe: all nodes, by Newton's method to 1e-9 of the load
 * (elastic/hyper/hyper_statics.h), or of a linear one a direct solution. */
tacStatus tac_vademecum_check(const tacVademecum *vademecum, const tacLoadProblem *problem, const tacProgress *progress,
                              tacVademecumInfo *info, tacError *error);
