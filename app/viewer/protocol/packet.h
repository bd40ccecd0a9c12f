/* Bytes on their way to the viewer's clients: written once, then shared and unchanging, freed with the last
 * reference. */
#pragma once

#include <stddef.h>
#include <tactus/base.h>

typedef struct tacPacket tacPacket;

tacStatus tac_packet_create(size_t size, tacPacket **packet, tacError *error); /* zeroed, one reference */
unsigned char *tac_packet_bytes(tacPacket *packet);
size_t tac_packet_size(const tacPacket *packet);
void tac_packet_shorten(tacPacket *packet, size_t size); /* before it is shared */
tacPacket *tac_packet_share(tacPacket *packet);          /* any thread */
void tac_packet_release(tacPacket *packet);              /* any thread; NULL is allowed */
