/* Models of the gallery: their count, and one by name. */
#pragma once

#include <tactus/meshing.h>

int tac_shape_count(void);
/* NULL where there is no such name. */
const tacShapeInfo *tac_shape_find(const char *name);
