#include "app/cli/report/run_plots.h"

#include <math.h>
#include "app/cli/report/html_plot.h"
#include "base/error.h"

static const char *const tool_style[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
enum { STYLES = 8 };

/* What plots are of and go to. */
typedef struct Sheet {
  const tacRunTrace *trace;
  const tacWorld *world;
  FILE *out;
  double *x, *y;    /* room for any curve's points */
  tacHtmlPlot plot; /* the one that is drawn */
} Sheet;

tacText tac_run_tool_name(const tacWorld *world, int tool) {
  tacText result;
  if (world != NULL && tool < tac_world_tool_count(world))
    snprintf(result.text, sizeof result.text, "%.80s", tac_world_tool_name(world, tool));
  else
    snprintf(result.text, sizeof result.text, "tool %d", tool);
  return result;
}

/* A plot over the time of the run. */
static void begin_over_time(Sheet *sheet, const char *title, const char *remark, const char *y_name, tacAxis y,
                            int height, bool wide) {
  const tacRunTrace *trace = sheet->trace;
  tacHtmlPlotDef def = {.title = title,
                        .remark = remark,
                        .x_name = "time",
                        .y_name = y_name,
                        .x = tac_axis_linear(0.0, trace->period * (double)trace->ticks, true, 10, "s"),
                        .y = y,
                        .height = height,
                        .wide = wide,
                        .no_y = y_name[0] == 0};
  tac_html_plot_begin(&def, sheet->out, &sheet->plot);
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

static void draw(Sheet *sheet, const char *name, const char *style, const tacEnvelope *envelope) {
  int count = tac_envelope_points(envelope, sheet->trace->period, sheet->x, sheet->y);
  tac_html_plot_curve(&sheet->plot, name, style, count, sheet->x, sheet->y);
}

static tacText name_of(const Sheet *sheet, int tool) {
  return tac_run_tool_name(sheet->world, tool);
}

static void write_force(Sheet *sheet, int t) {
  const tacRunTrace *trace = sheet->trace;
  const tacToolTrace *tool = &trace->tool[t];
  double low = 0.0, high = 0.0;
  for (int k = 0; k < 4; ++k) include(&tool->force[k], &low, &high);
  char title[128];
  snprintf(title, sizeof title, "Force on the hand: %s", name_of(sheet, t).text);
  begin_over_time(sheet, title,
                  "As sent to the device, in its frame; each column shows the smallest and the largest value.", "force",
                  tac_axis_linear(low, high, false, 5, "N"), trace->tool_count > 2 ? 180 : 240, true);
  draw(sheet, "x", "s5 thin", &tool->force[0]);
  draw(sheet, "y", "s3 thin", &tool->force[1]);
  draw(sheet, "z", "s1 thin", &tool->force[2]);
  draw(sheet, "magnitude", "s0 bold", &tool->force[3]);
  if (tool->force_max.tick >= 0)
    tac_html_plot_dot(&sheet->plot, "s0", time_of(trace, tool->force_max.tick), tool->force_max.value,
                      tac_axis_value(tool->force_max.value, "N").text);
  tac_html_plot_end(&sheet->plot);
}

static void write_torque(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) include(&trace->tool[t].torque, &low, &high);
  if (!(high > 0.0)) return; /* no device has torques, or none was needed */
  begin_over_time(sheet, "Torque on the hand", "Magnitude, as sent to the device.", "torque",
                  tac_axis_linear(low, high, false, 4, "N m"), 170, true);
  for (int t = 0; t < trace->tool_count; ++t)
    draw(sheet, name_of(sheet, t).text, tool_style[t % STYLES], &trace->tool[t].torque);
  tac_html_plot_end(&sheet->plot);
}

/* Of pairs of points and fields: Figures 3.27 and 3.28 of Barbic 2007. */
static void write_traversal(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  if (trace->most_visited == 0) return;
  char remark[256];
  snprintf(remark, sizeof remark, "Nodes of the point trees that were visited, and points in contact. %s",
           trace->degraded > 0 ? "Some ticks left out deeper levels to keep the budget." : "All levels were rendered.");
  begin_over_time(sheet, "Nodes visited and points in contact", remark, "number",
                  tac_axis_linear(0.0, trace->most_visited, false, 4, ""), 200, true);
  draw(sheet, "nodes visited", "s0", &trace->visited);
  draw(sheet, "points in contact", "s1", &trace->points);
  tac_html_plot_end(&sheet->plot);
  if (trace->degraded == 0) return;
  double low = 0.0, high = 1.0;
  include(&trace->level, &low, &high);
  begin_over_time(sheet, "Level of detail",
                  "The deepest level that was rendered, counted from 0; the minimum over all pairs.", "level",
                  tac_axis_linear(0.0, high, false, 4, ""), 130, true);
  draw(sheet, "level", "s0", &trace->level);
  tac_html_plot_end(&sheet->plot);
}

static double log_floor(double most) {
  return pow(10.0, floor(log10(most)) - 6.0);
}

/* How far contacts are from their laws. What is below a millionth of the largest lies on the axis. */
static void write_residual(Sheet *sheet, const tacLawSeries *series, const char *title, const char *remark,
                           const char *unit) {
  double most = tac_law_series_most(series);
  if (!(most > 0.0)) return;
  begin_over_time(sheet, title, remark, "residual",
                  tac_axis_logarithmic(log_floor(most), 1.5 * most, TAC_AXIS_PREFIXED, unit), 170, false);
  draw(sheet, "residual", "s0", &series->over_time);
  char label[128];
  double p99 = tac_law_series_percentile(series, 0.99);
  snprintf(label, sizeof label, "p99 %s", tac_axis_value(p99, unit).text);
  if (p99 > log_floor(most)) tac_html_plot_horizontal(&sheet->plot, "ink", p99, label);
  tac_html_plot_end(&sheet->plot);
}

/* Of contacts that obey Signorini's and Coulomb's laws. */
static void write_laws(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  const tacLawTrace *laws = &trace->laws;
  if (laws->ticks == 0) return;
  double most = fmax(tac_law_series_most(&laws->contacts), tac_law_series_most(&laws->sweeps));
  begin_over_time(sheet, "Contacts with exact laws, and their solver",
                  "Number of contacts, and number of sweeps over them until the solver converged.", "number",
                  tac_axis_linear(0.0, most, false, 4, ""), 200, true);
  draw(sheet, "sweeps", "s1", &laws->sweeps.over_time);
  draw(sheet, "contacts", "s0", &laws->contacts.over_time);
  tac_html_plot_end(&sheet->plot);
  write_residual(sheet, &laws->residual, "Residual of contacts, in motion",
                 "How far gaps and slips deviate from the laws.", "m");
  write_residual(sheet, &laws->residual_force, "Residual of contacts, in force",
                 "How far forces are outside their cones or deviate from the direction of motion.", "N");
}

/* A tool's curve has its colour; beyond eight tools colours come again. */
static void write_steps(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) include(&trace->tool[t].force_step, &low, &high);
  begin_over_time(sheet, "Force step between ticks",
                  "Change of the force in one tick; a large step is felt as a click.", "|f(k) − f(k−1)|",
                  tac_axis_linear(low, high > 0.0 ? high : 1.0, false, 4, "N"), 170, true);
  for (int t = 0; t < trace->tool_count; ++t)
    draw(sheet, name_of(sheet, t).text, tool_style[t % STYLES], &trace->tool[t].force_step);
  const tacExtreme *most = &trace->tool[0].force_step_max;
  for (int t = 1; t < trace->tool_count; ++t)
    if (trace->tool[t].force_step_max.value > most->value) most = &trace->tool[t].force_step_max;
  char label[128];
  snprintf(label, sizeof label, "largest: %s", tac_axis_value(most->value, "N").text);
  if (most->tick >= 0) tac_html_plot_dot(&sheet->plot, "bad", time_of(trace, most->tick), most->value, label);
  tac_html_plot_end(&sheet->plot);
}

static void write_energy(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  double low = 0.0, high = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) {
    include(&trace->tool[t].energy, &low, &high);
    include(&trace->tool[t].friction, &low, &high);
  }
  begin_over_time(sheet, "Energy at the device port",
                  "Work of the hand since the start. It rises while pressing and falls on release; friction keeps its "
                  "part (dashed). Below zero, the world has generated energy.",
                  "energy absorbed", tac_axis_linear(low, high > low ? high : 1.0, false, 4, "J"), 200, true);
  for (int t = 0; t < trace->tool_count; ++t) {
    const tacToolTrace *tool = &trace->tool[t];
    tacText name = name_of(sheet, t);
    char style[16], friction[128];
    snprintf(style, sizeof style, "%s dashed", tool_style[t % STYLES]);
    snprintf(friction, sizeof friction, "%s, friction", name.text);
    draw(sheet, name.text, tool_style[t % STYLES], &tool->energy);
    if (tool->friction_end != 0.0) draw(sheet, friction, style, &tool->friction);
  }
  const tacExtreme *least = &trace->tool[0].energy_least;
  for (int t = 0; t < trace->tool_count; ++t) {
    const tacToolTrace *tool = &trace->tool[t];
    const tacEnvelope *energy = &tool->energy;
    for (int i = 0; i < energy->columns; ++i)
      if (energy->column[i].low_at >= 0 && energy->column[i].low < 0.0)
        tac_html_plot_stroke(&sheet->plot, "bad", time_of(trace, energy->column[i].low_at));
    if (tool->energy_least.value < least->value) least = &tool->energy_least;
  }
  char label[128];
  snprintf(label, sizeof label, "minimum: %s", tac_axis_value(least->value, "J").text);
  if (least->tick >= 0) tac_html_plot_dot(&sheet->plot, "bad", time_of(trace, least->tick), least->value, label);
  tac_html_plot_end(&sheet->plot);
}

/* Each column of time is filled by the share of its ticks in each state, so that a chatter between two shows as both. */
static void write_lanes(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  static const char *const names[TAC_RUN_STATES] = {"no contact", "sticks", "slides", "grabbed"};
  static const char *const styles[TAC_RUN_STATES] = {"back", "s0", "s1", "s2"};
  const int pitch = 46,
            height = pitch * sheet->trace->tool_count + 6; /* pixels of a lane, with its name above; of all */
  begin_over_time(sheet, "Contact",
                  "Contact state of each tool; where states change within a column, their shares of the time.", "",
                  tac_axis_linear(0.0, 1.0, true, 1, ""), height, true);
  double column = (double)trace->ticks / trace->lane_columns;
  for (int t = 0; t < trace->tool_count; ++t) {
    double top = (double)(pitch * t + 24) / height, bottom = (double)(pitch * (t + 1)) / height;
    tac_html_plot_lane(&sheet->plot, top, name_of(sheet, t).text);
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
          sheet->x[2 * boxes - 1] = trace->period * column * (i + 1);
          continue;
        }
        sheet->x[2 * boxes] = trace->period * column * i;
        sheet->x[2 * boxes + 1] = trace->period * column * (i + 1);
        sheet->y[2 * boxes] = top + from * (bottom - top);
        sheet->y[2 * boxes + 1] = top + to * (bottom - top);
        ++boxes;
        old_from = from;
        old_to = to;
      }
      tac_html_plot_boxes(&sheet->plot, t == 0 ? names[s] : NULL, styles[s], boxes, sheet->x, sheet->y);
    }
  }
  tac_html_plot_end(&sheet->plot);
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

static void write_histogram(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  enum { GROUP = 10, GROUPS = TAC_HISTOGRAM_BINS / GROUP }; /* drawn bins are 10 % wide; the last of all is open */
  const tacHistogram *times = &trace->compute;
  double most = 1.0;
  for (int g = 0; g <= GROUPS; ++g) sheet->x[g] = bin_edge(g * GROUP);
  for (int g = 0; g < GROUPS; ++g) {
    sheet->y[g] = 0.0;
    for (int i = 0; i < GROUP; ++i) sheet->y[g] += (double)times->bins[g * GROUP + i];
    most = fmax(most, sheet->y[g]);
  }
  double from = fmax(fmin(0.7 * shortest(times), 0.1 * trace->period), 1e-8);
  double to = 1.6 * fmax(times->largest, trace->period);
  tacHtmlPlotDef def = {.title = "Time to compute a tick",
                        .remark = "Time to read devices, step the world and write forces; both axes are logarithmic.",
                        .x_name = "time of a tick",
                        .y_name = "ticks",
                        .x = tac_axis_logarithmic(from, to, TAC_AXIS_PREFIXED, "s"),
                        .y = tac_axis_logarithmic(0.7, 100.0 * most, TAC_AXIS_PREFIXED, ""),
                        .height = 280};
  tac_html_plot_begin(&def, sheet->out, &sheet->plot);
  tac_html_plot_bars(&sheet->plot, "ticks", "s0", GROUPS, sheet->x, sheet->y);
  static const struct {
    const char *name;
    double fraction;
  } marks[] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1.0}};
  for (int i = 0; i < 4; ++i) {
    double at = marks[i].fraction < 1.0 ? tac_histogram_percentile(times, marks[i].fraction) : times->largest;
    char label[128];
    snprintf(label, sizeof label, "%s %s", marks[i].name, tac_axis_value(at, "s").text);
    tac_html_plot_vertical(&sheet->plot, "ink", at, i, label);
  }
  char label[128];
  snprintf(label, sizeof label, "deadline %s", tac_axis_value(trace->period, "s").text);
  tac_html_plot_vertical(&sheet->plot, "bad", trace->period, 4, label);
  tac_html_plot_end(&sheet->plot);
}

static void write_spectrum(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
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
           "Power spectral density of the force, sum of x, y and z; %d Hann windows of %s, means removed.",
           first->segments, tac_axis_value(first->size / first->rate, "s").text);
  tacHtmlPlotDef def = {
      .title = "Spectrum of the force",
      .remark = remark,
      .x_name = "frequency",
      .y_name = "power density",
      .x = tac_axis_logarithmic(tac_spectrum_frequency(first, 2), 0.5 * first->rate, TAC_AXIS_PREFIXED, "Hz"),
      .y = tac_axis_logarithmic(pow(10.0, floor(log10(least))), pow(10.0, ceil(log10(most))), TAC_AXIS_POWERS, "N²/Hz"),
      .height = 280};
  tac_html_plot_begin(&def, sheet->out, &sheet->plot);
  for (int t = 0; t < trace->tool_count; ++t) {
    for (int k = 2; k <= bins; ++k) {
      sheet->x[k - 2] = tac_spectrum_frequency(first, k);
      sheet->y[k - 2] = 0.0;
      for (int c = 0; c < 3; ++c) sheet->y[k - 2] += tac_spectrum_power(&trace->tool[t].spectrum[c], k);
    }
    tac_html_plot_curve(&sheet->plot, name_of(sheet, t).text, tool_style[t % STYLES], bins - 1, sheet->x, sheet->y);
  }
  tac_html_plot_end(&sheet->plot);
}

static void write_times(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  bool paced = trace->late.largest > 0.0; /* else one tick came right after the other */
  double most = fmax(fmax(trace->compute.largest, trace->late.largest), trace->period);
  double least = fmax(fmin(shortest(&trace->compute), 0.1 * trace->period), 1e-8);
  if (paced) least = fmin(least, fmax(tac_histogram_percentile(&trace->late, 0.01), 1e-7));
  begin_over_time(
      sheet, paced ? "Lateness and deadlines" : "Tick times and deadlines",
      paced ? "How late each tick started, and how long it then computed."
            : "How long each tick computed. The run was not in real time: ticks followed each other directly.",
      "duration", tac_axis_logarithmic(0.8 * least, 1.8 * most, TAC_AXIS_PREFIXED, "s"), 230, true);
  if (paced) draw(sheet, "late", "s1", &trace->late_time);
  draw(sheet, "compute", "s0", &trace->compute_time);
  for (int i = 0; i < trace->missed.columns; ++i)
    if (trace->missed.column[i].low_at >= 0)
      tac_html_plot_stroke(&sheet->plot, "bad", time_of(trace, trace->missed.column[i].low_at));
  char label[128];
  snprintf(label, sizeof label, "next deadline, %s", tac_axis_value(trace->period, "s").text);
  tac_html_plot_horizontal(&sheet->plot, "bad", trace->period, label);
  tac_html_plot_end(&sheet->plot);
}

static void write_loop(Sheet *sheet) {
  const tacRunTrace *trace = sheet->trace;
  double low = 0.0, high = 0.0, most = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) {
    int count = tac_xy_path_points(&trace->tool[t].loop, sheet->x, sheet->y);
    for (int i = 0; i < count; ++i) {
      if (!isfinite(sheet->x[i])) continue;
      low = fmin(low, sheet->x[i]);
      high = fmax(high, sheet->x[i]);
      most = fmax(most, sheet->y[i]);
    }
  }
  if (low > -0.02 * high) low = 0.0; /* noise at first touch is not worth a part of the axis */
  tacHtmlPlotDef def = {.title = "Force over penetration",
                        .remark = "Depth of the tool below the undeformed surface, along its normal. The area of loops "
                                  "is the work of friction.",
                        .x_name = "penetration",
                        .y_name = "force of the world",
                        .x = tac_axis_linear(low, high > low ? high : 1e-3, false, 6, "m"),
                        .y = tac_axis_linear(0.0, most > 0.0 ? most : 1.0, false, 5, "N"),
                        .height = 372,
                        .in_plane = true};
  tac_html_plot_begin(&def, sheet->out, &sheet->plot);
  for (int t = 0; t < trace->tool_count; ++t) {
    int count = tac_xy_path_points(&trace->tool[t].loop, sheet->x, sheet->y);
    tac_html_plot_curve(&sheet->plot, name_of(sheet, t).text, tool_style[t % STYLES], count, sheet->x, sheet->y);
  }
  tac_html_plot_end(&sheet->plot);
}

static void write_all(Sheet *sheet) {
  for (int t = 0; t < sheet->trace->tool_count; ++t) write_force(sheet, t);
  write_torque(sheet);
  write_lanes(sheet);
  write_traversal(sheet);
  write_laws(sheet);
  write_energy(sheet);
  write_steps(sheet);
  write_histogram(sheet);
  write_spectrum(sheet);
  write_times(sheet);
}

static tacStatus write_sheet(const tacRunTrace *trace, const tacWorld *world, void (*draw_plots)(Sheet *), FILE *stream,
                             tacError *error) {
  const tacToolTrace *tool = &trace->tool[0];
  const size_t needed[] = {2 * (size_t)trace->compute_time.columns /* two a column */, 5 * (size_t)tool->loop.stretches,
                           (size_t)tool->spectrum[0].size, 2 * TAC_RUN_LANE_COLUMNS, TAC_HISTOGRAM_BINS + 1};
  size_t most = 0;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i) most = needed[i] > most ? needed[i] : most;
  TAC_FREED(tac_arrays_free, tacArrays, room) = {0};
  Sheet sheet = {.trace = trace, .world = world, .out = stream};
  sheet.x = tac_arrays_add(&room, most, sizeof *sheet.x);
  sheet.y = tac_arrays_add(&room, most, sizeof *sheet.y);
  TAC_TRY(tac_arrays_status(&room, "a plot", error));
  draw_plots(&sheet);
  return TAC_OK;
}

tacStatus tac_run_plots_write_loop(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error) {
  return write_sheet(trace, world, write_loop, stream, error);
}

tacStatus tac_run_plots_write(const tacRunTrace *trace, const tacWorld *world, FILE *stream, tacError *error) {
  return write_sheet(trace, world, write_all, stream, error);
}
