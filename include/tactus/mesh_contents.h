/* What a mesh file holds: a surface, a volume or both. */
#ifndef TACTUS_MESH_CONTENTS_H
#define TACTUS_MESH_CONTENTS_H

#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

/* Owns both; either may be NULL. */
typedef struct tacMeshContents {
  tacTriMesh *surface;
  tacVolMesh *volume;
} tacMeshContents;

TAC_API void tac_mesh_contents_destroy(tacMeshContents *contents); /* frees both and sets them to NULL */

TAC_END_DECLS

#endif
