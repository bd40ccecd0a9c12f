#include "device/driver_info.h"

#include "math/geometry/vec3.h"

/* Above those of any device: whoever states more has no limit, or the wrong unit. */
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
  else if (info->force_limit > most_force)
    wrong = "force_limit must be at most 1e4 N";
  else if (info->torque_limit > most_torque)
    wrong = "torque_limit must be at most 1e4 N m";
  else if (info->stiffness_limit > most_stiffness)
    wrong = "stiffness_limit must be at most 1e6 N/m";
  else if (!isfinite(info->resolution) || info->resolution < 0.0)
    wrong = "resolution must be 0 (unknown) or positive";
  return wrong == NULL ? TAC_OK : tac_error_set(error, TAC_ERR_ARGUMENT, "%s: device info: %s", where, wrong);
}
