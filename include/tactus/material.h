/* Materials, and the elastic boundary value problem that Green's functions solve. */
#ifndef TACTUS_MATERIAL_H
#define TACTUS_MATERIAL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* Strains and stresses are ordered xx, yy, zz, yz, zx, xy; shear strains are engineering strains (gamma = 2 epsilon). */
typedef struct tacMaterial {
  double density;         /* kg/m^3 */
  double stiffness[6][6]; /* Pa, symmetric positive definite */
  bool isotropic;         /* then: */
  double young, poisson;  /* Pa, - */
} tacMaterial;

/* TAC_ERR_ARGUMENT unless density > 0, young > 0 and -1 < poisson < 0.5. */
TAC_API tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material,
                                         tacError *error);
/* The 21 coefficients of the upper triangle row by row: C11 C12 ... C16 C22 ... C66, Pa. TAC_ERR_ARGUMENT unless C is
 * positive definite. */
TAC_API tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material,
                                           tacError *error);

/* ---- laws of large strain ---- */

enum { TAC_LAW_MOST_PARAMETERS = 16, TAC_LAW_MOST_TERMS = 4 };

/* One of the laws that docs/hyperelastic_laws.md lists, and its parameters in that order; SI units. */
typedef struct tacLawMaterial {
  const char *law;
  double parameters[TAC_LAW_MOST_PARAMETERS];
  double density; /* kg/m^3 */
  /* Viscosity, a Prony series: the part `share` of the stress relaxes in the time `time`, s. */
  int term_count;
  double share[TAC_LAW_MOST_TERMS], time[TAC_LAW_MOST_TERMS];
} tacLawMaterial;

/* What is known of a law: of the index 0, 1, ... until NULL. */
typedef struct tacMaterialLaw {
  const char *name, *about;
  int parameter_count;
  const char *parameter[TAC_LAW_MOST_PARAMETERS], *unit[TAC_LAW_MOST_PARAMETERS];
  double otherwise[TAC_LAW_MOST_PARAMETERS]; /* NAN: must be given */
  bool fibres;
  bool of_moduli; /* its parameters follow from the shear and bulk modulus at small strain */
} tacMaterialLaw;
TAC_API bool tac_material_law(int index, tacMaterialLaw *law); /* false: there are no more */
/* Whether a material makes sense: names what does not. */
TAC_API tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error);

/* The reference boundary value problem of a body's Green's functions: assembled and factored once, then any column of
 * Xi = -A^-1 Abar (James and Pai 2001, (13)) for two triangular solves. Offline, or on a thread of its own.
 *
 * Boundary elements: A has the columns of -G for fixed vertices and of H for free ones, Abar the others (9), (10); LU
 * factors. A free vertex has one traction, its hat function times p_j. A fixed vertex has one unknown traction for each
 * smooth fan of triangles around it that is held (has a triangle with three fixed vertices; all fans where none has), with
 * equations of its own, and none on the others; its p_j is the mean by which a_j p_j stays its force.
 * Finite elements: sparse Cholesky of K_ff; nodal loads a_j p_j, reactions divided by a_j; only the boundary is kept.
 * Where no vertex is fixed, inertia relief: the loads less the mass times the acceleration that they cause, and of the
 * displacements what is mass-orthogonal to rigid motions. */

/* A quantity at an inner point that comes with every Green's function (James and Pai 2001, section 3.5). */
typedef enum tacSensorKind {
  TAC_SENSOR_DISPLACEMENT, /* 3 rows, m */
  TAC_SENSOR_STRESS        /* 6 rows: xx yy zz yz zx xy, Pa */
} tacSensorKind;

typedef struct tacSensor {
  const char *name;
  tacSensorKind kind;
  tacVec3 point; /* inside the body, m */
} tacSensor;

typedef enum tacReferenceMethod { TAC_BOUNDARY_ELEMENTS, TAC_FINITE_ELEMENTS } tacReferenceMethod;

typedef struct tacReferenceDef {
  tacReferenceMethod method;
  const tacTriMesh *surface; /* boundary elements: the closed surface. Finite elements: not used */
  const tacVolMesh *volume;  /* finite elements: its boundary (tac_volmesh_surface) is the surface */
  int material_count;
  const tacMaterial *materials; /* boundary elements: one, isotropic */
  const int *material_of;       /* finite elements: [element] -> materials; NULL: all have materials[0] */
  /* [vertex of the surface]; at least three that are not on a line. By finite elements none will do: the body is free,
   * and its displacements are relative to the rigid motion that the same forces cause, by the densities. */
  const bool *fixed;
  /* Finite elements: [vertex of the volume], those inside that never move, whatever is done to the surface; vertices of the surface are
   * as `fixed` says. NULL: none. TAC_ERR_GEOMETRY where they are all that is held. */
  const bool *fixed_inside;
  int sensor_count;
  const tacSensor *sensors;
  int thread_count; /* 0: one for each core */
  /* Boundary elements make parts too stiff in bending that are thinner than their edges are long, and such a surface is refused;
   * true: take it, with a warning in the log. */
  bool accept_thin;
} tacReferenceDef;

typedef struct tacReferenceProblem tacReferenceProblem;

TAC_END_DECLS

#endif
