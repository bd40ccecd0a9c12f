/* The options of our drivers, a text in the scene: "NAME=VALUE, NAME=VALUE", with commas or semicolons between them. */
#pragma once

#include <stddef.h>
#include <tactus/base.h>

typedef struct tacDriverOption {
  const char *name;
  char *text; /* of `size` bytes; or NULL, and */
  size_t size;
  double *number, lower, upper;
} tacDriverOption;

/* What is not given stays as it is. The error names the options that there are. */
tacStatus tac_driver_options_read(const char *options, int count, const tacDriverOption *table, tacError *error);
