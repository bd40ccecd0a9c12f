/* Creates the input of a bake of Green's functions from the body's description: meshes, materials, fixed and wanted
 * vertices, and sensors. The functions are for offline use. */
#pragma once

#include <tactus/green.h>
#include "spec/body_mesh.h"

typedef struct tacGreenProblem {
  tacTriMesh *surface; /* given surface, or boundary of the volume */
  tacVolMesh *volume;
  int *vertex_of; /* [vertex of the surface] vertex of the volume */
  bool *fixed;    /* [vertex of the surface] true if fixed */
  bool *inside;   /* [vertex of the volume] true if fixed, including surface vertices */
  int *wanted;
  tacMaterial *materials;
  int *material_of;
  tacSensor *sensors;
  tacGreenDef def; /* definition that refers to the arrays above */
} tacGreenProblem;

/* Creates the input of a bake. Errors name the responsible line of the scene. */
tacStatus tac_green_problem_create(const tacBodyMaker *maker, tacGreenProblem *problem);
void tac_green_problem_free(tacGreenProblem *problem); /* a zeroed struct is allowed */
