#include "app/cli/console/permission.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#include "base/error.h"
#include "base/files/folder.h"
#include "base/files/new_file.h"
#include "base/files/sha256.h"
#include "base/memory/owned.h"

static bool allow_all;

tacOption tac_permission_option(void) {
  return (tacOption){TAC_OPTION_FLAG, "--allow-plugins",
                     .help = "allow code in files that scenes name\n"
                             "(drivers, kinds), for this run only. Without\n"
                             "it a terminal asks once for each version of a\n"
                             "file, and remembers the answer",
                     .target = &allow_all};
}

/* ---- the list: a line "CHECKSUM PATH" for each file ---- */

enum { DIGITS = TAC_SHA256_TEXT - 1, LINE = DIGITS + 1 + PATH_MAX + 2 };

/* Writes the path of the list; false if the user has no configuration folder. */
static bool find_list(char folder[PATH_MAX], char path[PATH_MAX]) {
  const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  bool own = config != NULL && config[0] == '/';
  if (!own && (home == NULL || home[0] != '/')) return false;
  int length = snprintf(folder, PATH_MAX, "%s%s", own ? config : home, own ? "/tactus" : "/.config/tactus");
  return length < PATH_MAX && snprintf(path, PATH_MAX, "%s/plugins", folder) < PATH_MAX;
}

/* Opens the list for reading; NULL if there is none, or if another user could have written it. */
static FILE *open_list(const char *path) {
  FILE *list = fopen(path, "re");
  struct stat found;
  if (list == NULL) return NULL;
  if (fstat(fileno(list), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
      (found.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return list;
  fclose(list);
  return NULL;
}

/* Whether a line of the list is about the file with this canonical path. */
static bool is_about(const char *line, const char *path) {
  size_t length = strcspn(line, "\n");
  return length > DIGITS + 1 && line[DIGITS] == ' ' && strlen(path) == length - DIGITS - 1 &&
         strncmp(line + DIGITS + 1, path, length - DIGITS - 1) == 0;
}

tacPermission tac_permission_find(const char *path, const char *checksum) {
  char folder[PATH_MAX], file[PATH_MAX], real[PATH_MAX], line[LINE];
  tacPermission permission = TAC_PERMISSION_NONE;
  if (!find_list(folder, file) || realpath(path, real) == NULL) return permission;
  FILE *list = open_list(file);
  while (list != NULL && permission != TAC_PERMISSION_GIVEN && fgets(line, sizeof line, list) != NULL)
    if (is_about(line, real))
      permission = strncmp(line, checksum, DIGITS) == 0 ? TAC_PERMISSION_GIVEN : TAC_PERMISSION_CHANGED;
  if (list != NULL) fclose(list);
  return permission;
}

/* Replaces what is remembered of this file. */
static tacStatus remember(const char *real, const char *checksum, tacError *error) {
  char folder[PATH_MAX], file[PATH_MAX], line[LINE];
  TAC_FREED(tac_new_file_discard, tacNewFile, made) = {0};
  if (!find_list(folder, file)) return tac_error_set(error, TAC_ERR_FILE, "neither XDG_CONFIG_HOME nor HOME is set");
  if (strchr(real, '\n') != NULL) return tac_error_set(error, TAC_ERR_FILE, "the path contains a line break");
  TAC_TRY(tac_folder_make(folder, error));
  TAC_TRY(tac_new_file_open(file, &made, error));
  if (fchmod(fileno(made.stream), S_IRUSR | S_IWUSR) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot make it private", file);
  FILE *list = open_list(file);
  while (list != NULL && fgets(line, sizeof line, list) != NULL)
    if (!is_about(line, real)) fputs(line, made.stream);
  if (list != NULL) fclose(list);
  fprintf(made.stream, "%s %s\n", checksum, real);
  return tac_new_file_commit(&made, error);
}

/* ---- the question ---- */

/* Prints a path that comes from a scene, without characters that control the terminal. */
static void print_path(const char *path) {
  for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; ++c)
    fputc(*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0) ? '?' : *c, stderr);
}

/* Waits for a line of the terminal; true if it says yes. */
static bool read_yes(bool (*interrupted)(void)) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  char answer[16] = "";
  while (!interrupted()) {
    int ready = poll(&input, 1, 100);
    if (ready <= 0) continue;
    ssize_t length = read(STDIN_FILENO, answer, sizeof answer - 1);
    answer[length > 0 ? length : 0] = '\0';
    return strcmp(answer, "y\n") == 0 || strcmp(answer, "Y\n") == 0 || strcmp(answer, "yes\n") == 0;
  }
  return false;
}

static bool ask(const char *real, const char *checksum, bool changed, bool (*interrupted)(void)) {
  fputs("tactus: a scene names a file with code: ", stderr);
  print_path(real);
  fprintf(stderr,
          "\n  SHA-256 %s%s\n"
          "  Its code can do all that you can do: read, change and delete your files, and use the network.\n"
          "  Allow it only if you trust the author. Allow this file and remember the answer? [y/N] ",
          checksum, changed ? "\n  The file has changed since you allowed it." : "");
  fflush(stderr);
  tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before the question is no answer */
  return read_yes(interrupted);
}

bool tac_permission_ask(const char *path, const char *checksum, bool (*interrupted)(void), tacError *error) {
  tacPermission permission = tac_permission_find(path, checksum);
  bool changed = permission == TAC_PERMISSION_CHANGED;
  char real[PATH_MAX];
  tacError reason;
  if (allow_all || permission == TAC_PERMISSION_GIVEN) return true;
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) {
    tac_error_set(error, TAC_ERR_UNSUPPORTED,
                  "its code %s; if you trust the author, add --allow-plugins, or answer the question in a terminal "
                  "(SHA-256 %s)",
                  changed ? "has changed since you allowed it" : "is not allowed", checksum);
    return false;
  }
  if (realpath(path, real) == NULL) snprintf(real, sizeof real, "%s", path);
  if (!ask(real, checksum, changed, interrupted)) {
    tac_error_set(error, TAC_ERR_UNSUPPORTED, "you did not allow its code");
    return false;
  }
  if (remember(real, checksum, &reason) != TAC_OK)
    fprintf(stderr, "tactus: warning: the answer is not remembered: %s\n", reason.text);
  return true;
}
