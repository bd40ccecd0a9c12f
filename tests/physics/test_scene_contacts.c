/* Scenes with distributed contact, made small: traversals, forces and gradients of their pairs at random, and their own hands.
 * TACTUS_TEST_ALL has the hands of the scenes as they are, all of their paths. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "physics/played_scene.h"
#include "physics/random_pair.h"
#include "physics/small_scene.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

enum { MOST_CONTACTS = 4000, MOST_UNKNOWNS = 12 + 2 * 32, SOME = 150 /* contacts whose gradients are looked at */ };

static char folder[256];
static tacError error;

/* ---- the traversal ---- */

/* With what it remembers from pose to pose it finds what is found without a tree, to the last bit. */
static void check_traversal(Pair *p, const char *name, int poses) {
  static tacShellContact all[MOST_CONTACTS];
  long contacts = 0, touching = 0;
  double turn;
  for (int i = 0; i < poses; ++i) {
    if (i % 50 == 0)
      jump(p);
    else
      walk(p, i % 5 == 0 ? 0.01 : 0.001, &turn);
    const tacShellContact *found;
    int count = find_contacts(p, &found);
    tacShellPose pose = pose_of(p);
    int wanted = tac_shell_exhaustive(p->points, &p->at, &pose, 99, MOST_CONTACTS, all);
    ck_assert_msg(count == wanted, "%s, pose %d: %d contacts of %d", name, i, count, wanted);
    bool same = true; /* one check for all: each one writes a file */
    for (int c = 0; c < count; ++c)
      same = same && found[c].point == all[c].point && memcmp(&found[c].depth, &all[c].depth, sizeof(double)) == 0;
    ck_assert_msg(same, "%s, pose %d: other contacts", name, i);
    contacts += count;
    touching += count > 0;
  }
  ck_assert_msg(touching > poses / 4, "%s: contact in %ld poses of %d", name, touching, poses);
  tac_test_tell("%s: contact in %ld poses of %d, %.0f points\n", name, touching, poses, (double)contacts / touching);
}

/* ---- forces ---- */

typedef struct Forces {
  tacWrench on_shell, on_field; /* about their own origins */
} Forces;

static tacPenaltyPoint points[MOST_CONTACTS];
static tacContactSpring springs[MOST_CONTACTS];

/* Where the shell's points are, as the pair has it: place, normal, depth. False where it is not inside. */
static tacPenaltyPoint place_point(const Pair *p, int point) {
  double rest[3] = {(double)p->view->nodes[p->view->level_count - 1][point].x,
                    (double)p->view->nodes[p->view->level_count - 1][point].y,
                    (double)p->view->nodes[p->view->level_count - 1][point].z};
  double normal[3];
  for (int axis = 0; axis < 3; ++axis) {
    normal[axis] = (double)p->view->normals[point][axis];
    size_t row = ((size_t)point * 3 + (size_t)axis) * (size_t)p->view->stride;
    for (int j = 0; j < p->shell.r; ++j) {
      rest[axis] += (double)p->view->displacements[row + (size_t)j] * p->shell.q[j];
      normal[axis] += (double)p->view->normal_changes[row + (size_t)j] * p->shell.q[j];
    }
  }
  tacPenaltyPoint at = {
      .steep = 1.0,
      .at = to_world(&p->shell, tac_vec3(rest[0], rest[1], rest[2])),
      .normal = tac_quat_rotate(p->shell.orientation, tac_vec3_unit(tac_vec3(normal[0], normal[1], normal[2])))};
  tacVec3 x = tac_quat_rotate(tac_quat_conjugate(p->field.orientation), tac_vec3_sub(at.at, p->field.position));
  at.depth =
      -(p->at.deformed != NULL ? tac_deformed_pose_value(p->at.deformed, x) : tac_distance_field_value(p->at.field, x));
  int finest = p->view->level_count - 1;
  at.weight = (double)p->view->areas[finest][point] * p->view->sizes[finest] / tac_pointshell_surface_area(p->points);
  return at;
}

static Forces sum_forces(const Pair *p, int count) {
  Forces f = {0};
  tac_penalty_evaluate(&p->penalty, count, points, springs, NULL);
  for (int i = 0; i < count; ++i) {
    tacVec3 force = springs[i].force;
    f.on_shell.force = tac_vec3_add(f.on_shell.force, force);
    f.on_shell.torque =
        tac_vec3_add(f.on_shell.torque, tac_vec3_cross(tac_vec3_sub(points[i].at, p->shell.position), force));
    f.on_field.torque =
        tac_vec3_sub(f.on_field.torque, tac_vec3_cross(tac_vec3_sub(points[i].at, p->field.position), force));
  }
  f.on_field.force = tac_vec3_scale(-1.0, f.on_shell.force);
  return f;
}

/* How fast the force of this moment may change: N a metre that anything moves, and a radian that normals turn (penalty.h). */
typedef struct Rates {
  double by_way, by_turn, lever;
} Rates;

static Forces forces_here(Pair *p, Rates *rates) {
  const tacShellContact *found;
  int count = find_contacts(p, &found);
  rates->lever = 0.0;
  for (int i = 0; i < count; ++i) {
    points[i] = place_point(p, found[i].point);
    rates->lever = fmax(rates->lever, tac_vec3_distance(points[i].at, p->field.position));
  }
  Forces forces = sum_forces(p, count);
  double k = p->penalty.stiffness, shared = 0.0, counted = 0.0, pressed = 0.0;
  for (int i = 0; i < count; ++i) {
    shared += points[i].share;
    counted += points[i].weight;
    pressed += tac_vec3_norm(springs[i].force);
  }
  double steep = p->at.deformed != NULL ? 3.0 : 1.8; /* how long a gradient of the field may be */
  rates->by_way = steep * k * (counted > p->penalty.full_count ? 14.0 : 3.0) * shared;
  rates->by_turn = pressed;
  return forces;
}

static double step_between(const Forces *a, const Forces *b, double lever) {
  return tac_vec3_distance(a->on_field.force, b->on_field.force) +
         tac_vec3_distance(a->on_field.torque, b->on_field.torque) / lever;
}

static void mix(const Side *a, const Side *b, double t, Side *s) {
  s->position = tac_vec3_mix(a->position, b->position, t);
  s->orientation = tac_quat_slerp(a->orientation, b->orientation, t);
  for (int j = 0; j < a->r; ++j) s->q[j] = (1.0 - t) * a->q[j] + t * b->q[j];
}

/* A step is halved, and halved again, where it is largest: what is continuous becomes small. */
static void check_step(Pair *p, const char *name, Side shell[2], Side field[2]) {
  Rates rates;
  Forces at[2];
  double largest = 0.0, step = 0.0, lever = p->shell.size;
  for (int halving = 0; halving < 14; ++halving) {
    for (int end = 0; end < 2; ++end) {
      p->shell = shell[end];
      p->field = field[end];
      set_field(p);
      at[end] = forces_here(p, &rates);
    }
    if (halving == 0) largest = step_between(&at[0], &at[1], lever);
    mix(&shell[0], &shell[1], 0.5, &p->shell);
    mix(&field[0], &field[1], 0.5, &p->field);
    set_field(p);
    Forces middle = forces_here(p, &rates);
    double first = step_between(&at[0], &middle, lever), second = step_between(&middle, &at[1], lever);
    int far = first > second ? 1 : 0; /* the end that goes */
    shell[far] = p->shell;
    field[far] = p->field;
    step = fmax(first, second);
  }
  ck_assert_msg(step <= 2e-3 * largest + 1e-9, "%s: a step of %g N stays %g N", name, largest, step);
}

/* Along random paths no step of force or torque is larger than the way times what a contact's stiffness can be. */
static void check_continuity(Pair *p, const char *name, int paths) {
  double largest = 0.0, tightest = 0.0;
  for (int path = 0; path < paths; ++path) {
    Side shell[2], field[2];
    double worst = 0.0;
    Rates rates, before;
    jump(p);
    Forces last = forces_here(p, &before), now;
    for (int i = 0; i < 50; ++i) {
      Side shell_before = p->shell, field_before = p->field;
      double turn, way = walk(p, 3e-4, &turn);
      now = forces_here(p, &rates);
      double by_way = fmax(rates.by_way, before.by_way), by_turn = fmax(rates.by_turn, before.by_turn);
      double lever = fmax(rates.lever, before.lever), bound = by_way * way + by_turn * turn;
      double step = tac_vec3_distance(now.on_field.force, last.on_field.force);
      double twist = tac_vec3_distance(now.on_field.torque, last.on_field.torque);
      ck_assert_msg(step <= bound && twist <= lever * bound + by_turn * way,
                    "%s, path %d, step %d: %g N and %g N m, bound %g N", name, path, i, step, twist, bound);
      if (bound > 0.0) tightest = fmax(tightest, step / bound);
      if (step > worst) {
        worst = step;
        shell[0] = shell_before, shell[1] = p->shell;
        field[0] = field_before, field[1] = p->field;
      }
      last = now;
      before = rates;
    }
    largest = fmax(largest, worst);
    if (worst > 0.0) check_step(p, name, shell, field);
  }
  ck_assert_double_gt(largest, 0.0);
  tac_test_tell("%s: largest step %g N, %.2f of its bound\n", name, largest, tightest);
}

/* ---- gradients ---- */

/* Unknown j of the pair goes by `by`: the shell's motion (metres, radians about its origin), the field's, their coordinates. */
static void move_unknown(Pair *p, int j, double by) {
  const tacVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  if (j < 12) {
    Side *s = j < 6 ? &p->shell : &p->field;
    if (j % 6 < 3)
      s->position = tac_vec3_mad(s->position, by, axes[j % 3]);
    else
      s->orientation = tac_quat_mul(tac_quat_from_rotation_vector(tac_vec3_scale(by, axes[j % 3])), s->orientation);
  } else if (j < 12 + p->shell.r) {
    p->shell.q[j - 12] += by;
  } else {
    p->field.q[j - 12 - p->shell.r] += by;
    set_field(p);
  }
}

/* m a unit of the unknown */
static double size_of_unknown(const Pair *p, int j) {
  if (j < 12) return j % 6 < 3 ? 1.0 : j < 6 ? p->shell.size : p->field.size;
  return j < 12 + p->shell.r ? p->shell.reach[j - 12] : p->field.reach[j - 12 - p->shell.r];
}

/* What tac_penalty_force_gradient asks for, from the pair's own data: U_s, Delta N_s and the field's gradients. */
static void place_motion(const Pair *p, int point, const tacPenaltyPoint *at, int n, double *place, double *normal,
                         double *value) {
  const tacPointshellView *view = p->view;
  tacMat3 turn = tac_quat_to_mat3(p->shell.orientation);
  tacVec3 arm = tac_vec3_sub(at->at, p->shell.position), gradient;
  tacVec3 x = tac_quat_rotate(tac_quat_conjugate(p->field.orientation), tac_vec3_sub(at->at, p->field.position));
  double by_q[32] = {0.0}, size = 0.0;
  if (p->at.deformed != NULL)
    gradient = tac_deformed_pose_gradient(p->at.deformed, x, by_q).gradient;
  else
    tac_distance_field_gradient(p->at.field, x, &gradient);
  gradient = tac_quat_rotate(p->field.orientation, gradient);
  tacVec3 pseudo =
      tac_vec3((double)view->normals[point][0], (double)view->normals[point][1], (double)view->normals[point][2]);
  for (int j = 0; j < p->shell.r; ++j) {
    const float *row = view->normal_changes + (size_t)point * 3 * (size_t)view->stride + j;
    pseudo = tac_vec3_mad(pseudo, p->shell.q[j],
                          tac_vec3((double)row[0], (double)row[view->stride], (double)row[2 * view->stride]));
  }
  size = tac_vec3_norm(pseudo);
  for (int j = 0; j < n; ++j) {
    const tacVec3 axis = tac_vec3(j % 3 == 0, j % 3 == 1, j % 3 == 2);
    tacVec3 moved = {0.0, 0.0, 0.0}, turned = {0.0, 0.0, 0.0}, carried = {0.0, 0.0, 0.0}; /* the field's place there */
    double own = 0.0;
    if (j < 3) {
      moved = axis;
    } else if (j < 6) {
      moved = tac_vec3_cross(axis, arm);
      turned = tac_vec3_cross(axis, at->normal);
    } else if (j < 9) {
      carried = axis;
    } else if (j < 12) {
      carried = tac_vec3_cross(axis, tac_vec3_sub(at->at, p->field.position));
    } else if (j < 12 + p->shell.r) {
      size_t first = (size_t)point * 3 * (size_t)view->stride + (size_t)(j - 12);
      const float *u = view->displacements + first, *dn = view->normal_changes + first;
      moved = tac_mat3_mul_vec(turn, tac_vec3((double)u[0], (double)u[view->stride], (double)u[2 * view->stride]));
      turned = tac_mat3_mul_vec(turn, tac_vec3((double)dn[0], (double)dn[view->stride], (double)dn[2 * view->stride]));
      turned = tac_vec3_scale(1.0 / size, tac_vec3_mad(turned, -tac_vec3_dot(turned, at->normal), at->normal));
    } else {
      own = by_q[j - 12 - p->shell.r];
    }
    place[j] = moved.x, place[n + j] = moved.y, place[2 * n + j] = moved.z;
    normal[j] = turned.x, normal[n + j] = turned.y, normal[2 * n + j] = turned.z;
    value[j] = tac_vec3_dot(gradient, tac_vec3_sub(moved, carried)) + own;
  }
}

/* The depths with an unknown moved; the pair is as before afterwards. */
static void depths_moved(Pair *p, int count, const int *numbers, int j, double by, double *depths) {
  Pair before = *p;
  move_unknown(p, j, by);
  for (int i = 0; i < count; ++i) depths[i] = place_point(p, numbers[i]).depth;
  p->shell = before.shell;
  p->field = before.field;
  if (j >= 12 + p->shell.r) set_field(p);
}

/* Takes out points whose value has a kink within a step of any unknown: borders of cells, edges of exact fields, places where other
 * proxies take over. Sampled fields are not smooth there. */
static int leave_kinks_out(Pair *p, int n, double step, int count, int *numbers) {
  static double forward[SOME], backward[SOME];
  bool kink[SOME] = {false};
  for (int j = 0; j < n; ++j) {
    double h = step / size_of_unknown(p, j);
    depths_moved(p, count, numbers, j, h, forward);
    depths_moved(p, count, numbers, j, -h, backward);
    for (int i = 0; i < count; ++i) {
      double here = place_point(p, numbers[i]).depth;
      kink[i] = kink[i] || fabs(forward[i] - 2.0 * here + backward[i]) > 1e-4 * step;
    }
  }
  int left = 0;
  for (int i = 0; i < count; ++i)
    if (!kink[i]) numbers[left++] = numbers[i];
  return left;
}

static Forces forces_of(Pair *p, int count, const int *numbers) {
  for (int i = 0; i < count; ++i) points[i] = place_point(p, numbers[i]);
  return sum_forces(p, count);
}

static double compare(tacVec3 exact, tacVec3 plus, tacVec3 minus, double h, double scale) {
  tacVec3 measured = tac_vec3_scale(0.5 / h, tac_vec3_sub(plus, minus));
  return tac_vec3_distance(exact, measured) / (tac_vec3_norm(measured) + 1e-3 * scale);
}

/* One moment. Returns the largest error of a derivative, in parts of it; small ones in parts of 1/1000 of stiffness times
 * displacement. */
static double check_moment(Pair *p, int *looked_at, int *left_out) {
  static double work[MOST_UNKNOWNS], gradient[SOME * 3 * MOST_UNKNOWNS], value[SOME * MOST_UNKNOWNS];
  static double place[SOME * 3 * MOST_UNKNOWNS], normal[SOME * 3 * MOST_UNKNOWNS];
  const tacShellContact *found;
  int all = find_contacts(p, &found), n = 12 + p->shell.r + p->field.r, numbers[SOME], count = 0;
  const double step = 2e-8 * p->shell.size / 0.1;
  for (int i = 0; i < all && count < SOME; i += 1 + all / SOME)
    if (found[i].depth > 1e-6 * p->shell.size) numbers[count++] = found[i].point;
  int first = count;
  count = leave_kinks_out(p, n, step, count, numbers);
  *looked_at += first;
  *left_out += first - count;
  if (count == 0) return 0.0;
  forces_of(p, count, numbers);
  for (int i = 0; i < count; ++i)
    place_motion(p, numbers[i], &points[i], n, &place[i * 3 * n], &normal[i * 3 * n], &value[i * n]);
  tacPenaltyMotion motion = {.n = n, .place = place, .normal = normal, .value = value};
  tac_penalty_force_gradient(&p->penalty, count, points, &motion, work, gradient);
  static tacVec3 forces[SOME], places[SOME];
  for (int i = 0; i < count; ++i) {
    forces[i] = springs[i].force;
    places[i] = points[i].at;
  }
  double worst = 0.0, k = p->penalty.stiffness * p->penalty.full_count;
  for (int j = 0; j < n; ++j) {
    Forces d = {0};
    for (int i = 0; i < count; ++i) {
      const double *f = &gradient[i * 3 * n + j], *x = &place[i * 3 * n + j];
      tacVec3 df = tac_vec3(f[0], f[n], f[2 * n]), dx = tac_vec3(x[0], x[n], x[2 * n]), of_shell = dx, of_field = dx;
      if (j < 3) of_shell = tac_vec3(0.0, 0.0, 0.0); /* its origin moves, too */
      if (j >= 6 && j < 9) of_field = tac_vec3(-(j == 6), -(j == 7), -(j == 8));
      d.on_shell.force = tac_vec3_add(d.on_shell.force, df);
      d.on_shell.torque = tac_vec3_add(d.on_shell.torque, tac_vec3_cross(of_shell, forces[i]));
      d.on_shell.torque =
          tac_vec3_add(d.on_shell.torque, tac_vec3_cross(tac_vec3_sub(places[i], p->shell.position), df));
      d.on_field.torque = tac_vec3_sub(d.on_field.torque, tac_vec3_cross(of_field, forces[i]));
      d.on_field.torque =
          tac_vec3_sub(d.on_field.torque, tac_vec3_cross(tac_vec3_sub(places[i], p->field.position), df));
    }
    double size = size_of_unknown(p, j), h = step / size, scale = k * size, lever = p->shell.size + p->field.size;
    Side shell = p->shell, field = p->field;
    Forces at[2];
    for (int sign = 0; sign < 2; ++sign) {
      move_unknown(p, j, sign == 0 ? h : -h);
      at[sign] = forces_of(p, count, numbers);
      p->shell = shell;
      p->field = field;
      if (j >= 12 + p->shell.r) set_field(p);
    }
    worst = fmax(worst, compare(d.on_shell.force, at[0].on_shell.force, at[1].on_shell.force, h, scale));
    worst = fmax(worst, compare(d.on_shell.torque, at[0].on_shell.torque, at[1].on_shell.torque, h, scale * lever));
    worst = fmax(worst, compare(d.on_field.torque, at[0].on_field.torque, at[1].on_field.torque, h, scale * lever));
    tacVec3 other = tac_vec3_scale(-1.0, d.on_shell.force);
    worst = fmax(worst, compare(other, at[0].on_field.force, at[1].on_field.force, h, scale));
  }
  return worst;
}

static void check_gradients(Pair *p, const char *name, int moments) {
  double worst = 0.0;
  int looked_at = 0, left_out = 0;
  for (int i = 0; i < moments; ++i) {
    jump(p);
    double error_here = check_moment(p, &looked_at, &left_out);
    ck_assert_msg(error_here < 1e-5, "%s, moment %d: a derivative is wrong by %g", name, i, error_here);
    worst = fmax(worst, error_here);
  }
  ck_assert_int_gt(looked_at, moments);
  ck_assert_msg(left_out < looked_at / 5, "%s: %d of %d points at kinks", name, left_out, looked_at);
  tac_test_tell("%s: gradients wrong by %.1e, %d of %d points left out\n", name, worst, left_out, looked_at);
}

/* ---- the scene's own hand ---- */

/* What points of a pair are inside of its field as the world is now, without a tree, on all levels. */
static int exhaust(const tacWorld *world, const tacPair *pair, int capacity, tacShellContact *contacts) {
  const tacWorldBody *shell = &world->bodies[pair->points], *field = &world->bodies[pair->field];
  const tacBodyTable *table = shell->body.table;
  const double *q = table->points_q != NULL ? table->points_q(shell->body.self) : NULL;
  tacContactField at = tac_pair_field(pair, world->bodies);
  tacShellPose pose = tac_pair_pose(&shell->frame, q, &field->frame);
  return tac_shell_exhaustive(pair->shell, &at, &pose, pair->limits.level_most, capacity, contacts);
}

static int by_point(const void *point, const void *contact) {
  return *(const int32_t *)point - ((const tacShellContact *)contact)->point;
}

/* The same run again, on what was recorded: in every tick each pair has found what is found without a tree, on the levels that it
 * rendered, to the last bit, and beside that only points that are held to the side where they came in. */
static void check_ticks(tacRecording *recording, tacWorld *world, const char *name) {
  enum { MOST_PAIRS = 4 };
  tacShellContact *all[MOST_PAIRS];
  int wanted[MOST_PAIRS], capacity[MOST_PAIRS], tools = tac_world_tool_count(world), pairs = world->pair_count;
  ck_assert_int_le(pairs, MOST_PAIRS);
  for (int p = 0; p < pairs; ++p) {
    capacity[p] = tac_pointshell_size(world->contact_pairs[p].shell, TAC_POINTSHELL_MOST_LEVELS);
    all[p] = calloc((size_t)capacity[p], sizeof **all);
  }
  tac_world_reset(world);
  tac_test_ok(tac_recording_begin(recording, world, &error), error);
  long contacts = 0;
  for (int64_t i = 0; i < tac_recording_tick_count(recording); ++i) {
    static tacTickRecord record;
    tacToolInput inputs[TAC_MOST_TOOLS] = {0};
    tacToolOutput outputs[TAC_MOST_TOOLS];
    tacTickReport report;
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    tac_test_ok(tac_recording_change(&record, world, &error), error);
    for (int t = 0; t < tools; ++t) {
      inputs[t] = (tacToolInput){.position = record.tool[t].position,
                                 .grab = (record.tool[t].grab & 1) != 0,
                                 .lifted = record.tool[t].lifted != 0,
                                 .grip = TAC_BUTTON_GRIP_OF((uint32_t)record.tool[t].grab) / 255.0};
      memcpy(inputs[t].orientation, record.tool[t].orientation, sizeof inputs[t].orientation);
    }
    for (int p = 0; p < pairs; ++p) wanted[p] = exhaust(world, &world->contact_pairs[p], capacity[p], all[p]);
    tac_world_step(world, inputs, outputs, &report);
    for (int p = 0; p < pairs; ++p) {
      const tacPair *pair = &world->contact_pairs[p];
      int count = 0, found = 0, beyond = 0,
          rendered = tac_pointshell_size(pair->shell, pair->traversed.level); /* levels are nested */
      while (count < wanted[p] && all[p][count].point < rendered) ++count;
      bool same = pair->traversed.lost == 0;
      for (int c = 0; same && c < pair->count; ++c) { /* in any order; a level in part has some of the deeper ones */
        tacShellContact *other = bsearch(&pair->point[c], all[p], (size_t)wanted[p], sizeof **all, by_point);
        if (pair->sides[pair->point[c]].half > 0.0f) { /* it is held to its own side, and deeper than the field says */
          beyond += other == NULL;
          if (other == NULL) continue;
          same = pair->at[c].depth >= other->depth;
        } else {
          same = other != NULL && memcmp(&pair->at[c].depth, &other->depth, sizeof(double)) == 0;
        }
        found += pair->point[c] < rendered;
        if (same) other->depth = NAN; /* none twice */
      }
      same = same && found == count && (pair->count - beyond == count || pair->traversed.part > 0.0);
      ck_assert_msg(same, "%s, tick %ld, pair %d: %d contacts, without a tree %d, or others", name, (long)i, p,
                    pair->count, count);
      contacts += count;
    }
  }
  ck_assert_int_gt(contacts, tac_recording_tick_count(recording) / 10);
  for (int p = 0; p < pairs; ++p) free(all[p]);
}

/* Some seconds in a closed loop: in contact for at least that `share` of them, bounded and passive, and the same again after a reset
 * and in a world made anew. */
static void check_hand(const tacScene *scene, tacWorld *world, const char *name, double seconds, double share) {
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, folder, name, seconds);
  const tacServoReport *report = &played.report;
  const tacDeviceInfo *device = &played.devices[0].info;
  tac_test_tell(
      "%s: contact in %ld ticks, %g N, energy %g J least %g J, work %g J, generated %g J in a contact, %g J in 1 s\n",
      name, (long)report->contact_ticks, report->force_max[0], report->energy_absorbed[0], report->energy_least[0],
      report->work[0], report->asked[0].contact.energy, report->asked[0].second.energy);
  ck_assert_msg((double)report->contact_ticks >= share * (double)report->ticks, "%s: contact in %ld ticks of %ld", name,
                (long)report->contact_ticks, (long)report->ticks);
  ck_assert_double_gt(report->force_max[0], 0.1); /* N: it is felt */
  ck_assert_double_gt(report->work[0], 1e-4);     /* J: and it gives way */
  ck_assert_double_le(report->force_max[0], device->force_limit * (1.0 + 1e-9));
  /* What is observed may fall by what passivity.h leaves alone: a count of the encoder at the largest force, and 1/400
   * of the work for the hold of forces in a tick. Contact itself gives nothing (docs/distributed_contact.md, Energy).
   */
  double allowed = device->force_limit * device->resolution + report->work[0] / 400.0;
  ck_assert_msg(report->energy_least[0] >= -allowed, "%s: %g J generated of %g J, allowed %g J", name,
                -report->energy_least[0], report->work[0], allowed);
  /* And the world gives none of it, before limits and controller, in any contact: 0.5 % of its work and 10 uJ are for what the
   * trapezium rule errs (servo/energy_account.h). */
  const tacGeneratedWorst *worst = &report->asked[0].contact;
  ck_assert_msg(worst->energy <= 0.005 * worst->work + 1e-5, "%s: in a contact from tick %ld %g J generated of %g J",
                name, (long)worst->tick, worst->energy, worst->work);
  TAC_OWN(tacWorld, again) = NULL;
  tac_test_ok(tac_scene_world(scene, &again, &error), error);
  for (int fresh = 0; fresh < 2; ++fresh) {
    tacReplayReport replay;
    tac_test_ok(tac_recording_replay(played.recording, fresh ? again : world, NULL, &replay, &error), error);
    ck_assert_msg(replay.first_difference == -1, "%s, %s: %s", name, fresh ? "made anew" : "reset", replay.difference);
  }
  check_ticks(played.recording, again, name);
}

/* As it is in the gallery, all of its path. */
static void check_whole_scene(const char *name, double share) {
  char path[512];
  TAC_OWN(tacScene, scene) = NULL;
  TAC_OWN(tacWorld, world) = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", TACTUS_SCENES, name);
  tac_test_ok(tac_scene_read(path, &scene, &error), error);
  tac_test_ok(tac_scene_bake(scene, tac_test_cache(folder), false, NULL, NULL, &error), error);
  tac_test_ok(tac_scene_world(scene, &world, &error), error);
  check_hand(scene, world, name, tac_scene_servo(scene).duration, share);
}

/* `seconds`: until its hand has been in contact for a while, in `share` of them. */
static void check_small_scene(const SmallScene *small, double seconds, double share) {
  bool light = tac_test_light();
  TAC_OWN(tacScene, scene) = open_small_scene(small, folder);
  TAC_OWN(tacWorld, world) = NULL;
  tac_test_ok(tac_scene_world(scene, &world, &error), error);
  int pairs = tac_world_pair_count(world);
  for (int i = 0; i < pairs; ++i) {
    TAC_FREED(free_pair, Pair, pair) = make_pair(world, i);
    check_traversal(&pair, small->name, (light ? 300 : 10000) / pairs);
    check_continuity(&pair, small->name, light ? 3 : 30 / pairs);
    check_gradients(&pair, small->name, light ? 2 : 20 / pairs);
  }
  check_hand(scene, world, small->name, light ? 1.0 : seconds, light ? 0.5 * share : share);
}

typedef enum Versions { SMALL = 1, WHOLE = 2 } Versions;

static void check_versions(SmallScene small, double seconds, double share, int versions) {
  const char *only = getenv("TACTUS_TEST_SCENE");
  if (only != NULL && strcmp(only, small.name) != 0) return;
  tac_test_folder(folder, sizeof folder);
  if ((versions & WHOLE) != 0) check_whole_scene(small.name, share);
  if ((versions & SMALL) != 0) check_small_scene(&small, seconds, share);
}

static void check_scene(SmallScene small, double seconds, double share) {
  check_versions(small, seconds, share, tac_test_all() ? WHOLE : SMALL);
}

/* Both versions with TACTUS_TEST_ALL alone. */
static void check_long_scene(SmallScene small, double seconds, double share) {
  if (tac_test_all()) check_versions(small, seconds, share, SMALL | WHOLE);
}

/* Those with the longest bakes and paths only with TACTUS_TEST_ALL. The knight is rigid as the peg is, and the dinosaur meets a soft body
 * with points as the chair is one. */
TAC_TEST(hoses) {
  check_scene((SmallScene){"hoses", 1000, 44, 3.0, "{shape: hoses}|{shape: hoses, size: 5 mm}"}, 3.0, 0.5);
}
TAC_TEST(knight) {
  check_long_scene((SmallScene){"knight", 1500, 44, 0.0, "{shape: knight}|{shape: knight, size: 2 mm}"}, 5.5, 0.15);
}
TAC_TEST(alpha) {
  if (tac_test_all())
    check_scene((SmallScene){"alpha", 1500, 44, 0.0, "{shape: alpha-tube-a}|{shape: alpha-tube-a, size: 3 mm}"}, 8.0,
                0.05);
}
TAC_TEST(dinosaur) {
  check_long_scene((SmallScene){"dinosaur", 1000, 44, 3.0, NULL}, 6.0, 0.04);
}
TAC_TEST(dragon_dinosaur) {
  if (tac_test_all()) check_scene((SmallScene){"dragon-dinosaur", 500, 40, 3.0, NULL}, 3.0, 0.4);
}
TAC_TEST(peg) {
  if (!tac_test_light())
    check_scene((SmallScene){"peg", 1500, 44, 0.0, "{shape: peg}|{shape: peg, size: 1.6 mm}"}, 3.0, 0.2);
}
TAC_TEST(chair) {
  if (!tac_test_light()) check_scene((SmallScene){"chair", 1500, 96, 2.0, NULL}, 3.0, 0.5);
}
TAC_TEST(cables) {
  if (tac_test_all()) check_scene((SmallScene){"cables", 1200, 96, 3.0, NULL}, 4.0, 0.05);
}
