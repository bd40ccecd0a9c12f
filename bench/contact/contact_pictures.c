#include "bench/contact/contact_pictures.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include "bench/report/svg_plot.h"

/* One signal of several runs over the same places. */
typedef struct Curve {
  const char *name;
  int colour;
  bool dashed;
  const double *y;
} Curve;

static tacStatus plot(const char *folder, const char *file, tacSvgPlotDef def, int count, const double *x,
                      int curve_count, const Curve *curves, tacError *error) {
  char path[PATH_MAX];
  tacSvgPlot made;
  snprintf(path, sizeof path, "%s/%s.svg", folder, file);
  tacStatus status = tac_svg_plot_begin(path, &def, &made, error);
  if (status != TAC_OK) return status;
  for (int i = 0; i < curve_count; ++i)
    tac_svg_plot_curve(&made, curves[i].name, curves[i].colour, curves[i].dashed, false, count, x, curves[i].y);
  return tac_svg_plot_end(&made, error);
}

static double largest(int count, const double *y) {
  double most = 0.0;
  for (int i = 0; i < count; ++i) most = fmax(most, y[i]);
  return most;
}

static void times(int count, double *x) {
  for (int i = 0; i < count; ++i) x[i] = 1e-3 * i;
}

tacStatus tac_contact_picture_slide(const char *folder, const tacSlideExperiment *slide, tacError *error) {
  static const int colours[TAC_SLIDE_MOST_LEVELS] = {5, 4, 3, 1, 0, 2};
  Curve curves[TAC_SLIDE_MOST_LEVELS];
  char names[TAC_SLIDE_MOST_LEVELS][32];
  double x[TAC_SLIDE_TICKS], most = 0.0;
  times(TAC_SLIDE_TICKS, x);
  for (int i = 0; i < slide->level_count; ++i) {
    snprintf(names[i], sizeof names[i], "%d points", slide->point_count[i]);
    curves[i] = (Curve){names[i], colours[i], false, slide->force[i]};
    most = fmax(most, largest(TAC_SLIDE_TICKS, slide->force[i]));
  }
  tacSvgPlotDef def = {.title = "Six bumps of a back, felt on a beam of a bridge",
                       .remark = "Rigid dinosaur (field of 256³) slides over the upper beam of a rigid bridge's tower.",
                       .x_name = "time",
                       .y_name = "force on the hand",
                       .x = tac_axis_linear(0.0, 1e-3 * TAC_SLIDE_TICKS, true, 8, "s"),
                       .y = tac_axis_linear(0.0, most, false, 6, "N"),
                       .legend_columns = slide->level_count};
  return plot(folder, "contact6_figure326", def, TAC_SLIDE_TICKS, x, slide->level_count, curves, error);
}

tacStatus tac_contact_picture_degraded(const char *folder, tacDegradedCase which, const tacDegradedExperiment *e,
                                       tacError *error) {
  bool bridge = which == TAC_DEGRADED_BRIDGE;
  const struct {
    const char *file, *title, *y_name, *unit;
    const double *y[2];
  } plots[] = {{"force", "the force hardly changes", "force on the hand", "N", {e->run[0].force, e->run[1].force}},
               {"nodes", "what a tick visits", "nodes visited", "", {e->run[0].nodes, e->run[1].nodes}},
               {"levels", "levels that are rendered", "levels", "", {e->run[0].levels, e->run[1].levels}}};
  double x[TAC_DEGRADED_TICKS];
  times(TAC_DEGRADED_TICKS, x);
  tacStatus status = TAC_OK;
  for (int i = 0; i < 3 && status == TAC_OK; ++i) {
    char file[64], title[128], remark[160], limited[32];
    double most = fmax(largest(TAC_DEGRADED_TICKS, plots[i].y[0]), largest(TAC_DEGRADED_TICKS, plots[i].y[1]));
    snprintf(file, sizeof file, "contact6_figure%s_%s", bridge ? "327" : "328", plots[i].file);
    snprintf(title, sizeof title, "%s: %s", bridge ? "Dinosaur and bridge" : "Peg in its hole", plots[i].title);
    snprintf(remark, sizeof remark, "%s of %d points on %d levels, field of 256³.",
             bridge ? "Deformable bridge" : "Rigid peg", e->point_count, e->level_count);
    snprintf(limited, sizeof limited, "at most %d nodes", e->limit);
    tacSvgPlotDef def = {.title = title,
                         .remark = remark,
                         .x_name = "time",
                         .y_name = plots[i].y_name,
                         .x = tac_axis_linear(0.0, 1e-3 * TAC_DEGRADED_TICKS, true, 8, "s"),
                         .y = tac_axis_linear(0.0, most, false, i == 2 ? (int)most : 6, plots[i].unit)};
    Curve curves[2] = {{"no limit", 2, false, plots[i].y[0]}, {limited, 0, false, plots[i].y[1]}};
    status = plot(folder, file, def, TAC_DEGRADED_TICKS, x, 2, curves, error);
  }
  return status;
}

tacStatus tac_contact_picture_asymmetry(const char *folder, const tacAsymmetryExperiment *e, tacError *error) {
  double x[TAC_ASYMMETRY_SAMPLES];
  int n = TAC_ASYMMETRY_SAMPLES, first = e->touched > 20 ? e->touched - 20 : 0;
  for (int i = 0; i < n; ++i) x[i] = (i - e->touched) * e->step / e->voxel;
  const Curve curves[4] = {{"normal, points move", 0, false, e->along[0] + first},
                           {"normal, field moves", 1, true, e->along[1] + first},
                           {"across, points move", 5, false, e->across[0] + first},
                           {"across, field moves", 3, true, e->across[1] + first}};
  double most = fmax(largest(n, e->along[0]), largest(n, e->along[1]));
  tacSvgPlotDef def = {.title = "Two dragons: who has the points matters little",
                       .remark = "Raw force on a rigid dragon that moves into another; 256,000 points, fields of 256³.",
                       .x_name = "way after the first touch, voxels",
                       .y_name = "force",
                       .x = tac_axis_linear(x[first], x[n - 1], true, 8, ""),
                       .y = tac_axis_linear(0.0, most, false, 6, "N"),
                       .legend_columns = 4};
  tacStatus status = plot(folder, "contact6_figure329", def, n - first, x + first, 4, curves, error);
  if (status != TAC_OK) return status;
  const Curve depths[2] = {{"points move", 0, false, e->depth[0] + first},
                           {"field moves", 1, true, e->depth[1] + first}};
  def.title = "Two dragons: the deepest point";
  def.y_name = "depth, voxels";
  def.y = tac_axis_linear(0.0, fmax(largest(n, e->depth[0]), largest(n, e->depth[1])), false, 6, "");
  status = plot(folder, "contact6_figure329_depth", def, n - first, x + first, 2, depths, error);
  if (status != TAC_OK) return status;
  /* Shallow: until the deepest point is a voxel deep. */
  int end = e->one_voxel > first ? e->one_voxel : n;
  double shallow = 0.0;
  for (int i = first; i < end; ++i) shallow = fmax(shallow, fmax(e->along[0][i], e->along[1][i]));
  def.title = "Two dragons: the same while no point is a voxel deep";
  def.y_name = "force";
  def.x = tac_axis_linear(x[first], x[end - 1], true, 8, "");
  def.y = tac_axis_linear(0.0, shallow, false, 6, "N");
  return plot(folder, "contact6_figure330", def, end - first, x + first, 4, curves, error);
}
