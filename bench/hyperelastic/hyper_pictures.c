#include "bench/hyperelastic/hyper_pictures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include "bench/report/svg_plot.h"

tacStatus tac_hyper_picture_stretch(const char *folder, const tacStretchExperiment *e, tacError *error) {
  static const int colours[TAC_STRETCH_LAWS] = {0, 1, 2, 3, 4, 5, 0, 1};
  static const double least = -2.5, most = 2.0; /* N */
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/hyper_figure3.svg", folder);
  snprintf(remark, sizeof remark,
           "A cube of 1 m with %d tetrahedra, one face held, the other one moved; equal small strains.", e[0].tets);
  tacSvgPlotDef def = {.title = "Force over displacement, by laws",
                       .remark = remark,
                       .x_name = "displacement",
                       .y_name = "force",
                       .x = tac_axis_linear(-0.5, 0.5, false, 10, "m"),
                       .y = tac_axis_linear(least, most, false, 9, "N"),
                       .legend_columns = 4};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int l = 0; l < TAC_STRETCH_LAWS; ++l) {
    int first = 0;
    while (first < e[l].count && e[l].force[first] < least) ++first;
    tac_svg_plot_curve(&plot, tac_stretch_material[l].law, colours[l], l >= 6, false, e[l].count - first,
                       e[l].way + first, e[l].force + first);
  }
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_hyper_picture_press(const char *folder, int count, const tacPressExperiment *e, const char *const *names,
                                  tacError *error) {
  static const int colours[] = {0, 1, 2, 3};
  double top = 0.0;
  char path[PATH_MAX];
  for (int i = 0; i < e[0].count; ++i) top = fmax(top, 1.5 * e[0].force[i]);
  snprintf(path, sizeof path, "%s/hyper_figure4.svg", folder);
  tacSvgPlotDef def = {
      .title = "Contact force, by the compliance that contacts see",
      .remark = "A ball presses a cube of 2,058 tetrahedra, Mooney-Rivlin, to 0.35 of its height; without friction.",
      .x_name = "time",
      .y_name = "force",
      .x = tac_axis_linear(0.0, e[0].time[e[0].count - 1], false, 8, "s"),
      .y = tac_axis_linear(0.0, top, false, 5, "N"),
      .legend_columns = 4};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int k = 0; k < count; ++k) {
    int shown = 0;
    while (shown < e[k].count && e[k].force[shown] <= top) ++shown;
    tac_svg_plot_curve(&plot, names[k], colours[k % 4], k == 0, false, shown, e[k].time, e[k].force);
  }
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_hyper_picture_growth(const char *folder, int count, const double *tets, const double *step,
                                   const double *factor, tacError *error) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/hyper_growth.svg", folder);
  const double ends[2] = {1000.0, 60000.0}, fast[2] = {0.01, 0.01}, slow[2] = {0.02, 0.02};
  tacSvgPlotDef def = {.title = "Step and factor of a cube, 30 contacts",
                       .remark = "Medians; the factor has a thread of its own.",
                       .x_name = "tetrahedra",
                       .y_name = "time",
                       .x = tac_axis_logarithmic(ends[0], ends[1], TAC_AXIS_PREFIXED, ""),
                       .y = tac_axis_logarithmic(0.5 * step[0], 2.0 * factor[count - 1], TAC_AXIS_PREFIXED, "s")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  tac_svg_plot_curve(&plot, "step", 0, false, true, count, tets, step);
  tac_svg_plot_curve(&plot, "factor", 1, false, true, count, tets, factor);
  tac_svg_plot_curve(&plot, "100 Hz", 2, true, false, 2, ends, fast);
  tac_svg_plot_curve(&plot, "50 Hz", 3, true, false, 2, ends, slow);
  return tac_svg_plot_end(&plot, error);
}
