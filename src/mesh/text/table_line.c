#include "mesh/text/table_line.h"

#include <string.h>
#include "mesh/text/number_text.h"

static tacStatus fail_at(tacScanner *scanner, tacWord word, const char *before, const char *what) {
  scanner->token = (const unsigned char *)word.text;
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "%s%s%s", before, tac_word_quote(scanner, word).text, what);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static tacWord trim(tacWord word) {
  for (; word.length > 0 && is_blank(*word.text); --word.length) ++word.text;
  while (word.length > 0 && is_blank(word.text[word.length - 1])) --word.length;
  return word;
}

/* How long the word is up to the separator; 0: up to a blank. */
static size_t length_to(tacWord rest, char separator) {
  size_t length = 0;
  while (length < rest.length && (separator != 0 ? rest.text[length] != separator : !is_blank(rest.text[length])))
    ++length;
  return length;
}

static tacStatus add(tacScanner *scanner, tacTableLine *line, tacWord column, char separator) {
  if (line->count == TAC_TABLE_LINE_MOST)
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "the line has more than %d columns, which is the limit",
                            TAC_TABLE_LINE_MOST);
  for (size_t i = 0; separator == ',' && i < column.length; ++i)
    if (is_blank(column.text[i]))
      return fail_at(scanner, column, "the columns have a comma between them: ",
                     "; write decimals with a point, and separate columns by either commas or blanks");
  line->columns[line->count++] = column;
  return TAC_OK;
}

tacStatus tac_table_line_read(tacScanner *scanner, tacTableLine *line) {
  tacWord rest = tac_scanner_rest_of_line(scanner);
  char separator = 0;
  *line = (tacTableLine){.count = 0};
  if (memchr(rest.text, ';', rest.length) != NULL)
    separator = ';';
  else if (memchr(rest.text, ',', rest.length) != NULL)
    separator = ',';
  for (bool more = rest.length > 0; more;) {
    size_t length = length_to(rest, separator);
    TAC_TRY(add(scanner, line, trim((tacWord){rest.text, length}), separator));
    more = length < rest.length;
    rest = (tacWord){rest.text + length + more, rest.length - length - more};
    if (separator == 0) rest = trim(rest);
  }
  tac_scanner_at_end(scanner);
  return TAC_OK;
}

bool tac_table_line_is_head(const tacTableLine *line) {
  double value;
  tacWord first = line->count > 0 ? line->columns[0] : (tacWord){"", 0};
  char c = first.length > 0 ? (char)(*first.text | 0x20) : '0';
  return c >= 'a' && c <= 'z' && !tac_number_text_double(first.text, first.length, &value);
}

tacStatus tac_table_line_check_head(tacScanner *scanner, const tacTableLine *line, const char *const *names) {
  for (int i = 0; i < line->count; ++i) {
    if (tac_word_is_nocase(line->columns[i], names[i])) continue;
    scanner->token = (const unsigned char *)line->columns[i].text;
    return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "%s is the name of column %d; it must be %s",
                            tac_word_quote(scanner, line->columns[i]).text, i + 1, names[i]);
  }
  return TAC_OK;
}

tacStatus tac_table_line_double(tacScanner *scanner, const tacTableLine *line, int column, const char *what,
                                double *value) {
  tacWord word = line->columns[column];
  if (tac_number_text_double(word.text, word.length, value)) return TAC_OK;
  scanner->token = (const unsigned char *)word.text;
  if (memchr(word.text, ',', word.length) != NULL)
    return fail_at(scanner, word, "the number has a comma: ", "; write decimals with a point, not a comma");
  return tac_scanner_fail(scanner, TAC_ERR_FORMAT, "expected %s (a finite number), found %s", what,
                          word.length > 0 ? tac_word_quote(scanner, word).text : "nothing");
}
