/* A rigid body: it rests, falls, or a tool holds it. */
#ifndef TACTUS_RIGID_H
#define TACTUS_RIGID_H

#include <tactus/world.h>

TAC_BEGIN_DECLS

typedef struct tacRigidBodyDef {
  tacBodyDef body;           /* its name, place and springs */
  const tacTriMesh *surface; /* that is shown and touched; must outlive the world */
  tacInertia inertia;        /* with which it is free or held dynamically; mass 0: none. See tac_mass_properties */
  /* For contact of bodies; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacRigidBodyDef;
/* No mass. */
TAC_API tacRigidBodyDef tac_rigid_body_def_default(void);
TAC_API tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error);

TAC_END_DECLS

#endif
