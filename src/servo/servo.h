/* Internal functions of the servo loop, in addition to <tactus/servo.h>: speed, end of a recording and contacts to
 * display. */
#pragma once

#include <tactus/servo.h>

/* Ends the recording after the present tick, and waits until the loop no longer uses the recorder. The caller may then
 * close the recorder. The loop continues. */
void tac_servo_end_recording(tacServo *servo);
void tac_servo_set_speed(tacServo *servo, double speed);

/* Requests the contacts of one of the next ticks; if `coupled` is true, also the Delassus matrix W of the contacts.
 * Returns the contacts of the latest answered request, or no contacts before the first answer. The result is valid
 * until the next call. Call from a single other thread, at display rate. The function never waits. */
const tacContactMoment *tac_servo_contacts(tacServo *servo, bool coupled);
