/* Volumetric terms U(J) that hyperelastic laws share, with U' and U'', for all lanes; k0 is the bulk modulus (Pa). Safe in a
 * tick. */
#pragma once

/* U = k0 / 2 (ln J)^2; each [lane]. */
void tac_hyper_volume_log_square(double k0, const double *j, double *u, double *uj, double *ujj);
/* U = k0 (J ln J - J + 1) */
void tac_hyper_volume_log_product(double k0, const double *j, double *u, double *uj, double *ujj);
