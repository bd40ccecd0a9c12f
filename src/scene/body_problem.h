/* What a body's Green's functions are computed from: its meshes, materials, fixed and wanted vertices and sensors, made from
 * its description. Offline. */
#pragma once

#include <tactus/green.h>
#include "scene/body_mesh.h"

typedef struct tacBodyProblem {
  tacTriMesh *surface; /* boundary of the volume where there is one */
  tacVolMesh *volume;
  int *vertex_of; /* [vertex of the surface] -> vertex of the volume */
  bool *fixed;    /* [vertex of the surface] */
  bool *inside;   /* [vertex of the volume]: fixed, those of the surface too */
  int *wanted;
  tacMaterial *materials;
  int *material_of;
  tacSensor *sensors;
  tacGreenDef def; /* refers to the above */
} tacBodyProblem;

/* Errors name the line of the scene that is to blame. */
tacStatus tac_body_problem_create(const tacBodyMaker *maker, tacBodyProblem *problem);
void tac_body_problem_free(tacBodyProblem *problem); /* a zeroed struct is allowed */
