/* New meshes: remeshed surfaces, tetrahedra and bricks, and the gallery of procedural shapes. Offline. */
#ifndef TACTUS_MESHING_H
#define TACTUS_MESHING_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* The surface on which a sampled function has a given value. Offline. */

/* Another mesh of the same surface: even triangles, none of which cross. Offline. */

/* The boundary of the solid that a closed mesh encloses (where the winding number is not 0: crossing, overlapping and nested parts
 * become one), as triangles with edges of about `size` metres, none much longer than twice that: the zero level of its distance field,
 * coarsened and relaxed.
 * Closed, manifold, oriented outward and without self-intersections. Its sharp edges are rounded by a fraction of `size`. Groups
 * are dropped. `thread_count` 0: one for each core. TAC_ERR_GEOMETRY where the mesh is not closed, where details that matter
 * are lost (the volume differs by more than 5 %) or where triangles of that size cross each other; each says what would do. */
TAC_API tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress,
                             tacTriMesh **remeshed, tacError *error);

/* The same closed manifold with `triangle_count` triangles (or one less), which its topology must allow: edges are collapsed,
 * cheapest first, then triangles made even. Groups are dropped. */
TAC_API tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified,
                                      tacError *error);

/* Tetrahedra by isosurface stuffing (Labelle and Shewchuk 2007): fine and uniform at the surface, graded inside, with
 * bounded dihedral angles. Offline. */

typedef struct tacStuffingDef {
  /* Edge length at the surface, metres: the side of the lattice's cubes, at least 1/2000 of the box. Lattice edges are size
   * (one in three) and 0.87 size long; points that moved onto the surface make edges of 0.2 to 1.5 size beside it. */
  double size;
  int levels;       /* how often the size may double towards the interior; 0 is uniform */
  int thread_count; /* 0: one for each core */
} tacStuffingDef;

/* Size 0 must be replaced by the caller; three levels of grading. */
TAC_API tacStuffingDef tac_stuffing_def_default(void);

/* Fills a closed surface, by exact distance; TAC_ERR_GEOMETRY where it is not closed. */
TAC_API tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                                    tacVolMesh **mesh, tacError *error);
/* The largest size, starting from a tenth of the box's longest side in steps of 1.3, whose mesh has a volume within
 * `tolerance` of the solid's (tac_trimesh_solid_volume: what lies in several closed parts counts once) and as many parts,
 * connected by faces, as the solid has, and the next size too. Where no
 * size has the parts before the elements become ten times as many, the one that comes nearest, and a warning in the log.
 * Gives up with TAC_ERR_GEOMETRY at 1/1000 of the box's side or 20 million elements, and at once where the body is far too thin
 * for either. */
TAC_API tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                              const tacProgress *progress, tacVolMesh **mesh, double *size,
                                              tacError *error);

/* Bricks from surfaces. Offline. */
typedef enum tacVoxelRule {
  TAC_VOXELS_CENTRE, /* voxels whose centre is inside: volume is right; needs a closed surface */
  TAC_VOXELS_COVER,  /* voxels that the surface touches or encloses: nothing is lost; soups allowed */
  TAC_VOXELS_SHELL   /* voxels that the surface touches, hollow inside; soups allowed */
} tacVoxelRule;

typedef struct tacVoxeliseDef {
  int resolution; /* cubic voxels along the longest side of the mesh's box */
  tacVoxelRule rule;
} tacVoxeliseDef;

TAC_API tacVoxeliseDef tac_voxelise_def_default(void);
TAC_API tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress,
                               tacVolMesh **mesh, tacError *error);
/* The coarsest centre-rule resolution, from 16 to 512 in steps of about 1.2, whose mesh has a volume within `tolerance`
 * (such as 0.02) of the surface's and as many parts, connected by faces, as the surface has. Where none has the parts
 * before the bricks become ten times as many, the one that comes nearest, and a warning in the log. */
TAC_API tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress,
                                         tacVolMesh **mesh, int *resolution, tacError *error);

/* The gallery: procedural models, each a closed surface at any resolution. Offline. */

typedef struct tacShapeInfo {
  const char *name;    /* "kidney", "suspension-bridge", ... */
  const char *summary; /* one line: what it is and its main dimensions */
  double size;         /* default edge length of its triangles, metres; resolves its thinnest part */
  double brick_size;   /* default edge length of its bricks, metres; 0: it has no bricks */
} tacShapeInfo;

/* Index 0, 1, ... until NULL. */
TAC_API const tacShapeInfo *tac_shape_info(int index);
/* `size` is the edge length of the triangles, metres; 0 means the default. Every vertex lies on the exact surface. */
TAC_API tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh,
                                  tacError *error);

/* Bricks of its own, of shapes that have them (box, beam, cube, tables, clip, pipe, diaphragm): they fill it exactly, with two or more through
 * whatever is thin, so that it bends as it should, and few enough to be simulated. Others are filled from their surface
 * (tac_stuffing_fill, tac_voxelise). `size` is the length of a brick along what bends, metres; 0 means the default. */
TAC_API tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error);

TAC_END_DECLS

#endif
