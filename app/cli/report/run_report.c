#include "app/cli/report/run_report.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include "app/cli/picture/run_picture.h"
#include "app/cli/report/axis.h"
#include "app/cli/report/body_trace.h"
#include "app/cli/report/html_text.h"
#include "app/cli/report/report_style.h"
#include "app/cli/report/run_limits.h"
#include "app/cli/report/run_plots.h"
#include "base/base64.h"
#include "base/files/new_file.h"
#include "base/progress.h"
#include "servo/guard.h"

enum { PICTURE_WIDTH = 1100, PICTURE_HEIGHT = 880 };

typedef struct Report {
  const tacRecording *recording;
  const tacRecordingInfo *info;
  const tacRunTrace *trace;
  const tacWorld *world;
  const tacServoReport *servo;
  const tacDepthTrace *depths; /* may be NULL */
  const char *title;
  double generated, work; /* J, of all ports */
  tacBodyTrace *bodies;
  int body_count;
  const tacProgress *progress; /* may be NULL */
  tacImage *image;             /* the picture; zeroed: none yet */
  FILE *out;
} Report;

/* How much of the report is there; TAC_ERR_CANCELLED where it is not wanted any more. */
static tacStatus report_progress(const Report *report, double fraction, tacError *error) {
  const tacProgress *p = report->progress;
  if (p == NULL || p->report == NULL || p->report("report", fraction, p->user)) return TAC_OK;
  return tac_error_set(error, TAC_ERR_CANCELLED, "the report was cancelled");
}

static void write_lines(const char *const *lines, FILE *out) {
  for (; *lines != NULL; ++lines) fprintf(out, "%s\n", *lines);
}

static double largest(const Report *report, size_t offset, int *tool) {
  double most = 0.0;
  *tool = 0;
  for (int t = 0; t < report->trace->tool_count; ++t) {
    const tacExtreme *extreme = (const tacExtreme *)((const char *)&report->trace->tool[t] + offset);
    if (extreme->value <= most) continue;
    most = extreme->value;
    *tool = t;
  }
  return most;
}

/* "none", or how much and what share of all work that is. */
static tacText generated_text(const Report *report) {
  tacText result = {"none"};
  if (report->generated > 0.0)
    snprintf(result.text, sizeof result.text, "%.32s (%.2g %% of the work)",
             tac_axis_value(report->generated, "J").text, 100.0 * report->generated / report->work);
  return result;
}

static bool has_fault(const Report *report) {
  return report->trace->fault_tick >= 0 || (report->servo != NULL && report->servo->fault != TAC_FAULT_NONE);
}

static double fault_time(const Report *report) {
  bool has_servo_fault = report->servo != NULL && report->servo->fault != TAC_FAULT_NONE;
  return report->trace->period * (double)(has_servo_fault ? report->servo->fault_tick : report->trace->fault_tick);
}

static void write_headline(const Report *report) {
  const tacRunTrace *trace = report->trace;
  FILE *out = report->out;
  char number[32];
  double rate = 1.0 / trace->period;
  snprintf(number, sizeof number, rate >= 999.5 ? "%.4g kHz" : "%.4g Hz", rate >= 999.5 ? 1e-3 * rate : rate);
  const char *style = "good";
  char headline[160];
  if (has_fault(report)) {
    style = "bad";
    snprintf(headline, sizeof headline, "Stopped by a fault at %s", tac_axis_value(fault_time(report), "s").text);
  } else if (trace->missed_by_computation > 0) {
    style = "bad";
    snprintf(headline, sizeof headline, "Did not hold %s", number);
  } else if (trace->missed_by_lateness > 0) {
    style = "warn";
    snprintf(headline, sizeof headline, "Computed in time for %s, but some ticks started late", number);
  } else if (trace->late.largest > 0.0) {
    snprintf(headline, sizeof headline, "Held %s", number);
  } else {
    snprintf(headline, sizeof headline, "Computed in time for %s", number);
  }
  fputs("<header>\n<p class=\"kicker\">Tactus run report · <b>", out);
  tac_html_text(report->title, out);
  fprintf(out, "</b></p>\n<h1 class=\"%s\"><span>", style);
  tac_html_between("", headline, "</span></h1>\n<p class=\"verdict\">", out);
  fprintf(out, "<b>%s</b> of %s ticks missed by computation; ", tac_text_count(trace->missed_by_computation).text,
          tac_text_count(trace->records).text);
  if (trace->missed_by_lateness > 0)
    fprintf(out, "<b>%s</b> by a late start; ", tac_text_count(trace->missed_by_lateness).text);
  fprintf(out, "p99 <b>%s</b>; energy generated: <b>%s</b>.</p>\n",
          tac_axis_value(tac_histogram_percentile(&trace->compute, 0.99), "s").text, generated_text(report).text);
}

__attribute__((format(printf, 3, 4))) static void write_note(const Report *report, const char *style,
                                                             const char *format, ...) {
  fprintf(report->out, "<p class=\"note %s\">", style);
  va_list arguments;
  va_start(arguments, format);
  tac_html_vprint(report->out, format, arguments);
  va_end(arguments);
  fputs("</p>\n", report->out);
}

static void write_notes(const Report *report) {
  const tacRunTrace *trace = report->trace;
  const tacServoReport *servo = report->servo;
  if (servo != NULL && servo->fault != TAC_FAULT_NONE)
    write_note(report, "bad", "Fault: %s, device %d, at %s (tick %lld). All forces were ramped to zero.",
               tac_fault_name(servo->fault), servo->fault_device, tac_axis_value(fault_time(report), "s").text,
               (long long)servo->fault_tick);
  else if (trace->fault_tick >= 0)
    write_note(report, "bad", "Fault at %s. All forces were ramped to zero.",
               tac_axis_value(fault_time(report), "s").text);
  if (servo != NULL && servo->remark[0] != '\0')
    write_note(report, "warn", "Permission denied by the operating system: %s", servo->remark);
  tacRunRemark remarks[TAC_RUN_MOST_REMARKS];
  int count = servo != NULL ? tac_run_limits(servo, report->world, remarks) : 0;
  for (int i = 0; i < count; ++i)
    write_note(report, remarks[i].much ? "bad" : "warn", "%s: %s.", remarks[i].name, remarks[i].text);
  if (trace->ticks > trace->records)
    write_note(report, "warn", "%s were not recorded because the recorder could not keep up. Curves have gaps there.",
               tac_text_many(trace->ticks - trace->records, "tick").text);
  for (int i = 0; report->depths != NULL && i < report->depths->count; ++i) {
    const tacTrueDepth *depth = &report->depths->depths[i];
    char what[200], advice[300];
    if (tac_true_depth_missed(depth) == 0.0) continue;
    tac_true_depth_describe(depth, what, sizeof what);
    tac_true_depth_advise(depth, advice, sizeof advice);
    write_note(report, "bad", "True interpenetration of %s: %s.", what, advice);
  }
  if (!tac_recording_complete(report->recording))
    write_note(report, "warn", "The recording is incomplete; the report shows the part that was recorded.");
  fputs("</header>\n", report->out);
}

__attribute__((format(printf, 5, 6))) static void write_tile(FILE *out, const char *style, const char *name,
                                                             const char *value, const char *format, ...) {
  fprintf(out, "<li class=\"%s\"><span>%s</span><b>", style, name);
  tac_html_between("", value, "</b><small>", out);
  va_list arguments;
  va_start(arguments, format);
  tac_html_vprint(out, format, arguments);
  va_end(arguments);
  fputs("</small></li>\n", out);
}

/* What is true of the worst of all bodies, where surfaces met; else what the tools' contacts saw. */
static void write_depth_tile(const Report *report) {
  int tool;
  double seen = largest(report, offsetof(tacToolTrace, penetration_max), &tool);
  const tacTrueDepth *worst = report->depths != NULL && report->depths->count > 0 ? &report->depths->depths[0] : NULL;
  if (worst != NULL && worst->depth > seen)
    write_tile(report->out, tac_true_depth_missed(worst) > 0.0 ? "bad" : "", "deepest penetration",
               tac_axis_value(worst->depth, "m").text, "%.60s and %.60s; contact detected %s", worst->first,
               worst->second, tac_axis_value(fmax(0.0, worst->seen), "m").text);
  else
    write_tile(report->out, "", "deepest penetration", tac_axis_value(seen, "m").text, "%s",
               tac_run_tool_name(report->world, tool).text);
}

static void write_tiles(const Report *report) {
  const tacRunTrace *trace = report->trace;
  const tacHistogram *compute = &trace->compute;
  FILE *out = report->out;
  int tool;
  int64_t missed = trace->missed_by_computation + trace->missed_by_lateness;
  double absorbed = 0.0, friction = 0.0;
  for (int t = 0; t < trace->tool_count; ++t) {
    absorbed += trace->tool[t].energy_end;
    friction += trace->tool[t].friction_end;
  }
  fputs("<ul class=\"tiles\">\n", out);
  char rate[64] = "";
  if (report->servo != NULL) snprintf(rate, sizeof rate, "%.1f Hz", report->servo->rate);
  if (report->servo != NULL)
    write_tile(out, "", "rate", rate, "%s in %s of wall clock", tac_text_many(report->servo->ticks, "tick").text,
               tac_text_seconds(report->servo->seconds).text);
  else
    write_tile(out, "", "run", tac_text_seconds(trace->period * (double)trace->ticks).text, "%s at %s",
               tac_text_many(trace->records, "tick").text, tac_axis_value(1.0 / trace->period, "Hz").text);
  write_tile(out,
             trace->missed_by_computation > 0 ? "bad"
             : missed > 0                     ? "warn"
                                              : "good",
             "deadlines missed", tac_text_count(missed).text, "%s by computation, %s by lateness",
             tac_text_count(trace->missed_by_computation).text, tac_text_count(trace->missed_by_lateness).text);
  write_tile(out, "", "tick, p99", tac_axis_value(tac_histogram_percentile(compute, 0.99), "s").text, "p50 %s, max %s",
             tac_axis_value(tac_histogram_percentile(compute, 0.5), "s").text,
             tac_axis_value(compute->largest, "s").text);
  double force = largest(report, offsetof(tacToolTrace, force_max), &tool);
  write_tile(out, "", "largest force", tac_axis_value(force, "N").text, "%s",
             tac_run_tool_name(report->world, tool).text);
  double step = largest(report, offsetof(tacToolTrace, force_step_max), &tool);
  write_tile(out, "", "largest force step", tac_axis_value(step, "N").text, "between two ticks");
  write_depth_tile(report);
  write_tile(out, report->generated > 1e-3 * report->work ? "warn" : "good", "energy generated",
             report->generated > 0.0 ? tac_axis_value(report->generated, "J").text : "none",
             "%s absorbed, %s by friction", tac_axis_value(absorbed, "J").text, tac_axis_value(friction, "J").text);
  write_tile(out, "", "in contact",
             tac_axis_value(100.0 * (double)trace->contact_ticks / (double)trace->records, "%").text, "%s of the run",
             tac_text_seconds(trace->period * (double)trace->contact_ticks).text);
  fputs("</ul>\n", out);
}

/* Where the moment cannot be drawn the report goes without it. */
static tacStatus write_picture(const Report *report, tacRecording *recording, tacError *error) {
  const tacRunTrace *trace = report->trace;
  FILE *out = report->out;
  tacImage *image = report->image;
  TAC_MEMORY(unsigned char, bytes) = NULL;
  size_t size = 0;
  double moved = 0.0;
  int64_t index = trace->peak_record >= 0 ? trace->peak_record : 0;
  const tacProgressPart part = {report->progress, 0.2, 0.9, "report"};
  const tacProgress stage = tac_progress_part(&part);
  TAC_TRY(tac_run_picture_draw(report->world, recording, index, PICTURE_WIDTH, PICTURE_HEIGHT, &stage, image, &moved,
                               error));
  if (image->pixels == NULL) return TAC_OK;
  TAC_TRY(tac_image_encode(image, &bytes, &size, error));
  const tacToolTrace *tool = &trace->tool[trace->peak_tool];
  char caption[384] = "The scene at rest; no force was rendered.";
  if (trace->peak_record >= 0)
    snprintf(caption, sizeof caption, "%s at %s. White: the tool; green: its contacts and its force, %s.",
             tac_run_tool_name(report->world, trace->peak_tool).text,
             tac_axis_value(trace->period * (double)tool->force_max.tick, "s").text,
             tac_axis_value(tool->force_max.value, "N").text);
  fputs("<figure class=\"card scene\"><figcaption><h2>The moment of the largest force</h2><p>", out);
  tac_html_text(caption, out);
  fprintf(out, "</p></figcaption>\n<img width=\"%d\" height=\"%d\" alt=\"", image->width, image->height);
  tac_html_print(out, "The deformed surfaces of the bodies, with tools and forces. %s", caption);
  fputs("\" src=\"data:image/png;base64,", out);
  tac_base64_write(bytes, size, out);
  fprintf(
      out,
      "\">\n<div class=\"ramp\"></div><div class=\"ends\"><span>0</span><span>displacement</span><span>%s</span></div>"
      "</figure>\n",
      tac_axis_value(moved, "m").text);
  return TAC_OK;
}

/* A row of the table whose values are the same whatever the tool. */
__attribute__((format(printf, 3, 4))) static void write_row(const Report *report, const char *name, const char *format,
                                                            ...) {
  fprintf(report->out, "<tr><th scope=\"row\">%s</th><td>", name);
  va_list arguments;
  va_start(arguments, format);
  tac_html_vprint(report->out, format, arguments);
  va_end(arguments);
  fputs("</td></tr>\n", report->out);
}

static void write_times_row(const Report *report, const char *name, const tacHistogram *times) {
  write_row(report, name, "%s / %s / %s / %s", tac_axis_value(tac_histogram_percentile(times, 0.5), "s").text,
            tac_axis_value(tac_histogram_percentile(times, 0.99), "s").text,
            tac_axis_value(tac_histogram_percentile(times, 0.999), "s").text, tac_axis_value(times->largest, "s").text);
}

static void write_law_row(const Report *report, const char *name, const tacLawSeries *series, const char *unit) {
  write_row(report, name, "%s / %s / %s", tac_axis_value(tac_law_series_percentile(series, 0.5), unit).text,
            tac_axis_value(tac_law_series_percentile(series, 0.99), unit).text,
            tac_axis_value(tac_law_series_most(series), unit).text);
}

static void write_count_row(const Report *report, const char *name, const tacLawSeries *series) {
  write_row(report, name, "%.0f / %.0f / %.0f", tac_law_series_percentile(series, 0.5),
            tac_law_series_percentile(series, 0.99), tac_law_series_most(series));
}

/* Of the ticks that had such contacts. */
static void write_laws(const Report *report, const tacLawTrace *laws) {
  if (laws->ticks == 0) return;
  write_row(report, "Ticks with contacts with exact laws", "%s", tac_text_count(laws->ticks).text);
  write_row(report, "Of these, not solved to the tolerance", "%s (%.3g %%)", tac_text_count(laws->unsolved).text,
            100.0 * (double)laws->unsolved / (double)laws->ticks);
  write_count_row(report, "Contacts with exact laws, p50 / p99 / max", &laws->contacts);
  write_count_row(report, "Sweeps and steps of their solver, p50 / p99 / max", &laws->sweeps);
  write_law_row(report, "Residual in motion, p50 / p99 / max", &laws->residual, "m");
  write_law_row(report, "Residual in force, p50 / p99 / max", &laws->residual_force, "N");
}

/* Two tables stand side by side as long as the tools' has few columns. */
static const char *table_width(const Report *report) {
  return report->trace->tool_count > 3 ? " wide" : "";
}

static void write_bodies(const Report *report) {
  for (int i = 0; i < report->body_count; ++i) {
    const tacBodyTrace *body = &report->bodies[i];
    char name[240];
    snprintf(name, sizeof name, "%s, mean / max", body->name);
    write_row(report, name, "%s / %s", tac_axis_value(body->mean, body->unit).text,
              tac_axis_value(body->most, body->unit).text);
  }
}

static void write_depths(const Report *report) {
  if (report->depths == NULL) return;
  for (int i = 0; i < report->depths->count; ++i) {
    char text[256];
    tac_true_depth_describe(&report->depths->depths[i], text, sizeof text);
    write_row(report, "True interpenetration, deepest", "%s", text);
  }
  write_row(report, "Moments measured for this", "%d", report->depths->moments);
}

static void write_run_table(const Report *report) {
  const tacRunTrace *trace = report->trace;
  const tacServoReport *servo = report->servo;
  FILE *out = report->out;
  fprintf(
      out,
      "<section class=\"card%s\"><h2 id=\"run-numbers\">The run in numbers</h2><div class=\"scroll\">"
      "<table aria-labelledby=\"run-numbers\"><thead><tr><th scope=\"col\">quantity</th><th scope=\"col\">value</th>"
      "</tr></thead><tbody>\n",
      table_width(report));
  write_row(report, "Requested rate", "%s", tac_axis_value(1.0 / trace->period, "Hz").text);
  if (servo != NULL) write_row(report, "Achieved rate", "%.6g Hz", servo->rate);
  if (servo != NULL) write_row(report, "Wall clock", "%s", tac_text_seconds(servo->seconds).text);
  write_row(report, "Ticks", "%s", tac_text_count(trace->records).text);
  if (report->info->simulate_every > 1) {
    write_row(report, "Rate of the bodies", "%s",
              tac_axis_value(1.0 / (report->info->simulate_every * trace->period), "Hz").text);
    write_row(report, "Steps of the bodies", "%s", tac_text_count(trace->taken).text);
    if (servo != NULL) write_row(report, "Ticks in which a step was late", "%s", tac_text_count(servo->overdue).text);
  }
  write_times_row(report, "Computation, p50 / p99 / p99.9 / max", &trace->compute);
  if (trace->late.largest > 0.0) write_times_row(report, "Lateness, p50 / p99 / p99.9 / max", &trace->late);
  write_row(report, "Deadlines missed by computation", "%s", tac_text_count(trace->missed_by_computation).text);
  write_row(report, "Deadlines missed by lateness", "%s", tac_text_count(trace->missed_by_lateness).text);
  write_row(report, "Ticks with contact", "%s", tac_text_count(trace->contact_ticks).text);
  write_row(report, "Ticks with limited force", "%s", tac_text_count(trace->limited_force).text);
  write_row(report, "Ticks with limited force rate", "%s", tac_text_count(trace->limited_rate).text);
  write_row(report, "Ticks damped for passivity", "%s", tac_text_count(trace->damped).text);
  write_row(report, "Ticks of workspace indexing", "%s", tac_text_count(trace->indexing).text);
  if (trace->most_visited > 0) {
    write_row(report, "Most nodes visited in a tick", "%s", tac_text_count(trace->most_visited).text);
    write_row(report, "Most points in contact", "%s", tac_text_count(trace->most_points).text);
    write_row(report, "Ticks without the deepest levels", "%s", tac_text_count(trace->degraded).text);
  }
  write_depths(report);
  write_row(report, "Iterations that reached their limit", "%s", tac_text_count(trace->saturated).text);
  write_row(report, "Rejected inputs", "%s", tac_text_count(trace->refused).text);
  write_row(report, "Pairs of contacts left uncoupled", "%s", tac_text_count(trace->uncoupled).text);
  write_row(report, "Most sweeps of coupled contacts", "%d", trace->most_sweeps);
  write_row(report, "Largest residual of contacts", "%s", tac_axis_value(trace->most_residual, "m").text);
  write_laws(report, &trace->laws);
  write_bodies(report);
  fputs("</tbody></table></div></section>\n", out);
}

/* A number of each tool, the first at `first`, the others `stride` bytes apart. */
static void write_tool_row(const Report *report, const char *name, const char *unit, const void *first, size_t stride) {
  fprintf(report->out, "<tr><th scope=\"row\">%s</th>", name);
  for (int t = 0; t < report->trace->tool_count; ++t) {
    double value;
    memcpy(&value, (const char *)first + (size_t)t * stride, sizeof value);
    tac_html_between("<td>", tac_axis_value(value, unit).text, "</td>", report->out);
  }
  fputs("</tr>\n", report->out);
}

static void write_tool_table(const Report *report) {
  static const struct {
    const char *name, *unit;
    size_t at; /* in tacToolTrace */
  } rows[] = {
      {"Largest force", "N", offsetof(tacToolTrace, force_max.value)},
      {"Largest torque", "N m", offsetof(tacToolTrace, torque_max.value)},
      {"Largest force step between ticks", "N", offsetof(tacToolTrace, force_step_max.value)},
      {"Deepest penetration |x<sup>H</sup> − x<sup>C</sup>|", "m", offsetof(tacToolTrace, penetration_max.value)},
      {"Vibration above 20 Hz, RMS", "N", offsetof(tacToolTrace, vibration)},
      {"Energy absorbed at the port", "J", offsetof(tacToolTrace, energy_end)},
      {"Minimum of the energy since the start", "J", offsetof(tacToolTrace, energy_least.value)},
      {"Dissipated by friction", "J", offsetof(tacToolTrace, friction_end)},
      {"Work, sum of |f · dx|", "J", offsetof(tacToolTrace, work)},
      {"Sticks", "%", offsetof(tacToolTrace, state_share[TAC_CONTACT_STICKS])},
      {"Slides", "%", offsetof(tacToolTrace, state_share[TAC_CONTACT_SLIDES])},
      {"Grabbed", "%", offsetof(tacToolTrace, state_share[TAC_CONTACT_GRABBED])}};
  const tacToolTrace *tools = report->trace->tool;
  const tacServoReport *servo = report->servo;
  FILE *out = report->out;
  fprintf(out,
          "<section class=\"card%s\"><h2 id=\"tool-numbers\">The tools in numbers</h2><div class=\"scroll\">"
          "<table aria-labelledby=\"tool-numbers\"><thead><tr><th scope=\"col\">quantity</th>",
          table_width(report));
  for (int t = 0; t < report->trace->tool_count; ++t) {
    tac_html_between("<th scope=\"col\">", tac_run_tool_name(report->world, t).text, "</th>", out);
  }
  fputs("</tr></thead><tbody>\n", out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    write_tool_row(report, rows[i].name, rows[i].unit, (const char *)tools + rows[i].at, sizeof *tools);
  if (servo != NULL) {
    size_t stride = sizeof servo->asked[0];
    write_tool_row(report, "Generated by the world, worst contact", "J", &servo->asked[0].contact.energy, stride);
    write_tool_row(report, "Generated by the world, worst 1-s window", "J", &servo->asked[0].second.energy, stride);
    write_tool_row(report, "Generated as sent to the device, worst 1-s window", "J", &servo->written[0].second.energy,
                   stride);
  }
  fputs("</tbody></table></div></section>\n", out);
}

static void write_scene(const Report *report) {
  FILE *out = report->out;
  const tacRecordingInfo *info = report->info;
  tac_html_between("<section class=\"card wide\"><details><summary>The scene: ",
                   info->scene_path != NULL ? info->scene_path : "", "</summary><pre>", out);
  tac_html_between("", info->scene != NULL ? info->scene : "", "</pre></details></section>\n", out);
}

static tacStatus write_page(const Report *report, tacRecording *recording, tacError *error) {
  FILE *out = report->out;
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        out);
  tac_html_between("", report->title, " · Tactus run report</title>\n<style>\n", out);
  write_lines(tac_report_style, out);
  fputs("</style>\n</head>\n<body>\n", out);
  write_headline(report);
  write_notes(report);
  fputs("<main>\n", out);
  write_tiles(report);
  fputs("<div class=\"cards\">\n", out);
  TAC_TRY(write_picture(report, recording, error));
  TAC_TRY(report_progress(report, 0.9, error));
  TAC_TRY(tac_run_plots_write_loop(report->trace, report->world, out, error));
  TAC_TRY(tac_run_plots_write(report->trace, report->world, out, error));
  write_run_table(report);
  write_tool_table(report);
  write_scene(report);
  fputs("</div>\n</main>\n<footer>Recorded by ", out);
  tac_html_text(report->info->program != NULL ? report->info->program : "an unknown program", out);
  fputs(". Report by tactus " TAC_VERSION ".</footer>\n<script>\n", out);
  write_lines(tac_report_script, out);
  fputs("</script>\n</body>\n</html>\n", out);
  return TAC_OK;
}

tacStatus tac_run_report_write(const char *path, tacRecording *recording, const tacWorld *world, const char *title,
                               const tacServoReport *servo, const tacDepthTrace *depths, const tacProgress *progress,
                               tacImage *image, tacError *error) {
  TAC_OWN(tacRunTrace, trace) = NULL;
  TAC_FREED(tac_new_file_discard, tacNewFile, file) = {0};
  TAC_FREED(tac_image_free, tacImage, drawn) = {0};
  TAC_MEMORY(tacBodyTrace, bodies) = NULL;
  *image = (tacImage){0};
  TAC_TRY(report_progress(&(Report){.progress = progress}, 0.0, error));
  TAC_TRY(tac_run_trace_create(recording, &trace, error));
  TAC_TRY(tac_new_file_open(path, &file, error));
  Report report = {.recording = recording,
                   .info = tac_recording_info(recording),
                   .trace = trace,
                   .world = world,
                   .servo = servo,
                   .depths = depths,
                   .title = title,
                   .progress = progress,
                   .image = &drawn,
                   .out = file.stream};
  for (int t = 0; t < trace->tool_count; ++t) {
    report.generated += servo != NULL ? servo->written[t].all : -trace->tool[t].energy_least.value;
    report.work += trace->tool[t].work;
  }
  TAC_TRY(tac_body_trace_read(recording, world, &bodies, &report.body_count, error));
  report.bodies = bodies;
  TAC_TRY(report_progress(&report, 0.2, error));
  TAC_TRY(write_page(&report, recording, error));
  TAC_TRY(report_progress(&report, 1.0, error));
  TAC_TRY(tac_new_file_commit(&file, error));
  *image = drawn;
  drawn = (tacImage){0};
  return TAC_OK;
}
