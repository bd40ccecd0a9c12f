/* An order of rows and columns in which a sparse Cholesky factor has few entries: by approximate minimum degree
 * (AMD: Amestoy, Davis, Duff 1996) or nested dissection (METIS: Karypis and Kumar 1998), whichever makes less
 * work. Load phase. */
#pragma once

#include "math/sparse/sparse.h"

/* Reads `pattern` below its diagonal. order: [size], one of tac_elimination_postorder. `thorough` tries both; else
 * nested dissection only where the first leaves much to gain. */
tacStatus tac_fill_order(const tacSparse *pattern, bool thorough, int *order, tacError *error);
