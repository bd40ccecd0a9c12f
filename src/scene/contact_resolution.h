/* Whether points and fields of contacts are fine enough for what is thin. Offline.
 *
 * A pair is the points of one body in the field of the other. What is thinner than the holes between the points, circles of 2 / √3 of their
 * spacing where they lie in a hexagonal pattern, goes in between them and is seen by none. And the distance inside something of a
 * thickness t is t / 2 at most: below three voxels, the grid makes anything of it. */
#pragma once

#include <tactus/scene.h>
#include "scene/scene_file.h"

typedef struct tacContactResolution {
  const char *points, *field; /* names of bodies */
  double
      thickness;  /* m: of the body with the field, 5 % of its area is thinner; infinity: not known, it is not closed */
  double spacing; /* m: of the points that are used; 0: not known */
  double voxel;   /* m: of the field; 0: it is exact */
  bool vertices;  /* the points are the vertices of a body that has no field */
  bool by_laws;   /* Signorini\'s method, which may look at surfaces instead */
  /* What would do; 0: what is there does. */
  int point_count; /* two spacings in a thickness */
  int resolution;  /* three voxels in it */
} tacContactResolution;

/* A line with a remedy, or "" where nothing is wrong. */
void tac_contact_resolution_warn(const tacContactResolution *resolution, char *text, size_t size);

/* What a pair will have, as far as the file and the surfaces say it, before the bake. */
typedef struct tacContactResolutionDef {
  const tacScenePair *pair;
  const tacSceneBody *points, *field;
  double area;      /* m^2, of the surface of the body with the points */
  int vertices;     /* likewise */
  double longest;   /* m, side of the box of the body with the field */
  double thickness; /* m, of that */
} tacContactResolutionDef;
tacContactResolution tac_contact_resolution_expect(const tacContactResolutionDef *def);

/* Of each contact of a baked scene that meets by points: warns by the log. */
tacStatus tac_contact_resolution_check(const tacScene *scene, tacError *error);
