/* How many threads a test has. */
#pragma once

#include <check.h>
#include <dirent.h>

static inline int threads_of_this_process(void) {
  DIR *folder = opendir("/proc/self/task");
  ck_assert_ptr_nonnull(folder);
  int count = 0;
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}
