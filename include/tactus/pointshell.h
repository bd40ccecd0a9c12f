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
 * The points are sorted by level. The points of the levels 0 to l are the first tac_pointshell_size(shell, l) points.
 * Each level adds about three times as many points as all previous levels have.
 *
 * The points form a tree. A node of the tree is a point on a level. One child of the node is the same point on the next
 * level. The other children are the new points of the next level that are nearer to this point than to any other point
 * of the level of the node. A ball around each node contains the points of all descendants in any deformation (a
 * bounded deformation tree, equation 3.12).
 *
 * Units: m, in the frame of the body; areas in m^2.
 *
 * Threads and phases: a pointshell is an immutable asset. Queries allocate nothing and may be made from any thread in
 * any phase. Reading, writing and embedding belong to the load and offline phases. Baking belongs to the offline phase.
 *
 * Numbers of equations and sections refer to Barbic 2007. */
#ifndef TACTUS_POINTSHELL_H
#define TACTUS_POINTSHELL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

enum { TAC_POINTSHELL_MOST_LEVELS = 12 }; /* maximum number of levels of a pointshell */

/* A pointshell, either rigid or embedded in a deformable body. Opaque and immutable. */
typedef struct tacPointshell tacPointshell;

/* Frees a pointshell. `shell` may be NULL. */
TAC_API void tac_pointshell_destroy(tacPointshell *shell);

/* ---- files ---- */

/* Writes a pointshell to an asset file. */
TAC_API tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error);

/* Reads a pointshell from an asset file. The caller destroys the shell. */
TAC_API tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error);

/* Writes the points to a binary PLY file with the properties x, y, z, nx, ny, nz (outward normal), level and area. The
 * file does not contain the embedding in a body. */
TAC_API tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error);

/* Reads points from a PLY file. The file may come from another program, but must contain normals. If the property
 * `level` is missing, the function assigns levels by farthest points (section 3.9.1, branching factor 4). If the
 * property `area` is missing, the function estimates the areas. The caller destroys the shell. */
TAC_API tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error);

/* ---- queries: any phase, any thread, no allocation ---- */

/* Returns the checks of the bake, which belong to the shell. */
TAC_API const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell);

/* Returns the number of levels, 1 to TAC_POINTSHELL_MOST_LEVELS. */
TAC_API int tac_pointshell_level_count(const tacPointshell *shell);

/* Returns the number of points of the levels 0 to `level`. If `level` is beyond the last level, the function returns
 * the number of all points. */
TAC_API int tac_pointshell_size(const tacPointshell *shell, int level);

/* Returns the position at rest of the point with the index `point`, m. */
TAC_API tacVec3 tac_pointshell_point(const tacPointshell *shell, int point);

/* ---- deformation ---- */

/* Returns the matrix U_s of (3.6) as an array [point][axis][stride]: the displacement of each point, m for a unit of
 * q_j. Only the first r numbers of a row are valid. `stride` receives the length of a row. The array belongs to the
 * shell. Returns NULL for a rigid shell. Call in any phase. */
TAC_API const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride);

/* Creates a shell with the same points that deforms with `r` coordinates, 1 to TAC_BODY_MOST_COORDINATES.
 *
 * `displacements` is an array [point][axis][r], m for a unit of a coordinate. `normal_changes` is an array dN of the
 * same shape: the outward pseudo-normal is N + dN q. If `normal_changes` is NULL, normals do not change. The function
 * copies both arrays. The caller destroys the new shell. Returns TAC_ERR_ARGUMENT if `r` is out of range. Call in the
 * load phase. */
TAC_API tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements,
                                            const double *normal_changes, tacPointshell **embedded, tacError *error);

/* Returns the position of a point under the coordinates q[r], m, by equation (3.6). If `q` is NULL, the point is at rest.
 * A rigid shell ignores `q`. Call in any phase. */
TAC_API tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q);

/* ---- baking: offline phase ---- */

/* Options of tac_pointshell_bake. */
typedef struct tacPointshellDef {
  int point_count; /* number of points of all levels together; default 65536 */
  /* Number of levels. Each level, together with the previous levels, has 4 times the points of the previous levels.
   * Default 0: the bake chooses a number for which the first level has about 300 points. */
  int level_count;
  int thread_count; /* number of threads, without effect on the result; default 0: one thread for each core */
} tacPointshellDef;

/* Returns the default options. */
TAC_API tacPointshellDef tac_pointshell_def_default(void);

/* Bakes a pointshell by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1).
 *
 * `field` is a grid field of a closed mesh, or of the offset surface of a polygon soup. `mesh` is a closed mesh that
 * defines the normals. The normal of a point is the pseudo-normal of the closest face, edge or vertex of the mesh, so
 * that sharp edges are preserved. If `mesh` is NULL, the normals are the normals of the level set. The bake chooses all
 * other parameters automatically. The same input gives the same bits. Returns TAC_ERR_CHECK if the result fails a
 * check. The caller destroys the shell. */
TAC_API tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh,
                                      const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell,
                                      tacError *error);

TAC_END_DECLS

#endif
