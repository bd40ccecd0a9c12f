#include "bench/vademecum/vademecum_pictures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <tactus/reduced.h>
#include "bench/report/svg_plot.h"

static const double least_error = 1e-4;

/* Those that are at least `least_error`, over 1, 2, ... */
static void draw_errors(tacSvgPlot *plot, const char *name, int colour, bool dashed, int count, const double *errors) {
  enum { MOST = 4096 };
  static double modes[MOST];
  int shown = 0;
  while (shown < count && shown < MOST && errors[shown] >= least_error) {
    modes[shown] = shown + 1.0;
    ++shown;
  }
  tac_svg_plot_curve(plot, name, colour, dashed, false, shown, modes, errors);
}

tacStatus tac_vademecum_picture_modes(const char *folder, const char *name, const tacModesExperiment *e,
                                      tacError *error) {
  char path[PATH_MAX], title[100], remark[160];
  snprintf(path, sizeof path, "%s/vademecum_modes_%s.svg", folder, name);
  snprintf(title, sizeof title, "Error over modes, linear elasticity: the %s", name);
  snprintf(remark, sizeof remark, "%d nodes, %d loads; each load counts alike. Dashed: the least that is possible.",
           e->nodes, e->loads);
  int least = tac_modes_needed(e->count, e->separated, least_error), most = least > 0 ? least : e->count;
  tacSvgPlotDef def = {.title = title,
                       .remark = remark,
                       .x_name = "modes",
                       .y_name = "error",
                       .x = tac_axis_linear(0.0, most, false, 8, ""),
                       .y = tac_axis_logarithmic(least_error, 1.0, TAC_AXIS_POWERS, ""),
                       .legend_columns = 2};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  draw_errors(&plot, "alternating directions, energy", 0, false, e->count, e->separated);
  draw_errors(&plot, "singular values, energy", 0, true, e->count, e->optimum);
  draw_errors(&plot, "compressed, displacements", 1, false, e->kept_count, e->kept);
  draw_errors(&plot, "singular values, displacements", 1, true, e->kept_count, e->kept_optimum);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_vademecum_picture_volume(const char *folder, const tacVolumeExperiment *e, tacError *error) {
  enum { COUNT = TAC_VOLUME_LEVELS + 1 };
  char path[PATH_MAX];
  const double *const from[] = {e->linear, e->full, e->alone, e->corrected};
  static const char *const names[] = {"linear elasticity", "all nodes, Newton", "vademecum", "corrected"};
  static const int colours[] = {2, 1, 0, 3};
  double load[COUNT] = {0.0}, percent[4][COUNT] = {{0.0}}, top = 0.0, bottom = 0.0;
  for (int i = 1; i < COUNT; ++i) {
    load[i] = e->load[i - 1];
    for (int k = 0; k < 4; ++k) {
      percent[k][i] = 100.0 * from[k][i - 1];
      top = fmax(top, percent[k][i]);
      bottom = fmin(bottom, percent[k][i]);
    }
  }
  snprintf(path, sizeof path, "%s/vademecum_volume.svg", folder);
  tacSvgPlotDef def = {.title = "Change of the beam's volume while a load at its end grows",
                       .remark = "400 x 40 x 40 mm, steel, St. Venant-Kirchhoff, 189 nodes, held at the other end.",
                       .x_name = "load across it",
                       .y_name = "change of volume",
                       .x = tac_axis_linear(0.0, load[COUNT - 1], false, 5, "N"),
                       .y = tac_axis_linear(bottom, top, false, 6, "%")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int k = 0; k < 4; ++k) tac_svg_plot_curve(&plot, names[k], colours[k], k == 1, k == 2, COUNT, load, percent[k]);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_vademecum_picture_growth(const char *folder, const char *name, const char *x_name, const char *remark,
                                       int count, const double *of, const tacGrowthPoint *points, tacError *error) {
  enum { MOST = 16, CURVES = 6 };
  char path[PATH_MAX];
  static const char *const names[CURVES] = {"whole bake", "linear", "paths", "elements", "coordinates", "check"};
  double values[CURVES][MOST], top = 0.0, bottom = INFINITY;
  count = count < MOST ? count : MOST;
  for (int i = 0; i < count; ++i) {
    const tacGrowthPoint *p = &points[i];
    const double of_point[CURVES] = {p->whole, p->linear, p->paths, p->elements, p->coordinates, p->check};
    for (int k = 0; k < CURVES; ++k) {
      values[k][i] = of_point[k];
      top = fmax(top, values[k][i]);
      if (values[k][i] > 0.0) bottom = fmin(bottom, values[k][i]);
    }
  }
  snprintf(path, sizeof path, "%s/vademecum_growth_%s.svg", folder, name);
  tacSvgPlotDef def = {.title = "Processor time of a bake, by stages",
                       .remark = remark,
                       .x_name = x_name,
                       .y_name = "time",
                       .x = tac_axis_logarithmic(0.8 * of[0], 1.25 * of[count - 1], TAC_AXIS_PREFIXED, ""),
                       .y = tac_axis_logarithmic(0.8 * bottom, 1.5 * top, TAC_AXIS_PREFIXED, "s"),
                       .legend_columns = 6};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int k = 0; k < CURVES; ++k) tac_svg_plot_curve(&plot, names[k], k, k == 5, k < 5, count, of, values[k]);
  return tac_svg_plot_end(&plot, error);
}
