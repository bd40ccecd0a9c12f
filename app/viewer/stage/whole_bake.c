#include "app/viewer/stage/whole_bake.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/thread.h"

TAC_OWNED_TYPE(tacScene, tac_scene_destroy)

struct tacWholeBake {
  char *path, *cache; /* the cache is NULL for the user's */
  void (*report)(const tacWholeBakeMoment *moment, void *user);
  void *user;
  tacWholeBakeMoment moment;
  atomic_bool cancelled;
  tacThread thread;
};

static bool on_progress(const tacLoadingMoment *moment, void *user) {
  tacWholeBake *b = user;
  b->moment.fraction = moment->fraction;
  b->moment.remaining = moment->remaining;
  if (!atomic_load(&b->cancelled)) b->report(&b->moment, b->user);
  return !atomic_load(&b->cancelled);
}

static tacStatus bake(tacWholeBake *b, tacError *error) {
  TAC_OWN(tacScene, scene) = NULL;
  tacLoading loading;
  tac_loading_begin("", on_progress, b, &loading);
  const tacProgress progress = tac_loading_progress(&loading);
  TAC_TRY(tac_scene_read(b->path, &scene, error));
  tac_loading_plan(&loading, scene, b->cache, NULL, 0);
  return tac_scene_bake(scene, b->cache, false, &progress, NULL, error);
}

static void work(void *context) {
  tacWholeBake *b = context;
  tacError error = {0};
#ifdef __linux__ /* where that is of this thread alone, and of those that it starts */
  setpriority(PRIO_PROCESS, 0, 19);
#endif
  tacStatus status = bake(b, &error);
  if (atomic_load(&b->cancelled)) return;
  b->moment.ready = status == TAC_OK;
  b->moment.remaining = b->moment.ready ? 0.0 : -1.0;
  if (status != TAC_OK) snprintf(b->moment.fault, sizeof b->moment.fault, "%.250s", error.text);
  b->report(&b->moment, b->user);
}

static void destroy(tacWholeBake *b) {
  if (b == NULL) return;
  free(b->path);
  free(b->cache);
  free(b);
}

TAC_OWNED_TYPE(tacWholeBake, destroy)

tacStatus tac_whole_bake_start(const char *path, const char *cache,
                               void (*report)(const tacWholeBakeMoment *moment, void *user), void *user,
                               tacWholeBake **made, tacError *error) {
  *made = NULL;
  TAC_OWN(tacWholeBake, b) = tac_array_create(1, sizeof *b, "a bake", error);
  if (b == NULL) return TAC_ERR_MEMORY;
  b->report = report;
  b->user = user;
  b->moment.fraction = b->moment.remaining = -1.0;
  b->path = tac_array_text(path, error);
  b->cache = cache != NULL ? tac_array_text(cache, error) : NULL;
  if (b->path == NULL || (cache != NULL && b->cache == NULL)) return TAC_ERR_MEMORY;
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-whole-bake";
  TAC_TRY(tac_thread_create(&def, work, b, &b->thread, error));
  *made = tac_give(&b);
  return TAC_OK;
}

void tac_whole_bake_stop(tacWholeBake *bake) {
  if (bake == NULL) return;
  atomic_store(&bake->cancelled, true);
  tac_thread_join(&bake->thread);
  destroy(bake);
}
