#include "scene/scene_rate.h"

#include <math.h>
#include "base/error.h"
#include "spec/text/scene_fields.h"

/* Relative tolerance for rates with few digits: 333.3 Hz is a third of 1 kHz. Possible rates differ by 1 % or more. */
static const double whole_tolerance = 1e-3, most_ticks = 100.0;

static const tacField rate_fields[] = {
    TAC_FIELD(tacSceneRate, simulate, TAC_QUANTITY(RATE, 0.0, 10000.0), TAC_REQUIRED),
};
const tacRecord tac_scene_rate_record = {TAC_TABLE("a rate", tacSceneRate, rate_fields)};

tacStatus tac_scene_rate_every(const tacSceneRate *rate, double servo, int *every, tacError *error) {
  double simulate = rate->simulate, ticks = servo / simulate, whole = round(ticks);
  *every = 1;
  if (simulate == 0.0) return TAC_OK;
  if (!(ticks <= most_ticks * (1.0 + whole_tolerance)) || !(simulate > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%g Hz is too slow: a step of the bodies may take at most %.0f ticks, so with the servo at "
                         "%g Hz use at least %g Hz, or 0 for the rate of the servo",
                         simulate, most_ticks, servo, servo / most_ticks);
  if (!(ticks >= 1.0 - whole_tolerance))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "%g Hz is faster than the servo (%g Hz); leave the rate out, or raise the servo's rate",
                         simulate, servo);
  if (!(fabs(ticks - whole) <= whole_tolerance * whole))
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "the servo's rate, %g Hz, is not a whole multiple of the bodies' rate, %g Hz; the nearest possible rates are "
        "%.4g Hz and %.4g Hz",
        servo, simulate, servo / ceil(ticks), servo / floor(ticks));
  *every = (int)whole;
  return TAC_OK;
}
