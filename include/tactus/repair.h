/* Mends what can be mended in a surface without changing its shape. */
#ifndef TACTUS_REPAIR_H
#define TACTUS_REPAIR_H

#include <tactus/trimesh.h>

TAC_BEGIN_DECLS

typedef struct tacRepairDef {
  double weld; /* vertices within this distance become one; metres, 0 welds only exact repetitions */
} tacRepairDef;

typedef struct tacRepairReport {
  int welded_vertices, removed_vertices; /* removed: used by no triangle */
  int removed_triangles;                 /* degenerate or repeated; not the walls where closed parts touch */
  int flipped_triangles;                 /* to orient each component consistently, outward where it is closed */
  int filled_holes;                      /* boundary loops closed by triangles */
} tacRepairReport;

TAC_API tacRepairDef tac_repair_def_default(void);
TAC_API tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired,
                             tacRepairReport *report, tacError *error);

TAC_END_DECLS

#endif
