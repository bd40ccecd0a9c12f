/* Forces on a body over time, from a text file or from a recording of touches. Offline. */
#pragma once

#include <tactus/reduced.h>

#define TAC_LOAD_FILE_MOST 4000 /* samples; larger files are thinned */

/* Reads a text table (mesh/text/table_line.h) or a Tactus recording. A table has a line of names, "time, x, y, z, fx,
 * fy, fz" and optionally "radius" (s, m, N, m; body's frame), then one sample per line. A recording gives the contacts
 * of the body called `body`, at undeformed points, and a sample without force when the last contact ends. `radius` is
 * used for samples that have none. If there are more than TAC_LOAD_FILE_MOST times, only every second, third, ... time
 * is used. `loads` is from malloc, in order of time. Errors give the position in the file. */
tacStatus tac_load_file_read(const char *path, const char *body, double radius, int *count, tacLoadSample **loads,
                             tacError *error);
/* The same from text in memory; `name` is for errors. */
tacStatus tac_load_file_parse(const char *name, const unsigned char *bytes, size_t size, double radius, int *count,
                              tacLoadSample **loads, tacError *error);
