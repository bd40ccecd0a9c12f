#include "bench/green/green_pictures.h"

#include <limits.h>
#include <math.h>
#include <tactus/green.h>
#include "bench/report/svg_plot.h"

enum { MOST_LEVELS = 3 };

tacStatus tac_green_picture_levels(const char *folder, int count, const tacStiffnessLevel *levels, tacError *error) {
  static const double paper[2][MOST_LEVELS] = {{7.3, 2.8, 1.1}, {13.3, 11.8, 11.2}}; /* Table 1, arbitrary units */
  double vertices[MOST_LEVELS], values[4][MOST_LEVELS], most = 0.0;
  if (count > MOST_LEVELS) count = MOST_LEVELS;
  for (int i = 0; i < count; ++i) {
    vertices[i] = levels[i].vertex_count;
    values[0][i] = levels[i].single;
    values[1][i] = levels[i].masked;
    for (int k = 0; k < 2; ++k) values[2 + k][i] = paper[k][i] * levels[0].single / paper[0][0];
    most = fmax(most, fmax(values[1][i], values[3][i]));
  }
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/green_table1.svg", folder);
  tacSvgPlotDef def = {
      .title = "Stiffness at the top of the nodule as its mesh is refined",
      .remark = "Frobenius norm of K. The paper's values are scaled to agree at the first single vertex.",
      .x_name = "vertices",
      .y_name = "stiffness",
      .x = tac_axis_logarithmic(20.0, 1000.0, TAC_AXIS_PREFIXED, ""),
      .y = tac_axis_linear(0.0, most, false, 5, "N/m")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  tac_svg_plot_curve(&plot, "single vertex", 0, false, true, count, vertices, values[0]);
  tac_svg_plot_curve(&plot, "pressure mask", 1, false, true, count, vertices, values[1]);
  tac_svg_plot_curve(&plot, "paper, single", 0, true, false, count, vertices, values[2]);
  tac_svg_plot_curve(&plot, "paper, masked", 1, true, false, count, vertices, values[3]);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_green_picture_slides(const char *folder, const tacStiffnessSlide slides[3], tacError *error) {
  char path[PATH_MAX], name[3][64];
  double most = 0.0;
  for (int k = 0; k < 3; ++k) {
    snprintf(name[k], sizeof name[k], "%s, %d vertices", k == 0 ? "single" : "masked", slides[k].vertex_count);
    for (int i = 0; i < TAC_SLIDE_SAMPLES; ++i) most = fmax(most, slides[k].force[i]);
  }
  snprintf(path, sizeof path, "%s/green_figure7.svg", folder);
  tacSvgPlotDef def = {.title = "Force on a probe that slides over the kidney, 1 mm deep, without friction",
                       .remark = "Masks: two mean edges of the coarser mesh wide, whose triangles are uneven.",
                       .x_name = "way along the centre line",
                       .y_name = "force",
                       .x = tac_axis_linear(slides[0].along[0], slides[0].along[TAC_SLIDE_SAMPLES - 1], true, 8, "m"),
                       .y = tac_axis_linear(0.0, most, false, 5, "N")};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int k = 0; k < 3; ++k)
    tac_svg_plot_curve(&plot, name[k], k > 0, k == 2, false, TAC_SLIDE_SAMPLES, slides[k].along, slides[k].force);
  return tac_svg_plot_end(&plot, error);
}
