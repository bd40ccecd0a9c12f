#include "collide/traversal_cost.h"

#include <stdlib.h>
#include "asset/distance_field.h"
#include "base/clock.h"
#include "math/geometry/vec3.h"

#define MEASURE_NS 20000000
#define ELSEWHERE ((size_t)4 << 20) /* size of memory that exceeds the caches of a core, bytes */

static const tacPointshellView *view_of(const tacShellTraversal *t) {
  return tac_pointshell_view(tac_shell_traversal_shell(t));
}

typedef struct {
  double visited, contacts, seconds;
} Measured;

static Measured measure_run(tacShellTraversal *t, tacContactField *field, const tacShellPose *pose,
                            const tacTraversalLimits *limits) {
  const tacShellContact *contacts;
  int64_t begin = tac_clock_thread();
  tacTraversalReport report = tac_shell_traversal_run(t, field, pose, limits, &contacts);
  return (Measured){report.visited - report.copied, report.contact_count,
                    tac_clock_seconds(tac_clock_thread() - begin)};
}

/* Moves the shell toward the field until the field value at the shell's centre is at most 0.3 times the shell's
 * radius. */
static tacShellPose bring_near(const tacShellTraversal *t, const tacContactField *field, tacShellPose pose) {
  for (int i = 0; i < 4; ++i) {
    tacVec3 centre = tac_vec3_add(tac_mat3_mul_vec(pose.rotation, view_of(t)->centre), pose.translation), gradient;
    double value = 0.0;
    if (field->deformed == NULL) {
      value = tac_distance_field_gradient(field->field, centre, &gradient);
    } else {
      tacDeformedAnswer answer = tac_deformed_pose_gradient(field->deformed, centre, NULL);
      value = answer.value;
      gradient = answer.gradient;
    }
    double beyond = value - 0.3 * view_of(t)->radius;
    if (!(beyond > 0.0) || !isfinite(beyond)) break;
    pose.translation = tac_vec3_mad(pose.translation, -beyond, tac_vec3_unit(gradient));
  }
  return pose;
}

/* Fits seconds - base = node * visited + contact * contacts by least squares with non-negative coefficients. */
static void fit(int count, const Measured *runs, tacTraversalCost *cost) {
  double vv = 0.0, vc = 0.0, cc = 0.0, vs = 0.0, cs = 0.0;
  for (int i = 0; i < count; ++i) {
    vv += runs[i].visited * runs[i].visited;
    vc += runs[i].visited * runs[i].contacts;
    cc += runs[i].contacts * runs[i].contacts;
    vs += runs[i].visited * fmax(runs[i].seconds - cost->base, 0.0);
    cs += runs[i].contacts * fmax(runs[i].seconds - cost->base, 0.0);
  }
  double determinant = vv * cc - vc * vc;
  bool both = determinant > 1e-3 * vv * cc;
  cost->contact = both ? (vv * cs - vc * vs) / determinant : 0.0;
  cost->node = both ? (cc * vs - vc * cs) / determinant : 0.0;
  if (!both || cost->contact < 0.0 || cost->node <= 0.0) {
    cost->contact = 0.0;
    cost->node = vv > 0.0 ? vs / vv : 0.0;
  }
  cost->node = fmax(cost->node, 1e-9); /* lower limit, in case the clock is too coarse to measure a run */
}

/* Evicts the data of the traversal from the caches, as other code does between ticks. Without this step the measured
 * times would be too short. */
static void cool_caches(volatile unsigned char *elsewhere) {
  for (size_t i = 0; elsewhere != NULL && i < ELSEWHERE; i += 64) elsewhere[i] = (unsigned char)(elsewhere[i] + 1);
}

/* Moves the shell away from contact. Tries six directions, since a half space extends to infinity in some
 * directions. */
static tacShellPose bring_far(const tacShellTraversal *t, const tacContactField *field, tacShellPose pose) {
  const double way = 1e3 * view_of(t)->radius + 1.0;
  tacVec3 from = pose.translation;
  double most = -INFINITY;
  for (int side = 0; side < 6; ++side) {
    double sign = side < 3 ? way : -way;
    tacVec3 to = tac_vec3_add(
        from, tac_vec3(side % 3 == 0 ? sign : 0.0, side % 3 == 1 ? sign : 0.0, side % 3 == 2 ? sign : 0.0));
    double value = field->field != NULL ? tac_distance_field_value(field->field, to) : 0.0;
    if (!(value > most)) continue;
    most = value;
    pose.translation = to;
  }
  return pose;
}

tacTraversalCost tac_traversal_cost_measure(tacShellTraversal *t, tacContactField *field, const tacShellPose *pose) {
  enum { MOST_RUNS = 256, LEAST_RUNS = 8 };
  /* NULL if out of memory: the measured times are then slightly too short */
  unsigned char *elsewhere = calloc(1, ELSEWHERE);
  Measured runs[MOST_RUNS];
  tacTraversalLimits limits = tac_traversal_limits_none();
  limits.cost = 20000.0; /* limits the time of a run */
  tacTraversalCost cost = {.base = INFINITY};
  tacShellPose far = bring_far(t, field, *pose), near = bring_near(t, field, *pose);
  const double radius = view_of(t)->radius;
  for (int i = 0; i < 8; ++i) { /* from the second run on, all nodes are skipped */
    double seconds = measure_run(t, field, &far, &limits).seconds;
    if (i > 0 && seconds < cost.base) cost.base = seconds;
  }
  int count = 0;
  for (int64_t end = tac_clock_now() + MEASURE_NS;
       count < MOST_RUNS && (count < LEAST_RUNS || tac_clock_now() < end);) {
    tacShellPose moved = near; /* the pose changes in small steps, as in a simulation */
    tacVec3 way = {sin(0.07 * count), sin(0.05 * count + 1.0), sin(0.03 * count + 2.0)};
    moved.translation = tac_vec3_mad(moved.translation, 0.3 * radius, way);
    tac_shell_traversal_reset(t); /* makes the next run visit all nodes */
    cool_caches(elsewhere);
    runs[count++] = measure_run(t, field, &moved, &limits);
  }
  free(elsewhere);
  fit(count, runs, &cost);
  tac_shell_traversal_reset(t);
  return cost;
}
