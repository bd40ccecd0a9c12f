#include "body/response.h"

#include <string.h>
#include "math/geometry/vec3.h"

static tacSite vertex_site(const tacPatch *patch, int i) {
  int corner = patch->corner[i] % 3;
  return (tacSite){TAC_SITE_SURFACE, patch->corner[i] / 3, tac_vec3(corner == 0, corner == 1, corner == 2)};
}

tacVec3 tac_response_place(const tacBody *body, const tacPatch *patches, const tacSite *site) {
  if (site->kind != TAC_SITE_PATCH) return tac_body_place(body, site);
  const tacPatch *patch = &patches[site->index];
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < patch->count; ++i)
    sum = tac_vec3_mad(sum, patch->weight[i], body->table->vertex(body->self, patch->vertex[i]));
  return sum;
}

void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows) {
  if (site->kind != TAC_SITE_PATCH) {
    body->table->rows(body->self, site, rows);
    return;
  }
  const tacPatch *patch = &patches[site->index];
  double own[3 * TAC_BODY_MOST_COORDINATES];
  int n = 3 * tac_body_size(body);
  memset(rows, 0, (size_t)n * sizeof *rows);
  for (int i = 0; i < patch->count; ++i) {
    tacSite at = vertex_site(patch, i);
    body->table->rows(body->self, &at, own);
    for (int k = 0; k < n; ++k) rows[k] += patch->weight[i] * own[k];
  }
}

tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site) {
  if (site->kind != TAC_SITE_PATCH) return body->table->velocity(body->self, site);
  const tacPatch *patch = &patches[site->index];
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < patch->count; ++i) {
    tacSite at = vertex_site(patch, i);
    sum = tac_vec3_mad(sum, patch->weight[i], body->table->velocity(body->self, &at));
  }
  return sum;
}
