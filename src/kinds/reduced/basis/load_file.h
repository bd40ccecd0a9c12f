/* Reads forces on a body over time from a text file or from a Tactus recording. Offline. */
#pragma once

#include <tactus/reduced.h>

#define TAC_LOAD_FILE_MOST 4000 /* approximate limit of the sample times used from one file */

/* Reads a text table (mesh/text/table_line.h) or a Tactus recording.
 *
 * The first line of a table contains the column names "time, x, y, z, fx, fy, fz" and optionally "radius". Each further
 * line is one sample (s, m, N, m; in the frame of the body). A recording gives the contacts of the body named `body`,
 * at points of the undeformed body. A sample with zero force marks the end of contact. `radius` applies to samples
 * without a radius.
 *
 * If a file has more than TAC_LOAD_FILE_MOST times, only every n-th time and all times without a force are used.
 * `loads` is in order of time, allocated with malloc. Errors give the position in the file. */
tacStatus tac_load_file_read(const char *path, const char *body, double radius, int *count, tacLoadSample **loads,
                             tacError *error);
/* Reads a text table from memory. `name` is the file name in errors. */
tacStatus tac_load_file_parse(const char *name, const unsigned char *bytes, size_t size, double radius, int *count,
                              tacLoadSample **loads, tacError *error);
