/* The header of a PLY file: which elements it has, and the properties of each. */
#pragma once

#include "mesh/text/scanner.h"

typedef struct tacPlyProperty {
  tacWord name;
  bool is_list;
  tacNumberType count_type, type;
} tacPlyProperty;

typedef struct tacPlyElement {
  tacWord name;
  int64_t count;
  size_t first_property, property_count;
} tacPlyElement;

typedef struct tacPlyHeader {
  tacPlyElement *elements;
  size_t element_count, element_room;
  tacPlyProperty *properties;
  size_t property_count, property_room;
  bool binary, big_endian;
} tacPlyHeader;

/* Reads up to the first byte of data. Names refer to the scanner's bytes. `header` starts zeroed and is freed by the
 * caller, also after a failure. Errors still name lines until tac_ply_header_begin_data. */
tacStatus tac_ply_header_read(tacScanner *scanner, tacPlyHeader *header);
void tac_ply_header_free(tacPlyHeader *header);
/* From here on the scanner reads data. */
void tac_ply_header_begin_data(const tacPlyHeader *header, tacScanner *scanner);
/* Refuses an element that the rest of the file could not hold. `things` names its items. */
tacStatus tac_ply_header_check_count(const tacPlyHeader *header, const tacPlyElement *element, tacScanner *scanner,
                                     const char *things);
