/* The latest value, handed from one writing thread to one reading thread that run at their own rates.
 *
 * Neither ever waits, and neither ever sees a slot that the other uses: with three slots, one is always the writer's, one
 * the reader's, and the third holds the latest published value. Values in between may be skipped. Creation is for the load
 * phase; begin, publish and latest are wait-free and for any phase. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct tacTripleBuffer tacTripleBuffer;

/* Slots of `slot_size` bytes, zeroed, each on cache lines of its own. */
tacStatus tac_triple_buffer_create(size_t slot_size, tacTripleBuffer **buffer, tacError *error);
void tac_triple_buffer_destroy(tacTripleBuffer *buffer); /* NULL is allowed; no thread may use it any more */

/* Writer: the slot to fill, whose content is some earlier value (or zeros). The same slot until it is published. */
void *tac_triple_buffer_begin(tacTripleBuffer *buffer);
/* Writer: makes that slot the latest value. */
void tac_triple_buffer_publish(tacTripleBuffer *buffer);

/* Reader: the latest value, zeros before the first is published. It stays unchanged until the next call. `is_new` (may be
 * NULL) tells whether it was published since the last call. */
const void *tac_triple_buffer_latest(tacTripleBuffer *buffer, bool *is_new);
