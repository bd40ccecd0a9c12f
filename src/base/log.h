/* Remarks of the library: the internal side of <tactus/base.h>. Offline and load phases only, since it takes a lock. */
#pragma once

#include <tactus/base.h>

/* One line for the receiver; line breaks become spaces, and what is longer than 1023 characters is cut. The receiver must
 * not call the library. */
void tac_log(tacLogLevel level, const char *format, ...) __attribute__((format(printf, 2, 3)));
