#include "math/random.h"

#include <math.h>

/* xoshiro256** by Blackman and Vigna, seeded through splitmix64. */

static uint64_t rotate_left(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

tacRandom tac_random_seed(uint64_t seed) {
  tacRandom random;
  for (int i = 0; i < 4; ++i) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random.state[i] = z ^ (z >> 31);
  }
  return random;
}

uint64_t tac_random_bits(tacRandom *random) {
  uint64_t *s = random->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double tac_random_uniform(tacRandom *random, double lower, double upper) {
  return lower + (upper - lower) * ((double)(tac_random_bits(random) >> 11) * 0x1p-53);
}

/* Box and Muller; 1 - u is in (0, 1]. */
double tac_random_normal(tacRandom *random) {
  double radius = sqrt(-2.0 * log(1.0 - tac_random_uniform(random, 0.0, 1.0)));
  return radius * cos(2.0 * 3.14159265358979323846 * tac_random_uniform(random, 0.0, 1.0));
}

tacVec3 tac_random_normal3(tacRandom *random) {
  tacVec3 v;
  v.x = tac_random_normal(random);
  v.y = tac_random_normal(random);
  v.z = tac_random_normal(random);
  return v;
}

tacVec3 tac_random_in_box(tacRandom *random, tacBox box) {
  tacVec3 p;
  p.x = tac_random_uniform(random, box.lower.x, box.upper.x);
  p.y = tac_random_uniform(random, box.lower.y, box.upper.y);
  p.z = tac_random_uniform(random, box.lower.z, box.upper.z);
  return p;
}

tacVec3 tac_random_in_cube(tacRandom *random, double half) {
  return tac_random_in_box(random, (tacBox){{-half, -half, -half}, {half, half, half}});
}
