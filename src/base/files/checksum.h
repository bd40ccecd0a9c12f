/* A 64-bit checksum of bytes, the same on every machine: XXH64 with seed 0. It finds accidents, not forgeries. */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t tac_checksum(const void *bytes, size_t size);
