/* Checks whether the points and the fields of contact pairs are fine enough for thin bodies. Runs offline.
 *
 * A contact pair tests the points of one body in the distance field of another body. Points in a hexagonal pattern
 * leave circular holes of 2 / √3 times the spacing. A body thinner than the holes passes between the points without
 * contact. Inside a body of thickness t, the distance to the surface is at most t / 2. If t is below three voxels,
 * the grid does not represent this distance. */
#pragma once

#include <tactus/scene.h>
#include "scene/scene_file.h"

typedef struct tacContactResolution {
  const char *points, *field; /* names of the bodies with the points and with the field */
  double
      thickness; /* thickness of the body with the field, m: 5 % of the area is thinner; infinite for an open surface */
  double spacing; /* spacing of the points in use, m; 0: unknown */
  double voxel;   /* voxel size of the field, m; 0: the field is exact */
  bool vertices;  /* true if the points are the vertices of a body without field */
  bool by_laws;   /* true for the method signorini, which can also detect contacts by surfaces */
  /* Values that would suffice; 0 if the present value suffices. */
  int point_count; /* number of points for two spacings per thickness */
  int resolution;  /* resolution for three voxels per thickness */
} tacContactResolution;

/* Writes a warning with a remedy to `text`, or "" if the resolution suffices. */
void tac_contact_resolution_warn(const tacContactResolution *resolution, char *text, size_t size);

/* Data of a pair before the bake, from the scene file and the surfaces. */
typedef struct tacContactResolutionDef {
  const tacScenePair *pair;
  const tacSceneBody *points, *field;
  double area;      /* surface area of the body with the points, m^2 */
  int vertices;     /* number of surface vertices of the body with the points */
  double longest;   /* longest side of the box around the body with the field, m */
  double thickness; /* thickness of the body with the field, m */
} tacContactResolutionDef;
tacContactResolution tac_contact_resolution_expect(const tacContactResolutionDef *def);

/* Checks each pair of a baked scene that detects contacts by points, and logs warnings. */
tacStatus tac_contact_resolution_check(const tacScene *scene, tacError *error);
