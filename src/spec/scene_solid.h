/* What a scene file says of how a body meets others: its points, its field, and exact fields of simple solids. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/pointshell.h>
#include "spec/scene_place.h"

/* What was not given is 0. */
typedef struct tacSceneField {
  const tacYamlNode *node; /* NULL: none */
  const char *file;        /* that it is in, ready; NULL: it is baked, as the next say */
  int resolution;
  double expansion;
  double offset; /* of the surface from the mesh; 0 with `has_offset`: as a soup's by default */
  bool has_offset;
  int proxies, nearest;  /* of a reduced body */
  tacSchemaList domains; /* tacSceneRegion; likewise */
  int loads;             /* of a vademecum: most nodes of which it has baked deformations; 0: none */
} tacSceneField;

typedef struct tacScenePoints {
  const tacYamlNode *node; /* NULL: none */
  const char *file;        /* that they are in, ready; NULL: they are baked, as the next say */
  int count, levels;
  int resolution; /* of the field that they are fitted to */
  double offset;
  bool has_offset;
} tacScenePoints;

typedef struct tacSceneHalfSpace {
  const tacYamlNode *node;
  tacSceneNormal normal;
  double at, size; /* m; the size is that of the square that is shown */
} tacSceneHalfSpace;

typedef struct tacSceneCapsule {
  const tacYamlNode *node;
  tacVec3 from, to;
  double radius;
} tacSceneCapsule;

/* Exactly one is there. */
typedef struct tacSceneSolid {
  const tacYamlNode *node;
  bool has_plane, has_sphere, has_box, has_capsule;
  tacSceneHalfSpace plane;
  tacSceneBall sphere;
  tacSceneBox box;
  tacSceneCapsule capsule;
} tacSceneSolid;

extern const tacRecord tac_scene_field_record, tac_scene_deformed_record, tac_scene_loaded_record,
    tac_scene_points_record, tac_scene_solid_record;

/* Its distance field, and the mesh that shows it. Offline. */
tacStatus tac_scene_solid_field(const tacSceneSolid *solid, tacDistanceField **field, tacError *error);
tacStatus tac_scene_solid_mesh(const tacSceneSolid *solid, tacTriMesh **mesh, tacError *error);
/* The field of a region that is not a group. */
tacStatus tac_scene_region_field(const tacSceneRegion *region, tacDistanceField **field, tacError *error);
