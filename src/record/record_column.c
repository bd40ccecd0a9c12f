#include "record/record_column.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include "mesh/text/number_text.h"

_Static_assert(sizeof(int) == 4 && sizeof(tacContactState) == 4 && sizeof(double) == 8, "columns hold 4 or 8 bytes");

#define TICK(field, unit, type, output) \
  { #field, unit, TAC_RECORD_##type, output, -1, offsetof(tacTickRecord, field) }
#define REPORT(field, unit, type) \
  { "report." #field, unit, TAC_RECORD_##type, true, -1, offsetof(tacTickRecord, report.field) }
#define TOOL(field, unit, type, output) \
  { #field, unit, TAC_RECORD_##type, output, 0, offsetof(tacTickRecord, tool[0].field) }
#define NUMBERED(field, number, unit, output) \
  { #field "." #number, unit, TAC_RECORD_F64, output, 0, offsetof(tacTickRecord, tool[0].field[number]) }
#define QUATERNION(field, output)                                                                 \
  NUMBERED(field, 0, "", output), NUMBERED(field, 1, "", output), NUMBERED(field, 2, "", output), \
      NUMBERED(field, 3, "", output)
#define VECTOR(field, unit, output) \
  TOOL(field.x, unit, F64, output), TOOL(field.y, unit, F64, output), TOOL(field.z, unit, F64, output)

/* The order is that of the file: a change is a new version of it. */
static const tacRecordColumn tick_columns[] = {
    TICK(tick, "", I64, false),
    TICK(late_ns, "ns", I64, false),
    TICK(compute_ns, "ns", I64, false),
    TICK(flags, "", U32, false),
    REPORT(contact_count, "", I32),
    REPORT(sweeps, "", I32),
    REPORT(residual, "m", F64),
    REPORT(residual_force, "N", F64),
    REPORT(unsolved, "", I32),
    REPORT(laws, "", I32),
    REPORT(saturated, "", I32),
    REPORT(uncoupled, "", I32),
    REPORT(refused, "", I32),
    REPORT(limited, "", I32),
    REPORT(touching, "", I32),
    REPORT(visited, "", I32),
    REPORT(points, "", I32),
    REPORT(level, "", I32),
    REPORT(degraded, "", I32),
    TICK(parameter, "", I32, false),
    TICK(parameter_value, "", F64, false),
    REPORT(renewed, "", U32),
    REPORT(error_estimate, "", F64),
    REPORT(error_body, "", I32),
    REPORT(coupling_saturated, "", I32),
};
static const tacRecordColumn tool_columns[] = {
    VECTOR(device.position, "m", false),
    QUATERNION(device.orientation, false),
    TOOL(device.buttons, "", U32, false),
    TOOL(health, "", I32, false),
    VECTOR(position, "m", false),
    QUATERNION(orientation, false),
    TOOL(grab, "", I32, false),
    TOOL(lifted, "", I32, false),
    VECTOR(output.force, "N", true),
    VECTOR(output.torque, "N m", true),
    VECTOR(output.proxy, "m", true),
    QUATERNION(output.proxy_orientation, true),
    TOOL(output.depth, "m", F64, true),
    TOOL(output.contact.state, "", I32, true),
    TOOL(output.contact.body, "", U32, true),
    TOOL(output.contact.triangle, "", I32, true),
    NUMBERED(output.contact.weight, 0, "", true),
    NUMBERED(output.contact.weight, 1, "", true),
    NUMBERED(output.contact.weight, 2, "", true),
    VECTOR(output.contact.at, "m", true),
    VECTOR(output.contact.normal, "", true),
    VECTOR(output.contact.deformed, "m", true),
    VECTOR(output.contact.force, "N", true),
    TOOL(output.saturated, "", I32, true),
    VECTOR(written, "N", false),
    VECTOR(written_torque, "N m", false),
    TOOL(limits, "", U32, false),
};
enum { TICK_COLUMNS = sizeof tick_columns / sizeof *tick_columns };
enum { TOOL_COLUMNS = sizeof tool_columns / sizeof *tool_columns };

int tac_record_column_count(int tool_count) {
  return TICK_COLUMNS + tool_count * TOOL_COLUMNS;
}

tacRecordColumn tac_record_column(int index) {
  if (index < TICK_COLUMNS) return tick_columns[index];
  index -= TICK_COLUMNS;
  tacRecordColumn column = tool_columns[index % TOOL_COLUMNS];
  column.tool = index / TOOL_COLUMNS;
  column.offset += (size_t)column.tool * sizeof(tacToolRecord);
  return column;
}

size_t tac_record_column_size(const tacRecordColumn *column) {
  return column->type == TAC_RECORD_F64 || column->type == TAC_RECORD_I64 ? 8 : 4;
}

uint64_t tac_record_column_bits(const tacRecordColumn *column, const void *record) {
  const unsigned char *place = (const unsigned char *)record + column->offset;
  if (tac_record_column_size(column) == 4) {
    uint32_t bits;
    memcpy(&bits, place, sizeof bits);
    return bits;
  }
  uint64_t bits;
  memcpy(&bits, place, sizeof bits);
  return bits;
}

void tac_record_column_set_bits(const tacRecordColumn *column, uint64_t bits, void *record) {
  unsigned char *place = (unsigned char *)record + column->offset;
  uint32_t low = (uint32_t)bits;
  if (tac_record_column_size(column) == 4)
    memcpy(place, &low, sizeof low);
  else
    memcpy(place, &bits, sizeof bits);
}

size_t tac_record_column_print(const tacRecordColumn *column, const void *record,
                               char text[TAC_RECORD_COLUMN_TEXT_SIZE]) {
  _Static_assert(TAC_RECORD_COLUMN_TEXT_SIZE >= TAC_NUMBER_TEXT_SIZE, "a double's text fits");
  uint64_t bits = tac_record_column_bits(column, record);
  int length = 0;
  switch (column->type) {
    case TAC_RECORD_F64: {
      double value;
      memcpy(&value, &bits, sizeof value);
      if (isfinite(value)) return tac_number_text_print(value, text);
      length = snprintf(text, TAC_RECORD_COLUMN_TEXT_SIZE, "%s", isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
      break;
    }
    case TAC_RECORD_I64: length = snprintf(text, TAC_RECORD_COLUMN_TEXT_SIZE, "%" PRId64, (int64_t)bits); break;
    case TAC_RECORD_I32: length = snprintf(text, TAC_RECORD_COLUMN_TEXT_SIZE, "%" PRId32, (int32_t)bits); break;
    case TAC_RECORD_U32: length = snprintf(text, TAC_RECORD_COLUMN_TEXT_SIZE, "%" PRIu32, (uint32_t)bits); break;
  }
  return (size_t)length;
}

size_t tac_record_size(int tool_count) {
  return offsetof(tacTickRecord, tool) + (size_t)tool_count * sizeof(tacToolRecord);
}
