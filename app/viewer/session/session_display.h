/* The thread that shows: 60 frames a second, the state where it changed, what a SpaceMouse does. */
#pragma once

/* `context` is the session; until it ends. */
void tac_session_display(void *context);
