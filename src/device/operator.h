/* What tests ask of simulated operators: the number of presets, and the hand's work. */
#pragma once

#include <tactus/device.h>

int tac_operator_preset_count(void);

/* Work done by the hand and device on the world since the start, by exact integration of force times velocity, J; the true
 * energy at the port. Only for devices of tac_device_operator_open. */
double tac_device_operator_work(const tacDevice *device);
