/* What of a run is not to be trusted, and which limits it met, as sentences. */
#pragma once

#include <tactus/servo.h>

enum { TAC_RUN_MOST_REMARKS = TAC_SERVO_MOST_ERROR_ESTIMATES + 2 * TAC_MOST_TOOLS + 1 };
typedef struct tacRunRemark {
  char name[64]; /* of the body or tool */
  char text[400];
  bool much; /* it should not be trusted at all */
} tacRunRemark;

/* Returns how many there are. */
int tac_run_limits(const tacServoReport *servo, const tacWorld *world, tacRunRemark remarks[TAC_RUN_MOST_REMARKS]);
