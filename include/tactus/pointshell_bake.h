/* Builds pointshells by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1), and embeds
 * them in reduced bodies. Offline. */
#ifndef TACTUS_POINTSHELL_BAKE_H
#define TACTUS_POINTSHELL_BAKE_H

#include <tactus/distance_field.h>
#include <tactus/pointshell.h>
#include <tactus/progress.h>
#include <tactus/reduced.h>

TAC_BEGIN_DECLS

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

/* The same points moving with a reduced body: U_s and Delta N_s of each (3.6, 3.8), and the growth of each ball (3.12). */
TAC_API tacStatus tac_pointshell_embed(const tacPointshell *shell, const tacReduced *reduced, tacPointshell **embedded,
                                       tacError *error);

/* How even a level is: of the points of the levels 0 to `level`, mean and coefficient of variation of the distance from each to
 * its nearest neighbour on the same side of the body (normals less than 127 degrees apart, so that the other side of a thin
 * sheet does not count). */
typedef struct tacPointshellSpacing {
  double mean, variation;
} tacPointshellSpacing;
TAC_API tacStatus tac_pointshell_spacing(const tacPointshell *shell, int level, tacPointshellSpacing *spacing,
                                         tacError *error);

TAC_END_DECLS

#endif
