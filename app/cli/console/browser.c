#include "app/cli/console/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/error.h"

tacStatus tac_browser_token(char token[33], tacError *error) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return tac_error_set(error, TAC_ERR_FILE, "the operating system gives no random numbers for a token: %s",
                         strerror(errno));
  for (int i = 0; i < 16; ++i) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return TAC_OK;
}

/* Whether a command is there: as a path, or in $PATH. */
static bool is_there(const char *name) {
  if (strchr(name, '/') != NULL) return access(name, X_OK) == 0;
  const char *path = getenv("PATH");
  char file[1024];
  while (path != NULL && *path != 0) {
    int length = (int)strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", length, path, name);
    if (access(file, X_OK) == 0) return true;
    path += length + (path[length] == ':');
  }
  return false;
}

/* In the child, which also gets back the signals that we ignore. */
static void be_quiet(void) {
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  int null = open("/dev/null", O_RDWR);
  if (null < 0) return;
  for (int i = 0; i < 3; ++i) dup2(null, i);
  if (null > 2) close(null);
}

bool tac_browser_open(const char *address) {
  const char *named = getenv("BROWSER");
  const char *candidates[] = {named != NULL && named[0] != 0 && strchr(named, ':') == NULL ? named : "xdg-open",
                              "xdg-open", "sensible-browser", "open"};
  if (named == NULL && getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) return false;
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i) {
    if (!is_there(candidates[i])) continue;
    pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) { /* twice, so that nobody has to wait for it */
      if (fork() == 0) {
        setsid();
        be_quiet();
        execlp(candidates[i], candidates[i], address, (char *)NULL);
      }
      _exit(0);
    }
    waitpid(child, NULL, 0);
    return true;
  }
  return false;
}

tacStatus tac_browser_start(const char *address, const char *folder, pid_t *process, tacError *error) {
  const char *named = getenv("TACTUS_BROWSER");
  const char *candidates[] = {named, "chromium", "chromium-browser", "google-chrome", "chrome"};
  const char *found = NULL;
  for (size_t i = 0; i < sizeof candidates / sizeof *candidates && found == NULL; ++i)
    if (candidates[i] != NULL && is_there(candidates[i])) found = candidates[i];
  if (found == NULL)
    return tac_error_set(error, TAC_ERR_UNSUPPORTED,
                         "pictures are drawn by the viewer's page, which needs a browser; install chromium, or set "
                         "TACTUS_BROWSER to a browser");
  char data[1100];
  snprintf(data, sizeof data, "--user-data-dir=%s", folder);
  *process = fork();
  if (*process < 0)
    return tac_error_set(error, TAC_ERR_FILE, "%s: cannot start this browser: %s", found, strerror(errno));
  if (*process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* a second Ctrl-C ends us at once */
    setpgid(0, 0);
    be_quiet();
    /* The page is our own, from this machine; a sandbox does not start for root. */
    execlp(found, found, "--headless=new", data, geteuid() == 0 ? "--no-sandbox" : "--no-first-run",
           "--enable-unsafe-swiftshader", "--no-default-browser-check", "--disable-extensions", "--disable-sync",
           "--hide-scrollbars", "--mute-audio", address, (char *)NULL);
    _exit(127);
  }
  setpgid(*process, *process); /* whoever comes first: its own group, which ends as a whole */
  return TAC_OK;
}

bool tac_browser_runs(pid_t process) {
  return waitpid(process, NULL, WNOHANG) == 0;
}

void tac_browser_end(pid_t process) {
  kill(-process, SIGTERM);
  for (int i = 0; i < 100 && waitpid(process, NULL, WNOHANG) == 0; ++i)
    tac_clock_sleep_until(tac_clock_now() + TAC_NS_PER_SECOND / 50);
  kill(-process, SIGKILL);
  waitpid(process, NULL, 0);
}
