/* A plot in a page: inline SVG whose curves stretch with the page while its text and lines keep their size.
 *
 * Between tac_html_plot_begin and _end things are drawn in order; the legend comes out at the end. Colours are classes of the
 * page's style: "s0" to "s7" for series, "good", "warn" and "bad". The page's script reads values back from the curves. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include "app/cli/report/axis.h"

enum { TAC_PLOT_MOST_LEGEND = 40 };

typedef struct tacHtmlPlotDef {
  const char *title, *remark; /* remark: a line below the title that says how to read it; may be NULL */
  const char *x_name, *y_name;
  tacAxis x, y;
  int height;    /* pixels, of the area inside the axes */
  bool wide;     /* takes the page's whole width */
  bool in_plane; /* the script reads the nearest point, not all curves at one x */
  bool no_y;     /* without a vertical axis: lanes label themselves */
} tacHtmlPlotDef;

typedef struct tacHtmlPlotLegend {
  char name[64], style[32];
} tacHtmlPlotLegend;

typedef struct tacHtmlPlot {
  tacHtmlPlotDef def;
  FILE *stream;
  int legend_count;
  tacHtmlPlotLegend legend[TAC_PLOT_MOST_LEGEND];
} tacHtmlPlot;

void tac_html_plot_begin(const tacHtmlPlotDef *def, FILE *stream, tacHtmlPlot *plot);
/* Points that are not finite lift the pen. `style`: classes of the curve ("s0 bold"); `name` goes to the legend, NULL: none. */
void tac_html_plot_curve(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *x,
                         const double *y);
/* `count` bars, from edge[i] to edge[i + 1], standing on the bottom. */
void tac_html_plot_bars(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *edge,
                        const double *height);
/* Boxes from x[2i] to x[2i + 1], between the shares y[2i] and y[2i + 1] of the height, measured from the top. */
void tac_html_plot_boxes(tacHtmlPlot *plot, const char *name, const char *style, int count, const double *x,
                         const double *y);
/* A line across at a value of x or y, and its label. Labels of vertical lines hang in row `row` from the top. */
void tac_html_plot_vertical(tacHtmlPlot *plot, const char *style, double x, int row, const char *label);
void tac_html_plot_horizontal(tacHtmlPlot *plot, const char *style, double y, const char *label);
/* A dot with a label beside it. */
void tac_html_plot_dot(tacHtmlPlot *plot, const char *style, double x, double y, const char *label);
/* A short stroke at the bottom of the area. */
void tac_html_plot_stroke(tacHtmlPlot *plot, const char *style, double x);
/* Left of the area, at a share of the height from the top. */
void tac_html_plot_lane(tacHtmlPlot *plot, double share, const char *label);
void tac_html_plot_end(tacHtmlPlot *plot);
