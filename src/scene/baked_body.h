/* What the bake made of a body of a scene. */
#pragma once

#include <tactus/deformed_field.h>
#include <tactus/green.h>
#include <tactus/pointshell.h>
#include <tactus/reference_problem.h>
#include <tactus/trimesh.h>
#include <tactus/vademecum.h>
#include "scene/hyperelastic_problem.h"

/* All NULL, or 0, before the bake. */
typedef struct tacBakedBody {
  tacGreen *green;
  tacReferenceProblem *problem; /* of a body that is stored near */
  tacMassProperties mass;       /* of an elastostatic body; 0: its surface encloses nothing */
  tacReduced *reduced;
  tacVademecum *vademecum;
  tacTriMesh *given;       /* of a registered kind: the surface that the scene gives it */
  tacTriMesh *surface;     /* of a rigid or hyperelastic body, and of a registered kind */
  tacDistanceField *field; /* of a rigid body and a registered kind, and of an elastostatic body: at rest */
  tacPointshell *shell;
  tacDeformedField *deformed;
  tacLoadField *loads; /* of `deformed` */
  tacHyperelasticProblem hyperelastic;
} tacBakedBody;

void tac_baked_body_forget(tacBakedBody *baked); /* frees all that there is and sets it to NULL */
/* Whose coordinates move the body: its reduced model, or the modes of its vademecum; NULL: it has none. */
const tacReduced *tac_baked_body_reduced(const tacBakedBody *baked);
/* The surface of any kind of body, in its frame; NULL before the bake. */
const tacTriMesh *tac_baked_body_surface(const tacBakedBody *baked);
