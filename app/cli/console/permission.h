/* The user's permission for code from files: which plugins may be loaded, remembered by path and SHA-256 in
 * $XDG_CONFIG_HOME/tactus/plugins or ~/.config/tactus/plugins. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>
#include "app/cli/console/options.h"

/* `--allow-plugins`: allows every plugin of this run and remembers none. */
tacOption tac_permission_option(void);

typedef enum tacPermission {
  TAC_PERMISSION_NONE,    /* never allowed */
  TAC_PERMISSION_CHANGED, /* an earlier version of the file was allowed */
  TAC_PERMISSION_GIVEN    /* this version was allowed */
} tacPermission;

/* Looks up what is remembered. `checksum` is that of tacPluginFn. */
tacPermission tac_permission_find(const char *path, const char *checksum);

/* Decides whether a plugin may be loaded. Asks on a terminal and remembers the answer yes; elsewhere a plugin without
 * permission is refused, and `error` names the option. `interrupted` ends the question with no. */
bool tac_permission_ask(const char *path, const char *checksum, bool (*interrupted)(void), tacError *error);
