/* A 64-bit checksum of bytes, the same on every machine: XXH64 with seed 0. It finds accidents, not forgeries. */
#ifndef TAC_BASE_CHECKSUM_H
#define TAC_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t tac_checksum(const void *bytes, size_t size);

#endif
