#include <tactus/mesh_file.h>

#include <stddef.h>

void tac_mesh_contents_destroy(tacMeshContents *contents) {
  tac_trimesh_destroy(contents->surface);
  tac_volmesh_destroy(contents->volume);
  *contents = (tacMeshContents){NULL, NULL};
}
