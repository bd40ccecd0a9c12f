/* Implements the body kind of rigid bodies, which move but do not deform. The source file can also be built as a shared
 * object. */
#pragma once

#include <tactus/body_kind.h>
#include <tactus/rigid.h>
#include "body/body.h"

extern const tacBodyKind tac_rigid_row;

/* Scene keys that only rigid bodies have. At most one of `density` and `mass` may be positive. If both are 0, the body
 * has no mass. */
typedef struct tacRigidKeys {
  double density, mass; /* kg/m^3, kg */
  /* Principal moments about the centre of mass, along the axes of the body, kg m^2; 0: computed from the surface. */
  double inertia[3];
} tacRigidKeys;

/* Creates a rigid body. Call in the load phase. The body refers to the assets in `def`. */
tacStatus tac_rigid_kind_create(const tacRigidBodyDef *def, tacBody *body, tacError *error);
