#include "drivers/driver_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"

static const char separators[] = ",;", blanks[] = " \t\r\n";

static const tacDriverOption *find(int count, const tacDriverOption *table, const char *name, size_t length) {
  for (int i = 0; i < count; ++i)
    if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0) return &table[i];
  return NULL;
}

static tacStatus unknown(int count, const tacDriverOption *table, const char *part, size_t length, tacError *error) {
  char names[200] = "";
  for (int i = 0; i < count; ++i) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s=", i > 0 ? ", " : "", table[i].name);
  }
  return tac_error_set(error, TAC_ERR_ARGUMENT, "options: \"%.*s\" is unknown; an option begins with one of %s",
                       (int)length, part, names);
}

static tacStatus take(const tacDriverOption *option, const char *value, size_t length, tacError *error) {
  if (option->number == NULL) {
    if (length >= option->size)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "options: %s has %zu characters; at most %zu are allowed",
                           option->name, length, option->size - 1);
    memcpy(option->text, value, length);
    option->text[length] = 0;
    return TAC_OK;
  }
  char text[64], *end = text;
  snprintf(text, sizeof text, "%.*s", (int)length, value);
  double number = strtod(text, &end);
  if (end == text || *end != 0 || !(number >= option->lower && number <= option->upper))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "options: %s is %s; it must be a number from %g to %g", option->name,
                         text, option->lower, option->upper);
  *option->number = number;
  return TAC_OK;
}

tacStatus tac_driver_options_read(const char *options, int count, const tacDriverOption *table, tacError *error) {
  tacStatus status = TAC_OK;
  while (status == TAC_OK && *(options += strspn(options, blanks)) != 0) {
    size_t length = strcspn(options, separators), shown = length;
    while (shown > 0 && strchr(blanks, options[shown - 1]) != NULL) --shown;
    size_t name = strcspn(options, "=");
    const tacDriverOption *option = name < shown ? find(count, table, options, name) : NULL;
    if (option == NULL)
      status = unknown(count, table, options, shown, error);
    else
      status = take(option, options + name + 1, shown - name - 1, error);
    options += length + (options[length] != 0);
  }
  return status;
}
