/* Tissues and other materials by name, with the source of their numbers; docs/tissues.md has the same table.
 *
 * Scenes name them (`material: liver`). Values are of healthy adults unless said otherwise, and starting points: of one
 * organ they vary by a factor of two between people, and by more between ways to measure them. */
#ifndef TACTUS_TISSUE_H
#define TACTUS_TISSUE_H

#include <tactus/api.h>

TAC_BEGIN_DECLS

typedef struct tacTissue {
  const char *name;           /* "liver"; letters, digits and '-' */
  double young;               /* at small strain, Pa */
  double least, most;         /* what sources give, Pa */
  double poisson;             /* for computing; soft tissue keeps its volume better than this (docs/tissues.md) */
  double density;             /* kg/m^3 */
  const char *source, *about; /* where the modulus is from, and what to know of it */
} tacTissue;

TAC_API int tac_tissue_count(void);
TAC_API const tacTissue *tac_tissue_info(int index);        /* NULL where out of range */
TAC_API const tacTissue *tac_tissue_find(const char *name); /* NULL where there is no such name */

TAC_END_DECLS

#endif
