#include "app/viewer/protocol/packet.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/memory/array.h"

struct tacPacket {
  atomic_int references;
  size_t size;
  unsigned char bytes[];
};

tacStatus tac_packet_create(size_t size, tacPacket **packet, tacError *error) {
  *packet = NULL;
  if (size > SIZE_MAX - sizeof **packet) return tac_error_memory(error, size, "a packet");
  tacPacket *made = tac_array_create(sizeof *made + size, 1, "a packet", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  atomic_init(&made->references, 1);
  made->size = size;
  *packet = made;
  return TAC_OK;
}

unsigned char *tac_packet_bytes(tacPacket *packet) {
  return packet->bytes;
}

size_t tac_packet_size(const tacPacket *packet) {
  return packet->size;
}

void tac_packet_shorten(tacPacket *packet, size_t size) {
  if (size < packet->size) packet->size = size;
}

tacPacket *tac_packet_share(tacPacket *packet) {
  atomic_fetch_add_explicit(&packet->references, 1, memory_order_relaxed);
  return packet;
}

void tac_packet_release(tacPacket *packet) {
  /* The last one must see what all others did with it. */
  if (packet != NULL && atomic_fetch_sub_explicit(&packet->references, 1, memory_order_acq_rel) == 1) free(packet);
}
