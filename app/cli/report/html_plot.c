#include "app/cli/report/html_plot.h"

#include <math.h>
#include <string.h>
#include "app/cli/report/html_text.h"

/* Curves are in these units, in a frame that is stretched to the page: finer than its pixels. */
enum { UNITS = 2000 };

static int unit_x(const tacHtmlPlot *plot, double x) {
  return (int)lround(UNITS * tac_axis_place(&plot->def.x, x));
}

static int unit_y(const tacHtmlPlot *plot, double y) {
  return (int)lround(UNITS * (1.0 - tac_axis_place(&plot->def.y, y)));
}

static double percent_x(const tacHtmlPlot *plot, double x) {
  return 100.0 * tac_axis_place(&plot->def.x, x);
}

static double percent_y(const tacHtmlPlot *plot, double y) {
  return 100.0 - 100.0 * tac_axis_place(&plot->def.y, y);
}

/* What the script needs to turn places back into values. */
static void write_axis(const char *name, const tacAxis *axis, FILE *out) {
  fprintf(out, " data-%s=\"%.9g|%.9g|%d|", name, axis->from, axis->to, axis->logarithmic);
  tac_html_between("", axis->unit, "\"", out);
}

static void write_ticks(const tacHtmlPlot *plot) {
  const tacHtmlPlotDef *def = &plot->def;
  FILE *out = plot->stream;
  fputs("<g class=\"grid\">", out);
  for (int i = 0; i < def->x.tick_count; ++i) {
    double at = percent_x(plot, def->x.tick[i]);
    fprintf(out, "<line x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"0\" y2=\"100%%\"/>", at, at);
  }
  for (int i = 0; i < def->y.tick_count && !def->no_y; ++i) {
    double at = percent_y(plot, def->y.tick[i]);
    bool zero = !def->y.logarithmic && fabs(def->y.tick[i]) < 1e-9 * def->y.step;
    fprintf(out, "<line%s x1=\"0\" x2=\"100%%\" y1=\"%.3f%%\" y2=\"%.3f%%\"/>", zero ? " class=\"zero\"" : "", at, at);
  }
  fputs("</g>\n<g class=\"ticks\">", out);
  for (int i = 0; i < def->x.tick_count; ++i) {
    /* Where the page is narrow every other label goes. */
    fprintf(out, "<text class=\"x%s\" x=\"%.3f%%\" y=\"100%%\" dy=\"18\">",
            i % 2 == 1 && def->x.tick_count > 5 ? " odd" : "", percent_x(plot, def->x.tick[i]));
    tac_html_between("", tac_axis_label(&def->x, i).text, "</text>", out);
  }
  for (int i = 0; i < def->y.tick_count && !def->no_y; ++i) {
    fprintf(out, "<text class=\"y\" x=\"-8\" y=\"%.3f%%\" dy=\"4\">", percent_y(plot, def->y.tick[i]));
    tac_html_between("", tac_axis_label(&def->y, i).text, "</text>", out);
  }
  fputs("</g>\n", out);
}

static void write_name(const char *element, const char *style, const char *name, const tacAxis *axis, FILE *out) {
  tacText unit = tac_axis_unit(axis);
  fprintf(out, "<%s class=\"%s\">", element, style);
  tac_html_print(out, "%s%s%s", name, unit.text[0] != '\0' ? ", " : "", unit.text);
  fprintf(out, "</%s>", element);
}

void tac_html_plot_begin(const tacHtmlPlotDef *def, FILE *stream, tacHtmlPlot *plot) {
  *plot = (tacHtmlPlot){.def = *def, .stream = stream};
  fprintf(stream, "<figure class=\"card plot%s%s\"><figcaption><h2>", def->wide ? " wide" : "",
          def->in_plane ? " plane" : "");
  tac_html_between("", def->title, "</h2>", stream);
  if (def->remark != NULL) {
    tac_html_between("<p>", def->remark, "</p>", stream);
  }
  fputs("</figcaption>\n", stream);
  if (!def->no_y) write_name("div", "axis-y", def->y_name, &def->y, stream);
  fprintf(stream, "<div class=\"frame\" style=\"height:%dpx\"><svg role=\"img\" aria-label=\"", def->height);
  tac_html_between("", def->title, "\"", stream);
  write_axis("x", &def->x, stream);
  write_axis("y", &def->y, stream);
  tac_html_between(" data-name=\"", def->x_name, "\">\n", stream);
  write_ticks(plot);
}

static void add_legend(tacHtmlPlot *plot, const char *name, const char *style) {
  if (name == NULL || plot->legend_count == TAC_PLOT_MOST_LEGEND) return;
  tacHtmlPlotLegend *entry = &plot->legend[plot->legend_count++];
  size_t length = strlen(name), most = sizeof entry->name - 1;
  if (length > most) /* whole characters only */
    for (length = most; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;) --length;
  memcpy(entry->name, name, length);
  snprintf(entry->style, sizeof entry->style, "%s", style);
}

static void begin_data(tacHtmlPlot *plot, const char *kind, const char *name, const char *style) {
  fprintf(plot->stream,
          "<svg class=\"data\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" width=\"100%%\" height=\"100%%\">"
          "<path class=\"%s %s\"",
          UNITS, UNITS, kind, style);
  if (name != NULL) {
    tac_html_between(" data-name=\"", name, "\"", plot->stream);
  }
  fputs(" d=\"", plot->stream);
}

static void end_data(tacHtmlPlot *plot) {
  fputs("\"/></svg>\n", plot->stream);
}

void tac_html_plot_curve(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *x,
                         const double *y) {
  add_legend(plot, name, style);
  begin_data(plot, "curve", name, style);
  bool down = false;
  int from_x = 0, from_y = 0, step_x = 0, step_y = 0; /* a step is held back while the next goes on in its direction */
  for (int i = 0; i < count; ++i) {
    if (!isfinite(x[i]) || !isfinite(y[i])) {
      if (step_x != 0 || step_y != 0) fprintf(plot->stream, "%d %d ", step_x, step_y);
      step_x = step_y = 0;
      down = false;
      continue;
    }
    int to_x = unit_x(plot, x[i]), to_y = unit_y(plot, y[i]);
    int dx = to_x - from_x, dy = to_y - from_y;
    if (!down) {
      fprintf(plot->stream, "M%d %dl", to_x, to_y);
      down = true;
    } else if (dx == 0 && dy == 0) {
      continue;
    } else if (dy == 0 && step_y == 0 && dx > 0 && step_x >= 0) {
      step_x += dx;
    } else {
      if (step_x != 0 || step_y != 0) fprintf(plot->stream, "%d %d ", step_x, step_y);
      step_x = dx;
      step_y = dy;
    }
    from_x = to_x;
    from_y = to_y;
  }
  fprintf(plot->stream, "%d %d", step_x, step_y);
  end_data(plot);
}

void tac_html_plot_bars(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *edge,
                        const double *height) {
  add_legend(plot, name, style);
  begin_data(plot, "bars", name, style);
  for (int i = 0; i < count; ++i) {
    int left = unit_x(plot, edge[i]), right = unit_x(plot, edge[i + 1]), top = unit_y(plot, height[i]);
    if (right > left && top < UNITS) fprintf(plot->stream, "M%d %dV%dH%dV%dz", left, UNITS, top, right, UNITS);
  }
  end_data(plot);
}

void tac_html_plot_boxes(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *x,
                         const double *y) {
  add_legend(plot, name, style);
  begin_data(plot, "boxes", NULL, style);
  for (int i = 0; i < count; ++i) {
    int left = unit_x(plot, x[2 * i]), right = unit_x(plot, x[2 * i + 1]);
    int top = (int)lround(UNITS * y[2 * i]), bottom = (int)lround(UNITS * y[2 * i + 1]);
    if (right > left && bottom > top) fprintf(plot->stream, "M%d %dV%dH%dV%dz", left, top, bottom, right, top);
  }
  end_data(plot);
}

void tac_html_plot_vertical(tacHtmlPlot *plot, const char *style, double x, int row, const char *label) {
  double at = percent_x(plot, x);
  fprintf(plot->stream,
          "<line class=\"rule %s\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%d\" y2=\"100%%\"/>"
          "<text class=\"label %s%s\" x=\"%.3f%%\" y=\"%d\" dx=\"%d\">",
          style, at, at, 2 + 16 * row, style, at > 70.0 ? " left" : "", at, 13 + 16 * row, at > 70.0 ? -6 : 6);
  tac_html_between("", label, "</text>\n", plot->stream);
}

void tac_html_plot_horizontal(tacHtmlPlot *plot, const char *style, double y, const char *label) {
  double at = percent_y(plot, y);
  fprintf(plot->stream,
          "<line class=\"rule %s\" x1=\"0\" x2=\"100%%\" y1=\"%.3f%%\" y2=\"%.3f%%\"/>"
          "<text class=\"label left %s\" x=\"100%%\" y=\"%.3f%%\" dx=\"-6\" dy=\"%d\">",
          style, at, at, style, at, at < 12.0 ? 15 : -6);
  tac_html_between("", label, "</text>\n", plot->stream);
}

void tac_html_plot_dot(tacHtmlPlot *plot, const char *style, double x, double y, const char *label) {
  double at_x = percent_x(plot, x), at_y = percent_y(plot, y);
  fprintf(plot->stream,
          "<circle class=\"dot %s\" cx=\"%.3f%%\" cy=\"%.3f%%\" r=\"4\"/>"
          "<text class=\"label%s\" x=\"%.3f%%\" y=\"%.3f%%\" dx=\"%d\" dy=\"%d\">",
          style, at_x, at_y, at_x > 70.0 ? " left" : "", at_x, at_y, at_x > 70.0 ? -8 : 8, -6);
  tac_html_between("", label, "</text>\n", plot->stream);
}

void tac_html_plot_stroke(tacHtmlPlot *plot, const char *style, double x) {
  double at = percent_x(plot, x);
  fprintf(plot->stream, "<line class=\"stroke %s\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"96%%\" y2=\"100%%\"/>", style, at,
          at);
}

void tac_html_plot_lane(tacHtmlPlot *plot, double share, const char *label) {
  fprintf(plot->stream, "<text class=\"lane\" x=\"0\" y=\"%.3f%%\" dy=\"-7\">", 100.0 * share);
  tac_html_between("", label, "</text>\n", plot->stream);
}

void tac_html_plot_end(tacHtmlPlot *plot) {
  FILE *out = plot->stream;
  fputs("<line class=\"cursor\" y1=\"0\" y2=\"100%\" x1=\"-9\" x2=\"-9\"/></svg></div>\n", out);
  write_name("div", "axis-x", plot->def.x_name, &plot->def.x, out);
  if (plot->legend_count > 0) {
    fputs("<ul class=\"legend\">", out);
    for (int i = 0; i < plot->legend_count; ++i) {
      fprintf(out, "<li><i class=\"%s\"></i>", plot->legend[i].style);
      tac_html_between("", plot->legend[i].name, "</li>", out);
    }
    fputs("</ul>", out);
  }
  fputs("<output></output></figure>\n", out);
}
