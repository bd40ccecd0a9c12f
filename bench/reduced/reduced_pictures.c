#include "bench/reduced/reduced_pictures.h"

#include <limits.h>
#include <math.h>
#include <tactus/reduced.h>
#include "bench/report/svg_plot.h"

/* Paths over time. The first, dashed, is what the others should be. */
static tacStatus plot_paths(const char *path, const char *title, const char *remark, const char *what, int count,
                            const tacVertexPath *paths, const char *const *names, const int *colours, tacError *error) {
  double time[TAC_PATH_STEPS + 1], least = 0.0, most = 0.0;
  for (int i = 0; i < count; ++i)
    for (int s = 0; s <= paths[i].count; ++s) {
      least = fmin(least, paths[i].way[s]);
      most = fmax(most, paths[i].way[s]);
    }
  for (int s = 0; s <= paths[0].count; ++s) time[s] = s * paths[0].step;
  tacSvgPlotDef def = {.title = title,
                       .remark = remark,
                       .x_name = "time",
                       .y_name = what,
                       .x = tac_axis_linear(0.0, time[paths[0].count], true, 8, "s"),
                       .y = tac_axis_linear(least, most, false, 6, "m"),
                       .legend_columns = count};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int i = 1; i <= count; ++i) /* the first comes last, on top of the others */
    tac_svg_plot_curve(&plot, names[i % count], colours[i % count], i == count, false, paths[0].count + 1, time,
                       paths[i % count].way);
  return tac_svg_plot_end(&plot, error);
}

tacStatus tac_reduced_picture_spoon(const char *folder, const tacSpoonExperiment *spoon, tacError *error) {
  static const char *const names[TAC_SPOON_PATHS] = {"full", "modes, derivatives", "sketch", "full motion"};
  static const int colours[TAC_SPOON_PATHS] = {2, 0, 1, 3};
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/reduced_figure23.svg", folder);
  snprintf(remark, sizeof remark, "Spoon of %d bricks, %.0f mm long, pushed up at its tip. Bases of 12 shapes each.",
           spoon->brick_count, 1e3 * spoon->length);
  return plot_paths(path, "A reduced spoon moves like the full one", remark, "height of the tip", TAC_SPOON_PATHS,
                    spoon->path, names, colours, error);
}

tacStatus tac_reduced_picture_progress(const char *folder, int load, const tacProgressExperiment *progress,
                                       tacError *error) {
  static const int colours[TAC_PROGRESS_PATHS] = {2, 5, 4, 3, 1, 0};
  const tacVertexPath *paths = progress->path[load];
  const char *names[TAC_PROGRESS_PATHS];
  char path[PATH_MAX], remark[160];
  for (int i = 0; i < TAC_PROGRESS_PATHS; ++i) names[i] = paths[i].name;
  snprintf(path, sizeof path, "%s/reduced_progressive_%s.svg", folder, load == 0 ? "head" : "back");
  snprintf(remark, sizeof remark, "The %s, %.0f mm long, of %d bricks, pushed %s. %d modes and their derivatives.",
           progress->shape, 1e3 * progress->length, progress->brick_count, load == 0 ? "up at its head" : "sideways",
           progress->mode_count);
  return plot_paths(path, "More shapes come nearer to the full motion", remark,
                    load == 0 ? "height of the head" : "way of the back", TAC_PROGRESS_PATHS, paths, names, colours,
                    error);
}

/* ---- Figure 2.14 ---- */

/* The beam seen from the side, a little from above: square sections and the four edges. */
static void draw_beam(tacSvgPlot *plot, const tacTwistExperiment *twist) {
  const double scale = 500.0 / (twist->edge[0][twist->section_count - 1].x - twist->edge[0][0].x);
  tacVec3 origin = twist->edge[0][0];
  double x[4][TAC_TWIST_SECTIONS], y[4][TAC_TWIST_SECTIONS];
  for (int e = 0; e < 4; ++e)
    for (int s = 0; s < twist->section_count; ++s) {
      tacVec3 p = twist->edge[e][s];
      x[e][s] = 190.0 + scale * (p.x - origin.x + 0.35 * (p.y - origin.y));
      y[e][s] = 185.0 - scale * (p.z - origin.z + 0.25 * (p.y - origin.y));
    }
  for (int s = 0; s < twist->section_count; ++s) {
    double sx[5], sy[5];
    for (int e = 0; e < 5; ++e) {
      sx[e] = x[e % 4][s];
      sy[e] = y[e % 4][s];
    }
    tac_svg_plot_sketch(plot, 2, 5, sx, sy);
  }
  for (int e = 0; e < 4; ++e) tac_svg_plot_sketch(plot, e == 0 ? 0 : 2, twist->section_count, x[e], y[e]);
}

tacStatus tac_reduced_picture_twist(const char *folder, const tacTwistExperiment *twist, tacError *error) {
  double degrees[2][TAC_TWIST_STEPS + 1], plain[2] = {0.0, 270.0}, torque[2] = {0.0, twist->stiffness * 1.5 * M_PI};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i <= twist->count; ++i) degrees[k][i] = twist->angle[k][i] * 180.0 / M_PI;
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/reduced_figure214.svg", folder);
  snprintf(remark, sizeof remark, "Beam of %d bricks under a couple at its end. Drawn: the last shape.",
           twist->brick_count);
  tacSvgPlotDef def = {.title = "Two twisting modes and their derivatives turn a beam by 270 degrees",
                       .remark = remark,
                       .x_name = "torque",
                       .y_name = "angle of the end, degrees",
                       .x = tac_axis_linear(0.0, twist->torque[twist->count], true, 8, "N m"),
                       .y = tac_axis_linear(0.0, 280.0, true, 6, ""),
                       .legend_columns = 3};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  draw_beam(&plot, twist);
  tac_svg_plot_curve(&plot, "modes and derivatives, r = 5", 0, false, false, twist->count + 1, twist->torque,
                     degrees[0]);
  tac_svg_plot_curve(&plot, "modes alone, r = 2", 1, false, false, twist->count + 1, twist->torque, degrees[1]);
  tac_svg_plot_curve(&plot, "small twists (Saint-Venant)", 2, true, false, 2, torque, plain);
  return tac_svg_plot_end(&plot, error);
}

/* ---- Table 2.1 ---- */

tacStatus tac_reduced_picture_spectra(const char *folder, const tacSpectrumExperiment spectra[2], tacError *error) {
  static const char *const names[4] = {"tower", "tower, paper", "heart", "heart, paper"};
  static const double paper[3][2] = {{15.5, 5.6}, {517.0, 70.8}, {11811.0, 21986.0}};
  char path[PATH_MAX], remark[160];
  snprintf(path, sizeof path, "%s/reduced_table21.svg", folder);
  snprintf(remark, sizeof remark, "Tower of %d bricks, heart of %d; as stiff as makes the lowest frequency 1 Hz.",
           spectra[0].brick_count, spectra[1].brick_count);
  tacSvgPlotDef def = {.title = "Reduced bodies have high frequencies",
                       .remark = remark,
                       .x_name = "frequency of small vibrations",
                       .y_name = "",
                       .x = tac_axis_logarithmic(0.7, 40000.0, TAC_AXIS_PREFIXED, "Hz"),
                       .y = {.from = 0.0, .to = 15.0, .unit = ""}};
  tacSvgPlot plot;
  tacStatus status = tac_svg_plot_begin(path, &def, &plot, error);
  if (status != TAC_OK) return status;
  for (int r = 0; r < 3; ++r) {
    char row[64] = "whole mesh";
    if (r == 0) snprintf(row, sizeof row, "%d linear modes", spectra[0].mode_count);
    if (r == 1) snprintf(row, sizeof row, "reduced body, r = %d", spectra[0].size);
    tac_svg_plot_text(&plot, 1.0, 14.0 - 5.0 * r, row);
    for (int b = 0; b < 2; ++b) {
      const tacSpectrumExperiment *at = &spectra[b];
      double most = r == 0 ? at->linear[1] : r == 1 ? at->reduced[1] : at->whole;
      double y = 13.2 - 5.0 * r - 1.8 * b;
      for (int k = 0; k < 2; ++k)
        tac_svg_plot_curve(&plot, r == 0 ? names[2 * b + k] : NULL, b, k == 1, true, 2,
                           (double[2]){1.0, k == 0 ? most : paper[r][b]}, (double[2]){y - 0.8 * k, y - 0.8 * k});
    }
  }
  return tac_svg_plot_end(&plot, error);
}
