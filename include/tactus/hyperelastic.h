/* Hyperelastic bodies: tetrahedra with a nonlinear material law, inertia and viscosity (Courtecuisse et al. 2015;
 * docs/hyperelastic.md).
 *
 * Each step uses implicit Euler with one linearisation. A separate thread renews the factorization behind the
 * compliance of contacts.
 *
 * Example:
 *
 *     static tacLawMaterial tissue;  // zeroed: no viscosity
 *     tissue.law = "neo-hookean";
 *     tissue.parameters[0] = 1e3;    // mu, Pa
 *     tissue.parameters[1] = 20e3;   // k0, Pa
 *     tissue.density = 1000.0;       // kg/m^3
 *     tacHyperelasticBodyDef def = tac_hyperelastic_body_def_default();
 *     def.body.name = "tissue";
 *     def.body.free = true;
 *     def.body.gravity.z = -9.81;    // m/s^2
 *     def.mesh = volume;
 *     def.material_count = 1;
 *     def.materials = &tissue;
 *     tacBodyId id;
 *     tacStatus status = tac_world_add_hyperelastic(world, &def, &id, error);
 *     if (status != TAC_OK) return status;
 *
 * Units: m, s, kg, N, Pa.
 *
 * Equations: a step of length h solves for the motion d of the nodes, with forces f (N) at sites,
 *
 *     A d = M v / h + M g - F(x) + H^T f,   A = M / h^2 + B / h + K
 *
 * M is the mass, F the internal force, K its tangent, H^T spreads forces over nodes, and B = alpha M + beta K is
 * Rayleigh damping.
 *
 * Phases and threads: both functions belong to the load phase. tac_world_start_simulation starts the threads of the
 * bodies. */
#ifndef TACTUS_HYPERELASTIC_H
#define TACTUS_HYPERELASTIC_H

#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Source of the factorization that gives the compliance of contacts and the preconditioner. */
typedef enum tacFactorMode {
  TAC_FACTOR_ASYNCHRONOUS, /* the newest finished factorization, rotated with the nodes */
  TAC_FACTOR_EXACT,        /* a factorization in each step: slow, for comparison */
  TAC_FACTOR_REST          /* that of the body at rest, as if the body were linear: for comparison */
} tacFactorMode;

/* A hyperelastic body. Everything that it points to is copied. */
typedef struct tacHyperelasticBodyDef {
  tacBodyDef body;                 /* name, place and contact springs; `spin` has no effect, and `every` counts as 1 */
  const tacVolMesh *mesh;          /* tetrahedra only; their boundary is the surface */
  int material_count;              /* number of `materials`, at least 1 */
  const tacLawMaterial *materials; /* laws, parameters, densities and viscosities */
  const int *material_of;          /* [tetrahedron]: index in `materials`; NULL: the first material */
  const tacVec3 (*fibres)[3]; /* [tetrahedron]: unit vectors of fibre, sheet and normal; NULL: the coordinate axes */
  const bool *fixed;          /* [vertex of mesh]: true if fixed to the body's frame; NULL: none */
  const bool *moved;          /* [vertex of mesh]: true if moved by the parameter `moved`; NULL: none */
  tacVec3 moved_along;        /* unit vector: direction of the motion by the parameter `moved`, which is in m */
  /* m, s: these vertices also move by themselves, from 0 to the distance and back in each period. Period 0: they do
   * not. */
  double moved_distance, moved_period;
  double mass_damping, stiffness_damping; /* alpha, 1/s, and beta, s: Rayleigh damping besides viscosity; 0 to 1000 */
  /* true: the volumetric energy U is that of the mean J over patches of elements, which avoids locking of nearly
   * incompressible bodies. */
  bool patches;
  tacFactorMode factor; /* default TAC_FACTOR_ASYNCHRONOUS */
  int factor_delay;     /* steps after which a factorization is ready if no thread computes it, 1 to 1000; default 5 */
  int most_sites;       /* limit of places where forces act at once, 1 to 256; default 96 */
  int thread_count;     /* threads that evaluate the elements; default 1: only the stepping thread */
} tacHyperelasticBodyDef;

/* Returns the default options. The caller must set the body's name, the mesh and the materials. Any phase. */
TAC_API tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void);

/* Adds a hyperelastic body to a world that is not sealed. `id` receives its id and may be NULL.
 *
 * TAC_ERR_ARGUMENT: a value of `def` is missing or out of range. TAC_ERR_UNSUPPORTED: the mesh contains bricks.
 * TAC_ERR_GEOMETRY: an element is inverted or flat, or a vertex is in no element. Load phase. */
TAC_API tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id,
                                             tacError *error);

TAC_END_DECLS

#endif
