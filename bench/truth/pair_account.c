#include "bench/truth/pair_account.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "asset/deformed_pose.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "world/pairs/pair.h"
#include "world/world_parts.h"

/* Where a body was. */
typedef struct State {
  tacFrame frame;
  double q[TAC_BODY_MOST_COORDINATES]; /* of those that deform points or field */
} State;

/* Both bodies at the evaluation before, at the last one, and since. */
enum { BEFORE, THEN, NOW, STATES };

struct tacPairAccountPair {
  int pair; /* of the world */
  State shell[STATES], field[STATES];
  double pending[2]; /* J: with the forces of the last evaluation, the half of what they did since; along n, and all */
  double stored[2];  /* J: U, and U + H, in it */
  tacPairRise rise[2];
};
enum { ALONG, ALL };

static int coordinates_of(const tacWorldBody *body) {
  return tac_body_describe(&body->body).points_q != NULL ? body->size : 0;
}

static State state_of(const tacWorldBody *body) {
  State state = {.frame = body->frame};
  int n = coordinates_of(body);
  if (n > 0) memcpy(state.q, tac_body_describe(&body->body).points_q, (size_t)n * sizeof *state.q);
  return state;
}

/* A body that leaves coordinates out, or does not tell them, cannot be followed. */
static bool is_followed(const tacWorld *world, const tacPair *pair) {
  const tacWorldBody *points = &world->bodies[pair->points], *field = &world->bodies[pair->field];
  if (pair->laws) return false; /* which need no shell */
  int r = tac_pointshell_view(pair->shell)->r, of_field = (int)tac_pair_field_coordinates(pair);
  return (r == 0 || coordinates_of(points) == r) && (of_field == 0 || coordinates_of(field) == of_field);
}

tacStatus tac_pair_account_create(const tacWorld *world, tacPairAccount *account, tacError *error) {
  *account = (tacPairAccount){.world = world, .step = world->tick};
  if (world->simulation != NULL) return TAC_OK;
  account->pairs = tac_array_create((size_t)world->pair_count + 1, sizeof *account->pairs, "accounts of pairs", error);
  if (account->pairs == NULL) return TAC_ERR_MEMORY;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    if (!is_followed(world, pair)) continue;
    tacPairAccountPair *of = &account->pairs[account->pair_count++];
    *of = (tacPairAccountPair){.pair = p, .rise = {{.begin = -1}, {.begin = -1}}};
    for (int s = 0; s < STATES; ++s) {
      of->shell[s] = state_of(&world->bodies[pair->points]);
      of->field[s] = state_of(&world->bodies[pair->field]);
    }
  }
  return TAC_OK;
}

void tac_pair_account_free(tacPairAccount *account) {
  free(account->pairs);
  *account = (tacPairAccount){0};
}

static tacVec3 shell_place(const tacPair *pair, int point, const State *state) {
  tacVec3 own = tac_pointshell_view(pair->shell)->r > 0 ? tac_pointshell_deformed_point(pair->shell, point, state->q)
                                                        : tac_pointshell_point(pair->shell, point);
  return tac_frame_to_world(&state->frame, own);
}

/* The material point of the field's body that is at a place in the state THEN: its places are linear in the coordinates. */
typedef struct Material {
  tacVec3 at; /* then, body's frame */
  int n;
  double rows[3 * TAC_BODY_MOST_COORDINATES];
} Material;

static void find_material(const tacWorld *world, const tacPairAccountPair *of, int contact, Material *material) {
  const tacPair *pair = &world->contact_pairs[of->pair];
  const tacDeformedPose *deformed = pair->contact_field.deformed;
  const tacWorldBody *body = &world->bodies[pair->field];
  const State *then = &of->field[THEN];
  material->at = tac_frame_from_world(&then->frame, pair->at[contact].at);
  material->n = (int)tac_pair_field_coordinates(pair);
  if (material->n == 0) return;
  tacPairProxy under = pair->proxies[contact];
  tacSite site = {TAC_SITE_FIELD, under.domain << 16 | under.proxy,
                  tac_deformed_pose_pull_back_at(deformed, under.domain, under.proxy, then->q, material->at)};
  body->body.table->rows(body->body.self, &site, material->rows);
}

static tacVec3 material_place(const Material *m, const State *then, const State *state) {
  double at[3] = {m->at.x, m->at.y, m->at.z};
  for (int axis = 0; axis < 3; ++axis)
    for (int j = 0; j < m->n; ++j) at[axis] += m->rows[axis * m->n + j] * (state->q[j] - then->q[j]);
  return tac_frame_to_world(&state->frame, tac_vec3(at[0], at[1], at[2]));
}

/* The share of a way along n that is in contact, where it begins or ends within: without it K dx^2 / 8 a point. */
static double inside(double depth, double way) {
  return way > depth ? depth / way : 1.0;
}

/* J, half of what the forces of the last evaluation did from one state to another: along n, and all. */
static void find_work(const tacWorld *world, const tacPairAccountPair *of, double before[2], double after[2],
                      double *gross) {
  const tacPair *pair = &world->contact_pairs[of->pair];
  before[ALONG] = before[ALL] = after[ALONG] = after[ALL] = 0.0;
  for (int i = 0; i < pair->count; ++i) {
    Material material;
    tacVec3 apart[STATES], f = pair->springs[i].force, n = pair->at[i].normal;
    find_material(world, of, i, &material);
    for (int s = 0; s < STATES; ++s)
      apart[s] = tac_vec3_sub(shell_place(pair, pair->point[i], &of->shell[s]),
                              material_place(&material, &of->field[THEN], &of->field[s]));
    tacVec3 came = tac_vec3_sub(apart[THEN], apart[BEFORE]), goes = tac_vec3_sub(apart[NOW], apart[THEN]);
    double along = tac_vec3_dot(f, n), in = tac_vec3_dot(n, came), out = -tac_vec3_dot(n, goes);
    double share_in = inside(pair->at[i].depth, in), share_out = inside(pair->at[i].depth, out);
    before[ALONG] += 0.5 * share_in * along * in;
    after[ALONG] -= 0.5 * share_out * along * out;
    before[ALL] += 0.5 * share_in * tac_vec3_dot(f, came);
    after[ALL] += 0.5 * share_out * tac_vec3_dot(f, goes);
    *gross += fabs(share_out * along * out);
  }
}

static void rise_by(tacPairRise *rise, int64_t step, int64_t bucket_steps, double energy) {
  int64_t bucket = step / bucket_steps;
  double *now = &rise->least[bucket % TAC_PAIR_ACCOUNT_BUCKETS];
  if (step % bucket_steps == 0) *now = rise->sum;
  rise->sum += energy;
  *now = fmin(*now, rise->sum);
  for (int64_t b = bucket < TAC_PAIR_ACCOUNT_BUCKETS ? 0 : bucket - TAC_PAIR_ACCOUNT_BUCKETS + 1; b <= bucket; ++b) {
    double rose = rise->sum - rise->least[b % TAC_PAIR_ACCOUNT_BUCKETS];
    if (!(rose > rise->most)) continue;
    rise->most = rose;
    rise->begin = b * bucket_steps;
  }
}

static void look(tacPairAccount *account, tacPairAccountPair *of) {
  const tacWorld *world = account->world;
  const tacPair *pair = &world->contact_pairs[of->pair];
  int64_t bucket_steps = (int64_t)fmax(1.0, round(0.01 / world->period));
  double before[2], after[2], stored[2] = {pair->pressed.energy, pair->pressed.energy + pair->pressed.held};
  for (int s = BEFORE; s < NOW; ++s) {
    of->shell[s] = of->shell[s + 1];
    of->field[s] = of->field[s + 1];
  }
  of->shell[NOW] = state_of(&world->bodies[pair->points]);
  of->field[NOW] = state_of(&world->bodies[pair->field]);
  find_work(world, of, before, after, &account->work);
  for (int k = 0; k < 2; ++k) {
    rise_by(&of->rise[k], account->step, bucket_steps, of->pending[k] + before[k] + stored[k] - of->stored[k]);
    of->pending[k] = after[k];
    of->stored[k] = stored[k];
  }
  account->along = fmax(account->along, of->rise[ALONG].most);
  account->all = fmax(account->all, of->rise[ALL].most);
}

void tac_pair_account_look(tacPairAccount *account) {
  const tacWorld *world = account->world;
  if (world->tick == account->step) return;
  for (int p = 0; p < account->pair_count; ++p) look(account, &account->pairs[p]);
  account->step = world->tick;
}
