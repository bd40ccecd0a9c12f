/* Making pointshells from their parts, and what a traversal reads of them: the internal side of <tactus/pointshell.h>. */
#pragma once

#include <stdint.h>
#include <tactus/pointshell.h>

tacVec3 tac_pointshell_normal(const tacPointshell *shell, int point); /* unit, outward */

/* The part of the surface that is nearer to this point than to any other of the levels 0 to `level`, m^2. */
double tac_pointshell_area(const tacPointshell *shell, int level, int point);

/* The whole surface, m^2. */
double tac_pointshell_surface_area(const tacPointshell *shell);

/* The ball around the node, at rest. */
double tac_pointshell_radius(const tacPointshell *shell, int level, int point);

/* r of the body that it is embedded in; 0: rigid. */
int tac_pointshell_coordinates(const tacPointshell *shell);
tacVec3 tac_pointshell_deformed_normal(const tacPointshell *shell, int point, const double *q);
double tac_pointshell_deformed_radius(const tacPointshell *shell, int level, int point, const double *q);

/* Points in any order, each with the level on which it appears. */
typedef struct tacPointshellParts {
  int point_count, level_count;
  const tacVec3 *positions, *normals; /* normals unit, outward */
  const int *level_of;                /* [point] */
  /* [level][point_count]: area of each point among those of the levels 0 to `level`; what does not belong to them is ignored. */
  const double *areas;
} tacPointshellParts;

/* Sorts the points (first level along a space-filling curve, then each level by parents, so that children lie side by side),
 * finds parents and balls. TAC_ERR_ARGUMENT where parts do not fit together or are not finite. Copies. `order` (may be NULL,
 * [point_count]) receives the number in the parts of each point of the shell. */
tacStatus tac_pointshell_create(const tacPointshellParts *parts, int *order, tacPointshell **shell, tacError *error);

/* What its bake was compared with. */
void tac_pointshell_set_checks(tacPointshell *shell, const tacBakeChecks *checks);

/* What the hot loops read. `stride` floats a row: r rounded up to a multiple of 4, the rest zero; 0 for a rigid shell. */
typedef struct tacPointshellNode {
  float x, y, z;       /* of the point at rest */
  float radius;        /* of the ball at rest, rounded up; 0 on the last level */
  int32_t first_child; /* the new points of the next level: first_child ... first_child of the next node - 1 */
} tacPointshellNode;

typedef struct tacPointshellView {
  int level_count, r, stride;
  const int *sizes; /* [level] */
  const tacPointshellNode
      *nodes[TAC_POINTSHELL_MOST_LEVELS]; /* [point of levels 0 to l], and one more after the last */
  const float
      *growth[TAC_POINTSHELL_MOST_LEVELS]; /* [point][stride]: a_ij of (3.12), rounded up; NULL: rigid or last level */
  const float *areas[TAC_POINTSHELL_MOST_LEVELS]; /* [point] */
  /* [point of levels 0 to l]: area among all points, of the point and of all that descend from it below level l. However
   * deep the tree is opened at each of its nodes, those of what is then there add up to the surface. */
  const float *tree_areas[TAC_POINTSHELL_MOST_LEVELS];
  const float (*normals)[4];   /* [point]: x, y, z, 0; outward */
  const float *displacements;  /* [point][3][stride]: U_s */
  const float *normal_changes; /* [point][3][stride]: Delta N_s */
  /* [point of levels 0 to l]: unit, and how it changes, as above. On the last level those above; on others the mean, by
   * area and 1 - (distance / s)^2, of those of the level below that face the same way within the level's spacing s: a
   * level has no finer detail than its points are apart (section 3.10.3, which leaves it for later), and points of a
   * coarse one on a rough surface push as the surface around them would. */
  const float (*level_normals[TAC_POINTSHELL_MOST_LEVELS])[4];
  const float *level_normal_changes[TAC_POINTSHELL_MOST_LEVELS];
  const double *reach; /* [r]: largest |U_s e_j| of any point */
  tacVec3 centre;      /* of a ball that holds all points at rest */
  double radius;
} tacPointshellView;
const tacPointshellView *tac_pointshell_view(const tacPointshell *shell);
