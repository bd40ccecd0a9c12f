/* Numbers as people read them. Each function returns its text by value: tac_text_count(n).text lasts to the end of the
 * expression that calls it. */
#pragma once

#include <tactus/base.h>

typedef struct tacText {
  char text[96];
} tacText;

tacText tac_text_count(long long count);                  /* 103,211 */
tacText tac_text_many(long long count, const char *noun); /* "1 vertex", "5,120 triangles": `noun` is the singular */
tacText tac_text_bytes(double bytes);                     /* 1.2 MB */
tacText tac_text_seconds(double seconds);                 /* 0.84 s, 35 ms, 2 min 5 s */
tacText tac_text_share(double share);           /* 99.97 %; "more than 99.99 %" where less than all would round to it */
tacText tac_text_pressure(double pascals);      /* 5.5 kPa, 210 GPa */
tacText tac_text_length(double metres);         /* 12.5 mm */
tacText tac_text_written_length(double metres); /* 12.5 mm, 0: three digits, in a unit that scenes take */
tacText tac_text_area(double square_metres);    /* 3.1 cm² */
tacText tac_text_volume(double cubic_metres);   /* 1.53 cm³ */
tacText tac_text_size(tacBox box);              /* 100 × 60 × 45 mm */
