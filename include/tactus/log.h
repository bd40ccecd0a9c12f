/* Where the library's remarks go. It has none that matter for correctness: those are errors. */
#ifndef TACTUS_LOG_H
#define TACTUS_LOG_H

#include <tactus/api.h>

TAC_BEGIN_DECLS

typedef enum tacLogLevel { TAC_LOG_INFO, TAC_LOG_WARNING } tacLogLevel;

/* `text` is one line without a final newline, valid during the call only. Called from any thread, one at a time. */
typedef void (*tacLogFn)(tacLogLevel level, const char *text, void *user);

/* Sets the process-wide receiver; NULL (the default) discards. Call it before other threads use the library. */
TAC_API void tac_log_set(tacLogFn receiver, void *user);

TAC_END_DECLS

#endif
