#include "kinds/reduced/embedded/deformed_field_check.h"

#include <math.h>
#include <stdlib.h>
#include "asset/deformed_domain.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "bake/modes/embedding_check.h"
#include "bake/points/pointshell_check.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "math/random.h"

TAC_OWNED_TYPE(tacDeformedPose, tac_deformed_pose_destroy)

enum { REST_SAMPLES = 200 };
/* Tolerance of the values at q = 0. The field is then a weighted mean of values at positions that differ only by
 * rounding, and the slope of the field is 1. The error is therefore a few epsilon times the size of the box. */
#define REST_ALLOWED 1e-9
#define EMBEDDED_ALLOWED 1e-9 /* tolerance of sums of eight products */

/* Chooses random positions in the boxes and near the proxies. Inside the boxes the field is continuous. */
static tacVec3 choose_place(const tacDeformedField *field, int sample, tacRandom *random) {
  const tacDeformedDomain *domain = &field->domains[sample % field->domain_count];
  tacVec3 size = tac_box_size(domain->box), margin = tac_vec3_scale(0.01, size);
  tacBox box = {tac_vec3_add(domain->box.lower, margin), tac_vec3_sub(domain->box.upper, margin)};
  tacVec3 p = tac_random_in_box(random, box);
  if (sample % 2 == 0) return p;
  tacVec3 proxy = domain->positions[sample / 2 % domain->count];
  p = tac_vec3_mad(proxy, 0.05, tac_vec3_sub(p, proxy));
  return tac_vec3_max(box.lower, tac_vec3_min(p, box.upper));
}

/* Returns the distance to an undeformed domain. Outside the box of the domain, the distance is the larger of two
 * bounds: the bound from the nearest point of the box, and the bound (3.14) of Barbic 2007. */
static double rest_value(const tacDeformedDomain *domain, tacVec3 p) {
  tacVec3 near = tac_vec3_max(domain->box.lower, tac_vec3_min(p, domain->box.upper));
  double away = tac_vec3_distance(p, near), value = tac_distance_field_value(domain->field, near);
  return away > 0.0 ? fmax(value - away, away + domain->boundary) : value;
}

static tacStatus check_rest(const tacDeformedField *field, tacBakeChecks *checks, tacError *error) {
  TAC_MEMORY(double, q) = NULL;
  TAC_OWN(tacDeformedPose, pose) = NULL;
  TAC_TRY(TAC_ARRAY(q, (size_t)field->r, "a check", error));
  TAC_TRY(tac_deformed_pose_create(field, &pose, error));
  tac_deformed_pose_set(pose, q);
  tacRandom random = tac_random_seed(14);
  tacWorst worst = {0};
  for (int s = 0; s < REST_SAMPLES; ++s) {
    tacVec3 p = choose_place(field, s, &random);
    double rest = INFINITY, side = 0.0;
    for (int d = 0; d < field->domain_count; ++d) {
      rest = fmin(rest, rest_value(&field->domains[d], p));
      side = fmax(side, tac_box_longest(field->domains[d].box));
    }
    tac_worst_add(&worst, fabs(tac_deformed_pose_value(pose, p) - rest) / side, s);
  }
  return tac_bake_checks_add(checks, "values at q = 0 with those of the fields at rest (sides of the box)", &worst,
                             REST_ALLOWED, NULL, error);
}

static tacStatus check_surface(const tacDeformedField *field, tacBakeChecks *checks, tacError *error) {
  tacWorst worst = {0};
  double allowed = 0.0;
  for (int d = 0; d < field->domain_count; ++d) {
    const tacDeformedDomain *domain = &field->domains[d];
    const tacGrid *grid = tac_distance_field_grid(domain->field);
    for (int i = 0; i < domain->count; ++i) {
      tacVec3 p = domain->positions[i], gradient;
      double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
      allowed = fmax(allowed, tac_pointshell_check_allowed(grid, largest));
      tac_worst_add(&worst, fabs(tac_pointshell_check_value(grid, p, &gradient)) / grid->spacing, 1000 * d + i);
    }
  }
  return tac_bake_checks_add(checks, "proxies with the surfaces of their domains (voxels)", &worst, allowed,
                             "1000 domain + proxy =", error);
}

static tacStatus check_motion(const tacDeformedField *field, const tacReduced *reduced, tacBakeChecks *checks,
                              tacError *error) {
  const tacEmbeddingCheck check =
      tac_embedding_check(tac_reduced_volume(reduced), field->r, tac_reduced_basis(reduced));
  size_t r = (size_t)field->r;
  tacRandom random = tac_random_seed(15);
  tacWorst worst = {0};
  for (int s = 0; s < TAC_EMBEDDING_SAMPLES; ++s) {
    int d = s % field->domain_count;
    const tacDeformedDomain *domain = &field->domains[d];
    int proxy = (int)(tac_random_bits(&random) % (uint64_t)domain->count);
    const double *modes = domain->modes + TAC_PROXY_ROWS * r * (size_t)proxy;
    const tacEmbeddedRows rows = {.point = domain->positions[proxy], .displacement = modes, .gradient = modes + 3 * r};
    tac_embedding_check_compare(&check, &rows, 1000 * d + proxy, &worst);
  }
  return tac_bake_checks_add(checks, "displacements and gradients of proxies with their element", &worst,
                             EMBEDDED_ALLOWED, "1000 domain + proxy =", error);
}

tacStatus tac_deformed_field_check(const tacDeformedField *field, const tacReduced *reduced, tacBakeChecks *checks,
                                   tacError *error) {
  TAC_TRY(check_rest(field, checks, error));
  TAC_TRY(check_surface(field, checks, error));
  return check_motion(field, reduced, checks, error);
}
