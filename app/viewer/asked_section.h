/* Of a frame: the ticks in which a limit kept what a tool asked for from its hand. */
#ifndef TAC_VIEWER_ASKED_SECTION_H
#define TAC_VIEWER_ASKED_SECTION_H

#include <tactus/servo.h>
#include "app/viewer/protocol.h"

size_t tac_asked_section_bytes(int count, const tacTickSample *samples, int tools);
/* Returns how many sections were written: none where nothing was limited. */
int tac_asked_section_write(int count, const tacTickSample *samples, int tools, tacByteWriter *w);

#endif
