/* A vendor's library, found when the driver is opened: nothing of it is needed to build, and no header of it is used. */
#pragma once

#include <stddef.h>
#include <tactus/base.h>

typedef struct tacVendorFunction {
  const char *name;
  void *target; /* the address of a function pointer */
} tacVendorFunction;

typedef struct tacVendorLibrary {
  const char *product;     /* "the Force Dimension SDK" */
  const char *get;         /* where it comes from */
  const char *environment; /* a variable that may name the file */
  const char *names[6];    /* that the system is asked for, NULL after the last */
  const tacVendorFunction *functions;
  int function_count;
} tacVendorLibrary;

/* Opens `path`, which comes from a scene and needs permission ("": none), or else the file that the environment names, or
 * else the first of the names that the system finds. `found` (may be NULL) gets the file. */
tacStatus tac_vendor_library_open(const tacVendorLibrary *library, const char *path, void **handle, char *found,
                                  size_t size, tacError *error);
