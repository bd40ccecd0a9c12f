/* Forces on a body over time, from a file that somebody wrote or from a recording of somebody who touched it. Offline. */
#pragma once

#include <tactus/reduced.h>

#define TAC_LOAD_FILE_MOST 4000 /* samples; more are thinned */

/* Either a table in text (mesh/text/table_line.h) with one sample a line under a line of names, "time, x, y, z, fx, fy, fz"
 * and perhaps "radius" (s, m, N, m; body's frame), or a Tactus recording: there, the contacts of the body called
 * `body`, at undeformed points, and a sample without force where none is left. `radius` is that of samples of which
 * the file does not say it. Of more than TAC_LOAD_FILE_MOST times every second, third, ... is taken. `loads` is
 * malloc'ed, in order of time. Errors say where in the file. */
tacStatus tac_load_file_read(const char *path, const char *body, double radius, int *count, tacLoadSample **loads,
                             tacError *error);
/* The same from text in memory; `name` is for errors. */
tacStatus tac_load_file_parse(const char *name, const unsigned char *bytes, size_t size, double radius, int *count,
                              tacLoadSample **loads, tacError *error);
