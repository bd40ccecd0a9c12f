/* Code that scenes load from files: drivers of devices (<tactus/device.h>) and kinds of bodies (<tactus/body_kind.h>).
 *
 * It runs as part of the host, with all that the host may do. Whoever reads scenes of others decides here. */
#ifndef TACTUS_PLUGIN_H
#define TACTUS_PLUGIN_H

#include <stdbool.h>
#include <tactus/api.h>

TAC_BEGIN_DECLS

/* Asked before any code of the shared object `path` runs, from the thread that loads it; false refuses the file. Must not
 * call the library. */
typedef bool (*tacPluginFn)(const char *path, void *user);

/* Sets who is asked, for the process; NULL (the default) allows every file. Each that is loaded is named in the log first
 * (<tactus/log.h>). Call it before other threads use the library. */
TAC_API void tac_plugin_set(tacPluginFn allow, void *user);

TAC_END_DECLS

#endif
