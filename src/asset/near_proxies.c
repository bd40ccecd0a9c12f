#include "asset/near_proxies.h"

#include <stdint.h>

#ifdef __aarch64__
#include <arm_neon.h>
#endif

/* Two places are measured at once. */
typedef double Two __attribute__((vector_size(16)));
typedef int64_t TwoInts __attribute__((vector_size(16)));

/* The lesser and the greater of each lane. Where compilers do not find the instruction, it is named. */
static inline Two lesser(Two a, Two b) {
#ifdef __aarch64__
  return (Two)vminnmq_f64((float64x2_t)a, (float64x2_t)b);
#else
  TwoInts first = a < b;
  return (Two)((first & (TwoInts)a) | (~first & (TwoInts)b));
#endif
}
static inline Two greater(Two a, Two b) {
#ifdef __aarch64__
  return (Two)vmaxnmq_f64((float64x2_t)a, (float64x2_t)b);
#else
  TwoInts first = a > b;
  return (Two)((first & (TwoInts)a) | (~first & (TwoInts)b));
#endif
}

/* Squares of d_min and d_k. */
typedef struct {
  Two least, kth;
} Nearest;

static inline __attribute__((always_inline)) Nearest measure_nearest(const tacProxyList *listed, int k, tacVec3 a,
                                                                     tacVec3 b, Two *squared) {
  const tacProxyList list = *listed;
  const Two x = {a.x, b.x}, y = {a.y, b.y}, z = {a.z, b.z};
  Two kept[TAC_DEFORMED_NEAREST]; /* the k least so far, in order */
  for (int c = 0; c < k; ++c) kept[c] = (Two){INFINITY, INFINITY};
  for (int i = 0; i < list.count; ++i) {
    Two dx = list.at[i].x - x, dy = list.at[i].y - y, dz = list.at[i].z - z, next = dx * dx + dy * dy + dz * dz;
    squared[i] = next;
    for (int c = 0; c < k; ++c) {
      Two less = lesser(next, kept[c]);
      next = greater(next, kept[c]);
      kept[c] = less;
    }
  }
  return (Nearest){kept[0], kept[k - 1]};
}

/* Squared distances of all that are listed. Nothing here branches by what is found: branches would be guessed wrong. */
static Nearest measure(const tacProxyList *list, int k, tacVec3 a, tacVec3 b, Two *squared) {
  return k == 5 ? measure_nearest(list, 5, a, b, squared) /* the usual number: in registers */
                : measure_nearest(list, k, a, b, squared);
}

void tac_proxy_ball_list(const tacProxyList *listed, int k, tacVec3 x, double radius, tacProxyBall *ball) {
  const tacProxyList all = *listed;
  Two squared[TAC_DEFORMED_PROXIES];
  Nearest nearest = measure(&all, k, x, x, squared);
  double limit = tac_proxy_limit(sqrt(nearest.least[0]), sqrt(nearest.kth[0]), radius) * (1.0 + 1e-12);
  int count = 0;
  for (int i = 0; i < all.count; ++i) {
    ball->index[count] = all.index[i];
    ball->at[count] = all.at[i];
    count += squared[i][0] <= limit * limit;
  }
  ball->listed = (tacProxyList){count, ball->index, ball->at};
}

static inline void add_place(const tacProxyList *list, const Two *squared, Nearest nearest, int lane, int place,
                             tacNearProxies *taking) {
  const double least = nearest.least[lane], kth = nearest.kth[lane];
  const double most = fmax(kth, TAC_PROXY_TIE * TAC_PROXY_TIE * least);
  const double limit = most > 0.0 ? most : 1e-300; /* k in one place, and x there */
  int *index = taking->index + taking->first[place], count = 0, first = 0;
  double *distances = taking->squared + taking->first[place];
  for (int begin = 0; begin < list->count; begin += 64) {
    uint64_t bits = 0;
    for (int i = (list->count - begin < 64 ? list->count : begin + 64) - 1; i >= begin; --i)
      bits = bits << 1 | (squared[i][lane] < limit);
    for (; bits != 0; bits &= bits - 1, ++count) {
      int i = begin + __builtin_ctzll(bits);
      index[count] = list->index[i];
      distances[count] = squared[i][lane];
      first += (count - first) & -(distances[count] == least);
    }
  }
  if (count == 0) index[count++] = 0; /* nothing is a number */
  int swapped = index[first];
  index[first] = index[0];
  distances[first] = distances[0];
  index[0] = swapped;
  distances[0] = least;
  taking->first[place + 1] = taking->first[place] + count;
  taking->least[place] = least;
  taking->kth[place] = kth;
  taking->most[place] = most;
}

void tac_near_proxies_add(const tacProxyList *listed, int k, int count, const tacVec3 *x, int place,
                          tacNearProxies *taking) {
  const tacProxyList list = *listed;
  Two squared[TAC_DEFORMED_PROXIES];
  Nearest nearest = measure(&list, k, x[0], x[count - 1], squared);
  for (int lane = 0; lane < count; ++lane) add_place(&list, squared, nearest, lane, place + lane, taking);
}
