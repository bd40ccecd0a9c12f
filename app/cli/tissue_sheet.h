/* Materials that scenes name, as a table. */
#ifndef TAC_CLI_TISSUE_SHEET_H
#define TAC_CLI_TISSUE_SHEET_H

/* Names, moduli, densities, sources and what to know of each, on standard output. */
void tac_tissue_sheet_list(void);

#endif
