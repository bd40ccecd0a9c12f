/* Bytes as text (RFC 4648), for pictures inside a page. */
#ifndef TAC_CLI_BASE64_H
#define TAC_CLI_BASE64_H

#include <stddef.h>
#include <stdio.h>

void tac_base64_write(const unsigned char *bytes, size_t size, FILE *stream);

#endif
