#include "app/viewer/server/page.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* In page_data.S; each ends with a zero that is not counted. */
#define TAC_PAGE_DATA(name)                          \
  extern const unsigned char tac_page_data_##name[]; \
  extern const uint64_t tac_page_data_##name##_size;
TAC_PAGE_DATA(index)
TAC_PAGE_DATA(script)
TAC_PAGE_DATA(style)
TAC_PAGE_DATA(icon)
extern const char tac_page_data_missing[]; /* why there is no page; empty where there is one */

/* Served where the build had no page. */
static const char apology[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\"><meta charset=\"utf-8\"><title>Tactus</title>\n"
    "<style>:root{color-scheme:light dark}body{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:15vh "
    "auto;padding:0 1.5rem}pre{padding:1rem;border:1px solid;border-radius:.5rem;overflow:auto}</style>\n"
    "<h1>This build of Tactus has no viewer page</h1>\n"
    "<p>The program and its server run. The viewer page is made when Tactus is built, from npm packages, and these "
    "were not available. <code>tactus view</code> prints the reason.</p>\n"
    "<p>To get the page, install Node.js 18 or later with npm, connect to the internet, and build again:</p>\n"
    "<pre>scripts/setup\n"
    "scripts/build</pre>\n"
    "<p>Everything else, such as <code>tactus run</code> with its report, works without the page.</p></html>\n";

static tacPageFile files[4];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fill(void) { /* sizes are no constants of C: only the linker knows them */
  const bool whole = *tac_page_data_missing == '\0';
  files[0] =
      (tacPageFile){"/", "text/html; charset=utf-8", whole ? tac_page_data_index : (const unsigned char *)apology,
                    whole ? tac_page_data_index_size : sizeof apology - 1};
  files[1] =
      (tacPageFile){"/viewer.js", "text/javascript; charset=utf-8", tac_page_data_script, tac_page_data_script_size};
  files[2] = (tacPageFile){"/viewer.css", "text/css; charset=utf-8", tac_page_data_style, tac_page_data_style_size};
  files[3] = (tacPageFile){"/icon.svg", "image/svg+xml", tac_page_data_icon, tac_page_data_icon_size};
}

const tacPageFile *tac_page_file(const char *path) {
  pthread_once(&filled, fill);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp(path, files[i].path) == 0 && files[i].size > 0) return &files[i];
  return NULL;
}

const char *tac_page_missing(void) {
  return tac_page_data_missing;
}
