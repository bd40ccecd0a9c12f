/* A hyperelastic body: tetrahedra with a nonlinear law, inertia and viscosity, stepped by implicit Euler with one linearisation, whose
 * factor is renewed by a thread of its own (Courtecuisse et al. 2015; docs/hyperelastic.md). */
#ifndef TACTUS_HYPERELASTIC_H
#define TACTUS_HYPERELASTIC_H

#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Where the compliance of contacts, and the preconditioner, come from. */
typedef enum tacFactorMode {
  TAC_FACTOR_ASYNCHRONOUS, /* the last factor that is ready, turned with the nodes */
  TAC_FACTOR_EXACT,        /* of each step: slow, for comparison */
  TAC_FACTOR_REST          /* of the body at rest: as if it were linear, for comparison */
} tacFactorMode;

typedef struct tacHyperelasticBodyDef {
  tacBodyDef body;        /* its name, place and springs; it has no spin, and a step in every tick */
  const tacVolMesh *mesh; /* tetrahedra; its boundary is the surface. Copied */
  int material_count;
  const tacLawMaterial *materials;
  const int *material_of;     /* [tetrahedron]; NULL: the first */
  const tacVec3 (*fibres)[3]; /* [tetrahedron]: fibre, sheet, normal, unit vectors; NULL: the axes */
  const bool *fixed;          /* [vertex of mesh] with the frame; NULL: none */
  const bool *moved;          /* [vertex of mesh] that the parameter `moved` moves, along: */
  tacVec3 moved_along;        /* unit; m of the parameter */
  /* Beside the parameter they go by themselves: from 0 to the distance, m, and back in each period, s; 0: they do not. */
  double moved_distance, moved_period;
  double mass_damping, stiffness_damping; /* 1/s, s: Rayleigh's, beside viscosity */
  bool patches; /* U of the mean J of patches of elements: nearly incompressible bodies do not lock */
  tacFactorMode factor;
  int factor_delay; /* steps in which a factor is ready where no thread makes it */
  int most_sites;   /* places where forces act at once, 1 to 256 */
  int thread_count; /* for the elements; 1: that which steps alone */
} tacHyperelasticBodyDef;
TAC_API tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void);

TAC_API tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id,
                                             tacError *error);

TAC_END_DECLS

#endif
