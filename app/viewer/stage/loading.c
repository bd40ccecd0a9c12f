#include "app/viewer/stage/loading.h"

#include <math.h>
#include <stdio.h>
#include "base/clock.h"
#include "base/error.h"
#include "scene/bake_outlook.h"

/* s: of any phase; of a byte that is read, and then made into a world, and shown; of a tick of a recording; of a bake of which
 * nothing is known. As they were measured, roughly. */
static const double any = 0.05, read_byte = 1e-8, world_byte = 1e-8, show_byte = 2e-9, tick = 4e-6, unknown = 10.0;

void tac_loading_begin(const char *name, bool (*report)(const tacLoadingMoment *moment, void *user), void *user,
                       tacLoading *loading) {
  *loading = (tacLoading){.report = report, .user = user, .now = tac_clock_now};
  loading->moment.fraction = loading->moment.remaining = -1.0;
  loading->start = loading->now();
  tac_remaining_time_begin(&loading->remaining);
  snprintf(loading->moment.scene, sizeof loading->moment.scene, "%s", name);
}

void tac_loading_plan(tacLoading *l, const tacScene *scene, const char *cache, const char *recording, int64_t ticks) {
  tacSceneOutlook outlook = {0};
  double bake = 0.0;
  if (tac_scene_outlook(scene, cache, &outlook, NULL) == TAC_OK && outlook.missing > 0) {
    l->guessed = outlook.seconds < 0.0;
    bake = l->guessed ? unknown : outlook.seconds;
  }
  double bytes = (double)outlook.bytes;
  l->seconds[TAC_LOADING_BAKE] = any + bake + read_byte * bytes;
  l->seconds[TAC_LOADING_WORLD] = any + world_byte * bytes;
  l->seconds[TAC_LOADING_RECORDING] = recording != NULL ? any + tick * (double)ticks : 0.0;
  l->seconds[TAC_LOADING_SHOW] = any + show_byte * bytes;
  if (recording != NULL)
    snprintf(l->moment.scene, sizeof l->moment.scene, "%.60s, recording %.50s", tac_scene_name(scene), recording);
  else
    snprintf(l->moment.scene, sizeof l->moment.scene, "%s", tac_scene_name(scene));
}

static bool report(const char *what, double fraction, void *user) {
  tacLoading *l = user;
  double before = 0.0, total = 0.0;
  for (int p = 0; p < TAC_LOADING_PHASES; ++p) {
    total += l->seconds[p];
    if (p < (int)l->phase) before += l->seconds[p];
  }
  double share = fmin(1.0, fmax(0.0, fraction)) * l->seconds[l->phase];
  if (total > 0.0) l->moment.fraction = fmax(l->moment.fraction, (before + share) / total);
  double elapsed = tac_clock_seconds(l->now() - l->start);
  bool known = l->moment.fraction >= 0.0 && !l->guessed;
  l->moment.remaining = known ? tac_remaining_time_update(&l->remaining, elapsed, l->moment.fraction) : -1.0;
  snprintf(l->moment.what, sizeof l->moment.what, "%s", what);
  return l->report == NULL || l->report(&l->moment, l->user);
}

tacProgress tac_loading_progress(tacLoading *loading) {
  return (tacProgress){report, loading};
}

tacStatus tac_loading_enter(tacLoading *loading, tacLoadingPhase phase, const char *what, tacError *error) {
  loading->phase = phase;
  return report(what, 0.0, loading) ? TAC_OK : tac_error_set(error, TAC_ERR_CANCELLED, "loading was cancelled");
}
