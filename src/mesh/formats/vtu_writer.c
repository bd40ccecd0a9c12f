#include "mesh/formats/vtu_writer.h"

#include <inttypes.h>
#include <string.h>
#include "mesh/contents/group_flags.h"
#include "mesh/formats/number_writer.h"

static void write_numbers(tacNumberWriter *writer, const tacVtuField *field) {
  for (int64_t i = 0; i < field->count; ++i) {
    if (field->point != NULL)
      tac_number_write_point(writer, field->point(field->source, i));
    else
      tac_number_write_integer(writer, (size_t)field->size, field->integer(field->source, i));
    tac_number_end_record(writer);
  }
}

static int64_t bytes_of(const tacVtuField *field) {
  return field->count * (field->point != NULL ? 24 : field->size);
}

/* In text the array with its numbers; in binary its offset, by which the next one's grows. */
static void write_field(tacNumberWriter *writer, const tacVtuField *field, int64_t *offset) {
  FILE *stream = writer->stream;
  const char *type = field->point != NULL ? "Float64"
                     : field->size == 1   ? "UInt8"
                     : field->size == 4   ? "Int32"
                                          : "Int64";
  fprintf(stream, "<DataArray type=\"%s\"%s Name=\"", type, field->point != NULL ? " NumberOfComponents=\"3\"" : "");
  tac_group_flag_write_name(stream, field->prefix, field->name);
  fputc('"', stream);
  if (writer->binary) {
    fprintf(stream, " format=\"appended\" offset=\"%" PRId64 "\"/>\n", *offset);
    *offset += 8 + bytes_of(field);
    return;
  }
  fputs(" format=\"ascii\">\n", stream);
  write_numbers(writer, field);
  fputs("</DataArray>\n", stream);
}

void tac_vtu_write_grid(FILE *stream, bool binary, int64_t point_count, int64_t cell_count, int field_count,
                        const tacVtuField *fields) {
  static const char *const sections[] = {"Points", "Cells", "PointData", "CellData"};
  tacNumberWriter writer = {.stream = stream, .binary = binary};
  int64_t offset = 0;
  fprintf(stream,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64
          "\">\n",
          point_count, cell_count);
  for (size_t s = 0; s < sizeof sections / sizeof *sections; ++s) {
    fprintf(stream, "<%s>\n", sections[s]);
    for (int f = 0; f < field_count; ++f)
      if (strcmp(fields[f].section, sections[s]) == 0) write_field(&writer, &fields[f], &offset);
    fprintf(stream, "</%s>\n", sections[s]);
  }
  fputs("</Piece>\n</UnstructuredGrid>\n", stream);
  if (binary) {
    fputs("<AppendedData encoding=\"raw\">\n_", stream);
    for (int f = 0; f < field_count; ++f) {
      tac_number_write_integer(&writer, 8, bytes_of(&fields[f]));
      write_numbers(&writer, &fields[f]);
    }
    fputs("\n</AppendedData>\n", stream);
  }
  fputs("</VTKFile>\n", stream);
}
