/* Rigid bodies: fixed, falling freely, or held by a tool.
 *
 * Example:
 *
 *     tacRigidBodyDef def = tac_rigid_body_def_default();
 *     tacStatus status = tac_mass_properties(surface, 7850.0, &def.inertia, error); // kg/m^3
 *     if (status != TAC_OK) return status;
 *     def.body.name = "ball";
 *     def.body.free = true;
 *     def.body.gravity.z = -9.81; // m/s^2
 *     def.surface = surface;      // must outlive the world
 *     tacBodyId ball;
 *     status = tac_world_add_rigid(world, &def, &ball, error); // before tac_world_seal
 *     if (status != TAC_OK) return status;
 *
 * Units: SI; lengths in m and inertia in kg and kg m^2, in the body's frame.
 *
 * Threads and phases: load phase, by the thread that builds the world. */
#ifndef TACTUS_RIGID_H
#define TACTUS_RIGID_H

#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Definition of a rigid body. */
typedef struct tacRigidBodyDef {
  tacBodyDef body;           /* name, pose and contact springs */
  const tacTriMesh *surface; /* shown and touched, closed or open; must outlive the world */
  /* Inertia of a free body, or of one that a tool holds by a dynamic coupling. Mass 0: the body has no inertia.
   * tac_mass_properties computes it. */
  tacInertia inertia;
  /* For distributed contact with other bodies (tacPairDef). Both may be NULL; both must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacRigidBodyDef;

/* Returns the default: no mass, no surface, and the common defaults of tacBodyDef. */
TAC_API tacRigidBodyDef tac_rigid_body_def_default(void);

/* Adds a rigid body to a world that is not sealed. `id` (may be NULL) receives its id. The body's kind name is "rigid".
 * TAC_ERR_ARGUMENT if the definition is invalid, such as a free body without inertia or a name that is taken. */
TAC_API tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error);

TAC_END_DECLS

#endif
