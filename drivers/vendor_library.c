#include "drivers/vendor_library.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/plugin.h"

static _Atomic(tacPluginOpenFn) plugin_open;

TAC_API void tac_driver_set_plugin_open(tacPluginOpenFn open);
void tac_driver_set_plugin_open(tacPluginOpenFn open) {
  atomic_store(&plugin_open, open);
}

/* The option comes from a scene, so its file needs the same permission as other plugins. */
static tacStatus load_option(const char *path, void **handle, tacError *error) {
  tacPluginOpenFn open = atomic_load(&plugin_open);
  *handle = NULL;
  if (open != NULL) return open(path, "the option library", NULL, handle, error);
  return tac_error_set(error, TAC_ERR_UNSUPPORTED, "%s: this program cannot decide whether to load the option library",
                       path);
}

static tacStatus load_variable(const char *path, const char *variable, void **handle, tacError *error) {
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*handle != NULL) return TAC_OK;
  const char *reason = dlerror();
  return tac_error_set(error, TAC_ERR_FILE, "cannot load the library named by %s: %s", variable,
                       reason != NULL ? reason : path);
}

static tacStatus load(const tacVendorLibrary *library, const char *path, void **handle, const char **name,
                      tacError *error) {
  const char *variable = getenv(library->environment);
  if (path[0] != 0) return load_option(*name = path, handle, error);
  if (variable != NULL && variable[0] != 0) return load_variable(*name = variable, library->environment, handle, error);
  char tried[128] = "", reason[200] = "";
  for (int i = 0; library->names[i] != NULL; ++i) {
    *handle = dlopen(*name = library->names[i], RTLD_NOW | RTLD_LOCAL);
    if (*handle != NULL) return TAC_OK;
    const char *why = dlerror();
    /* One that is there but cannot be loaded says more than one that is not. */
    if (why != NULL && strstr(why, "cannot open shared object file: No such file") == NULL)
      snprintf(reason, sizeof reason, " (%s)", why);
    size_t used = strlen(tried);
    snprintf(tried + used, sizeof tried - used, "%s%s", i > 0 ? ", " : "", library->names[i]);
  }
  return tac_error_set(error, TAC_ERR_FILE,
                       "%s was not found: no %s%s; get it from %s, or name the file with %s or library=",
                       library->product, tried, reason, library->get, library->environment);
}

tacStatus tac_vendor_library_open(const tacVendorLibrary *library, const char *path, void **handle, char *found,
                                  size_t size, tacError *error) {
  const char *name = "";
  tacStatus status = load(library, path, handle, &name, error);
  if (found != NULL && size > 0) snprintf(found, size, "%s", status == TAC_OK ? name : "");
  for (int i = 0; status == TAC_OK && i < library->function_count; ++i) {
    void *address = dlsym(*handle, library->functions[i].name);
    if (address == NULL)
      status = tac_error_set(error, TAC_ERR_FORMAT, "%s lacks the function %s; use a newer version of %s", name,
                             library->functions[i].name, library->product);
    else if (memcmp(library->functions[i].target, &address, sizeof address) !=
             0) /* threads of another device read it */
      memcpy(library->functions[i].target, &address, sizeof address);
  }
  if (status != TAC_OK && *handle != NULL) {
    dlclose(*handle);
    *handle = NULL;
  }
  return status;
}
