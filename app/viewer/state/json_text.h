/* Pieces of JSON that are valid whatever they are made from. */
#pragma once

#include <jansson.h>

/* Paths and names may hold any bytes; JSON must be UTF-8: others become question marks. */
json_t *tac_json_text(const char *string);
json_t *tac_json_text_or_null(const char *string); /* null for NULL and "" */
json_t *tac_json_number(double value);             /* 0 for what is not finite */
