#include "body/response.h"

#include <string.h>
#include "math/dense/dense.h"
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

const float *tac_response_float_rows(const tacBody *body, int n, const tacPointshell *points, const tacSite *site,
                                     float *room, int *stride) {
  double exact[3 * TAC_BODY_MOST_COORDINATES];
  if (site->kind == TAC_SITE_SHELL && tac_pointshell_coordinates(points) == n) {
    const float *all = tac_pointshell_displacements(points, stride);
    return all + (size_t)site->index * 3 * (size_t)*stride;
  }
  *stride = (n + 3) / 4 * 4;
  body->table->rows(body->self, site, exact);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < *stride; ++i) room[axis * *stride + i] = i < n ? (float)exact[axis * n + i] : 0.0f;
  return room;
}

static tacVec3 velocity_of_coordinates(const tacBody *body, const tacPatch *patches, const tacSite *site) {
  const tacBodyDescription is = tac_body_describe(body);
  double rows[3 * TAC_BODY_MOST_COORDINATES], own[3] = {0.0};
  int n = is.rates != NULL ? is.coordinates : 0;
  if (n > 0) tac_response_rows(body, patches, site, rows);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < n; ++i) own[axis] += rows[axis * n + i] * is.rates[i];
  return tac_vec3(own[0], own[1], own[2]);
}

tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site) {
  if (body->table->velocity == NULL) return velocity_of_coordinates(body, patches, site);
  if (site->kind != TAC_SITE_PATCH) return body->table->velocity(body->self, site);
  const tacPatch *patch = &patches[site->index];
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = 0; i < patch->count; ++i) {
    tacSite at = vertex_site(patch, i);
    sum = tac_vec3_mad(sum, patch->weight[i], body->table->velocity(body->self, &at));
  }
  return sum;
}

bool tac_response_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena) {
  int n = 3 * count, s = 3 * (count - first), l = 3 * first;
  tacArenaMark mark = tac_arena_mark(arena);
  double *system = tac_arena_array(arena, (size_t)s * (size_t)s, sizeof *system);
  double *gc = tac_arena_array(arena, (size_t)s * (size_t)l + 1, sizeof *gc);
  int *pivot = tac_arena_array(arena, (size_t)s + 1, sizeof *pivot);
  bool solved = system != NULL && gc != NULL && pivot != NULL;
  /* 1 + K C_SS, by columns. */
  for (int col = 0; solved && col < s; ++col)
    for (int i = 0; i < s; ++i) {
      const double *row = k[i / 3].m[i % 3];
      double sum = i == col ? 1.0 : 0.0;
      for (int a = 0; a < 3; ++a) sum += row[a] * c[(l + i / 3 * 3 + a) * n + l + col];
      system[i + col * s] = sum;
    }
  tacDense matrix = {s, s, s, system};
  solved = solved && tac_dense_loop_lu(&matrix, pivot);
  for (int col = 0; solved && col < s; ++col) { /* columns of G */
    double *x = g + col * s;
    memset(x, 0, (size_t)s * sizeof *x);
    for (int a = 0; a < 3; ++a) x[col / 3 * 3 + a] = k[col / 3].m[a][col % 3];
    tac_dense_loop_lu_solve(&matrix, pivot, x);
  }
  for (int i = 0; solved && i < s; ++i)
    for (int j = 0; j < i; ++j) g[i * s + j] = g[j * s + i] = 0.5 * (g[i * s + j] + g[j * s + i]);
  for (int i = 0; solved && i < s; ++i) /* G C_SL */
    for (int j = 0; j < l; ++j) {
      double sum = 0.0;
      for (int a = 0; a < s; ++a) sum += g[i * s + a] * c[(l + a) * n + j];
      gc[i * l + j] = sum;
    }
  for (int i = 0; solved && i < l; ++i)
    for (int j = 0; j < l; ++j) {
      double sum = 0.0;
      for (int a = 0; a < s; ++a) sum += c[i * n + l + a] * gc[a * l + j];
      c[i * n + j] -= sum;
    }
  tac_arena_release(arena, mark);
  return solved;
}
