/* Implicit time steps: velocities and accelerations at the end of a step are linear in the way d = u_next - u, and in velocity and
 * acceleration at its start. With them M a + (alpha M + beta K) v + R(u) = f becomes an equation for d alone, whose matrix is
 * of_mass M + of_stiffness K.
 *
 * Newmark's method (Barbic 2007, section 2.9):
 *     v_next = gamma / (beta h) d + (1 - gamma / beta) v + (1 - gamma / (2 beta)) h a
 *     a_next = d / (beta h^2) - v / (beta h) - (1 / (2 beta) - 1) a
 * Euler's implicit method: v_next = d / h, a_next = (v_next - v) / h. Any phase. */
#pragma once

typedef struct tacTimeStep {
  double v_way, v_velocity, v_acceleration; /* 1/s, 1, s */
  double a_way, a_velocity, a_acceleration; /* 1/s^2, 1/s, 1 */
} tacTimeStep;

static inline tacTimeStep tac_time_step_newmark(double h, double beta, double gamma) {
  return (tacTimeStep){.v_way = gamma / (beta * h),
                       .v_velocity = 1.0 - gamma / beta,
                       .v_acceleration = (1.0 - 0.5 * gamma / beta) * h,
                       .a_way = 1.0 / (beta * h * h),
                       .a_velocity = -1.0 / (beta * h),
                       .a_acceleration = 1.0 - 0.5 / beta};
}

static inline tacTimeStep tac_time_step_euler(double h) {
  return (tacTimeStep){.v_way = 1.0 / h, .a_way = 1.0 / (h * h), .a_velocity = -1.0 / h};
}

static inline double tac_time_step_velocity(const tacTimeStep *step, double way, double v, double a) {
  return step->v_way * way + step->v_velocity * v + step->v_acceleration * a;
}

static inline double tac_time_step_acceleration(const tacTimeStep *step, double way, double v, double a) {
  return step->a_way * way + step->a_velocity * v + step->a_acceleration * a;
}

/* With Rayleigh damping: alpha of the mass, 1/s; beta of the stiffness, s. */
static inline double tac_time_step_of_mass(const tacTimeStep *step, double alpha) {
  return step->a_way + step->v_way * alpha;
}

static inline double tac_time_step_of_stiffness(const tacTimeStep *step, double beta) {
  return 1.0 + step->v_way * beta;
}
