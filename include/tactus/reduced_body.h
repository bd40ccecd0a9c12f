/* A body of large deformations in reduced coordinates (Barbic 2007, chapter 2). Without held vertices it is free: it falls, and meets
 * the floor and other bodies. */
#ifndef TACTUS_REDUCED_BODY_H
#define TACTUS_REDUCED_BODY_H

#include <tactus/body.h>
#include <tactus/deformed_field.h>
#include <tactus/reduced.h>

TAC_BEGIN_DECLS

typedef struct tacReducedBodyDef {
  const char *name;          /* unique in the world */
  const tacReduced *reduced; /* must outlive the world */
  tacPose pose;              /* of the asset's frame in the world, at the start */
  const bool *kept;          /* [r] vectors of the basis to use; NULL: all */
  double alpha_mass;         /* Rayleigh damping (alpha M + beta K(q)) q': 1/s, */
  double beta_stiffness;     /* s */
  /* Strain-rate damping (Barbic 2007, (2.34)): viscous stress of this time, s, times that which the elasticity would have at the
   * strain rate. Only where tac_reduced_has_strain_rate. */
  double strain_rate;
  int newton_steps;          /* of the implicit Newmark method; default 1 */
  bool is_static;            /* no inertia */
  bool linear;               /* geometrically linear, to sketch on and to compare with */
  double acceleration_limit; /* of |q''|, kg^1/2 m/s^2; 0: none */
  tacVec3 gravity;           /* m/s^2, world frame; default none */
  tacVec3 velocity, spin;    /* of a free one at the start: of its centre, m/s; rad/s */
  int every;                 /* ticks from one step of it to the next; default 1. Steps of many bodies are spread */
  double touch_stiffness;    /* N/m; of the spring between a tool and its point */
  double touch_damping;      /* N s/m; brakes the point that is touched, not the hand */
  double friction;           /* Coulomb's coefficient */
  double contact_stiffness;  /* N/m; of free bodies by penalty */
  double contact_damping;    /* N s/m; likewise */
  /* For contact of bodies; both may be NULL, both must outlive the world. */
  const tacPointshell *shell;    /* embedded in `reduced` */
  const tacDeformedField *field; /* of `reduced` */
  const tacLoadField *loads;     /* baked deformations of `field`; NULL: none */
} tacReducedBodyDef;
/* Damping 0.5 1/s and 0.002 s, touch 300 N/m and 0.3 N s/m, friction 0.4, contact 2000 N/m and 2 N s/m. */
TAC_API tacReducedBodyDef tac_reduced_body_def_default(void);

TAC_END_DECLS

#endif
