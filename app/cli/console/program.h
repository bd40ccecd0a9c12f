/* What this program is. */
#pragma once

const char *tac_program_text(void); /* "tactus 0.1.0, compiled by gcc 12.2.0" */
