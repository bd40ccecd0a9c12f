/* Command lines: one table of options from which the parser and the help are both made, so that they cannot disagree. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
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
  const char *operand; /* what is missing without an operand: "scene"; NULL: none is needed */
  bool single;         /* and it takes one alone */
} tacUsage;

/* A table of options and how many it has, as a tacUsage takes them. */
#define TAC_OPTIONS(table) (table), (int)(sizeof(table) / sizeof *(table))

/* Reads `argv[1 ..]`. What is not an option is moved to argv[0 .. *operands). "--x V" and "--x=V" are the same; everything after "--"
 * is an operand, and so is "-". False where the program ends here, with `*result`: help was printed (0), or one line about wrong usage
 * (2), such as too few or too many operands. */
bool tac_options_parse(const tacUsage *usage, int argc, char **argv, int *operands, int *result);

/* `--cache DIR` for commands that use what `tactus bake` keeps. */
tacOption tac_options_cache(const char **cache);
/* The word with that index of those that '|' separates, as TAC_OPTION_CHOICE has them. Returns `text`. */
const char *tac_options_word(const char *words, int index, char *text, size_t size);
/* `--quiet`: neither summary nor progress nor warnings. */
tacOption tac_options_quiet(bool *quiet);
/* `--threads N` for commands with offline work; tac_options_parse applies it. */
tacOption tac_options_threads(void);

/* Whether a file's name ends so, in capitals or not. */
bool tac_options_ends(const char *name, const char *ending);

/* Prints "COMMAND: text" to standard error and returns 2, the status of wrong usage. */
int tac_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
