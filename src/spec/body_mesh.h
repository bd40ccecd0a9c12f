/* The meshes of a body of a scene: shapes and files, filled with elements. Offline. */
#pragma once

#include <tactus/base.h>
#include <tactus/mesh.h>
#include "spec/scene_body.h"

/* What everything that is made of a body's description needs. */
typedef struct tacBodyMaker {
  const tacYamlTree *tree;
  const tacSceneBody *body;
  const tacProgress *progress;
  tacError *error;
  bool relaxed;       /* of shapes that are coarsened: into triangles that are alike */
  const char *folder; /* that meshes are kept in, once they were made; NULL: none */
  bool again;         /* makes those that are there, too */
} tacBodyMaker;

/* Puts the line of the scene before an error that came from elsewhere; returns `status`. */
tacStatus tac_body_error(const tacBodyMaker *maker, const tacYamlNode *node, tacStatus status, const tacError *reason);
/* `file` as seen from the folder of the scene, malloc'ed; NULL with `error` set. */
char *tac_body_path(const tacYamlTree *tree, const char *file, tacError *error);

/* Errors name the line of the scene that is to blame. */
tacStatus tac_body_mesh_surface(const tacBodyMaker *maker, tacTriMesh **surface);
/* The file's or the shape's, or `surface` filled. */
tacStatus tac_body_mesh_volume(const tacBodyMaker *maker, const tacTriMesh *surface, tacVolMesh **volume);
/* The volume with its surface made, where that is needed, and bricks divided into tetrahedra. */
tacStatus tac_body_mesh_tets(const tacBodyMaker *maker, tacVolMesh **volume);
