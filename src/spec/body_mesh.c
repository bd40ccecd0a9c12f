#include "spec/body_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh_file.h>
#include <tactus/shape.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "mesh/brick_division.h"
#include "spec/cache/made_mesh.h"
#include "spec/cache/solid_cache.h"

tacStatus tac_body_blame(const tacBodyMaker *maker, const tacYamlNode *node, tacStatus status, const tacError *reason) {
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
  char *path = tac_body_path(m->tree, file, m->error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_mesh_read(path, contents, &reason);
  free(path);
  if (status != TAC_OK) return tac_body_blame(m, tac_yaml_child(node, "file"), status, &reason);
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
    return status == TAC_OK ? TAC_OK : tac_body_blame(m, s->node, status, &reason);
  }
  tacMeshContents contents = {0};
  tacStatus status = read_mesh(m, s->node, s->file, s->scale, &contents);
  if (status == TAC_OK && contents.surface == NULL) {
    status = tac_volmesh_surface(contents.volume, &contents.surface, NULL, NULL, &reason);
    if (status != TAC_OK) tac_body_blame(m, s->node, status, &reason);
  }
  *surface = contents.surface;
  contents.surface = NULL;
  tac_mesh_contents_destroy(&contents);
  return status;
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
  return status == TAC_OK ? TAC_OK : tac_body_blame(m, v->node, status, &reason);
}

static tacStatus read_volume(const tacBodyMaker *m, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  tacMeshContents contents = {0};
  tacStatus status = read_mesh(m, v->node, v->file, v->scale, &contents);
  *volume = contents.volume;
  contents.volume = NULL;
  tac_mesh_contents_destroy(&contents);
  if (status == TAC_OK && *volume == NULL)
    return tac_yaml_error(m->tree, v->node, TAC_ERR_GEOMETRY, m->error,
                          "%.100s holds a surface; name it under surface and fill it, like volume: {tets: 6 mm}",
                          v->file);
  return status;
}

static tacStatus make_bricks(const tacBodyMaker *m, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  tacError reason;
  tacStatus status = tac_shape_bricks(v->shape, v->size, volume, &reason);
  return status == TAC_OK ? TAC_OK : tac_body_blame(m, v->node, status, &reason);
}

tacStatus tac_body_mesh_volume(const tacBodyMaker *m, const tacTriMesh *surface, tacVolMesh **volume) {
  if (m->body->volume.file != NULL) return read_volume(m, volume);
  return m->body->volume.shape != NULL ? make_bricks(m, volume) : fill_surface(m, surface, volume);
}

tacStatus tac_body_mesh_tets(const tacBodyMaker *m, tacVolMesh **volume) {
  tacTriMesh *surface = NULL;
  tacVolMesh *mesh = NULL;
  tacError reason;
  tacStatus status = tac_scene_volume_whole(&m->body->volume) ? TAC_OK : tac_body_mesh_surface(m, &surface);
  if (status == TAC_OK) status = tac_body_mesh_volume(m, surface, &mesh);
  tac_trimesh_destroy(surface);
  if (status != TAC_OK) return status;
  if (mesh->brick_count == 0) {
    *volume = mesh;
    return TAC_OK;
  }
  status = tac_brick_division(mesh, volume, &reason);
  tac_volmesh_destroy(mesh);
  return status == TAC_OK ? TAC_OK : tac_body_blame(m, m->body->volume.node, status, &reason);
}
