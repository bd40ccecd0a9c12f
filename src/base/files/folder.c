#include "base/files/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory/array.h"

tacStatus tac_folder_make(const char *path, tacError *error) {
  char *part = tac_array_text(path, error);
  if (part == NULL) return TAC_ERR_MEMORY;
  for (char *at = part; *at != '\0'; ++at) {
    if (*at != '/' || at == part) continue;
    *at = '\0';
    mkdir(part, 0777); /* what is wrong here shows at the end of the path */
    *at = '/';
  }
  int failed = mkdir(part, 0777) == 0 ? 0 : errno;
  struct stat found;
  if (failed == EEXIST) failed = stat(part, &found) == 0 && S_ISDIR(found.st_mode) ? 0 : ENOTDIR;
  free(part);
  if (failed == 0) return TAC_OK;
  return tac_error_set(error, TAC_ERR_FILE, "%s: cannot create this folder: %s", path, strerror(failed));
}

static int remove_entry(const char *path, const struct stat *found, int kind, struct FTW *where) {
  (void)found;
  (void)kind;
  (void)where;
  remove(path); /* what cannot be removed does not keep the rest */
  return 0;
}

void tac_folder_remove(const char *path) {
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
