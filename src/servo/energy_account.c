#include "servo/energy_account.h"

#include <math.h>

static const double bucket = 0.01;      /* length of a bucket, s */
static const double least_level = 1e-3; /* smallest force of level 0, N */
static const double margin = 4.0;       /* factor of Phi in the cap */
static const double memory = 10.0;      /* time constant of the decay of the largest force, s */
static const double pause_most = 0.02;  /* longest pause in a climb, s */
static const double bottom = 0.125;     /* fraction of the largest force of a climb, below which a new climb begins */
enum { TENTH = 10, SECOND = 100 };      /* numbers of buckets in 0.1 s and in 1 s */

tacEnergyAccount tac_energy_account_begin(double period) {
  return (tacEnergyAccount){.episode.begin = -1,
                            .tenth.begin = -1,
                            .second.begin = -1,
                            .decay = exp(-period / memory),
                            .pause_most = (int64_t)fmax(1.0, round(pause_most / period)),
                            .bucket_ticks = (int64_t)fmax(1.0, round(bucket / period))};
}

static int level_of(double force) {
  int level = force > least_level ? ilogb(force / least_level) : 0;
  return level < TAC_ENERGY_LEVELS ? level : TAC_ENERGY_LEVELS - 1;
}

double tac_energy_account_cap(const tacEnergyAccount *a) {
  return margin * 0.5 * a->compliance[level_of(a->crest)] * a->crest * a->crest + a->weight + a->stored;
}

static void open(tacEnergyAccount *a) {
  a->open = true;
  a->opened = a->tick;
  a->opened_gross = a->gross;
  a->energy = a->credit;
  a->crest = a->climbed = a->peak = a->pending = a->last = 0.0;
  a->paused = 0;
  ++a->episodes;
}

/* Updates Phi if the force rises above the largest force of the climb. */
static void climb(tacEnergyAccount *a, double work, double force) {
  a->pending += work;
  ++a->paused;
  if (force < bottom * a->peak) {
    a->climbed = a->pending = 0.0;
    a->peak = force;
    a->paused = 0;
  }
  if (!(force > a->peak)) return;
  /* After a long pause, only the last tick counts: the part of the work that a spring stores above the peak. */
  double below = fmin(a->last, a->peak);
  if (a->paused > a->pause_most)
    a->climbed += work * (force * force - a->peak * a->peak) / (force * force - below * below);
  else
    a->climbed += a->pending;
  a->pending = 0.0;
  a->paused = 0;
  a->peak = force;
  double seen = 2.0 * a->climbed / (force * force);
  int level = level_of(force);
  a->compliance[level] = fmax(a->compliance[level], seen);
  /* A step of the force skips levels. Skipped levels without a value get the value of this level. */
  while (level-- > 0 && a->compliance[level] == 0.0) a->compliance[level] = seen;
}

static void note(tacEnergyReading *worst, double generated, double work, int64_t begin) {
  if (generated > worst->generated) *worst = (tacEnergyReading){generated, work, begin};
}

/* Updates `worst` with the window of the last `buckets` buckets. The last bucket is incomplete. */
static void note_window(tacEnergyAccount *a, int buckets, tacEnergyReading *worst) {
  int64_t first = a->tick / a->bucket_ticks - (buckets - 1);
  if (first < 0) first = 0;
  int at = (int)(first % TAC_ENERGY_BUCKETS);
  note(worst, a->generated - a->generated_at[at], a->gross - a->gross_at[at], first * a->bucket_ticks);
}

void tac_energy_account_add(tacEnergyAccount *a, double work, double force, bool contact) {
  if (a->tick % a->bucket_ticks == 0) {
    int at = (int)(a->tick / a->bucket_ticks % TAC_ENERGY_BUCKETS);
    a->generated_at[at] = a->generated;
    a->gross_at[at] = a->gross;
  }
  if (contact && !a->open) open(a);
  if (a->open) {
    a->gross += fabs(work);
    a->energy += work;
    a->credit += work;
    climb(a, work, force);
    a->last = force;
    a->crest = fmax(force, a->crest * a->decay);
    if (contact) {
      note(&a->episode, -a->energy, a->gross - a->opened_gross, a->opened);
      a->generated += fmax(0.0, -a->credit);
      note_window(a, TENTH, &a->tenth);
      note_window(a, SECOND, &a->second);
      a->credit = fmin(fmax(a->credit, 0.0), tac_energy_account_cap(a));
    } else {
      a->open = false;
      a->energy = 0.0;
    }
  }
  if (!a->open) a->credit = fmin(fmax(a->credit, 0.0), a->stored);
  ++a->tick;
}
