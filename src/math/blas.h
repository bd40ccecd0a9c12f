/* Puts OpenBLAS right for this process: one thread, and the kernels of the processor that it runs on.
 *
 * OpenBLAS 0.3.21 knows processors by their model number and takes recent Xeons for "Prescott", of 2004, which makes it
 * four times slower. Where the processor has AVX2 and FMA, or AVX-512, and OpenBLAS does not use them, it is told to. */
#ifndef TAC_MATH_BLAS_H
#define TAC_MATH_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* Call once at the start of the program, before other threads run (it sets and restores an environment variable) and
 * before anything uses BLAS; later calls only report. A user's OPENBLAS_CORETYPE is respected. `text` (may be NULL) gets
 * one line such as "OpenBLAS, core SkylakeX (detected as Prescott), 1 thread". */
void tac_blas_start(char *text, size_t size);

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

#endif
