/* Elastic materials: linear ones, sigma = C epsilon with a density, and those by a law of large strain. */
#ifndef TACTUS_MATERIAL_H
#define TACTUS_MATERIAL_H

#include <stdbool.h>
#include <tactus/error.h>

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
/* What tac_material_* guarantee, for a struct that came from elsewhere. */
TAC_API tacStatus tac_material_check(const tacMaterial *material, tacError *error);

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

TAC_END_DECLS

#endif
