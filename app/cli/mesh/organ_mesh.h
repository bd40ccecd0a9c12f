/* A mesh that somebody brings, made fit to be touched: in metres, closed, of one part, with even triangles that are as fine as
 * the method needs. Each step that changes something is said. */
#pragma once

#include <tactus/mesh.h>
#include "app/cli/console/console.h"

typedef struct tacOrganMeshDef {
  const char *file, *shape; /* one of them */
  const char *unit;         /* "mm", ... of the file; NULL: guessed by the size */
  double size;              /* m, of the longest side, whatever the unit; 0: by the unit */
  int vertices;             /* wanted, about; 0: chosen */
} tacOrganMeshDef;

typedef struct tacOrganMesh {
  tacTriMesh *surface; /* m, in the file's frame, or centred where `remade` */
  double scale;        /* m a unit of the file */
  bool remade;         /* no longer the file's surface: it has to be written */
  double edge;         /* mean length, m */
  double thickness;    /* which a tenth of the surface is below, m */
  bool thin;           /* too thin for the boundary elements of so many vertices */
} tacOrganMesh;

enum { TAC_ORGAN_MESH_VERTICES = 600, TAC_ORGAN_MESH_MOST = 1500 };

/* On failure nothing is left. */
tacStatus tac_organ_mesh_make(const tacOrganMeshDef *def, tacConsole *console, tacOrganMesh *mesh, tacError *error);
void tac_organ_mesh_free(tacOrganMesh *mesh); /* a zeroed struct is allowed */
