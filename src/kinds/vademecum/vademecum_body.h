/* A vademecum as a body of a world. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"

/* A body that answers from a vademecum: a reduced body whose basis are the modes X_k, and whose forces come from sampled elements. */
typedef struct tacVademecumBodyDef {
  const tacVademecum *vademecum; /* must outlive the world */
  /* How it moves, as of reduced bodies; `reduced` is not read. `kept`: NULL, or true for the first modes alone. What is fixed of a
   * free one moves with its frame, which has the body's mass and inertia. */
  tacReducedBodyDef motion;
} tacVademecumBodyDef;
tacVademecumBodyDef tac_vademecum_body_def_default(void);
tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id, tacError *error);
const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id); /* NULL for another kind */
