#include "device/trajectory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/files/input_file.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "mesh/text/number_text.h"
#include "mesh/text/table_line.h"

struct tacTrajectory {
  int count; /* at least 1 */
  bool smooth;
  tacTrajectoryPoint *points;
};

static const double unit_tolerance = 1e-3;
/* Beyond these no difference or slope overflows. */
static const double time_most = 1e9, position_most = 1e6; /* s, m */
static const double time_step_least = 1e-9;               /* s */

/* What is wrong with a point after `last` (NULL: it is the first); "" where nothing is. */
typedef struct {
  char text[128];
} Complaint;

static Complaint check_point(const tacTrajectoryPoint *point, const tacTrajectoryPoint *last) {
  Complaint wrong = {""};
  double norm = tac_quat_norm(tac_quat_of(point->orientation));
  tacVec3 x = point->position;
  if (!(point->time >= 0.0 && point->time <= time_most))
    snprintf(wrong.text, sizeof wrong.text, "the time is %g s; it must be 0 to %g", point->time, time_most);
  else if (last != NULL && !(point->time - last->time >= time_step_least))
    snprintf(wrong.text, sizeof wrong.text, "time %.9g s does not follow %.9g s; times must increase", point->time,
             last->time);
  else if (!(fabs(x.x) <= position_most && fabs(x.y) <= position_most && fabs(x.z) <= position_most))
    snprintf(wrong.text, sizeof wrong.text,
             "the position (%g, %g, %g) m is out of range; it must be within %g m of "
             "the origin",
             x.x, x.y, x.z, position_most);
  else if (!(fabs(norm - 1.0) <= unit_tolerance))
    snprintf(wrong.text, sizeof wrong.text, "the orientation has length %.6g; it must be a unit quaternion (w x y z)",
             norm);
  return wrong;
}

/* Takes `points` over. */
static tacStatus make(int count, tacTrajectoryPoint *points, bool smooth, tacTrajectory **trajectory, tacError *error) {
  TAC_MEMORY(tacTrajectoryPoint, owned) = points;
  tacTrajectory *made = NULL;
  TAC_TRY(TAC_ARRAY(made, 1, "a trajectory", error));
  *made = (tacTrajectory){count, smooth, tac_give(&owned)};
  for (int i = 0; i < count; ++i) {
    double *q = points[i].orientation;
    tac_quat_put(tac_quat_normalise(tac_quat_of(q)), q);
  }
  *trajectory = made;
  return TAC_OK;
}

tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth, tacTrajectory **trajectory,
                                tacError *error) {
  TAC_REQUIRE(error, trajectory);
  *trajectory = NULL;
  TAC_REQUIRE(error, points);
  if (count < 1) return tac_error_set(error, TAC_ERR_ARGUMENT, "a trajectory needs at least one point");
  for (int i = 0; i < count; ++i) {
    Complaint wrong = check_point(&points[i], i > 0 ? &points[i - 1] : NULL);
    if (wrong.text[0] != 0)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "point %d of the trajectory: %s", i, wrong.text);
  }
  tacTrajectoryPoint *copy = tac_array_create((size_t)count, sizeof *copy, "points of a trajectory", error);
  if (copy == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) copy[i] = points[i];
  return make(count, copy, smooth, trajectory, error);
}

static const char columns[] = "t x y z [qw qx qy qz [buttons]]";

/* A line of 4, 8 or 9 columns, as many as the first line has (`count`, 0 before it). */
static tacStatus read_line(tacScanner *s, int *count, tacTableLine *line) {
  TAC_TRY(tac_table_line_read(s, line));
  if (*count == 0) *count = line->count;
  s->token = (const unsigned char *)line->columns[0].text; /* an error is in this line, not in the next */
  if (line->count != *count)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "this line has %d columns, but the first line has %d", line->count,
                            *count);
  if (*count != 4 && *count != 8 && *count != 9)
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "the line has %d columns; it must have %s", *count, columns);
  return TAC_OK;
}

static tacStatus check_head(tacScanner *s, const tacTableLine *line) {
  const char *names[] = {"t", "x", "y", "z", "qw", "qx", "qy", "qz", "buttons"};
  if (tac_word_is_nocase(line->columns[0], "time")) names[0] = "time";
  return tac_table_line_check_head(s, line, names);
}

static tacStatus read_row(tacScanner *s, const tacTableLine *line, tacTrajectoryPoint *point) {
  static const char *const names[] = {"the time t, s",
                                      "x, m",
                                      "y, m",
                                      "z, m",
                                      "qw of the orientation",
                                      "qx of the orientation",
                                      "qy of the orientation",
                                      "qz of the orientation"};
  double value[8] = {0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
  int64_t buttons = 0;
  for (int i = 0; i < line->count && i < 8; ++i) TAC_TRY(tac_table_line_double(s, line, i, names[i], &value[i]));
  tacWord last = line->columns[8];
  if (line->count == 9 &&
      (!tac_number_text_integer(last.text, last.length, &buttons) || buttons < 0 || buttons > UINT32_MAX))
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the buttons, a whole number from 0 to %u, found %s",
                            UINT32_MAX, tac_word_quote(s, last).text);
  *point = (tacTrajectoryPoint){.time = value[0],
                                .position = tac_vec3(value[1], value[2], value[3]),
                                .orientation = {value[4], value[5], value[6], value[7]},
                                .buttons = (uint32_t)buttons};
  return TAC_OK;
}

static tacStatus read_rows(tacScanner *s, tacTrajectoryPoint **points, size_t *room, size_t *count) {
  int width = 0;
  while (!tac_scanner_at_end(s)) {
    tacTableLine line;
    bool first = width == 0;
    TAC_TRY(read_line(s, &width, &line));
    if (first && tac_table_line_is_head(&line)) {
      TAC_TRY(check_head(s, &line));
      continue;
    }
    if (*count == INT_MAX) return tac_scanner_fail(s, TAC_ERR_UNSUPPORTED, "the file has more than %d rows", INT_MAX);
    TAC_TRY(tac_array_reserve((void **)points, room, *count + 1, sizeof **points, "points of a trajectory", s->error));
    tacTrajectoryPoint *point = *points + *count;
    TAC_TRY(read_row(s, &line, point));
    Complaint wrong = check_point(point, *count > 0 ? point - 1 : NULL);
    if (wrong.text[0] != 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "%s", wrong.text);
    ++*count;
  }
  return *count > 0 ? TAC_OK
                    : tac_scanner_fail(s, TAC_ERR_FORMAT, "the file has no rows; it must contain lines of %s", columns);
}

tacStatus tac_trajectory_parse(const char *name, const unsigned char *bytes, size_t size, tacTrajectory **trajectory,
                               tacError *error) {
  *trajectory = NULL;
  tacScanner scanner = tac_scanner_begin(name, bytes, size, error);
  scanner.comment = '#';
  scanner.by_line = true;
  tacTrajectoryPoint *points = NULL;
  size_t room = 0, count = 0;
  tacStatus status = read_rows(&scanner, &points, &room, &count);
  if (status == TAC_OK) return make((int)count, points, true, trajectory, error);
  free(points);
  return status;
}

tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error) {
  TAC_REQUIRE(error, trajectory);
  *trajectory = NULL;
  TAC_REQUIRE(error, path);
  TAC_FREED(tac_input_file_free, tacInputFile, file) = {0};
  TAC_TRY(tac_input_file_read(path, TAC_INPUT_PATH, &file, error));
  return tac_trajectory_parse(path, file.bytes, file.size, trajectory, error);
}

void tac_trajectory_destroy(tacTrajectory *trajectory) {
  if (trajectory == NULL) return;
  free(trajectory->points);
  free(trajectory);
}

double tac_trajectory_duration(const tacTrajectory *trajectory) {
  return trajectory != NULL ? trajectory->points[trajectory->count - 1].time : 0.0;
}

tacBox tac_trajectory_bounds(const tacTrajectory *trajectory) {
  tacBox box = tac_box_empty();
  for (int i = 0; i < trajectory->count; ++i) box = tac_box_add(box, trajectory->points[i].position);
  return box;
}

static tacQuat orientation_of(const tacTrajectoryPoint *point) {
  return tac_quat_of(point->orientation);
}

tacStatus tac_trajectory_check_closed(const tacTrajectory *trajectory, tacError *error) {
  const tacTrajectoryPoint *first = &trajectory->points[0], *last = &trajectory->points[trajectory->count - 1];
  double apart = tac_vec3_distance(first->position, last->position);
  double turned = tac_vec3_norm(
      tac_quat_to_rotation_vector(tac_quat_mul(orientation_of(last), tac_quat_conjugate(orientation_of(first)))));
  if (!(last->time > 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a repeated trajectory must last longer than 0 s");
  if (apart > 1e-6 || turned > 1e-3)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a repeated trajectory must end where it starts, but its ends are %.3g m and %.3g rad apart",
                         apart, turned);
  return TAC_OK;
}

double tac_trajectory_wrap(const tacTrajectory *trajectory, bool repeats, double time) {
  return repeats ? fmod(time, tac_trajectory_duration(trajectory)) : time;
}

/* Catmull-Rom's slope at point i, m/s: along the chord of its neighbours. Zero at both ends, where the trajectory rests. */
static tacVec3 slope(const tacTrajectory *trajectory, int i) {
  if (i == 0 || i == trajectory->count - 1) return tac_vec3(0.0, 0.0, 0.0);
  const tacTrajectoryPoint *a = &trajectory->points[i - 1], *b = &trajectory->points[i + 1];
  return tac_vec3_scale(1.0 / (b->time - a->time), tac_vec3_sub(b->position, a->position));
}

/* The shortest rotation vector from point i to the next. */
static tacVec3 turn_after(const tacTrajectory *trajectory, int i) {
  const tacTrajectoryPoint *a = &trajectory->points[i];
  return tac_quat_to_rotation_vector(tac_quat_mul(orientation_of(a + 1), tac_quat_conjugate(orientation_of(a))));
}

/* Likewise of the orientation, rad/s: both turns, since the turn from one neighbour to the other may be more than
 * half. */
static tacVec3 spin_at(const tacTrajectory *trajectory, int i) {
  if (i == 0 || i == trajectory->count - 1) return tac_vec3(0.0, 0.0, 0.0);
  const tacTrajectoryPoint *point = &trajectory->points[i];
  return tac_vec3_scale(1.0 / (point[1].time - point[-1].time),
                        tac_vec3_add(turn_after(trajectory, i - 1), turn_after(trajectory, i)));
}

/* Hermite's cubic for rotations, in Bezier's form (Kim, Kim and Shin 1995): turns by parts of three rotation vectors,
 * the first and the last along the spins at both ends. The spin is continuous; about a fixed axis it is the cubic of
 * the angle. */
static void turn_smoothly(const tacTrajectory *trajectory, int i, double span, double t, tacTrajectoryMotion *motion) {
  tacQuat from = orientation_of(&trajectory->points[i]), to = orientation_of(&trajectory->points[i + 1]);
  tacVec3 first = tac_vec3_scale(span / 3.0, spin_at(trajectory, i));
  tacVec3 last = tac_vec3_scale(span / 3.0, spin_at(trajectory, i + 1));
  tacQuat begin = tac_quat_mul(tac_quat_from_rotation_vector(first), from);
  tacQuat end = tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(-1.0, last)), to);
  tacVec3 middle = tac_quat_to_rotation_vector(tac_quat_mul(end, tac_quat_conjugate(begin)));
  /* The longer way round where the parts of an axis that is fixed would be that. */
  tacVec3 expected = tac_vec3_sub(turn_after(trajectory, i), tac_vec3_add(first, last));
  tacVec3 other = tac_vec3_mad(middle, -2.0 * 3.14159265358979323846, tac_vec3_unit(middle));
  if (tac_vec3_distance(other, expected) < tac_vec3_distance(middle, expected)) middle = other;
  double u = 1.0 - t;
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3_scale(1.0 - u * u * u, first));
  tacVec3 spin = tac_vec3_scale(3.0 * u * u, first);
  tacQuat next = tac_quat_from_rotation_vector(tac_vec3_scale(t * t * (3.0 - 2.0 * t), middle));
  turn = tac_quat_mul(next, turn);
  spin = tac_vec3_mad(tac_quat_rotate(next, spin), 6.0 * t * u, middle);
  next = tac_quat_from_rotation_vector(tac_vec3_scale(t * t * t, last));
  turn = tac_quat_mul(next, turn);
  spin = tac_vec3_mad(tac_quat_rotate(next, spin), 3.0 * t * t, last);
  motion->orientation = tac_quat_normalise(tac_quat_mul(turn, from));
  motion->spin = tac_vec3_scale(1.0 / span, spin);
}

void tac_trajectory_motion(const tacTrajectory *trajectory, double time, tacTrajectoryMotion *motion) {
  int low = -1, high = trajectory->count; /* time[low] <= time < time[high]; not a number: the start */
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (trajectory->points[middle].time <= time)
      low = middle;
    else
      high = middle;
  }
  const tacTrajectoryPoint *a = &trajectory->points[low < 0 ? 0 : low];
  *motion = (tacTrajectoryMotion){
      .position = a->position, .orientation = orientation_of(a), .buttons = low < 0 ? 0u : a->buttons};
  if (low < 0 || high == trajectory->count) return;
  const tacTrajectoryPoint *b = a + 1;
  double span = b->time - a->time, t = (time - a->time) / span;
  tacVec3 chord = tac_vec3_sub(b->position, a->position);
  if (trajectory->smooth) { /* Hermite's cubic: p = a + h01 chord + span (h10 m0 + h11 m1) */
    tacVec3 m0 = slope(trajectory, low), m1 = slope(trajectory, high);
    double h01 = t * t * (3.0 - 2.0 * t), h10 = t * (1.0 - t) * (1.0 - t), h11 = t * t * (t - 1.0);
    tacVec3 curve = tac_vec3_add(tac_vec3_scale(h10, m0), tac_vec3_scale(h11, m1));
    motion->position = tac_vec3_add(tac_vec3_mad(a->position, h01, chord), tac_vec3_scale(span, curve));
    tacVec3 speed = tac_vec3_scale(6.0 * t * (1.0 - t) / span, chord);
    speed = tac_vec3_mad(speed, (1.0 - t) * (1.0 - 3.0 * t), m0);
    motion->velocity = tac_vec3_mad(speed, t * (3.0 * t - 2.0), m1);
    turn_smoothly(trajectory, low, span, t, motion);
  } else {
    motion->position = tac_vec3_mad(a->position, t, chord);
    motion->velocity = tac_vec3_scale(1.0 / span, chord);
    motion->orientation = tac_quat_slerp(orientation_of(a), orientation_of(b), t);
    motion->spin = tac_vec3_scale(1.0 / span, turn_after(trajectory, low));
  }
}

void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity) {
  if (trajectory == NULL || state == NULL) return;
  tacTrajectoryMotion motion;
  tac_trajectory_motion(trajectory, time, &motion);
  tacQuat q = motion.orientation;
  *state =
      (tacDeviceState){.position = motion.position, .orientation = {q.w, q.x, q.y, q.z}, .buttons = motion.buttons};
  if (velocity != NULL) *velocity = motion.velocity;
}
