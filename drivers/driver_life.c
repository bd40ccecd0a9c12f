#include "drivers/driver_life.h"

#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"

static tacStatus make(const tacDriverLife *life, const char *options, void **device, tacError *error) {
  *device = calloc(1, life->size);
  if (*device == NULL) return tac_error_set(error, TAC_ERR_MEMORY, "out of memory");
  return life->options(*device, options, error);
}

tacStatus tac_driver_open(const tacDriverLife *life, const char *options, double period, void **device,
                          tacDeviceInfo *info, tacError *error) {
  void *made;
  tacStatus status = make(life, options, &made, error);
  if (status == TAC_OK) status = tac_driver_link_open(made, error);
  if (status == TAC_OK) status = life->begin(made, period, info, error);
  if (status == TAC_OK)
    *device = made;
  else
    tac_driver_close(life, made);
  return status;
}

void tac_driver_close(const tacDriverLife *life, void *device) {
  if (device == NULL) return;
  tac_driver_link_stop(device);
  life->end(device);
  tac_driver_link_close(device);
  free(device);
}

void tac_driver_probe(const tacDriverLife *life, const char *options, tacDeviceProbe *probe) {
  void *made;
  tacError error;
  tacStatus status = make(life, options, &made, &error);
  if (status == TAC_OK) status = life->probe(made, probe, &error);
  probe->ready = status == TAC_OK;
  if (!probe->ready) snprintf(probe->needs, sizeof probe->needs, "%.300s", error.text);
  tac_driver_close(life, made);
}
