/* Materials that scenes name, as a table. */
#pragma once

/* Names, moduli, densities, sources and what to know of each, on standard output. */
void tac_tissue_sheet_list(void);
