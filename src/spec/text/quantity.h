/* Numbers with units, as people write them: "5 mm", "20 kPa", "1050 kg/m3", "1 kHz". Values are SI. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef enum tacQuantity {
  TAC_QUANTITY_NUMBER, /* without a unit */
  TAC_QUANTITY_LENGTH,
  TAC_QUANTITY_TIME,
  TAC_QUANTITY_RATE,
  TAC_QUANTITY_ANGLE,
  TAC_QUANTITY_MASS,
  TAC_QUANTITY_FORCE,
  TAC_QUANTITY_PRESSURE,
  TAC_QUANTITY_DENSITY,
  TAC_QUANTITY_STIFFNESS,
  TAC_QUANTITY_DAMPING,
  TAC_QUANTITY_FORCE_RATE,
  TAC_QUANTITY_SPEED,
  TAC_QUANTITY_ACCELERATION,
  TAC_QUANTITY_DECAY, /* of a motion, by damping */
  TAC_QUANTITY_TORQUE,
  TAC_QUANTITY_TURN_RATE,
  TAC_QUANTITY_INERTIA,
  TAC_QUANTITY_COUNT
} tacQuantity;

const char *tac_quantity_noun(tacQuantity quantity);    /* "a length" */
const char *tac_quantity_example(tacQuantity quantity); /* "5 mm" */
const char *tac_quantity_unit(tacQuantity quantity);    /* of SI: "m"; "" for plain numbers */

/* Reads `text` as a `quantity`. A bare 0 needs no unit. On failure the error says what is wrong and what to write, without
 * a place: "5 kg is not a length; write it like 5 mm". */
tacStatus tac_quantity_read(const char *text, tacQuantity quantity, double *value, tacError *error);

/* The quantity whose unit of SI that is, "" for plain numbers; false: none. */
bool tac_quantity_find(const char *unit, tacQuantity *quantity);
/* Reads a number in a unit of no quantity: in that alone, as it is. */
tacStatus tac_quantity_read_in(const char *text, const char *unit, double *value, tacError *error);
