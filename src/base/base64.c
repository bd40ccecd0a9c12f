#include "base/base64.h"

void tac_base64_text(const unsigned char *bytes, size_t size, char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    unsigned group = (unsigned)bytes[i] << 16;
    if (left > 1) group |= (unsigned)bytes[i + 1] << 8;
    if (left > 2) group |= bytes[i + 2];
    *text++ = digits[group >> 18];
    *text++ = digits[group >> 12 & 63];
    *text++ = left > 1 ? digits[group >> 6 & 63] : '=';
    *text++ = left > 2 ? digits[group & 63] : '=';
  }
  *text = 0;
}

void tac_base64_write(const unsigned char *bytes, size_t size, FILE *stream) {
  enum { PART = 768 }; /* a multiple of 3: only the last part is padded */
  char text[TAC_BASE64_SIZE(PART)];
  for (size_t i = 0; i < size; i += PART) {
    tac_base64_text(bytes + i, size - i < PART ? size - i : PART, text);
    fputs(text, stream);
  }
}
