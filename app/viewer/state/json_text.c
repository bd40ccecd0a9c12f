#include "app/viewer/state/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *tac_json_text(const char *string) {
  json_t *made = json_string(string);
  if (made != NULL) return made;
  size_t length = strlen(string);
  char *clean = malloc(length + 1);
  if (clean == NULL) return NULL;
  for (size_t i = 0; i <= length; ++i) clean[i] = (unsigned char)string[i] < 128 ? string[i] : '?';
  made = json_string(clean);
  free(clean);
  return made;
}

json_t *tac_json_number(double value) {
  return json_real(isfinite(value) ? value : 0.0);
}

json_t *tac_json_text_or_null(const char *string) {
  return string != NULL && string[0] != 0 ? tac_json_text(string) : json_null();
}
