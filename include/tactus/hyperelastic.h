/* A hyperelastic body: tetrahedra with a nonlinear law, inertia and viscosity, stepped by implicit Euler with one linearisation, whose
 * factor is renewed by a thread of its own (Courtecuisse et al. 2015; docs/hyperelastic.md). */
#ifndef TACTUS_HYPERELASTIC_H
#define TACTUS_HYPERELASTIC_H

#include <tactus/body.h>
#include <tactus/volmesh.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

enum { TAC_HYPERELASTIC_MOST_PARAMETERS = 16, TAC_HYPERELASTIC_MOST_TERMS = 4 };

/* One of the laws that docs/hyperelastic_laws.md lists, and its parameters in that order; SI units. */
typedef struct tacHyperelasticMaterial {
  const char *law;
  double parameters[TAC_HYPERELASTIC_MOST_PARAMETERS];
  double density; /* kg/m^3 */
  /* Viscosity, a Prony series: the part `share` of the stress relaxes in the time `time`, s. */
  int term_count;
  double share[TAC_HYPERELASTIC_MOST_TERMS], time[TAC_HYPERELASTIC_MOST_TERMS];
} tacHyperelasticMaterial;

/* What is known of a law: of the index 0, 1, ... until NULL. */
typedef struct tacHyperelasticLaw {
  const char *name, *about;
  int parameter_count;
  const char *parameter[TAC_HYPERELASTIC_MOST_PARAMETERS], *unit[TAC_HYPERELASTIC_MOST_PARAMETERS];
  double otherwise[TAC_HYPERELASTIC_MOST_PARAMETERS]; /* NAN: must be given */
  bool fibres;
} tacHyperelasticLaw;
TAC_API bool tac_hyperelastic_law(int index, tacHyperelasticLaw *law); /* false: there are no more */
/* Whether a material makes sense: names what does not. */
TAC_API tacStatus tac_hyperelastic_material_check(const tacHyperelasticMaterial *material, tacError *error);

/* Where the compliance of contacts, and the preconditioner, come from. */
typedef enum tacFactorMode {
  TAC_FACTOR_ASYNCHRONOUS, /* the last factor that is ready, turned with the nodes */
  TAC_FACTOR_EXACT,        /* of each step: slow, for comparison */
  TAC_FACTOR_REST          /* of the body at rest: as if it were linear, for comparison */
} tacFactorMode;

typedef struct tacHyperelasticBodyDef {
  const char *name;
  const tacVolMesh *mesh; /* tetrahedra; its boundary is the surface. Copied */
  int material_count;
  const tacHyperelasticMaterial *materials;
  const int *material_of;     /* [tetrahedron]; NULL: the first */
  const tacVec3 (*fibres)[3]; /* [tetrahedron]: fibre, sheet, normal, unit vectors; NULL: the axes */
  const bool *fixed;          /* [vertex of mesh] with the frame; NULL: none */
  const bool *moved;          /* [vertex of mesh] that the parameter `moved` moves, along: */
  tacVec3 moved_along;        /* unit; m of the parameter */
  /* Beside the parameter they go by themselves: from 0 to the distance, m, and back in each period, s; 0: they do not. */
  double moved_distance, moved_period;
  tacPose pose;
  bool free;                 /* meets whatever there is, and falls; else it is fixed somewhere, or held */
  tacVec3 velocity, gravity; /* m/s, of a free one at the start; m/s^2 */
  double friction;
  double touch_stiffness, touch_damping;     /* N/m, N s/m: between a point tool and the surface */
  double contact_stiffness, contact_damping; /* N/m, N s/m: of a free one, by penalty */
  double mass_damping, stiffness_damping;    /* 1/s, s: Rayleigh's, beside viscosity */
  bool patches; /* U of the mean J of patches of elements: nearly incompressible bodies do not lock */
  tacFactorMode factor;
  int factor_delay; /* steps in which a factor is ready where no thread makes it */
  int most_sites;   /* places where forces act at once, 1 to 256 */
  int thread_count; /* for the elements; 1: that which steps alone */
} tacHyperelasticBodyDef;
TAC_API tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void);

TAC_API tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id,
                                             tacError *error);

/* How the last step of a body went. */
typedef struct tacHyperelasticReport {
  int nodes, elements;
  int factor_age;          /* steps since the values of the factor in use */
  int factors, failures;   /* that were taken; that failed */
  double factor_seconds;   /* that the last one took */
  int iterations;          /* of conjugate gradients */
  double residual;         /* of them, relative */
  double compliance_error; /* relative, of one contact after the other; measured now and then */
  int inverted;            /* elements */
  double energy;           /* J, elastic and kinetic */
} tacHyperelasticReport;
/* Between steps, of worlds without a thread of their bodies; false: not a body of this kind. */
TAC_API bool tac_world_hyperelastic_report(const tacWorld *world, tacBodyId id, tacHyperelasticReport *report);

TAC_END_DECLS

#endif
