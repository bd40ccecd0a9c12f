/* What is on show: a world that runs, a tape, a still picture of what the worker is busy with, or nothing. For the worker. */
#pragma once

#include "app/viewer/session/session_core.h"

/* The stage, or a tape, as it is to be shown under the number `load`: made without the lock, while the worker alone has it. */
typedef struct tacExhibit {
  uint32_t load;
  tacShow show;
  json_t *scene;
} tacExhibit;
tacStatus tac_exhibit_make_stage(tacSession *s, uint32_t load, tacExhibit *exhibit, tacError *error);
tacStatus tac_exhibit_make_tape(tacSession *s, uint32_t load, const tacTape *tape, tacExhibit *exhibit,
                                tacError *error);
void tac_exhibit_free(tacExhibit *exhibit);
/* The stage's scene as clients are told it, made again after a parameter has changed a body; NULL where memory is short. */
json_t *tac_exhibit_stage_scene(const tacSession *s);

/* With the lock. What was on show before comes back in `exhibit`, to be freed without it. */
void tac_session_show_stage(tacSession *s, tacExhibit *exhibit); /* a servo runs on it */
void tac_session_show_tape(tacSession *s, tacTape **tape, tacExhibit *exhibit);
void tac_session_show_nothing(tacSession *s, tacExhibit *exhibit);

/* With the lock, while a world is shown: its servo and world are the worker's from here on. `why`: "making kidney.mask anew". */
void tac_session_stand(tacSession *s, const char *why);
/* With the lock: they are everyone's again. */
void tac_session_go_on(tacSession *s);

/* Without the lock: what went wrong is shown instead. */
void tac_session_fail(tacSession *s, const tacError *error);
