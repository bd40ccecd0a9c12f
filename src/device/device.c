#include <tactus/device.h>

#include <dlfcn.h>
#include <string.h>
#include "base/error.h"
#include "base/plugin.h"
#include "device/driver_info.h"

static const char symbol[] = "tac_device_driver";

static tacStatus find_driver(const char *path, void *library, const tacDeviceDriver **driver, tacError *error) {
  const tacDeviceDriver *(*entry)(void) = NULL;
  void *address = dlsym(library, symbol);
  if (address == NULL)
    return tac_error_set(error, TAC_ERR_FORMAT,
                         "%s: is not a driver: it lacks the function `const tacDeviceDriver *%s(void)`", path, symbol);
  memcpy(&entry, &address, sizeof entry); /* ISO C has no conversion of an object's address to a function's */
  const tacDeviceDriver *found = entry();
  if (found == NULL) return tac_error_set(error, TAC_ERR_FORMAT, "%s: %s() returned NULL", path, symbol);
  if (found->abi != TAC_DEVICE_ABI)
    return tac_error_set(error, TAC_ERR_VERSION, "%s: was built for device ABI %u, this is ABI %u: compile it again",
                         path, (unsigned)found->abi, TAC_DEVICE_ABI);
  const char *lacks = found->name == NULL      ? "name"
                      : found->summary == NULL ? "summary"
                      : found->open == NULL    ? "open"
                      : found->close == NULL   ? "close"
                      : found->read == NULL    ? "read"
                      : found->write == NULL   ? "write"
                                               : NULL;
  if (lacks != NULL)
    return tac_error_set(error, TAC_ERR_FORMAT, "%s: the driver's table lacks `%s` (NULL)", path, lacks);
  *driver = found;
  return TAC_OK;
}

static tacStatus open_driver(const char *path, const tacDeviceDriver *driver, const char *options, double period,
                             tacDevice *device, tacError *error) {
  tacError reason = {.text = ""};
  tacStatus status = driver->open(options, period, &device->self, &device->info, &reason);
  if (status != TAC_OK) {
    reason.text[sizeof reason.text - 1] = 0;
    return tac_error_set(error, status, "%s: %s: %s", path, driver->name,
                         reason.text[0] != 0 ? reason.text : "cannot open the device (the driver does not say why)");
  }
  device->driver = driver;
  return tac_driver_info_check(path, &device->info, error);
}

tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device, tacError *error) {
  *device = (tacDevice){0};
  if (path == NULL || path[0] == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the path of a driver is empty: must name a shared object");
  void *library = NULL;
  const tacDeviceDriver *driver = NULL;
  tacStatus status = tac_plugin_open(path, "this driver", &library, error);
  if (status != TAC_OK) return status;
  status = find_driver(path, library, &driver, error);
  device->library = library;
  if (status == TAC_OK) status = open_driver(path, driver, options != NULL ? options : "", period, device, error);
  if (status != TAC_OK) tac_device_close(device);
  return status;
}

void tac_device_close(tacDevice *device) {
  if (device->driver != NULL) device->driver->close(device->self);
  if (device->library != NULL) dlclose(device->library);
  *device = (tacDevice){0};
}
