/* Lists and finds body kinds. A kind is built into the library, or registered by a plugin or the host program. */
#pragma once

#include <tactus/body_kind.h>

/* Built-in kinds come first. Registered kinds follow in the order of registration. Any thread may call these functions
 * without a lock. */
int tac_body_kind_count(void);
const tacBodyKind *tac_body_kind_at(int index);          /* NULL if `index` is out of range */
const tacBodyKind *tac_body_kind_find(const char *name); /* NULL if no kind has this name */
