/* Measures the energy that a world generates at the port of a device. Generated energy is given to the hand beyond the
 * energy that the hand put in.
 *
 * A passive world only stores and dissipates energy. From any tick on, a passive world can give back at most its
 * available storage A >= 0 (Willems 1972). If w_k is the work of the hand on the world in tick k, then A_{k+1} <= A_k +
 * w_k. The credit C is an upper bound of A:
 *
 *   C_{k+1} = min(C_k + w_k, cap_k),   C >= A as long as cap_k >= A_{k+1}.
 *
 * For a passive world, C never falls below zero. If C would fall below zero, the world has generated the missing
 * energy, and C continues from zero. A sum of all work is this account without a cap. Without a cap, energy that
 * friction has dissipated remains a credit forever. A world that has dissipated a joule could then generate a joule
 * unnoticed. Here, the credit has two limits:
 *
 * - An episode is a period of contact. Credit that remains at the end of an episode was dissipated, except the energy
 *   of moving bodies (`stored`, as the world reports). A body that was set swinging may return this energy in a later
 *   contact. So credit without contact is at most `stored`, and the next episode begins with this credit. If the world
 *   reports nothing, the credit is zero when an episode begins. Stored energy is never a credit by itself. Energy that
 *   the hand did not put in counts as generated, even if another hand or a falling weight supplied the energy.
 * - Within an episode, a spring stores at most the work of compressing the spring. A climb is a rise of the force that
 *   begins at an eighth of F or less and reaches F. Only work in which the force exceeds the earlier values of the
 *   climb counts, with pauses of up to 20 ms. Sliding under a steady force and holding do not count. Friction that
 *   grows all the time is treated as a soft spring. Phi(F) is the largest work of all climbs to F so far. The cap is 4
 *   Phi(F) + `weight` + `stored`, where F is the largest force of the episode, which decays with a time constant of 10
 *   s. Phi is stored as a compliance 2 Phi / F^2 for each octave of force, since springs may harden or soften.
 *
 * There are two kinds of readings:
 *
 * - `episode`: how far the energy of a contact, counted from the initial credit, fell below zero. The reading assumes
 *   of a passive world only that contact begins with no more stored energy than the credit. The reading misses energy
 *   that is generated after friction dissipated as much energy in the same contact.
 * - `tenth`, `second` and `generated`: energy missing in C in the worst 0.1 s, in the worst 1 s, and in total. These
 *   readings also assume that A <= 4 Phi(F) + weight + stored. The assumption holds for springs, also nonlinear
 *   springs, and for several springs whose normals differ by at most 90 degrees. The assumption holds on any path in
 *   space, with friction beside or behind the springs, and with dampers whose force the springs soon exceed. The
 *   assumption requires that no place is less than a quarter as stiff as the place where the force rose. Conversely,
 *   energy that a world generates in any part of a contact is detected except for 4 Phi(F) + weight + stored, however
 *   much the world dissipated before. Continuous generation is detected at the full rate from then on.
 *
 * Energy that is stored while the force does not rise is not the energy of a spring. Examples are a lifted weight, a
 * pushed mass, creep, two walls that squeeze from opposite sides, and jaws that close by themselves. A port cannot
 * distinguish these cases from friction. A caller that knows such stores sets `stored` (present energy) or `weight`
 * (largest energy), or uses only `episode`.
 *
 * Work. A force f_k on the hand is held between ticks, so the work of the hand is exactly -f_k . dx_k for the motion
 * dx_k. A spring that is sampled without delay stores dx . K dx / 2 more in the tick. So holding generates this energy
 * in any world. To measure a world without this effect, compute the work by the trapezium rule,
 *
 *   w_k = -1/2 (f_k + f_{k+1}) . dx_k,   and the same for torques and rotations.
 *
 * The rule is exact for linear springs. For friction and dampers that follow the sampled motion, the sum is finally
 * not below zero. The error is at most K dx^2 / 8 in a tick in which a spring begins or ends, and K' dx^3 / 12 if
 * the stiffness changes. In the tick in which contact ends, no energy counts as generated, because the force ended
 * within the tick. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TAC_ENERGY_LEVELS = 24, TAC_ENERGY_BUCKETS = 100 };

typedef struct tacEnergyReading {
  double generated; /* generated energy, J; 0: none */
  double work;      /* sum of |work| from `begin` to the tick that completes `generated`, J */
  int64_t begin;    /* first tick of the interval, counted from 0; -1: nothing was generated */
} tacEnergyReading;

typedef struct tacEnergyAccount {
  /* ---- readings ---- */
  tacEnergyReading episode;       /* contact that generated most energy */
  tacEnergyReading tenth, second; /* worst interval of 0.1 s; of 1 s; intervals begin at multiples of 0.01 s */
  double generated;               /* total generated energy, J */
  int64_t episodes;               /* number of contacts */
  double energy;                  /* energy of the present contact, with the initial credit, J; 0 without contact */
  double credit;                  /* credit C, J */
  /* ---- inputs; 0 after tac_energy_account_begin ---- */
  double weight; /* largest energy that the world can store without a rise of the force, J */
  double stored; /* present energy of the bodies, J; set before each tac_energy_account_add */

  /* ---- internal state ---- */
  int64_t tick;                         /* number of the next tick */
  double decay;                         /* decay factor of `crest` in a tick */
  int64_t pause_most;                   /* longest pause in a climb, ticks */
  double gross;                         /* sum of |work|, J */
  bool open;                            /* true while there is contact */
  int64_t opened;                       /* first tick of the contact */
  double opened_gross;                  /* `gross` at the start of the contact, J */
  double crest;                         /* largest force of the contact, which decays slowly, N */
  double climbed, peak;                 /* work, J, and largest force, N, of the present climb */
  double pending;                       /* work since the largest force of the climb, J */
  int64_t paused;                       /* ticks since the largest force of the climb */
  double last;                          /* force of the last tick, N */
  double compliance[TAC_ENERGY_LEVELS]; /* compliance 2 Phi / F^2, m/N: entry j holds for F from 2^j mN on */
  int64_t bucket_ticks;                 /* length of a bucket of 0.01 s, ticks */
  double generated_at[TAC_ENERGY_BUCKETS], gross_at[TAC_ENERGY_BUCKETS]; /* at the start of a bucket, J */
} tacEnergyAccount;

/* Returns an account without energy. `period` is the length of a tick, s. */
tacEnergyAccount tac_energy_account_begin(double period);
/* Adds a tick to the account. Call once per tick. `work` is the work of the hand on the world in the tick, J.
 * `force` is the magnitude of the force that is held from the end of the tick on, N; with torques, the norm of
 * (force, torque / lever). `contact` is true if there is contact at the end of the tick. */
void tac_energy_account_add(tacEnergyAccount *account, double work, double force, bool contact);
/* Returns the largest energy that the world may store according to the climbs so far, J: 4 Phi(F) + weight + stored. */
double tac_energy_account_cap(const tacEnergyAccount *account);
