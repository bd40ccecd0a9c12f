#include "contact/penalty.h"

#include <string.h>
#include "contact/coulomb.h"

tacPenaltyDef tac_penalty_def_default(void) {
  return (tacPenaltyDef){.stiffness = 1000.0, .full_count = 10.0, .ramp = 1e-4, .tangential = 0.5};
}

/* How much of its weight a point of this depth has: g, smoothstep; and dg by depth, 1/m. */
static double fade(double ramp, double depth, double *slope) {
  *slope = 0.0;
  if (depth >= ramp) return 1.0;
  double t = depth / ramp;
  *slope = 6.0 * t * (1.0 - t) / ramp;
  return t * t * (3.0 - 2.0 * t);
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
  for (int i = 0; i < count; ++i) sum += points[i].weight * fade(def->ramp, points[i].depth, &slope);
  return sum;
}

static double scale_of(const tacPenaltyDef *def, double counted) {
  return counted > def->full_count ? def->full_count / counted : 1.0;
}

/* u, the stretch of the spring between point and anchor; moves the anchor. Coulomb's law, |c u| <= mu |f|, is asked in terms of
 * lengths, over c: |u| <= slope x depth, slope = mu k / k_t. Where u would be longer the point slides, along `slide` (unit; else
 * zero). */
static tacVec3 stretch(tacPenaltyPoint *p, double grip, double slope, tacVec3 *slide) {
  tacVec3 u = tac_vec3_sub(p->at, p->anchor);
  u = tac_vec3_mad(u, -tac_vec3_dot(u, p->normal), p->normal);
  double length2 = tac_vec3_norm2(u), longer2 = 1.0; /* by how much it becomes longer, squared */
  if (p->grip > 0.0 && p->grip != grip) longer2 = grip > 0.0 ? p->grip / grip : 0.0;
  *slide = tac_vec3(0.0, 0.0, 0.0);
  if (tac_coulomb_cut(slope, p->depth, longer2 * length2) < 1.0) {
    *slide = tac_vec3_scale(1.0 / sqrt(length2), u);
    u = tac_vec3_scale(slope * p->depth, *slide);
  } else if (longer2 != 1.0) {
    u = tac_vec3_scale(sqrt(longer2), u);
  }
  p->anchor = tac_vec3_sub(p->at, u);
  p->grip = grip;
  return u;
}

/* across I + (along - across) n n^T */
static tacMat3 plane_stiffness(tacVec3 n, double along, double across) {
  double s = along - across, xy = s * n.x * n.y, xz = s * n.x * n.z, yz = s * n.y * n.z;
  return (tacMat3){
      {{across + s * n.x * n.x, xy, xz}, {xy, across + s * n.y * n.y, yz}, {xz, yz, across + s * n.z * n.z}}};
}

tacPenaltyReport tac_penalty_evaluate(const tacPenaltyDef *def, int count, tacPenaltyPoint *points,
                                      tacContactSpring *springs, bool *slides) {
  tacPenaltyReport report = {.counted = count_points(def, count, points)};
  report.scale = scale_of(def, report.counted);
  bool rubs = def->friction > 0.0 && def->tangential > 0.0;
  double most = rubs ? def->friction / def->tangential : 0.0; /* of |u| / depth */
  for (int i = 0; i < count; ++i) {
    tacPenaltyPoint *p = &points[i];
    double slope, g = fade(def->ramp, p->depth, &slope), k = report.scale * def->stiffness * p->weight, across = 0.0;
    tacVec3 force = tac_vec3_scale(-k * g * p->depth, p->normal);
    bool sliding = false;
    tacVec3 slide = tac_vec3(0.0, 0.0, 0.0);
    if (rubs) {
      double grip = def->tangential * k * g;
      tacVec3 u = stretch(p, grip, most, &slide);
      force = tac_vec3_mad(force, -grip, u);
      across = grip;
      sliding = slide.x != 0.0 || slide.y != 0.0 || slide.z != 0.0;
      if (sliding)
        ++report.sliding;
      else
        ++report.sticking;
    } else {
      p->anchor = p->at;
      p->grip = 0.0;
    }
    tacMat3 stiffness = plane_stiffness(p->normal, k * (g + p->depth * slope), across);
    if (sliding) stiffness = tac_mat3_sub(stiffness, tac_mat3_scale(across, tac_mat3_outer(slide, slide)));
    springs[i] = (tacContactSpring){p->at, force, stiffness};
    if (slides != NULL) slides[i] = sliding;
    report.depth = fmax(report.depth, p->depth);
  }
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
    fade(def->ramp, points[i].depth, &slope);
    if (slope == 0.0) continue;
    double share = points[i].weight * slope / counted;
    for (int j = 0; j < n; ++j) work[j] += share * value[j];
  }
  for (int i = 0; i < count; ++i) {
    const tacPenaltyPoint *p = &points[i];
    const double *value = motion->value + (size_t)i * (size_t)n;
    double g = fade(def->ramp, p->depth, &slope), k = scale * def->stiffness * p->weight;
    double rise = k * (g + p->depth * slope), push = -k * g * p->depth;
    const double axis[3] = {p->normal.x, p->normal.y, p->normal.z};
    for (int a = 0; a < 3; ++a) {
      const double *normal = motion->normal + (3 * (size_t)i + (size_t)a) * (size_t)n;
      double *to = gradient + (3 * (size_t)i + (size_t)a) * (size_t)n;
      for (int j = 0; j < n; ++j) to[j] = axis[a] * (rise * value[j] + push * work[j]) + push * normal[j];
    }
  }
}
