/* A rigid body: it rests, falls, or a tool holds it. */
#ifndef TACTUS_RIGID_BODY_H
#define TACTUS_RIGID_BODY_H

#include <tactus/body.h>

TAC_BEGIN_DECLS

typedef struct tacRigidBodyDef {
  const char *name;          /* unique in the world */
  const tacTriMesh *surface; /* that is shown and touched; must outlive the world */
  tacPose pose;              /* of the assets' frame in the world, at the start */
  bool free;                 /* it has a mass and moves under forces; else it rests or is held */
  tacInertia inertia;        /* with which it is free or held dynamically; mass 0: none. See tac_mass_properties */
  tacVec3 velocity, spin;    /* of a free one at the start: of its centre, m/s; rad/s */
  tacVec3 gravity;           /* m/s^2, world frame; default none */
  double friction;           /* Coulomb's coefficient */
  double touch_stiffness;    /* N/m; of the spring between a point tool and its point on the surface */
  double touch_damping;      /* N s/m; brakes the body, not the hand */
  double contact_stiffness;  /* N/m; of free bodies by penalty */
  /* For contact of bodies; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacRigidBodyDef;
/* No mass, friction 0.4, touch 300 N/m and 0.3 N s/m, contact 2000 N/m. */
TAC_API tacRigidBodyDef tac_rigid_body_def_default(void);

TAC_END_DECLS

#endif
