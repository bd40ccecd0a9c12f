#include "mesh/text/xml_tag.h"

#include <string.h>

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Goes behind `end`, which must follow. */
static tacStatus pass(tacScanner *s, const char *end) {
  const unsigned char *found = memmem(s->at, tac_scanner_left(s), end, strlen(end));
  if (found == NULL) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected %s", end);
  s->at = found + strlen(end);
  return TAC_OK;
}

tacStatus tac_xml_tag_next(tacScanner *s, tacXmlTag *tag) {
  *tag = (tacXmlTag){.name = {"", 0}, .attributes = {"", 0}};
  for (;;) {
    const unsigned char *open = memchr(s->at, '<', tac_scanner_left(s));
    s->token = open != NULL ? open : s->end;
    s->at = s->token;
    if (open == NULL) return TAC_OK;
    size_t left = tac_scanner_left(s);
    if (left >= 4 && memcmp(open, "<!--", 4) == 0)
      TAC_TRY(pass(s, "-->"));
    else if (left >= 2 && (open[1] == '?' || open[1] == '!'))
      TAC_TRY(pass(s, ">"));
    else
      break;
  }
  const char *at = (const char *)s->at + 1, *end = at;
  char quote = 0;
  for (; end < (const char *)s->end && (quote != 0 || *end != '>'); ++end) {
    if (quote != 0)
      quote = *end == quote ? 0 : quote;
    else if (*end == '"' || *end == '\'')
      quote = *end;
  }
  if (end == (const char *)s->end) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected > at the end of a tag");
  s->at = (const unsigned char *)end + 1;
  tag->closing = at < end && *at == '/';
  if (tag->closing) ++at;
  tag->empty = end > at && end[-1] == '/';
  if (tag->empty) --end;
  const char *name_end = at;
  while (name_end < end && !is_space(*name_end)) ++name_end;
  tag->name = (tacWord){at, (size_t)(name_end - at)};
  tag->attributes = (tacWord){name_end, (size_t)(end - name_end)};
  if (tag->name.length == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the name of a tag");
  return TAC_OK;
}

tacWord tac_xml_tag_attribute(const tacXmlTag *tag, const char *name) {
  const char *at = tag->attributes.text, *end = at + tag->attributes.length;
  while (at < end) {
    while (at < end && is_space(*at)) ++at;
    const char *start = at;
    while (at < end && *at != '=' && !is_space(*at)) ++at;
    tacWord found = {start, (size_t)(at - start)};
    while (at < end && (is_space(*at) || *at == '=')) ++at;
    if (at == end || (*at != '"' && *at != '\'')) break;
    char quote = *at++;
    const char *value = at;
    while (at < end && *at != quote) ++at;
    if (tac_word_is(found, name)) return (tacWord){value, (size_t)(at - value)};
    if (at < end) ++at;
  }
  return (tacWord){"", 0};
}
