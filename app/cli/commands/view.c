#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/browser.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/scene/scenes_folder.h"
#include "app/viewer/server/page.h"
#include "app/viewer/server/server.h"
#include "app/viewer/session/session.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"

static const char command[] = "tactus view";
static const char url_safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
enum { USUAL_PORT = 4280 };

typedef struct Options {
  const char *listen, *token, *cache, *folder;
  int port;
  bool has_port, no_open, full, quiet;
} Options;

static bool parse(int argc, char **argv, Options *o, int *operands, int *result) {
  const tacOption table[] = {
      {TAC_OPTION_HEADING, .help = "page"},
      {TAC_OPTION_COUNT, "--port", "N", "port of the page; 0: any free port (default 4280; if in use, any)",
       .target = &o->port, .given = &o->has_port, .lower = 0, .upper = 65535},
      {TAC_OPTION_FLAG, "--no-open", .help = "do not open a browser; the address is always printed",
       .target = &o->no_open},
      {TAC_OPTION_TEXT, "--listen", "ADDRESS",
       "listen at this address instead of 127.0.0.1, e.g. 0.0.0.0 for the\n"
       "network; clients then need a token",
       .target = &o->listen},
      {TAC_OPTION_TEXT, "--token", "TEXT", "the token that clients need (default with --listen: random)",
       .target = &o->token},

      {TAC_OPTION_HEADING, .help = "other"},
      {TAC_OPTION_TEXT, "-o", "DIR", "folder for recordings (default out/SCENE-NAME)", .target = &o->folder},
      {TAC_OPTION_FLAG, "--full", .help = "wait for the full scene; do not show its small version first",
       .target = &o->full},
      tac_options_cache(&o->cache),
      tac_options_threads(),
      tac_permission_option(),
      {TAC_OPTION_FLAG, "--quiet", .help = "print only the address and errors", .target = &o->quiet},
  };
  const tacUsage usage = {
      command, "[SCENE | FOLDER] [options]",
      "Serves a page on this machine and opens it in the browser, to touch a scene with the mouse. Press on\n"
      "a body and drag; turn the wheel to press deeper. The scene runs at its own rate, whatever the page\n"
      "does. The gallery lists the other scenes of the same folder. Without SCENE, the page starts with the\n"
      "gallery of the folder `scenes`. Recordings made in the page have the format of `tactus run`. Ctrl-C\n"
      "ends the program.",
      TAC_OPTIONS(table),
      .closing = "examples:\n"
                 "  tactus view scenes/kidney.yaml\n"
                 "  tactus view                                           the gallery\n"
                 "  tactus view scenes/kidney.yaml --no-open --port 8080  then: ssh -L 8080:127.0.0.1:8080 HOST"};
  return tac_options_parse(&usage, argc, argv, operands, result);
}

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* The folder of the gallery and the scene in it (NULL: none), both malloc'ed. */
static tacStatus find_scenes(const char *given, char **folder, char **file, tacError *error) {
  *folder = *file = NULL;
  if (given == NULL) {
    given = tac_scenes_folder();
    if (given[0] == 0)
      return tac_error_set(error, TAC_ERR_FILE, "there is no folder `scenes` here; give a scene or a folder of scenes");
  }
  const char *slash = strrchr(given, '/');
  if (is_folder(given)) {
    *folder = tac_array_text(given, error);
    return *folder != NULL ? TAC_OK : TAC_ERR_MEMORY;
  }
  if (access(given, R_OK) != 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: there is no such scene or folder", given);
  *folder = tac_array_text(slash == NULL ? "." : slash == given ? "/" : given, error);
  if (*folder != NULL && slash != NULL && slash != given) (*folder)[slash - given] = 0;
  *file = tac_array_text(slash == NULL ? given : slash + 1, error);
  if (*file != NULL && (strlen(*file) < 6 || strcmp(*file + strlen(*file) - 5, ".yaml") != 0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s: not a scene: the name of a scene ends with .yaml", given);
  return *folder != NULL && *file != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static tacStatus start_server(const Options *o, const char *token, tacSession *session, tacViewServer **server,
                              tacError *error) {
  tacViewServerDef def = {.address = o->listen != NULL ? o->listen : "127.0.0.1",
                          .port = o->has_port ? o->port : USUAL_PORT,
                          .token = token,
                          .handler = tac_session_handler(session)};
  tacStatus status = tac_view_server_start(&def, server, error);
  if (status == TAC_OK || o->has_port) return status;
  def.port = 0;
  return tac_view_server_start(&def, server, error);
}

static void print_address(const Options *o, const char *token, int port, char *address, size_t size) {
  char name[128] = ""; /* of this machine, for those who come over every network */
  if (o->listen != NULL && strcmp(o->listen, "0.0.0.0") == 0 && gethostname(name, sizeof name - 1) != 0) name[0] = 0;
  const char *host = name[0] != 0 ? name : o->listen != NULL ? o->listen : "127.0.0.1";
  snprintf(address, size, "http://%s:%d/%s%s", host, port, token != NULL ? "?token=" : "", token != NULL ? token : "");
  printf("viewer: %s\n", address);
  fflush(stdout);
}

/* Worlds come and go for hours. Large blocks go back to the system when they are freed, instead of leaving holes that the
 * servo's memory locking keeps: glibc's own threshold would rise with the first of them. */
static void keep_memory_flat(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_ARENA_MAX, 2);
#endif
}

/* In the terminal what the page shows, too: one bar for each load. On the session's worker. */
static void show_wait(void *context, const tacLoadingMoment *moment, tacStatus status) {
  tacConsole *console = context;
  char label[TAC_PROGRESS_LABEL_SIZE];
  if (moment == NULL) {
    tac_progress_bar_end(&console->bar, status == TAC_OK);
    return;
  }
  if (console->quiet) return;
  snprintf(label, sizeof label, "%.12s, %.16s", moment->scene, moment->what);
  tac_progress_bar_progress(&console->bar).report(label, moment->fraction, &console->bar);
}

static tacStatus serve(const Options *o, const char *folder, const char *file, tacConsole *console, tacError *error) {
  tacSessionDef def = {.folder = folder,
                       .scene = file,
                       .cache = o->cache,
                       .output = o->folder,
                       .program = tac_program_text(),
                       .whole = o->full,
                       .waits = show_wait,
                       .context = console};
  TAC_FREED(tac_served_session_end, tacServedSession, served) = {0};
  char made[33], address[512];
  const char *token = o->token;
  if (token == NULL && o->listen != NULL) {
    TAC_TRY(tac_browser_token(made, error));
    token = made;
  }
  TAC_TRY(tac_session_create(&def, &served.session, error));
  TAC_TRY(start_server(o, token, served.session, &served.server, error));
  if (tac_page_missing()[0] != 0) tac_console_warn(console, "%s", tac_page_missing());
  print_address(o, token, tac_view_server_port(served.server), address, sizeof address);
  tacViewSink sink = tac_view_server_sink(served.server);
  TAC_TRY(tac_session_begin(served.session, &sink, error));
  if (!o->no_open && !tac_browser_open(address) && !o->quiet)
    fprintf(stderr, "open the address above in a browser; Ctrl-C ends it\n");
  while (!tac_console_interrupted()) tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 20);
  return TAC_OK;
}

int tac_command_view(int argc, char **argv) {
  Options options = {0};
  int operands, result;
  if (!parse(argc, argv, &options, &operands, &result)) return result;
  if (operands > 1) return tac_usage_error(command, "only one scene at a time; unexpected argument %s", argv[1]);
  if (options.token != NULL && strspn(options.token, url_safe) != strlen(options.token))
    return tac_usage_error(
        command, "--token: only letters, digits and - _ . ~ are allowed, because the token is part of an address");
  tacConsole *console = tac_console_open(options.quiet);
  tacError error = {0};
  TAC_MEMORY(char, folder) = NULL;
  TAC_MEMORY(char, file) = NULL;
  keep_memory_flat();
  tacStatus status = find_scenes(operands == 1 ? argv[0] : NULL, &folder, &file, &error);
  if (status == TAC_OK) status = serve(&options, folder, file, console, &error);
  return status == TAC_OK ? TAC_EXIT_OK : tac_console_fail(&error);
}
