#include "app/cli/console/console.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <tactus/base.h>
#include <unistd.h>
#include "app/cli/console/permission.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *tac_program_text(void) {
  return "tactus " TAC_VERSION ", compiled by " COMPILER;
}

static volatile sig_atomic_t interrupted; /* by this signal; 0: not */
static bool hide_warnings;
static tacConsole opened; /* static, because its bar has a thread */
static bool is_open;

static void on_interrupt(int number) {
  interrupted = number;
}

static void on_log(tacLogLevel level, const char *text, void *user) {
  (void)user;
  if (hide_warnings) return;
  if (is_open) tac_progress_bar_hide(&opened.bar);
  fprintf(stderr, "tactus: %s%s\n", level == TAC_LOG_WARNING ? "warning: " : "", text);
}

static bool allow_plugin(const char *path, const char *checksum, tacError *error, void *user) {
  (void)user;
  if (is_open) tac_progress_bar_hide(&opened.bar);
  return tac_permission_ask(path, checksum, tac_console_interrupted, error);
}

static void handle_interrupts(void) {
  struct sigaction once = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
  sigaction(SIGINT, &once, NULL);
  sigaction(SIGTERM, &once, NULL);
}

void tac_console_start(void) {
  handle_interrupts();
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, NULL);
  sigaction(SIGXFSZ, &ignore, NULL); /* a file over the limit is an error of the write */
  tac_log_set(on_log, NULL);
  tac_plugin_set(allow_plugin, NULL);
}

bool tac_console_interrupted(void) {
  return interrupted != 0;
}

bool tac_console_terminated(void) {
  return interrupted == SIGTERM;
}

void tac_console_resume(void) {
  interrupted = 0;
  handle_interrupts();
}

int tac_console_finish(int status) {
  if (is_open) tac_progress_bar_end(&opened.bar, status == TAC_EXIT_OK);
  is_open = false;
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  /* Stdio forgets why an earlier write failed: writing on tells. */
  int reason = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  if (reason == EPIPE) return status; /* a reader that has seen enough is no failure */
  fprintf(stderr, "tactus: standard output: cannot write: %s\n", strerror(reason));
  return TAC_EXIT_FAILED;
}

static bool report_quietly(const char *what, double fraction, void *user) {
  (void)what;
  (void)fraction;
  (void)user;
  return interrupted == 0;
}

tacConsole *tac_console_open(bool quiet) {
  opened.quiet = quiet;
  hide_warnings = quiet;
  tac_progress_bar_begin(stderr, isatty(STDERR_FILENO) == 1, &interrupted, &opened.bar);
  opened.progress = quiet ? (tacProgress){report_quietly, NULL} : tac_progress_bar_progress(&opened.bar);
  is_open = true;
  return &opened;
}

void tac_console_step(tacConsole *console, tacStatus status) {
  tac_progress_bar_end(&console->bar, status == TAC_OK);
}

void tac_console_doing(tacConsole *console, const char *what) {
  if (console->quiet)
    tac_console_step(console, TAC_OK);
  else
    tac_progress_bar_doing(&console->bar, what);
}

void tac_console_warn(tacConsole *console, const char *format, ...) {
  tac_console_step(console, TAC_OK);
  if (console->quiet) return;
  va_list arguments;
  va_start(arguments, format);
  fputs("tactus: warning: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

void tac_console_print(tacConsole *console, const char *format, ...) {
  tac_console_step(console, TAC_OK);
  if (console->quiet) return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}

int tac_console_fail(const tacError *error) {
  if (is_open) tac_console_step(&opened, error->status);
  if (error->status == TAC_ERR_CANCELLED)
    fprintf(stderr, "tactus: interrupted; nothing was written\n");
  else
    fprintf(stderr, "tactus: %s\n", error->text);
  return TAC_EXIT_FAILED;
}
