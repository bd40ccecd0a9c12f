/* The diaphragm: a sheet with two domes over the liver, in its frame. */
#pragma once

#include <tactus/progress.h>
#include <tactus/volmesh.h>
#include "base/error.h"

/* Cells of about `size` along the sheet, two through it; more than 400^3 nodes: TAC_ERR_ARGUMENT. */
tacStatus tac_diaphragm_bricks(double size, tacVolMesh **mesh, tacError *error);
tacStatus tac_diaphragm_surface(double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error);
