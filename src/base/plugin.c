#include "base/plugin.h"

#include <dlfcn.h>
#include <stddef.h>
#include "base/log.h"

static tacPluginFn current_allow;
static void *current_user;

void tac_plugin_set(tacPluginFn allow, void *user) {
  current_allow = allow;
  current_user = user;
}

/* No code of it runs by this. */
static bool is_loaded(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (library != NULL) dlclose(library);
  return library != NULL;
}

tacStatus tac_plugin_open(const char *path, const char *what, void **library, tacError *error) {
  *library = NULL;
  if (current_allow != NULL && !current_allow(path, current_user))
    return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: cannot load %s: this program does not allow code from files",
                         path, what);
  if (!is_loaded(path)) tac_log(TAC_LOG_INFO, "loads %s, whose code becomes part of this program", path);
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*library != NULL) return TAC_OK;
  const char *reason = dlerror(); /* names the file as a rule, not always */
  return tac_error_set(error, TAC_ERR_FILE, "%s: cannot load %s: %s", path, what,
                       reason != NULL ? reason : "unknown reason");
}
