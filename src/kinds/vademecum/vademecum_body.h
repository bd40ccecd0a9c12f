/* A vademecum as a body of a world. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"

/* Definition of a vademecum body: a reduced body with the modes X_k as its basis and forces from sampled elements. */
typedef struct tacVademecumBodyDef {
  const tacVademecum *vademecum; /* must outlive the world */
  /* Motion, as for reduced bodies; the member `reduced` is ignored. `kept`: NULL, or true for the first modes only.
   * Fixed parts of a free body move with its frame, which has the body's mass and inertia. */
  tacReducedBodyDef motion;
} tacVademecumBodyDef;
tacVademecumBodyDef tac_vademecum_body_def_default(void);
tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id, tacError *error);
const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id); /* NULL for another kind */
