#include "math/geometry/float_rows.h"

#include "math/random.h"
#include "test.h"

/* Powers of two and small integers: every product and sum is exact, in any order. */
TAC_TEST(rows_times_a_vector_are_the_plain_sums) {
  tacRandom random = tac_random_seed(1);
  for (int stride = 4; stride <= 64; stride += 4) {
    float rows[3 * 64];
    double x[64], sum[3] = {0.0};
    for (int i = 0; i < 3 * stride; ++i) rows[i] = (float)floor(tac_random_uniform(&random, -1000.0, 1000.0)) * 0.125f;
    for (int j = 0; j < stride; ++j) x[j] = floor(tac_random_uniform(&random, -1000.0, 1000.0)) * 0x1p-20;
    for (int i = 0; i < 3 * stride; ++i) sum[i / stride] += (double)rows[i] * x[i % stride];
    tacVec3 product = tac_float_rows_mul(rows, stride, x);
    ck_assert(product.x == sum[0] && product.y == sum[1] && product.z == sum[2]);
  }
}
