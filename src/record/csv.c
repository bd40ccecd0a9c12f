#include <stdio.h>
#include <tactus/recording.h>
#include "base/error.h"
#include "base/files/new_file.h"
#include "record/record_column.h"

static void write_header(FILE *stream, int column_count) {
  fputs("time [s]", stream);
  for (int c = 0; c < column_count; ++c) {
    tacRecordColumn column = tac_record_column(c);
    fputc(',', stream);
    if (column.tool >= 0) fprintf(stream, "tool%d.", column.tool);
    fputs(column.name, stream);
    if (column.unit[0] != 0) fprintf(stream, " [%s]", column.unit);
  }
  fputc('\n', stream);
}

static void write_row(FILE *stream, int column_count, double period, const tacTickRecord *record) {
  static const tacRecordColumn whole_double = {.type = TAC_RECORD_F64};
  char text[TAC_RECORD_COLUMN_TEXT_SIZE];
  double time = (double)record->tick * period;
  fwrite(text, 1, tac_record_column_print(&whole_double, &time, text), stream);
  for (int c = 0; c < column_count; ++c) {
    tacRecordColumn column = tac_record_column(c);
    fputc(',', stream);
    fwrite(text, 1, tac_record_column_print(&column, record, text), stream);
  }
  fputc('\n', stream);
}

tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error) {
  TAC_REQUIRE(error, recording, path);
  const tacRecordingInfo *info = tac_recording_info(recording);
  int column_count = tac_record_column_count(info->tool_count);
  tacNewFile file;
  tacStatus status = tac_new_file_open(path, &file, error);
  if (status != TAC_OK) return status;
  write_header(file.stream, column_count);
  for (int64_t i = 0; i < tac_recording_tick_count(recording) && status == TAC_OK; ++i) {
    tacTickRecord record;
    status = tac_recording_tick(recording, i, &record, error);
    if (status == TAC_OK) write_row(file.stream, column_count, info->period, &record);
  }
  if (status == TAC_OK) return tac_new_file_commit(&file, error);
  tac_new_file_discard(&file);
  return status;
}
