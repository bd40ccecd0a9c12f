#include "servo/energy_account.h"

#include "math/geometry/vec3.h"
#include "math/random.h"
#include "test.h"

static const double period = 0.001;
static const tacVec3 none = {0.0, 0.0, 0.0};

/* ---- worlds that only store and dissipate ---- */

enum { MOST_WALLS = 3 };

/* Walls that a point enters: springs f = k s (d / s)^n along the normal, dampers beside them, and along the
 * wall a spring behind Coulomb friction. */
typedef struct {
  int count;
  double exponent, damping, friction, tangential; /* -, N s/m, -, N/m */
  tacVec3 normal[MOST_WALLS], anchor[MOST_WALLS];
  double stiffness[MOST_WALLS], offset[MOST_WALLS];
  bool touched[MOST_WALLS];
  tacVec3 last;
  double stored; /* J, closed form */
  bool contact;
} Walls;

static const double scale = 0.01; /* m */

static tacVec3 walls_push(Walls *w, tacVec3 x) {
  tacVec3 force = none, motion = tac_vec3_sub(x, w->last);
  w->last = x;
  w->stored = 0.0;
  w->contact = false;
  for (int i = 0; i < w->count; ++i) {
    double depth = w->offset[i] - tac_vec3_dot(x, w->normal[i]);
    bool was = w->touched[i];
    w->touched[i] = depth > 0.0;
    if (!w->touched[i]) continue;
    w->contact = true;
    double spring = w->stiffness[i] * scale * pow(depth / scale, w->exponent);
    double damper = -w->damping * tac_vec3_dot(motion, w->normal[i]) / period;
    force = tac_vec3_mad(force, fmax(0.0, spring + damper), w->normal[i]);
    w->stored += spring * depth / (w->exponent + 1.0);
    if (!(w->friction > 0.0)) continue;
    if (!was) w->anchor[i] = x;
    tacVec3 way = tac_vec3_sub(x, w->anchor[i]);
    way = tac_vec3_mad(way, -tac_vec3_dot(way, w->normal[i]), w->normal[i]);
    double length = tac_vec3_norm(way), most = w->friction * spring / w->tangential;
    if (length > most) {
      w->anchor[i] = tac_vec3_mad(w->anchor[i], (length - most) / length, way);
      way = tac_vec3_scale(most / length, way);
    }
    force = tac_vec3_mad(force, -w->tangential, way);
    w->stored += 0.5 * w->tangential * tac_vec3_norm2(way);
  }
  return force;
}

/* A path of slow and fast waves that begins outside of all walls. */
typedef struct {
  double size[3][4], phase[3][4], frequency[4], bias;
} Path;

static Path random_path(tacRandom *random) {
  Path p = {.bias = tac_random_uniform(random, -0.008, 0.004)};
  for (int j = 0; j < 4; ++j) {
    p.frequency[j] = 0.1 * pow(30.0, tac_random_uniform(random, 0.0, 1.0));
    for (int i = 0; i < 3; ++i) {
      p.size[i][j] = tac_random_uniform(random, 0.0, 0.004) / sqrt(1.0 + p.frequency[j]);
      p.phase[i][j] = tac_random_uniform(random, 0.0, 6.28);
    }
  }
  return p;
}

static tacVec3 path_at(const Path *p, double time) {
  double x[3] = {0.0, 0.0, p->bias};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) x[i] += p->size[i][j] * sin(6.28 * p->frequency[j] * time + p->phase[i][j]);
  if (time < 1.0) x[2] += 0.1 * (1.0 - time) * (1.0 - time);
  return tac_vec3(x[0], x[1], x[2]);
}

static Walls random_walls(tacRandom *random, int count, bool nonlinear, bool damped, bool rough) {
  double stiffness = 100.0 * pow(30.0, tac_random_uniform(random, 0.0, 1.0));
  Walls w = {.count = count, .exponent = 1.0};
  if (nonlinear) w.exponent = 0.5 * pow(4.0, tac_random_uniform(random, 0.0, 1.0));
  if (damped) w.damping = period * stiffness * tac_random_uniform(random, 0.0, 2.0);
  if (rough) w.friction = tac_random_uniform(random, 0.1, 1.0);
  w.tangential = stiffness * tac_random_uniform(random, 0.5, 1.5);
  for (int i = 0; i < count; ++i) { /* tilted by at most 45 degrees from z: no two are more than 90 degrees apart */
    double tilt = tac_random_uniform(random, 0.0, 0.785), around = tac_random_uniform(random, 0.0, 6.28);
    w.normal[i] = tac_vec3(sin(tilt) * cos(around), sin(tilt) * sin(around), cos(tilt));
    w.stiffness[i] = i > 0 ? stiffness * tac_random_uniform(random, 1.0, 2.0) : stiffness;
    w.offset[i] = i > 0 ? tac_random_uniform(random, -0.002, 0.002) : 0.0;
  }
  return w;
}

/* No passive world is accused, beyond what the trapezium rule errs: the sum of all by which the closed form of the
 * stored energy grew more than by the work that was added. */
TAC_TEST(springs_dampers_and_friction_generate_nothing) {
  tacRandom random = tac_random_seed(42);
  for (int i = 0; i < (tac_test_light() ? 40 : 400); ++i) {
    Walls w = random_walls(&random, i % 8 < 4 ? 1 : MOST_WALLS, i % 4 == 1, i % 4 == 2, i % 4 == 3);
    Path path = random_path(&random);
    tacEnergyAccount account = tac_energy_account_begin(period);
    tacVec3 x = path_at(&path, 0.0), force = none;
    double missed = 0.0, stored = 0.0;
    w.last = x;
    for (int k = 0; k < 10000; ++k) {
      tacVec3 to = path_at(&path, k * period), push = walls_push(&w, to);
      double work = -0.5 * tac_vec3_dot(tac_vec3_add(force, push), tac_vec3_sub(to, x));
      missed += fmax(0.0, w.stored - stored - work);
      tac_energy_account_add(&account, work, tac_vec3_norm(push), w.contact);
      x = to, force = push, stored = w.stored;
    }
    ck_assert_double_le(account.episode.generated, missed + 1e-12);
    ck_assert_double_le(account.generated, missed + 1e-12);
    ck_assert_double_le(missed, 0.02 * account.gross + 1e-4); /* and that says something */
  }
}

/* Force that depends on position alone, held, is short of what it stores by K dx^2 / 2 a tick; the
 * trapezium rule is not. */
TAC_TEST(zero_order_hold_error_is_allowed_by_the_measured_slope) {
  const double k = 1000.0, dx = 1e-4;
  tacEnergyAccount held = tac_energy_account_begin(period), allowed = held;
  double last = 0.0, depth = -5e-4;
  for (int i = 0; i < 2000; ++i) { /* in and out by 4.5 mm, ten times in one contact: never quite out */
    int phase = i % 200;
    double next = i < 100 || phase < 100 ? depth + dx : depth - dx;
    if (i >= 100 && next < 1e-4) next = 1e-4;
    double force = k * fmax(0.0, next);
    tac_energy_account_add(&held, last * (next - depth), force, force > 0.0);
    tac_energy_account_add(&allowed, 0.5 * (last + force) * (next - depth), force, force > 0.0);
    depth = next, last = force;
  }
  /* 2 x 94 ticks a round inside: K dx^2 / 2 each */
  ck_assert_double_gt(held.episode.generated, 9.0 * 188.0 * 0.5 * k * dx * dx);
  ck_assert_double_le(allowed.episode.generated, 1e-12);
  ck_assert_double_le(allowed.generated, 1e-12);
}

/* ---- worlds that give ---- */

/* Presses a spring of 1000 N/m by 2 mm, slides under friction of 1 N for as long as it takes to lose a joule, and then
 * is driven by the world with 5 mJ a second, all in one contact. */
TAC_TEST(energy_lost_to_friction_is_no_credit) {
  tacEnergyAccount account = tac_energy_account_begin(period);
  double sum = 0.0, stored = 0.0;
  int tick = 0, pump_begin = 0;
  for (int i = 1; i <= 100; ++i, ++tick) {
    double depth = 2e-5 * i, work = 1000.0 * 2e-5 * (depth - 1e-5);
    stored += work;
    tac_energy_account_add(&account, work, 1000.0 * depth, true);
  }
  ck_assert_double_eq_tol(stored, 0.5 * 1000.0 * 0.002 * 0.002, 1e-12);
  sum = stored;
  for (; sum < 1.0; ++tick) { /* 0.1 m/s */
    tac_energy_account_add(&account, 1e-4, hypot(2.0, 1.0), true);
    sum += 1e-4;
  }
  ck_assert_double_eq(account.generated, 0.0);
  double cap = tac_energy_account_cap(&account);
  ck_assert_double_le(cap, 4.0 * stored * 5.0 / 4.0 * 1.1); /* 4 Phi of hypot(2, 1) N */
  pump_begin = tick;
  for (int i = 0; i < 10000; ++i, ++tick) {
    tac_energy_account_add(&account, -5e-6, 2.0, true);
    sum -= 5e-6;
  }
  ck_assert_double_gt(sum, 0.9); /* a sum from the start has seen nothing */
  ck_assert_double_ge(account.generated, 0.05 - cap - 1e-9);
  ck_assert_double_eq_tol(account.second.generated, 0.005, 1e-4); /* the full rate */
  ck_assert_double_eq_tol(account.tenth.generated, 0.0005, 6e-5);
  ck_assert_double_eq_tol(account.second.work, account.second.generated, 1e-4);
  ck_assert_int_ge(account.second.begin, pump_begin - 1000);
  ck_assert_double_eq(account.episode.generated, 0.0); /* paid for in the same contact: what windows are for */
}

/* A contact that took a joule ends: the next ones, which give 1 mJ each, are seen as they are. */
TAC_TEST(credit_ends_with_the_contact) {
  tacEnergyAccount account = tac_energy_account_begin(period);
  for (int i = 0; i < 1000; ++i) tac_energy_account_add(&account, 1e-3, 1.0, true);
  tac_energy_account_add(&account, 0.0, 0.0, false);
  int64_t second = account.tick;
  for (int j = 0; j < 3; ++j) { /* 3, 4, 3 mJ in, 4, 6, 4 mJ out */
    for (int i = 1; i <= 100; ++i) tac_energy_account_add(&account, j == 1 ? 4e-5 : 3e-5, 0.02 * i, true);
    for (int i = 99; i >= 0; --i) tac_energy_account_add(&account, j == 1 ? -6e-5 : -4e-5, 0.02 * i + 1e-3, true);
    tac_energy_account_add(&account, 0.0, 0.0, false);
    for (int i = 0; i < 500; ++i) tac_energy_account_add(&account, 0.0, 0.0, false);
  }
  ck_assert_int_eq(account.episodes, 4);
  ck_assert_double_eq_tol(account.episode.generated, 0.002, 1e-12);
  ck_assert_double_eq_tol(account.episode.work, 0.010, 1e-12);
  ck_assert_int_eq(account.episode.begin, second + 701);
  ck_assert_double_eq_tol(account.generated, 0.004, 1e-12);
  ck_assert_double_eq_tol(account.tenth.generated, 0.002, 1e-12);
  ck_assert_double_eq_tol(account.second.generated, 0.003, 1e-12);
}

/* A spring that gives 20 % more than it took, in a long contact that never lets go and that friction has paid for. */
TAC_TEST(generation_is_detected_despite_friction_losses) {
  const double step = 5e-6, k = 1000.0;
  tacEnergyAccount account = tac_energy_account_begin(period);
  double sum = 0.0, given = 0.0;
  for (int round = 0; round < 200; ++round) {
    for (int i = 1; i <= 400; ++i) {
      double depth = step * (i <= 200 ? i : 400 - i) + 1e-4, force = k * depth;
      double work = i <= 200 ? step * (force - 0.5 * k * step) : -1.2 * step * (force + 0.5 * k * step);
      tac_energy_account_add(&account, work, force, true);
      sum += work;
      for (int j = 0; i == 200 && round < 100 && j < 400; ++j) { /* slides under that force: 2 J in all */
        tac_energy_account_add(&account, 5e-5, force, true);
        sum += 5e-5;
      }
    }
    given += round >= 100 ? 0.2 * 0.5 * k * (1.1e-3 * 1.1e-3 - 1e-4 * 1e-4) : 0.0;
    if (round == 99) ck_assert_double_le(account.generated, 0.0);
  }
  ck_assert_double_gt(sum, 1.9);
  ck_assert_double_ge(account.generated, given - tac_energy_account_cap(&account) - 1e-9);
  ck_assert_double_gt(account.generated, 0.7 * given);
}

/* What a world can store without a rise of the force, a weight that is lifted by 10 cm, is said; then it may be
 * given back. */
TAC_TEST(energy_of_a_lifted_weight_may_be_returned) {
  tacEnergyAccount informed = tac_energy_account_begin(period), uninformed = informed;
  informed.weight = 0.1;
  for (int i = 0; i < 2010; ++i) {
    double work = i < 10 ? 1e-6 * i : i < 1010 ? 1e-4 : -1e-4, force = fmin(1.0, 0.1 * (i + 1));
    tac_energy_account_add(&informed, work, force, true);
    tac_energy_account_add(&uninformed, work, force, true);
  }
  ck_assert_double_le(informed.generated, 1e-12);
  ck_assert_double_gt(uninformed.generated, 0.09);
  ck_assert_double_le(uninformed.episode.generated, 1e-12);
}

/* A finger meets a mass on a spring again and again, as masses that swing are met: x'' = -(k x + damping x') / m + contact. */
typedef struct Swing {
  double mass, stiffness, damping, x, v; /* kg, N/m, N s/m, m, m/s */
  double active;                         /* of the contact's force, so much more for a hand that goes back */
} Swing;

static const double touch = 400.0; /* N/m */

/* A tick of 100 parts, with the finger at `at` below which the mass cannot be; returns the force. */
static double swing(Swing *s, double at) {
  enum { PARTS = 100 };
  for (int i = 0; i < PARTS; ++i) {
    double force = touch * fmax(0.0, at - s->x);
    s->v += period / PARTS * (force - s->stiffness * s->x - s->damping * s->v) / s->mass;
    s->x += period / PARTS * s->v;
  }
  return touch * fmax(0.0, at - s->x);
}

static double swing_holds(const Swing *s, double force) {
  return 0.5 * s->mass * s->v * s->v + 0.5 * s->stiffness * s->x * s->x + 0.5 * force * force / touch;
}

/* Strikes at 0.3 m/s, away, and then waits 4 mm beyond where the mass rests, going back as slowly as 5 mm/s: what the mass was given
 * comes back in later contacts. `informed`: of what it holds. */
static tacEnergyAccount swing_against_wall(Swing s, bool informed) {
  tacEnergyAccount account = tac_energy_account_begin(period);
  double at = -0.03, force = 0.0;
  for (int k = 0; k < 4000; ++k) {
    double way = k < 130 ? 3e-4 : k < 190 ? -3e-4 : -5e-6;
    if (at + way < -0.02 && k > 190) way = 0.0;
    at += way;
    double next = swing(&s, at);
    account.stored = informed ? swing_holds(&s, next) : 0.0;
    double share = way < 0.0 ? 1.0 + s.active : 1.0;
    tac_energy_account_add(&account, share * 0.5 * (force + next) * way, next, next > 0.0);
    force = next;
  }
  return account;
}

TAC_TEST(kinetic_energy_given_to_a_mass_may_be_returned) {
  const Swing s = {.mass = 0.05, .stiffness = 20.0, .damping = 0.01};
  tacEnergyAccount informed = swing_against_wall(s, true), uninformed = swing_against_wall(s, false);
  ck_assert_int_gt(informed.episodes, 3);
  ck_assert_double_gt(uninformed.generated, 1e-4); /* that is what it looks like */
  ck_assert_double_le(informed.generated, 1e-3 * informed.gross);
  ck_assert_double_le(informed.episode.generated, 1e-3 * informed.gross);
  Swing gives = s;
  gives.active = 19.0;
  tacEnergyAccount active = swing_against_wall(gives, true);
  ck_assert_double_gt(active.generated, 0.3 * active.gross);
}

/* What bodies hold is no credit by itself: a wall that gives beside a body that swings by itself is seen in full, and a hand's joule that
 * friction took is not paid for by what falls to rest. */
TAC_TEST(energy_from_other_sources_is_no_credit) {
  tacEnergyAccount account = tac_energy_account_begin(period);
  account.stored = 1.0;
  for (int i = 0; i < 100; ++i) tac_energy_account_add(&account, -1e-5, 1.0, true);
  ck_assert_double_eq_tol(account.generated, 1e-3, 1e-12);
  for (int i = 0; i < 1000; ++i) tac_energy_account_add(&account, 1e-3, 1.0, true); /* a joule */
  tac_energy_account_add(&account, 0.0, 0.0, false);
  ck_assert_double_eq_tol(account.credit, 1.0, 1e-12);
  account.stored = 2e-3; /* it has come nearly to rest, */
  tac_energy_account_add(&account, 0.0, 0.0, false);
  account.stored = 1.0; /* and is set swinging by somebody else */
  tac_energy_account_add(&account, 0.0, 0.0, false);
  ck_assert_double_eq_tol(account.credit, 2e-3, 1e-12);
  for (int i = 0; i < 1000; ++i) tac_energy_account_add(&account, -1e-5, 1.0, true);
  ck_assert_double_eq_tol(account.generated, 1e-3 + 1e-2 - 2e-3, 1e-9);
  ck_assert_double_eq_tol(account.episode.generated, 1e-2 - 2e-3, 1e-9);
}
