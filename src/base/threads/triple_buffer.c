#include "base/threads/triple_buffer.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Two cache lines of x86-64, which fetches them in pairs; one of some arm64 machines. */
#define SEPARATION 128

enum { INDEX_MASK = 3, NEW_FLAG = 4 };

/* Each thread owns the slot whose index it keeps to itself. The third index is in `shared`, with NEW_FLAG when the writer
 * put it there and the reader has not taken it yet. Both threads give their slot and take the shared one in a single
 * atomic exchange, so the three indices are always a permutation of 0, 1, 2. */
struct tacTripleBuffer {
  alignas(SEPARATION) unsigned writer_slot; /* touched by the writer only */
  alignas(SEPARATION) unsigned reader_slot; /* touched by the reader only */
  alignas(SEPARATION) atomic_uint shared;
  alignas(SEPARATION) size_t stride; /* bytes from slot to slot; constant */
  alignas(SEPARATION) unsigned char slots[];
};

tacStatus tac_triple_buffer_create(size_t slot_size, tacTripleBuffer **buffer, tacError *error) {
  *buffer = NULL;
  if (slot_size > PTRDIFF_MAX / 4 - SEPARATION) return tac_error_memory(error, SIZE_MAX, "a triple buffer");
  size_t stride = (slot_size / SEPARATION + 1) * SEPARATION;
  size_t size = sizeof(tacTripleBuffer) + 3 * stride;
  tacTripleBuffer *created = aligned_alloc(SEPARATION, size);
  if (created == NULL) return tac_error_memory(error, size, "a triple buffer");
  memset(created, 0, size);
  created->writer_slot = 0;
  created->reader_slot = 1;
  atomic_init(&created->shared, 2);
  created->stride = stride;
  *buffer = created;
  return TAC_OK;
}

void tac_triple_buffer_destroy(tacTripleBuffer *buffer) {
  free(buffer);
}

void *tac_triple_buffer_begin(tacTripleBuffer *buffer) {
  return buffer->slots + buffer->writer_slot * buffer->stride;
}

void tac_triple_buffer_publish(tacTripleBuffer *buffer) {
  /* Release: the slot's content is visible to the reader that takes it. Acquire: the reader's last reads of the slot that
   * comes back happen before we overwrite it. */
  unsigned taken = atomic_exchange_explicit(&buffer->shared, buffer->writer_slot | NEW_FLAG, memory_order_acq_rel);
  buffer->writer_slot = taken & INDEX_MASK;
}

const void *tac_triple_buffer_latest(tacTripleBuffer *buffer, bool *is_new) {
  /* Relaxed is enough to look: only the writer sets the flag and only we clear it, so once seen it stays until the
   * exchange, which orders the content: acquire to see what the writer filled in, release so that our reads of the slot
   * that we give come before the writer's next writes to it. */
  bool fresh = (atomic_load_explicit(&buffer->shared, memory_order_relaxed) & NEW_FLAG) != 0;
  if (fresh) {
    unsigned taken = atomic_exchange_explicit(&buffer->shared, buffer->reader_slot, memory_order_acq_rel);
    buffer->reader_slot = taken & INDEX_MASK;
  }
  if (is_new != NULL) *is_new = fresh;
  return buffer->slots + buffer->reader_slot * buffer->stride;
}
