#include "mesh/formats/number_writer.h"

#include <inttypes.h>
#include "mesh/text/byte_order.h"
#include "mesh/text/number_text.h"

void tac_number_write_integer(tacNumberWriter *writer, size_t size, int64_t value) {
  if (writer->binary) {
    unsigned char bytes[8];
    if (size > sizeof bytes) size = sizeof bytes; /* for compilers that do not know it */
    tac_bytes_store(bytes, size, writer->big_endian, (uint64_t)value);
    fwrite(bytes, 1, size, writer->stream);
    return;
  }
  fprintf(writer->stream, "%s%" PRId64, writer->in_record ? " " : "", value);
  writer->in_record = true;
}

void tac_number_write_point(tacNumberWriter *writer, tacVec3 point) {
  if (writer->binary) {
    const double xyz[3] = {point.x, point.y, point.z};
    unsigned char bytes[24];
    for (int i = 0; i < 3; ++i) tac_bytes_store_double(bytes + 8 * i, writer->big_endian, xyz[i]);
    fwrite(bytes, 1, sizeof bytes, writer->stream);
    return;
  }
  if (writer->in_record) fputc(' ', writer->stream);
  tac_number_text_write_point(writer->stream, point);
  writer->in_record = true;
}

void tac_number_end_record(tacNumberWriter *writer) {
  if (!writer->binary) fputc('\n', writer->stream);
  writer->in_record = false;
}

void tac_number_write_record(tacNumberWriter *writer, size_t size, int count, const int64_t *values) {
  for (int i = 0; i < count; ++i) tac_number_write_integer(writer, size, values[i]);
  tac_number_end_record(writer);
}
