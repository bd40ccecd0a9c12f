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
 * Units: SI. Lengths are in m, masses in kg and moments of inertia in kg m^2, in the frame of the body.
 *
 * Threads and phases: both functions belong to the load phase. Call tac_world_add_rigid on the thread that builds the
 * world. */
#ifndef TACTUS_RIGID_H
#define TACTUS_RIGID_H

#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Definition of a rigid body. */
typedef struct tacRigidBodyDef {
  tacBodyDef body;           /* name, pose and contact springs */
  const tacTriMesh *surface; /* surface for contact and display, closed or open; must outlive the world */
  /* Inertia of a body that is free or held by a dynamic coupling, as computed by tac_mass_properties; default mass 0:
   * the body has no inertia. */
  tacInertia inertia;
  const tacPointshell *shell; /* pointshell for distributed contact (tacPairDef); may be NULL; must outlive the world */
  const tacDistanceField *field; /* distance field for distributed contact; may be NULL; must outlive the world */
} tacRigidBodyDef;

/* Returns the default options: no mass, no surface, and the defaults of tacBodyDef. */
TAC_API tacRigidBodyDef tac_rigid_body_def_default(void);

/* Adds a rigid body to a world that is not sealed. `id` receives the id of the body and may be NULL. The kind name of
 * the body is "rigid". Returns TAC_ERR_ARGUMENT if the definition is invalid, for example if a free body has no inertia
 * or the name is already in use. */
TAC_API tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error);

TAC_END_DECLS

#endif
