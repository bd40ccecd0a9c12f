#include <stdio.h>
#include <string.h>
#include <tactus/scene.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/scene/scene_bake.h"
#include "base/error.h"
#include "base/text.h"
#include "scene/scene.h"
#include "scene/scene_outline.h"

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

/* No code is loaded for a check, and without it nothing is known of the keys of bodies. */
static void print_unchecked(const char *what, const char *path, void *user) {
  char text[1200];
  if (strcmp(what, "kinds") != 0) return;
  snprintf(text, sizeof text,
           "%s: this file has kinds of bodies as code, which `tactus check` never loads, so the "
           "scene was not checked; `tactus bake` asks before it loads the file",
           path);
  print_finding(&(tacFinding){TAC_FINDING_WARNING, "kinds", text}, user);
}

static tacStatus check_scene(const tacSceneOutline *outline, Count *count, tacError *error) {
  TAC_OWN(tacScene, scene) = NULL;
  TAC_TRY(tac_scene_outline_scene(outline, &scene, error));
  TAC_TRY(tac_scene_require_files(scene, error));
  return tac_scene_check(scene, &count->console->progress, print_finding, count, error);
}

/* 0 where nothing is wrong, 1 with warnings, 2 where it cannot run. */
static int check(const char *path, bool quiet, tacConsole *console) {
  TAC_OWN(tacSceneOutline, outline) = NULL;
  tacError error = {0};
  Count count = {.quiet = quiet, .console = console};
  tacStatus status = tac_scene_outline_read(path, &outline, &error);
  if (status == TAC_OK && tac_scene_outline_has_kinds(outline))
    tac_scene_outline_plugins(outline, print_unchecked, &count);
  else if (status == TAC_OK)
    status = check_scene(outline, &count, &error);
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
      "than the machine has. Meshes are made for the check, but nothing is baked. No code is loaded, so a\n"
      "scene with user-defined kinds is not checked, with a warning. Exit status: 0 no problem (or only\n"
      "notes), 1 warnings, 2 a scene cannot run. docs/own_organ.md explains each problem.",
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
