#include <stdio.h>
#include <string.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "base/platform.h"
#include "base/threads/parallel.h"
#include "math/dense/blas.h"

typedef struct Command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *synopsis, *summary;
} Command;

static const Command commands[] = {
    {"new", tac_command_new, "new NAME MESH", "write a scene for your own mesh, bake it and touch it in the viewer"},
    {"check", tac_command_check, "check SCENE...", "find problems in scenes before they are baked and run"},
    {"mesh", tac_command_mesh, "mesh [IN] -o OUT",
     "read, check, repair, convert; fill a surface with tetrahedra or bricks;\n"
     "compute its distance field; make a gallery shape; draw a picture"},
    {"bake", tac_command_bake, "bake SCENE...", "compute the assets that scenes need (cached; safe to interrupt)"},
    {"run", tac_command_run, "run SCENE",
     "run a scene, with a device or a simulated hand; write a recording\n"
     "and a report"},
    {"view", tac_command_view, "view [SCENE]", "touch a scene with the mouse, in the browser"},
    {"devices", tac_command_devices, "devices [NAME]", "list haptic devices; show the state of one; test a new one"},
    {"replay", tac_command_replay, "replay RECORDING", "repeat a run from its recording and compare the results"},
    {"info", tac_command_info, "info FILE...", "show what a mesh, an asset, a scene or a recording contains"},
    {"solve", tac_command_solve, "solve FILE...", "solve frictional contact problems from files (Siconos, FCLIB)"},
    {"bench", tac_command_bench, "bench [NAME...]", "run benchmarks"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(void) {
  printf("usage: tactus SUBCOMMAND ...\n\n"
         "Haptic rendering of deformable objects in contact at 1 kHz.\n\n"
         "subcommands:\n");
  for (int i = 0; i < COMMAND_COUNT; ++i) {
    const char *text = commands[i].summary;
    size_t line = strcspn(text, "\n");
    printf("  %-18s  %.*s\n", commands[i].synopsis, (int)line, text);
    if (text[line] != '\0') printf("  %-18s  %s\n", "", text + line + 1);
  }
  printf("\n"
         "options:\n"
         "  --version           print the version of the program\n"
         "  --help              print this text; after a subcommand, the help of that subcommand\n"
         "\n"
         "Lengths are in metres. Exit status: 0 success, 1 failure, 2 wrong usage.\n");
}

static int wrong_word(const char *word) {
  tacNearest nearest = {.given = word};
  bool option = word[0] == '-';
  if (option) {
    tac_nearest_offer(&nearest, "--help");
    tac_nearest_offer(&nearest, "--version");
  }
  for (int i = 0; !option && i < COMMAND_COUNT; ++i) tac_nearest_offer(&nearest, commands[i].name);
  return tac_usage_error("tactus", "unknown %s %s; did you mean %s?", option ? "option" : "subcommand", word,
                         nearest.best);
}

static int run(int argc, char **argv) {
  if (argc < 2)
    return tac_usage_error("tactus", "no subcommand given; use new, check, mesh, bake, run, view, devices, replay, "
                                     "info, solve or bench (tactus --help explains them)");
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    print_help();
    return TAC_EXIT_OK;
  }
  if (strcmp(word, "--version") == 0) {
    char blas[200];
    tac_blas_describe(blas, sizeof blas);
    printf("tactus %s\n%s\n%s (%s)\n", TAC_VERSION, tac_platform(), blas, tac_blas_path());
    return TAC_EXIT_OK;
  }
  tacError error;
  if (tac_parallel_check_environment(&error) != TAC_OK) return tac_usage_error("tactus", "%s", error.text);
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (strcmp(word, commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
  return wrong_word(word);
}

int main(int argc, char **argv) {
  char blas[200];
  tac_blas_start();
  tac_blas_describe(blas, sizeof blas);
  tac_platform_set_blas(blas);
  tac_console_start();
  return tac_console_finish(run(argc, argv));
}
