/* Pointshells: points that sample a closed surface evenly, on nested levels, for contact with distance fields (Barbic
 * 2007, sections 3.7 to 3.9).
 *
 * Example:
 *
 *     tacFieldDef fine = tac_field_def_default();
 *     tacPointshellDef def = tac_pointshell_def_default();
 *     tacDistanceField *field = NULL;
 *     tacPointshell *shell = NULL;
 *     def.point_count = 4096;
 *     tacStatus status = tac_distance_field_bake(surface, &fine, NULL, &field, error);
 *     if (status == TAC_OK) status = tac_pointshell_bake(field, surface, &def, NULL, &shell, error);
 *     if (status == TAC_OK) status = tac_pointshell_write(shell, "tool.points", error);
 *     tac_pointshell_destroy(shell);
 *     tac_distance_field_destroy(field);
 *     if (status != TAC_OK) return status;
 *
 * The points form a tree. Points of the levels 0 to l are the first tac_pointshell_size(shell, l): each level adds
 * about three times as many. A node is a point on a level. Its children on the next level are the same point and the
 * new points that are nearer to it than to any other point of its level. A ball around the node holds the points of all
 * its descendants, in any deformation (a bounded deformation tree, equation 3.12).
 *
 * Units: m, in the body's frame; areas in m^2.
 *
 * Threads and phases: a pointshell is an immutable asset. Queries allocate nothing and may be made from any thread in
 * any phase. Reading, writing and embedding are for load and offline phases; baking is offline. Equation numbers are
 * those of Barbic 2007. */
#ifndef TACTUS_POINTSHELL_H
#define TACTUS_POINTSHELL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

enum { TAC_POINTSHELL_MOST_LEVELS = 12 };

/* A pointshell, rigid or embedded in a body that deforms. Opaque. */
typedef struct tacPointshell tacPointshell;

/* Frees a pointshell. NULL is allowed. */
TAC_API void tac_pointshell_destroy(tacPointshell *shell);

/* ---- files ---- */

/* Writes a pointshell to an asset file. */
TAC_API tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error);

/* Reads a pointshell from an asset file. The caller destroys it. */
TAC_API tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error);

/* Writes the points as binary PLY with the properties x, y, z, nx, ny, nz (outward), level and area. The embedding in a
 * body is left out. */
TAC_API tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error);

/* Reads points from a PLY file, of other programs, too. Normals are required. Without `level` the levels are made by
 * farthest points (section 3.9.1, branching factor 4); without `area` the areas are estimated. The caller destroys the
 * shell. */
TAC_API tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error);

/* ---- queries: any thread and phase, no allocation ---- */

/* Returns the checks of the bake, owned by the shell. */
TAC_API const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell);

/* Returns the number of levels, 1 to TAC_POINTSHELL_MOST_LEVELS. */
TAC_API int tac_pointshell_level_count(const tacPointshell *shell);

/* Returns the number of points of the levels 0 to `level`. A level beyond the last counts as the last. */
TAC_API int tac_pointshell_size(const tacPointshell *shell, int level);

/* Returns the position at rest of a point of the given number, m. */
TAC_API tacVec3 tac_pointshell_point(const tacPointshell *shell, int point);

/* ---- deformation ---- */

/* Returns U of (3.6), [point][axis][stride]: the displacement of each point, m for a unit of q_j. Only the first r
 * numbers of a row count. Sets `stride`. The shell owns the array; NULL for a rigid shell. Any phase. */
TAC_API const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride);

/* Creates a shell with the same points that moves with `r` coordinates of the caller, 1 to TAC_BODY_MOST_COORDINATES.
 * `displacements` is [point][axis][r], m for a unit of a coordinate. `normal_changes` has the same layout and changes
 * the outward pseudo-normal, N + dN q; NULL: normals do not turn. Both are copied. The caller destroys the new shell.
 * TAC_ERR_ARGUMENT if `r` is out of range. Load phase. */
TAC_API tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements,
                                            const double *normal_changes, tacPointshell **embedded, tacError *error);

/* Returns the position of a point in the deformation q[r], m, by (3.6); at rest if `q` is NULL. A rigid shell
 * ignores `q`. Any phase. */
TAC_API tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q);

/* ---- baking: offline ---- */

/* Size of a pointshell. */
typedef struct tacPointshellDef {
  int point_count; /* of all levels together; default 65536 */
  /* Default 0: chosen so that the first level has about 300 points. Each level, with those before it, has 4 times the
   * points of the previous one. */
  int level_count;
  int thread_count; /* 0: one for each core. The result does not depend on it */
} tacPointshellDef;

/* Returns the defaults named above. */
TAC_API tacPointshellDef tac_pointshell_def_default(void);

/* Bakes a pointshell by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1).
 * `field` is a grid field: of a closed mesh, or of the offset surface of a soup. Normals are those of `mesh`, a closed
 * mesh: the pseudo-normal of its closest face, edge or vertex, so that sharp edges are kept. If `mesh` is NULL, normals
 * are those of the level set. All other parameters are chosen automatically. The same input gives the same bits.
 * TAC_ERR_CHECK if the result does not pass its checks. The caller destroys the shell. */
TAC_API tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh,
                                      const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell,
                                      tacError *error);

TAC_END_DECLS

#endif
