#include "contact/penalty.h"

#include <string.h>
#include "base/lanes.h"

tacPenaltyDef tac_penalty_def_default(void) {
  return (tacPenaltyDef){.stiffness = 1000.0, .full_count = 10.0, .ramp = 1e-4, .tangential = 0.5};
}

/* How much of its weight a point of this depth has: g, smoothstep; and dg by depth, 1/m. */
static inline double fade(double per_ramp, double depth, double *slope) {
  const double t = depth * per_ramp; /* infinite without a ramp */
  *slope = t < 1.0 ? 6.0 * t * (1.0 - t) * per_ramp : 0.0;
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

/* With c = -N.m and t = N + c m, the slope of N against -m is |t| / c; that of n is at most mu / 2. Beyond 90 degrees
 * it fades with |t|, for m itself is as near to all directions of the cone. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out) {
  double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(normal, out);
  tacVec3 across = tac_vec3_mad(normal, c, out);
  double length = tac_vec3_norm(across);
  if (length <= slope * c) return normal;
  return tac_vec3_unit(tac_vec3_sub(tac_vec3_scale(c > 0.0 ? slope / length : slope, across), out));
}

/* l */
static double count_points(const tacPenaltyDef *def, int count, const tacPenaltyPoint *points) {
  double sum = 0.0, slope;
  const double per_ramp = 1.0 / def->ramp;
  for (int i = 0; i < count; ++i) sum += points[i].weight * fade(per_ramp, points[i].depth, &slope);
  return sum;
}

static double scale_of(const tacPenaltyDef *def, double counted) {
  return counted > def->full_count ? def->full_count / counted : 1.0;
}

/* Points of which everything is computed together, a number of each side by side: `n` a point's direction, `u` the stretch of
 * the spring between point and anchor. */
enum { BLOCK = 32 };
typedef struct {
  double x[BLOCK], y[BLOCK], z[BLOCK];
} Vectors;
typedef struct {
  Vectors at, n, anchor, force, u;
  double depth[BLOCK], weight[BLOCK], grip[BLOCK];
  double along[BLOCK], across[BLOCK]; /* stiffnesses, N/m */
  double slides[BLOCK];               /* c / |u|^2 where it slides, else 0 */
} Block;

typedef struct {
  double per_ramp, stiffness; /* 1/m; s k */
  double held;                /* 1; without friction 0: nothing is held, and nothing slides */
  double tangential;          /* c / (s k w g) */
  double most;                /* of |u| / depth */
} Law;

/* Moves the anchor. Coulomb's law, |c u| <= mu |f|, is asked in terms of lengths, over c: |u| <= most x depth, most = mu k / k_t,
 * and of squares. Where u would be longer the point slides. Where c changes, u becomes longer by the root of what c is divided by:
 * c u^2 stays. Nothing branches: compilers make it a loop over several points at a time. */
TAC_LANES_BODY void press_lanes(const int doubles, const Law *by, int count, Block *restrict block) {
  (void)doubles;
  const Law law = *by;
  for (int i = 0; i < count; ++i) {
    const double nx = block->n.x[i], ny = block->n.y[i], nz = block->n.z[i], depth = block->depth[i];
    double slope, g = fade(law.per_ramp, depth, &slope);
    const double k = law.stiffness * block->weight[i], grip = law.tangential * k * g, before = block->grip[i];
    double ux = block->at.x[i] - block->anchor.x[i], uy = block->at.y[i] - block->anchor.y[i];
    double uz = block->at.z[i] - block->anchor.z[i], off = ux * nx + uy * ny + uz * nz;
    ux -= off * nx, uy -= off * ny, uz -= off * nz;
    const double length2 = law.held * (ux * ux + uy * uy + uz * uz), limit2 = law.most * depth * (law.most * depth);
    /* u^2 becomes `more` / `less` times as large */
    const double more = before > 0.0 ? (grip > 0.0 ? before : 0.0) : 1.0;
    const double less = before > 0.0 ? (grip > 0.0 ? grip : 1.0) : 1.0;
    const bool slides = more * length2 > less * limit2;
    const double longer = law.held * sqrt((slides ? limit2 : more) / (slides ? length2 : less));
    ux *= longer, uy *= longer, uz *= longer;
    const double push = -k * g * depth;
    block->force.x[i] = push * nx - grip * ux;
    block->force.y[i] = push * ny - grip * uy;
    block->force.z[i] = push * nz - grip * uz;
    block->anchor.x[i] = block->at.x[i] - ux;
    block->anchor.y[i] = block->at.y[i] - uy;
    block->anchor.z[i] = block->at.z[i] - uz;
    block->grip[i] = grip;
    block->along[i] = k * (g + depth * slope);
    block->across[i] = grip;
    block->u.x[i] = ux, block->u.y[i] = uy, block->u.z[i] = uz;
    block->slides[i] = slides ? grip / limit2 : 0.0;
  }
}
TAC_LANES_KERNEL(static, press, (const Law *law, int count, Block *block), law, count, block)

static inline void put(Vectors *to, int i, tacVec3 v) {
  to->x[i] = v.x, to->y[i] = v.y, to->z[i] = v.z;
}
static inline tacVec3 get(const Vectors *from, int i) {
  return tac_vec3(from->x[i], from->y[i], from->z[i]);
}

/* across I + (along - across) n n^T - slides u u^T */
static inline void set_stiffness(tacVec3 n, tacVec3 u, double along, double across, double slides, tacMat3 *to) {
  const double s = along - across;
  to->m[0][0] = across + s * n.x * n.x - slides * u.x * u.x;
  to->m[1][1] = across + s * n.y * n.y - slides * u.y * u.y;
  to->m[2][2] = across + s * n.z * n.z - slides * u.z * u.z;
  to->m[0][1] = to->m[1][0] = s * n.x * n.y - slides * u.x * u.y;
  to->m[0][2] = to->m[2][0] = s * n.x * n.z - slides * u.x * u.z;
  to->m[1][2] = to->m[2][1] = s * n.y * n.z - slides * u.y * u.z;
}

tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides) {
  tacPenaltyReport report = {.counted = count_points(def, count, points)};
  report.scale = scale_of(def, report.counted);
  const bool rubs = def->friction > 0.0 && def->tangential > 0.0;
  const Law law = {.per_ramp = 1.0 / def->ramp,
                   .stiffness = report.scale * def->stiffness,
                   .held = rubs ? 1.0 : 0.0,
                   .tangential = rubs ? def->tangential : 0.0,
                   .most = rubs ? def->friction / def->tangential : 0.0};
  for (int begin = 0; begin < count; begin += BLOCK) {
    const int size = count - begin < BLOCK ? count - begin : BLOCK;
    Block block;
    for (int i = 0; i < size; ++i) {
      const tacPenaltyPoint *p = &points[begin + i];
      put(&block.at, i, p->at);
      put(&block.n, i, p->normal);
      put(&block.anchor, i, p->anchor);
      block.depth[i] = p->depth, block.weight[i] = p->weight, block.grip[i] = p->grip;
    }
    press(&law, size, &block);
    for (int i = 0; i < size; ++i) {
      tacPenaltyPoint *p = &points[begin + i];
      tacContactSpring *spring = &springs[begin + i];
      p->anchor = get(&block.anchor, i);
      p->grip = block.grip[i];
      spring->at = p->at;
      spring->force = get(&block.force, i);
      set_stiffness(p->normal, get(&block.u, i), block.along[i], block.across[i], block.slides[i], &spring->stiffness);
      report.sliding += block.slides[i] > 0.0;
      if (slides != NULL) slides[begin + i] = block.slides[i] > 0.0;
      report.depth = p->depth > report.depth ? p->depth : report.depth;
    }
  }
  report.sticking = rubs ? count - report.sliding : 0;
  return report;
}

/* f = s k w G n with G = g(-d) d: df = s k w (G' n dd + G dn) + f ds/s, G' = g - d g'; where l > L, ds/s = -dl / l with
 * dl = -sum w g' dd. */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, const tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient) {
  int n = motion->n;
  double counted = count_points(def, count, points), scale = scale_of(def, counted), slope;
  memset(work, 0, (size_t)n * sizeof *work); /* ds/s */
  for (int i = 0; counted > def->full_count && i < count; ++i) {
    const double *value = motion->value + (size_t)i * (size_t)n;
    fade(1.0 / def->ramp, points[i].depth, &slope);
    if (slope == 0.0) continue;
    double share = points[i].weight * slope / counted;
    for (int j = 0; j < n; ++j) work[j] += share * value[j];
  }
  for (int i = 0; i < count; ++i) {
    const tacPenaltyPoint *p = &points[i];
    const double *value = motion->value + (size_t)i * (size_t)n;
    double g = fade(1.0 / def->ramp, p->depth, &slope), k = scale * def->stiffness * p->weight;
    double rise = k * (g + p->depth * slope), push = -k * g * p->depth;
    const double axis[3] = {p->normal.x, p->normal.y, p->normal.z};
    for (int a = 0; a < 3; ++a) {
      const double *normal = motion->normal + (3 * (size_t)i + (size_t)a) * (size_t)n;
      double *to = gradient + (3 * (size_t)i + (size_t)a) * (size_t)n;
      for (int j = 0; j < n; ++j) to[j] = axis[a] * (rise * value[j] + push * work[j]) + push * normal[j];
    }
  }
}
