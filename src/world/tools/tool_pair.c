#include "world/tools/tool_pair.h"

#include <math.h>
#include "body/vertex_stiffness.h"
#include "contact/point_group.h"

static bool same_point(const tacSurfacePoint *a, const tacSurfacePoint *b) {
  return a->triangle == b->triangle && a->weight[0] == b->weight[0] && a->weight[1] == b->weight[1] &&
         a->weight[2] == b->weight[2];
}

/* Returns an upper bound for the largest eigenvalue of the stiffness K at all points of a triangle, N/m. The bound
 * exceeds the largest eigenvalue at the corners by at most 15 %. */
static double stiffest(const tacWorldBody *body, int tip, int triangle) {
  double most = 0.0;
  for (int i = 0; i < 3; ++i) {
    tacMat3 k =
        body->body.table->stiffness(body->body.self, tip, body->fingers.walk.mesh->triangles[triangle].v[i])->value;
    double size = tac_mat3_norm(k);
    k = tac_mat3_scale(size > 0.0 ? 1.0 / size : 0.0, k);
    k = tac_mat3_mul(k, k);
    most = fmax(most, size * sqrt(sqrt(tac_mat3_norm(tac_mat3_mul(k, k))))); /* |K^4|^(1/4), Frobenius norm */
  }
  return most;
}

/* Queries the compliances between all corners of the two triangles. Returns false if a compliance is unknown. */
static bool ask_corners(const tacWorldBody *body, const int tips[2], tacToolPair *pair) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      tacSurfacePoint here = {.triangle = pair->at.triangle}, there = {.triangle = pair->by.triangle};
      here.weight[i] = there.weight[k] = 1.0;
      tacSite a = tac_site_touched(&body->body, tips[0], here), b = tac_site_touched(&body->body, tips[1], there);
      if (!body->body.table->compliance(body->body.self, &a, &b, pair->corners[i][k].m)) return false;
    }
  pair->stiffest = stiffest(body, tips[0], pair->at.triangle) * stiffest(body, tips[1], pair->by.triangle);
  return true;
}

/* Returns the compliance between the two points, interpolated between the corners of the triangles. */
static tacMat3 between_corners(const tacToolPair *pair) {
  typedef double Two __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double)), may_alias));
  Two sum[4] = {{0.0}};
  double last = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double weight = pair->at.weight[i] * pair->by.weight[k], *corner = pair->corners[i][k].m[0];
      for (int e = 0; e < 4; ++e) sum[e] += weight * ((const Two *)corner)[e];
      last += weight * pair->corners[i][k].m[2][2];
    }
  return (tacMat3){
      {{sum[0][0], sum[0][1], sum[1][0]}, {sum[1][1], sum[2][0], sum[2][1]}, {sum[3][0], sum[3][1], last}}};
}

/* Computes the compliance between the two points of the pair. Returns false if the compliance is unknown. */
static bool ask(const tacWorldBody *body, const int tips[2], tacToolPair *pair) {
  tacTouched first = {body->body, &body->fingers.walk, tips[0]}, second = {body->body, &body->fingers.walk, tips[1]};
  if (pair->has_corners) {
    pair->compliance = between_corners(pair);
    double size2 = 0.0;
    for (int r = 0; r < 3; ++r) size2 += tac_vec3_norm2(tac_mat3_column(pair->compliance, r));
    if (size2 * pair->stiffest < TAC_POINT_GROUP_COUPLING * TAC_POINT_GROUP_COUPLING) return true;
  } else {
    tacSite at = tac_site_touched(&body->body, tips[0], pair->at),
            by = tac_site_touched(&body->body, tips[1], pair->by);
    if (!body->body.table->compliance(body->body.self, &at, &by, pair->compliance.m)) return false;
  }
  pair->compliance = tac_point_group_limit(tac_point_contact_stiffness(&first, pair->at), pair->compliance,
                                           tac_point_contact_stiffness(&second, pair->by));
  return true;
}

/* Returns the number of the fingertip radius at a point, which belongs to a tool or to a fading contact. */
static int tip_of(const tacWorld *world, int point) {
  return point < world->tool_count ? world->tools[point].tip : world->fading[point - world->tool_count].tip;
}

bool tac_tool_pair_compliance(tacWorld *world, int body, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                              tacMat3 *compliance) {
  bool turned = i > j;
  tacToolPair *pair = tac_world_tool_pair(world, turned ? j : i, turned ? i : j);
  const tacSurfacePoint *first = turned ? &by : &at, *second = turned ? &at : &by;
  bool same = pair->body == body;
  if (!same || !pair->known || !same_point(&pair->at, first) || !same_point(&pair->by, second)) {
    same = same && pair->has_corners && pair->at.triangle == first->triangle && pair->by.triangle == second->triangle;
    pair->body = body;
    pair->at = *first;
    pair->by = *second;
    const int tips[2] = {tip_of(world, turned ? j : i), tip_of(world, turned ? i : j)};
    if (!same) pair->has_corners = ask_corners(&world->bodies[body], tips, pair);
    pair->known = ask(&world->bodies[body], tips, pair);
  }
  if (pair->known) *compliance = turned ? tac_mat3_transpose(pair->compliance) : pair->compliance;
  return pair->known;
}
