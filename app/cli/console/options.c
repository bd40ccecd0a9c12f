#include "app/cli/console/options.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/threads/parallel.h"

#define NAME_MOST 64

int tac_usage_error(const char *command, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", command);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return 2;
}

static const char *value_name(const tacOption *option) {
  return option->kind == TAC_OPTION_CHOICE ? option->word : option->value;
}

/* Characters that the terminal shows: bytes that do not continue a UTF-8 sequence. */
static int shown_length(const char *text, size_t bytes) {
  int shown = 0;
  for (size_t i = 0; i < bytes; ++i) shown += ((unsigned char)text[i] & 0xC0) != 0x80;
  return shown;
}

static int label_width(const tacOption *option) {
  const char *value = value_name(option);
  return (int)strlen(option->name) + (value != NULL ? 1 + shown_length(value, strlen(value)) : 0);
}

static void print_help(const tacUsage *usage) {
  const char *line = usage->synopsis;
  const char *lead = "usage:";
  while (line != NULL && *line != '\0') {
    size_t length = strcspn(line, "\n");
    printf("%-6s %s %.*s\n", lead, usage->command, (int)length, line);
    line += length + (line[length] == '\n');
    lead = "";
  }
  printf("\n%s\n", usage->about);
  int widest = (int)strlen("--help");
  for (int i = 0; i < usage->option_count; ++i) {
    const tacOption *option = &usage->options[i];
    if (option->kind != TAC_OPTION_HEADING && label_width(option) > widest) widest = label_width(option);
  }
  if (usage->option_count == 0 || usage->options[0].kind != TAC_OPTION_HEADING) printf("\noptions:\n");
  for (int i = 0; i < usage->option_count; ++i) {
    const tacOption *option = &usage->options[i];
    if (option->kind == TAC_OPTION_HEADING) {
      printf("\n%s:\n", option->help);
      continue;
    }
    const char *value = value_name(option);
    printf("  %s%s%s%*s", option->name, value != NULL ? " " : "", value != NULL ? value : "",
           widest - label_width(option), "");
    for (const char *text = option->help;;) {
      size_t length = strcspn(text, "\n");
      printf("  %.*s\n", (int)length, text);
      if (text[length] == '\0') break;
      text += length + 1;
      printf("  %*s", widest, "");
    }
  }
  printf("  %-*s  print this text\n", widest, "--help");
  if (usage->closing != NULL) printf("\n%s\n", usage->closing);
}

static const tacOption *find_option(const tacUsage *usage, const char *name, size_t length) {
  for (int i = 0; i < usage->option_count; ++i) {
    const tacOption *option = &usage->options[i];
    if (option->kind != TAC_OPTION_HEADING && strlen(option->name) == length &&
        strncmp(option->name, name, length) == 0)
      return option;
  }
  return NULL;
}

static void unknown_option(const tacUsage *usage, const char *argument, size_t length) {
  char name[NAME_MOST + 1];
  snprintf(name, sizeof name, "%.*s", (int)(length > NAME_MOST ? NAME_MOST : length), argument);
  tacNearest nearest = {.given = name};
  for (int i = 0; i < usage->option_count; ++i)
    if (usage->options[i].kind != TAC_OPTION_HEADING) tac_nearest_offer(&nearest, usage->options[i].name);
  tac_nearest_offer(&nearest, "--help");
  tac_usage_error(usage->command, "unknown option %s; did you mean %s?", name, nearest.best);
}

static bool read_choice(const tacOption *option, const char *text) {
  int index = 0;
  for (const char *choice = option->word;; ++index) {
    size_t length = strcspn(choice, "|");
    if (strlen(text) == length && strncmp(choice, text, length) == 0) {
      *(int *)option->target = index;
      return true;
    }
    if (choice[length] == '\0') return false;
    choice += length + 1;
  }
}

static bool read_number(const tacOption *option, const char *text) {
  bool whole = option->kind == TAC_OPTION_COUNT;
  double number = 0.0;
  if (option->word == NULL || strcmp(option->word, text) != 0) {
    char *end;
    errno = 0;
    number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || !(number >= option->lower && number <= option->upper) ||
        (whole && number != floor(number)))
      return false;
  }
  if (whole)
    *(int *)option->target = (int)number;
  else
    *(double *)option->target = number;
  return true;
}

static bool read_value(const tacUsage *usage, const tacOption *option, const char *text) {
  switch (option->kind) {
    case TAC_OPTION_HEADING:
    case TAC_OPTION_FLAG: return false;
    case TAC_OPTION_TEXT:
      if (*text == '\0') {
        tac_usage_error(usage->command, "%s needs a value (%s), not an empty one", option->name, option->value);
        return false;
      }
      *(const char **)option->target = text;
      return true;
    case TAC_OPTION_CHOICE:
      if (read_choice(option, text)) return true;
      tac_usage_error(usage->command, "%s takes one of %s, not '%s'", option->name, option->word, text);
      return false;
    case TAC_OPTION_NUMBER:
    case TAC_OPTION_COUNT:
      if (read_number(option, text)) return true;
      tac_usage_error(usage->command, "%s takes a %s from %.10g to %.10g%s%s, not '%s'", option->name,
                      option->kind == TAC_OPTION_COUNT ? "whole number" : "number", option->lower, option->upper,
                      option->word != NULL ? " or " : "", option->word != NULL ? option->word : "", text);
      return false;
  }
  return false;
}

static int threads;

tacOption tac_options_threads(void) {
  return (tacOption){
      TAC_OPTION_COUNT,
      "--threads",
      "N",
      "threads for offline work; results do not depend on it\n(default: TACTUS_THREADS, or one per core)",
      .target = &threads,
      .lower = 1,
      .upper = TAC_PARALLEL_MOST};
}

tacOption tac_options_cache(const char **cache) {
  return (tacOption){TAC_OPTION_TEXT, "--cache", "DIR", "folder of baked assets (default: as `tactus bake`)",
                     .target = cache};
}

tacOption tac_options_quiet(bool *quiet) {
  return (tacOption){TAC_OPTION_FLAG, "--quiet", .help = "print no summary, progress or warnings", .target = quiet};
}

const char *tac_options_word(const char *words, int index, char *text, size_t size) {
  for (int i = 0; i < index; ++i) words = strchr(words, '|') + 1;
  snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
  return text;
}

bool tac_options_ends(const char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

bool tac_options_parse(const tacUsage *usage, int argc, char **argv, int *operands, int *result) {
  int count = 0;
  bool only_operands = false;
  *result = 2;
  for (int i = 1; i < argc; ++i) {
    char *argument = argv[i];
    if (only_operands || argument[0] != '-' || argument[1] == '\0') {
      argv[count++] = argument;
      continue;
    }
    if (strcmp(argument, "--") == 0) {
      only_operands = true;
      continue;
    }
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      print_help(usage);
      *result = 0;
      return false;
    }
    size_t length = strcspn(argument, "=");
    const tacOption *option = find_option(usage, argument, length);
    if (option == NULL) {
      unknown_option(usage, argument, length);
      return false;
    }
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    if (option->given != NULL) *option->given = true;
    if (option->kind == TAC_OPTION_FLAG) {
      if (value != NULL) {
        tac_usage_error(usage->command, "%s takes no value", option->name);
        return false;
      }
      *(bool *)option->target = true;
      continue;
    }
    if (value == NULL && i + 1 < argc) value = argv[++i];
    if (value == NULL) {
      tac_usage_error(usage->command, "%s needs a value: %s", option->name, value_name(option));
      return false;
    }
    if (!read_value(usage, option, value)) return false;
  }
  *operands = count;
  if (usage->operand != NULL && count == 0)
    tac_usage_error(usage->command, "no %s given", usage->operand);
  else if (usage->single && count > 1)
    tac_usage_error(usage->command, "only one %s at a time; unexpected argument %s", usage->operand, argv[1]);
  else
    *result = 0;
  if (threads > 0) tac_parallel_set_threads(threads);
  return *result == 0;
}
