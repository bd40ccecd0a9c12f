/* Command lines: one table of options from which the parser and the help are both made, so that they cannot disagree. */
#pragma once

#include <stdbool.h>
#include "base/nearest.h"

typedef enum tacOptionKind {
  TAC_OPTION_HEADING, /* a line of the help; `help` is its text */
  TAC_OPTION_FLAG,    /* bool *target */
  TAC_OPTION_TEXT,    /* const char **target */
  TAC_OPTION_NUMBER,  /* double *target, in [lower, upper]; with `word`, that word is allowed as well and gives 0 */
  TAC_OPTION_COUNT,   /* int *target, in [lower, upper]; `word` as above */
  TAC_OPTION_CHOICE   /* int *target: the index in `word`, which lists the choices, separated by '|' */
} tacOptionKind;

typedef struct tacOption {
  tacOptionKind kind;
  const char *name;  /* "--tets", "-o" */
  const char *value; /* what the help calls the value; NULL for flags and choices */
  const char *help;  /* may hold newlines */
  void *target;
  bool *given; /* optional: set where the option is there */
  double lower, upper;
  const char *word;
} tacOption;

typedef struct tacUsage {
  const char *command;  /* "tactus mesh" */
  const char *synopsis; /* what follows the command, one form a line */
  const char *about;    /* paragraphs above the options */
  const tacOption *options;
  int option_count;
  const char *closing; /* examples, below the options */
} tacUsage;

typedef enum tacParse {
  TAC_PARSE_RUN,  /* go on */
  TAC_PARSE_HELP, /* help was printed: exit with 0 */
  TAC_PARSE_WRONG /* one line was printed: exit with 2 */
} tacParse;

/* Reads `argv[1 ..]`. What is not an option is moved to argv[0 .. *operand_count). "--x V" and "--x=V" are the same;
 * everything after "--" is an operand, and so is "-". */
tacParse tac_options_parse(const tacUsage *usage, int argc, char **argv, int *operand_count);
void tac_options_help(const tacUsage *usage);

/* `--threads N` for commands with offline work; tac_options_parse applies it. */
tacOption tac_options_threads(void);

/* Prints "COMMAND: text" to standard error and returns 2, the status of wrong usage. */
int tac_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
