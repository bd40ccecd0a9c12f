/* Work at a device's port, from the records of two ticks. */
#ifndef TAC_RECORD_PORT_WORK_H
#define TAC_RECORD_PORT_WORK_H

#include <tactus/recording.h>

/* The held force's and torque's work on the hand while the device moves from a to b, J. Numbers that make no sense count as 0. */
double tac_port_work(const tacToolRecord *a, const tacToolRecord *b);

#endif
