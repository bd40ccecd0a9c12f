#include "spec/text/quantity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/nearest.h"
#include "mesh/text/number_text.h"

static const struct {
  const char *noun, *example, *unit;
} quantities[TAC_QUANTITY_COUNT] = {
    [TAC_QUANTITY_NUMBER] = {"a plain number", "0.2", ""},
    [TAC_QUANTITY_LENGTH] = {"a length", "5 mm", "m"},
    [TAC_QUANTITY_TIME] = {"a time", "0.5 s", "s"},
    [TAC_QUANTITY_RATE] = {"a rate", "1 kHz", "Hz"},
    [TAC_QUANTITY_ANGLE] = {"an angle", "30 deg", "rad"},
    [TAC_QUANTITY_MASS] = {"a mass", "0.1 kg", "kg"},
    [TAC_QUANTITY_FORCE] = {"a force", "2 N", "N"},
    [TAC_QUANTITY_PRESSURE] = {"a pressure", "20 kPa", "Pa"},
    [TAC_QUANTITY_DENSITY] = {"a density", "1050 kg/m3", "kg/m3"},
    [TAC_QUANTITY_STIFFNESS] = {"a stiffness", "1500 N/m", "N/m"},
    [TAC_QUANTITY_DAMPING] = {"a damping", "5 Ns/m", "Ns/m"},
    [TAC_QUANTITY_FORCE_RATE] = {"a rate of force", "500 N/s", "N/s"},
    [TAC_QUANTITY_SPEED] = {"a speed", "5 m/s", "m/s"},
    [TAC_QUANTITY_ACCELERATION] = {"an acceleration", "9.81 m/s2", "m/s2"},
    [TAC_QUANTITY_DECAY] = {"a rate of decay", "0.5 1/s", "1/s"},
    [TAC_QUANTITY_TORQUE] = {"a torque", "0.5 Nm", "Nm"},
    [TAC_QUANTITY_TURN_RATE] = {"an angular speed", "180 deg/s", "rad/s"},
    [TAC_QUANTITY_INERTIA] = {"a moment of inertia", "1e-4 kg m2", "kg m2"},
};

static const double pi = 3.14159265358979323846;

typedef struct {
  const char *name; /* as it is after `plain_unit` */
  tacQuantity quantity;
  double factor; /* to SI */
} Unit;

static const Unit units[] = {
    {"%", TAC_QUANTITY_NUMBER, 1e-2},
    {"mm", TAC_QUANTITY_LENGTH, 1e-3},
    {"cm", TAC_QUANTITY_LENGTH, 1e-2},
    {"m", TAC_QUANTITY_LENGTH, 1.0},
    {"um", TAC_QUANTITY_LENGTH, 1e-6},
    {"s", TAC_QUANTITY_TIME, 1.0},
    {"ms", TAC_QUANTITY_TIME, 1e-3},
    {"us", TAC_QUANTITY_TIME, 1e-6},
    {"min", TAC_QUANTITY_TIME, 60.0},
    {"h", TAC_QUANTITY_TIME, 3600.0},
    {"Hz", TAC_QUANTITY_RATE, 1.0},
    {"kHz", TAC_QUANTITY_RATE, 1e3},
    {"rad", TAC_QUANTITY_ANGLE, 1.0},
    {"deg", TAC_QUANTITY_ANGLE, pi / 180.0},
    {"kg", TAC_QUANTITY_MASS, 1.0},
    {"g", TAC_QUANTITY_MASS, 1e-3},
    {"N", TAC_QUANTITY_FORCE, 1.0},
    {"mN", TAC_QUANTITY_FORCE, 1e-3},
    {"kN", TAC_QUANTITY_FORCE, 1e3},
    {"Pa", TAC_QUANTITY_PRESSURE, 1.0},
    {"kPa", TAC_QUANTITY_PRESSURE, 1e3},
    {"MPa", TAC_QUANTITY_PRESSURE, 1e6},
    {"GPa", TAC_QUANTITY_PRESSURE, 1e9},
    {"N/m2", TAC_QUANTITY_PRESSURE, 1.0},
    {"kg/m3", TAC_QUANTITY_DENSITY, 1.0},
    {"g/cm3", TAC_QUANTITY_DENSITY, 1e3},
    {"N/m", TAC_QUANTITY_STIFFNESS, 1.0},
    {"N/mm", TAC_QUANTITY_STIFFNESS, 1e3},
    {"kN/m", TAC_QUANTITY_STIFFNESS, 1e3},
    {"Ns/m", TAC_QUANTITY_DAMPING, 1.0},
    {"Ns/mm", TAC_QUANTITY_DAMPING, 1e3},
    {"N/s", TAC_QUANTITY_FORCE_RATE, 1.0},
    {"kN/s", TAC_QUANTITY_FORCE_RATE, 1e3},
    {"N/ms", TAC_QUANTITY_FORCE_RATE, 1e3},
    {"m/s", TAC_QUANTITY_SPEED, 1.0},
    {"cm/s", TAC_QUANTITY_SPEED, 1e-2},
    {"mm/s", TAC_QUANTITY_SPEED, 1e-3},
    {"m/s2", TAC_QUANTITY_ACCELERATION, 1.0},
    {"mm/s2", TAC_QUANTITY_ACCELERATION, 1e-3},
    {"1/s", TAC_QUANTITY_DECAY, 1.0},
    {"1/ms", TAC_QUANTITY_DECAY, 1e3},
    {"Nm", TAC_QUANTITY_TORQUE, 1.0},
    {"Nmm", TAC_QUANTITY_TORQUE, 1e-3},
    {"mNm", TAC_QUANTITY_TORQUE, 1e-3},
    {"rad/s", TAC_QUANTITY_TURN_RATE, 1.0},
    {"deg/s", TAC_QUANTITY_TURN_RATE, pi / 180.0},
    {"1/s", TAC_QUANTITY_TURN_RATE, 1.0},
    {"kgm2", TAC_QUANTITY_INERTIA, 1.0},
    {"kgcm2", TAC_QUANTITY_INERTIA, 1e-4},
    {"kgmm2", TAC_QUANTITY_INERTIA, 1e-6},
    {"gcm2", TAC_QUANTITY_INERTIA, 1e-7},
    {"gmm2", TAC_QUANTITY_INERTIA, 1e-9},
};
enum { UNIT_COUNT = sizeof units / sizeof *units };

const char *tac_quantity_noun(tacQuantity quantity) {
  return quantities[quantity].noun;
}

const char *tac_quantity_example(tacQuantity quantity) {
  return quantities[quantity].example;
}

const char *tac_quantity_unit(tacQuantity quantity) {
  return quantities[quantity].unit;
}

/* Other spellings of the same: "kg/m^3" and "kg/m³" are "kg/m3", "N s/m" and "N·s/m" are "Ns/m", "µm" is "um". */
static void plain_unit(const char *text, char plain[24]) {
  static const struct {
    const char *from, *to;
  } spellings[] = {{" ", ""},         {"*", ""},         {"^", ""},         {"\xC2\xB7", ""},   {"\xC2\xB2", "2"},
                   {"\xC2\xB3", "3"}, {"\xC2\xB5", "u"}, {"\xCE\xBC", "u"}, {"\xC2\xB0", "deg"}};
  size_t at = 0;
  while (*text != '\0' && at + 4 < 24) {
    bool replaced = false;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !replaced; ++i) {
      size_t length = strlen(spellings[i].from);
      if (strncmp(text, spellings[i].from, length) != 0) continue;
      memcpy(plain + at, spellings[i].to, strlen(spellings[i].to));
      at += strlen(spellings[i].to);
      text += length;
      replaced = true;
    }
    if (!replaced) plain[at++] = *text++;
  }
  plain[at] = '\0';
}

/* Length of the number that `text` begins with; 0 where it begins with none. */
static size_t number_length(const char *text) {
  size_t length = strspn(text, "+-.0123456789");
  if (length == 0 || strpbrk(text, "0123456789") == NULL || strpbrk(text, "0123456789") >= text + length) return 0;
  if (text[length] != 'e' && text[length] != 'E') return length;
  size_t exponent = length + 1;
  if (text[exponent] == '+' || text[exponent] == '-') ++exponent;
  size_t digits = strspn(text + exponent, "0123456789");
  return digits > 0 ? exponent + digits : length;
}

/* Of the quantity where there is one of that name: 1/s is of several. */
static const Unit *find_unit(const char *plain, tacQuantity quantity) {
  const Unit *found = NULL;
  for (int i = 0; i < UNIT_COUNT; ++i)
    if (strcmp(units[i].name, plain) == 0 && (found == NULL || units[i].quantity == quantity)) found = &units[i];
  return found;
}

static tacStatus refuse_unit(const char *text, const char *unit, const char *plain, tacQuantity quantity,
                             tacError *error) {
  tacNearest nearest = {.given = plain};
  for (int i = 0; i < UNIT_COUNT; ++i)
    if (quantity == TAC_QUANTITY_NUMBER || units[i].quantity == quantity) tac_nearest_offer(&nearest, units[i].name);
  if (quantity == TAC_QUANTITY_NUMBER)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s is not a plain number; write it like %s", text,
                         quantities[quantity].example);
  return tac_error_set(error, TAC_ERR_FORMAT, "%.40s: unknown unit %.20s; did you mean %s?", text, unit, nearest.best);
}

bool tac_quantity_find(const char *unit, tacQuantity *quantity) {
  char plain[24], other[24];
  plain_unit(unit, plain);
  for (int q = 0; q < TAC_QUANTITY_COUNT; ++q) {
    plain_unit(quantities[q].unit, other);
    if (strcmp(plain, other) != 0) continue;
    *quantity = (tacQuantity)q;
    return true;
  }
  return false;
}

tacStatus tac_quantity_read_in(const char *text, const char *unit, double *value, tacError *error) {
  text += strspn(text, " ");
  size_t length = number_length(text);
  char plain[24], wanted[24];
  if (length == 0 || !tac_number_text_double(text, length, value))
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s%s is not a number with a unit; write it like 1 %.20s", text,
                         *text == '\0' ? "nothing" : "", unit);
  const char *given = text + length + strspn(text + length, " ");
  plain_unit(given, plain);
  plain_unit(unit, wanted);
  if (*plain == '\0' && *value != 0.0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s has no unit; write it like 1 %.20s", text, unit);
  if (*plain != '\0' && strcmp(plain, wanted) != 0)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s is not in the unit %.20s; write it like 1 %.20s", text, unit,
                         unit);
  return TAC_OK;
}

tacStatus tac_quantity_read(const char *text, tacQuantity quantity, double *value, tacError *error) {
  text += strspn(text, " ");
  size_t length = number_length(text);
  double number = 0.0;
  if (length == 0 || !tac_number_text_double(text, length, &number))
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s%s is not %s; write it like %s", text,
                         *text == '\0' ? "nothing" : "", quantities[quantity].noun, quantities[quantity].example);
  const char *unit = text + length + strspn(text + length, " ");
  char plain[24];
  plain_unit(unit, plain);
  if (*plain == '\0') {
    if (quantity != TAC_QUANTITY_NUMBER && number != 0.0)
      return tac_error_set(error, TAC_ERR_FORMAT, "%.40s has no unit; write %s like %s", text,
                           quantities[quantity].noun, quantities[quantity].example);
    *value = number;
    return TAC_OK;
  }
  const Unit *found = find_unit(plain, quantity);
  if (found == NULL) return refuse_unit(text, unit, plain, quantity, error);
  if (found->quantity != quantity)
    return tac_error_set(error, TAC_ERR_FORMAT, "%.40s is not %s; write it like %s", text, quantities[quantity].noun,
                         quantities[quantity].example);
  *value = number * found->factor;
  if (!isfinite(*value)) return tac_error_set(error, TAC_ERR_FORMAT, "%.40s is too large", text);
  return TAC_OK;
}
