/* What happens to worlds with soft bodies beside steps: threads that simulate them and make factors, saved states, resets, parameters that
 * change, many worlds at once. Whatever happened when, told to do it at the same ticks a world does the same, bit for bit. */
#include <pthread.h>
#include "physics/cells.h"
#include "world/world_tick.h"

enum { LENGTH = 240, EVERY = 10, MOST_STATE = 2048, MOST_WAITS = 10000 /* of 0.1 ms */ };
static const Cell rubbed = {{HYPERELASTIC_HELD, HYPERELASTIC_RESTS}, TAC_METHOD_SIGNORINI, TAC_COUPLING_STATIC, 0.0};
static const Cell pushed = {{HYPERELASTIC_FREE, HYPERELASTIC_HELD}, TAC_METHOD_PENALTY, TAC_COUPLING_DYNAMIC, 0.0};
static const Cell reduced = {{REDUCED_HELD, REDUCED_ANCHORED}, TAC_METHOD_PENALTY, TAC_COUPLING_STATIC, 0.0};

/* Ticks that are played. */
static int length(void) {
  return tac_test_light() ? LENGTH / 2 : LENGTH;
}

static SmallBodies make_relaxing(void) {
  SmallBodies s = make_small_bodies();
  s.relaxes = true;
  return s;
}

/* What came out of a tick, and when results and factors were taken. */
typedef struct Run {
  tacToolOutput out[LENGTH][MOST_HANDS];
  double state[LENGTH][MOST_STATE];
  bool taken[LENGTH];
  uint32_t renewed[LENGTH];
  int renewals;
} Run;

static void tick(const Bench *b, Play *play, int at, Run *run) {
  tacToolInput in[MOST_HANDS];
  for (int t = 0; t < b->tools; ++t) {
    move_hand(&play->hands[t], at + 60, play->out[t].force); /* they touch soon */
    in[t] = input_of(&play->hands[t]);
  }
  tacTickReport report = step_world(b->world, in, play->out);
  ck_assert_int_eq(report.refused, 0);
  memset(run->out[at], 0, sizeof run->out[at]);
  memcpy(run->out[at], play->out, (size_t)b->tools * sizeof *play->out);
  ck_assert_int_le(tac_world_state_size(b->world), MOST_STATE);
  tac_world_state(b->world, run->state[at]);
  run->taken[at] = report.taken;
  run->renewed[at] = report.renewed;
  run->renewals += report.renewed != 0;
}

static bool same(const Bench *b, const Run *x, const Run *y, int from, int to) {
  size_t numbers = (size_t)tac_world_state_size(b->world) * sizeof(double);
  for (int at = from; at < to; ++at) {
    for (int t = 0; t < b->tools; ++t) {
      const tacToolOutput *p = &x->out[at][t], *q = &y->out[at][t];
      if (memcmp(&p->force, &q->force, sizeof p->force) != 0 || memcmp(&p->torque, &q->torque, sizeof p->torque) != 0 ||
          memcmp(&p->proxy, &q->proxy, sizeof p->proxy) != 0)
        return false;
    }
    if (memcmp(x->state[at], y->state[at], numbers) != 0) return false;
    if (x->taken[at] != y->taken[at] || x->renewed[at] != y->renewed[at]) return false;
  }
  return true;
}

static void set(const Bench *b, const char *name, double value) {
  int index = tac_world_find_parameter(b->world, name);
  ck_assert_int_ge(index, 0);
  tac_test_ok(tac_world_set_parameter(b->world, index, value, &error), error);
}

/* What is changed on the way, and as it was. */
static void change(const Bench *b, const Cell *cell, int at) {
  if (!is_hyperelastic(cell->kind[0])) return;
  if (at == 70) set(b, "points.stiffness", 1.3);
  if (at == 75) set(b, "points.damping", 2e-3);
  if (at == 141) set(b, "points.stiffness", 0.8);
}

static Play begin_again(const Bench *b, const Cell *cell) {
  tac_world_reset(b->world);
  if (is_hyperelastic(cell->kind[0])) {
    set(b, "points.stiffness", 1.0);
    set(b, "points.damping", 0.0);
  }
  return begin(b, cell);
}

/* With threads of the factors, and at two rates one of the bodies: ticks that wait for nothing, but now and then
 * for a factor, if one is under way. */
static void play_threaded(const Bench *b, const Cell *cell, Run *run) {
  Play play = begin(b, cell);
  const tacBody *body = &b->world->bodies[0].body;
  run->renewals = 0;
  tac_test_ok(tac_world_start_simulation(b->world, &error), error);
  for (int at = 0; at < length(); ++at) {
    struct timespec moment = {.tv_nsec = 100000};
    bool waits = body->table->thread != NULL && at > 2 * EVERY && at % 7 == 0;
    for (int i = 0; i < MOST_WAITS && waits && !body->table->thread->ready(body->self); ++i) nanosleep(&moment, NULL);
    change(b, cell, at);
    tick(b, &play, at, run);
  }
  tac_world_stop_simulation(b->world);
}

/* Ticks are faster than threads, whose results come late, and never twice alike; told to take them in the same ticks, a world without
 * threads does the same. A reset ends that: then every result is in time. */
TAC_TEST(results_of_threads_can_be_replayed) {
  static const Cell *const cells[] = {&rubbed, &pushed, &rubbed, &pushed, &reduced};
  static Run threaded, repeated;
  SmallBodies s = make_relaxing();
  for (int i = 0; i < 5; i += tac_test_light() && i == 0 ? 3 : 1) {
    const Cell *cell = cells[i];
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, cell, true, 0.0, i < 2 ? 1 : EVERY);
    play_threaded(&b, cell, &threaded);
    /* How many factors arrive is a matter of time: on a busy machine none may. */
    for (int again = 0; again < 5 && cell != &reduced && threaded.renewals == 0; ++again) {
      begin_again(&b, cell);
      play_threaded(&b, cell, &threaded);
    }
    ck_assert_msg(cell == &reduced || threaded.renewals >= 1, "cell %d: none", i);
    Play play = begin_again(&b, cell);
    for (int at = 0; at < length(); ++at) {
      tac_world_replay_taking(b.world, threaded.taken[at]);
      tac_world_replay_renewed(b.world, threaded.renewed[at]);
      change(&b, cell, at);
      tick(&b, &play, at, &repeated);
    }
    ck_assert_msg(same(&b, &threaded, &repeated, 0, length()), "cell %d differs", i);
    play = begin_again(&b, cell);
    for (int at = 0; at < 5 * EVERY; ++at) {
      tick(&b, &play, at, &repeated);
      ck_assert(repeated.taken[at] == (i >= 2 && at > 0 && at % EVERY == 0));
    }
  }
}

/* A world that was saved goes on as it did, whatever has been set or has relaxed since its factors were made. */
TAC_TEST(saved_states_continue) {
  enum { AHEAD = 25 };
  static const int moments[] = {0, 1, 72, 76, 140, 143, 207};
  static Run run, again;
  SmallBodies s = make_relaxing();
  for (int i = 0; i < 3; ++i) {
    const Cell *cell = i < 2 ? &rubbed : &reduced;
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, cell, true, 0.0, i == 0 ? 1 : EVERY);
    size_t size = tac_world_memory_size(b.world);
    TAC_MEMORY(void, memory) = malloc(size);
    for (size_t m = 0; m < sizeof moments / sizeof *moments; ++m) {
      if (tac_test_light() && m % 3 != 2) continue;
      Play play = begin_again(&b, cell), then = play;
      for (int at = 0; at < moments[m] + AHEAD; ++at) {
        if (at <= moments[m]) change(&b, cell, at);
        if (at == moments[m]) {
          tac_test_ok(tac_world_save(b.world, size, memory, &error), error);
          then = play;
        }
        tick(&b, &play, at, &run);
      }
      tac_test_ok(tac_world_load(b.world, size, memory, &error), error);
      for (int at = moments[m]; at < moments[m] + AHEAD; ++at) tick(&b, &then, at, &again);
      ck_assert_msg(same(&b, &run, &again, moments[m], moments[m] + AHEAD), "every %d, saved in tick %d",
                    i == 0 ? 1 : EVERY, moments[m]);
    }
    /* States that make no sense are refused, and the world is as new. */
    tac_test_ok(tac_world_save(b.world, size, memory, &error), error);
    for (size_t k = 0; k + 8 <= size; k += 8) memcpy((char *)memory + k, &(double){NAN}, 8);
    ck_assert_int_eq(tac_world_load(b.world, size, memory, &error), TAC_ERR_ARGUMENT);
  }
}

/* Reset while factors are made, amid rubbing, it begins as it did, and parameters stay. */
TAC_TEST(resets_begin_again) {
  static Run first, again;
  SmallBodies s = make_relaxing();
  for (int i = tac_test_light(); i < 2; ++i) {
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &rubbed, true, 0.0, i == 0 ? 1 : EVERY);
    set(&b, "points.stiffness", 1.2);
    Play play = begin(&b, &rubbed);
    for (int at = 0; at < 100; ++at) tick(&b, &play, at, &first);
    tac_test_ok(tac_world_start_simulation(b.world, &error), error);
    for (int at = 100; at < 133; ++at) tick(&b, &play, at, &again);
    tac_world_reset(b.world);
    tac_world_stop_simulation(b.world);
    tac_world_reset(b.world);
    ck_assert_double_eq(tac_world_parameter(b.world, tac_world_find_parameter(b.world, "points.stiffness")).value, 1.2);
    play = begin(&b, &rubbed);
    for (int at = 0; at < 100; ++at) tick(&b, &play, at, &again);
    ck_assert(same(&b, &first, &again, 0, 100));
  }
}

/* One of many worlds in threads of their own, each with threads of its bodies' factors in one of two. */
typedef struct Alone {
  Bench bench;
  bool threads;
  Run run;
} Alone;

static void *play_alone(void *context) {
  Alone *alone = context;
  if (alone->threads) {
    play_threaded(&alone->bench, &rubbed, &alone->run);
    return NULL;
  }
  Play play = begin(&alone->bench, &rubbed);
  for (int at = 0; at < length(); ++at) {
    change(&alone->bench, &rubbed, at);
    tick(&alone->bench, &play, at, &alone->run);
  }
  return NULL;
}

TAC_TEST(worlds_are_independent) {
  enum { WORLDS = 4 };
  SmallBodies s = make_relaxing();
  pthread_t threads[WORLDS];
  static Alone alone[WORLDS + 1];
  for (int i = 0; i <= WORLDS; ++i) {
    alone[i] = (Alone){.threads = i == 1};
    alone[i].bench = make_bench(&s, &rubbed, true, 0.0, 1);
  }
  for (int i = 0; i < WORLDS; ++i) ck_assert_int_eq(pthread_create(&threads[i], NULL, play_alone, &alone[i]), 0);
  for (int i = 0; i < WORLDS; ++i) pthread_join(threads[i], NULL);
  play_alone(&alone[WORLDS]);
  for (int i = 0; i < WORLDS; ++i)
    if (!alone[i].threads) ck_assert(same(&alone[i].bench, &alone[i].run, &alone[WORLDS].run, 0, length()));
  for (int i = 0; i <= WORLDS; ++i) tac_world_destroy(alone[i].bench.world);
}

/* A push from outside gives a free one its impulse; placed by its frame, which its nodes have left, it cannot be. */
TAC_TEST(pushes_give_their_impulse) {
  SmallBodies s = make_relaxing();
  for (int i = 0; i < 2; ++i) {
    int every = i == 0 ? 1 : EVERY;
    TAC_FREED(end_bench, Bench, b) = make_bench(&s, &pushed, false, 0.0, every);
    tacBodyId id = tac_world_body(b.world, 0);
    tacVec3 force = {0.03, -0.02, 0.01}, at = to_world(pose_of(0, gap_of(&pushed)), tac_vec3(0.0, 0.02, 0.02));
    tacPose pose = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    static double nodes[1024];
    momentum_of(&s, &b, &pushed, 0, nodes); /* where they are */
    tac_test_refused(tac_world_move_body(b.world, id, &pose, force, force, &error), TAC_ERR_ARGUMENT, error, "push it");
    tac_test_ok(tac_world_push_body(b.world, id, at, force, &error), error);
    for (int tick = 0; tick < (every > 1 ? every + 1 : 1); ++tick) step_world(b.world, NULL, NULL); /* first it looks */
    Momentum now = momentum_of(&s, &b, &pushed, 0, nodes);
    /* Of a step, not of a tick: the way of its nodes is as much longer. */
    tacVec3 p = tac_vec3_scale(1.0 / every, now.linear), impulse = tac_vec3_scale(period, force);
    ck_assert_double_lt(tac_vec3_distance(p, impulse), 1e-10 * tac_vec3_norm(impulse));
  }
}
