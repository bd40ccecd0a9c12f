#include <tactus/recording.h>
#include "recorded_file.h"

enum { TOOLS = 2, TICKS = 1500, MOST_COLUMNS = 300 };

/* Cuts a line at its commas; returns the rest of the text. */
static char *split(char *text, char **cells, int *count) {
  char *end = strchr(text, '\n');
  ck_assert_ptr_nonnull(end);
  *end = 0;
  *count = 0;
  for (char *cell = text; cell != NULL; ++*count) {
    ck_assert_int_lt(*count, MOST_COLUMNS);
    cells[*count] = cell;
    cell = strchr(cell, ',');
    if (cell != NULL) *cell++ = 0;
  }
  return end + 1;
}

static int find(char *const *header, int count, const char *name) {
  for (int i = 0; i < count; ++i)
    if (strcmp(header[i], name) == 0) return i;
  ck_abort_msg("no column \"%s\"", name);
  return -1;
}

static void expect_double(const char *cell, double value) {
  char *end;
  double found = strtod(cell, &end);
  ck_assert_int_eq(*end, 0);
  if (value != value)
    ck_assert(found != found);
  else
    ck_assert_mem_eq(&found, &value, sizeof value);
}

TAC_TEST_AROUND(set_up, clean_up)

TAC_TEST(every_row_reads_back) {
  const char *csv = tac_test_path("run.csv");
  tac_write_recording(path, TOOLS, TICKS);
  TAC_OWN(tacRecording, recording) = open_recording();
  tac_test_ok(tac_recording_write_csv(recording, csv, &error), error);
  TAC_FREED(tac_input_file_free, tacInputFile, file);
  tac_test_ok(tac_input_file_read(csv, TAC_INPUT_ANY, &file, &error), error);
  char *header[MOST_COLUMNS], *cells[MOST_COLUMNS], *text = (char *)file.bytes;
  int columns, count;
  text = split(text, header, &columns);
  ck_assert_str_eq(header[0], "time [s]");
  int tick = find(header, columns, "tick"), late = find(header, columns, "late_ns [ns]");
  int residual = find(header, columns, "report.residual [m]"), flags = find(header, columns, "flags");
  int force = find(header, columns, "tool0.output.force.x [N]"), at = find(header, columns, "tool1.position.z [m]");
  int weight = find(header, columns, "tool1.output.contact.weight.2"),
      body = find(header, columns, "tool1.output.contact.body");
  int written = find(header, columns, "tool1.written.x [N]"),
      torque = find(header, columns, "tool1.written_torque.z [N m]");
  int state = find(header, columns, "tool0.output.contact.state");
  for (int i = 0; i < TICKS; ++i) {
    tacTickRecord record;
    tac_make_tick(i, TOOLS, &record);
    text = split(text, cells, &count);
    ck_assert_int_eq(count, columns);
    expect_double(cells[0], i * 0.001);
    ck_assert_int_eq(strtoll(cells[tick], NULL, 10), i);
    ck_assert_int_eq(strtoll(cells[late], NULL, 10), record.late_ns);
    ck_assert_uint_eq(strtoul(cells[flags], NULL, 10), record.flags);
    ck_assert_int_eq(strtol(cells[state], NULL, 10), record.tool[0].output.contact.state);
    ck_assert_uint_eq(strtoul(cells[body], NULL, 10), record.tool[1].output.contact.body);
    expect_double(cells[residual], record.report.residual);
    expect_double(cells[force], record.tool[0].output.force.x);
    expect_double(cells[at], record.tool[1].position.z);
    expect_double(cells[weight], record.tool[1].output.contact.weight[2]);
    expect_double(cells[written], record.tool[1].written.x);
    expect_double(cells[torque], record.tool[1].written_torque.z);
  }
  ck_assert_int_eq(*text, 0);
  ck_assert_int_eq(tac_recording_write_csv(recording, "/no/such/folder/run.csv", &error), TAC_ERR_FILE);
}
