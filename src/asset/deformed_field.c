#include "asset/deformed_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include <tactus/deformed_field.h>
#include "asset/deformed_domain.h"
#include "base/files/bake_check.h"
#include "base/files/chunk_transfer.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

tacDeformedFieldDef tac_deformed_field_def_default(void) {
  return (tacDeformedFieldDef){.proxy_count = 40, .nearest = 5};
}

void tac_deformed_field_release(tacDeformedField *field) {
  for (int d = 0; d < field->domain_count; ++d) field->domains[d].field = NULL;
  tac_deformed_field_destroy(field);
}

void tac_deformed_field_destroy(tacDeformedField *field) {
  if (field == NULL) return;
  for (int d = 0; d < field->domain_count; ++d) {
    tac_distance_field_destroy(field->domains[d].field);
    free(field->domains[d].positions);
    free(field->domains[d].modes);
  }
  free(field);
}

/* ---- making ---- */

static bool all_finite(const double *numbers, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(numbers[i])) return false;
  return true;
}

static tacStatus check_proxies(int r, int domain, const tacProxyParts *proxies, tacError *error) {
  size_t count = (size_t)proxies->proxy_count, size = (size_t)r;
  if (proxies->proxy_count < 1 || proxies->proxy_count > TAC_DEFORMED_PROXIES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d proxies of domain %d; from 1 to %d are possible",
                         proxies->proxy_count, domain, TAC_DEFORMED_PROXIES);
  if (!all_finite(&proxies->positions[0].x, 3 * count) || !all_finite(proxies->displacements, 3 * count * size) ||
      !all_finite(proxies->gradients, 9 * count * size))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "proxies of domain %d are not finite", domain);
  return TAC_OK;
}

static tacStatus check_parts(int r, int nearest, int domain_count, tacDistanceField *const *domains,
                             const tacProxyParts *proxies, tacError *error) {
  if (r < 1 || r > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a deformed field of %d coordinates; from 1 to %d are possible", r,
                         TAC_BODY_MOST_COORDINATES);
  if (nearest < 1 || nearest > TAC_DEFORMED_NEAREST)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%d nearest proxies; from 1 to %d are possible", nearest,
                         TAC_DEFORMED_NEAREST);
  if (domain_count < 1 || domain_count > TAC_DEFORMED_DOMAINS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a deformed field of %d domains; from 1 to %d are possible",
                         domain_count, TAC_DEFORMED_DOMAINS);
  for (int d = 0; d < domain_count; ++d) {
    if (tac_distance_field_grid(domains[d]) == NULL)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "domain %d is no grid: sample it first", d);
    tacStatus status = check_proxies(r, d, &proxies[d], error);
    if (status != TAC_OK) return status;
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

static tacStatus copy_domain(int r, tacDistanceField *field, const tacProxyParts *proxies, tacDeformedDomain *domain,
                             tacError *error) {
  size_t count = (size_t)proxies->proxy_count, size = (size_t)r;
  domain->positions = tac_array_create(count, sizeof *domain->positions, "proxies", error);
  domain->modes = tac_array_create(TAC_PROXY_ROWS * count * size, sizeof *domain->modes, "proxies", error);
  if (domain->positions == NULL || domain->modes == NULL) return TAC_ERR_MEMORY;
  memcpy(domain->positions, proxies->positions, count * sizeof *domain->positions);
  for (size_t p = 0; p < count; ++p) {
    double *rows = domain->modes + TAC_PROXY_ROWS * size * p;
    memcpy(rows, proxies->displacements + 3 * size * p, 3 * size * sizeof *rows);
    memcpy(rows + 3 * size, proxies->gradients + 9 * size * p, 9 * size * sizeof *rows);
  }
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
  tacStatus status = check_parts(r, nearest, domain_count, domains, proxies, error);
  if (status != TAC_OK) return status;
  tacDeformedField *field = tac_array_create(1, sizeof *field, "a deformed field", error);
  if (field == NULL) return TAC_ERR_MEMORY;
  field->r = r;
  field->nearest = nearest;
  field->domain_count = domain_count;
  for (int d = 0; status == TAC_OK && d < domain_count; ++d)
    status = copy_domain(r, domains[d], &proxies[d], &field->domains[d], error);
  if (status != TAC_OK) {
    tac_deformed_field_destroy(field);
    return status;
  }
  for (int d = 0; d < domain_count; ++d) field->domains[d].field = domains[d];
  *result = field;
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

enum { LAYOUT = 3, NODES = 3, GRID = 4 };

/* "values 2" */
typedef struct {
  char text[TAC_CHUNK_NAME_SIZE];
} ChunkName;

static ChunkName chunk_name(const char *what, int domain) {
  ChunkName name;
  snprintf(name.text, sizeof name.text, "%.20s %d", what, domain);
  return name;
}

static void put_domain(tacChunkTransfer *to, const tacDeformedField *field, int d) {
  const tacDeformedDomain *domain = &field->domains[d];
  const tacGrid *grid = tac_distance_field_grid(domain->field);
  const int32_t nodes[NODES] = {grid->nx, grid->ny, grid->nz};
  const double place[GRID] = {grid->origin.x, grid->origin.y, grid->origin.z, grid->spacing};
  uint64_t values = (uint64_t)grid->nx * (uint64_t)grid->ny * (uint64_t)grid->nz, count = (uint64_t)domain->count;
  tac_chunk_transfer_put(to, chunk_name("nodes", d).text, TAC_CHUNK_I32, NODES, nodes);
  tac_chunk_transfer_put(to, chunk_name("grid", d).text, TAC_CHUNK_F64, GRID, place);
  tac_chunk_transfer_put(to, chunk_name("values", d).text, TAC_CHUNK_F32, values, grid->values);
  tac_chunk_transfer_put(to, chunk_name("proxies", d).text, TAC_CHUNK_F64, 3 * count, domain->positions);
  tac_chunk_transfer_put(to, chunk_name("modes", d).text, TAC_CHUNK_F64, TAC_PROXY_ROWS * (uint64_t)field->r * count,
                         domain->modes);
}

tacStatus tac_deformed_field_write(const tacDeformedField *field, const char *path, tacError *error) {
  const int32_t layout[LAYOUT] = {field->r, field->nearest, field->domain_count};
  tacChunkTransfer to = tac_chunk_transfer_write(path, FILE_KIND, FILE_VERSION, error);
  tac_bake_checks_put(&to, &field->checks);
  tac_chunk_transfer_put(&to, "layout", TAC_CHUNK_I32, LAYOUT, layout);
  for (int d = 0; d < field->domain_count; ++d) put_domain(&to, field, d);
  return tac_chunk_transfer_end(&to);
}

/* What is read, until it becomes a field. */
typedef struct {
  int r, nearest, domain_count;
  tacDistanceField *domains[TAC_DEFORMED_DOMAINS];
  tacProxyParts proxies[TAC_DEFORMED_DOMAINS];
  tacVec3 *positions[TAC_DEFORMED_DOMAINS];
  double *displacements[TAC_DEFORMED_DOMAINS], *gradients[TAC_DEFORMED_DOMAINS];
} Read;

static void broken(tacChunkTransfer *from, tacStatus status, const char *what) {
  if (from->status == TAC_OK)
    from->status = tac_error_set(from->error, status == TAC_ERR_ARGUMENT ? TAC_ERR_FORMAT : status, "%s: %.300s",
                                 from->path, what);
}

static void take_layout(tacChunkTransfer *from, Read *read) {
  int count = LAYOUT;
  int32_t *layout = tac_chunk_transfer_take(from, "layout", TAC_CHUNK_I32, 1, &count);
  if (from->status == TAC_OK) {
    read->r = layout[0];
    read->nearest = layout[1];
    if (read->r < 1 || read->r > TAC_BODY_MOST_COORDINATES || layout[2] < 1 || layout[2] > TAC_DEFORMED_DOMAINS)
      broken(from, TAC_ERR_FORMAT, "numbers of coordinates or domains that cannot be");
    else
      read->domain_count = layout[2];
  }
  free(layout);
}

static void take_grid(tacChunkTransfer *from, int d, tacDistanceField **field) {
  int node_count = NODES, grid_count = GRID, value_count = -1;
  int32_t *n = tac_chunk_transfer_take(from, chunk_name("nodes", d).text, TAC_CHUNK_I32, 1, &node_count);
  double *place = tac_chunk_transfer_take(from, chunk_name("grid", d).text, TAC_CHUNK_F64, 1, &grid_count);
  float *values = tac_chunk_transfer_take(from, chunk_name("values", d).text, TAC_CHUNK_F32, 1, &value_count);
  if (from->status == TAC_OK) {
    tacGrid grid = {n[0], n[1], n[2], {place[0], place[1], place[2]}, place[3], values};
    tacError why = {0};
    tacStatus status = TAC_ERR_FORMAT;
    if (n[0] < 2 || n[1] < 2 || n[2] < 2 || (double)n[0] * n[1] * n[2] != (double)value_count)
      broken(from, status, "there are not as many values as a grid has nodes");
    else if ((status = tac_distance_field_from_grid(&grid, field, &why)) == TAC_OK)
      values = NULL;
    else
      broken(from, status, why.text);
  }
  free(n);
  free(place);
  free(values);
}

static void take_proxies(tacChunkTransfer *from, Read *read, int d) {
  int count = -1;
  size_t r = (size_t)read->r;
  read->positions[d] = tac_chunk_transfer_take(from, chunk_name("proxies", d).text, TAC_CHUNK_F64, 3, &count);
  if (count > TAC_DEFORMED_PROXIES) broken(from, TAC_ERR_FORMAT, "more proxies than there can be");
  int rows = count;
  double *modes =
      tac_chunk_transfer_take(from, chunk_name("modes", d).text, TAC_CHUNK_F64, TAC_PROXY_ROWS * (int)r, &rows);
  if (from->status == TAC_OK) {
    read->displacements[d] = tac_array_create(3 * r * (size_t)count, sizeof *modes, "proxies", from->error);
    read->gradients[d] = tac_array_create(9 * r * (size_t)count, sizeof *modes, "proxies", from->error);
    if (read->displacements[d] == NULL || read->gradients[d] == NULL) from->status = TAC_ERR_MEMORY;
  }
  for (size_t p = 0; from->status == TAC_OK && p < (size_t)count; ++p) {
    const double *rows_of = modes + TAC_PROXY_ROWS * r * p;
    memcpy(read->displacements[d] + 3 * r * p, rows_of, 3 * r * sizeof *modes);
    memcpy(read->gradients[d] + 9 * r * p, rows_of + 3 * r, 9 * r * sizeof *modes);
  }
  free(modes);
  read->proxies[d] = (tacProxyParts){count, read->positions[d], read->displacements[d], read->gradients[d]};
}

tacStatus tac_deformed_field_read(const char *path, tacDeformedField **result, tacError *error) {
  *result = NULL;
  Read read = {0};
  tacChunkTransfer from = tac_chunk_transfer_read(path, FILE_KIND, FILE_VERSION, error);
  tacBakeChecks checks;
  tac_bake_checks_take(&from, &checks);
  take_layout(&from, &read);
  for (int d = 0; from.status == TAC_OK && d < read.domain_count; ++d) {
    take_grid(&from, d, &read.domains[d]);
    take_proxies(&from, &read, d);
  }
  if (from.status == TAC_OK) {
    tacError why = {0};
    tacStatus status =
        tac_deformed_field_create(read.r, read.nearest, read.domain_count, read.domains, read.proxies, result, &why);
    if (status != TAC_OK) broken(&from, status, why.text);
    if (status == TAC_OK) tac_deformed_field_set_checks(*result, &checks);
  }
  for (int d = 0; d < read.domain_count; ++d) {
    if (*result == NULL) tac_distance_field_destroy(read.domains[d]);
    free(read.positions[d]);
    free(read.displacements[d]);
    free(read.gradients[d]);
  }
  return tac_chunk_transfer_end(&from);
}
