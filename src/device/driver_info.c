#include "device/driver_info.h"

#include "math/geometry/vec3.h"

/* Limits above those of any device. A driver that states more has no limit, or the wrong unit. */
static const double most_force = 1e4, most_torque = 1e4, most_stiffness = 1e6;

static bool positive(double value) {
  return isfinite(value) && value > 0.0;
}

tacStatus tac_driver_info_check(const char *where, tacDeviceInfo *info, tacError *error) {
  info->name[sizeof info->name - 1] = 0;
  const char *wrong = NULL;
  if (info->dof != 3 && info->dof != 6)
    wrong = "dof must be 3 or 6";
  else if (!tac_vec3_finite(info->workspace.lower) || !tac_vec3_finite(info->workspace.upper))
    wrong = "workspace must be finite";
  else if (!positive(info->force_limit))
    wrong = "force_limit must be positive";
  else if (info->dof == 6 ? !positive(info->torque_limit) : info->torque_limit != 0.0)
    wrong = "torque_limit must be positive for 6 dof and 0 for 3";
  else if (!positive(info->stiffness_limit))
    wrong = "stiffness_limit must be positive";
  else if (!isfinite(info->resolution) || info->resolution < 0.0)
    wrong = "resolution must be 0 (unknown) or positive";
  return wrong == NULL ? TAC_OK : tac_error_set(error, TAC_ERR_ARGUMENT, "%s: device info: %s", where, wrong);
}

tacStatus tac_driver_info_check_limits(const char *where, const tacDeviceInfo *info, tacError *error) {
  const char *wrong = info->force_limit > most_force           ? "force_limit must be at most 1e4 N"
                      : info->torque_limit > most_torque       ? "torque_limit must be at most 1e4 N m"
                      : info->stiffness_limit > most_stiffness ? "stiffness_limit must be at most 1e6 N/m"
                                                               : NULL;
  return wrong == NULL ? TAC_OK : tac_error_set(error, TAC_ERR_ARGUMENT, "%s: device info: %s", where, wrong);
}
