#include <stdio.h>
#include <string.h>
#include <tactus/device.h>
#include <unistd.h>
#include "app/cli/commands/command.h"
#include "app/cli/console/console.h"
#include "app/cli/console/options.h"
#include "app/cli/console/permission.h"
#include "app/cli/device/device_loop.h"
#include "app/cli/device/first_touch.h"
#include "device/device.h"
#include "device/driver_file.h"

enum { MOST_DRIVERS = 64 };

/* ---- the list ---- */

static void print_driver(const tacDriverFile *file, const char *options) {
  tacDeviceProbe probe;
  tacError error = {.text = ""};
  char summary[128];
  if (tac_device_probe(file->path, options, &probe, summary, &error) != TAC_OK) {
    printf("%s\n  cannot be used: %s\n", file->name, error.text);
    return;
  }
  printf("%s: %s\n  %s: %s\n", file->name, summary, probe.ready ? "needs" : "cannot be used", probe.needs);
  for (int i = 0; i < probe.count && i < TAC_DEVICE_MOST_FOUND; ++i) printf("  device: %s\n", probe.found[i]);
  if (probe.count > TAC_DEVICE_MOST_FOUND) printf("  and %d more\n", probe.count - TAC_DEVICE_MOST_FOUND);
}

static int list_drivers(void) {
  static tacDriverFile files[MOST_DRIVERS];
  int count = tac_device_drivers(MOST_DRIVERS, files);
  for (int i = 0; i < count && i < MOST_DRIVERS; ++i) print_driver(&files[i], NULL);
  if (count == 0)
    printf("no drivers found; they are files NAME.so in lib/tactus/drivers of the installation, in drivers beside\n"
           "the program, or in the folder $TACTUS_DRIVERS\n");
  return TAC_EXIT_OK;
}

/* ---- one device ---- */

static void print_info(const tacDeviceInfo *info) {
  tacVec3 l = info->workspace.lower, u = info->workspace.upper;
  printf("%s: %d degrees of freedom, %.4g N, ", info->name, info->dof, info->force_limit);
  if (info->dof == 6) printf("%.4g N m, ", info->torque_limit);
  printf("%.4g N/m, workspace %.0f x %.0f x %.0f mm about (%.0f, %.0f, %.0f)\n", info->stiffness_limit,
         1e3 * (u.x - l.x), 1e3 * (u.y - l.y), 1e3 * (u.z - l.z), 500.0 * (u.x + l.x), 500.0 * (u.y + l.y),
         500.0 * (u.z + l.z));
  fflush(stdout);
}

static void describe_buttons(uint32_t buttons, char text[64]) {
  snprintf(text, 64, "%s%s%s", buttons & TAC_BUTTON_GRAB ? " grab" : "", buttons & TAC_BUTTON_INDEX ? " index" : "",
           buttons & TAC_BUTTON_LIFT ? " lift" : "");
  size_t used = strlen(text);
  if (TAC_BUTTON_GRIP_OF(buttons) > 0) snprintf(text + used, 64 - used, " grip %u", TAC_BUTTON_GRIP_OF(buttons));
}

static void print_state(const tacDeviceLoop *loop, bool rewrites) {
  const tacDeviceState *s = &loop->state;
  char buttons[64];
  describe_buttons(s->buttons, buttons);
  printf("%sx %+8.2f  y %+8.2f  z %+8.2f mm  q %+.3f %+.3f %+.3f %+.3f %s  %4.0f/s  jitter %.2f ms  late %lld%s",
         rewrites ? "\r" : "", 1e3 * s->position.x, 1e3 * s->position.y, 1e3 * s->position.z, s->orientation[0],
         s->orientation[1], s->orientation[2], s->orientation[3], buttons, tac_device_loop_rate(loop),
         1e3 * tac_device_loop_jitter(loop), (long long)loop->late, rewrites ? "\033[K" : "\n");
  fflush(stdout);
}

/* `seconds` 0: until it is interrupted. */
static int watch(tacDeviceLoop *loop, double seconds) {
  bool rewrites = isatty(STDOUT_FILENO) == 1;
  int64_t every = rewrites ? 50 : 500, ticks = seconds > 0.0 ? (int64_t)(seconds * 1000.0) : INT64_MAX;
  for (int64_t i = 1; i <= ticks && !tac_console_interrupted() && loop->health != TAC_DEVICE_LOST; ++i) {
    tac_device_loop_tick(loop, (tacVec3){0.0, 0.0, 0.0});
    if (i % every == 0 || i == ticks) print_state(loop, rewrites);
  }
  if (rewrites) putchar('\n');
  printf("%lld new states in %lld ticks, %.0f per second; jitter %.2f ms, longest gap %lld ms; late in %lld ticks\n",
         (long long)loop->fresh, (long long)loop->tick, tac_device_loop_rate(loop), 1e3 * tac_device_loop_jitter(loop),
         (long long)loop->gap_longest, (long long)loop->late);
  if (loop->health != TAC_DEVICE_LOST) return TAC_EXIT_OK;
  char why[256];
  tac_device_trouble(&loop->device, why, sizeof why);
  fprintf(stderr, "tactus: %s was lost%s%s\n", loop->device.info.name, why[0] != 0 ? ": " : "", why);
  return TAC_EXIT_FAILED;
}

int tac_command_devices(int argc, char **argv) {
  static const char command[] = "tactus devices";
  const char *options = NULL;
  bool forever = false, first = false, yes = false, quick = false;
  double seconds = 2.0, timeout = 60.0;
  int late_limit = 20;
  const tacOption table[] = {
      {TAC_OPTION_TEXT, "--options", "TEXT", "the driver's options, as `options` in a scene: \"NAME=VALUE, ...\"",
       .target = &options},
      {TAC_OPTION_FLAG, "--watch", .help = "show the state until Ctrl-C", .target = &forever},
      {TAC_OPTION_NUMBER, "--duration", "S", "seconds to show the state (default 2)", .target = &seconds, .lower = 0.01,
       .upper = 1e6},
      {TAC_OPTION_FLAG, "--first-touch",
       .help = "test a new device step by step: states at rest, axes, workspace, then gentle\n"
               "forces (at most 0.5 N) and a soft spring; prints a verdict and lines for a scene",
       .target = &first},
      {TAC_OPTION_FLAG, "--yes", .help = "do not ask before forces are applied; still wait for motions",
       .target = &yes},
      {TAC_OPTION_FLAG, "--quick", .help = "shorten each step of the first touch to a third", .target = &quick},
      {TAC_OPTION_NUMBER, "--patience", "S", "seconds that the first touch waits for a motion (default 60)",
       .target = &timeout, .lower = 0.1, .upper = 3600.0},
      {TAC_OPTION_COUNT, "--late-limit", "N", "stop the first touch after N ticks without a new state (default 20)",
       .target = &late_limit, .lower = 0, .upper = 1000000},
      tac_permission_option(),
  };
  const tacUsage usage = {
      command, "\nNAME [options]",
      "Lists the drivers, which library or service each needs and whether it is available, and the devices\n"
      "that respond. With the NAME of a driver (or the path of a shared object), opens its device and\n"
      "prints its state: position, orientation (w x y z), buttons, new states per second, the jitter of the\n"
      "times between them, and ticks without a new state. Only --first-touch writes forces, through a guard\n"
      "with low limits. docs/device.md has a section for each driver, and what to do if one does not work.",
      TAC_OPTIONS(table),
      .closing = "examples:\n"
                 "  tactus devices\n"
                 "  tactus devices openhaptics --watch\n"
                 "  tactus devices force_dimension --options \"index=1\" --first-touch\n"
                 "  tactus devices network --options \"wait=60\" --duration 10"};
  int operands, result;
  if (!tac_options_parse(&usage, argc, argv, &operands, &result)) return result;
  if (operands > 1) return tac_usage_error(command, "only one driver at a time; unexpected argument %s", argv[1]);
  if (operands == 0 && (options != NULL || forever || first))
    return tac_usage_error(command, "no driver given; `tactus devices` lists them");
  if (operands == 0) return list_drivers();
  tacDeviceLoop loop;
  tacError error = {.text = ""};
  if (tac_device_loop_open(argv[0], options, &loop, &error) != TAC_OK) return tac_console_fail(&error);
  print_info(&loop.device.info);
  result = first ? tac_first_touch(&(tacFirstTouchDef){argv[0], options, yes, quick, late_limit, timeout}, &loop)
                 : watch(&loop, forever ? 0.0 : seconds);
  tac_device_loop_close(&loop);
  return result;
}
