/* What a session's clients are told. With the lock, unless it says otherwise; `client` 0: all that have been greeted. */
#pragma once

#include "app/viewer/session/session_core.h"

void tac_session_tell_welcome(tacSession *s, int client);
/* To the client alone: it may not touch with this tool. */
void tac_session_tell_held(tacSession *s, int client, int tool);
/* The state says who has which tool. */
void tac_session_note_hands(tacSession *s);
void tac_session_tell_state(tacSession *s, int client);
void tac_session_tell_bodies(tacSession *s, int client); /* of what is on show */
/* That the program is there. */
void tac_session_tell_beat(tacSession *s);
void tac_session_notice(tacSession *s, bool is_error, const char *text);
/* Without the lock. */
void tac_session_notice_unlocked(tacSession *s, bool is_error, const char *text);
/* Of the gallery; takes the JSON. Without the lock. `user` is the session, here and below. */
void tac_session_tell_badges(char *json, void *user);
/* For tacLoading; without the lock. */
bool tac_session_tell_loading(const tacLoadingMoment *moment, void *user);
/* For tacWholeBake; without the lock. */
void tac_session_tell_whole(const tacWholeBakeMoment *moment, void *user);
