#include "spec/body_mesh.h"

#include <math.h>
#include <string.h>
#include <tactus/mesh.h>
#include <tactus/meshing.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_division.h"
#include "mesh/contents/mesh_builder.h"
#include "spec/cache/made_mesh.h"
#include "spec/cache/solid_cache.h"

TAC_OWNED_TYPE(tacTriMesh, tac_trimesh_destroy)
TAC_OWNED_TYPE(tacVolMesh, tac_volmesh_destroy)

tacStatus tac_body_error(const tacBodyMaker *maker, const tacYamlNode *node, tacStatus status, const tacError *reason) {
  return tac_yaml_error(maker->tree, node, status, maker->error, "%.400s", reason->text);
}

char *tac_body_path(const tacYamlTree *tree, const char *file, tacError *error) {
  const char *scene = tac_yaml_tree_path(tree), *slash = strrchr(scene, '/');
  size_t folder = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene) + 1;
  char *path = tac_array_create(folder + strlen(file) + 1, 1, "a path", error);
  if (path == NULL) return NULL;
  memcpy(path, scene, folder);
  memcpy(path + folder, file, strlen(file));
  return path;
}

static tacStatus read_mesh(const tacBodyMaker *m, const tacYamlNode *node, const char *file, double scale,
                           tacMeshContents *contents) {
  tacError reason;
  TAC_MEMORY(char, path) = tac_body_path(m->tree, file, m->error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_mesh_read(path, contents, &reason);
  if (status != TAC_OK) return tac_body_error(m, tac_yaml_child(node, "file"), status, &reason);
  for (int i = 0; contents->surface != NULL && i < contents->surface->vertex_count; ++i)
    contents->surface->vertices[i] = tac_vec3_scale(scale, contents->surface->vertices[i]);
  for (int i = 0; contents->volume != NULL && i < contents->volume->vertex_count; ++i)
    contents->volume->vertices[i] = tac_vec3_scale(scale, contents->volume->vertices[i]);
  return TAC_OK;
}

tacStatus tac_body_mesh_surface(const tacBodyMaker *m, tacTriMesh **surface) {
  const tacSceneSurface *s = &m->body->surface;
  tacError reason;
  if (s->shape != NULL) {
    const tacShapeMesh def = {s->shape, s->size, s->has_vertices ? s->vertices : 0, m->relaxed};
    tacStatus status = m->folder != NULL
                           ? tac_solid_cache_surface(m->folder, &def, m->again, m->progress, surface, &reason)
                           : tac_shape_mesh_make(&def, m->progress, surface, &reason);
    return status == TAC_OK ? TAC_OK : tac_body_error(m, s->node, status, &reason);
  }
  TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents) = {0};
  TAC_TRY(read_mesh(m, s->node, s->file, s->scale, &contents));
  tacStatus status =
      contents.surface == NULL ? tac_volmesh_surface(contents.volume, &contents.surface, NULL, NULL, &reason) : TAC_OK;
  if (status != TAC_OK) return tac_body_error(m, s->node, status, &reason);
  *surface = tac_give(&contents.surface);
  return TAC_OK;
}

static tacStatus fill_surface(const tacBodyMaker *m, const tacTriMesh *surface, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  tacError reason;
  double along = v->has_tets ? 0.0 : ceil(tac_box_longest(tac_trimesh_box(surface)) / v->bricks);
  const tacFilledMesh def = {.surface = surface,
                             .tets = v->has_tets ? v->tets : 0.0,
                             .resolution = along < 1024.0 ? (int)along : 1024,
                             .rule = (tacVoxelRule)v->fill};
  tacStatus status = m->folder != NULL ? tac_solid_cache_volume(m->folder, &def, m->again, m->progress, volume, &reason)
                                       : tac_filled_mesh_make(&def, m->progress, volume, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_error(m, v->node, status, &reason);
}

static tacStatus read_volume(const tacBodyMaker *m, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  TAC_FREED(tac_mesh_contents_destroy, tacMeshContents, contents) = {0};
  TAC_TRY(read_mesh(m, v->node, v->file, v->scale, &contents));
  *volume = tac_give(&contents.volume);
  if (*volume != NULL) return TAC_OK;
  return tac_yaml_error(m->tree, v->node, TAC_ERR_GEOMETRY, m->error,
                        "%.100s contains a surface, not a volume mesh; give it under surface and fill it, for "
                        "example volume: {tets: 6 mm}",
                        v->file);
}

static tacStatus make_bricks(const tacBodyMaker *m, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  tacError reason;
  tacStatus status = tac_shape_bricks(v->shape, v->size, volume, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_error(m, v->node, status, &reason);
}

tacStatus tac_body_mesh_volume(const tacBodyMaker *m, const tacTriMesh *surface, tacVolMesh **volume) {
  if (m->body->volume.file != NULL) return read_volume(m, volume);
  return m->body->volume.shape != NULL ? make_bricks(m, volume) : fill_surface(m, surface, volume);
}

tacStatus tac_body_mesh_tets(const tacBodyMaker *m, tacVolMesh **volume) {
  TAC_OWN(tacTriMesh, surface) = NULL;
  TAC_OWN(tacVolMesh, mesh) = NULL;
  tacError reason;
  if (!tac_scene_volume_whole(&m->body->volume)) TAC_TRY(tac_body_mesh_surface(m, &surface));
  TAC_TRY(tac_body_mesh_volume(m, surface, &mesh));
  tacStatus status = TAC_OK;
  if (mesh->brick_count == 0)
    *volume = tac_give(&mesh);
  else
    status = tac_brick_division(mesh, volume, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_error(m, m->body->volume.node, status, &reason);
}
