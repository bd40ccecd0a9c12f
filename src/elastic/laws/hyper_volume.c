/* Volumetric terms U(J) that hyperelastic laws share (elastic/laws/hyper_law.h). */
#include "elastic/laws/hyper_law.h"
#include "elastic/laws/jacobian_term.h"

#define DEFINE_VOLUME(term)                                                                      \
  TAC_LANES_BODY void term##_lanes(const int doubles, double k0, const double *restrict j,       \
                                   tacVolumeEnergy *restrict out) {                              \
    (void)doubles;                                                                               \
    for (int l = 0; l < TAC_HYPER_LANES; ++l) {                                                  \
      tacJacobianTerm at = tac_jacobian_##term(j[l]);                                            \
      out->u[l] = k0 * at.f;                                                                     \
      out->uj[l] = k0 * at.f1;                                                                   \
      out->ujj[l] = k0 * at.f2;                                                                  \
    }                                                                                            \
  }                                                                                              \
  TAC_LANES_KERNEL(static, term, (double k0, const double *j, tacVolumeEnergy *out), k0, j, out) \
  void tac_hyper_volume_##term(double k0, const double *j, tacVolumeEnergy *out) {               \
    term(k0, j, out);                                                                            \
  }

DEFINE_VOLUME(log_square)
DEFINE_VOLUME(log_product)
