#include "app/cli/report/run_plots.h"

#include <math.h>
#include <stdlib.h>
#include "app/cli/report/html_plot.h"
#include "base/memory/array.h"

static const char *const tool_style[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
enum { STYLES = 8 };

/* Room for any curve's points. */
typedef struct Points {
  double *x, *y;
} Points;

static tacStatus create_points(const tacRunTrace *trace, Points *points, tacError *error) {
  const tacToolTrace *tool = &trace->tool[0];
  size_t most = 2 * (size_t)trace->compute_time.columns; /* two a column */
  if (most < 5 * (size_t)tool->loop.stretches) most = 5 * (size_t)tool->loop.stretches;
  if (most < (size_t)tool->spectrum[0].size) most = (size_t)tool->spectrum[0].size;
  if (most < 2 * TAC_RUN_LANE_COLUMNS) most = 2 * TAC_RUN_LANE_COLUMNS;
  if (most < TAC_HISTOGRAM_BINS + 1) most = TAC_HISTOGRAM_BINS + 1;
  points->x = tac_array_create(most, sizeof *points->x, "a plot", error);
  points->y = points->x != NULL ? tac_array_create(most, sizeof *points->y, "a plot", error) : NULL;
  return points->y != NULL ? TAC_OK : TAC_ERR_MEMORY;
}

static void free_points(Points *points) {
  free(points->x);
  free(points->y);
}

tacText tac_run_tool_name(const tacWorld *world, int tool) {
  tacText result;
  if (world != NULL && tool < tac_world_tool_count(world))
    snprintf(result.text, sizeof result.text, "%.80s", tac_world_tool_name(world, tool));
  else
    snprintf(result.text, sizeof result.text, "tool %d", tool);
  return result;
}

static tacAxis time_axis(const tacRunTrace *trace) {
  return tac_axis_linear(0.0, trace->period * (double)trace->ticks, true, 10, "s");
}

static double time_of(const tacRunTrace *trace, int64_t tick) {
  return trace->period * (double)tick;
}

static void include(const tacEnvelope *envelope, double *low, double *high) {
  for (int i = 0; i < envelope->columns; ++i) {
    if (envelope->column[i].low_at < 0) continue;
    *low = fmin(*low, envelope->column[i].low);
    *high = fmax(*high, envelope->column[i].high);
  }
}

static void draw_envelope(tacHtmlPlot *plot, const char *name, const char *style, const tacEnvelope *envelope,
                          double period, const Points *points) {
  int count = tac_envelope_points(envelope, period, points->x, points->y);
  tac_html_plot_curve(plot, name, style, count, points->x, points->y);
}

static void write_force(const tacRunTrace *trace, int t, const tacWorld *world, const Points *points, FILE *out) {
  const tacToolTrace *tool = &trace->tool[t];
  double low = 0.0, high = 0.0;
  for (int k = 0; k < 4; ++k) include(&tool->force[k], &low, &high);
  char title[128];
  snprintf(title, sizeof title, "Force on the hand: %s", tac_run_tool_name(world, t).text);
  tacHtmlPlotDef def = {.title = title,
                        .remark = "As written to the device, in its frame; smallest and largest value of each column.",
                        .x_name = "time",
                        .y_name = "force",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(low, high, false, 5, "N"),
                        .height = trace->tool_count > 2 ? 180 : 240,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  draw_envelope(&plot, "x", "s5 thin", &tool->force[0], trace->period, points);
  draw_envelope(&plot, "y", "s3 thin", &tool->force[1], trace->period, points);
  draw_envelope(&plot, "z", "s1 thin", &tool->force[2], trace->period, points);
  draw_envelope(&plot, "magnitude", "s0 bold", &tool->force[3], trace->period, points);
  if (tool->force_max.tick >= 0)
    tac_html_plot_dot(&plot, "s0", time_of(trace, tool->force_max.tick), tool->force_max.value,
                      tac_axis_value(tool->force_max.value, "N").text);
  tac_html_plot_end(&plot);
}

static void write_torque(const tacRunTrace *trace, const tacWorld *world, const Points *points, FILE *out) {
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) include(&trace->tool[t].torque, &low, &high);
  if (!(high > 0.0)) return; /* no device has torques, or none was needed */
  tacHtmlPlotDef def = {.title = "Torque on the hand",
                        .remark = "Length, as written to the device.",
                        .x_name = "time",
                        .y_name = "torque",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(low, high, false, 4, "N m"),
                        .height = 170,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  for (int t = 0; t < trace->tool_count; ++t)
    draw_envelope(&plot, tac_run_tool_name(world, t).text, tool_style[t % STYLES], &trace->tool[t].torque,
                  trace->period, points);
  tac_html_plot_end(&plot);
}

/* Of pairs of points and fields: Figures 3.27 and 3.28 of Barbic 2007. */
static void write_traversal(const tacRunTrace *trace, const Points *points, FILE *out) {
  if (trace->most_visited == 0) return;
  char remark[256];
  snprintf(
      remark, sizeof remark, "Nodes of the point trees that were looked up, and points in contact. %s",
      trace->degraded > 0 ? "Deeper levels were left out at times to keep the budget." : "All levels were rendered.");
  tacHtmlPlotDef def = {.title = "Nodes visited and points in contact",
                        .remark = remark,
                        .x_name = "time",
                        .y_name = "number",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(0.0, trace->most_visited, false, 4, ""),
                        .height = 200,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  draw_envelope(&plot, "nodes visited", "s0", &trace->visited, trace->period, points);
  draw_envelope(&plot, "points in contact", "s1", &trace->points, trace->period, points);
  tac_html_plot_end(&plot);
  if (trace->degraded == 0) return;
  double low = 0.0, high = 1.0;
  include(&trace->level, &low, &high);
  def = (tacHtmlPlotDef){.title = "Level of detail",
                         .remark = "The deepest level that was rendered, the least of all pairs, counted from 0.",
                         .x_name = "time",
                         .y_name = "level",
                         .x = time_axis(trace),
                         .y = tac_axis_linear(0.0, high, false, 4, ""),
                         .height = 130,
                         .wide = true};
  tac_html_plot_begin(&def, out, &plot);
  draw_envelope(&plot, "level", "s0", &trace->level, trace->period, points);
  tac_html_plot_end(&plot);
}

static double log_floor(double most) {
  return pow(10.0, floor(log10(most)) - 6.0);
}

/* How far contacts are from their laws. What is below a millionth of the largest lies on the axis. */
static void write_residual(const tacRunTrace *trace, const tacLawSeries *series, const char *title, const char *remark,
                           const char *unit, const Points *points, FILE *out) {
  double most = tac_law_series_most(series);
  if (!(most > 0.0)) return;
  tacHtmlPlotDef def = {.title = title,
                        .remark = remark,
                        .x_name = "time",
                        .y_name = "residual",
                        .x = time_axis(trace),
                        .y = tac_axis_logarithmic(log_floor(most), 1.5 * most, TAC_AXIS_PREFIXED, unit),
                        .height = 170};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  draw_envelope(&plot, "residual", "s0", &series->over_time, trace->period, points);
  char label[128];
  double p99 = tac_law_series_percentile(series, 0.99);
  snprintf(label, sizeof label, "p99 %s", tac_axis_value(p99, unit).text);
  if (p99 > log_floor(most)) tac_html_plot_horizontal(&plot, "ink", p99, label);
  tac_html_plot_end(&plot);
}

/* Of contacts that obey Signorini's and Coulomb's laws. */
static void write_laws(const tacRunTrace *trace, const Points *points, FILE *out) {
  const tacLawTrace *laws = &trace->laws;
  if (laws->ticks == 0) return;
  double most = fmax(tac_law_series_most(&laws->contacts), tac_law_series_most(&laws->sweeps));
  tacHtmlPlotDef def = {.title = "Contacts that obey laws, and their solver",
                        .remark = "How many contacts there were, and sweeps over them until forces and motions agreed.",
                        .x_name = "time",
                        .y_name = "number",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(0.0, most, false, 4, ""),
                        .height = 200,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  draw_envelope(&plot, "sweeps", "s1", &laws->sweeps.over_time, trace->period, points);
  draw_envelope(&plot, "contacts", "s0", &laws->contacts.over_time, trace->period, points);
  tac_html_plot_end(&plot);
  write_residual(trace, &laws->residual, "Residual of contacts, in motion",
                 "How far gaps and slips are from what the laws ask for.", "m", points, out);
  write_residual(trace, &laws->residual_force, "Residual of contacts, in force",
                 "How far forces are from their cones and from the motion's direction.", "N", points, out);
}

/* A tool's curve has its colour; beyond eight tools colours come again. */
static void write_steps(const tacRunTrace *trace, const tacWorld *world, const Points *points, FILE *out) {
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) include(&trace->tool[t].force_step, &low, &high);
  tacHtmlPlotDef def = {.title = "Force step between ticks",
                        .remark = "How far the force moves in one tick; a jump is felt as a click.",
                        .x_name = "time",
                        .y_name = "|f(k) − f(k−1)|",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(low, high > 0.0 ? high : 1.0, false, 4, "N"),
                        .height = 170,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  for (int t = 0; t < trace->tool_count; ++t)
    draw_envelope(&plot, tac_run_tool_name(world, t).text, tool_style[t % STYLES], &trace->tool[t].force_step,
                  trace->period, points);
  const tacExtreme *most = &trace->tool[0].force_step_max;
  for (int t = 1; t < trace->tool_count; ++t)
    if (trace->tool[t].force_step_max.value > most->value) most = &trace->tool[t].force_step_max;
  char label[128];
  snprintf(label, sizeof label, "largest: %s", tac_axis_value(most->value, "N").text);
  if (most->tick >= 0) tac_html_plot_dot(&plot, "bad", time_of(trace, most->tick), most->value, label);
  tac_html_plot_end(&plot);
}

static void write_energy(const tacRunTrace *trace, const tacWorld *world, const Points *points, FILE *out) {
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) {
    include(&trace->tool[t].energy, &low, &high);
    include(&trace->tool[t].friction, &low, &high);
  }
  tacHtmlPlotDef def = {.title = "Energy at the device port",
                        .remark =
                            "Work of the hand since the start: rises while pressing, comes back on release, less what "
                            "friction took (dashed). Below zero the world would have given energy.",
                        .x_name = "time",
                        .y_name = "energy absorbed",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(low, high > low ? high : 1.0, false, 4, "J"),
                        .height = 200,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  for (int t = 0; t < trace->tool_count; ++t) {
    const tacToolTrace *tool = &trace->tool[t];
    tacText name = tac_run_tool_name(world, t);
    char style[16], friction[128];
    snprintf(style, sizeof style, "%s dashed", tool_style[t % STYLES]);
    snprintf(friction, sizeof friction, "%s, friction", name.text);
    draw_envelope(&plot, name.text, tool_style[t % STYLES], &tool->energy, trace->period, points);
    if (tool->friction_end != 0.0) draw_envelope(&plot, friction, style, &tool->friction, trace->period, points);
  }
  const tacExtreme *least = &trace->tool[0].energy_least;
  for (int t = 0; t < trace->tool_count; ++t) {
    const tacToolTrace *tool = &trace->tool[t];
    const tacEnvelope *energy = &tool->energy;
    for (int i = 0; i < energy->columns; ++i)
      if (energy->column[i].low_at >= 0 && energy->column[i].low < 0.0)
        tac_html_plot_stroke(&plot, "bad", time_of(trace, energy->column[i].low_at));
    if (tool->energy_least.value < least->value) least = &tool->energy_least;
  }
  char label[128];
  snprintf(label, sizeof label, "least: %s", tac_axis_value(least->value, "J").text);
  if (least->tick >= 0) tac_html_plot_dot(&plot, "bad", time_of(trace, least->tick), least->value, label);
  tac_html_plot_end(&plot);
}

/* Each column of time is filled by the share of its ticks in each state, so that a chatter between two shows as both. */
static void write_lanes(const tacRunTrace *trace, const tacWorld *world, const Points *points, FILE *out) {
  static const char *const names[TAC_RUN_STATES] = {"no contact", "sticks", "slides", "grabbed"};
  static const char *const styles[TAC_RUN_STATES] = {"back", "s0", "s1", "s2"};
  const int pitch = 46; /* pixels of a lane, with its name above */
  tacHtmlPlotDef def = {.title = "Contact",
                        .remark = "What each tool does; where states change within a column, their shares of the time.",
                        .x_name = "time",
                        .y_name = "",
                        .x = time_axis(trace),
                        .y = tac_axis_linear(0.0, 1.0, true, 1, ""),
                        .height = pitch * trace->tool_count + 6,
                        .wide = true,
                        .no_y = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  double column = (double)trace->ticks / trace->lane_columns;
  for (int t = 0; t < trace->tool_count; ++t) {
    double top = (double)(pitch * t + 24) / def.height, bottom = (double)(pitch * (t + 1)) / def.height;
    tac_html_plot_lane(&plot, top, tac_run_tool_name(world, t).text);
    for (int s = 0; s < TAC_RUN_STATES; ++s) {
      int boxes = 0;
      double old_from = -1.0, old_to = -1.0;
      for (int i = 0; i < trace->lane_columns; ++i) {
        const int *ticks = trace->tool[t].lanes[i];
        double total = 0.0, below = 0.0;
        for (int k = 0; k < TAC_RUN_STATES; ++k) total += ticks[k];
        for (int k = 0; k < s; ++k) below += ticks[k];
        if (total == 0.0 || ticks[s] == 0) {
          old_from = -1.0;
          continue;
        }
        double from = below / total, to = (below + ticks[s]) / total;
        if (boxes > 0 && from == old_from && to == old_to) {
          points->x[2 * boxes - 1] = trace->period * column * (i + 1);
          continue;
        }
        points->x[2 * boxes] = trace->period * column * i;
        points->x[2 * boxes + 1] = trace->period * column * (i + 1);
        points->y[2 * boxes] = top + from * (bottom - top);
        points->y[2 * boxes + 1] = top + to * (bottom - top);
        ++boxes;
        old_from = from;
        old_to = to;
      }
      tac_html_plot_boxes(&plot, t == 0 ? names[s] : NULL, styles[s], boxes, points->x, points->y);
    }
  }
  tac_html_plot_end(&plot);
}

/* Bins of tacHistogram are 1 % wide from 1 ns. */
static double bin_edge(int bin) {
  return 1e-9 * pow(1.01, bin);
}

static double shortest(const tacHistogram *times) {
  int bin = 0;
  while (bin < TAC_HISTOGRAM_BINS - 1 && times->bins[bin] == 0) ++bin;
  return bin_edge(bin);
}

static void write_histogram(const tacRunTrace *trace, const Points *points, FILE *out) {
  enum { GROUP = 10, GROUPS = TAC_HISTOGRAM_BINS / GROUP }; /* drawn bins are 10 % wide; the last of all is open */
  const tacHistogram *times = &trace->compute;
  double most = 1.0;
  for (int g = 0; g <= GROUPS; ++g) points->x[g] = bin_edge(g * GROUP);
  for (int g = 0; g < GROUPS; ++g) {
    points->y[g] = 0.0;
    for (int i = 0; i < GROUP; ++i) points->y[g] += (double)times->bins[g * GROUP + i];
    most = fmax(most, points->y[g]);
  }
  double from = fmax(fmin(0.7 * shortest(times), 0.1 * trace->period), 1e-8);
  double to = 1.6 * fmax(times->largest, trace->period);
  tacHtmlPlotDef def = {.title = "Time to compute a tick",
                        .remark = "Reading devices, stepping the world, writing forces; both axes logarithmic.",
                        .x_name = "time of a tick",
                        .y_name = "ticks",
                        .x = tac_axis_logarithmic(from, to, TAC_AXIS_PREFIXED, "s"),
                        .y = tac_axis_logarithmic(0.7, 100.0 * most, TAC_AXIS_PREFIXED, ""),
                        .height = 280};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  tac_html_plot_bars(&plot, "ticks", "s0", GROUPS, points->x, points->y);
  static const struct {
    const char *name;
    double fraction;
  } marks[] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1.0}};
  for (int i = 0; i < 4; ++i) {
    double at = marks[i].fraction < 1.0 ? tac_histogram_percentile(times, marks[i].fraction) : times->largest;
    char label[128];
    snprintf(label, sizeof label, "%s %s", marks[i].name, tac_axis_value(at, "s").text);
    tac_html_plot_vertical(&plot, "ink", at, i, label);
  }
  char label[128];
  snprintf(label, sizeof label, "deadline %s", tac_axis_value(trace->period, "s").text);
  tac_html_plot_vertical(&plot, "bad", trace->period, 4, label);
  tac_html_plot_end(&plot);
}

static void write_spectrum(const tacRunTrace *trace, const tacWorld *world, const Points *points, FILE *out) {
  const tacSpectrum *first = &trace->tool[0].spectrum[0];
  if (first->segments == 0) return;
  int bins = first->size / 2; /* drawn from 2: a Hann window leaves a share of the removed mean in 1 */
  double most = 0.0, least = INFINITY;
  for (int t = 0; t < trace->tool_count; ++t) {
    for (int k = 2; k <= bins; ++k) {
      double power = 0.0;
      for (int c = 0; c < 3; ++c) power += tac_spectrum_power(&trace->tool[t].spectrum[c], k);
      most = fmax(most, power);
      if (power > 0.0) least = fmin(least, power);
    }
  }
  if (!(most > 0.0)) return; /* no force at all */
  least = fmax(least, 1e-12 * most);
  char remark[256];
  snprintf(remark, sizeof remark,
           "Density of the force's variation, x, y and z together; %d windows (Hann) of %s, means removed.",
           first->segments, tac_axis_value(first->size / first->rate, "s").text);
  tacHtmlPlotDef def = {
      .title = "Spectrum of the force",
      .remark = remark,
      .x_name = "frequency",
      .y_name = "power density",
      .x = tac_axis_logarithmic(tac_spectrum_frequency(first, 2), 0.5 * first->rate, TAC_AXIS_PREFIXED, "Hz"),
      .y = tac_axis_logarithmic(pow(10.0, floor(log10(least))), pow(10.0, ceil(log10(most))), TAC_AXIS_POWERS, "N²/Hz"),
      .height = 280};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  for (int t = 0; t < trace->tool_count; ++t) {
    for (int k = 2; k <= bins; ++k) {
      points->x[k - 2] = tac_spectrum_frequency(first, k);
      points->y[k - 2] = 0.0;
      for (int c = 0; c < 3; ++c) points->y[k - 2] += tac_spectrum_power(&trace->tool[t].spectrum[c], k);
    }
    tac_html_plot_curve(&plot, tac_run_tool_name(world, t).text, tool_style[t % STYLES], bins - 1, points->x,
                        points->y);
  }
  tac_html_plot_end(&plot);
}

double tac_run_vibration(const tacToolTrace *tool, double frequency) {
  const tacSpectrum *first = &tool->spectrum[0];
  double sum = 0.0;
  for (int k = 1; k <= first->size / 2; ++k)
    for (int c = 0; c < 3 && tac_spectrum_frequency(first, k) > frequency; ++c)
      sum += tac_spectrum_power(&tool->spectrum[c], k) * first->rate / first->size;
  return sqrt(sum);
}

static void write_times(const tacRunTrace *trace, const Points *points, FILE *out) {
  bool paced = trace->late.largest > 0.0; /* else one tick came right after the other */
  double most = fmax(fmax(trace->compute.largest, trace->late.largest), trace->period);
  double least = fmax(fmin(shortest(&trace->compute), 0.1 * trace->period), 1e-8);
  if (paced) least = fmin(least, fmax(tac_histogram_percentile(&trace->late, 0.01), 1e-7));
  tacHtmlPlotDef def = {.title = paced ? "Lateness and deadlines" : "Tick times and deadlines",
                        .remark = paced ? "How long after its deadline each tick began, and how long it then computed."
                                        : "How long each tick computed. Ticks were not paced: one followed the other.",
                        .x_name = "time",
                        .y_name = "duration",
                        .x = time_axis(trace),
                        .y = tac_axis_logarithmic(0.8 * least, 1.8 * most, TAC_AXIS_PREFIXED, "s"),
                        .height = 230,
                        .wide = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, out, &plot);
  if (paced) draw_envelope(&plot, "late", "s1", &trace->late_time, trace->period, points);
  draw_envelope(&plot, "compute", "s0", &trace->compute_time, trace->period, points);
  for (int i = 0; i < trace->missed.columns; ++i)
    if (trace->missed.column[i].low_at >= 0)
      tac_html_plot_stroke(&plot, "bad", time_of(trace, trace->missed.column[i].low_at));
  char label[128];
  snprintf(label, sizeof label, "next deadline, %s", tac_axis_value(trace->period, "s").text);
  tac_html_plot_horizontal(&plot, "bad", trace->period, label);
  tac_html_plot_end(&plot);
}

tacStatus tac_run_plots_write_loop(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error) {
  Points points = {0};
  tacStatus status = create_points(trace, &points, error);
  if (status != TAC_OK) goto done;
  double low = 0.0, high = 0.0, most = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) {
    int count = tac_xy_path_points(&trace->tool[t].loop, points.x, points.y);
    for (int i = 0; i < count; ++i) {
      if (!isfinite(points.x[i])) continue;
      low = fmin(low, points.x[i]);
      high = fmax(high, points.x[i]);
      most = fmax(most, points.y[i]);
    }
  }
  if (low > -0.02 * high) low = 0.0; /* noise at first touch is not worth a part of the axis */
  tacHtmlPlotDef def = {
      .title = "Force over penetration",
      .remark = "Depth of the tool below the untouched surface, along its normal. Loops are friction's work.",
      .x_name = "penetration",
      .y_name = "force of the world",
      .x = tac_axis_linear(low, high > low ? high : 1e-3, false, 6, "m"),
      .y = tac_axis_linear(0.0, most > 0.0 ? most : 1.0, false, 5, "N"),
      .height = 372,
      .in_plane = true};
  tacHtmlPlot plot;
  tac_html_plot_begin(&def, stream, &plot);
  for (int t = 0; t < trace->tool_count; ++t) {
    int count = tac_xy_path_points(&trace->tool[t].loop, points.x, points.y);
    tac_html_plot_curve(&plot, tac_run_tool_name(world, t).text, tool_style[t % STYLES], count, points.x, points.y);
  }
  tac_html_plot_end(&plot);

done:
  free_points(&points);
  return status;
}

tacStatus tac_run_plots_write(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error) {
  Points points = {0};
  tacStatus status = create_points(trace, &points, error);
  if (status == TAC_OK) {
    for (int t = 0; t < trace->tool_count; ++t) write_force(trace, t, world, &points, stream);
    write_torque(trace, world, &points, stream);
    write_lanes(trace, world, &points, stream);
    write_traversal(trace, &points, stream);
    write_laws(trace, &points, stream);
    write_energy(trace, world, &points, stream);
    write_steps(trace, world, &points, stream);
    write_histogram(trace, &points, stream);
    write_spectrum(trace, world, &points, stream);
    write_times(trace, &points, stream);
  }
  free_points(&points);
  return status;
}
