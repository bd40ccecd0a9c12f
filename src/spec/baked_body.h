/* What the bake made of a body of a scene. */
#pragma once

#include <tactus/distance_field.h>
#include <tactus/mesh.h>
#include <tactus/pointshell.h>

/* All NULL before the bake. */
typedef struct tacBakedBody {
  const tacTriMesh *surface;  /* that is touched and shown, in the body's frame */
  tacTriMesh *given, *shaped; /* owned: what the scene gives; a surface that no asset of the kind has */
  tacDistanceField *field;    /* at rest, */
  tacDeformedField *deformed; /* or of a body with coordinates, */
  tacLoadField *loads;        /* and beside it */
  tacPointshell *shell;
  void *own; /* the kind's, */
  void (*free_own)(void *own);
} tacBakedBody;

void tac_baked_body_free(tacBakedBody *baked); /* frees all that there is and sets it to NULL */
