/* Generators of meshes: remeshed surfaces, tetrahedra, bricks, and a gallery of procedural shapes.
 *
 * Example:
 *
 *     tacTriMesh *kidney = NULL, *even = NULL;
 *     tacVolMesh *tets = NULL;
 *     tacStuffingDef def = tac_stuffing_def_default();
 *     def.size = 0.004; // m, edge length at the surface
 *     tacStatus status = tac_shape_build("kidney", 0.0, NULL, &kidney, error); // 0: default edge length
 *     if (status == TAC_OK) status = tac_remesh(kidney, 0.005, 0, NULL, &even, error);
 *     if (status == TAC_OK) status = tac_stuffing_fill(even, &def, NULL, &tets, error);
 *     tac_volmesh_destroy(tets);
 *     tac_trimesh_destroy(even);
 *     tac_trimesh_destroy(kidney);
 *     if (status != TAC_OK) return status;
 *
 * Units: lengths in m, volumes in m^3.
 *
 * Threads and phases: offline only. Every function allocates, and the functions with a `progress` can take long and be
 * cancelled. Functions with a `thread_count` start threads of their own and end them before they return. Different
 * threads may mesh at the same time. The caller destroys each result. */
#ifndef TACTUS_MESHING_H
#define TACTUS_MESHING_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* ---- remeshed surfaces ---- */

/* Remeshes the boundary of the solid that a closed mesh encloses with even triangles, with edges of about `size` (m),
 * none much longer than twice that. The solid is where the winding number is not 0: crossing, overlapping and nested
 * parts become one. The method coarsens and relaxes the zero level of the distance field.
 *
 * The result is closed, manifold, oriented outward and without self-intersections. Sharp edges are rounded by a
 * fraction of `size`. Groups are dropped. `thread_count` 0 means one thread for each core. TAC_ERR_GEOMETRY if the mesh
 * is not closed, if details that matter are lost (the volume differs by more than 5 %), or if triangles of that size
 * cross each other; each error names the remedy. */
TAC_API tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress,
                             tacTriMesh **remeshed, tacError *error);

/* Simplifies a closed manifold to `triangle_count` triangles, or one fewer: collapses edges, cheapest first, then evens
 * out the triangles. The topology of the mesh must allow that count. Groups are dropped. TAC_ERR_GEOMETRY if the mesh
 * is not a closed manifold, or has degenerate triangles or unused vertices; TAC_ERR_ARGUMENT unless the count is at
 * least 4 and below that of the mesh. */
TAC_API tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified,
                                      tacError *error);

/* ---- tetrahedra ----
 *
 * Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra that are fine and uniform at the surface and graded
 * inside, with bounded dihedral angles. */

/* Size of the tetrahedra. */
typedef struct tacStuffingDef {
  /* Edge length at the surface, m: the side of the lattice's cubes, at least 1/2000 of the longest side of the box.
   * Lattice edges are `size` (one in three) and 0.87 `size` long. Points that moved onto the surface make edges of 0.2
   * to 1.5 `size` beside it. */
  double size;
  int levels;       /* how often the size may double towards the interior, 0 to 16; 0: uniform */
  int thread_count; /* 0: one for each core */
} tacStuffingDef;

/* Returns the default: three levels of grading and a size of 0, which tac_stuffing_fill refuses; set it. */
TAC_API tacStuffingDef tac_stuffing_def_default(void);

/* Fills a closed surface with tetrahedra, by exact distance to it. TAC_ERR_GEOMETRY if it is not closed;
 * TAC_ERR_ARGUMENT if `def` is out of range. */
TAC_API tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                                    tacVolMesh **mesh, tacError *error);

/* Fills a closed surface with the largest tetrahedra that represent its solid, and returns their `size` (m). The size
 * starts at a tenth of the longest side of the box and shrinks in steps of 1.3. It is accepted if the following holds
 * for it and for the next size, too:
 *
 *   - the mesh has the volume of the solid within `tolerance` (relative; tac_trimesh_solid_volume: what lies in several
 *     closed parts counts once);
 *   - the mesh has as many parts, connected by faces, as the solid.
 *
 * If no size has the right number of parts before the elements become ten times as many, the result is the size that
 * comes nearest, with a warning in the log. TAC_ERR_GEOMETRY if no size fits down to 1/1000 of the box's side or up to
 * 20 million elements, and at once if the body is far too thin for either. Of `def` the size is not used. */
TAC_API tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                              const tacProgress *progress, tacVolMesh **mesh, double *size,
                                              tacError *error);

/* ---- bricks ---- */

/* Which voxels become bricks. */
typedef enum tacVoxelRule {
  TAC_VOXELS_CENTRE, /* voxels whose centre is inside: the volume is right; needs a closed surface */
  TAC_VOXELS_COVER,  /* voxels that the surface touches or encloses: nothing is lost; accepts polygon soups */
  TAC_VOXELS_SHELL   /* voxels that the surface touches, hollow inside; accepts polygon soups */
} tacVoxelRule;

/* How to voxelise. */
typedef struct tacVoxeliseDef {
  int resolution; /* cubic voxels along the longest side of the box of the mesh, 1 to 1024 */
  tacVoxelRule rule;
} tacVoxeliseDef;

/* Returns the default: a resolution of 64 and the rule TAC_VOXELS_CENTRE. */
TAC_API tacVoxeliseDef tac_voxelise_def_default(void);

/* Fills a surface with equal cubic bricks. TAC_ERR_GEOMETRY if the surface has no triangles or no extent, or if the
 * rule needs a closed surface and it is open; TAC_ERR_ARGUMENT if the resolution is out of range. */
TAC_API tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress,
                               tacVolMesh **mesh, tacError *error);

/* Fills a closed surface with the coarsest bricks that represent its solid, by TAC_VOXELS_CENTRE, and returns their
 * `resolution`. Tries resolutions from 16 to 512 in steps of about 1.2. It accepts the first whose mesh has the volume
 * of the solid within `tolerance` (relative, such as 0.02) and as many parts, connected by faces, as the solid. If none
 * has the right number of parts before the bricks become ten times as many, the result is the one that comes nearest,
 * with a warning in the log. TAC_ERR_GEOMETRY if no resolution gives the volume. */
TAC_API tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress,
                                         tacVolMesh **mesh, int *resolution, tacError *error);

/* ---- gallery ----
 *
 * Procedural models, each a closed surface at any resolution. */

/* Description of a shape of the gallery. Static. */
typedef struct tacShapeInfo {
  const char *name;    /* "kidney", "suspension-bridge", ... */
  const char *summary; /* one line: what it is and its main dimensions */
  double size;         /* default edge length of its triangles, m; resolves its thinnest part */
  double brick_size;   /* default edge length of its bricks, m; 0: it has no exact bricks */
} tacShapeInfo;

/* Returns the description of the shape of an index, 0, 1, ..., and NULL after the last one. Any thread. */
TAC_API const tacShapeInfo *tac_shape_info(int index);

/* Builds the surface of a shape. `size` is the edge length of the triangles, m; 0 means the default. Every vertex lies
 * on the exact surface. TAC_ERR_ARGUMENT if there is no such shape, or if the size is so large that parts would be
 * lost. */
TAC_API tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh,
                                  tacError *error);

/* Builds the exact bricks of a shape that has them (box, beam, cube, tables, clip, pipe, diaphragm). The bricks fill
 * the shape exactly. Thin parts have two or more through their thickness, so that they bend as they should, and there
 * are few enough to be simulated. `size` is the length of a brick along what bends, m; 0 means the default.
 * TAC_ERR_ARGUMENT if there is no such shape, if it has no exact bricks, or if the size is so large that parts would be
 * lost. Fill the surface of other shapes with tac_stuffing_fill or tac_voxelise. */
TAC_API tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error);

TAC_END_DECLS

#endif
