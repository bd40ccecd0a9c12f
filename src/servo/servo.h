/* What the program controls in a servo loop beyond <tactus/servo.h>: speed, end of a recording, shown contacts. */
#pragma once

#include <tactus/servo.h>

/* Leaves its recorder after the tick that is under way, and waits until it has: the recorder may be closed then, and the loop goes on. */
void tac_servo_end_recording(tacServo *servo);
void tac_servo_set_speed(tacServo *servo, double speed);

/* For one other thread at display rate; never waits. Asks for those of one of the next ticks, with W where `coupled`, and returns
 * what came of the calls before, which stays until the next call; without contacts before the first has come. */
const tacContactMoment *tac_servo_contacts(tacServo *servo, bool coupled);
