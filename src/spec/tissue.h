/* The table of tissues: named materials with their sources (docs/tissues.md). */
#pragma once

#include <tactus/scene.h>

typedef struct tacTissue {
  const char *name;           /* "liver"; letters, digits and '-' */
  double young;               /* at small strain, Pa */
  double least, most;         /* what sources give, Pa */
  double poisson;             /* for computing; soft tissue keeps its volume better than this (docs/tissues.md) */
  double density;             /* kg/m^3 */
  const char *source, *about; /* where the modulus is from, and what to know of it */
} tacTissue;
int tac_tissue_count(void);
const tacTissue *tac_tissue_info(int index);        /* NULL where out of range */
const tacTissue *tac_tissue_find(const char *name); /* NULL where there is no such name */
