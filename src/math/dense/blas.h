/* The BLAS of this process, whichever it is: Debian's alternatives, or a host program, decide which library answers to LAPACK
 * and ARPACK. Only this room calls them, between tac_blas_begin and tac_blas_end; products that run on many threads are ours
 * (math/dense/dense_product.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* LAPACK and ARPACK are called between these two, which may be nested. BLAS has one thread of its own meanwhile, so
 * that results do not depend on the number of cores; what the host had set is set again afterwards. A library
 * that cannot be called from two threads at once (OpenBLAS built without threads shares its work buffers between callers)
 * is called by one of ours at a time: the others wait. A host's own calls of such a library cannot be held back. */
void tac_blas_begin(void);
void tac_blas_end(void);

/* Once at the start of a program, before other threads run (it sets and restores an environment variable) and before
 * anything uses BLAS; later calls only report. OpenBLAS 0.3.21 knows processors by their model number and takes
 * recent Xeons for "Prescott", of 2004, which makes it four times slower: where the processor has AVX2 and FMA, or AVX-512,
 * and OpenBLAS does not use them, it is told to. A user's OPENBLAS_CORETYPE is respected. BLAS has one thread from
 * then on. */
void tac_blas_start(void);

/* One line such as "OpenBLAS 0.3.21 with pthreads, core SkylakeX (detected as Prescott), 1 thread", and its file, "" where that is
 * not known. */
void tac_blas_describe(char *text, size_t size);
const char *tac_blas_path(void);

typedef enum tacBlasFeature {
  TAC_BLAS_AVX2_FMA = 1,
  TAC_BLAS_AVX512 = 2 /* F, CD, BW, DQ, VL */
} tacBlasFeature;

/* The features of this processor, a sum of tacBlasFeature; 0 on other architectures than x86-64. */
unsigned tac_blas_features(void);
/* The core that OpenBLAS should use in place of `core`, or NULL where `core` makes use of the features. */
const char *tac_blas_core_wanted(const char *core, unsigned features);
/* The name of the core in use; "unknown" where BLAS is not OpenBLAS. */
const char *tac_blas_core(void);
/* Makes OpenBLAS use this core. False where it cannot, and then nothing changes. No other thread may use BLAS meanwhile. */
bool tac_blas_core_switch(const char *core);
