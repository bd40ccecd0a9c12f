#include "app/viewer/library/gallery.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/scene.h>
#include <unistd.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "scene/scene.h"
#include "scene/scene_outline.h"

TAC_OWNED_TYPE(tacScene, tac_scene_destroy)

static int is_scene(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static char *join(const char *folder, const char *file, tacError *error) {
  size_t length = strlen(folder), size = length + strlen(file) + 2;
  const char *between = length > 0 && folder[length - 1] == '/' ? "" : "/";
  char *path = tac_array_create(size, 1, "a path", error);
  if (path != NULL) snprintf(path, size, "%s%s%s", folder, between, file);
  return path;
}

static tacStatus read_whole(const tacSceneOutline *outline, tacScene **scene, tacError *error) {
  TAC_TRY(tac_scene_outline_scene(outline, scene, error));
  tacStatus status = tac_scene_require_files(*scene, error);
  if (status == TAC_OK) return TAC_OK;
  tac_scene_destroy(*scene);
  *scene = NULL;
  return status;
}

/* Loads no code: of a scene with user-defined kinds it reads only what the file itself says. */
static tacStatus read_scene(const char *folder, const char *file, tacGalleryScene *made, tacError *error) {
  TAC_MEMORY(char, path) = join(folder, file, error);
  if (path == NULL) return TAC_ERR_MEMORY;
  TAC_OWN(tacSceneOutline, outline) = NULL;
  TAC_OWN(tacScene, scene) = NULL;
  tacError fault = {0};
  tacStatus status = tac_scene_outline_read(path, &outline, &fault);
  bool has_kinds = outline != NULL && tac_scene_outline_has_kinds(outline);
  if (outline != NULL && !has_kinds) status = read_whole(outline, &scene, &fault);
  const char *name = scene != NULL ? tac_scene_name(scene) : has_kinds ? tac_scene_outline_name(outline) : "";
  const char *about = scene != NULL ? tac_scene_about(scene) : has_kinds ? tac_scene_outline_about(outline) : "";
  made->file = tac_array_text(file, error);
  made->name = tac_array_text(name[0] != '\0' ? name : file, error);
  made->about = tac_array_text(about, error);
  if (status != TAC_OK) made->fault = tac_array_text(fault.text, error);
  return made->file == NULL || made->name == NULL || made->about == NULL || (status != TAC_OK && made->fault == NULL)
             ? TAC_ERR_MEMORY
             : TAC_OK;
}

static void find_picture(const tacGallery *gallery, tacGalleryScene *scene) {
  char stem[256], path[2048];
  snprintf(stem, sizeof stem, "%.*s", (int)(strlen(scene->file) - 5), scene->file);
  snprintf(path, sizeof path, "%s/pictures/%s.png", gallery->folder, stem);
  scene->picture = access(path, R_OK) == 0;
}

tacStatus tac_gallery_read(const char *folder, tacGallery *gallery, tacError *error) {
  *gallery = (tacGallery){.folder = tac_array_text(folder, error)};
  if (gallery->folder == NULL) return TAC_ERR_MEMORY;
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_scene, alphasort);
  if (count < 0) {
    tac_gallery_free(gallery);
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot read this folder: %s", folder, strerror(errno));
  }
  gallery->scenes = tac_array_create((size_t)count, sizeof *gallery->scenes, "the gallery's scenes", error);
  tacStatus status = gallery->scenes != NULL ? TAC_OK : TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) {
    if (status == TAC_OK) {
      tacGalleryScene *scene = &gallery->scenes[gallery->count++];
      status = read_scene(folder, entries[i]->d_name, scene, error);
      if (status == TAC_OK) find_picture(gallery, scene);
    }
    free(entries[i]);
  }
  free(entries);
  if (status != TAC_OK) tac_gallery_free(gallery);
  return status;
}

void tac_gallery_free(tacGallery *gallery) {
  for (int i = 0; i < gallery->count; ++i) {
    free(gallery->scenes[i].file);
    free(gallery->scenes[i].name);
    free(gallery->scenes[i].about);
    free(gallery->scenes[i].fault);
  }
  free(gallery->scenes);
  free(gallery->folder);
  *gallery = (tacGallery){0};
}

char *tac_gallery_path(const tacGallery *gallery, const char *file, tacError *error) {
  for (int i = 0; i < gallery->count; ++i)
    if (strcmp(gallery->scenes[i].file, file) == 0) return join(gallery->folder, file, error);
  tac_error_set(error, TAC_ERR_ARGUMENT, "%.200s is not a scene in %s", file, gallery->folder);
  return NULL;
}

bool tac_gallery_picture(const tacGallery *gallery, const char *stem, char *path, size_t size) {
  for (int i = 0; i < gallery->count; ++i) {
    const char *file = gallery->scenes[i].file;
    if (!gallery->scenes[i].picture || strlen(file) != strlen(stem) + 5 || strncmp(file, stem, strlen(stem)) != 0)
      continue;
    return snprintf(path, size, "%s/pictures/%s.png", gallery->folder, stem) < (int)size;
  }
  return false;
}
