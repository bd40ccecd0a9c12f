/* How a report's page looks and what its script does; each is a list of lines that ends with NULL. */
#pragma once

extern const char *const tac_report_style[];
/* Reads values back from the curves under the pointer. The page is complete without it. */
extern const char *const tac_report_script[];
