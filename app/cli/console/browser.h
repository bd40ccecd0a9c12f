/* The person's browser, and one without a window that draws pictures. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <tactus/base.h>

/* Opens an address; false where there is no display or nothing to open it with. Does not wait. */
bool tac_browser_open(const char *address);

/* 32 hexadecimal digits that nobody can guess. */
tacStatus tac_browser_token(char token[33], tacError *error);

/* Starts Chromium (or $TACTUS_BROWSER) without a window on an address; it keeps its files in `folder`. */
tacStatus tac_browser_start(const char *address, const char *folder, pid_t *process, tacError *error);
void tac_browser_end(pid_t process); /* and waits for it */
bool tac_browser_runs(pid_t process);
