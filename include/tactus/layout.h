/* How large the public structs are and where their fields lie, for bindings of other languages: what they took from headers
 * is compared with the library that runs, and a difference is told in words before it can harm. */
#ifndef TACTUS_LAYOUT_H
#define TACTUS_LAYOUT_H

#include <stddef.h>
#include <tactus/api.h>

TAC_BEGIN_DECLS

typedef struct tacLayout {
  const char *type;    /* "tacToolInput" */
  const char *field;   /* "grab"; "": the struct itself */
  size_t size, offset; /* bytes */
} tacLayout;

/* Of every public struct first itself, then its fields in their order. Any phase and thread. */
TAC_API int tac_layout_count(void);
TAC_API const tacLayout *tac_layouts(void); /* [tac_layout_count()] */

TAC_END_DECLS

#endif
