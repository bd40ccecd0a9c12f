/* Rigid bodies as a kind: they do not deform and have only a moving frame. The code includes only public headers, so
 * that it can also be built as a shared object. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/rigid.h>
#include "body/body.h"

extern const tacBodyKind tac_rigid_row;

/* Keys that only rigid bodies have. At most one of density and mass may be positive; all 0: no mass. */
typedef struct tacRigidKeys {
  double density, mass; /* kg/m^3, kg */
  double inertia[3];    /* kg m^2, about the centre of mass and the body's axes; 0: computed from the surface */
} tacRigidKeys;

/* Load phase. Refers to the def's assets. */
tacStatus tac_rigid_kind_create(const tacRigidBodyDef *def, tacBody *body, tacError *error);
