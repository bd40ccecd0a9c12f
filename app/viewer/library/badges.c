#include "app/viewer/library/badges.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/hold.h"
#include "base/threads/thread.h"
#include "scene/bake_outlook.h"
#include "scene/scene.h"
#include "scene/scene_outline.h"

TAC_OWNED_TYPE(tacScene, tac_scene_destroy)

struct tacBadges {
  const tacGallery *gallery;
  char *cache; /* NULL: the user's */
  void (*report)(char *json, void *user);
  void *user;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool wanted, ending; /* with the lock */
  tacThread thread;
};

static json_t *outlook_of(const tacScene *scene, const char *cache) {
  tacSceneOutlook outlook;
  if (tac_scene_outlook(scene, cache, &outlook, NULL) != TAC_OK) return json_null();
  return json_pack("{s:b, s:f}", "baked", outlook.missing == 0, "seconds", outlook.seconds);
}

static json_t *badge_of(const tacGallery *gallery, const char *file, const char *cache) {
  TAC_MEMORY(char, path) = tac_gallery_path(gallery, file, NULL);
  TAC_OWN(tacSceneOutline, outline) = NULL; /* a badge is no reason to load code */
  TAC_OWN(tacScene, scene) = NULL;
  TAC_OWN(tacScene, small) = NULL;
  json_t *badge = NULL;
  if (path != NULL && tac_scene_outline_read(path, &outline, NULL) == TAC_OK &&
      tac_scene_outline_scene(outline, &scene, NULL) == TAC_OK && tac_scene_require_files(scene, NULL) == TAC_OK)
    badge = outlook_of(scene, cache);
  if (json_is_object(badge)) {
    bool has_small = tac_scene_small(scene, &small, NULL) == TAC_OK;
    json_object_set_new(badge, "small", has_small ? outlook_of(small, cache) : json_null());
    json_object_set_new(badge, "file", json_string(file));
  }
  return badge;
}

char *tac_badges_text(const tacGallery *gallery, const char *cache) {
  json_t *list = json_array();
  for (int i = 0; i < gallery->count; ++i) {
    json_t *badge = badge_of(gallery, gallery->scenes[i].file, cache);
    if (json_is_object(badge))
      json_array_append_new(list, badge);
    else
      json_decref(badge);
  }
  json_t *all = json_pack("{s:o}", "scenes", list);
  char *text = json_dumps(all, JSON_COMPACT);
  json_decref(all);
  return text;
}

static void look(void *context) {
  tacBadges *b = context;
  pthread_mutex_lock(&b->lock);
  for (;;) {
    while (!b->wanted && !b->ending) pthread_cond_wait(&b->changed, &b->lock);
    if (b->ending) break;
    b->wanted = false;
    pthread_mutex_unlock(&b->lock);
    char *text = tac_badges_text(b->gallery, b->cache);
    if (text != NULL) b->report(text, b->user);
    pthread_mutex_lock(&b->lock);
  }
  pthread_mutex_unlock(&b->lock);
}

/* Whose thread has ended, or never was. */
static void destroy(tacBadges *b) {
  if (b == NULL) return;
  pthread_mutex_destroy(&b->lock);
  pthread_cond_destroy(&b->changed);
  free(b->cache);
  free(b);
}
TAC_OWNED_TYPE(tacBadges, destroy)

tacStatus tac_badges_start(const tacGallery *gallery, const char *cache, void (*report)(char *json, void *user),
                           void *user, tacBadges **badges, tacError *error) {
  *badges = NULL;
  TAC_OWN(tacBadges, b) = tac_array_create(1, sizeof *b, "badges", error);
  if (b == NULL) return TAC_ERR_MEMORY;
  pthread_mutex_init(&b->lock, NULL);
  pthread_cond_init(&b->changed, NULL);
  b->gallery = gallery;
  b->report = report;
  b->user = user;
  b->cache = cache != NULL ? tac_array_text(cache, error) : NULL;
  if (cache != NULL && b->cache == NULL) return TAC_ERR_MEMORY;
  tacThreadDef def = tac_thread_def_default();
  def.name = "tac-badges";
  TAC_TRY(tac_thread_create(&def, look, b, &b->thread, error));
  *badges = tac_give(&b);
  return TAC_OK;
}

static void wake(tacBadges *b, bool *flag) {
  TAC_FREED(tac_hold_end, tacHold, hold) = tac_hold(&b->lock);
  *flag = true;
  pthread_cond_signal(&b->changed);
}

void tac_badges_look(tacBadges *badges) {
  if (badges != NULL) wake(badges, &badges->wanted);
}

void tac_badges_stop(tacBadges *badges) {
  if (badges == NULL) return;
  wake(badges, &badges->ending);
  tac_thread_join(&badges->thread);
  destroy(badges);
}
