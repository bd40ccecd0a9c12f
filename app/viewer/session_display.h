/* The thread that shows: 60 frames a second, the state where it changed, what a SpaceMouse does. */
#ifndef TAC_VIEWER_SESSION_DISPLAY_H
#define TAC_VIEWER_SESSION_DISPLAY_H

/* `context` is the session; until it ends. */
void tac_session_display(void *context);

#endif
