/* A linear elastic material: sigma = C epsilon, with density. */
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

TAC_END_DECLS

#endif
