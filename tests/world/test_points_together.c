/* Point tools that touch one quasi-static body together, in random hands. */
#include <tactus/green.h>
#include "body/make_green.h"
#include "make_world.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "world/world_parts.h"

enum { MOST_HANDS = 4 };
#define RADIUS 0.05      /* m, of the ball */
#define SLIDE_CHANGE 0.1 /* N in a tick: 100 N/s */
#define MOST_GENERATED \
  1e-3 /* J: where contacts begin and end within a tick, the trapezium rule errs by K dx^2 / 8, 20 uJ */

typedef struct Hands {
  tacWorld *world;
  int count;
  tacRandom random;
  tacVec3 velocity[MOST_HANDS]; /* m a tick */
  tacToolInput input[MOST_HANDS];
  tacToolOutput output[MOST_HANDS];
  double given, stored; /* J: by all hands since the first of them touched; what the body holds of it */
  int64_t contacts;     /* that began */
  int slid, together;   /* ticks */
  double pull;          /* m: how far out hands that hold something are drawn */
  double begun; /* N over K times what hands moved and SLIDE_CHANGE: the largest force with which a contact began */
} Hands;

static bool touches(const tacToolOutput *output) {
  return output->contact.state != TAC_CONTACT_NONE;
}

/* Wanders, drawn to some depth under the surface, whatever it feels; takes hold at times where it touches, and lets go. */
static void move(Hands *h, int t) {
  tacToolInput *in = &h->input[t];
  double depth = tac_random_uniform(&h->random, -0.004, 0.012) - (in->grab ? h->pull : 0.0);
  tacVec3 aim = tac_vec3_scale(RADIUS - depth, tac_vec3_unit(in->position));
  tacVec3 v = tac_vec3_mad(tac_vec3_scale(0.98, h->velocity[t]), 3e-5, tac_random_normal3(&h->random));
  h->velocity[t] = tac_vec3_mad(v, 0.002, tac_vec3_sub(aim, in->position));
  in->position = tac_vec3_add(in->position, h->velocity[t]);
  if (tac_random_uniform(&h->random, 0.0, 1.0) < 0.005) in->grab = !in->grab && touches(&h->output[t]);
}

/* A tick; returns the largest change of a force beyond SLIDE_CHANGE over K times what hands moved, where all contacts go on. */
static double step(Hands *h, double stiffness) {
  tacToolOutput before[MOST_HANDS];
  double motion = 0.0, most = 0.0;
  int64_t contacts = 0;
  for (int t = 0; t < h->count; ++t) {
    before[t] = h->output[t];
    move(h, t);
    motion += tac_vec3_norm(h->velocity[t]);
  }
  tacTickReport report = step_world(h->world, h->input, h->output);
  bool all_go_on = true;
  h->stored = 0.0;
  for (int t = 0; t < h->count; ++t) {
    const tacToolOutput *out = &h->output[t];
    contacts += h->world->tools[t].contacts;
    all_go_on = all_go_on && touches(&before[t]) == touches(out);
    h->given -= 0.5 * tac_vec3_dot(tac_vec3_add(before[t].force, out->force), h->velocity[t]);
    if (touches(out)) h->stored -= 0.5 * tac_vec3_dot(out->force, tac_vec3_sub(h->input[t].position, out->contact.at));
    most = fmax(most, tac_vec3_distance(before[t].force, out->force));
    if (touches(out) && !touches(&before[t]))
      h->begun = fmax(h->begun, tac_vec3_norm(out->force) / (stiffness * motion + SLIDE_CHANGE));
    h->slid += out->contact.state == TAC_CONTACT_SLIDES;
  }
  for (int k = 0; k < h->world->fading_end; ++k) {
    const tacPointContact *fading = &h->world->fading[k].point;
    if (fading->state != TAC_CONTACT_NONE) h->stored += 0.5 * tac_vec3_dot(fading->force, fading->stretch);
  }
  all_go_on = all_go_on && contacts == h->contacts;
  h->contacts = contacts;
  h->together += report.contact_count > 1;
  if (report.contact_count == 0) h->given = 0.0;
  return all_go_on ? (most - SLIDE_CHANGE) / (stiffness * motion) : 0.0;
}

/* By the trapezium rule hands together have always put in at least what the body holds; while contacts go on, no force jumps, and none
 * begins with a jump. */
static void wander(const tacGreen *green, int count, double friction, double pull, uint64_t seed) {
  tacGreenBodyDef def = green_def("ball", green);
  def.mask_radius = 0.025;
  def.rigid_stiffness = 2000.0;
  def.body.friction = friction;
  Hands h = {.world = make_world(&def, count), .random = tac_random_seed(seed), .count = count, .pull = pull};
  double stiffness = tac_world_body_most_stiffness(h.world, tac_world_body(h.world, 0));
  for (int t = 0; t < count; ++t)
    h.input[t].position = tac_vec3_scale(1.02 * RADIUS, tac_vec3_unit(tac_vec3(cos(2.0 * t), sin(2.0 * t), 0.8)));
  const int steps = tac_test_light() ? 2000 : 10000;
  for (int i = 0; i < steps; ++i) {
    double jump = step(&h, stiffness);
    ck_assert_msg(h.given - h.stored > -MOST_GENERATED,
                  "%d hands, friction %g, step %d: gave %g J, of which %g J are held", count, friction, i, h.given,
                  h.stored);
    ck_assert_msg(jump < 2.0, "%d hands, friction %g, step %d: %g times the stiffness", count, friction, i, jump);
  }
  ck_assert_double_lt(h.begun,
                      1.0 / (1.0 - 0.9 * 0.9)); /* what others leave of its compliance: contact/point_group.h */
  ck_assert_int_gt(h.slid, steps / 40 * count);
  if (count > 1) ck_assert_int_gt(h.together, steps / 4);
  tac_world_destroy(h.world);
}

TAC_TEST(several_hands_gain_no_energy_on_any_path) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015); /* about the origin, the lowest quarter fixed */
  for (int count = 1; count <= MOST_HANDS; ++count)
    for (int k = 0; k < 8; ++k) wander(green, count, 0.15 * (k / 2), 0.04 * (k % 2), (uint64_t)(10 * count + k));
}

/* The ball's compliance, counted. */
static tacBodyTable counted;
static bool (*plain_compliance)(const void *, const tacSite *, const tacSite *, double[3][3]);
static int asked;

static bool count_compliance(const void *self, const tacSite *at, const tacSite *by, double c[3][3]) {
  ++asked;
  return plain_compliance(self, at, by, c);
}

/* Points that slide inside their triangles are placed again and again; the body is asked once a point, for the displacement by its
 * own force that is shown. */
TAC_TEST(body_is_queried_when_a_point_changes_triangle) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = green_def("ball", green);
  def.mask_radius = 0.025;
  def.body.friction = 0.1;
  tacWorld *world = make_world(&def, MOST_HANDS);
  counted = *world->bodies[0].body.table;
  plain_compliance = counted.compliance;
  counted.compliance = count_compliance;
  world->bodies[0].body.table = &counted;
  tacToolInput input[MOST_HANDS] = {0};
  tacToolOutput output[MOST_HANDS] = {0}, before[MOST_HANDS];
  int ticks = 0, most = 0, slid = 0;
  for (int i = 0; i < 800; ++i) {
    bool stay = true;
    for (int t = 0; t < MOST_HANDS; ++t) {
      double angle = 2.0 * t + 5e-4 * i, depth = fmin(2e-5 * i - 1e-3, 4e-3);
      input[t].position = tac_vec3_scale(RADIUS - depth, tac_vec3_unit(tac_vec3(cos(angle), sin(angle), 0.8)));
      before[t] = output[t];
    }
    asked = 0;
    step_world(world, input, output);
    for (int t = 0; t < MOST_HANDS; ++t) {
      stay = stay && touches(&before[t]) && touches(&output[t]) &&
             output[t].contact.triangle == before[t].contact.triangle;
      slid += output[t].contact.state == TAC_CONTACT_SLIDES;
    }
    if (!stay) continue;
    ++ticks;
    most += asked > MOST_HANDS;
  }
  ck_assert_int_gt(ticks, 300);
  ck_assert_int_gt(slid, 300);
  ck_assert_int_lt(most, ticks / 50); /* where a trial went over an edge and back */
  tac_world_destroy(world);
}

/* One hand holds, another takes hold beside it, pulls and lets go at once: what the first feels goes back to what it was, in the steps in which
 * the other's force fades. */
TAC_TEST(hand_feels_no_jump_when_another_releases) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015);
  tacGreenBodyDef def = green_def("ball", green);
  def.mask_radius = 0.025;
  tacWorld *world = make_world(&def, 2);
  tacToolInput input[2] = {0};
  tacToolOutput output[2] = {0};
  const tacVec3 ways[2] = {{0.0, 0.0, 1.0}, {0.3, 0.1, 1.0}};
  tacVec3 alone = {0}, before = {0};
  double pulled = 0.0, released = 0.0, largest = 0.0;
  enum { HOLDS = 100, TAKES = 150, LETS_GO = 400, END = 1500 };
  for (int i = 0; i < END; ++i) {
    double out[2] = {fmin(i, HOLDS) * 5e-5 - 5e-4, i < TAKES ? 0.02 : fmin(i - TAKES, 200) * 1e-4 - 5e-4};
    for (int t = 0; t < 2; ++t) {
      input[t].position = tac_vec3_scale(RADIUS + out[t], tac_vec3_unit(ways[t]));
      input[t].grab = t == 0 ? true : i > TAKES && i < LETS_GO;
    }
    step_world(world, input, output);
    if (i == TAKES - 1) alone = output[0].force;
    if (i == LETS_GO - 1) {
      pulled = tac_vec3_distance(output[0].force, alone);
      released = tac_vec3_norm(output[1].force);
    }
    if (i >= LETS_GO) {
      largest = fmax(largest, tac_vec3_distance(output[0].force, before));
      ck_assert_int_eq(output[1].contact.state, TAC_CONTACT_NONE);
      ck_assert_double_eq(tac_vec3_norm(output[1].force), 0.0);
    }
    before = output[0].force;
  }
  ck_assert_double_gt(pulled, 0.5);
  /* 100 N/s and a fiftieth a tick; a coupling of 0.8, stiffnesses that differ by less than twice. */
  ck_assert_double_lt(largest, 1.6 * (SLIDE_CHANGE + released / 50.0));
  ck_assert_double_lt(tac_vec3_distance(output[0].force, alone), 1e-9);
  tac_world_destroy(world);
}
