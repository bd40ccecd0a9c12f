#include "scene/small_scene.h"

#include <tactus/reduced_bake.h>
#include <tactus/voxelise.h>
#include "scene/scene_kinds.h"

/* The most that a small version has; chosen so that every scene of the gallery bakes in a few seconds, and none loses a part. */
enum {
  VERTICES = 3000,
  VERTICES_OF_GREEN = 300, /* whose bake takes their third power */
  MODES = 8,
  SIZE = 12,
  VADEMECUM_MODES = 16,
  PATHS = 24,
  SAMPLE = 20,
  RESOLUTION = 64,
  LOADS = 32,
  POINTS = 4000,
  LEVELS = 3
};
static const double coarser = 1.5; /* elements, where none can be lost by it */

static void lower(int *value, int most) {
  if (*value > most) *value = most;
}

static void lower_meshes(tacSceneBody *b) {
  bool relaxes = tac_scene_kind_of(b)->relaxes;
  if (b->surface.shape != NULL) lower(&b->surface.vertices, relaxes && !b->has_volume ? VERTICES_OF_GREEN : VERTICES);
  if (b->volume.has_tets) b->volume.tets *= coarser;
  if (b->volume.has_bricks && b->volume.fill == TAC_VOXELS_COVER) b->volume.bricks *= coarser;
}

static void lower_basis(tacSceneBody *b) {
  tacSceneBasis *basis = &b->reduced.basis;
  if (basis->from == TAC_BASIS_MODES) lower(&basis->modes, MODES);
  lower(&basis->size, SIZE);
  tacSceneVademecum *v = &b->vademecum;
  lower(&v->modes, VADEMECUM_MODES);
  lower(&v->paths, PATHS);
  lower(&v->sample, SAMPLE);
  int most = b->reduced.basis.node != NULL ? basis->size : v->modes;
  lower(&b->reduced.keep, most);
}

static void lower_solids(tacSceneBody *b) {
  if (b->field.node != NULL) {
    if (b->field.resolution == 0) b->field.resolution = tac_field_def_default().resolution;
    lower(&b->field.resolution, RESOLUTION);
    lower(&b->field.loads, LOADS);
  }
  if (b->points.node != NULL) {
    lower(&b->points.count, POINTS);
    lower(&b->points.levels, LEVELS);
    lower(&b->points.resolution, RESOLUTION);
  }
}

void tac_small_scene_lower(tacSceneFile *file) {
  for (int i = 0; i < file->bodies.count; ++i) {
    tacSceneBody *body = tac_scene_file_body(file, i);
    lower_meshes(body);
    lower_basis(body);
    lower_solids(body);
  }
}
