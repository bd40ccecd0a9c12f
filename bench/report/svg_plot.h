/* A plot as an SVG file of its own, for pages of documentation. */
#pragma once

#include <stdbool.h>
#include "app/cli/report/axis.h"
#include "base/files/new_file.h"

typedef struct tacSvgPlotDef {
  const char *title, *remark; /* remark: a line below the title */
  const char *x_name, *y_name;
  tacAxis x, y;
  int legend_columns; /* 0: four */
} tacSvgPlotDef;

typedef struct tacSvgPlot {
  tacSvgPlotDef def;
  tacNewFile file;
  int name_count; /* in the legend */
} tacSvgPlot;

/* Opens the file; it takes its name in tac_svg_plot_end. */
tacStatus tac_svg_plot_begin(const char *path, const tacSvgPlotDef *def, tacSvgPlot *plot, tacError *error);
/* Colours 0 to 5; a dashed curve is for comparison; with `dots` each point is marked. The name goes to the next column
 * of the legend; NULL: none. */
void tac_svg_plot_curve(tacSvgPlot *plot, const char *name, int colour, bool dashed, bool dots, int count,
                        const double *x, const double *y);
/* Text that begins at a place between the axes. */
void tac_svg_plot_text(tacSvgPlot *plot, double x, double y, const char *text);
/* A thin line of a drawing: pixels right of and below the upper left corner of the area between the axes. */
enum { TAC_SVG_PLOT_WIDTH = 744, TAC_SVG_PLOT_HEIGHT = 298 };
void tac_svg_plot_sketch(tacSvgPlot *plot, int colour, int count, const double *x, const double *y);
tacStatus tac_svg_plot_end(tacSvgPlot *plot, tacError *error);
