/* Reproducible random numbers (xoshiro256**): the same seed gives the same sequence everywhere. */
#pragma once

#include <stdint.h>
#include <tactus/base.h>

typedef struct tacRandom {
  uint64_t state[4];
} tacRandom;

tacRandom tac_random_seed(uint64_t seed);
uint64_t tac_random_bits(tacRandom *random);
/* Uniform in [lower, upper). */
double tac_random_uniform(tacRandom *random, double lower, double upper);
/* Standard normal. */
double tac_random_normal(tacRandom *random);
/* Three standard normals, x first: compilers evaluate the arguments of one call in any order. */
tacVec3 tac_random_normal3(tacRandom *random);
/* Uniform in the box. */
tacVec3 tac_random_in_box(tacRandom *random, tacBox box);
/* Uniform in [-half, half)^3. */
tacVec3 tac_random_in_cube(tacRandom *random, double half);
