#include "elastic/laws/hyper_volume.h"

#include "base/lanes.h"
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

TAC_LANES_BODY void log_square_lanes(const int doubles, double k0, const double *restrict j, double *restrict u,
                                     double *restrict uj, double *restrict ujj) {
  (void)doubles;
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm term = tac_jacobian_log_square(j[l]);
    u[l] = k0 * term.f;
    uj[l] = k0 * term.f1;
    ujj[l] = k0 * term.f2;
  }
}
TAC_LANES_KERNEL(static, log_square, (double k0, const double *j, double *u, double *uj, double *ujj), k0, j, u, uj,
                 ujj)

TAC_LANES_BODY void log_product_lanes(const int doubles, double k0, const double *restrict j, double *restrict u,
                                      double *restrict uj, double *restrict ujj) {
  (void)doubles;
  for (int l = 0; l < TAC_HYPER_LANES; ++l) {
    tacJacobianTerm term = tac_jacobian_log_product(j[l]);
    u[l] = k0 * term.f;
    uj[l] = k0 * term.f1;
    ujj[l] = k0 * term.f2;
  }
}
TAC_LANES_KERNEL(static, log_product, (double k0, const double *j, double *u, double *uj, double *ujj), k0, j, u, uj,
                 ujj)

void tac_hyper_volume_log_square(double k0, const double *j, double *u, double *uj, double *ujj) {
  log_square(k0, j, u, uj, ujj);
}

void tac_hyper_volume_log_product(double k0, const double *j, double *u, double *uj, double *ujj) {
  log_product(k0, j, u, uj, ujj);
}
