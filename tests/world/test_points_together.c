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

TAC_TEST(no_path_of_several_hands_gets_more_out_than_they_put_in) {
  TAC_OWN(tacGreen, green) = make_green("sphere", 0.015); /* about the origin, the lowest quarter fixed */
  for (int count = 1; count <= MOST_HANDS; ++count)
    for (int k = 0; k < 8; ++k) wander(green, count, 0.15 * (k / 2), 0.04 * (k % 2), (uint64_t)(10 * count + k));
}
