#include <tactus/device.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/plugin.h"
#include "device/device.h"
#include "device/driver_file.h"
#include "device/driver_info.h"

static const char symbol[] = "tac_device_driver";
static const char extras_symbol[] = "tac_device_extras";
static const char plugin_symbol[] = "tac_driver_set_plugin_open";

/* The shared object of a driver, and `found`, the path that messages name. */
static tacStatus open_library(const char *path, char found[1024], void **library, tacError *error) {
  *library = NULL;
  if (path == NULL || path[0] == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the path of the driver is empty; give the path of a shared object");
  bool name = tac_driver_file_is_name(path);
  if (!name) snprintf(found, 1024, "%s", path);
  if (!name || tac_driver_file_find(path, found, 1024)) {
    char installed[PATH_MAX];
    bool known = tac_driver_file_installed(found, installed);
    return tac_plugin_open(found, "this driver", known ? installed : NULL, library, error);
  }
  char folders[TAC_ERROR_TEXT_SIZE];
  tac_driver_file_folders(folders, sizeof folders);
  return tac_error_set(error, TAC_ERR_FILE,
                       "unknown driver %s (`tactus devices` lists the available ones): %s.so is in none of %s", path,
                       path, folders[0] != 0 ? folders : "the driver folders, because none exists");
}

static const tacDeviceExtras *find_extras(void *library) {
  const tacDeviceExtras *(*entry)(void) = NULL;
  void *address = dlsym(library, extras_symbol);
  if (address == NULL) return NULL;
  memcpy(&entry, &address, sizeof entry);
  const tacDeviceExtras *extras = entry();
  return extras != NULL && extras->abi == TAC_DEVICE_ABI ? extras : NULL;
}

/* Files that a driver loads because of its options need permission as well. */
static void offer_plugins(void *library) {
  void (*entry)(tacPluginOpenFn) = NULL;
  void *address = dlsym(library, plugin_symbol);
  if (address == NULL) return;
  memcpy(&entry, &address, sizeof entry);
  entry(tac_plugin_open);
}

static tacStatus lack(const char *name, const char *member, tacError *error) {
  return tac_error_set(error, TAC_ERR_FORMAT, "%s: `%s` is NULL in the driver's table; it is required", name, member);
}

tacStatus tac_device_driver_check(const char *name, const tacDeviceDriver *driver, tacError *error) {
  if (driver->abi != TAC_DEVICE_ABI)
    return tac_error_set(error, TAC_ERR_VERSION,
                         "%s: the driver was built for device ABI %u, but this library has "
                         "ABI %u; recompile the driver",
                         name, (unsigned)driver->abi, TAC_DEVICE_ABI);
  const char *lacks = driver->name == NULL    ? "name"
                      : driver->read == NULL  ? "read"
                      : driver->write == NULL ? "write"
                                              : NULL;
  return lacks == NULL ? TAC_OK : lack(name, lacks, error);
}

static tacStatus find_driver(const char *path, void *library, const tacDeviceDriver **driver, tacError *error) {
  const tacDeviceDriver *(*entry)(void) = NULL;
  void *address = dlsym(library, symbol);
  if (address == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: the file is not a driver: the function `const tacDeviceDriver *%s(void)` is missing",
                         path, symbol);
  memcpy(&entry, &address, sizeof entry); /* ISO C has no conversion of an object's address to a function's */
  *driver = entry();
  if (*driver == NULL) return tac_error_set(error, TAC_ERR_FORMAT, "%s: %s() returned NULL", path, symbol);
  TAC_TRY(tac_device_driver_check(path, *driver, error));
  const char *lacks = (*driver)->summary == NULL ? "summary"
                      : (*driver)->open == NULL  ? "open"
                      : (*driver)->close == NULL ? "close"
                                                 : NULL;
  if (lacks != NULL) return lack(path, lacks, error);
  offer_plugins(library);
  return TAC_OK;
}

static tacStatus open_driver(const char *path, const tacDeviceDriver *driver, const char *options, double period,
                             tacDevice *device, tacError *error) {
  tacError reason = {.text = ""};
  tacStatus status = driver->open(options, period, &device->self, &device->info, &reason);
  if (status != TAC_OK) {
    reason.text[sizeof reason.text - 1] = 0;
    return tac_error_set(error, status, "%s: %s: %s", path, driver->name,
                         reason.text[0] != 0 ? reason.text : "cannot open the device (the driver gave no reason)");
  }
  device->driver = driver;
  TAC_TRY(tac_driver_info_check(path, &device->info, error));
  return tac_driver_info_check_limits(path, &device->info, error);
}

tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device, tacError *error) {
  TAC_REQUIRE(error, device);
  *device = (tacDevice){0};
  TAC_REQUIRE(error, path);
  char found[1024];
  const tacDeviceDriver *driver = NULL;
  tacStatus status = open_library(path, found, &device->library, error);
  if (status == TAC_OK) status = find_driver(found, device->library, &driver, error);
  if (status == TAC_OK) status = open_driver(found, driver, options != NULL ? options : "", period, device, error);
  if (status == TAC_OK) device->extras = find_extras(device->library);
  if (status != TAC_OK) tac_device_close(device);
  return status;
}

tacStatus tac_device_probe(const char *path, const char *options, tacDeviceProbe *probe, char summary[128],
                           tacError *error) {
  *probe = (tacDeviceProbe){0};
  if (summary != NULL) summary[0] = 0;
  char found[1024];
  void *library;
  const tacDeviceDriver *driver;
  TAC_TRY(open_library(path, found, &library, error));
  tacStatus status = find_driver(found, library, &driver, error);
  if (status == TAC_OK) {
    if (summary != NULL) snprintf(summary, 128, "%s", driver->summary);
    const tacDeviceExtras *extras = find_extras(library);
    if (extras != NULL && extras->probe != NULL) {
      extras->probe(options != NULL ? options : "", probe);
    } else {
      probe->ready = true;
      snprintf(probe->needs, sizeof probe->needs, "nothing that it tells of");
    }
  }
  dlclose(library);
  return status;
}

void tac_device_trouble(const tacDevice *device, char *text, size_t size) {
  if (size == 0) return;
  text[0] = 0;
  if (device->extras != NULL && device->extras->trouble != NULL) device->extras->trouble(device->self, text, size);
}

void tac_device_close(tacDevice *device) {
  if (device == NULL) return;
  if (device->driver != NULL && device->driver->close != NULL) device->driver->close(device->self);
  if (device->library != NULL) dlclose(device->library);
  *device = (tacDevice){0};
}
