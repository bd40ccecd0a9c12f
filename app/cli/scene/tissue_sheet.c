#include "app/cli/scene/tissue_sheet.h"

#include <stdio.h>
#include <string.h>
#include <tactus/scene.h>
#include "base/text.h"
#include "spec/tissue.h"

enum { INDENT = 15, COLUMNS = 110 };

/* Broken at spaces, behind the names. */
static void print_wrapped(const char *text) {
  while (*text != '\0') {
    size_t room = COLUMNS - INDENT, length = strlen(text);
    if (length > room)
      for (length = room; length > 0 && text[length] != ' ';) --length;
    printf("%*s%.*s\n", INDENT, "", (int)length, text);
    text += length;
    while (*text == ' ') ++text;
  }
}

void tac_tissue_sheet_list(void) {
  for (int i = 0; i < tac_tissue_count(); ++i) {
    const tacTissue *t = tac_tissue_info(i);
    printf("%-*s%s (sources: %s to %s), Poisson's ratio %.4g, %.0f kg/m³\n", INDENT, t->name,
           tac_text_pressure(t->young).text, tac_text_pressure(t->least).text, tac_text_pressure(t->most).text,
           t->poisson, t->density);
    print_wrapped(t->source);
    print_wrapped(t->about);
  }
  printf("\nIn a scene: material: liver, or material: {tissue: liver, young: 8 kPa}. docs/tissues.md says how to "
         "choose.\n");
}
