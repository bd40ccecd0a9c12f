#include "spec/bake_steps.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include "base/clock.h"

/* s: of any step, of a byte that is read; of an asset and of a mesh of which nothing is known. */
static const double reading = 0.02, of_byte = 1e-8, unknown = 3.0, unknown_mesh = 0.5;
/* The share of the expected time from which on a step that takes longer is no longer believed. */
static const double linear_share = 0.8;
/* How much further than it reports a step may be by the expected time. */
static const double ahead = 0.25;

static double seconds_of(const tacBakeSteps *s, int step) {
  const tacBakeExpected *e = &s->expected[step];
  if (e->baked) return reading + of_byte * (double)e->bytes;
  if (e->seconds >= 0.0) return fmax(reading, e->seconds);
  return e->mesh ? unknown_mesh : unknown;
}

void tac_bake_steps_begin(const tacProgress *whole, int count, tacBakeExpected *expected, tacBakeSteps *steps) {
  *steps = (tacBakeSteps){.whole = whole,
                          .expected = expected,
                          .count = count,
                          .step = -1,
                          .body = "",
                          .slower = 1.0,
                          .now = tac_clock_now};
  for (int i = 0; i < count; ++i) steps->total += seconds_of(steps, i);
}

/* How much of a step that takes `expected` is done after `elapsed`: straight on, then ever slower, never all. */
static double by_time(double elapsed, double expected) {
  double x = elapsed / expected;
  return x < linear_share ? x : 1.0 - (1.0 - linear_share) * exp(-(x - linear_share) / (1.0 - linear_share));
}

/* The fraction of a step whose stages are not known, from what it reports. Each time its fraction falls, a new stage begins, which counts as
 * half of the remaining share. */
static double by_pieces(const tacBakeSteps *s) {
  /* The first piece of an asset is all there is, as a rule; a mesh is often a surface and then a volume. */
  double half = s->pieces > 0 || s->expected[s->step].mesh ? 0.5 : 1.0;
  return 1.0 - exp2(-(double)s->pieces) * (1.0 - half * s->piece_fraction);
}

static double share_of_step(const tacBakeSteps *s) {
  if (s->step < 0 || s->step >= s->count) return 0.0; /* before the first and after the last */
  const tacBakeExpected *e = &s->expected[s->step];
  if (e->baked || e->seconds < 0.0) return by_pieces(s);
  double timed = by_time(tac_clock_seconds(s->now() - s->began), fmax(reading, s->slower * e->seconds));
  return fmin(timed, ahead + (1.0 - ahead) * by_pieces(s)); /* where it takes far longer, by what it reports */
}

static bool report_step(tacBakeSteps *s, const char *what) {
  if (s->whole == NULL || s->whole->report == NULL) return true;
  double step = s->step >= 0 && s->step < s->count ? seconds_of(s, s->step) : 0.0;
  double next = s->step >= 0 && s->step + 1 < s->count ? seconds_of(s, s->step + 1) : 0.0;
  double next_share = atomic_load(&s->next_share);
  double now = s->done + step * share_of_step(s) + next * next_share;
  double fraction = s->total > 0.0 ? now / s->total : 0.0;
  s->fraction = fmax(s->fraction, fmin(1.0, fraction));
  char text[160];
  snprintf(text, sizeof text, "%.60s%s%.90s", s->body, s->body[0] != '\0' ? ": " : "", what);
  return s->whole->report(text, s->fraction, s->whole->user);
}

static bool report(const char *what, double fraction, void *user) {
  tacBakeSteps *s = user;
  if (fraction < s->piece_fraction) ++s->pieces;
  s->piece_fraction = fmin(1.0, fmax(0.0, fraction));
  return report_step(s, what);
}

tacProgress tac_bake_steps_progress(tacBakeSteps *steps) {
  return (tacProgress){report, steps};
}

static void close_step(tacBakeSteps *s) {
  if (s->step < 0 || s->step >= s->count) return;
  tacBakeExpected *e = &s->expected[s->step];
  e->took = tac_clock_seconds(s->now() - s->began);
  s->done += seconds_of(s, s->step);
  if (e->baked || e->seconds < 0.2) return; /* too short to tell how fast this machine is */
  s->expected_so_far += e->seconds;
  s->took_so_far += e->took;
  s->slower = fmin(20.0, fmax(0.05, s->took_so_far / s->expected_so_far));
}

static void begin_step(tacBakeSteps *s) {
  close_step(s);
  ++s->step;
  s->began = s->now();
  s->piece_fraction = 0.0;
  s->pieces = 0;
  atomic_store(&s->next_share, 0.0);
}

void tac_bake_steps_body(tacBakeSteps *steps, const char *name) {
  begin_step(steps);
  steps->body = name;
  report_step(steps, "mesh");
}

void tac_bake_steps_asset(tacBakeSteps *s) {
  begin_step(s);
}

void tac_bake_steps_next(tacBakeSteps *s, double fraction) {
  double before = atomic_load(&s->next_share), now = fmin(1.0, fraction);
  while (now > before && !atomic_compare_exchange_weak(&s->next_share, &before, now)) continue;
}

void tac_bake_steps_end(tacBakeSteps *s) {
  close_step(s);
  s->step = s->count;
  s->body = "";
  s->done = s->total;
  s->fraction = 1.0;
  report_step(s, "bake");
}
