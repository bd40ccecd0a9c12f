#include "scene/small_body.h"

#include <tactus/meshing.h>
#include "spec/scene_kind.h"

/* The most that a small version has; chosen so that every scene of the gallery bakes in a few seconds, and none loses a part. */
enum {
  VERTICES = 3000,
  VERTICES_RELAXED = 300, /* of kinds whose bake takes their third power */
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
    lowered = lower(&b->surface.vertices, relaxes && !b->has_volume ? VERTICES_RELAXED : VERTICES);
  bool covers = b->volume.has_bricks && b->volume.fill == TAC_VOXELS_COVER;
  if (b->volume.has_tets) b->volume.tets *= coarser;
  if (covers) b->volume.bricks *= coarser;
  return lowered || b->volume.has_tets || covers;
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

bool tac_small_body_lower(tacSceneBody *body) {
  bool lowered = lower_meshes(body, tac_scene_kind_of(body)->relaxes);
  const tacSceneKind *kind = tac_scene_kind_of(body);
  if (kind->lower != NULL) lowered = kind->lower(body) || lowered;
  return lower_solids(body) || lowered;
}
