/* Rigid bodies as a kind: they answer no force by themselves, their frame moves. Of public headers alone, so that it can be built as a
 * shared object as well. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/rigid.h>
#include "body/body.h"

extern const tacBodyKind tac_rigid_row;

/* Keys of their own: of density and mass one at most; all 0: it has none. */
typedef struct tacRigidKeys {
  double density, mass; /* kg/m^3, kg */
  double inertia[3];    /* kg m^2, about the centre of mass and the body's axes; 0: by its surface */
} tacRigidKeys;

/* Load phase. Refers to the def's assets. */
tacStatus tac_rigid_kind_create(const tacRigidBodyDef *def, tacBody *body, tacError *error);
