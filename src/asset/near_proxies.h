/* Which proxies of a deformed field take part at a place: the k nearest, and those that are about as near (Barbic 2007, section 3.12).
 * Tick: no allocation. */
#pragma once

#include <math.h>
#include "asset/deformed_domain.h"

/* Weights vanish at rho = max(d_k, TAC_PROXY_TIE d_min), d_k the distance of the k-th nearest proxy. Where d_k is larger this is
 * (3.16). Where k proxies are about equally far away, (3.16) has no limit, since all its weights vanish together; with
 * TAC_PROXY_TIE > 1 one never does, and the value is continuous. Proxies beyond the k-th take part there. */
#define TAC_PROXY_TIE 1.1

/* Proxies that are to be measured, in ascending order. */
typedef struct tacProxyList {
  int count;
  int *index;
  tacVec3 *at;
} tacProxyList;

/* All that take part somewhere within R of x. Proxy i takes part at y where d_i(y) < max(d_k(y), TAC_PROXY_TIE d_min(y)).
 * Distances change by no more than the way, so that then d_i(x) - R < max(d_k(x) + R, TAC_PROXY_TIE (d_min(x) + R)). */
typedef struct tacProxyBall {
  tacProxyList listed;
  int index[TAC_DEFORMED_PROXIES];
  tacVec3 at[TAC_DEFORMED_PROXIES];
} tacProxyBall;
void tac_proxy_ball_list(const tacProxyList *all, int k, tacVec3 x, double radius, tacProxyBall *ball);

/* The limit of d_i(x), of a proxy that takes part within `radius` of x. */
static inline double tac_proxy_limit(double least, double kth, double radius) {
  return fmax(kth + 2.0 * radius, TAC_PROXY_TIE * least + (1.0 + TAC_PROXY_TIE) * radius);
}

/* What takes part at places. */
enum { TAC_NEAR_PLACES = 32, TAC_NEAR_POOL = 2 * TAC_DEFORMED_PROXIES };
typedef struct tacNearProxies {
  int first[TAC_NEAR_PLACES + 1]; /* of each place; the nearest one, always */
  /* Squares of d_min, d_k, and of rho where weights vanish. */
  double least[TAC_NEAR_PLACES], kth[TAC_NEAR_PLACES], most[TAC_NEAR_PLACES];
  int index[TAC_NEAR_POOL];
  double squared[TAC_NEAR_POOL]; /* distances */
  double values[TAC_NEAR_POOL];  /* own ones */
  double reaches[TAC_NEAR_POOL]; /* likewise; with loads only */
} tacNearProxies;
/* Adds those of one or two places that are in the ball of the list. They and their order depend on the place alone. */
void tac_near_proxies_add(const tacProxyList *listed, int k, int count, const tacVec3 *x, int place,
                          tacNearProxies *taking);
