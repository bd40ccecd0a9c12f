/* The full model of a body: all of its finite elements at large deformations, and their equilibrium under forces at
 * nodes. In the body's frame. Offline. Which elements those are is known by files that are named after a kind:
 * bench/full_model/full_kinds.h. */
#pragma once

#include <tactus/mesh.h>
#include <tactus/reduced.h>
#include <tactus/scene.h>
#include "elastic/hyper/hyper_statics.h"
#include "elastic/solids/finite_statics.h"
#include "elastic/solids/statics.h"
#include "mesh/query/embedding.h"

typedef struct tacFullModel tacFullModel;
struct tacFullModel {
  const tacVolMesh *mesh;                 /* NULL: there is no model */
  bool *held;                             /* [vertex] */
  bool loose;                             /* nothing holds it: `held` are three vertices of an element in its middle */
  double *mass;                           /* [vertex], kg, lumped */
  double mass_damping, stiffness_damping; /* 1/s, s */
  double stiffness;                       /* factor on all elasticity */
  bool on_demand; /* the body's displacements are computed when they are asked for, on a thread */
  const double
      *area; /* [vertex of the surface], m^2, where the body tells tractions instead of forces; NULL: it does not */
  tacEmbedding *skin; /* the body's surface in the mesh */
  /* One of two laws. */
  tacSolid elements; /* refers to `held` */
  tacFiniteStatics *finite;
  tacHyperSolid *solid;
  tacHyperStatics *hyper;
  tacStatics *linear; /* of a held one that is linear; NULL: of another */
  /* Displacements of nodes in a body's own numbers of a state; NULL: it has no inertia. */
  void (*nodes)(const tacFullModel *model, const double *state, double *u);
  const tacReduced *reduced; /* of which they are the coordinates, where it is one */
  bool projected;            /* the force of these coordinates is that of the elements, projected on the basis */
  void *problem;             /* what it refers to */
  void (*free_problem)(void *problem);
};

void tac_full_model_free(tacFullModel *model); /* a zeroed struct is allowed */

/* Of a solid, of which `held` is copied where it holds something. */
tacStatus tac_full_model_of_solid(const tacSolid *solid, tacFullModel *model, tacError *error);
tacStatus tac_full_model_of_hyper(const tacHyperSolidDef *def, const bool *held, tacFullModel *model, tacError *error);

/* After `held` was changed, with displacements there in u; of a linear solid u becomes those that small ones would
 * cause elsewhere. */
tacStatus tac_full_model_hold(tacFullModel *model, double *u, tacError *error);

/* u, 3 numbers a vertex: the start, where held vertices stay; then the equilibrium with `force`. */
tacStatus tac_full_model_solve(tacFullModel *model, const double *force, double *u, tacError *error);
/* Likewise, of small displacements, of a model that has `linear`. */
tacStatus tac_full_model_solve_linear(tacFullModel *model, const double *force, double *u, tacError *error);
/* N: internal force at u, which is as before afterwards, to rounding. */
void tac_full_model_force(tacFullModel *model, double *u, double *force);
