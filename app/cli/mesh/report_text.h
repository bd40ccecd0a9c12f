/* What meshes are, in words: the reports of `tactus mesh --check` and `tactus info`. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>
#include "base/text.h"

/* One aligned line on standard output: "  name    value". */
void tac_report_line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A file's size, in words. */
tacText tac_report_file_size(const char *path);
void tac_report_print_box(tacBox box);

/* Every count and measure, a line each, and whether simulations can use the mesh; `faults` receives what is wrong ("12 boundary edges,
 * 3 self-intersections"). A surface: closed, manifold, oriented, no degenerate triangle, no self-intersection. A volume: no inverted,
 * degenerate or repeated element, no face in three elements. */
bool tac_report_print_surface(const tacSurfaceReport *report, char *faults, int size);
bool tac_report_print_volume(const tacVolumeReport *report, char *faults, int size);
/* The faults alone. */
bool tac_report_surface_fit(const tacSurfaceReport *report, char *faults, int size);
/* What to try on a surface that is not fit, as the end of a sentence; "" where there is nothing. */
const char *tac_report_surface_remedy(const tacSurfaceReport *report);
