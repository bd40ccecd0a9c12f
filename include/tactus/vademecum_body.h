/* A body that answers from a vademecum: a reduced body whose basis are the modes X_k, and whose forces come from sampled elements. */
#ifndef TACTUS_VADEMECUM_BODY_H
#define TACTUS_VADEMECUM_BODY_H

#include <tactus/reduced_body.h>
#include <tactus/vademecum.h>

TAC_BEGIN_DECLS

typedef struct tacVademecumBodyDef {
  const tacVademecum *vademecum; /* must outlive the world */
  /* How it moves, as of reduced bodies; `reduced` is not read. `kept`: NULL, or true for the first modes alone. */
  tacReducedBodyDef body;
  /* It moves: what is fixed moves with its frame, which has the body's mass and inertia. Else it rests, or a tool holds it. */
  bool free;
} tacVademecumBodyDef;
TAC_API tacVademecumBodyDef tac_vademecum_body_def_default(void);

TAC_END_DECLS

#endif
