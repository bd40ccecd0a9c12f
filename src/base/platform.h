/* Where numbers are computed: everything but Tactus itself that may change their last bits.
 *
 * docs/recording.md says what depends on what. */
#pragma once

/* One line, the same in every call: architecture and the instructions that the processor makes the C library and us
 * choose (base/lanes.h), compiler with the flags that concern arithmetic, C library.
 * "x86-64 avx2+fma, kernels of 8, gcc 12.2.0 -O3, glibc 2.36".
 * Runs of one program on two machines whose lines are the same have the same bits. */
const char *tac_platform(void);

/* The line for a bake, whose bits also depend on the BLAS: "..., OpenBLAS, core Haswell, 1 thread". Until its name is
 * given it is tac_platform(). To be given before other threads run; it is copied, and cut after 120 characters. */
const char *tac_platform_of_bakes(void);
void tac_platform_set_blas(const char *name);
