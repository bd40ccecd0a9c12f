/* What runs on stage: started, ended, recorded, reset, and bodies made anew. For the worker, without the lock. */
#pragma once

#include "app/viewer/session/session_core.h"

/* While the stage is the worker's. */
/* Ends what runs, and a recording or a sketch with it. */
void tac_session_halt(tacSession *s);
/* From the reset state, with the parameters that the state tells; into a recording where `recording` is a path, else NULL, and without one
 * where it cannot be written. False where nothing runs: the session has failed. */
bool tac_session_run(tacSession *s, const char *recording);

/* At any time. */
void tac_session_list_recordings(tacSession *s);
/* Where recordings are. */
void tac_session_output_folder(const tacSession *s, char *folder, size_t size);
/* False where the servo has ended: a device has failed or come to its end, and must be opened anew. */
bool tac_session_reset(tacSession *s);
/* `sketched`: the body that is to be sketched on; -1: none. */
void tac_session_record(tacSession *s, bool on, int sketched);
/* Sets a parameter that takes time. */
void tac_session_rebuild(tacSession *s, uint32_t index);
