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
 * Threads and phases: all functions belong to the offline phase and allocate memory. Functions with a parameter
 * `progress` can take long and can be cancelled. Functions with a thread count start threads, and end these threads
 * before the return. Several threads may call the functions at the same time. The caller destroys each result. */
#ifndef TACTUS_MESHING_H
#define TACTUS_MESHING_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* ---- remeshed surfaces ---- */

/* Computes a mesh of even triangles for the boundary of the solid that a closed mesh encloses.
 *
 * `size` is the approximate edge length of the new triangles, m; no edge is much longer than twice the size. The solid
 * is the region with a winding number other than 0, so crossing, overlapping and nested parts become one part. The
 * method extracts the zero level set of the distance field, then coarsens and relaxes this surface.
 *
 * The result is closed, manifold, oriented outward and without self-intersections. Sharp edges are rounded by a
 * fraction of `size`. The result has no groups. If `thread_count` is 0, the function uses one thread for each core.
 *
 * Returns TAC_ERR_GEOMETRY if the mesh is not closed, or if the volume changes by more than 5 %. Also returns
 * TAC_ERR_GEOMETRY if the new triangles intersect each other, because parts or gaps are too narrow for `size`. The
 * error text states the remedy. */
TAC_API tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress,
                             tacTriMesh **remeshed, tacError *error);

/* Simplifies a closed manifold mesh to `triangle_count` triangles, or to one triangle fewer.
 *
 * The function collapses edges, cheapest first, then makes the triangles more even. The topology of the mesh must allow
 * the wanted number of triangles. The result has no groups. Returns TAC_ERR_GEOMETRY if the mesh is not a closed
 * manifold, or has degenerate triangles or unused vertices. Returns TAC_ERR_ARGUMENT if `triangle_count` is less than 4
 * or not less than the number of triangles of the mesh. */
TAC_API tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified,
                                      tacError *error);

/* ---- tetrahedra ----
 *
 * The method is isosurface stuffing (Labelle and Shewchuk 2007). Its tetrahedra are fine and uniform at the surface,
 * become larger towards the interior, and have bounded dihedral angles. */

/* Options of tac_stuffing_fill. */
typedef struct tacStuffingDef {
  /* Edge length of the tetrahedra at the surface, m, at least 1/2000 of the longest side of the box of the surface. The
   * size is the side of the cubes of the lattice. One third of the lattice edges have the length `size`; the others are
   * 0.87 `size` long. Lattice points that are moved onto the surface cause edges of 0.2 to 1.5 `size` near the
   * surface. */
  double size;
  int levels;       /* number of times that the size may double towards the interior, 0 to 16; 0: uniform size */
  int thread_count; /* number of threads; 0: one thread for each core */
} tacStuffingDef;

/* Returns the default options: three levels, and a size of 0. The caller must set the size, because tac_stuffing_fill
 * refuses 0. */
TAC_API tacStuffingDef tac_stuffing_def_default(void);

/* Fills a closed surface with tetrahedra. The method uses the exact distance to the surface. Returns TAC_ERR_GEOMETRY
 * if the surface is not closed, and TAC_ERR_ARGUMENT if a value of `def` is out of range. */
TAC_API tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                                    tacVolMesh **mesh, tacError *error);

/* Fills a closed surface with the largest tetrahedra that represent its solid, and stores the chosen size in `size`, m.
 * `def->size` is not used.
 *
 * The function tries sizes from a tenth of the longest side of the box, each 1.3 times smaller than the previous size.
 * The function accepts a size if the size and the next smaller size satisfy two conditions:
 *
 *   - The volume of the mesh equals the volume of the solid (tac_trimesh_solid_volume) within the relative `tolerance`.
 *   - The mesh has as many parts, connected by faces, as the solid.
 *
 * After the first size with the right volume, the function tries smaller sizes with up to ten times as many elements,
 * or 300,000 elements if this limit is higher. If no size gives the right number of parts, the function chooses the
 * size with the nearest number of parts. The function then writes a warning to the log.
 *
 * Returns TAC_ERR_GEOMETRY if no size gives the right volume. The smallest size is 1/1000 of the longest side of the
 * box, and the limit of elements is 20 million. The same error is returned immediately if the body is far too thin for
 * these limits. */
TAC_API tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                              const tacProgress *progress, tacVolMesh **mesh, double *size,
                                              tacError *error);

/* ---- bricks ---- */

/* Rule that selects the voxels that become bricks. */
typedef enum tacVoxelRule {
  TAC_VOXELS_CENTRE, /* voxels with their centre inside the surface: the volume is preserved; needs a closed surface */
  TAC_VOXELS_COVER,  /* voxels that the surface touches or encloses: no part is lost; accepts polygon soups */
  TAC_VOXELS_SHELL   /* voxels that the surface touches: the result is hollow; accepts polygon soups */
} tacVoxelRule;

/* Options of tac_voxelise. */
typedef struct tacVoxeliseDef {
  int resolution;    /* number of cubic voxels along the longest side of the box of the mesh, 1 to 1024; default 64 */
  tacVoxelRule rule; /* rule that selects the voxels; default TAC_VOXELS_CENTRE */
} tacVoxeliseDef;

/* Returns the default options. */
TAC_API tacVoxeliseDef tac_voxelise_def_default(void);

/* Fills a surface with equal cubic bricks. Returns TAC_ERR_GEOMETRY if the surface has no triangles or no extent, or if
 * the surface is open and the rule needs a closed surface. Returns TAC_ERR_ARGUMENT if the resolution is out of
 * range. */
TAC_API tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress,
                               tacVolMesh **mesh, tacError *error);

/* Fills a closed surface with the coarsest bricks that represent its solid, and stores the chosen resolution in
 * `resolution`. The rule is TAC_VOXELS_CENTRE.
 *
 * The function tries resolutions from 16 to 512 in steps of a factor of about 1.2. It accepts the first resolution that
 * satisfies two conditions:
 *
 *   - The volume of the mesh equals the volume of the solid within the relative `tolerance`, for example 0.02.
 *   - The mesh has as many parts, connected by faces, as the solid.
 *
 * After the first resolution with the right volume, the function tries finer resolutions with up to ten times as many
 * bricks, or 300,000 bricks if this limit is higher. If no resolution gives the right number of parts, the function
 * chooses the resolution with the nearest number of parts. The function then writes a warning to the log. Returns
 * TAC_ERR_GEOMETRY if no resolution gives the right volume. */
TAC_API tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress,
                                         tacVolMesh **mesh, int *resolution, tacError *error);

/* ---- gallery ----
 *
 * The gallery contains procedural models. Each model is a closed surface that can be built at any resolution. */

/* Description of a shape of the gallery. All strings are static. */
typedef struct tacShapeInfo {
  const char *name;    /* name of the shape, for example "kidney" or "suspension-bridge" */
  const char *summary; /* one line of text: a description of the shape and its main dimensions */
  double size;         /* default edge length of the triangles, m; resolves the thinnest part of the shape */
  double brick_size;   /* default edge length of the bricks, m; 0: the shape has no exact bricks */
} tacShapeInfo;

/* Returns the description of the shape with the given index, 0, 1, ...; NULL after the last shape. Any thread may call
 * the function. */
TAC_API const tacShapeInfo *tac_shape_info(int index);

/* Builds the surface of a shape. `size` is the edge length of the triangles, m; 0 means the default. Every vertex lies
 * on the exact surface. Returns TAC_ERR_ARGUMENT if no shape has this name, or if the size is so large that parts would
 * be lost. */
TAC_API tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh,
                                  tacError *error);

/* Builds the bricks of a shape that has exact bricks: box, beam, cube, tables, clip, pipe and diaphragm.
 *
 * The bricks fill the shape exactly. Thin parts have two or more bricks through the thickness, so that thin parts bend
 * correctly. The number of bricks is small enough for simulation. `size` is the length of a brick along the parts that
 * bend, m; 0 means the default. Returns TAC_ERR_ARGUMENT if no shape has this name, if the shape has no exact bricks,
 * or if the size is so large that parts would be lost. For other shapes, fill the surface with tac_stuffing_fill or
 * tac_voxelise. */
TAC_API tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error);

TAC_END_DECLS

#endif
