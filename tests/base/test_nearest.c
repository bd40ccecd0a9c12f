#include "base/nearest.h"

#include "test.h"

static const char *nearest_to(const char *given) {
  static const char *const names[] = {"young", "poisson", "density", "stiffness"};
  tacNearest nearest = {.given = given};
  for (int i = 0; i < 4; ++i) tac_nearest_offer(&nearest, names[i]);
  return nearest.best;
}

TAC_TEST(finds_the_intended_word) {
  ck_assert_str_eq(nearest_to("yuong"), "young");
  ck_assert_str_eq(nearest_to("poison"), "poisson");
  ck_assert_str_eq(nearest_to("dens"), "density");
  ck_assert_str_eq(nearest_to("stifness"), "stiffness");
}

TAC_TEST(takes_the_first_of_equals_and_accepts_long_names) {
  char text[200];
  for (int i = 0; i < 199; ++i) text[i] = 'x';
  text[199] = '\0';
  ck_assert_str_eq(nearest_to(text), "young");
  ck_assert_str_eq(nearest_to(""), "young");
}
