/* A rough operator: what the hand that leads a tool wants, at random but always the same. With a body in its hand it
 * strikes others, jams, levers and drags it; with a point it strikes, presses, drags along the surface, takes hold,
 * pulls and lets go; pads likewise. */
#pragma once

#include <tactus/servo.h>

/* A time in which the hand wants to stay where it is. */
typedef struct tacJam {
  double from, to; /* s */
} tacJam;

typedef struct tacRoughPath {
  int count, jam_count;
  tacTrajectoryPoint *points; /* device frame, linear between */
  tacJam *jams;
} tacRoughPath;

/* Where a hand begins: of a held body its grasp as it starts; of points and pads a place above everything. Scene. */
tacVec3 tac_rough_home(const tacWorld *world, int tool);
/* Where a hand is in the frame of its device. */
tacTrajectoryPoint tac_rough_point(const tacWorkspaceDef *workspace, double time, tacVec3 at, const double turn[4],
                                   uint32_t buttons);

/* For any tool of a sealed world. Strikes at 0.5 to 1 m/s in the scene, up to 20 mm beyond the surface that it
 * meets, of bodies where they lie at the start; of free ones also below, where they may have fallen.
 * TAC_ERR_ARGUMENT where there is nothing to touch. */
tacStatus tac_rough_path_create(const tacWorld *world, int tool, const tacWorkspaceDef *workspace, uint64_t seed,
                                double duration, tacRoughPath *path, tacError *error);
void tac_rough_path_free(tacRoughPath *path); /* a zeroed struct is allowed */
