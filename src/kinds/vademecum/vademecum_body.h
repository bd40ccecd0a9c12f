/* Adds a vademecum to a world as a body. */
#pragma once

#include <tactus/reduced.h>
#include "kinds/vademecum/vademecum.h"

/* Definition of a vademecum body. Such a body moves like a reduced body whose basis is the modes X_k. The forces
 * come from the sampled elements. */
typedef struct tacVademecumBodyDef {
  const tacVademecum *vademecum; /* the vademecum must outlive the world */
  /* Parameters of the motion, as for a reduced body. The member `reduced` is ignored. `kept` is NULL, or true for the
   * first modes and false for the remaining modes. The fixed parts of a free body move with the frame of the body. The
   * frame has the mass and the inertia of the body. */
  tacReducedBodyDef motion;
} tacVademecumBodyDef;
tacVademecumBodyDef tac_vademecum_body_def_default(void);
tacStatus tac_world_add_vademecum(tacWorld *world, const tacVademecumBodyDef *def, tacBodyId *id, tacError *error);
const tacVademecum *tac_world_body_vademecum(const tacWorld *world, tacBodyId id); /* NULL for a body of another kind */
