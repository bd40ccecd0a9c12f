#include "app/cli/console/program.h"

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *tac_program_text(void) {
  return "tactus " TAC_VERSION ", compiled by " COMPILER;
}
