#include "mesh/formats/ply_header.h"

#include <stdlib.h>
#include "base/memory/array.h"

static tacStatus read_type(tacScanner *s, tacNumberType *type) {
  static const struct {
    const char *name, *sized_name;
    tacNumberType type;
  } types[] = {{"char", "int8", TAC_NUMBER_I8},      {"uchar", "uint8", TAC_NUMBER_U8},
               {"short", "int16", TAC_NUMBER_I16},   {"ushort", "uint16", TAC_NUMBER_U16},
               {"int", "int32", TAC_NUMBER_I32},     {"uint", "uint32", TAC_NUMBER_U32},
               {"float", "float32", TAC_NUMBER_F32}, {"double", "float64", TAC_NUMBER_F64}};
  tacWord word = tac_scanner_word(s);
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    if (!tac_word_is(word, types[i].name) && !tac_word_is(word, types[i].sized_name)) continue;
    *type = types[i].type;
    return TAC_OK;
  }
  return tac_scanner_expected(s, word, "a type such as float or int32");
}

static tacStatus read_property(tacScanner *s, tacPlyHeader *header) {
  if (header->element_count == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "a property must follow an element");
  tacPlyProperty property = {.is_list = false};
  tacScanner ahead = *s;
  if (tac_word_is(tac_scanner_word(&ahead), "list")) {
    tac_scanner_word(s);
    property.is_list = true;
    TAC_TRY(read_type(s, &property.count_type));
    if (property.count_type >= TAC_NUMBER_F32)
      return tac_scanner_fail(s, TAC_ERR_FORMAT, "the length of a list must be an integer");
  }
  TAC_TRY(read_type(s, &property.type));
  property.name = tac_scanner_word(s);
  if (property.name.length == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the name of a property");
  TAC_TRY(tac_array_reserve((void **)&header->properties, &header->property_room, header->property_count + 1,
                            sizeof property, "properties", s->error));
  header->properties[header->property_count++] = property;
  ++header->elements[header->element_count - 1].property_count;
  return TAC_OK;
}

static tacStatus read_format(tacScanner *s, tacPlyHeader *header) {
  tacWord word = tac_scanner_word(s);
  header->binary = !tac_word_is(word, "ascii");
  header->big_endian = tac_word_is(word, "binary_big_endian");
  if (header->binary && !header->big_endian && !tac_word_is(word, "binary_little_endian"))
    return tac_scanner_expected(s, word, "ascii, binary_little_endian or binary_big_endian");
  return tac_scanner_expect(s, "1.0");
}

static tacStatus read_element(tacScanner *s, tacPlyHeader *header) {
  tacPlyElement element = {.name = tac_scanner_word(s), .first_property = header->property_count};
  if (element.name.length == 0) return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the name of an element");
  TAC_TRY(tac_scanner_integer(s, "the number of the element", 0, INT64_MAX, &element.count));
  TAC_TRY(tac_array_reserve((void **)&header->elements, &header->element_room, header->element_count + 1,
                            sizeof element, "elements", s->error));
  header->elements[header->element_count++] = element;
  return TAC_OK;
}

tacStatus tac_ply_header_read(tacScanner *s, tacPlyHeader *header) {
  TAC_TRY(tac_scanner_expect(s, "ply"));
  TAC_TRY(tac_scanner_end_line(s, "ply"));
  bool format_known = false;
  for (;;) {
    s->by_line = true;
    tacWord word = tac_scanner_word(s);
    if (tac_word_is(word, "end_header")) break;
    if (tac_word_is(word, "comment") || tac_word_is(word, "obj_info")) {
      tac_scanner_skip_line(s);
      tac_scanner_at_end(s);
      continue;
    }
    if (tac_word_is(word, "format")) {
      TAC_TRY(read_format(s, header));
      format_known = true;
    } else if (tac_word_is(word, "element")) {
      TAC_TRY(read_element(s, header));
    } else if (tac_word_is(word, "property")) {
      TAC_TRY(read_property(s, header));
    } else {
      return tac_scanner_expected(s, word, "format, element, property, comment or end_header");
    }
    TAC_TRY(tac_scanner_end_line(s, "this line of the header"));
  }
  if (!format_known) return tac_scanner_fail(s, TAC_ERR_FORMAT, "the header has no line that starts with format");
  /* Data begin right after the line: the first byte may look like a blank. */
  if (s->at < s->end && *s->at == '\r') ++s->at;
  if (s->at < s->end && *s->at != '\n')
    return tac_scanner_fail(s, TAC_ERR_FORMAT, "expected the end of the line after end_header");
  tac_scanner_skip_line(s);
  return TAC_OK;
}

void tac_ply_header_free(tacPlyHeader *header) {
  free(header->elements);
  free(header->properties);
  *header = (tacPlyHeader){0};
}

void tac_ply_header_begin_data(const tacPlyHeader *header, tacScanner *s) {
  s->by_line = false;
  s->binary = header->binary;
  s->big_endian = header->big_endian;
}

tacStatus tac_ply_header_check_count(const tacPlyHeader *header, const tacPlyElement *element, tacScanner *s,
                                     const char *things) {
  size_t least = 0; /* bytes of an item */
  for (size_t p = 0; p < element->property_count; ++p) {
    const tacPlyProperty *property = &header->properties[element->first_property + p];
    least += header->binary ? tac_number_type_size(property->is_list ? property->count_type : property->type) : 2;
  }
  s->token = s->at;
  return tac_scanner_check_count(s, element->count, least, things);
}
