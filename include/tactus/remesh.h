/* Another mesh of the same surface: even triangles, none of which cross. Offline. */
#ifndef TACTUS_REMESH_H
#define TACTUS_REMESH_H

#include <tactus/progress.h>
#include <tactus/trimesh.h>

TAC_BEGIN_DECLS

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

TAC_END_DECLS

#endif
