#include "app/cli/base64.h"

void tac_base64_write(const unsigned char *bytes, size_t size, FILE *stream) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    unsigned group = (unsigned)bytes[i] << 16;
    if (left > 1) group |= (unsigned)bytes[i + 1] << 8;
    if (left > 2) group |= bytes[i + 2];
    char text[4] = {digits[group >> 18], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
                    left > 2 ? digits[group & 63] : '='};
    fwrite(text, 1, sizeof text, stream);
  }
}
