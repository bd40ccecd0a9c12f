/* Input of a bake of Green's functions: meshes, materials, fixed and wanted vertices and sensors, created from the
 * body's description. Offline. */
#pragma once

#include <tactus/green.h>
#include "spec/body_mesh.h"

typedef struct tacGreenProblem {
  tacTriMesh *surface; /* boundary of the volume, if there is one */
  tacVolMesh *volume;
  int *vertex_of; /* [vertex of the surface] -> vertex of the volume */
  bool *fixed;    /* [vertex of the surface] */
  bool *inside;   /* [vertex of the volume]: fixed, including surface vertices */
  int *wanted;
  tacMaterial *materials;
  int *material_of;
  tacSensor *sensors;
  tacGreenDef def; /* refers to the above */
} tacGreenProblem;

/* Errors name the responsible line of the scene. */
tacStatus tac_green_problem_create(const tacBodyMaker *maker, tacGreenProblem *problem);
void tac_green_problem_free(tacGreenProblem *problem); /* a zeroed struct is allowed */
