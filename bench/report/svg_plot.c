#include "bench/report/svg_plot.h"

#include "app/cli/report/html_text.h"

/* Pixels: the picture, and the area inside the axes. */
enum {
  WIDTH = 860,
  HEIGHT = 480,
  LEFT = 84,
  RIGHT = LEFT + TAC_SVG_PLOT_WIDTH,
  TOP = 118,
  BOTTOM = TOP + TAC_SVG_PLOT_HEIGHT,
  LEGEND = 88
};

static const char style[] =
    "text{font:14px system-ui,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;fill:#5b6776}"
    ".title{font-size:19px;font-weight:600;fill:#17202c}.legend{fill:#17202c}.x{text-anchor:middle}.y{text-anchor:end}"
    ".grid{stroke:#e3e7ec}.axis{stroke:#94a1b2}.curve{fill:none;stroke:currentColor;stroke-width:2.2;"
    "stroke-linejoin:round}.dashed{stroke-dasharray:7 5}.dot{fill:currentColor;stroke:#fff;stroke-width:1.5}"
    ".sketch{fill:none;stroke:currentColor;stroke-linejoin:round}"
    ".c0{color:#d9570d}.c1{color:#1f5fa8}.c2{color:#5b6776}.c3{color:#12805c}.c4{color:#8a3ea3}.c5{color:#c29a0b}";

static double place_x(const tacSvgPlot *plot, double x) {
  return LEFT + (RIGHT - LEFT) * tac_axis_place(&plot->def.x, x);
}

static double place_y(const tacSvgPlot *plot, double y) {
  return BOTTOM - (BOTTOM - TOP) * tac_axis_place(&plot->def.y, y);
}

static void write_text(tacSvgPlot *plot, const char *kind, double x, double y, const char *text) {
  fprintf(plot->file.stream, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", kind, x, y);
  tac_html_text(text, plot->file.stream);
  fputs("</text>\n", plot->file.stream);
}

static void write_line(tacSvgPlot *plot, const char *kind, double x1, double y1, double x2, double y2) {
  fprintf(plot->file.stream, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1, y1, x2,
          y2);
}

static void write_name(tacSvgPlot *plot, const char *kind, double x, double y, const char *name, const tacAxis *axis) {
  char text[160];
  tacText unit = tac_axis_unit(axis);
  snprintf(text, sizeof text, "%.100s%s%.40s", name, unit.text[0] != '\0' ? ", " : "", unit.text);
  write_text(plot, kind, x, y, text);
}

tacStatus tac_svg_plot_begin(const char *path, const tacSvgPlotDef *def, tacSvgPlot *plot, tacError *error) {
  *plot = (tacSvgPlot){.def = *def};
  tacStatus status = tac_new_file_open(path, &plot->file, error);
  if (status != TAC_OK) return status;
  fprintf(
      plot->file.stream,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n<style>%s</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" rx=\"12\" fill=\"#fff\"/>\n",
      WIDTH, HEIGHT, WIDTH, HEIGHT, style);
  write_text(plot, "title", 28.0, 38.0, def->title);
  write_text(plot, "remark", 28.0, 60.0, def->remark);
  for (int i = 0; i < def->x.tick_count; ++i) {
    double x = place_x(plot, def->x.tick[i]);
    write_line(plot, "grid", x, TOP, x, BOTTOM);
    write_text(plot, "x", x, BOTTOM + 22.0, tac_axis_label(&def->x, i).text);
  }
  for (int i = 0; i < def->y.tick_count; ++i) {
    double y = place_y(plot, def->y.tick[i]);
    write_line(plot, "grid", LEFT, y, RIGHT, y);
    write_text(plot, "y", LEFT - 10.0, y + 5.0, tac_axis_label(&def->y, i).text);
  }
  write_line(plot, "axis", LEFT, BOTTOM, RIGHT, BOTTOM);
  write_name(plot, "x", 0.5 * (LEFT + RIGHT), HEIGHT - 16.0, def->x_name, &def->x);
  fprintf(plot->file.stream, "<g transform=\"rotate(-90 24 %d)\">", (TOP + BOTTOM) / 2);
  write_name(plot, "x", 24.0, 0.5 * (TOP + BOTTOM), def->y_name, &def->y);
  fputs("</g>\n", plot->file.stream);
  return TAC_OK;
}

void tac_svg_plot_curve(tacSvgPlot *plot, const char *name, int colour, bool dashed, bool dots, int count,
                        const double *x, const double *y) {
  FILE *out = plot->file.stream;
  int columns = plot->def.legend_columns > 0 ? plot->def.legend_columns : 4;
  double legend = 28.0 + (RIGHT - 28.0) / columns * (plot->name_count % columns);
  double row = LEGEND + 16.0 * (plot->name_count / columns);
  fprintf(out, "<g class=\"c%d\"><path class=\"curve%s\" d=\"", colour, dashed ? " dashed" : "");
  for (int i = 0; i < count; ++i)
    fprintf(out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', place_x(plot, x[i]), place_y(plot, y[i]));
  if (name != NULL) fprintf(out, "M%.1f %.1fh26", legend, row);
  fputs("\"/>\n", out);
  for (int i = 0; i < count && dots; ++i)
    fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", place_x(plot, x[i]), place_y(plot, y[i]));
  fputs("</g>\n", out);
  if (name == NULL) return;
  write_text(plot, "legend", legend + 34.0, row + 5.0, name);
  ++plot->name_count;
}

void tac_svg_plot_text(tacSvgPlot *plot, double x, double y, const char *text) {
  write_text(plot, "legend", place_x(plot, x), place_y(plot, y), text);
}

void tac_svg_plot_sketch(tacSvgPlot *plot, int colour, int count, const double *x, const double *y) {
  fprintf(plot->file.stream, "<path class=\"sketch c%d\" d=\"", colour);
  for (int i = 0; i < count; ++i)
    fprintf(plot->file.stream, "%c%.1f %.1f", i == 0 ? 'M' : 'L', LEFT + x[i], TOP + y[i]);
  fputs("\"/>\n", plot->file.stream);
}

tacStatus tac_svg_plot_end(tacSvgPlot *plot, tacError *error) {
  fputs("</svg>\n", plot->file.stream);
  return tac_new_file_commit(&plot->file, error);
}
