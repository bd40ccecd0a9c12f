/* What the viewer sets and reads of a pointer device beyond <tactus/device.h>. */
#pragma once

#include <tactus/device.h>

/* Any phase, one other thread at a time (tac_device_pointer_move); never wait. No effect on other devices. */
void tac_device_pointer_lead(const tacDevice *device, bool pointer); /* else the tool's own device */
/* N/m and N s/m; values outside the ranges of tacPointerDef are ignored. */
void tac_device_pointer_set_hand(const tacDevice *device, double stiffness, double damping);

typedef struct tacPointerStatus {
  bool leads;     /* the pointer; false as soon as the tool goes back to its own device */
  bool lifted;    /* as in the state that was read last */
  tacVec3 spring; /* the end that the pointer holds, device frame, m; the tool's position while it does not lead */
} tacPointerStatus;
tacPointerStatus tac_device_pointer_status(const tacDevice *device);
