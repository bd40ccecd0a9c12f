/* The page, which the build puts into the program. */
#pragma once

#include <stddef.h>

/* The page's file for a URL's path ("/", "/viewer.js"): part of the program. NULL where there is none. */
typedef struct tacPageFile {
  const char *path, *type; /* "text/html; charset=utf-8" */
  const unsigned char *bytes;
  size_t size;
} tacPageFile;
const tacPageFile *tac_page_file(const char *path);
/* "" where the page is whole; else a line that says what the build lacked and how to get it. */
const char *tac_page_missing(void);
