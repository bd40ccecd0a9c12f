/* Hyperelastic bodies: tetrahedra with a nonlinear material law, inertia and viscosity (Courtecuisse et al. 2015;
 * docs/hyperelastic.md).
 *
 * Each step uses implicit Euler with one linearisation. A separate thread updates the factorization from which the
 * compliance of contacts is computed.
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
 * Equations: a step of length h solves for the motion d of the nodes, with forces f (N) at contact sites,
 *
 *     A d = M v / h + M g - F(x) + H^T f,   A = M / h^2 + B / h + K
 *
 * M is the mass matrix, v the velocity of the nodes, g gravity, x the positions of the nodes, and F the internal force.
 * K is the tangent of F, H^T distributes the forces over the nodes, and B = alpha M + beta K is Rayleigh damping.
 *
 * Phases and threads: both functions belong to the load phase. tac_world_start_simulation starts the threads of the
 * bodies. */
#ifndef TACTUS_HYPERELASTIC_H
#define TACTUS_HYPERELASTIC_H

#include <tactus/material.h>
#include <tactus/mesh.h>
#include <tactus/world.h>

TAC_BEGIN_DECLS

/* Factorization of A that is used for the compliance of contacts and as the preconditioner. */
typedef enum tacFactorMode {
  TAC_FACTOR_ASYNCHRONOUS, /* newest finished factorization of the separate thread, rotated with the nodes */
  TAC_FACTOR_EXACT,        /* new factorization in each step; slow, only for comparison */
  TAC_FACTOR_REST          /* factorization of the body at rest, as for a linear body; only for comparison */
} tacFactorMode;

/* Definition of a hyperelastic body. tac_world_add_hyperelastic copies all data that the definition points to. */
typedef struct tacHyperelasticBodyDef {
  tacBodyDef body;                 /* name, pose and contact springs; `spin` has no effect, and `every` is always 1 */
  const tacVolMesh *mesh;          /* volume mesh of tetrahedra only; its boundary is the surface of the body */
  int material_count;              /* number of `materials`, at least 1 */
  const tacLawMaterial *materials; /* array [material_count]: laws, parameters, densities and viscosities */
  const int *material_of; /* array [tetrahedron] of indices in `materials`; NULL: the first material everywhere */
  /* Array [tetrahedron] of unit vectors along fibre, sheet and normal; NULL: the coordinate axes. */
  const tacVec3 (*fibres)[3];
  const bool *fixed;   /* array [vertex of mesh], true for vertices fixed to the body's frame; NULL: none */
  const bool *moved;   /* array [vertex of mesh], true for vertices moved by the parameter `moved`; NULL: none */
  tacVec3 moved_along; /* unit vector in the direction of the parameter `moved`, which is in m; default: z axis */
  /* Distance, m, and period, s, of a periodic motion of the moved vertices, added to the parameter `moved`. In each
   * period the vertices move from 0 to the distance and back; period 0, the default: no periodic motion. */
  double moved_distance, moved_period;
  /* Coefficients alpha, 1/s, and beta, s, of Rayleigh damping, 0 to 1000; default 0. Rayleigh damping acts in addition
   * to the viscosity of the materials. */
  double mass_damping, stiffness_damping;
  /* True: the volumetric energy U uses the mean J of patches of elements, which avoids locking of nearly incompressible
   * bodies; default false. */
  bool patches;
  tacFactorMode factor; /* factorization; default TAC_FACTOR_ASYNCHRONOUS */
  int factor_delay; /* steps until a factorization is ready if no separate thread computes it, 1 to 1000; default 5 */
  int most_sites;   /* largest number of contact sites with a force at the same time, 1 to 256; default 96 */
  int thread_count; /* number of threads that evaluate the elements; default 1: only the thread that runs the step */
} tacHyperelasticBodyDef;

/* Returns the default options. The caller must set the name of the body, the mesh and the materials. Call in any
 * phase. */
TAC_API tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void);

/* Adds a hyperelastic body to a world that is not sealed. `id` receives the id of the body and may be NULL.
 *
 * Returns TAC_ERR_ARGUMENT if a value of `def` is missing or out of range, and TAC_ERR_UNSUPPORTED if the mesh contains
 * bricks. Returns TAC_ERR_GEOMETRY if an element is inverted or flat, or if a vertex belongs to no element. Call in the
 * load phase. */
TAC_API tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id,
                                             tacError *error);

TAC_END_DECLS

#endif
