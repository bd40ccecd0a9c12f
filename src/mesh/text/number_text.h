/* Numbers as text, the same in every locale: strtod and printf are not, since some locales write a decimal comma. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <tactus/base.h>

/* Both refuse what is not wholly a number. The double is the nearest one, as strtod's; "inf", "nan" and hexadecimal are
 * refused, and so are values beyond the largest double. */
bool tac_number_text_double(const char *text, size_t length, double *value);
bool tac_number_text_integer(const char *text, size_t length, int64_t *value);

/* Text that reads back as the same double: of at most 15 digits where they suffice, else 17. Returns its length. */
#define TAC_NUMBER_TEXT_SIZE 32
size_t tac_number_text_print(double value, char text[TAC_NUMBER_TEXT_SIZE]);
/* "x y z" */
void tac_number_text_write_point(FILE *stream, tacVec3 point);
