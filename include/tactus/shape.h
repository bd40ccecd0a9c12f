/* The gallery: procedural models, each a closed surface at any resolution. Offline. */
#ifndef TACTUS_SHAPE_H
#define TACTUS_SHAPE_H

#include <stdbool.h>
#include <tactus/progress.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

typedef struct tacShapeInfo {
  const char *name;    /* "kidney", "suspension-bridge", ... */
  const char *summary; /* one line: what it is and its main dimensions */
  double size;         /* default edge length of its triangles, metres; resolves its thinnest part */
} tacShapeInfo;

TAC_API int tac_shape_count(void);
TAC_API const tacShapeInfo *tac_shape_info(int index); /* NULL where out of range */
/* NULL where there is no such name. */
TAC_API const tacShapeInfo *tac_shape_find(const char *name);
/* `size` is the edge length of the triangles, metres; 0 means the default. Every vertex lies on the exact surface. */
TAC_API tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh,
                                  tacError *error);

/* Bricks of its own, of shapes that have them (box, beam, cube, tables, clip, pipe, diaphragm): they fill it exactly, with two or more through
 * whatever is thin, so that it bends as it should, and few enough to be simulated. Others are filled from their surface
 * (tac_stuffing_fill, tac_voxelise). `size` is the length of a brick along what bends, metres; 0 means the default. */
TAC_API bool tac_shape_has_bricks(const char *name);
TAC_API tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error);

TAC_END_DECLS

#endif
