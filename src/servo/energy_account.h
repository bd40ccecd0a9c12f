/* What a world gives to the hand beyond what the hand put in: an account of energy whose credit ends.
 *
 * A world that only stores and dissipates gives back, from any tick on, at most what it has in store then: its
 * available storage A >= 0 (Willems 1972), with A_{k+1} <= A_k + w_k for the hand's work w_k on it in tick k. Hence
 * C >= A for
 *
 *   C_{k+1} = min(C_k + w_k, cap_k),   as long as cap_k >= A_{k+1},
 *
 * and C never falls below zero. Where it would, the world has *generated* what is missing, and C goes on from zero. A
 * sum from the start is this account without a cap: what friction took is a credit for ever, and a world that took a
 * joule may give one unseen. Here credit ends twice:
 *
 * - An episode is a time of contact. What is left at its end was dissipated, but for what bodies hold that move by
 *   themselves (`stored`, as the world tells): a body that was set swinging may give in a later contact what it was
 *   given in this one. So credit is at most `stored` where there is no contact, and the next one begins with it. Where
 *   nothing is told, nothing is in store when a contact begins. What bodies hold is never credit by itself: what the hand
 *   did not give them is generated, be it from another hand, from a weight that falls, or from nowhere.
 * - Within an episode a spring holds no more than it took on the way in. Phi(F) is the largest work of a climb of the
 *   force to F, of all climbs so far: from an eighth of F or less on, while the force rises to values that the climb
 *   had not seen, with pauses of up to 20 ms; sliding under a steady force and holding do not count,
 *   while friction that grows all the time is taken for a soft spring. Then cap = 4
 *   Phi(F) + `weight` + `stored`, where F is the largest force of the episode, forgotten with a time constant of 10 s. Phi is
 *   kept as a compliance 2 Phi / F^2 for each octave of force: springs may harden or soften.
 *
 * There are two kinds of readings, which state different things:
 *
 * - `episode`: how far the energy of one contact, counted from the credit with which it began, fell below zero. Of a
 *   passive world nothing is assumed but that contact begins with nothing more in store. It does not see what was paid for by friction earlier in
 *   the same contact.
 * - `tenth`, `second` and `generated`: what C missed in the worst 0.1 s, in the worst 1 s, and in all. Of a passive
 *   world they assume besides that A <= 4 Phi(F) + weight + stored. That is so for springs, nonlinear ones too, and several at
 *   once whose normals are not more than 90 degrees apart, on any path in space, with friction beside or behind them
 *   and dampers that the springs' force soon exceeds, as long as no place is less than a quarter as stiff as where the
 *   force rose. Conversely, of what a world gives in any part of a contact all but 4 Phi(F) + weight + stored is seen, whatever
 *   it took before; and one that goes on giving is seen at its full rate from then on.
 *
 * What is stored while the force does not rise is not a spring's: a weight that is lifted, a mass that is pushed,
 * creep, two walls that squeeze from opposite sides, jaws that close by themselves. No port can tell these from
 * friction. Whoever knows of such stores says how much they hold now (`stored`) or at most (`weight`), or reads episodes.
 *
 * The work. A force is held between ticks, so exactly -f_k . dx_k goes over. What a spring that is sampled without any
 * delay stores in that tick is dx . K dx / 2 more: holding generates that much, whatever the world is. To judge a
 * world apart from holding, add up the work by the trapezium rule,
 *
 *   w_k = -1/2 (f_k + f_{k+1}) . dx_k,   torques and turns likewise,
 *
 * which allows exactly this, from the slope as measured: it is exact for linear springs, and no less than zero in the
 * end for friction and dampers that follow the sampled motion. Its error is at most K dx^2 / 8 where a spring begins
 * or ends within a tick, and K' dx^3 / 12 where it bends. In the tick in which contact ends nothing is called
 * generated: the force ended somewhere within. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TAC_ENERGY_LEVELS = 24, TAC_ENERGY_BUCKETS = 100 };

typedef struct tacEnergyReading {
  double generated; /* J; 0: none */
  double work;      /* J: sum of |work| from `begin` to where it had generated that much */
  int64_t begin;    /* tick in which it began, the first being 0; -1: none was generated */
} tacEnergyReading;

typedef struct tacEnergyAccount {
  /* Readings. */
  tacEnergyReading episode;       /* the worst contact, by its own energy */
  tacEnergyReading tenth, second; /* the worst 0.1 s and 1 s, begun at a multiple of 0.01 s */
  double generated;               /* J: in all, by the account */
  int64_t episodes;               /* contacts that began */
  double energy;                  /* J: of the contact, with what it began with; 0 without contact */
  double credit;                  /* J: C */
  /* To be set after tac_energy_account_begin, or left at 0. */
  double weight; /* J: what the world can store without a rise of the force */
  double stored; /* J: what its bodies hold now; before each tac_energy_account_add */

  /* Its own. */
  int64_t tick;                         /* the next */
  double decay;                         /* a tick */
  int64_t pause_most;                   /* ticks */
  double gross;                         /* J: sum of |work| */
  bool open;                            /* in contact */
  int64_t opened;                       /* tick */
  double opened_gross;                  /* J */
  double crest;                         /* N: the largest force of the contact, forgotten slowly */
  double climbed, peak;                 /* J, N: of the climb so far */
  double pending;                       /* J: since its peak */
  int64_t paused;                       /* ticks: since its peak */
  double last;                          /* N: force of the last tick */
  double compliance[TAC_ENERGY_LEVELS]; /* m/N: 2 Phi / F^2, from 2^j mN on */
  int64_t bucket_ticks;
  double generated_at[TAC_ENERGY_BUCKETS], gross_at[TAC_ENERGY_BUCKETS]; /* J: at the begin of the last buckets */
} tacEnergyAccount;

/* `period`: s of a tick. */
tacEnergyAccount tac_energy_account_begin(double period);
/* Tick: the hand's work on the world in it, J; and at its end: the size of the force that is held from now on, N (with
 * torques: of (force, torque / lever)), and whether there is contact. */
void tac_energy_account_add(tacEnergyAccount *account, double work, double force, bool contact);
/* J: what the world may have in store at most, by the climbs that were seen: 4 Phi(F) + weight + stored. */
double tac_energy_account_cap(const tacEnergyAccount *account);
