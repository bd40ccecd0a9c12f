/* Frames of what is on show. With the lock. */
#pragma once

#include "app/viewer/session/session_core.h"

/* A frame of the moment; NULL where there is nothing to show or nobody to see it. `round` counts the display's. */
tacPacket *tac_session_frame(tacSession *s, int round);
/* All that the running world shows now, without ticks, for as long as it stands; NULL where it has not begun. */
tacPacket *tac_session_still(tacSession *s);
