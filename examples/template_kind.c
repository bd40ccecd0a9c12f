/* A template of a kind of body: a button, a box whose top moves up and down on one spring. Copy it, and change it from the top.
 *
 *   cc -std=c17 -shared -fPIC template_kind.c -o button.so $(pkg-config --cflags --libs tactus) -lm
 *
 *   kinds: [button.so]
 *   bodies:
 *     - {name: b, kind: button, size: [20 mm, 20 mm, 10 mm], stiffness: 500 N/m, mass: 20 g, damping: 2 Ns/m}
 *
 * A finger that is `depth` below the top feels the springs of touch and button in series: F = k t / (k + t) depth at rest, where k is
 * `stiffness` and t the body's `touch: {stiffness: ...}`. docs/kinds.md has all functions and what they are for; body_bed.c is a kind
 * with many coordinates, with points for contacts with other bodies, and with an inertia of its own.
 *
 * Body's frame: the middle of the lower side, z up. One coordinate q: the height of the top above rest, m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body_kind.h>

/* ---- what scenes say ---- */

typedef struct ButtonKeys {
  double size[3], stiffness, damping, mass; /* m, N/m, Ns/m, kg */
} ButtonKeys;

/* A key that is not `required` has the value of `defaults`. Name, unit and range are checked before `create` is called. */
static const ButtonKeys defaults = {.mass = 0.02};
#define KEY(member, ...) \
  { .name = #member, .offset = offsetof(ButtonKeys, member), __VA_ARGS__ }
static const tacBodyKey keys[] = {
    KEY(size, .type = TAC_KEY_VECTOR, .count = 3, .unit = "m", .least = 1e-4, .most = 10.0, .required = true),
    KEY(stiffness, .type = TAC_KEY_NUMBER, .unit = "N/m", .least = 1e-3, .most = 1e9, .required = true),
    KEY(damping, .type = TAC_KEY_NUMBER, .unit = "Ns/m", .least = 0.0, .most = 1e9),
    KEY(mass, .type = TAC_KEY_NUMBER, .unit = "kg", .least = 1e-6, .most = 1e3),
};

/* ---- a body ---- */

enum { TOP = 4, VERTICES = 8 }; /* vertices 0 to 3 are at the top */
typedef struct Button {
  ButtonKeys is;
  double q, v;         /* the state: m, m/s */
  double motion;       /* m, of the present step so far */
  tacTriMesh *surface; /* at rest */
} Button;

static tacStatus refuse(tacError *error, tacStatus status, const char *text) {
  snprintf(error->text, sizeof error->text, "%s", text);
  return error->status = status;
}

static void destroy(void *self) {
  Button *button = self;
  if (button == NULL) return;
  tac_trimesh_destroy(button->surface);
  free(button);
}

/* The only place that allocates. Once for each body of each world, and once before for its surface. */
static tacStatus create(const void *record, const tacBodyCreate *context, void **self, tacError *error) {
  static const tacTriangle box[12] = {{{0, 1, 3}}, {{0, 3, 2}}, {{4, 6, 7}}, {{4, 7, 5}}, {{0, 4, 5}}, {{0, 5, 1}},
                                      {{1, 5, 7}}, {{1, 7, 3}}, {{3, 7, 6}}, {{3, 6, 2}}, {{2, 6, 4}}, {{2, 4, 0}}};
  (void)context; /* the body's name, the scene's folder, and what the row `takes` */
  *self = NULL;
  Button *button = calloc(1, sizeof *button);
  if (button == NULL) return refuse(error, TAC_ERR_MEMORY, "out of memory for a button");
  button->is = *(const ButtonKeys *)record;
  tacStatus status = tac_trimesh_create(VERTICES, 12, &button->surface, error);
  if (status != TAC_OK) {
    destroy(button);
    return status;
  }
  const double *size = button->is.size;
  for (int i = 0; i < VERTICES; ++i)
    button->surface->vertices[i] =
        (tacVec3){(i % 2 - 0.5) * size[0], (i / 2 % 2 - 0.5) * size[1], i < TOP ? size[2] : 0.0};
  memcpy(button->surface->triangles, box, sizeof box);
  *self = button;
  return TAC_OK;
}

/* ---- its state ---- */

static void reset(void *self) {
  Button *button = self;
  button->q = button->v = button->motion = 0.0;
}

/* What it is made of: numbers and pointers that stay the same. */
static tacBodyDescription describe(const void *self) {
  const Button *button = self;
  return (tacBodyDescription){
      .surface = button->surface, .state = 2 /* q and v */, .shown = 1 /* q */, .coordinates = 1};
}

static void save(const void *self, int count, double *state) {
  const Button *button = self;
  const double all[2] = {button->q, button->v};
  memcpy(state, all, (size_t)count * sizeof *state);
}

static bool load(void *self, const double *state) {
  Button *button = self;
  if (!isfinite(state[0]) || !isfinite(state[1])) return false;
  button->q = state[0], button->v = state[1], button->motion = 0.0;
  return true;
}

/* ---- where it is ---- */

static tacVec3 vertex(const void *self, int index) {
  const Button *button = self;
  tacVec3 x = button->surface->vertices[index];
  if (index < TOP) x.z += button->q;
  return x;
}

static tacVec3 vertex_normal(const void *self, int index) { /* of any length, outward */
  (void)self;
  return (tacVec3){index % 2 ? 1.0 : -1.0, index / 2 % 2 ? 1.0 : -1.0, index < TOP ? 1.0 : -1.0};
}

static tacBodyBounds bounds(const void *self) { /* no vertex is farther from its place at rest */
  return (tacBodyBounds){.swelling = fabs(((const Button *)self)->q)};
}

/* A site in a triangle: `at` has the weights of the corners. */
static tacVec3 place(const void *self, const tacSite *site) {
  if (site->kind != TAC_SITE_SURFACE) return site->at;
  const int *v = ((const Button *)self)->surface->triangles[site->index].v;
  tacVec3 a = vertex(self, v[0]), b = vertex(self, v[1]), c = vertex(self, v[2]), w = site->at;
  return (tacVec3){w.x * a.x + w.y * b.x + w.z * c.x, w.x * a.y + w.y * b.y + w.z * c.y,
                   w.x * a.z + w.y * b.z + w.z * c.z};
}

/* For display, of a saved state; NULL: at rest. */
static void vertices(const void *self, const double *q, tacVec3 *to) {
  memcpy(to, ((const Button *)self)->surface->vertices, VERTICES * sizeof *to);
  for (int i = 0; q != NULL && i < TOP; ++i) to[i].z += *q;
}

/* ---- how it moves: A d = b + sum rows^T f, where d is what is added to `motion`, and f are the forces at sites ---- */

/* Implicit Euler, m ((motion + d) / h - v) / h + c (motion + d) / h + k (q + motion + d) = m g + f. */
static bool linearise(void *self, const tacBodyStep *step, double *matrix, double *load) {
  const Button *button = self;
  const double h = step->length, m = button->is.mass, k = button->is.stiffness;
  matrix[0] = m / (h * h) + button->is.damping / h + k;
  load[0] = m * button->v / h + m * step->gravity.z - k * button->q - matrix[0] * button->motion;
  return true;
}

/* How the site moves with q, [3][1]: its z by the weights of the corners at the top. */
static void rows(const void *self, const tacSite *site, double *to) {
  const double weight[3] = {site->at.x, site->at.y, site->at.z};
  to[0] = to[1] = to[2] = 0.0;
  if (site->kind != TAC_SITE_SURFACE) return;
  for (int i = 0; i < 3; ++i)
    if (((const Button *)self)->surface->triangles[site->index].v[i] < TOP) to[2] += weight[i];
}

static void move(void *self, const double *d) {
  ((Button *)self)->motion += *d;
}

/* Takes the motion, or refuses it: NaN and far too large ones. */
static tacBodyFinish finish(void *self, const tacBodyStep *step) {
  Button *button = self;
  bool fine = fabs(button->q + button->motion) < 10.0 * button->is.size[2];
  button->q += fine ? button->motion : 0.0;
  button->v = fine ? button->motion / step->length : 0.0;
  button->motion = 0.0;
  return (tacBodyFinish){.refused = !fine};
}

/* ---- the table and the row ---- */

static const tacBodyLooks looks = {.vertices = vertices};
static const tacBodyTable table = {.version = TAC_BODY_TABLE_VERSION,
                                   .destroy = destroy,
                                   .reset = reset,
                                   .describe = describe,
                                   .save = save,
                                   .load = load,
                                   .vertex = vertex,
                                   .vertex_normal = vertex_normal,
                                   .place = place,
                                   .bounds = bounds,
                                   .linearise = linearise,
                                   .move = move,
                                   .finish = finish,
                                   .rows = rows,
                                   .looks = &looks};

static const tacBodyKind row = {.version = TAC_BODY_KIND_VERSION,
                                .name = "button",
                                .summary = "a box with a top on a spring",
                                .key_count = sizeof keys / sizeof *keys,
                                .keys = keys,
                                .record_size = sizeof(ButtonKeys),
                                .defaults = &defaults,
                                .create = create,
                                .table = &table,
                                .shown = TAC_SHOWN_VERTICES};

/* What makes a shared object one of kinds. A kind in src/kinds/ has a row that is `extern` instead, and stands in kinds.c. */
const tacBodyKind *const *tactus_body_kinds(void) {
  static const tacBodyKind *const kinds[] = {&row, NULL};
  return kinds;
}
