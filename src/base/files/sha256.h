/* SHA-256 (FIPS 180-4): identifies bytes so that nobody can make others with the same value. */
#pragma once

#include <stddef.h>

enum { TAC_SHA256_TEXT = 65 }; /* bytes of the text, with the zero at its end */

/* Writes 64 hexadecimal digits in lower case. */
void tac_sha256(const void *bytes, size_t size, char text[TAC_SHA256_TEXT]);
