/* Making deformed fields, and what contact asks of one in a moment. The internal side of <tactus/distance_field.h>. */
#pragma once

#include <tactus/distance_field.h>
#include "math/geometry/mat3.h"

typedef struct tacDeformedPose tacDeformedPose; /* asset/deformed_pose.h */

typedef struct tacDeformedFieldDef {
  int proxy_count; /* of each domain; default 40 */
  int nearest;     /* k; default 5 */
} tacDeformedFieldDef;
tacDeformedFieldDef tac_deformed_field_def_default(void);
void tac_deformed_field_destroy(tacDeformedField *field); /* NULL is allowed */
tacStatus tac_deformed_field_write(const tacDeformedField *field, const char *path, tacError *error);
tacStatus tac_deformed_field_read(const char *path, tacDeformedField **field, tacError *error);
const tacBakeChecks *tac_deformed_field_checks(const tacDeformedField *field); /* of its bake */
int tac_deformed_field_coordinates(const tacDeformedField *field);             /* r */
int tac_deformed_field_domain_count(const tacDeformedField *field);
const tacDistanceField *tac_deformed_field_domain(const tacDeformedField *field, int domain); /* at rest */
int tac_deformed_field_proxy_count(const tacDeformedField *field, int domain);
tacVec3 tac_deformed_field_proxy(const tacDeformedField *field, int domain, int proxy); /* at rest */

/* Proxies of one domain: material positions P [proxy], displacements U [proxy][3][r] and modes of the deformation gradient
 * dF/dq_j [proxy][3][3][r] (3.7). */
typedef struct tacProxyParts {
  int proxy_count;
  const tacVec3 *positions;
  const double *displacements, *gradients;
  bool together; /* a proxy's gradients follow its displacements, and then come those of the next */
} tacProxyParts;

/* Copies the proxies; takes the domains over on success. */
tacStatus tac_deformed_field_create(int r, int nearest, int domain_count, tacDistanceField *const *domains,
                                    const tacProxyParts *proxies, tacDeformedField **field, tacError *error);

/* Destroys it, but not its domains. */
void tac_deformed_field_release(tacDeformedField *field);

/* What its bake was compared with. */
void tac_deformed_field_set_checks(tacDeformedField *field, const tacBakeChecks *checks);

const tacDeformedField *tac_deformed_pose_field(const tacDeformedPose *pose);
const tacLoadField *tac_deformed_pose_loads(const tacDeformedPose *pose); /* NULL: none */
/* Tick. tac_deformed_pose_value, its gradient by x, and by q where `by_q` [r] is not NULL, both exact for this
 * interpolant (with loads, but for how their weights change with q), and the proxy with the largest weight of the domain
 * that is nearest. */
typedef struct tacDeformedAnswer {
  double value;
  tacVec3 gradient;
  int domain, proxy;
} tacDeformedAnswer;
tacDeformedAnswer tac_deformed_pose_gradient(const tacDeformedPose *pose, tacVec3 x, double *by_q);
/* Tick. As tac_deformed_pose_value of each place, bit for bit, in less time. */
void tac_deformed_pose_values(const tacDeformedPose *pose, int count, const tacVec3 *x, double *values);
/* All that a tree wants to know of places, each with a radius of its own. Places that are near to each other are answered faster
 * together. With an infinite radius a look tells values. */
typedef struct tacDeformedLook {
  /* A distance from x within which there surely is no point with a negative value, told as far as `radius` + `more` at most, or less
   * far; less than `radius` where there may be one within it. Points that were farther from contact, by this, than what
   * tac_deformed_pose_set returned are not in contact now. */
  double reach;
  /* Where the reach is less than the radius: */
  double bound;      /* no reach that is told of this place, with whatever radius, is larger */
  double value;      /* as tac_deformed_pose_value where that is negative, else not negative */
  int domain, proxy; /* of the value, as in tacDeformedAnswer */
} tacDeformedLook;
void tac_deformed_pose_look(const tacDeformedPose *pose, int count, const tacVec3 *x, const double *radii, double more,
                            tacDeformedLook *looks);

/* [12][r] rows at a proxy, U then dF/dq; and the material point that x is the image of there: x = p_i + F_i (X - P_i). */
const double *tac_deformed_pose_modes(const tacDeformedPose *pose, int domain, int proxy);
tacVec3 tac_deformed_pose_pull_back(const tacDeformedPose *pose, int domain, int proxy, tacVec3 x);
tacVec3 tac_deformed_pose_push_forward(const tacDeformedPose *pose, int domain, int proxy, tacVec3 material);
/* The same at another q: [r]. */
tacVec3 tac_deformed_pose_pull_back_at(const tacDeformedPose *pose, int domain, int proxy, const double *q, tacVec3 x);
/* Gradients, F^T n and F^-T N: of a function of X = pull_back(x), from here to rest and back. */
tacVec3 tac_deformed_pose_pull_normal(const tacDeformedPose *pose, int domain, int proxy, tacVec3 normal);
tacVec3 tac_deformed_pose_push_normal(const tacDeformedPose *pose, int domain, int proxy, tacVec3 material);
