#include "scene/small_body.h"

#include <tactus/meshing.h>
#include <tactus/reduced.h>

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

/* Whether it was above. */
static bool lower(int *value, int most) {
  bool above = *value > most;
  if (above) *value = most;
  return above;
}

static bool lower_meshes(tacSceneBody *b, bool relaxes) {
  bool lowered = false;
  if (b->surface.shape != NULL)
    lowered = lower(&b->surface.vertices, relaxes && !b->has_volume ? VERTICES_OF_GREEN : VERTICES);
  bool covers = b->volume.has_bricks && b->volume.fill == TAC_VOXELS_COVER;
  if (b->volume.has_tets) b->volume.tets *= coarser;
  if (covers) b->volume.bricks *= coarser;
  return lowered || b->volume.has_tets || covers;
}

static bool lower_basis(tacSceneBody *b) {
  tacSceneBasis *basis = &b->reduced.basis;
  tacSceneVademecum *v = &b->vademecum;
  bool lowered = basis->from == TAC_BASIS_MODES && lower(&basis->modes, MODES);
  lowered = lower(&basis->size, SIZE) || lowered;
  lowered = lower(&v->modes, VADEMECUM_MODES) || lowered;
  lowered = lower(&v->paths, PATHS) || lowered;
  lowered = lower(&v->sample, SAMPLE) || lowered;
  lower(&b->reduced.keep, basis->node != NULL ? basis->size : v->modes);
  return lowered && (basis->node != NULL || v->loads.node != NULL); /* else they are of no such body */
}

static bool lower_solids(tacSceneBody *b) {
  bool lowered = false;
  if (b->field.node != NULL && b->field.file == NULL) {
    if (b->field.resolution == 0) b->field.resolution = tac_field_def_default().resolution;
    lowered = lower(&b->field.resolution, RESOLUTION);
    lowered = lower(&b->field.loads, LOADS) || lowered;
  }
  if (b->points.node != NULL && b->points.file == NULL) {
    lowered = lower(&b->points.count, POINTS) || lowered;
    lowered = lower(&b->points.levels, LEVELS) || lowered;
    lowered = lower(&b->points.resolution, RESOLUTION) || lowered;
  }
  return lowered;
}

bool tac_small_body_lower(tacSceneBody *body, bool relaxes) {
  bool lowered = lower_meshes(body, relaxes);
  lowered = lower_basis(body) || lowered;
  return lower_solids(body) || lowered;
}
