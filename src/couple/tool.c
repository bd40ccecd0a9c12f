#include "couple/tool.h"

#include <math.h>
#include "math/geometry/vec3.h"

tacPointToolDef tac_point_tool_def_default(void) {
  return (tacPointToolDef){0};
}

tacBodyToolDef tac_body_tool_def_default(void) {
  return (tacBodyToolDef){.coupling = TAC_COUPLING_STATIC,
                          .stiffness = 600.0,
                          .turn_stiffness = 0.5,
                          .static_damping = 0.5,
                          .speed_most = 1.0,
                          .turn_most = 10.0,
                          .mass = 0.1,
                          .damping_ratio = 1.0,
                          .jaw_angle = 0.5,
                          .jaw_time = 0.5,
                          .jaw_torque = 0.1};
}

tacPadToolDef tac_pad_tool_def_default(void) {
  return (tacPadToolDef){.radius = 6e-3,
                         .hold = TAC_PAD_STICK,
                         .friction = 0.5,
                         .approach = {0.0, 0.0, -1.0},
                         .stiffness = 600.0,
                         .turn_stiffness = 0.5,
                         .speed_most = 1.0,
                         .turn_most = 10.0};
}

bool tac_tool_input_good(const tacToolInput *input, bool point, tacQuat *turn) {
  *turn = tac_quat_of(input->orientation);
  bool turned = fabs(tac_quat_norm(*turn) - 1.0) < 1e-3;
  return tac_vec3_finite(input->position) && tac_vec3_norm(input->position) < 1e6 && (turned || point);
}

double tac_tool_input_grip(const tacToolInput *input) {
  return input->grab ? 1.0 : isfinite(input->grip) ? fmax(0.0, fmin(1.0, input->grip)) : 0.0;
}

bool tac_tool_output_finite(const tacToolOutput *o) {
  return tac_vec3_finite(o->force) && tac_vec3_finite(o->torque) && tac_vec3_finite(o->proxy) &&
         tac_vec3_finite(o->contact.at) && tac_vec3_finite(o->contact.normal) && isfinite(o->depth);
}
