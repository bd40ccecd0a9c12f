/* A complete kind of body: a bed of springs (Winkler). A slab stands on its lower side; its top is a grid of columns, each with a
 * spring, a damper and a mass of its own, that yields in z alone. In scenes:
 *
 *   kinds: [body_bed.so]
 *   bodies:
 *     - {name: bed, kind: bed, size: [80 mm, 60 mm, 20 mm], columns: [8, 6], stiffness: 2e6 N/m3, density: 200 kg/m3}
 *
 *   cc -std=c17 -shared -fPIC body_bed.c -o body_bed.so $(pkg-config --cflags --libs tactus) -lm
 *
 * Body's frame: the middle of the lower side, z up. The coordinates q are the heights of the n = nx ny columns above rest, m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body_kind.h>

enum { MOST = 8, MOST_COLUMNS = MOST * MOST };
typedef struct BedKeys { /* what a scene says */
  double size[3], columns[2], stiffness, damping, density;
} BedKeys;

typedef struct Bed {
  BedKeys is; /* as the scene says */
  int nx, ny, n;
  double area[MOST_COLUMNS];        /* m^2 of the top that a column has */
  double numbers[3 * MOST_COLUMNS]; /* all that changes: */
  double *q, *v, *motion;           /* [n] m, m/s, and m of this step so far */
  tacTriMesh *surface;              /* at rest; vertices: the top's columns, then those below */
  tacPointshell *points;            /* that move with q; NULL: none */
} Bed;

static tacStatus refuse(tacError *error, tacStatus status, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return error->status = status;
}

/* ---- life ---- */

static void bed_destroy(void *self) {
  Bed *bed = self;
  if (bed == NULL) return;
  tac_trimesh_destroy(bed->surface);
  tac_pointshell_destroy(bed->points);
  free(bed);
}

static void bed_reset(void *self) {
  memset(((Bed *)self)->numbers, 0, sizeof((Bed *)self)->numbers);
}

static tacBodyDescription bed_describe(const void *self) { /* the state is q, then v; q alone shows it */
  const Bed *bed = self;
  return (tacBodyDescription){.surface = bed->surface,
                              .points = bed->points,
                              .points_q = bed->q,
                              .state = 2 * bed->n,
                              .shown = bed->n,
                              .coordinates = bed->n};
}

static void bed_save(const void *self, int count, double *state) {
  memcpy(state, ((const Bed *)self)->numbers, (size_t)count * sizeof *state);
}

static bool bed_load(void *self, const double *state) {
  Bed *bed = self;
  for (int i = 0; i < 2 * bed->n; ++i)
    if (!isfinite(state[i])) return false;
  bed_reset(self);
  memcpy(bed->numbers, state, 2 * (size_t)bed->n * sizeof *state);
  return true;
}

static bool bed_inertia(const void *self, tacInertia *to) { /* a cuboid's */
  const Bed *bed = self;
  double x = bed->is.size[0], y = bed->is.size[1], z = bed->is.size[2], mass = bed->is.density * x * y * z,
         m = mass / 12.0;
  const double moments[3] = {m * (y * y + z * z), m * (z * z + x * x), m * (x * x + y * y)};
  *to = (tacInertia){.mass = mass, .centre = {0.0, 0.0, 0.5 * z}};
  for (int i = 0; i < 3; ++i) to->moments[i][i] = moments[i];
  return mass > 0.0;
}

/* ---- place ---- */

static tacVec3 bed_vertex(const void *self, int vertex) {
  const Bed *bed = self;
  tacVec3 x = bed->surface->vertices[vertex];
  if (vertex < bed->n) x.z += bed->q[vertex];
  return x;
}

static tacVec3 bed_vertex_normal(const void *self, int vertex) { /* of the top less its slopes; rims lean outward */
  const Bed *bed = self;
  int c = vertex % bed->n, i = c % bed->nx, j = c / bed->nx;
  int left = i > 0, right = i<bed->nx - 1, front = j> 0, back = j < bed->ny - 1;
  if (vertex >= bed->n) return (tacVec3){left - right, front - back, -1.0};
  double dx = (left + right) * bed->is.size[0] / (bed->nx - 1), dy = (front + back) * bed->is.size[1] / (bed->ny - 1);
  return (tacVec3){left - right - (bed->q[c + right] - bed->q[c - left]) / dx,
                   front - back - (bed->q[c + back * bed->nx] - bed->q[c - front * bed->nx]) / dy, 1.0};
}

static tacBodyBounds bed_bounds(const void *self) {
  const Bed *bed = self;
  double most = 0.0;
  for (int i = 0; i < bed->n; ++i) most = fmax(most, fabs(bed->q[i]));
  return (tacBodyBounds){.swelling = most};
}

static tacVec3 bed_place(const void *self, const tacSite *site) {
  const Bed *bed = self;
  if (site->kind == TAC_SITE_SHELL) return tac_pointshell_deformed_point(bed->points, site->index, bed->q);
  if (site->kind != TAC_SITE_SURFACE) return site->at;
  const int *v = bed->surface->triangles[site->index].v;
  tacVec3 a = bed_vertex(self, v[0]), b = bed_vertex(self, v[1]), c = bed_vertex(self, v[2]), w = site->at;
  return (tacVec3){w.x * a.x + w.y * b.x + w.z * c.x, w.x * a.y + w.y * b.y + w.z * c.y,
                   w.x * a.z + w.y * b.z + w.z * c.z};
}

static void bed_vertices(const void *self, const double *q, tacVec3 *vertices) {
  const Bed *bed = self;
  memcpy(vertices, bed->surface->vertices, (size_t)bed->surface->vertex_count * sizeof *vertices);
  for (int i = 0; q != NULL && i < bed->n; ++i) vertices[i].z += q[i];
}

/* Height shares z / H of the columns' motion with what is below: a mass of rho A H / 3 and a weight of rho A H / 2 at the top. By
 * implicit Euler, m (d / h - v) / h + c d / h + k (q + d) = f + w g. */
static bool bed_linearise(void *self, const tacBodyStep *step, double *matrix, double *load) {
  const Bed *bed = self;
  const double h = step->length;
  memset(matrix, 0, (size_t)bed->n * (size_t)bed->n * sizeof *matrix);
  for (int i = 0; i < bed->n; ++i) {
    double k = bed->is.stiffness * bed->area[i], column = bed->is.density * bed->area[i] * bed->is.size[2];
    double a = column / 3.0 / (h * h) + bed->is.damping * bed->area[i] / h + k;
    matrix[i * bed->n + i] = a;
    load[i] = column / 3.0 * bed->v[i] / h + 0.5 * column * step->gravity.z - k * bed->q[i] - a * bed->motion[i];
  }
  return true;
}

static void bed_move(void *self, const double *motion) {
  Bed *bed = self;
  for (int i = 0; i < bed->n; ++i) bed->motion[i] += motion[i];
}

static tacBodyFinish bed_finish(void *self, const tacBodyStep *step) {
  Bed *bed = self;
  bool fine = true;
  for (int i = 0; i < bed->n; ++i) fine = fine && fabs(bed->q[i] + bed->motion[i]) < 10.0 * bed->is.size[2];
  for (int i = 0; i < bed->n; ++i) {
    bed->q[i] += fine ? bed->motion[i] : 0.0;
    bed->v[i] = fine ? bed->motion[i] / step->length : 0.0;
    bed->motion[i] = 0.0;
  }
  return (tacBodyFinish){.refused = !fine};
}

static void bed_rows(const void *self, const tacSite *site, double *rows) {
  const Bed *bed = self;
  int n = bed->n, stride;
  memset(rows, 0, 3 * (size_t)n * sizeof *rows);
  if (site->kind == TAC_SITE_SURFACE) {
    const double weight[3] = {site->at.x, site->at.y, site->at.z};
    const int *v = bed->surface->triangles[site->index].v;
    for (int k = 0; k < 3; ++k)
      if (v[k] < n) rows[2 * n + v[k]] += weight[k];
  } else if (site->kind == TAC_SITE_SHELL) {
    const float *u = tac_pointshell_displacements(bed->points, &stride); /* [point][axis][stride] */
    for (int i = 0; i < n; ++i) rows[2 * n + i] = u[(3 * (size_t)site->index + 2) * (size_t)stride + (size_t)i];
  }
}

static const tacBodyLooks bed_looks = {.vertices = bed_vertices};
static const tacBodyTable bed_table = {.version = TAC_BODY_TABLE_VERSION,
                                       .destroy = bed_destroy,
                                       .reset = bed_reset,
                                       .describe = bed_describe,
                                       .save = bed_save,
                                       .load = bed_load,
                                       .inertia = bed_inertia,
                                       .vertex = bed_vertex,
                                       .vertex_normal = bed_vertex_normal,
                                       .place = bed_place,
                                       .bounds = bed_bounds,
                                       .linearise = bed_linearise,
                                       .move = bed_move,
                                       .finish = bed_finish,
                                       .rows = bed_rows,
                                       .looks = &bed_looks};

static tacTriangle *add_quad(tacTriangle *to, int a, int b, int c, int d) {
  to[0] = (tacTriangle){{a, b, c}};
  to[1] = (tacTriangle){{a, c, d}};
  return to + 2;
}

static tacStatus make_surface(Bed *bed, tacError *error) {
  int nx = bed->nx, ny = bed->ny, n = bed->n; /* two triangles for each of the quads: 2 sides of cells, and the rim */
  tacStatus status = tac_trimesh_create(2 * n, 4 * (nx * ny - 1), &bed->surface, error);
  if (status != TAC_OK) return status;
  for (int c = 0; c < n; ++c) {
    double x = bed->is.size[0] * (c % nx / (nx - 1.0) - 0.5), y = bed->is.size[1] * (c / nx / (ny - 1.0) - 0.5);
    bed->surface->vertices[c] = (tacVec3){x, y, bed->is.size[2]};
    bed->surface->vertices[n + c] = (tacVec3){x, y, 0.0};
  }
  tacTriangle *to = bed->surface->triangles;
  for (int j = 0; j < ny - 1; ++j)
    for (int i = 0; i < nx - 1; ++i) {
      int c = j * nx + i;
      to = add_quad(to, c, c + 1, c + 1 + nx, c + nx);
      to = add_quad(to, n + c, n + c + nx, n + c + 1 + nx, n + c + 1);
      if (j == 0) to = add_quad(to, n + c, n + c + 1, c + 1, c);
      if (j == ny - 2) to = add_quad(to, n + c + nx + 1, n + c + nx, c + nx, c + nx + 1);
      if (i == 0) to = add_quad(to, n + c + nx, n + c, c, c + nx);
      if (i == nx - 2) to = add_quad(to, n + c + 1, n + c + 1 + nx, c + 1 + nx, c + 1);
    }
  return TAC_OK;
}

/* Points at (x, y, z) go with the columns around them, bilinearly, by z / H. */
static tacStatus make_points(Bed *bed, const tacPointshell *shell, tacError *error) {
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS);
  double *u = calloc((size_t)count * 3 * (size_t)bed->n, sizeof *u);
  if (u == NULL) return refuse(error, TAC_ERR_MEMORY, "out of memory for the points of a bed");
  for (int p = 0; p < count; ++p) {
    tacVec3 at = tac_pointshell_point(shell, p);
    double x = fmin(fmax(at.x / bed->is.size[0] + 0.5, 0.0), 1.0) * (bed->nx - 1);
    double y = fmin(fmax(at.y / bed->is.size[1] + 0.5, 0.0), 1.0) * (bed->ny - 1);
    int i = (int)fmin(x, bed->nx - 2), j = (int)fmin(y, bed->ny - 2), c = j * bed->nx + i;
    double *row = u + ((size_t)p * 3 + 2) * (size_t)bed->n, share = fmin(fmax(at.z / bed->is.size[2], 0.0), 1.0);
    for (int k = 0; k < 4; ++k)
      row[c + k % 2 + k / 2 * bed->nx] = share * (k % 2 ? x - i : 1.0 - x + i) * (k / 2 ? y - j : 1.0 - y + j);
  }
  tacStatus status = tac_pointshell_with_basis(shell, bed->n, u, NULL, &bed->points, error);
  free(u);
  return status;
}

static tacStatus bed_create(const void *record, const tacBodyCreate *context, void **self, tacError *error) {
  const BedKeys *keys = record;
  if (fmod(keys->columns[0], 1.0) + fmod(keys->columns[1], 1.0) != 0.0)
    return refuse(error, TAC_ERR_ARGUMENT, "columns are whole numbers; write it like columns: [8, 6]");
  Bed *bed = calloc(1, sizeof *bed);
  if (bed == NULL) return refuse(error, TAC_ERR_MEMORY, "out of memory for a bed");
  *bed = (Bed){.is = *keys, .nx = (int)keys->columns[0], .ny = (int)keys->columns[1]};
  bed->n = bed->nx * bed->ny;
  bed->q = bed->numbers, bed->v = bed->q + bed->n, bed->motion = bed->v + bed->n;
  for (int c = 0; c < bed->n; ++c) { /* those at the rim have half of the top, those at corners a quarter */
    int i = c % bed->nx, j = c / bed->nx, rim_x = i == 0 || i == bed->nx - 1, rim_y = j == 0 || j == bed->ny - 1;
    bed->area[c] = keys->size[0] * keys->size[1] / ((bed->nx - 1) * (bed->ny - 1)) / (1 + rim_x) / (1 + rim_y);
  }
  tacStatus status = make_surface(bed, error);
  if (status == TAC_OK && context->points != NULL) status = make_points(bed, context->points, error);
  if (status != TAC_OK) bed_destroy(bed);
  *self = status == TAC_OK ? bed : NULL;
  return status;
}

static const BedKeys bed_defaults = {.columns = {8.0, 8.0}, .damping = 0.0, .density = 100.0};
#define KEY(member, ...) \
  { .name = #member, .offset = offsetof(BedKeys, member), __VA_ARGS__ }
static const tacBodyKey bed_keys[] = {
    KEY(size, .type = TAC_KEY_VECTOR, .count = 3, .unit = "m", .least = 1e-4, .most = 10.0, .required = true),
    KEY(columns, .type = TAC_KEY_VECTOR, .count = 2, .least = 2.0, .most = MOST),
    KEY(stiffness, .type = TAC_KEY_NUMBER, .unit = "N/m3", .least = 1.0, .most = 1e12, .required = true),
    KEY(damping, .type = TAC_KEY_NUMBER, .unit = "Ns/m3", .least = 0.0, .most = 1e12),
    KEY(density, .type = TAC_KEY_NUMBER, .unit = "kg/m3", .least = 1e-3, .most = 1e6),
};
static const tacBodyKind bed_kind = {.version = TAC_BODY_KIND_VERSION,
                                     .name = "bed",
                                     .summary = "a bed of springs",
                                     .key_count = sizeof bed_keys / sizeof *bed_keys,
                                     .keys = bed_keys,
                                     .record_size = sizeof(BedKeys),
                                     .defaults = &bed_defaults,
                                     .takes_points = true,
                                     .create = bed_create,
                                     .table = &bed_table,
                                     .shown = TAC_SHOWN_VERTICES};

const tacBodyKind *const *tactus_body_kinds(void) {
  static const tacBodyKind *const kinds[] = {&bed_kind, NULL};
  return kinds;
}
