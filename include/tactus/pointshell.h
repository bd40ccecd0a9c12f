/* A pointshell: points that sample a closed surface evenly, on nested levels, as a tree (Barbic 2007, sections 3.7 to 3.9).
 *
 * Points are numbered so that those of the levels 0 to l are the first tac_pointshell_size(shell, l): each level adds about
 * three times as many. A node is a point on a level. Its children on the next level are the same point and those new points
 * that are nearer to it than to any other point of its level; a ball around it holds the points of all its descendants, in
 * any deformation (a bounded deformation tree, equation 3.12).
 *
 * A pointshell is an immutable asset in a body's own frame, metres. Queries allocate nothing and may be made from any
 * thread in any phase. */
#ifndef TACTUS_POINTSHELL_H
#define TACTUS_POINTSHELL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

enum { TAC_POINTSHELL_MOST_LEVELS = 12 };

typedef struct tacPointshell tacPointshell;

TAC_API void tac_pointshell_destroy(tacPointshell *shell); /* NULL is allowed */
TAC_API tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error);
TAC_API tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error);
/* PLY with x, y, z, nx, ny, nz (outward), level and area of each point; binary. What is embedded in a body is left out. Reading
 * takes files of other programs too: without `level` the levels are made by farthest points (section 3.9.1, branching factor 4);
 * without `area` areas are estimated; normals are needed. */
TAC_API tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error);
TAC_API tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error);

TAC_API const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell); /* of its bake */
TAC_API int tac_pointshell_level_count(const tacPointshell *shell);
/* Points of the levels 0 to `level`; a level beyond the last counts as the last. */
TAC_API int tac_pointshell_size(const tacPointshell *shell, int level);
TAC_API tacVec3 tac_pointshell_point(const tacPointshell *shell, int point);

/* U of (3.6): [point][axis][stride], m for a unit of q_j, of which the first r of a row count; the shell's. NULL:
 * rigid. */
TAC_API const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride);
/* The same points moving with coordinates of one's own: displacements [point][axis][r] and changes of the normal likewise
 * (outward pseudo-normal N + dN q; NULL: they do not turn). Load phase. */
TAC_API tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements,
                                            const double *normal_changes, tacPointshell **embedded, tacError *error);
/* In the deformation q[r]: (3.6), (3.8) and (3.12). */
TAC_API tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q);

/* Builds pointshells by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1), and embeds
 * them in reduced bodies. Offline. */

typedef struct tacPointshellDef {
  int point_count; /* of all levels together; default 65536 */
  int level_count; /* default 0: so many that the first has about 300 points. Each has 4 times the points of the one before */
  int thread_count; /* 0: one for each core. The result does not depend on it */
} tacPointshellDef;
TAC_API tacPointshellDef tac_pointshell_def_default(void);

/* `field` is a grid: of a closed mesh, or of the offset surface of a soup. Normals are those of `mesh` (closed; the
 * pseudo-normal of its closest face, edge or vertex, so that sharp edges are kept), or of the level set where `mesh` is NULL.
 * Everything else is chosen by the program. Same input, same bits. */
TAC_API tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh,
                                      const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell,
                                      tacError *error);

TAC_END_DECLS

#endif
