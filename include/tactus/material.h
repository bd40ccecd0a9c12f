/* Materials of bodies, linear or hyperelastic, and the elastic problem whose solutions are Green's functions.
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
 * Threads and phases: the functions have no internal state and own no memory. Any thread may call the functions at the
 * same time as other threads, in the load and offline phases. A bake reads its definition only during the call. */
#ifndef TACTUS_MATERIAL_H
#define TACTUS_MATERIAL_H

#include <stdbool.h>
#include <tactus/base.h>
#include <tactus/mesh.h>

TAC_BEGIN_DECLS

/* ---- linear materials ---- */

/* A linear elastic material, sigma = C epsilon. Stresses and strains are in the order xx, yy, zz, yz, zx, xy. Shear
 * strains are engineering strains (gamma = 2 epsilon). */
typedef struct tacMaterial {
  double density;         /* density, kg/m^3 */
  double stiffness[6][6]; /* stiffness matrix C, Pa, symmetric and positive definite */
  bool isotropic;         /* true: the material is isotropic, and `young` and `poisson` are valid */
  double young, poisson;  /* Young's modulus, Pa, and Poisson's ratio; valid only if `isotropic` is true */
} tacMaterial;

/* Fills `material` with an isotropic material of the given density (kg/m^3), Young's modulus (Pa) and Poisson's ratio.
 * The values must satisfy density > 0, young > 0 and -1 < poisson < 0.5. Otherwise the function returns
 * TAC_ERR_ARGUMENT and sets `material` to zero. */
TAC_API tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material,
                                         tacError *error);

/* Fills `material` with an anisotropic material of the given density (kg/m^3) and stiffness matrix C (Pa).
 * `coefficients` contains the upper triangle of C in the order of rows: C11 C12 ... C16 C22 ... C66. Returns
 * TAC_ERR_ARGUMENT if the density is not positive or C is not positive definite. */
TAC_API tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material,
                                           tacError *error);

/* ---- hyperelastic materials ---- */

enum {
  TAC_LAW_MOST_PARAMETERS = 16, /* maximum number of parameters of a law */
  TAC_LAW_MOST_TERMS = 4        /* maximum number of terms of a Prony series */
};

/* A hyperelastic material: a law, the parameters of the law, and a viscosity. docs/hyperelastic_laws.md lists the laws.
 *
 * The viscosity is a Prony series. In each term, the fraction `share` of the stress relaxes with the time constant
 * `time`. The sum of the fractions is less than 1. */
typedef struct tacLawMaterial {
  const char *law;                            /* name of the law, for example "neo-hookean" */
  double parameters[TAC_LAW_MOST_PARAMETERS]; /* parameters in the order of tacMaterialLaw.parameter, SI units */
  double density;                             /* density, kg/m^3 */
  int term_count;                             /* number of terms, 0 to TAC_LAW_MOST_TERMS; 0: no viscosity */
  double share[TAC_LAW_MOST_TERMS], time[TAC_LAW_MOST_TERMS]; /* fractions, 0 to below 1; time constants, s, positive */
} tacLawMaterial;

/* Description of a hyperelastic law. All strings are static. */
typedef struct tacMaterialLaw {
  const char *name, *about; /* name as in tacLawMaterial.law; description of the law in one line */
  int parameter_count;      /* number of parameters */
  /* Name and unit of each parameter. */
  const char *parameter[TAC_LAW_MOST_PARAMETERS], *unit[TAC_LAW_MOST_PARAMETERS];
  double otherwise[TAC_LAW_MOST_PARAMETERS]; /* default value of each parameter; NaN: no default, a value is required */
  bool fibres;    /* true: the law is anisotropic and needs fibre directions for each element */
  bool of_moduli; /* true: the parameters follow from the shear and bulk modulus at small strain */
} tacMaterialLaw;

/* Describes the law with the given index, 0, 1, ... Returns false if `index` is beyond the last law. */
TAC_API bool tac_material_law(int index, tacMaterialLaw *law);

/* Checks that the law exists and that parameters, density and viscosity are in their ranges. The error text names the
 * wrong value and its range. */
TAC_API tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error);

/* ---- the reference boundary value problem of Green's functions ----
 *
 * Numbers of equations refer to James and Pai 2001. The problem is assembled and factored once. Any column of
 * Xi = -A^-1 Abar (13) then costs two triangular solves. Both operations belong to the offline phase, or to a separate
 * thread.
 *
 * Boundary elements: A contains the columns of -G for fixed vertices and the columns of H for free vertices. Abar
 * contains the remaining columns of G and H (9), (10). A is factored by LU. A free vertex has one traction, the product
 * of its hat function and p_j.
 *
 * The triangles around a fixed vertex form smooth fans. A fan is held if it has a triangle with three fixed vertices.
 * If no fan of the vertex has such a triangle, all its fans are held. On each held fan the vertex has one unknown
 * traction with its own equations. On the other fans the vertex has no traction. The p_j of the vertex is a mean of
 * these tractions, chosen so that a_j p_j is the force of the vertex.
 *
 * Finite elements: the problem stores sparse Cholesky factors of K_ff, the stiffness matrix of the free nodes. Nodal
 * loads are a_j p_j, reactions are divided by a_j, and only the boundary is stored. A problem without fixed vertices
 * uses inertia relief: the mass multiplied by the acceleration that the loads cause is subtracted from the loads. The
 * result is the part of the displacements that is mass-orthogonal to rigid motions. */

/* Quantity that a sensor measures. */
typedef enum tacSensorKind {
  TAC_SENSOR_DISPLACEMENT, /* displacement: 3 rows, m */
  TAC_SENSOR_STRESS        /* stress: 6 rows in the order xx yy zz yz zx xy, Pa */
} tacSensorKind;

/* A sensor: a quantity at a point inside the body. Each Green's function includes the rows of all sensors (James and
 * Pai 2001, section 3.5). */
typedef struct tacSensor {
  const char *name;   /* name, not empty, unique in the body */
  tacSensorKind kind; /* measured quantity */
  tacVec3 point;      /* point inside the body, m, in the frame of the body */
} tacSensor;

/* Discretisation of the problem. */
typedef enum tacReferenceMethod {
  TAC_BOUNDARY_ELEMENTS, /* boundary elements on the surface; supports one isotropic material */
  TAC_FINITE_ELEMENTS    /* finite elements in a volume mesh; supports any linear materials */
} tacReferenceMethod;

/* Definition of the reference problem, a member of tacGreenDef. */
typedef struct tacReferenceDef {
  tacReferenceMethod method;    /* discretisation */
  const tacTriMesh *surface;    /* closed surface for boundary elements; not used for finite elements */
  const tacVolMesh *volume;     /* volume mesh for finite elements; its boundary (tac_volmesh_surface) is the surface */
  int material_count;           /* number of `materials`; 1 for boundary elements */
  const tacMaterial *materials; /* array [material_count] of materials; isotropic for boundary elements */
  const int *material_of;       /* array [element] of indices in `materials` for finite elements; NULL: materials[0] */
  /* Array [vertex of the surface], true for fixed vertices. Boundary elements need at least three fixed vertices that
   * do not lie on a line. Finite elements also accept a body without fixed vertices. Otherwise the bake returns
   * TAC_ERR_GEOMETRY. A body without fixed vertices is free. Its displacements are relative to the rigid motion that
   * the same forces cause with the given densities. */
  const bool *fixed;
  /* Array [vertex of the volume] for finite elements, true for inner vertices that never move under loads on the
   * surface; NULL: none. For vertices of the surface, only `fixed` is used. The bake returns TAC_ERR_GEOMETRY if inner
   * vertices are fixed but no vertex of the surface is fixed. */
  const bool *fixed_inside;
  int sensor_count;         /* number of `sensors` */
  const tacSensor *sensors; /* array [sensor_count] of sensors; may be NULL if the count is 0 */
  int thread_count;         /* number of threads; 0: one thread for each core */
  /* True: the bake accepts a surface with parts that are thinner than the local edge length, and writes a warning to
   * the log. False: such a surface is an error, because boundary elements make thin parts too stiff in bending. */
  bool accept_thin;
} tacReferenceDef;

/* An assembled and factored reference problem. Opaque. */
typedef struct tacReferenceProblem tacReferenceProblem;

TAC_END_DECLS

#endif
