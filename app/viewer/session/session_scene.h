/* Scenes come on stage and leave it. For the worker, without the lock. */
#pragma once

#include "app/viewer/session/session_core.h"

/* A file of the gallery; "": back to it. */
void tac_session_open(tacSession *s, const char *file);
/* The scene that is open, from its file. */
void tac_session_reopen(tacSession *s);
/* Whether its files have changed on the disk, which clients are told; it is opened again where the state says so. Once a second. */
void tac_session_look_at_files(tacSession *s);
