#include "servo/force_limits.h"

tacVec3 tac_force_limits_cut(tacVec3 a, double length) {
  if (!tac_vec3_finite(a)) return tac_vec3(0.0, 0.0, 0.0);
  double most = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
  if (most == 0.0) return a;
  tacVec3 scaled = tac_vec3_scale(1.0 / most, a);               /* squares of `scaled` do not overflow */
  if (!tac_vec3_finite(scaled)) return tac_vec3(0.0, 0.0, 0.0); /* 1 / `most` overflows */
  double norm = tac_vec3_norm(scaled);
  return norm * most > length ? tac_vec3_scale(length / norm, scaled) : a;
}

static bool differs(tacVec3 a, tacVec3 b) {
  return a.x != b.x || a.y != b.y || a.z != b.z;
}

static void apply(double length, double change, tacVec3 *last, tacVec3 *value, bool *limited_length,
                  bool *limited_rate) {
  tacVec3 cut = tac_force_limits_cut(*value, length);
  if (differs(cut, *value)) *limited_length = true;
  tacVec3 step = tac_vec3_sub(cut, *last);
  if (tac_vec3_norm(step) > change) { /* `last` and `cut` are within the length limit, so the result is, too */
    *limited_rate = true;
    cut = tac_vec3_add(*last, tac_force_limits_cut(step, change));
  }
  *last = *value = cut;
}

void tac_force_limits_apply(tacForceLimits *limits, tacVec3 motion, tacVec3 turn, tacVec3 *force, tacVec3 *torque,
                            bool *limited_length, bool *limited_rate) {
  double lever = limits->torque / limits->force;
  double moved = tac_vec3_norm(motion) + lever * tac_vec3_norm(turn);
  double change = limits->step + (isfinite(moved) ? limits->stiffness * fmin(moved, limits->motion) : 0.0);
  apply(limits->force, change, &limits->last_force, force, limited_length, limited_rate);
  if (limits->torque > 0.0)
    apply(limits->torque, lever * change, &limits->last_torque, torque, limited_length, limited_rate);
  else
    *torque = tac_vec3(0.0, 0.0, 0.0);
}
