#include "app/cli/report/run_limits.h"
#include "world/world_view.h"

#include <stdio.h>

typedef struct When {
  char text[80];
} When;

/* "in 12 % of the ticks", at least in one. */
static When when(const tacServoReport *servo, int64_t ticks) {
  When result;
  double share = servo->ticks > 0 ? 100.0 * (double)ticks / (double)servo->ticks : 0.0;
  snprintf(result.text, sizeof result.text,
           share < 0.1 ? "in less than 0.1 %% of the ticks" : "in %.2g %% of the ticks", share < 99.5 ? share : 100.0);
  return result;
}

static bool describe_error_estimate(const tacServoReport *servo, const tacServoErrorEstimate *error_estimate,
                                    const tacWorld *world, tacRunRemark *remark) {
  if (error_estimate->ticks == 0) return false;
  tacBodyId id = tac_world_body(world, error_estimate->body);
  const char *error_cause = tac_world_body_error_cause(world, id), *remedy = tac_world_body_remedy(world, id);
  char fine[64] = "";
  if (error_estimate->fine > 0.0)
    snprintf(fine, sizeof fine, "; below 10 %% for forces up to %.2g N", error_estimate->fine);
  snprintf(remark->name, sizeof remark->name, "%s", tac_world_body_name(world, id));
  snprintf(remark->text, sizeof remark->text, "%s %s, estimated model error up to %.*f %% (at %.3g s)%s%s%s",
           error_cause[0] != '\0' ? error_cause : "it is outside the valid range of its model",
           when(servo, error_estimate->ticks).text, error_estimate->worst < 0.1 ? 1 : 0, 100.0 * error_estimate->worst,
           (double)error_estimate->worst_tick * tac_world_period(world), remedy[0] != '\0' ? "; " : "", remedy, fine);
  remark->much = error_estimate->much > 0;
  return true;
}

static bool describe_limit(const tacServoReport *servo, const tacServoLimit *limit, int tool, const char *what,
                           const tacWorld *world, tacRunRemark *remark) {
  if (limit->ticks == 0) return false;
  snprintf(remark->name, sizeof remark->name, "%s", tac_world_tool_name(world, tool));
  snprintf(remark->text, sizeof remark->text, "%s %s, with up to %.3g N (at %.3g s)", what,
           when(servo, limit->ticks).text, limit->worst, (double)limit->worst_tick * tac_world_period(world));
  remark->much = false;
  return true;
}

/* Of two rates. */
static bool describe_left_out(const tacWorld *world, tacRunRemark *remark) {
  int most;
  int64_t steps = tac_world_left_out(world, &most);
  if (steps == 0) return false;
  snprintf(remark->name, sizeof remark->name, "contacts");
  snprintf(remark->text, sizeof remark->text,
           "after %lld steps of the bodies, the tools had up to %d contacts more than the %d that a tick handles; "
           "these carried no force until the next step; use a smaller `patch` in their contacts or `laws`, let tools "
           "touch fewer bodies at once, or remove `simulate`",
           (long long)steps, most, TAC_WORLD_MOST_LOCAL);
  remark->much = false;
  return true;
}

int tac_run_limits(const tacServoReport *servo, const tacWorld *world, tacRunRemark remarks[TAC_RUN_MOST_REMARKS]) {
  int count = 0;
  for (int i = 0; i < servo->error_estimate_count; ++i)
    count += describe_error_estimate(servo, &servo->error_estimates[i], world, &remarks[count]);
  for (int t = 0; t < tac_world_tool_count(world); ++t) {
    count += describe_limit(servo, &servo->force_limit[t], t, "requested more than the largest force of its device",
                            world, &remarks[count]);
    count += describe_limit(servo, &servo->coupling_limit[t], t,
                            "its coupling was saturated, so the body lagged behind the hand", world, &remarks[count]);
  }
  count += describe_left_out(world, &remarks[count]);
  return count;
}
