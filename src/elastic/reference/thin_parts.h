/* Is a surface fine enough for boundary elements? Offline. */
#pragma once

#include <stdbool.h>
#include <tactus/mesh.h>

/* TAC_ERR_GEOMETRY where a closed surface crosses itself, and where more than a tenth of its area has triangles whose edges (the
 * mean of three) are longer than 1.2 times what the body is thick there (mesh/query/thickness.h), unless `accept`. Linear elements
 * cannot bend without shearing, by about 1 + 0.9 (edge / thickness)^2 too stiff: a plate or beam with edges as long as it is
 * thick has half of its compliance, one with edges of half of it nine tenths (docs/green.md). */
tacStatus tac_thin_parts_check(const tacTriMesh *surface, bool accept, tacError *error);
/* Writes a warning to the log where those edges are longer than 0.6 times the thickness. */
tacStatus tac_thin_parts_warn(const tacTriMesh *surface, tacError *error);
