/* What ticks cost and gave, for plots: the message `ticks` (docs/viewer_protocol.md). */
#pragma once

#include <tactus/servo.h>
#include "app/viewer/protocol/packet.h"

/* How many of the first samples are of consecutive ticks: a gap begins another message. 0 of none. */
int tac_ticks_stretch(int count, const tacTickSample *samples);
/* Of consecutive ticks. */
tacStatus tac_ticks_packet(int tool_count, int count, const tacTickSample *samples, uint32_t load, tacPacket **packet,
                           tacError *error);
