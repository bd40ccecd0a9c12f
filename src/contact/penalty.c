#include "contact/penalty.h"

#include <math.h>
#include <string.h>
#include "base/lanes.h"

tacPenaltyDef tac_penalty_def_default(void) {
  return (tacPenaltyDef){.stiffness = 1000.0, .full_count = 10.0, .ramp = 1e-4, .tangential = 0.5};
}

/* Returns g, the fraction of the full stiffness at a depth (smoothstep). Sets `slope` to dg/dd, 1/m. */
static inline double fade(double per_ramp, double depth, double *slope) {
  const double t = depth * per_ramp; /* infinite without a ramp */
  *slope = t < 1.0 ? 6.0 * t * (1.0 - t) * per_ramp : 0.0;
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

/* Let c = -N . m and t = N + c m. The slope of N relative to -m is |t| / c. The slope of n is at most mu / 2. If N is
 * more than 90 degrees from -m, the slope of n decreases with |t|, so that n is continuous at N = m. */
tacVec3 tac_penalty_direction(const tacPenaltyDef *def, tacVec3 normal, tacVec3 out) {
  const double slope = def->tangential > 0.0 ? 0.5 * def->friction : 0.0, c = -tac_vec3_dot(normal, out);
  const tacVec3 across = tac_vec3_mad(normal, c, out);
  const double length2 = tac_vec3_norm2(across);
  if (c > 0.0 && length2 <= slope * slope * (c * c)) return normal;
  const double length = sqrt(length2), tilt = c > 0.0 ? slope : slope * length; /* slope of n relative to -m */
  return tac_vec3_scale(1.0 / sqrt(1.0 + tilt * tilt),
                        tac_vec3_sub(tac_vec3_scale(c > 0.0 ? slope / length : slope, across), out));
}

/* Returns phi, m^2. `per_ramp` is infinite without a ramp. Computes both cases, since a branch would be
 * mispredicted. */
static inline double energy_of(double ramp, double per_ramp, double depth) {
  const double t = depth * per_ramp, t2 = t * t, deep = 0.5 * depth * depth - 0.15 * ramp * ramp;
  const double rising = ramp * ramp * t2 * (t2 * (0.75 - 0.4 * t));
  return t < 1.0 ? rising : deep;
}

/* A block of points that are computed together, component by component. `n`: direction of the force. `u`: vector from
 * the anchor to the point, later the stretch of the friction spring. */
enum { BLOCK = 32 };
typedef struct {
  double x[BLOCK], y[BLOCK], z[BLOCK];
} Vectors;
typedef struct {
  Vectors n, force, u;
  double depth[BLOCK], weight[BLOCK], grip[BLOCK], steep[BLOCK], energy[BLOCK], share[BLOCK];
  double xx[BLOCK], yy[BLOCK], zz[BLOCK], xy[BLOCK], xz[BLOCK], yz[BLOCK]; /* stiffness matrix, N/m */
  double alone[BLOCK];                                                     /* tacPenaltyPoint.alone */
  double push[BLOCK];                                                      /* force along n, N; 0 unless phi < e */
  double slides[BLOCK];                                                    /* c / |u|^2 if the point slides, else 0 */
  double held[BLOCK];                                                      /* c |u|^2, J */
} Block;

typedef struct {
  double per_ramp, stiffness; /* 1 / ramp, 1/m; k, N/m */
  double per_level;           /* 1 / e */
  double held;                /* 1 with friction; 0 without friction, so that no point sticks or slides */
  double tangential;          /* c / (k a g) */
  double most;                /* mu k / k_t: limit of |u| / (depth steep) */
} Law;

/* Level e of phi above which points have their full weight. In the equation
 *     sum w min(1, (phi / e)^3) = L
 * the left side is a concave and piecewise linear function of v = e^-3. Newton's method starts with no point at full
 * weight. Its iterates v increase, and reach the root when no further point reaches full weight. The root is computed
 * only from the set of points at full weight, so it is bitwise independent of the iterations. */
typedef struct {
  double per_level; /* 1 / e; infinite: all points have full weight */
  double left;      /* L - sum of w of points at full weight; equals sum of w (phi / e)^3 of all other points */
  double counted;   /* sum of w */
} Level;

static Level find_level(const tacPenaltyDef *def, int count, tacPenaltyPoint *points) {
  const double ramp = def->ramp, per_ramp = 1.0 / ramp;
  double below = 0.0, highest = 0.0;
  Level level = {.per_level = INFINITY, .left = def->full_count};
  for (int i = 0; i < count; ++i) {
    const double energy = energy_of(ramp, per_ramp, points[i].depth), w = points[i].weight;
    points[i].energy = energy;
    level.counted += w;
    below += w * (energy * energy * energy);
    highest = energy > highest ? energy : highest;
  }
  if (!(level.counted > def->full_count) || !(below > 0.0)) return level;
  double v = level.left / below;
  for (bool rises = v * (highest * highest * highest) > 1.0; rises;) {
    double at = 0.0, next;
    below = 0.0;
    for (int i = 0; i < count; ++i) {
      const double energy = points[i].energy, cube = energy * energy * energy, w = points[i].weight;
      const bool is_at = v * cube > 1.0;
      at += is_at ? w : 0.0;
      below += is_at ? 0.0 : w * cube;
    }
    level.left = def->full_count - at;
    if (!(below > 0.0) || !(level.left > 0.0)) break; /* possible only by rounding: at v the sum is at most L */
    next = level.left / below;
    rises = next > v;
    v = rises ? next : v;
  }
  level.per_level = cbrt(v);
  return level;
}

/* Computes the forces and stiffnesses of a block, and moves the anchors. Coulomb's law |c u| <= mu |f| is divided by c
 * and squared. With most = mu k / k_t, the law becomes |u| <= most x depth x steep. If u would be longer, the point
 * slides. If c changes, u is scaled by sqrt(previous c / new c), so that c u^2 is constant. The loop has no branches,
 * so that compilers vectorise the loop. */
TAC_LANES_BODY void press_lanes(const int doubles, const Law *by, int count, Block *restrict block) {
  (void)doubles;
  const Law law = *by;
  for (int i = 0; i < count; ++i) {
    const double nx = block->n.x[i], ny = block->n.y[i], nz = block->n.z[i], depth = block->depth[i];
    double slope, g = fade(law.per_ramp, depth, &slope);
    const double energy = block->energy[i], part = energy * law.per_level;
    const double share = (part < 1.0 ? part * part : 1.0) * block->weight[i];
    const double k = law.stiffness * share, grip = law.tangential * k * g, before = block->grip[i];
    const double steep = block->steep[i], pressed = depth * steep;
    double ux = block->u.x[i], uy = block->u.y[i], uz = block->u.z[i], off = ux * nx + uy * ny + uz * nz;
    ux -= off * nx, uy -= off * ny, uz -= off * nz;
    const double length2 = law.held * (ux * ux + uy * uy + uz * uz), limit2 = law.most * pressed * (law.most * pressed);
    /* u^2 is scaled by the ratio `more` / `less`. */
    const double more = before > 0.0 ? (grip > 0.0 ? before : 0.0) : 1.0;
    const double less = before > 0.0 ? (grip > 0.0 ? grip : 1.0) : 1.0;
    const bool slides = more * length2 > less * limit2;
    const double longer = law.held * sqrt((slides ? limit2 : more) / (slides ? length2 : less));
    ux *= longer, uy *= longer, uz *= longer;
    const double push = -k * g * pressed, rise = g * depth * (g * depth);
    block->force.x[i] = push * nx - grip * ux;
    block->force.y[i] = push * ny - grip * uy;
    block->force.z[i] = push * nz - grip * uz;
    block->grip[i] = grip;
    block->share[i] = share;
    const double alone = part < 1.0 && energy > 0.0 ? 2.0 * k * (steep * steep) * (rise / energy) : 0.0;
    const double along = k * (steep * steep) * (g + depth * slope) + alone, turned = slides ? grip / limit2 : 0.0;
    block->alone[i] = alone;
    block->push[i] = alone > 0.0 ? push : 0.0;
    block->u.x[i] = ux, block->u.y[i] = uy, block->u.z[i] = uz;
    block->slides[i] = turned;
    block->held[i] = grip * (ux * ux + uy * uy + uz * uz);
    /* The stiffness is grip I + (along - grip) n n^T - turned u u^T. */
    const double s = along - grip, sx = s * nx, sy = s * ny, tx = turned * ux, ty = turned * uy;
    block->xx[i] = grip + sx * nx - tx * ux;
    block->yy[i] = grip + sy * ny - ty * uy;
    block->zz[i] = grip + s * nz * nz - turned * uz * uz;
    block->xy[i] = sx * ny - tx * uy;
    block->xz[i] = sx * nz - tx * uz;
    block->yz[i] = sy * nz - ty * uz;
  }
}
TAC_LANES_KERNEL(static, press, (const Law *law, int count, Block *block), law, count, block)

static inline void put(Vectors *to, int i, tacVec3 v) {
  to->x[i] = v.x, to->y[i] = v.y, to->z[i] = v.z;
}
static inline tacVec3 get(const Vectors *from, int i) {
  return tac_vec3(from->x[i], from->y[i], from->z[i]);
}

static inline void put_stiffness(const Block *block, int i, tacMat3 *to) {
  to->m[0][0] = block->xx[i], to->m[1][1] = block->yy[i], to->m[2][2] = block->zz[i];
  to->m[0][1] = to->m[1][0] = block->xy[i];
  to->m[0][2] = to->m[2][0] = block->xz[i];
  to->m[1][2] = to->m[2][1] = block->yz[i];
}

tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides) {
  const Level level = find_level(def, count, points);
  tacPenaltyReport report = {.counted = level.counted};
  const bool rubs = def->friction > 0.0 && def->tangential > 0.0;
  const Law law = {.per_ramp = 1.0 / def->ramp,
                   .stiffness = def->stiffness,
                   .per_level = level.per_level,
                   .held = rubs ? 1.0 : 0.0,
                   .tangential = rubs ? def->tangential : 0.0,
                   .most = rubs ? def->friction / def->tangential : 0.0};
  for (int begin = 0; begin < count; begin += BLOCK) {
    const int size = count - begin < BLOCK ? count - begin : BLOCK;
    Block block;
    for (int i = 0; i < size; ++i) {
      const tacPenaltyPoint *p = &points[begin + i];
      put(&block.n, i, p->normal);
      put(&block.u, i, tac_vec3_sub(p->at, p->anchor));
      block.depth[i] = p->depth, block.weight[i] = p->weight, block.grip[i] = p->grip;
      block.steep[i] = p->steep, block.energy[i] = p->energy;
    }
    press(&law, size, &block);
    for (int i = 0; i < size; ++i) {
      tacPenaltyPoint *p = &points[begin + i];
      tacContactSpring *spring = &springs[begin + i];
      const tacVec3 push = tac_vec3_scale(block.push[i], p->normal);
      p->anchor = tac_vec3_sub(p->at, get(&block.u, i));
      p->grip = block.grip[i];
      p->share = block.share[i];
      spring->at = p->at;
      spring->force = get(&block.force, i);
      put_stiffness(&block, i, &spring->stiffness);
      report.sliding += block.slides[i] > 0.0;
      report.rubs += block.slides[i] > 0.0 ? p->grip : 0.0;
      p->alone = block.alone[i];
      report.shared += p->share;
      report.energy += def->stiffness * p->share * p->energy;
      report.below += p->alone > 0.0 ? def->stiffness * p->share * p->energy : 0.0;
      report.push = tac_vec3_add(report.push, push);
      report.turn = tac_vec3_add(report.turn, tac_vec3_cross(p->at, push));
      report.held += 0.5 * block.held[i];
      if (slides != NULL) slides[begin + i] = block.slides[i] > 0.0;
      report.depth = p->depth > report.depth ? p->depth : report.depth;
    }
  }
  report.sticking = rubs ? count - report.sliding : 0;
  return report;
}

/* The force is f = -k a g d n. Let D be the change of depth and phi' = g d. If phi >= e, then da = 0. If phi < e, the
 * equation sum w (phi / e)^3 = left gives
 *     da / a = 2 (phi' D / phi - de / e),   de / e = sum a phi' D / (e left). */
void tac_penalty_force_gradient(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                const tacPenaltyMotion *motion, double *work, double *gradient) {
  int n = motion->n;
  const Level level = find_level(def, count, points);
  const double per_ramp = 1.0 / def->ramp;
  double slope;
  memset(work, 0, (size_t)n * sizeof *work); /* relative derivative of e by each unknown */
  for (int i = 0; i < count; ++i) {
    tacPenaltyPoint *p = &points[i];
    const double *value = motion->value + (size_t)i * (size_t)n, part = p->energy * level.per_level;
    p->share = (part < 1.0 ? part * part : 1.0) * p->weight;
    if (!(part < 1.0)) continue;
    double share = p->share * fade(per_ramp, p->depth, &slope) * p->depth * level.per_level / level.left;
    for (int j = 0; j < n; ++j) work[j] -= share * value[j];
  }
  for (int i = 0; i < count; ++i) {
    const tacPenaltyPoint *p = &points[i];
    const double *value = motion->value + (size_t)i * (size_t)n, k = def->stiffness * p->share * p->steep;
    double g = fade(per_ramp, p->depth, &slope), push = -k * g * p->depth, rise = k * (g + p->depth * slope);
    bool is_below = p->energy * level.per_level < 1.0;
    if (is_below && p->energy > 0.0) rise += 2.0 * k * (g * p->depth * (g * p->depth)) / p->energy;
    const double axis[3] = {p->normal.x, p->normal.y, p->normal.z}, sink = is_below ? 2.0 * push : 0.0;
    for (int a = 0; a < 3; ++a) {
      const double *normal = motion->normal + (3 * (size_t)i + (size_t)a) * (size_t)n;
      double *to = gradient + (3 * (size_t)i + (size_t)a) * (size_t)n;
      for (int j = 0; j < n; ++j) to[j] = axis[a] * (rise * value[j] - sink * work[j]) + push * normal[j];
    }
  }
}
