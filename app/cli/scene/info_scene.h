/* What is in a scene, in what was baked from it and in what was recorded with it. */
#pragma once

#include <stdbool.h>
#include <tactus/error.h>

void tac_info_line(const char *label, const char *text, void *user); /* a tacSceneLine: one of a report */
bool tac_info_is_scene(const char *path);                            /* by its name: .yaml or .yml */

tacStatus tac_info_print_scene(const char *path, tacError *error);
tacStatus tac_info_print_recording(const char *path, tacError *error);
