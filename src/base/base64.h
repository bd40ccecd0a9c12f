/* Bytes as text (RFC 4648). */
#pragma once

#include <stddef.h>
#include <stdio.h>

#define TAC_BASE64_SIZE(bytes) (((bytes) + 2) / 3 * 4 + 1) /* of the text, with the zero at its end */

void tac_base64_text(const unsigned char *bytes, size_t size, char *text);
void tac_base64_write(const unsigned char *bytes, size_t size, FILE *stream);
