/* An elastostatic body of Green's functions (James and Pai 2001), at rest, held, or free. */
#ifndef TACTUS_GREEN_BODY_H
#define TACTUS_GREEN_BODY_H

#include <tactus/body.h>
#include <tactus/green.h>

TAC_BEGIN_DECLS

typedef struct tacGreenBodyDef {
  const char *name;       /* unique in the world */
  const tacGreen *green;  /* must outlive the world */
  tacPose pose;           /* of the asset's frame in the world */
  double mask_radius;     /* m; of the spherical pressure masks. 0: single vertices, for comparison only */
  double stiffness;       /* factor on the baked stiffness; 1 */
  double rigid_stiffness; /* k^Rigid, N/m: at fixed vertices, and the most that is rendered anywhere */
  double friction;        /* Coulomb's coefficient; 0 slides freely */
  tacInertia inertia;     /* with which it is free, or held dynamically; mass 0: a tool's own */
  /* Its frame moves, by the inertia, and what deforms does so in that frame: a corotational body (Duriez and others
   * 2006, section 6). Green's functions of a body of which nothing is fixed know no rigid motion, which so is the
   * frame's alone; where some vertices are fixed, those move with the frame. */
  bool free;
  tacVec3 gravity;        /* m/s^2, world frame; of a free body */
  tacVec3 velocity, spin; /* of a free body at the start: m/s of its centre of mass, rad/s; world frame */
  /* Of free bodies that meet others or the floor by penalty, N/m and N s/m: a spring and a damper before the body. */
  double contact_stiffness, contact_damping;
  const char *kind; /* what its kind is called; NULL: green */
  /* For Green's functions stored TAC_GREEN_NEAR: the factored problem, from which a thread of the world computes what the
   * display and the coupling of several tools take; it must outlive the world and not be used elsewhere. NULL: contacts have
   * their stiffness, but the surface does not move and tools do not feel each other. */
  tacReferenceProblem *problem;
  size_t response_bytes; /* of such responses that are kept; default 1 GiB */
  /* For contact of bodies, both at rest; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;
  const tacDistanceField *field;
} tacGreenBodyDef;
/* Radius 0 (it must be chosen), stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contacts 2000 N/m and 2 N s/m. */
TAC_API tacGreenBodyDef tac_green_body_def_default(void);

TAC_END_DECLS

#endif
