/* Rigid bodies as a kind: no response of their own, only a moving frame. Uses only public headers, so that it can also
 * be built as a shared object. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/rigid.h>
#include "body/body.h"

extern const tacBodyKind tac_rigid_row;

/* Their own keys: at most one of density and mass; all 0: no mass. */
typedef struct tacRigidKeys {
  double density, mass; /* kg/m^3, kg */
  double inertia[3];    /* kg m^2, about the centre of mass and the body's axes; 0: from its surface */
} tacRigidKeys;

/* Load phase. Refers to the def's assets. */
tacStatus tac_rigid_kind_create(const tacRigidBodyDef *def, tacBody *body, tacError *error);
