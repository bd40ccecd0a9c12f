/* Bytes as text (RFC 4648), for pictures inside a page. */
#pragma once

#include <stddef.h>
#include <stdio.h>

void tac_base64_write(const unsigned char *bytes, size_t size, FILE *stream);
