#include "device/driver_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/own_place.h"

static const char ending[] = ".so";
enum { MOST_FOLDERS = 6 };

typedef struct {
  char paths[MOST_FOLDERS][PATH_MAX];
  int count;
} Folders;

static void add(Folders *folders, const char *base, const char *below) {
  char path[PATH_MAX], real[PATH_MAX];
  if (base == NULL || base[0] == 0 || snprintf(path, sizeof path, "%s%s", base, below) >= (int)sizeof path) return;
  if (realpath(path, real) == NULL) return; /* is not there */
  for (int i = 0; i < folders->count; ++i)
    if (strcmp(folders->paths[i], real) == 0) return;
  if (folders->count < MOST_FOLDERS) strcpy(folders->paths[folders->count++], real);
}

static void find_folders(Folders *folders) {
  char own[PATH_MAX];
  folders->count = 0;
  add(folders, getenv("TACTUS_DRIVERS"), "");
  if (tac_own_place_program(own, sizeof own)) {
    add(folders, own, "/drivers"); /* of a build */
    add(folders, own, "/" TAC_DRIVERS_FROM_PROGRAM);
  }
  if (tac_own_place_library(own, sizeof own)) {
    add(folders, own, "/drivers");
    add(folders, own, "/tactus/drivers");
  }
  add(folders, TAC_DRIVERS_INSTALLED, "");
}

bool tac_driver_file_is_name(const char *path) {
  size_t length = strlen(path), tail = sizeof ending - 1;
  return strchr(path, '/') == NULL && length < sizeof(((tacDriverFile *)NULL)->name) &&
         !(length >= tail && strcmp(path + length - tail, ending) == 0);
}

static bool is_there(const char *folder, const char *name, char *path, size_t size) {
  int length = snprintf(path, size, "%s/%s%s", folder, name, ending);
  return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

bool tac_driver_file_find(const char *name, char *path, size_t size) {
  Folders folders;
  find_folders(&folders);
  for (int i = 0; i < folders.count; ++i)
    if (is_there(folders.paths[i], name, path, size)) return true;
  return false;
}

static bool is_in_folder(const char *path) {
  Folders folders;
  find_folders(&folders);
  size_t length = (size_t)(strrchr(path, '/') - path);
  for (int i = 0; i < folders.count; ++i)
    if (strlen(folders.paths[i]) == length && strncmp(folders.paths[i], path, length) == 0) return true;
  return false;
}

static bool is_protected(const char *path) {
  struct stat found;
  if (lstat(path, &found) != 0 || (found.st_uid != 0 && found.st_uid != geteuid())) return false;
  return (found.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (S_ISDIR(found.st_mode) && (found.st_mode & S_ISVTX) != 0);
}

bool tac_driver_file_installed(const char *path, char installed[PATH_MAX]) {
  if (realpath(path, installed) == NULL || !is_in_folder(installed) || !is_protected("/")) return false;
  char part[PATH_MAX];
  strcpy(part, installed);
  for (char *slash = strrchr(part, '/'); slash != NULL; slash = strrchr(part, '/')) {
    if (part[0] != '\0' && !is_protected(part)) return false;
    *slash = '\0';
  }
  return true;
}

void tac_driver_file_folders(char *text, size_t size) {
  Folders folders;
  find_folders(&folders);
  text[0] = 0;
  for (int i = 0; i < folders.count; ++i) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", folders.paths[i]);
  }
}

static bool is_known(int count, const tacDriverFile *files, const char *name) {
  for (int i = 0; i < count; ++i)
    if (strcmp(files[i].name, name) == 0) return true;
  return false;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const tacDriverFile *)a)->name, ((const tacDriverFile *)b)->name);
}

static int list_folder(const char *folder, int count, int most, tacDriverFile *files) {
  DIR *entries = opendir(folder);
  int before = count;
  for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
    size_t length = strlen(entry->d_name), tail = sizeof ending - 1;
    tacDriverFile file;
    if (length <= tail || length - tail >= sizeof file.name || strcmp(entry->d_name + length - tail, ending) != 0)
      continue;
    snprintf(file.name, sizeof file.name, "%.*s", (int)(length - tail), entry->d_name);
    if (!is_there(folder, file.name, file.path, sizeof file.path) ||
        is_known(count < most ? count : most, files, file.name))
      continue;
    if (count < most) files[count] = file;
    ++count;
  }
  if (entries != NULL) closedir(entries);
  int last = count < most ? count : most;
  if (last > before) qsort(files + before, (size_t)(last - before), sizeof *files, by_name);
  return count;
}

int tac_device_drivers(int most, tacDriverFile *files) {
  Folders folders;
  find_folders(&folders);
  if (files == NULL) most = 0;
  int count = 0;
  for (int i = 0; i < folders.count; ++i) count = list_folder(folders.paths[i], count, most, files);
  return count;
}
