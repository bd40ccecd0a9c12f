#include "asset/deformed_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include <tactus/distance_field.h>
#include "asset/deformed_domain.h"
#include "asset/distance_field.h"
#include "base/files/bake_check.h"
#include "base/memory/owned.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacDeformedField, tac_deformed_field_destroy)

tacDeformedFieldDef tac_deformed_field_def_default(void) {
  return (tacDeformedFieldDef){.proxy_count = 40, .nearest = 5};
}

void tac_deformed_field_release(tacDeformedField *field) {
  for (int d = 0; d < field->domain_count; ++d) field->domains[d].field = NULL;
  tac_deformed_field_destroy(field);
}

void tac_deformed_field_destroy(tacDeformedField *field) {
  if (field == NULL) return;
  for (int d = 0; d < field->domain_count; ++d) tac_distance_field_destroy(field->domains[d].field);
  tac_arrays_free(&field->arrays);
  free(field);
}

/* ---- making ---- */

static tacStatus check_parts(int r, int nearest, int domain_count, tacDistanceField *const *domains,
                             const tacProxyParts *proxies, tacError *error) {
  if (r < 1 || r > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of coordinates of a deformed field (%d); 1 to %d are "
                         "possible",
                         r, TAC_BODY_MOST_COORDINATES);
  if (nearest < 1 || nearest > TAC_DEFORMED_NEAREST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of nearest proxies (%d); 1 to %d are possible", nearest,
                         TAC_DEFORMED_NEAREST);
  if (domain_count < 1 || domain_count > TAC_DEFORMED_DOMAINS)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "wrong number of domains of a deformed field (%d); 1 to %d are "
                         "possible",
                         domain_count, TAC_DEFORMED_DOMAINS);
  for (int d = 0; d < domain_count; ++d) {
    if (tac_distance_field_grid(domains[d]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "domain %d is not a grid; sample it first", d);
    if (proxies[d].proxy_count < 1 || proxies[d].proxy_count > TAC_DEFORMED_PROXIES)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%d proxies of domain %d; from 1 to %d are possible",
                           proxies[d].proxy_count, d, TAC_DEFORMED_PROXIES);
  }
  return TAC_OK;
}

/* A cell has negative values only where one of its corners has. Outside the grid's box values are negative only where
 * they are on its boundary. */
static void bound_solid(tacDeformedDomain *domain, const tacGrid *grid) {
  int low[3] = {grid->nx, grid->ny, grid->nz}, high[3] = {-1, -1, -1};
  const float *value = grid->values;
  for (int k = 0; k < grid->nz; ++k)
    for (int j = 0; j < grid->ny; ++j)
      for (int i = 0; i < grid->nx; ++i) {
        if (*value++ >= 0.0f) continue;
        const int at[3] = {i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          if (at[axis] < low[axis]) low[axis] = at[axis];
          if (at[axis] > high[axis]) high[axis] = at[axis];
        }
      }
  tacBox box = {tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(low[0] - 1, low[1] - 1, low[2] - 1)),
                tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(high[0] + 1, high[1] + 1, high[2] + 1))};
  if (high[0] < 0) box = (tacBox){grid->origin, grid->origin}; /* nothing is inside */
  if (domain->boundary < 0.0) box = tac_box_join(box, domain->box);
  domain->centre = tac_box_centre(box);
  domain->radius = 0.5 * tac_vec3_norm(tac_box_size(box)) + fmax(0.0, -domain->boundary);
}

static tacStatus copy_domain(tacDeformedField *to, int d, const tacDistanceField *field, const tacProxyParts *proxies,
                             tacError *error) {
  tacDeformedDomain *domain = &to->domains[d];
  size_t count = (size_t)proxies->proxy_count, size = (size_t)to->r, all = TAC_PROXY_ROWS * size;
  domain->positions = tac_arrays_add(&to->arrays, count, sizeof *domain->positions);
  domain->modes = tac_arrays_add(&to->arrays, all * count, sizeof *domain->modes);
  TAC_TRY(tac_arrays_status(&to->arrays, "proxies", error));
  memcpy(domain->positions, proxies->positions, count * sizeof *domain->positions);
  for (size_t p = 0; p < count; ++p) {
    double *rows = domain->modes + all * p;
    memcpy(rows, proxies->displacements + (proxies->together ? all : 3 * size) * p, 3 * size * sizeof *rows);
    memcpy(rows + 3 * size, proxies->gradients + (proxies->together ? all : 9 * size) * p, 9 * size * sizeof *rows);
  }
  if (!tac_vector_finite(3 * count, &domain->positions[0].x) || !tac_vector_finite(all * count, domain->modes))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the proxies of domain %d have NaN or infinite values", d);
  const tacGrid *grid = tac_distance_field_grid(field);
  const tacVec3 trifle = tac_vec3(1e-9 * grid->spacing, 1e-9 * grid->spacing, 1e-9 * grid->spacing);
  domain->box.lower = tac_vec3_add(grid->origin, trifle);
  domain->box.upper = tac_vec3_sub(
      tac_vec3_mad(grid->origin, grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1)), trifle);
  domain->boundary = tac_distance_field_boundary(field);
  domain->reach = tac_field_reach(field);
  domain->count = proxies->proxy_count;
  bound_solid(domain, grid);
  return TAC_OK;
}

tacStatus tac_deformed_field_create(int r, int nearest, int domain_count, tacDistanceField *const *domains,
                                    const tacProxyParts *proxies, tacDeformedField **result, tacError *error) {
  *result = NULL;
  TAC_TRY(check_parts(r, nearest, domain_count, domains, proxies, error));
  TAC_OWN(tacDeformedField, field) = NULL;
  TAC_TRY(TAC_ARRAY(field, 1, "a deformed field", error));
  field->r = r;
  field->nearest = nearest;
  field->domain_count = domain_count;
  for (int d = 0; d < domain_count; ++d) TAC_TRY(copy_domain(field, d, domains[d], &proxies[d], error));
  for (int d = 0; d < domain_count; ++d) field->domains[d].field = domains[d];
  *result = tac_give(&field);
  return TAC_OK;
}

/* ---- what it holds ---- */

const tacBakeChecks *tac_deformed_field_checks(const tacDeformedField *field) {
  return &field->checks;
}
void tac_deformed_field_set_checks(tacDeformedField *field, const tacBakeChecks *checks) {
  field->checks = *checks;
}
int tac_deformed_field_coordinates(const tacDeformedField *field) {
  return field->r;
}
int tac_deformed_field_domain_count(const tacDeformedField *field) {
  return field->domain_count;
}
const tacDistanceField *tac_deformed_field_domain(const tacDeformedField *field, int domain) {
  return field->domains[domain].field;
}
int tac_deformed_field_proxy_count(const tacDeformedField *field, int domain) {
  return field->domains[domain].count;
}
tacVec3 tac_deformed_field_proxy(const tacDeformedField *field, int domain, int proxy) {
  return field->domains[domain].positions[proxy];
}

/* ---- files ---- */

#define FILE_KIND "deformed field"
#define FILE_VERSION 2 /* 2: with checks */

enum { LAYOUT = 3 };

/* "values 2" */
typedef struct {
  char nodes[TAC_CHUNK_NAME_SIZE], place[TAC_CHUNK_NAME_SIZE], values[TAC_CHUNK_NAME_SIZE];
  char proxies[TAC_CHUNK_NAME_SIZE], modes[TAC_CHUNK_NAME_SIZE];
  tacGridNames grid; /* the first three */
} Names;

static void name_chunks(int domain, Names *names) {
  snprintf(names->nodes, sizeof names->nodes, "nodes %d", domain);
  snprintf(names->place, sizeof names->place, "grid %d", domain);
  snprintf(names->values, sizeof names->values, "values %d", domain);
  snprintf(names->proxies, sizeof names->proxies, "proxies %d", domain);
  snprintf(names->modes, sizeof names->modes, "modes %d", domain);
  names->grid = (tacGridNames){names->nodes, names->place, names->values};
}

tacStatus tac_deformed_field_write(const tacDeformedField *field, const char *path, tacError *error) {
  const int32_t layout[LAYOUT] = {field->r, field->nearest, field->domain_count};
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_put(&to, &field->checks);
  tac_chunk_transfer_put(&to, "layout", TAC_CHUNK_I32, LAYOUT, layout);
  for (int d = 0; d < field->domain_count; ++d) {
    const tacDeformedDomain *domain = &field->domains[d];
    uint64_t count = (uint64_t)domain->count;
    Names names;
    name_chunks(d, &names);
    tac_distance_field_put(&to, domain->field, &names.grid);
    tac_chunk_transfer_put(&to, names.proxies, TAC_CHUNK_F64, 3 * count, domain->positions);
    tac_chunk_transfer_put(&to, names.modes, TAC_CHUNK_F64, TAC_PROXY_ROWS * (uint64_t)field->r * count, domain->modes);
  }
  return tac_chunk_transfer_end(&to);
}

/* What is read, until it becomes a field. */
typedef struct {
  int r, nearest, domain_count;
  tacDistanceField *domains[TAC_DEFORMED_DOMAINS]; /* NULL once they are the field's */
  tacProxyParts proxies[TAC_DEFORMED_DOMAINS];
  tacVec3 *positions[TAC_DEFORMED_DOMAINS];
  double *modes[TAC_DEFORMED_DOMAINS];
} Read;

static void free_read(Read *read) {
  for (int d = 0; d < read->domain_count; ++d) {
    tac_distance_field_destroy(read->domains[d]);
    free(read->positions[d]);
    free(read->modes[d]);
  }
}

static void take_layout(tacChunkTransfer *from, Read *read) {
  int32_t layout[LAYOUT] = {1, 1, 1};
  tac_chunk_transfer_take_into(from, "layout", TAC_CHUNK_I32, sizeof layout, layout);
  if (layout[0] < 1 || layout[0] > TAC_BODY_MOST_COORDINATES || layout[2] < 1 || layout[2] > TAC_DEFORMED_DOMAINS)
    tac_chunk_transfer_refuse(from, "the number of coordinates or domains is not valid");
  if (from->status != TAC_OK) return;
  read->r = layout[0];
  read->nearest = layout[1];
  read->domain_count = layout[2];
}

static void take_domain(tacChunkTransfer *from, Read *read, int d) {
  int count = -1, rows;
  Names names;
  name_chunks(d, &names);
  read->domains[d] = tac_distance_field_take(from, &names.grid);
  read->positions[d] = tac_chunk_transfer_take(from, names.proxies, TAC_CHUNK_F64, 3, &count);
  if (count > TAC_DEFORMED_PROXIES) tac_chunk_transfer_refuse(from, "there are more proxies than possible");
  rows = count;
  double *modes = tac_chunk_transfer_take(from, names.modes, TAC_CHUNK_F64, TAC_PROXY_ROWS * read->r, &rows);
  read->modes[d] = modes;
  if (modes != NULL) read->proxies[d] = (tacProxyParts){count, read->positions[d], modes, modes + 3 * read->r, true};
}

tacStatus tac_deformed_field_read(const char *path, tacDeformedField **result, tacError *error) {
  *result = NULL;
  TAC_FREED(free_read, Read, read) = {0};
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  take_layout(&from, &read);
  for (int d = 0; from.status == TAC_OK && d < read.domain_count; ++d) take_domain(&from, &read, d);
  if (from.status == TAC_OK)
    from.status =
        tac_deformed_field_create(read.r, read.nearest, read.domain_count, read.domains, read.proxies, result, error);
  if (*result != NULL) {
    memset(read.domains, 0, sizeof read.domains);
    tac_deformed_field_set_checks(*result, &checks);
  }
  return tac_chunk_transfer_end(&from);
}
