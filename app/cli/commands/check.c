#include <stdio.h>
#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/scene/scene_bake.h"
#include "base/error.h"
#include "base/text.h"

typedef struct Count {
  int of[TAC_FINDING_FAULT + 1];
  bool quiet;
  tacConsole *console;
} Count;

static void print_finding(const tacFinding *finding, void *user) {
  static const char *const words[] = {"note", "warning", "cannot run"};
  Count *count = user;
  ++count->of[finding->level];
  tac_progress_bar_hide(&count->console->bar);
  if (!count->quiet || finding->level > TAC_FINDING_NOTE)
    printf("%s: %s [%s]\n", words[finding->level], finding->text, finding->about);
}

/* 0 where nothing is wrong, 1 with warnings, 2 where it cannot run. */
static int check(const char *path, bool quiet, tacConsole *console) {
  TAC_OWN(tacScene, scene) = NULL;
  tacError error = {0};
  Count count = {.quiet = quiet, .console = console};
  tacStatus status = tac_scene_read(path, &scene, &error);
  if (status == TAC_OK) status = tac_scene_check(scene, &console->progress, print_finding, &count, &error);
  tac_console_step(console, status);
  if (status != TAC_OK) {
    printf("cannot run: %s\n", error.text);
    count.of[TAC_FINDING_FAULT] = 1;
  } else if (!quiet) {
    int faults = count.of[TAC_FINDING_FAULT], warnings = count.of[TAC_FINDING_WARNING];
    printf("%s: %s%s%s%s\n", path,
           faults > 0     ? "cannot run: "
           : warnings > 0 ? ""
                          : "fine",
           faults > 0 ? tac_text_many(faults, "fault").text : "", faults > 0 && warnings > 0 ? ", " : "",
           warnings > 0 ? tac_text_many(warnings, "warning").text : "");
  }
  return count.of[TAC_FINDING_FAULT] > 0 ? 2 : count.of[TAC_FINDING_WARNING] > 0 ? 1 : 0;
}

int tac_command_check(int argc, char **argv) {
  bool quiet = false;
  const tacOption table[] = {
      tac_options_threads(),
      tac_console_no_plugins(),
      {TAC_OPTION_FLAG, "--quiet", .help = "print only warnings and faults", .target = &quiet},
  };
  const tacUsage usage = {
      "tactus check",
      "SCENE... [options]",
      "Finds problems in scenes before they are baked and run. Each is reported with its line and a remedy:\n"
      "meshes that are open, cross themselves or are in the wrong unit; parts too thin for elements, masks\n"
      "and voxels; nothing or everything fixed; Poisson's ratios that lock; stiffness that the device\n"
      "cannot render; paths that begin inside a body, go through it or never touch it; workspaces that are\n"
      "too small; strain too large for linear bodies; steps that take longer than their period; more memory\n"
      "than the machine has. Meshes are made for the check, but nothing is baked. Exit status: 0 no problem\n"
      "(or only notes), 1 warnings, 2 a scene cannot run. docs/own_organ.md explains each problem.",
      TAC_OPTIONS(table),
      "examples:\n"
      "  tactus check scenes/kidney.yaml\n"
      "  tactus check liver.yaml && tactus run liver.yaml",
      .operand = "scene"};
  int operands, worst;
  if (!tac_options_parse(&usage, argc, argv, &operands, &worst)) return worst;
  tacConsole *console = tac_console_open(true); /* what it says is the result */
  for (int i = 0; i < operands && !tac_console_interrupted(); ++i) {
    int found = check(argv[i], quiet, console);
    if (found > worst) worst = found;
  }
  return worst;
}
