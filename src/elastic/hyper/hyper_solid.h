/* A volume mesh of tetrahedra with hyperelastic laws: energy, internal force and tangent stiffness at nodal positions x (m, 3 numbers
 * a vertex), into a fixed sparsity; viscosity by Prony series on the second Piola-Kirchhoff stress.
 *
 * With shape gradients D_a at rest, F = sum x_a D_a^T, J = det F: dJ/dx_a = cof(F) D_a, dI1/dx_a = 2 F D_a, and so on (MJED,
 * Marchesseau et al. 2010). Force is dW/dx (N): what resists. Nothing here allocates after creation; one thread calls at a time. */
#pragma once

#include <tactus/mesh.h>
#include "base/memory/owned.h"
#include "elastic/laws/hyper_law.h"
#include "math/sparse/sparse.h"

enum { TAC_PRONY_MOST = 4 };
typedef struct tacPronyTerm {
  double share; /* of the stress at once that relaxes, 0 <= share; all of them below 1 */
  double time;  /* s, in which it does */
} tacPronyTerm;

typedef struct tacHyperMaterial {
  const tacHyperLaw *law;
  double parameters[TAC_HYPER_MOST_PARAMETERS];
  double density; /* kg/m^3 */
  int prony_count;
  tacPronyTerm prony[TAC_PRONY_MOST];
} tacHyperMaterial;

/* Law, parameters, density and Prony terms make sense; names what does not. */
tacStatus tac_hyper_material_check(const tacHyperMaterial *material, tacError *error);

typedef struct tacHyperSolidDef {
  const tacVolMesh *mesh; /* tetrahedra only */
  int material_count;
  const tacHyperMaterial *materials;
  const int *material_of; /* [tet]; NULL: the first */
  const tacMat3 *axes;    /* [tet]: columns are fibre, sheet, normal; NULL: the identity */
  bool patches; /* U of the mean J of patches of elements, against locking where a material hardly changes its volume */
  bool definite;    /* tangents of elements are projected to positive semidefinite ones */
  int thread_count; /* 1: the caller alone */
} tacHyperSolidDef;

typedef struct tacHyperSolid tacHyperSolid;

/* Copies what it needs. Errors name element or material. */
tacStatus tac_hyper_solid_create(const tacHyperSolidDef *def, tacHyperSolid **solid, tacError *error);
void tac_hyper_solid_destroy(tacHyperSolid *solid); /* NULL is allowed */
TAC_OWNED_TYPE(tacHyperSolid, tac_hyper_solid_destroy)

/* The lower triangle of K, 3 n x 3 n, diagonal included; the three columns of a vertex have whole 3 x 3 blocks but for the diagonal's
 * upper half. Its values are those at rest. */
const tacSparse *tac_hyper_solid_pattern(const tacHyperSolid *solid);
void tac_hyper_solid_masses(const tacHyperSolid *solid, double *mass); /* [vertex], kg, lumped */

/* From now on; see tacHyperSolidDef. */
void tac_hyper_solid_set_definite(tacHyperSolid *solid, bool definite);

double tac_hyper_solid_energy(const tacHyperSolid *solid, const double *x); /* J, elastic */
/* Internal force at the end of a step of the length h (s) that ends at x, with what viscosity has stored; h = 0: at once, without
 * relaxation since. `stiffness` has the places of the pattern; NULL: not wanted. */
void tac_hyper_solid_evaluate(tacHyperSolid *solid, const double *x, double h, double *force, double *stiffness);
/* The step of the length h has ended at x: what viscosity stores goes on. */
void tac_hyper_solid_relax(tacHyperSolid *solid, const double *x, double h);
int tac_hyper_solid_history_size(const tacHyperSolid *solid); /* numbers that viscosity stores; 0: none */
void tac_hyper_solid_save(const tacHyperSolid *solid, double *history);
void tac_hyper_solid_load(tacHyperSolid *solid, const double *history); /* NULL: at rest */

/* Of each tetrahedron: von Mises' measure of Cauchy's stress (Pa), the largest principal stretch; either may be NULL. */
void tac_hyper_solid_colours(const tacHyperSolid *solid, const double *x, double *mises, double *stretch);
int tac_hyper_solid_inverted(const tacHyperSolid *solid, const double *x); /* how many have J <= 0 */
