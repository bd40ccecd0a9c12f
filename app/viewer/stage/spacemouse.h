/* A SpaceMouse, where libspnav was there at the build and its daemon (spacenavd) runs; else there is none. One at a
 * time, used by one thread: libspnav keeps its connection in globals. */
#pragma once

#include <stdbool.h>
#include <tactus/base.h>

typedef struct tacSpaceMouse tacSpaceMouse;

/* NULL at once where no daemon runs; one that does not answer costs 0.3 s. The environment's SPNAV_SOCKET may name the
 * daemon's socket. Call it once, not in a loop: libspnav 1.0 loses some 50 bytes on each failure. */
tacSpaceMouse *tac_spacemouse_open(void);

/* The latest state; never waits. `velocity` and `spin` are -1 to 1 for each axis, 0 in the middle 3 %: x to the right,
 * y up, z towards the person; spin turns about these by the right-hand rule. Bit b of `buttons` is button b, pressed.
 * False once the daemon has gone, or where `mouse` is NULL: all is zero then.
 *
 * Read it at the rate of the display even while nothing is to move. Some hundred unread events fill the socket; the
 * daemon then drops new ones, the one that says that the cap is back at rest among them. */
bool tac_spacemouse_read(tacSpaceMouse *mouse, tacVec3 *velocity, tacVec3 *spin, unsigned *buttons);

void tac_spacemouse_close(tacSpaceMouse *mouse); /* NULL is allowed */
