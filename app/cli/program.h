/* What this program is. */
#ifndef TAC_CLI_PROGRAM_H
#define TAC_CLI_PROGRAM_H

const char *tac_program_text(void); /* "tactus 0.1.0, compiled by gcc 12.2.0" */

#endif
