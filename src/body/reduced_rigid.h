/* The rigid motion of a free reduced body, one step at a time. World frame throughout. */
#ifndef TAC_BODY_REDUCED_RIGID_H
#define TAC_BODY_REDUCED_RIGID_H

#include "math/mat3.h"
#include "math/quat.h"

typedef struct tacReducedRigid {
  tacVec3 position;    /* of the asset's origin */
  tacQuat orientation; /* from the asset's frame to the world */
  tacVec3 linear;      /* of the centre of mass, m/s */
  tacVec3 angular;     /* rad/s */
} tacReducedRigid;

typedef struct tacReducedInertia {
  double mass;              /* kg */
  tacVec3 centre;           /* of mass, asset's frame */
  tacMat3 inertia, inverse; /* about the centre, asset's frame, kg m^2 and its inverse */
} tacReducedInertia;

/* What pulls at a point with the force k (gap - its way in this step) - c (its velocity). */
typedef struct tacReducedRigidSpring {
  tacVec3 lever;             /* from the centre to the point, m */
  tacVec3 gap;               /* from the point to where it is pulled, m */
  tacVec3 drift;             /* velocity of the point by deformation alone, m/s */
  double stiffness, damping; /* N/m, N s/m */
} tacReducedRigidSpring;

tacVec3 tac_reduced_rigid_centre(const tacReducedInertia *inertia, const tacReducedRigid *rigid);

/* One step under a force (N) and a torque about the centre (N m), with springs taken implicitly. False, with `rigid`
 * as it was, where the result is not finite. */
bool tac_reduced_rigid_advance(const tacReducedInertia *inertia, double step, tacVec3 force, tacVec3 torque,
                               int spring_count, const tacReducedRigidSpring *springs, tacReducedRigid *rigid);

#endif
