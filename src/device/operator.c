#include "device/operator.h"
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "device/driver_info.h"
#include "device/handle.h"
#include "device/trajectory.h"
#include "math/random.h"

/* The handle, of mass M = device + hand, under hand, damping, friction and rendered force f:
 *
 *   M x'' = k_h (p - x) + b_h (p' - x') - b_d x' - friction + f
 *
 * In a substep f and friction are constant and the path p is a line between its ends; then e = x - p obeys
 * M e'' + (b_h + b_d) e' + k_h e = g with constant g = f - friction - b_d p', which is solved exactly (device/handle.h): the
 * scheme is stable for every stiffness, exact for straight paths, and of second order for curved ones. Rotations likewise,
 * with e the rotation vector from path to handle: exact about a fixed axis.
 *
 * Coulomb friction points against the velocity at the start of a substep. A handle that it turns round within the substep
 * has stopped, and one at rest stays there while the other forces are below the friction: no chatter, no creep. */
typedef struct {
  tacOperatorDef def;
  tacTrajectory *path;
  double period, substep;
  int substeps;
  tacHandle linear, angular;
  int64_t tick; /* of the next read */
  tacVec3 x, v; /* m, m/s */
  tacQuat q;
  tacVec3 w;             /* rad/s */
  tacVec3 force, torque; /* held */
  double work;           /* J, by the hand on the world */
  tacRandom random;      /* of the noise */
} Operator;

TAC_OWNED_TYPE(tacTrajectory, tac_trajectory_destroy)

/* The force of friction at the start of a substep. `sticks`: the handle does not move in it. */
static tacVec3 friction(const Operator *o, tacVec3 path, tacVec3 path_velocity, bool *sticks) {
  const tacOperatorDef *d = &o->def;
  *sticks = false;
  if (d->device_friction == 0.0) return tac_vec3(0.0, 0.0, 0.0);
  if (tac_vec3_norm2(o->v) > 0.0) return tac_vec3_scale(-d->device_friction, tac_vec3_unit(o->v));
  tacVec3 load = tac_vec3_mad(o->force, d->hand_stiffness, tac_vec3_sub(path, o->x));
  load = tac_vec3_mad(load, d->hand_damping, path_velocity);
  *sticks = tac_vec3_norm(load) <= d->device_friction;
  return tac_vec3_scale(-d->device_friction, tac_vec3_unit(load));
}

static void move(Operator *o, tacVec3 from, tacVec3 to) {
  tacVec3 speed = tac_vec3_scale(1.0 / o->substep, tac_vec3_sub(to, from));
  bool sticks;
  tacVec3 drag = friction(o, from, speed, &sticks);
  if (sticks) return;
  tacVec3 g = tac_vec3_mad(tac_vec3_add(o->force, drag), -o->def.device_damping, speed);
  tacVec3 e = tac_vec3_sub(o->x, from), de = tac_vec3_sub(o->v, speed);
  tac_handle_advance(&o->linear, g, &e, &de);
  tacVec3 x = tac_vec3_add(to, e), v = tac_vec3_add(speed, de);
  if (o->def.device_friction > 0.0 && tac_vec3_dot(v, drag) > 0.0 && tac_vec3_dot(o->v, drag) < 0.0)
    v = tac_vec3(0.0, 0.0, 0.0);
  /* The force is constant in the substep: its work is exactly force times way. */
  o->work -= tac_vec3_dot(o->force, tac_vec3_sub(x, o->x));
  o->x = x;
  o->v = v;
}

static void turn(Operator *o, tacQuat from, tacQuat to) {
  tacVec3 spin =
      tac_vec3_scale(1.0 / o->substep, tac_quat_to_rotation_vector(tac_quat_mul(to, tac_quat_conjugate(from))));
  tacVec3 before = tac_quat_to_rotation_vector(tac_quat_mul(o->q, tac_quat_conjugate(from)));
  tacVec3 e = before, de = tac_vec3_sub(o->w, spin);
  tac_handle_advance(&o->angular, o->torque, &e, &de);
  tacVec3 way = tac_vec3_mad(tac_vec3_sub(e, before), o->substep, spin);
  o->w = tac_vec3_add(spin, de);
  o->q = tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(way), o->q));
  o->work -= tac_vec3_dot(o->torque, way);
}

static void advance(Operator *o) {
  double start = (double)(o->tick - 1) * o->period;
  tacTrajectoryMotion from, to;
  tac_trajectory_motion(o->path, tac_trajectory_wrap(o->path, o->def.repeats, start), &from);
  for (int i = 1; i <= o->substeps; ++i) {
    tac_trajectory_motion(o->path, tac_trajectory_wrap(o->path, o->def.repeats, start + i * o->substep), &to);
    move(o, from.position, to.position);
    if (o->def.info.dof == 6) turn(o, from.orientation, to.orientation);
    from = to;
  }
  if (o->def.info.dof != 6) o->q = to.orientation; /* nothing resists */
}

static double encode(double x, double resolution) {
  return resolution > 0.0 ? round(x / resolution) * resolution : x;
}

static tacDeviceHealth operator_read(void *self, tacDeviceState *state) {
  Operator *o = self;
  if (o->tick > 0) advance(o);
  double time = (double)o->tick++ * o->period, resolution = o->def.info.resolution;
  tacTrajectoryMotion path;
  tac_trajectory_motion(o->path, tac_trajectory_wrap(o->path, o->def.repeats, time), &path);
  tacVec3 x = o->x;
  if (o->def.noise > 0.0) x = tac_vec3_add(x, tac_random_in_cube(&o->random, o->def.noise));
  *state =
      (tacDeviceState){.position = tac_vec3(encode(x.x, resolution), encode(x.y, resolution), encode(x.z, resolution)),
                       .orientation = {o->q.w, o->q.x, o->q.y, o->q.z},
                       .buttons = path.buttons};
  return o->def.repeats || time < tac_trajectory_duration(o->path) ? TAC_DEVICE_FINE : TAC_DEVICE_DONE;
}

static void operator_write(void *self, tacVec3 force, tacVec3 torque) {
  Operator *o = self;
  o->force = tac_handle_cut(force, o->def.info.force_limit);
  o->torque = tac_handle_cut(torque, o->def.info.torque_limit);
}

static void operator_close(void *self) {
  Operator *o = self;
  tac_trajectory_destroy(o->path);
  free(o);
}

static const tacDeviceDriver operator_driver = {.abi = TAC_DEVICE_ABI,
                                                .name = "operator",
                                                .summary = "a simulated hand and device in closed loop",
                                                .close = operator_close,
                                                .read = operator_read,
                                                .write = operator_write};

double tac_device_operator_work(const tacDevice *device) {
  return device->driver == &operator_driver ? ((const Operator *)device->self)->work : 0.0;
}

enum { MOST_SUBSTEPS = 10000 };

static tacStatus check_def(tacOperatorDef *def, double period, tacError *error) {
  const struct {
    const char *name;
    double value;
    bool positive; /* else zero is allowed */
  } fields[] = {{"device_mass", def->device_mass, false},
                {"device_damping", def->device_damping, false},
                {"device_friction", def->device_friction, false},
                {"device_inertia", def->device_inertia, def->info.dof == 6},
                {"hand_mass", def->hand_mass, false},
                {"hand_damping", def->hand_damping, false},
                {"hand_stiffness", def->hand_stiffness, false},
                {"hand_rotational_stiffness", def->hand_rotational_stiffness, false},
                {"hand_rotational_damping", def->hand_rotational_damping, false},
                {"noise", def->noise, false},
                {"substep", def->substep, true},
                {"device_mass + hand_mass", def->device_mass + def->hand_mass, true},
                {"period", period, true}};
  TAC_TRY(tac_driver_info_check("operator", &def->info, error));
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    if (!isfinite(fields[i].value) || fields[i].value < 0.0 || (fields[i].positive && fields[i].value == 0.0))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "operator: %s is %g; it must be finite and %s", fields[i].name,
                           fields[i].value, fields[i].positive ? "positive" : "not negative");
  if (period / def->substep > MOST_SUBSTEPS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "operator: substep is %g s; it must be at least period / %d = %g s",
                         def->substep, MOST_SUBSTEPS, period / MOST_SUBSTEPS);
  return TAC_OK;
}

tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period, tacDevice *device,
                                   tacError *error) {
  TAC_OWN(tacTrajectory, owned) = path;
  TAC_REQUIRE(error, device);
  *device = (tacDevice){0};
  TAC_REQUIRE(error, def, path);
  tacOperatorDef chosen = *def;
  TAC_TRY(check_def(&chosen, period, error));
  if (chosen.repeats) TAC_TRY(tac_trajectory_check_closed(path, error));
  TAC_MEMORY(Operator, o) = NULL;
  TAC_TRY(TAC_ARRAY(o, 1, "an operator", error));
  int substeps = (int)ceil(period / chosen.substep * (1.0 - 1e-9));
  *o = (Operator){.def = chosen, .path = path, .period = period, .substeps = substeps > 0 ? substeps : 1};
  o->substep = period / o->substeps;
  o->linear = tac_handle_make(chosen.device_mass + chosen.hand_mass, chosen.hand_damping + chosen.device_damping,
                              chosen.hand_stiffness, o->substep);
  if (chosen.info.dof == 6)
    o->angular = tac_handle_make(chosen.device_inertia, chosen.hand_rotational_damping,
                                 chosen.hand_rotational_stiffness, o->substep);
  if (!tac_handle_finite(&o->linear) || !tac_handle_finite(&o->angular))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "operator: the masses are too small for the stiffness and damping, and the motion "
                         "overflows; use larger masses");
  tac_give(&owned); /* it is the operator's */
  tacTrajectoryMotion start;
  tac_trajectory_motion(path, 0.0, &start);
  o->x = start.position;
  o->random = tac_random_seed(1);
  o->q = start.orientation;
  device->driver = &operator_driver;
  device->self = tac_give(&o);
  device->info = chosen.info;
  return TAC_OK;
}
