#include "spec/text/quantity.h"

#include "test.h"

TAC_TEST(converts_to_si) {
  static const struct {
    const char *text;
    tacQuantity quantity;
    double value;
  } cases[] = {
      {"5 mm", TAC_QUANTITY_LENGTH, 0.005},
      {"-5mm", TAC_QUANTITY_LENGTH, -0.005},
      {"1.5e2 cm", TAC_QUANTITY_LENGTH, 1.5},
      {"3 \xC2\xB5m", TAC_QUANTITY_LENGTH, 3e-6},
      {"3 \xCE\xBCm", TAC_QUANTITY_LENGTH, 3e-6},
      {"0", TAC_QUANTITY_LENGTH, 0.0},
      {"5 %", TAC_QUANTITY_NUMBER, 0.05},
      {"20 kPa", TAC_QUANTITY_PRESSURE, 20e3},
      {"1.2 GPa", TAC_QUANTITY_PRESSURE, 1.2e9},
      {"7 N/m^2", TAC_QUANTITY_PRESSURE, 7.0},
      {"1050 kg/m3", TAC_QUANTITY_DENSITY, 1050.0},
      {"1050 kg/m^3", TAC_QUANTITY_DENSITY, 1050.0},
      {"1050 kg/m\xC2\xB3", TAC_QUANTITY_DENSITY, 1050.0},
      {"1.05 g/cm3", TAC_QUANTITY_DENSITY, 1050.0},
      {"1 kHz", TAC_QUANTITY_RATE, 1000.0},
      {"250 Hz", TAC_QUANTITY_RATE, 250.0},
      {"0.5 s", TAC_QUANTITY_TIME, 0.5},
      {"3 ms", TAC_QUANTITY_TIME, 0.003},
      {"2 min", TAC_QUANTITY_TIME, 120.0},
      {"180 deg", TAC_QUANTITY_ANGLE, M_PI},
      {"90\xC2\xB0", TAC_QUANTITY_ANGLE, M_PI / 2.0},
      {"1500 N/m", TAC_QUANTITY_STIFFNESS, 1500.0},
      {"1.5 N/mm", TAC_QUANTITY_STIFFNESS, 1500.0},
      {"5 N s/m", TAC_QUANTITY_DAMPING, 5.0},
      {"5 N*s/m", TAC_QUANTITY_DAMPING, 5.0},
      {"5 N\xC2\xB7s/m", TAC_QUANTITY_DAMPING, 5.0},
      {"80 g", TAC_QUANTITY_MASS, 0.08},
      {"500 N/s", TAC_QUANTITY_FORCE_RATE, 500.0},
      {"2 m/s", TAC_QUANTITY_SPEED, 2.0},
      {"9.81 m/s2", TAC_QUANTITY_ACCELERATION, 9.81},
      {"-9.81 m/s^2", TAC_QUANTITY_ACCELERATION, -9.81},
      {"1 mm/s\xC2\xB2", TAC_QUANTITY_ACCELERATION, 0.001},
      {"0.5 1/s", TAC_QUANTITY_DECAY, 0.5},
      {"2 1/ms", TAC_QUANTITY_DECAY, 2000.0},
      {"20 mN", TAC_QUANTITY_FORCE, 0.02},
      {"0.5 N m", TAC_QUANTITY_TORQUE, 0.5},
      {"30 mNm", TAC_QUANTITY_TORQUE, 0.03},
      {"30 Nmm", TAC_QUANTITY_TORQUE, 0.03},
      {"2 rad/s", TAC_QUANTITY_TURN_RATE, 2.0},
      {"180\xC2\xB0/s", TAC_QUANTITY_TURN_RATE, M_PI},
      {"2 1/s", TAC_QUANTITY_TURN_RATE, 2.0},
      {"1e-4 kg m2", TAC_QUANTITY_INERTIA, 1e-4},
      {"3 kg m^2", TAC_QUANTITY_INERTIA, 3.0},
      {"3 g\xC2\xB7"
       "cm\xC2\xB2",
       TAC_QUANTITY_INERTIA, 3e-7},
      {"0.2", TAC_QUANTITY_NUMBER, 0.2},
      {" .5 ", TAC_QUANTITY_NUMBER, 0.5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double value = NAN;
    error = (tacError){0};
    tac_test_ok(tac_quantity_read(cases[i].text, cases[i].quantity, &value, &error), error);
    ck_assert_double_eq_tol(value, cases[i].value, 1e-15 * (1.0 + fabs(cases[i].value)));
  }
}

TAC_TEST(errors_state_fault_and_remedy) {
  static const struct {
    const char *text;
    tacQuantity quantity;
    const char *message;
  } cases[] = {
      {"5 kg", TAC_QUANTITY_LENGTH, "5 kg is not a length; write it like 5 mm"},
      {"5", TAC_QUANTITY_LENGTH, "5 has no unit; write a length like 5 mm"},
      {"5 mn", TAC_QUANTITY_LENGTH, "5 mn: unknown unit mn; did you mean mm?"},
      {"5 nm", TAC_QUANTITY_LENGTH, "5 nm: unknown unit nm; did you mean mm?"},
      {"0.5 Hz", TAC_QUANTITY_DECAY, "0.5 Hz is not a rate of decay; write it like 0.5 1/s"},
      {"9.81 m/s", TAC_QUANTITY_ACCELERATION, "9.81 m/s is not an acceleration; write it like 9.81 m/s2"},
      {"20 kpa", TAC_QUANTITY_PRESSURE, "20 kpa: unknown unit kpa; did you mean kPa?"},
      {"big", TAC_QUANTITY_LENGTH, "big is not a length; write it like 5 mm"},
      {"", TAC_QUANTITY_TIME, "nothing is not a time; write it like 0.5 s"},
      {"- mm", TAC_QUANTITY_LENGTH, "- mm is not a length; write it like 5 mm"},
      {"1.2.3 mm", TAC_QUANTITY_LENGTH, "1.2.3 mm is not a length; write it like 5 mm"},
      {"0.2 m", TAC_QUANTITY_NUMBER, "0.2 m is not a plain number; write it like 0.2"},
      {"0.2 widgets", TAC_QUANTITY_NUMBER, "0.2 widgets is not a plain number; write it like 0.2"},
      {"nan", TAC_QUANTITY_NUMBER, "nan is not a plain number; write it like 0.2"},
      {"1e999 mm", TAC_QUANTITY_LENGTH, "1e999 mm is not a length; write it like 5 mm"},
      {"1e308 GPa", TAC_QUANTITY_PRESSURE, "1e308 GPa is too large"},
      {"5 mm mm mm mm mm mm mm mm mm mm mm mm mm", TAC_QUANTITY_TIME,
       "5 mm mm mm mm mm mm mm mm mm mm mm mm mm: unknown unit mm mm mm mm mm mm mm; did you mean ms?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double value;
    error = (tacError){0};
    ck_assert_int_eq(tac_quantity_read(cases[i].text, cases[i].quantity, &value, &error), TAC_ERR_FORMAT);
    ck_assert_str_eq(error.text, cases[i].message);
  }
}

/* What errors tell people to write must itself be right. */
TAC_TEST(examples_and_units_are_read) {
  for (int q = 0; q < TAC_QUANTITY_COUNT; ++q) {
    double value;
    char text[32];
    error = (tacError){0};
    tac_test_ok(tac_quantity_read(tac_quantity_example((tacQuantity)q), (tacQuantity)q, &value, &error), error);
    snprintf(text, sizeof text, "3 %s", tac_quantity_unit((tacQuantity)q));
    tac_test_ok(tac_quantity_read(text, (tacQuantity)q, &value, &error), error);
    ck_assert_double_eq(value, 3.0);
  }
}
