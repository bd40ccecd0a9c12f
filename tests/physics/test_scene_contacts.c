/* Scenes with distributed contact, made small: forces of their pairs at random, and their own hands.
 * TACTUS_TEST_ALL has the hands of the scenes as they are, all of their paths. */
#include <tactus/distance_field.h>
#include <tactus/reduced.h>
#include <tactus/world.h>
#include "asset/deformed_pose.h"
#include "asset/pointshell.h"
#include "collide/shell_traversal.h"
#include "contact/penalty.h"
#include "kinds/reduced/reduced_kind.h"
#include "math/geometry/quat.h"
#include "math/random.h"
#include "physics/played_scene.h"
#include "physics/small_scene.h"
#include "record/recorded_world.h"
#include "seen_ahead.h"
#include "step_world.h"
#include "world/pairs/pair.h"
#include "world/world.h"
#include "world/world_parts.h"

enum { MOST_CONTACTS = 4000 };

/* ---- pairs ---- */

/* A body of a pair: where it is, how it may deform. */
typedef struct Side {
  const tacTriMesh *surface;
  const double *modes; /* U_s of the surface; NULL: rigid */
  int r;
  double size;      /* m */
  double reach[32]; /* m a coordinate: the farthest that a place goes */
  tacVec3 position;
  tacQuat orientation;
  double q[32];
} Side;

/* A pair of a scene's bodies, apart from its world, that goes to random places in random shapes. */
typedef struct Pair {
  Side shell, field;
  const tacPointshell *points;
  const tacPointshellView *view;
  double tilt[32]; /* rad a coordinate: the most that a normal turns */
  tacContactField at;
  const tacDeformedField *deformed;
  tacPenaltyDef penalty;
  tacRandom random;
} Pair;

static Side side_of(const tacWorld *world, tacBodyId id) {
  const tacReduced *reduced = tac_world_body_reduced(world, id);
  Side s = {.surface = tac_world_body_surface(world, id), .orientation = tac_quat_identity()};
  s.size = tac_vec3_norm(tac_box_size(tac_trimesh_box(s.surface)));
  if (reduced == NULL) return s;
  s.modes = tac_reduced_displacements(reduced);
  s.r = tac_reduced_size(reduced);
  ck_assert_int_le(s.r, 32);
  for (int v = 0; v < s.surface->vertex_count; ++v)
    for (int j = 0; j < s.r; ++j) {
      const double *u = s.modes + (size_t)(3 * s.r) * (size_t)v + j;
      s.reach[j] = fmax(s.reach[j], tac_vec3_norm(tac_vec3(u[0], u[s.r], u[2 * s.r])));
    }
  return s;
}

static Pair make_pair(const tacWorld *world, int pair) {
  tacPairDef def = tac_world_pair(world, pair);
  Pair p = {.shell = side_of(world, def.points),
            .field = side_of(world, def.field),
            .points = tac_world_body_shell(world, def.points),
            .at.field = tac_world_body_field(world, def.field),
            .deformed = tac_world_body_deformed_field(world, def.field),
            .random = tac_random_seed(7)};
  p.view = tac_pointshell_view(p.points);
  if (p.at.field != NULL) p.at.reach = tac_field_reach(p.at.field);
  if (p.deformed != NULL) tac_test_ok(tac_deformed_pose_create(p.deformed, &p.at.deformed, &error), error);
  for (int i = 0; i < p.view->r * tac_pointshell_size(p.points, 99); ++i) {
    const float *row = p.view->normal_changes + (size_t)(i / p.view->r * 3 * p.view->stride + i % p.view->r);
    double change =
        tac_vec3_norm(tac_vec3((double)row[0], (double)row[p.view->stride], (double)row[2 * p.view->stride]));
    p.tilt[i % p.view->r] = fmax(p.tilt[i % p.view->r], change);
  }
  p.penalty = tac_penalty_def_default();
  p.penalty.stiffness = def.stiffness;
  p.penalty.full_count = def.full_count;
  p.penalty.ramp = def.ramp;
  return p;
}

static void free_pair(Pair *p) {
  tac_deformed_pose_destroy(p->at.deformed);
}

/* ---- places ---- */

static tacVec3 random_vec3(tacRandom *random, double size) {
  return tac_vec3_scale(size, tac_random_normal3(random));
}

/* Every coordinate moves the surface by 3 % of the body's size at most. */
static void deform_again(Side *s, tacRandom *random) {
  for (int j = 0; j < s->r; ++j) s->q[j] = 0.03 * s->size / s->reach[j] * tac_random_uniform(random, -1.0, 1.0);
}

static void deform_little(Side *s, tacRandom *random, double share) {
  for (int j = 0; j < s->r; ++j)
    s->q[j] = (1.0 - share) * s->q[j] + 0.03 * share * s->size / s->reach[j] * tac_random_normal(random);
}

/* The field's shape, and how far it moved. */
static double set_field(Pair *p) {
  return p->at.deformed != NULL ? tac_deformed_pose_set(p->at.deformed, p->field.q) : 0.0;
}

static tacVec3 to_world(const Side *s, tacVec3 x) {
  return tac_vec3_add(s->position, tac_quat_rotate(s->orientation, x));
}

/* Somewhere else, in another shape, with a point of the shell near a place of the field's surface. */
static void jump(Pair *p) {
  deform_again(&p->shell, &p->random);
  deform_again(&p->field, &p->random);
  set_field(p);
  p->field.position = random_vec3(&p->random, 0.1);
  p->field.orientation = tac_quat_from_rotation_vector(random_vec3(&p->random, 1.0));
  p->shell.orientation = tac_quat_from_rotation_vector(random_vec3(&p->random, 1.0));
  p->shell.position = tac_vec3(0.0, 0.0, 0.0);
  int v = (int)tac_random_uniform(&p->random, 0.0, p->field.surface->vertex_count - 1.0);
  int point = (int)tac_random_uniform(&p->random, 0.0, tac_pointshell_size(p->points, 99) - 1.0);
  tacVec3 target = p->field.surface->vertices[v];
  for (int j = 0; j < p->field.r; ++j) {
    const double *u = p->field.modes + (size_t)(3 * p->field.r) * (size_t)v + j;
    target = tac_vec3_mad(target, p->field.q[j], tac_vec3(u[0], u[p->field.r], u[2 * p->field.r]));
  }
  tacVec3 from = to_world(&p->shell, tac_pointshell_deformed_point(p->points, point, p->shell.q));
  target = tac_vec3_add(to_world(&p->field, target), random_vec3(&p->random, 0.01 * p->shell.size));
  p->shell.position = tac_vec3_sub(target, from);
}

/* A step of this part of the shell's size. Returns how far it goes, and how far normals turn. */
static double walk(Pair *p, double share, double *turn) {
  Side before = p->shell;
  tacVec3 way = random_vec3(&p->random, share * before.size), spin = random_vec3(&p->random, share);
  double far = tac_vec3_norm(way) + tac_vec3_norm(spin) * (p->view->radius + tac_vec3_norm(p->view->centre));
  p->shell.position = tac_vec3_add(before.position, way);
  p->shell.orientation = tac_quat_normalise(tac_quat_mul(tac_quat_from_rotation_vector(spin), before.orientation));
  deform_little(&p->shell, &p->random, 5.0 * share);
  deform_little(&p->field, &p->random, 5.0 * share);
  *turn = tac_vec3_norm(spin);
  for (int j = 0; j < before.r; ++j) {
    double change = fabs(p->shell.q[j] - before.q[j]), size = fmax(fabs(p->shell.q[j]), fabs(before.q[j]));
    far += change * p->view->reach[j] + size * p->view->reach[j] * tac_vec3_norm(spin);
    *turn += change * p->tilt[j];
  }
  return far + set_field(p);
}

/* ---- forces ---- */

static tacPenaltyPoint points[MOST_CONTACTS];
static tacContactSpring springs[MOST_CONTACTS];

/* A point of the shell that is inside of the field, as the pair has it. */
static tacPenaltyPoint place_point(const Pair *p, const tacShellContact *contact) {
  int point = contact->point, finest = p->view->level_count - 1;
  double normal[3];
  for (int axis = 0; axis < 3; ++axis) {
    normal[axis] = (double)p->view->normals[point][axis];
    size_t row = ((size_t)point * 3 + (size_t)axis) * (size_t)p->view->stride;
    for (int j = 0; j < p->shell.r; ++j)
      normal[axis] += (double)p->view->normal_changes[row + (size_t)j] * p->shell.q[j];
  }
  return (tacPenaltyPoint){
      .steep = 1.0,
      .at = to_world(&p->field, contact->at),
      .normal = tac_quat_rotate(p->shell.orientation, tac_vec3_unit(tac_vec3(normal[0], normal[1], normal[2]))),
      .depth = contact->depth,
      .weight =
          (double)p->view->areas[finest][point] * p->view->sizes[finest] / tac_pointshell_surface_area(p->points)};
}

/* On the field's body, about its origin. */
static tacWrench sum_forces(const Pair *p, int count) {
  tacWrench f = {0};
  tac_penalty_evaluate(&p->penalty, count, points, springs, NULL);
  for (int i = 0; i < count; ++i) {
    tacVec3 force = springs[i].force;
    f.force = tac_vec3_sub(f.force, force);
    f.torque = tac_vec3_sub(f.torque, tac_vec3_cross(tac_vec3_sub(points[i].at, p->field.position), force));
  }
  return f;
}

/* How fast the force of this moment may change: N a metre that anything moves, and a radian that normals turn (penalty.h). */
typedef struct Rates {
  double by_way, by_turn, lever;
} Rates;

static tacWrench forces_here(Pair *p, Rates *rates) {
  static tacShellContact found[MOST_CONTACTS];
  tacQuat back = tac_quat_conjugate(p->field.orientation);
  tacShellPose pose = {.rotation = tac_quat_to_mat3(tac_quat_mul(back, p->shell.orientation)),
                       .translation = tac_quat_rotate(back, tac_vec3_sub(p->shell.position, p->field.position)),
                       .q = p->shell.r > 0 ? p->shell.q : NULL};
  int count = tac_shell_exhaustive(p->points, &p->at, &pose, 99, MOST_CONTACTS, found);
  rates->lever = 0.0;
  for (int i = 0; i < count; ++i) {
    points[i] = place_point(p, &found[i]);
    rates->lever = fmax(rates->lever, tac_vec3_distance(points[i].at, p->field.position));
  }
  tacWrench forces = sum_forces(p, count);
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

static double step_between(const tacWrench *a, const tacWrench *b, double lever) {
  return tac_vec3_distance(a->force, b->force) + tac_vec3_distance(a->torque, b->torque) / lever;
}

static void mix(const Side *a, const Side *b, double t, Side *s) {
  s->position = tac_vec3_mix(a->position, b->position, t);
  s->orientation = tac_quat_slerp(a->orientation, b->orientation, t);
  for (int j = 0; j < a->r; ++j) s->q[j] = (1.0 - t) * a->q[j] + t * b->q[j];
}

/* A step is halved, and halved again, where it is largest: what is continuous becomes small. */
static void check_step(Pair *p, const char *name, Side shell[2], Side field[2]) {
  Rates rates;
  tacWrench at[2];
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
    tacWrench middle = forces_here(p, &rates);
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
    tacWrench last = forces_here(p, &before), now;
    for (int i = 0; i < 50; ++i) {
      Side shell_before = p->shell, field_before = p->field;
      double turn, way = walk(p, 3e-4, &turn);
      now = forces_here(p, &rates);
      double by_way = fmax(rates.by_way, before.by_way), by_turn = fmax(rates.by_turn, before.by_turn);
      double lever = fmax(rates.lever, before.lever), bound = by_way * way + by_turn * turn;
      double step = tac_vec3_distance(now.force, last.force);
      double twist = tac_vec3_distance(now.torque, last.torque);
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
  tac_test_print("%s: largest step %g N, %.2f of its bound\n", name, largest, tightest);
}

/* ---- the scene's own hand ---- */

/* What points of a pair are inside of its field as the world is now, held bodies where the next step sees them, without a tree, on all levels. */
static int exhaust(const tacWorld *world, const tacPair *pair, int capacity, tacShellContact *contacts) {
  const tacWorldBody *shell = &world->bodies[pair->points], *field = &world->bodies[pair->field];
  const double *q = tac_body_describe(&shell->body).points_q;
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
    tac_test_ok(tac_recording_tick(recording, i, &record, &error), error);
    tac_test_ok(tac_recording_change(&record, world, &error), error);
    for (int t = 0; t < tools; ++t) {
      inputs[t] = (tacToolInput){.position = record.tool[t].position,
                                 .grab = (record.tool[t].grab & 1) != 0,
                                 .lifted = record.tool[t].lifted != 0,
                                 .grip = TAC_BUTTON_GRIP_OF((uint32_t)record.tool[t].grab) / 255.0};
      memcpy(inputs[t].orientation, record.tool[t].orientation, sizeof inputs[t].orientation);
    }
    tacFrame frames[TAC_MOST_TOOLS];
    tacTwist ahead[TAC_MOST_TOOLS];
    see_ahead(world, inputs, frames, ahead);
    for (int p = 0; p < pairs; ++p) wanted[p] = exhaust(world, &world->contact_pairs[p], capacity[p], all[p]);
    see_back(world, frames);
    step_world(world, inputs, outputs);
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
  TAC_FREED(end_played, Played, played) = play_scene(scene, world, name, seconds);
  const tacServoReport *report = &played.report;
  const tacDeviceInfo *device = &played.devices[0].info;
  tac_test_print(
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
  TAC_OWN(tacWorld, again) = world_of(scene);
  for (int fresh = 0; fresh < 2; ++fresh) {
    tacReplayReport replay;
    tac_test_ok(tac_recording_replay(played.recording, fresh ? again : world, NULL, &replay, &error), error);
    ck_assert_msg(replay.first_difference == -1, "%s, %s: %s", name, fresh ? "made anew" : "reset", replay.difference);
  }
  check_ticks(played.recording, again, name);
}

/* As it is in the gallery, all of its path. */
static void check_whole_scene(const char *name, double share) {
  TAC_OWN(tacScene, scene) = read_gallery(name);
  bake_scene(scene);
  TAC_OWN(tacWorld, world) = world_of(scene);
  check_hand(scene, world, name, tac_scene_servo(scene).duration, share);
}

/* `seconds`: until its hand has been in contact for a while, in `share` of them. */
static void check_small_scene(const SmallScene *small, double seconds, double share) {
  bool light = tac_test_light();
  TAC_OWN(tacScene, scene) = read_small_scene(small);
  bake_scene(scene);
  TAC_OWN(tacWorld, world) = world_of(scene);
  int pairs = tac_world_pair_count(world);
  for (int i = 0; i < pairs; ++i) {
    TAC_FREED(free_pair, Pair, pair) = make_pair(world, i);
    check_continuity(&pair, small->name, light ? 3 : 30 / pairs);
  }
  check_hand(scene, world, small->name, light ? 1.0 : seconds, light ? 0.5 * share : share);
}

typedef enum Versions { SMALL = 1, WHOLE = 2 } Versions;

static void check_versions(SmallScene small, double seconds, double share, int versions) {
  const char *only = getenv("TACTUS_TEST_SCENE");
  if (only != NULL && strcmp(only, small.name) != 0) return;
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
