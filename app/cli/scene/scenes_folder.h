/* Where scenes are that nobody named. */
#pragma once

/* `scenes` in the current folder; or those that were installed with the program, found from where its file is, so
 * that an installation may be moved. "" where there are neither. */
const char *tac_scenes_folder(void);
