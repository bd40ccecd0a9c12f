/* Chooses one of several volume meshes of a surface that are offered from coarse to fine. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

/* A mesh is right where it has the surface's volume within a tolerance and as many parts as the surface: coarse elements
 * break thin necks into islands and fuse what lies close together. The first that is right is chosen; with `confirm` only if
 * the next finer one is right too, so that it is not so by accident. (Voxels of flat parts are right only where the grid
 * happens to fit: there is nothing to confirm.) Where there is none before the number of elements grows too large, the one
 * with the right volume whose number of parts comes nearest, with a warning in the log. */
typedef struct tacVolumeFit {
  double target, tolerance; /* m^3, and relative to it */
  double deviation;         /* of the last mesh, relative */
  int parts;                /* of the solid that the surface encloses */
  tacVolMesh *chosen;
  double chosen_size; /* what the caller said with it */
  int chosen_parts;
  bool confirm;
  bool last_was_right; /* then it is the chosen one */
  double most_elements;
  bool done;
} tacVolumeFit;

tacStatus tac_volume_fit_begin(const tacTriMesh *surface, double tolerance, bool confirm, tacVolumeFit *fit,
                               tacError *error);
/* Whether a mesh of this volume is worth building and offering. */
bool tac_volume_fit_wants(tacVolumeFit *fit, double volume, double elements);
/* Takes over `mesh`. Sets fit->done when no more are needed. */
tacStatus tac_volume_fit_offer(tacVolumeFit *fit, tacVolMesh *mesh, double size, tacError *error);
/* The chosen mesh, which becomes the caller's, or TAC_ERR_GEOMETRY where none had the volume. */
tacStatus tac_volume_fit_end(tacVolumeFit *fit, tacVolMesh **mesh, double *size, tacError *error);
void tac_volume_fit_discard(tacVolumeFit *fit); /* on failure, instead of the end; a zeroed struct is allowed */
