/* Tetrahedra by isosurface stuffing (Labelle and Shewchuk 2007): fine and uniform at the surface, graded inside, with
 * bounded dihedral angles. Offline. */
#ifndef TACTUS_STUFFING_H
#define TACTUS_STUFFING_H

#include <tactus/distance_field.h>
#include <tactus/progress.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

typedef struct tacStuffingDef {
  /* Edge length at the surface, metres: the side of the lattice's cubes, at least 1/2000 of the box. Lattice edges are size
   * (one in three) and 0.87 size long; points that moved onto the surface make edges of 0.2 to 1.5 size beside it. */
  double size;
  int levels;       /* how often the size may double towards the interior; 0 is uniform */
  int thread_count; /* 0: one for each core */
} tacStuffingDef;

/* Size 0 must be replaced by the caller; three levels of grading. */
TAC_API tacStuffingDef tac_stuffing_def_default(void);

/* Negative inside, close to a distance near the surface. Called from several threads at once. */
typedef double (*tacImplicitFn)(tacVec3 p, void *user);

/* Fills the set where `function` is negative (NaN is outside); what of it lies outside `box` is cut off. Angles are bounded
 * for any function. Up to 2 million lattice cubes in the box, all are sampled and nothing larger than `size` is missed;
 * above that, cubes are passed over where |function| says that the surface is more than four times as far as they reach.
 * Boundary vertices lie on the surface; where parts come closer than `size` the boundary may touch itself at edges and
 * vertices. */
TAC_API tacStatus tac_stuffing_fill_implicit(tacImplicitFn function, void *user, tacBox box, const tacStuffingDef *def,
                                             const tacProgress *progress, tacVolMesh **mesh, tacError *error);
/* Fills a closed surface, by exact distance; TAC_ERR_GEOMETRY where it is not closed. */
TAC_API tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                                    tacVolMesh **mesh, tacError *error);
/* Fills the inside of a grid field. */
TAC_API tacStatus tac_stuffing_fill_field(const tacDistanceField *field, const tacStuffingDef *def,
                                          const tacProgress *progress, tacVolMesh **mesh, tacError *error);
/* The largest size, starting from a tenth of the box's longest side in steps of 1.3, whose mesh has a volume within
 * `tolerance` of the solid's (tac_trimesh_solid_volume: what lies in several closed parts counts once) and as many parts,
 * connected by faces, as the solid has, and the next size too. Where no
 * size has the parts before the elements become ten times as many, the one that comes nearest, and a warning in the log.
 * Gives up with TAC_ERR_GEOMETRY at 1/1000 of the box's side or 20 million elements, and at once where the body is far too thin
 * for either. */
TAC_API tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                              const tacProgress *progress, tacVolMesh **mesh, double *size,
                                              tacError *error);

TAC_END_DECLS

#endif
