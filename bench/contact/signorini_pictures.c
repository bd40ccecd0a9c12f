#include "bench/contact/signorini_pictures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "bench/report/svg_plot.h"

tacStatus tac_signorini_picture_sides(const char *folder, const tacSidesExperiment *e, tacError *error) {
  double sides[TAC_SIDES_COUNT], top = 5.0;
  const double limit[2] = {5.0, 5.0}, ends[2] = {4.0, 32.0};
  for (int k = 0; k < TAC_SIDES_COUNT; ++k) sides[k] = e->sides[k];
  for (int k = 0; k < TAC_SIDES_COUNT; ++k)
    if (e->worst[k] > top) top = e->worst[k];
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/signorini_figure7.svg", folder);
  snprintf(remark, sizeof remark, "A table on %d contacts, %d random motions over the floor, μ = 0.1.", e->contacts,
           e->loads);
  tacSvgPlotDef def = {.title = "Forces of k-sided pyramids beside those of the cone",
                       .remark = remark,
                       .x_name = "sides k",
                       .y_name = "γ",
                       .x = tac_axis_linear(0.0, 32.0, false, 8, ""),
                       .y = tac_axis_linear(0.0, top, false, 5, "%")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  tac_svg_plot_curve(&plot, "mean", 0, false, true, TAC_SIDES_COUNT, sides, e->gap);
  tac_svg_plot_curve(&plot, "largest", 1, false, true, TAC_SIDES_COUNT, sides, e->worst);
  tac_svg_plot_curve(&plot, "5 %", 2, true, false, 2, ends, limit);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_signorini_picture_growth(const char *folder, const tacGrowthExperiment *e, tacError *error) {
  static const char *const names[TAC_GROWTH_METHODS] = {"automatic", "Gauss-Seidel*", "Algorithm 1", "pyramid, k = 8"};
  static const int colours[TAC_GROWTH_METHODS] = {0, 3, 4, 1};
  double contacts[TAC_GROWTH_MOST], least = INFINITY, most = 0.0;
  for (int i = 0; i < e->count; ++i) {
    contacts[i] = e->contacts[i];
    for (int k = 0; k < TAC_GROWTH_METHODS; ++k) {
      least = fmin(least, e->time[k][i]);
      most = fmax(most, e->time[k][i]);
    }
  }
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/signorini_figure8.svg", folder);
  snprintf(remark, sizeof remark,
           "Means of %d random motions of a table, μ = 0 to 1, to a thousandth. *Where it converges.", e->loads);
  tacSvgPlotDef def = {.title = "Time over the number of contacts",
                       .remark = remark,
                       .x_name = "contacts",
                       .y_name = "time",
                       .x = tac_axis_linear(0.0, contacts[e->count - 1], false, 8, ""),
                       .y = tac_axis_logarithmic(0.7 * least, 1.5 * most, TAC_AXIS_PREFIXED, "s")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int k = 0; k < TAC_GROWTH_METHODS; ++k)
    tac_svg_plot_curve(&plot, names[k], colours[k], false, true, e->count, contacts, e->time[k]);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_signorini_picture_ticks(const char *folder, int count, const tacClipExperiment *e, tacError *error) {
  enum { EACH = 20 };
  static const int colours[] = {0, 3, 1, 4};
  int points = e->ticks / EACH;
  double *at = tac_array_create((size_t)points, sizeof *at, "times", error), top = 0.0;
  double *most = tac_array_create((size_t)(count * points), sizeof *most, "times", error);
  if (at == NULL || most == NULL) {
    free(at);
    free(most);
    return TAC_ERR_MEMORY;
  }
  for (int p = 0; p < points; ++p) at[p] = 1e-3 * (p + 0.5) * EACH;
  for (int t = 0; t < count * points * EACH; ++t) {
    double tick = e[t / (points * EACH)].tick[t % (points * EACH)];
    most[t / EACH] = fmax(most[t / EACH], tick);
    top = fmax(top, tick);
  }
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/signorini_figure17.svg", folder);
  tacSvgPlotDef def = {
      .title = "Whole ticks of a clip on a pipe",
      .remark = "The largest of each 20. The paper: 3 ms without friction (30 contacts), 4 ms with (20).",
      .x_name = "time in the scene",
      .y_name = "tick",
      .x = tac_axis_linear(0.0, 1e-3 * e->ticks, true, 8, "s"),
      .y = tac_axis_linear(0.0, top, false, 5, "s")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  for (int k = 0; k < count && status == TAC_OK; ++k) {
    char name[64];
    snprintf(name, sizeof name, "%d contacts, μ = %g", e[k].patch, e[k].friction);
    tac_svg_plot_curve(&plot, name, colours[k % 4], false, false, points, at, most + (size_t)k * (size_t)points);
  }
  if (status == TAC_OK) status = tac_svg_plot_end(&plot, error);
  free(at);
  free(most);
  return status;
}
