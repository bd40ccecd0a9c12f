/* Baked assets on disk, under names made from everything that they depend on. Knows no asset: whoever has a type of them says how it
 * is read, recognised, baked and forgotten. Offline. */
#pragma once

#include <stdint.h>
#include <tactus/base.h>
#include <tactus/scene.h>

/* The user's folder: $XDG_CACHE_HOME/tactus or ~/.cache/tactus; malloc'ed, or NULL with `error` set. */
char *tac_bake_cache_folder(tacError *error);

/* A second folder that is only read: what a program was shipped with. $TACTUS_PREBAKED ("": none), or beside the program or library
 * that this is part of: ../share/tactus/cache, ../../share/tactus/cache, prebaked (of a build). False where there is none. */
bool tac_bake_cache_prebaked(char *folder, size_t size);

/* Of one asset. */
typedef struct tacAssetNames {
  char *asset, *part, *second_file, *lock; /* part: of a bake that goes on where it was; beside: a second file */
  uint64_t key;                            /* that is in them */
} tacAssetNames;

/* A type of asset. `made` is what the definition bakes to. */
typedef struct tacAssetType {
  const char *ending; /* ".field" */
  tacStatus (*read)(const char *path, void **made, tacError *error);
  bool (*fits)(const void *made, const void *def);
  const tacBakeChecks *(*checks)(const void *made); /* NULL: it has none */
  tacStatus (*bake)(const void *def, const tacAssetNames *names, const tacProgress *progress, void **made,
                    tacError *error);
  void (*destroy)(void *made);
  /* Of those with a second file, FOLDER/NAME-KEY.factored: whether this one has it, and who reads it. NULL: none has. */
  bool (*has_second_file)(const void *def);
  tacStatus (*read_second_file)(const void *def, const char *path, tacError *error);
} tacAssetType;

/* Functions of a type with tac_STEM_read and tac_NOUN_destroy. */
#define TAC_ASSET_FUNCTIONS(type, stem, noun)                                    \
  static tacStatus read_##stem(const char *path, void **made, tacError *error) { \
    return tac_##stem##_read(path, (type **)made, error);                        \
  }                                                                              \
  static void destroy_##stem(void *made) {                                       \
    tac_##noun##_destroy(made);                                                  \
  }

typedef struct tacAssetWant {
  const char *folder, *name;
  uint64_t key; /* that changes with whatever changes what is baked (spec/cache/bake_key.h) */
  const void *def;
  bool again; /* bakes in any case */
  const tacProgress *progress;
} tacAssetWant;

/* Reads FOLDER/NAME-KEY.ENDING, or bakes and writes it. Of several processes that want the same file one bakes and the others
 * wait. A file of an older format, without a key, or whose checks are bad, is baked again; one that has another's key is set aside
 * first; one that is broken is an error that names it. Each bake removes what killed ones left in the folder. `asset` may be NULL;
 * its body and kind are left as they are. What is prebaked is read from there, unless something is wrong with it. */
tacStatus tac_bake_cache_fetch(const tacAssetType *type, const tacAssetWant *want, void **made, tacSceneAsset *asset,
                               tacError *error);
