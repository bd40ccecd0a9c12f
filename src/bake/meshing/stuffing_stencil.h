/* The surface in isosurface stuffing: cut points, warping, and what remains of each background tetrahedron. */
#pragma once

#include "bake/meshing/stuffing_background.h"

/* Finds where the function is zero on the lattice's edges, moves lattice points that lie too close to such a cut onto it
 * (`lattice` changes), and cuts the background along the surface. An empty result is TAC_ERR_GEOMETRY. */
tacStatus tac_stuffing_cut(const tacStuffingDomain *domain, tacBccLattice *lattice, const tacBackgroundTets *background,
                           tacVolMesh **mesh, tacError *error);
