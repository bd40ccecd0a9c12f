/* Materials of bodies, linear or hyperelastic, and the elastic problem that Green's functions are baked from.
 *
 * Example:
 *
 *     tacMaterial liver; // density 1060 kg/m^3, Young's modulus 5.5 kPa, Poisson's ratio 0.45
 *     tacStatus status = tac_material_isotropic(1060.0, 5.5e3, 0.45, &liver, error);
 *     if (status != TAC_OK) return status;
 *
 *     tacLawMaterial gel;
 *     gel.law = "neo-hookean";
 *     gel.parameters[0] = 2e3;  // mu, Pa
 *     gel.parameters[1] = 40e3; // k0, Pa
 *     gel.density = 1000.0;
 *     gel.term_count = 0; // no viscosity
 *     status = tac_law_material_check(&gel, error);
 *     if (status != TAC_OK) return status;
 *
 * Units: SI. Stresses, moduli and stiffness are in Pa, densities in kg/m^3, lengths in m, times in s.
 *
 * Threads and phases: these functions keep no state and own no memory; any thread may call them at the same time. They
 * are for load and offline phases. A bake reads its definition only during the call. */
#ifndef TACTUS_MATERIAL_H
#define TACTUS_MATERIAL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* ---- linear materials ---- */

/* A linear elastic material, sigma = C epsilon. Stresses and strains are ordered xx, yy, zz, yz, zx, xy. Shear strains
 * are engineering strains (gamma = 2 epsilon). */
typedef struct tacMaterial {
  double density;         /* kg/m^3 */
  double stiffness[6][6]; /* C, Pa: symmetric and positive definite */
  bool isotropic;         /* true: `young` and `poisson` describe the material */
  double young, poisson;  /* Young's modulus, Pa; Poisson's ratio. Set only where `isotropic` */
} tacMaterial;

/* Fills an isotropic material from its density (kg/m^3), Young's modulus (Pa) and Poisson's ratio.
 * TAC_ERR_ARGUMENT unless density > 0, young > 0 and -1 < poisson < 0.5; `material` is then zeroed. */
TAC_API tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material,
                                         tacError *error);

/* Fills an anisotropic material from its density (kg/m^3) and the upper triangle of C (Pa). The 21 coefficients are in
 * the order of rows: C11 C12 ... C16 C22 ... C66. TAC_ERR_ARGUMENT unless density > 0 and C is positive definite. */
TAC_API tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material,
                                           tacError *error);

/* ---- hyperelastic materials ---- */

enum {
  TAC_LAW_MOST_PARAMETERS = 16, /* of a law */
  TAC_LAW_MOST_TERMS = 4        /* of a Prony series */
};

/* A hyperelastic material: a law, its parameters and a viscosity. docs/hyperelastic_laws.md lists the laws. */
typedef struct tacLawMaterial {
  const char *law;                            /* name of the law, such as "neo-hookean" */
  double parameters[TAC_LAW_MOST_PARAMETERS]; /* in the order of tacMaterialLaw.parameter, SI units */
  double density;                             /* kg/m^3 */
  /* Viscosity, a Prony series: the fraction `share` of the stress relaxes with the time constant `time`. The
   * shares add up to less than 1. */
  int term_count;                                             /* 0 to TAC_LAW_MOST_TERMS; 0: no viscosity */
  double share[TAC_LAW_MOST_TERMS], time[TAC_LAW_MOST_TERMS]; /* 0 to below 1; s, positive */
} tacLawMaterial;

/* Description of a hyperelastic law: its name and parameters. The strings are static. */
typedef struct tacMaterialLaw {
  const char *name, *about; /* name, as in tacLawMaterial.law; one line of description */
  int parameter_count;
  /* Name and unit of each parameter. */
  const char *parameter[TAC_LAW_MOST_PARAMETERS], *unit[TAC_LAW_MOST_PARAMETERS];
  double otherwise[TAC_LAW_MOST_PARAMETERS]; /* default of each parameter; NaN: it has no default and must be given */
  bool fibres;                               /* anisotropic: needs fibre axes for each element */
  bool of_moduli;                            /* its parameters follow from the shear and bulk modulus at small strain */
} tacMaterialLaw;

/* Describes the law of an index, 0, 1, ... Returns false after the last one. */
TAC_API bool tac_material_law(int index, tacMaterialLaw *law);

/* Checks that the law exists and that parameters, density and viscosity are in their ranges. The error names the value
 * that is wrong and its range. */
TAC_API tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error);

/* ---- the reference boundary value problem of Green's functions ----
 *
 * The problem is assembled and factored once. Any column of Xi = -A^-1 Abar (James and Pai 2001, (13)) then costs two
 * triangular solves. Offline, or on a separate thread.
 *
 * Boundary elements: A holds the columns of -G for fixed vertices and those of H for free ones; Abar holds the others
 * (9), (10). A is factored by LU. A free vertex has one traction, its hat function times p_j. A fixed vertex has one
 * unknown traction for each smooth fan of triangles around it that is held, each with its own equations, and none on
 * the other fans. A fan is held if it has a triangle with three fixed vertices; if no fan has one, all are held. The
 * p_j of such a vertex is the mean that keeps a_j p_j equal to its force.
 *
 * Finite elements: sparse Cholesky factors of K_ff. Nodal loads are a_j p_j, reactions are divided by a_j, and only the
 * boundary is kept. If no vertex is fixed, the problem uses inertia relief: the loads less the mass times the
 * acceleration that they cause. Of the displacements it keeps the part that is mass-orthogonal to rigid motions. */

/* Quantity that a sensor measures. */
typedef enum tacSensorKind {
  TAC_SENSOR_DISPLACEMENT, /* 3 rows, m */
  TAC_SENSOR_STRESS        /* 6 rows: xx yy zz yz zx xy, Pa */
} tacSensorKind;

/* A sensor: a quantity at a point inside the body. Each Green's function includes it (James and Pai 2001, section
 * 3.5). */
typedef struct tacSensor {
  const char *name; /* not empty, unique in the body */
  tacSensorKind kind;
  tacVec3 point; /* inside the body, m, body's frame */
} tacSensor;

/* Discretisation of the problem. */
typedef enum tacReferenceMethod {
  TAC_BOUNDARY_ELEMENTS, /* of the surface; one isotropic material */
  TAC_FINITE_ELEMENTS    /* of a volume mesh; any linear materials */
} tacReferenceMethod;

/* Definition of the problem, a member of tacGreenDef. */
typedef struct tacReferenceDef {
  tacReferenceMethod method;
  const tacTriMesh *surface;    /* boundary elements: the closed surface. Finite elements: not used */
  const tacVolMesh *volume;     /* finite elements: its boundary (tac_volmesh_surface) is the surface */
  int material_count;           /* number of `materials` */
  const tacMaterial *materials; /* boundary elements: one, isotropic */
  const int *material_of;       /* finite elements: [element] -> index in `materials`; NULL: all have materials[0] */
  /* [vertex of the surface]: true where it is fixed. At least three fixed vertices must not lie on a line, else
   * TAC_ERR_GEOMETRY. Finite elements also accept a body without fixed vertices. Such a body is free: its displacements
   * are relative to the rigid motion that the same forces cause, given the densities. */
  const bool *fixed;
  /* Finite elements: [vertex of the volume]: true for inner vertices that never move, whatever acts on the surface. For
   * vertices of the surface only `fixed` counts. NULL: none. TAC_ERR_GEOMETRY if some are true, but no vertex of the
   * surface is fixed. */
  const bool *fixed_inside;
  int sensor_count;
  const tacSensor *sensors; /* [sensor_count]; NULL where the count is 0 */
  int thread_count;         /* 0: one for each core */
  /* Boundary elements make a part too stiff in bending if it is thinner than its edges are long. False: such a surface
   * is an error. True: it is accepted, with a warning in the log. */
  bool accept_thin;
} tacReferenceDef;

/* An assembled and factored problem. Opaque. */
typedef struct tacReferenceProblem tacReferenceProblem;

TAC_END_DECLS

#endif
