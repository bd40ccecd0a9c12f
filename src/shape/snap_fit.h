/* The clip and the pipe that it snaps on, both extruded along y: every node of their bricks on the exact surface or between. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include "base/error.h"

#define TAC_PIPE_OUTER 0.015
#define TAC_PIPE_INNER 0.011
#define TAC_PIPE_HALF_LENGTH 0.08

#define TAC_CLIP_INNER 0.0148 /* tighter than the pipe by 0.2 mm, so that it presses where it is on it */
#define TAC_CLIP_WALL 0.003
#define TAC_CLIP_HALF_WIDTH 0.01
#define TAC_CLIP_MOUTH 1.1519173063162575 /* 66 degrees: half of what the ring lacks */
#define TAC_CLIP_BEND 0.005               /* radius of the wall's middle where it turns outward to the lips */
#define TAC_CLIP_LIP 0.006
#define TAC_CLIP_HANDLE_HALF 0.006 /* half its height */
#define TAC_CLIP_HANDLE_END -0.062

/* Surfaces: triangles of about `size` every way. */
tacStatus tac_snap_fit_clip(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error);
tacStatus tac_snap_fit_pipe(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error);
/* Bricks of about `size` along the walls, several of them through the wall, longer where nothing bends. */
tacStatus tac_snap_fit_clip_bricks(double size, tacVolMesh **mesh, tacError *error);
tacStatus tac_snap_fit_pipe_bricks(double size, tacVolMesh **mesh, tacError *error);
