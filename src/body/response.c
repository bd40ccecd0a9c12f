#include "body/response.h"

#include <math.h>
#include <string.h>
#include "asset/pointshell.h"
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
  /* Matrix 1 + K C_SS, column-major. */
  for (int col = 0; solved && col < s; ++col)
    for (int i = 0; i < s; ++i) {
      const double *row = k[i / 3].m[i % 3];
      double sum = i == col ? 1.0 : 0.0;
      for (int a = 0; a < 3; ++a) sum += row[a] * c[(l + i / 3 * 3 + a) * n + l + col];
      system[i + col * s] = sum;
    }
  tacDense matrix = {s, s, s, system};
  solved = solved && tac_dense_loop_lu(&matrix, pivot);
  for (int col = 0; solved && col < s; ++col) { /* computes the columns of G */
    double *x = g + col * s;
    memset(x, 0, (size_t)s * sizeof *x);
    for (int a = 0; a < 3; ++a) x[col / 3 * 3 + a] = k[col / 3].m[a][col % 3];
    tac_dense_loop_lu_solve(&matrix, pivot, x);
  }
  for (int i = 0; solved && i < s; ++i)
    for (int j = 0; j < i; ++j) g[i * s + j] = g[j * s + i] = 0.5 * (g[i * s + j] + g[j * s + i]);
  for (int i = 0; solved && i < s; ++i) /* computes G C_SL */
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

/* ---- equations of a step ---- */

size_t tac_response_room(int most, int n) {
  size_t m = (size_t)most, size = (size_t)n, doubles = 9 * m * m + 1;
  /* A body without coordinates needs memory for springs and for tac_response_hold. */
  doubles += n > 0 ? 6 * m * size + 4 * size * size + 8 * size : 27 * m * m + 12 * m;
  return doubles * sizeof(double) + m * (sizeof(tacSite) + 4 * sizeof(tacVec3) + 3 * sizeof(int)) +
         32 * TAC_ARENA_ALIGNMENT;
}

/* Adds `sign` times the equations of a step of length `stretch` h: A to `matrix` [n][n], b to `load` [n]. */
static bool add_equations(const tacResponse *r, double stretch, double sign, double *matrix, double *load) {
  size_t n = (size_t)r->n, at = r->frame != NULL ? 6 : 0, own = n - at;
  tacArenaMark mark = tac_arena_mark(r->arena);
  double *inner = tac_arena_array(r->arena, own * own + 1, sizeof *inner),
         *push = tac_arena_array(r->arena, own + 1, sizeof *push);
  tacBodyStep step = *r->step;
  step.length *= stretch;
  bool made =
      inner != NULL && push != NULL && (own == 0 || r->body->table->linearise(r->body->self, &step, inner, push));
  for (size_t i = 0; made && i < own; ++i) {
    load[at + i] += sign * push[i];
    for (size_t j = 0; j < own; ++j) matrix[(at + i) * n + at + j] += sign * inner[i * own + j];
  }
  if (made && at > 0) {
    double six[6][6], pull[6];
    tac_frame_equation(r->frame, step.length, six, pull);
    for (size_t i = 0; i < 6; ++i) {
      load[i] += sign * pull[i];
      for (size_t j = 0; j < 6; ++j) matrix[i * n + j] += sign * six[i][j];
    }
  }
  tac_arena_release(r->arena, mark);
  return made;
}

static bool begin_coordinates(tacResponse *r, bool two) {
  const double part = 1e-3; /* relative change of h for the finite differences */
  size_t n = (size_t)r->n, m = (size_t)r->most, equations = n * n + n;
  r->matrix = tac_arena_array(r->arena, (two ? 2 : 1) * equations, sizeof *r->matrix);
  r->motion = tac_arena_array(r->arena, n, sizeof *r->motion);
  r->rows = tac_arena_array(r->arena, 6 * m * n + 1, sizeof *r->rows);
  if (r->matrix == NULL || r->motion == NULL || r->rows == NULL) return false;
  memset(r->matrix, 0, (two ? 2 : 1) * equations * sizeof *r->matrix);
  r->load = r->matrix + n * n;
  r->half = r->rows + 3 * m * n;
  if (two) {
    r->drag = r->load + n;
    r->impetus = r->drag + n * n;
    if (!add_equations(r, 1.0 - part, 0.5 / part, r->drag, r->impetus) ||
        !add_equations(r, 1.0 + part, -0.5 / part, r->drag, r->impetus))
      return false;
  }
  return add_equations(r, 1.0, 1.0, r->matrix, r->load);
}

bool tac_response_begin(tacResponse *r, const tacBody *body, const tacFrame *frame, const tacBodyStep *step, int most,
                        bool two, tacArena *arena) {
  size_t m = (size_t)most;
  *r = (tacResponse){.body = body, .frame = frame, .step = step, .arena = arena, .most = most};
  r->n = tac_body_size(body) + (frame != NULL ? 6 : 0);
  r->sites = tac_arena_array(arena, m, sizeof *r->sites);
  r->forces = tac_arena_array(arena, 4 * m, sizeof *r->forces);
  r->c = tac_arena_array(arena, 9 * m * m + 1, sizeof *r->c);
  if (r->sites == NULL || r->forces == NULL || r->c == NULL) return false;
  r->acts = r->forces + m;
  r->once = r->acts + m;
  r->next = r->once + m;
  if (r->n > 0) return begin_coordinates(r, two);
  r->springs = tac_arena_array(arena, m, sizeof *r->springs);
  r->g = tac_arena_array(arena, 9 * m * m + 1, sizeof *r->g);
  return r->springs != NULL && r->g != NULL;
}

void tac_response_jacobian(const tacResponse *r, const tacSite *site, tacVec3 at, double *j) {
  int n = r->n, own = n - (r->frame != NULL ? 6 : 0), first = n - own;
  double rows[3 * TAC_BODY_MOST_COORDINATES];
  if (first > 0) { /* motion of the site with the frame: R^T dx + (R^T dtheta) x (at - about) */
    tacMat3 back = tac_quat_to_mat3(tac_quat_conjugate(r->frame->orientation));
    tacMat3 turned = tac_mat3_mul(tac_mat3_skew(tac_vec3_sub(r->frame->about, at)), back);
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < 3; ++k) {
        j[axis * n + k] = back.m[axis][k];
        j[axis * n + 3 + k] = turned.m[axis][k];
      }
  }
  if (own == 0) return;
  tac_response_rows(r->body, r->step->patches, site, rows);
  for (int axis = 0; axis < 3; ++axis) memcpy(j + axis * n + first, rows + axis * own, (size_t)own * sizeof *j);
}

int tac_response_add_site(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force) {
  if (r->count == r->most) return -1;
  if (r->n > 0) tac_response_jacobian(r, site, at, r->rows + (size_t)(3 * r->count) * (size_t)r->n);
  r->sites[r->count] = *site;
  r->forces[r->count] = force;
  r->held = r->count + 1;
  return r->count++;
}

/* Adds J^T f to `load`. */
static void add_force(int n, const double *j, tacVec3 f, double *load) {
  for (int i = 0; i < n; ++i) load[i] += f.x * j[i] + f.y * j[n + i] + f.z * j[2 * n + i];
}

bool tac_response_add_spring(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force, const tacMat3 *k) {
  double j[3 * (TAC_BODY_MOST_COORDINATES + 6)];
  int n = r->n;
  if (n == 0) {
    if (r->count == r->most) return false;
    r->springs[r->count - r->held] = *k;
    r->sites[r->count] = *site;
    r->forces[r->count++] = force;
    return true;
  }
  tac_response_jacobian(r, site, at, j);
  add_force(n, j, force, r->load);
  for (int i = 0; i < n; ++i) {
    tacVec3 own = tac_mat3_mul_vec(*k, tac_vec3(j[i], j[n + i], j[2 * n + i]));
    for (int c = 0; c < n; ++c) r->matrix[i * n + c] += own.x * j[c] + own.y * j[n + c] + own.z * j[2 * n + c];
  }
  return true;
}

static tacDense factor_of(const tacResponse *r) {
  return (tacDense){r->n, r->n, r->n, r->matrix};
}

/* Replaces x by A^-1 (x + J^T f). */
static void move(const tacResponse *r, const tacVec3 *forces, double *x) {
  tacDense factor = factor_of(r);
  for (int i = 0; i < r->count; ++i)
    if (tac_vec3_norm2(forces[i]) > 0.0) add_force(r->n, r->rows + (size_t)(3 * i) * (size_t)r->n, forces[i], x);
  tac_dense_loop_cholesky_solve(&factor, x);
}

static double product(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/* Returns J d, the motion of a site for the motion d of the coordinates. */
static tacVec3 place_by(const tacResponse *r, int site, const double *d) {
  const double *j = r->rows + (size_t)(3 * site) * (size_t)r->n;
  return tac_vec3(product(r->n, j, d), product(r->n, j + r->n, d), product(r->n, j + 2 * r->n, d));
}

static bool solve_coordinates(tacResponse *r) {
  int n = r->n, all = 3 * r->count;
  tacDense factor = factor_of(r);
  if (!tac_dense_loop_cholesky(&factor)) return false;
  memcpy(r->motion, r->load, (size_t)n * sizeof *r->motion);
  move(r, r->forces, r->motion);
  memcpy(r->half, r->rows, (size_t)all * (size_t)n * sizeof *r->half);
  for (int i = 0; i < r->count; ++i)
    tac_dense_loop_cholesky_forward3(&factor, 0, r->half + (size_t)(3 * i) * (size_t)n);
  for (int i = 0; i < all; ++i)
    for (int j = 0; j <= i; ++j)
      r->c[i * all + j] = r->c[j * all + i] =
          product(n, r->half + (size_t)i * (size_t)n, r->half + (size_t)j * (size_t)n);
  return true;
}

bool tac_response_solve(tacResponse *r) {
  if (r->n > 0) return solve_coordinates(r);
  r->body->table->next_compliance(r->body->self, r->step, r->count, r->sites, r->c);
  return r->count == r->held || tac_response_hold(r->count, r->held, r->c, r->springs, r->g, r->arena);
}

tacMat3 tac_response_compliance(const tacResponse *r, int i, int j) {
  size_t all = 3 * (size_t)r->count;
  tacMat3 block;
  for (size_t k = 0; k < 3; ++k)
    memcpy(block.m[k], r->c + (3 * (size_t)i + k) * all + 3 * (size_t)j, sizeof block.m[k]);
  return block;
}

tacVec3 tac_response_speed(const tacResponse *r, int site) {
  if (r->n == 0) return tac_response_velocity(r->body, r->step->patches, &r->sites[site]);
  return tac_vec3_scale(1.0 / r->step->length, place_by(r, site, r->motion));
}

/* Returns the motion of a site under the forces `by` at the sites [first, end), computed from C. */
static tacVec3 moved_by(const tacResponse *r, int site, int first, int end, const tacVec3 *by) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int i = first; i < end; ++i)
    if (tac_vec3_norm2(by[i]) > 0.0)
      sum = tac_vec3_add(sum, tac_mat3_mul_vec(tac_response_compliance(r, site, i), by[i]));
  return sum;
}

/* Updates the forces of the springs for the motion `moves` of the sites. */
static void hold_springs(const tacResponse *r, const tacVec3 *moves, tacVec3 *forces) {
  int s = 3 * (r->count - r->held);
  for (int i = 0; i < s; i += 3) {
    const double *to = &moves[r->held].x, *row = r->g + (size_t)i * (size_t)s;
    tacVec3 by = tac_vec3(product(s, row, to), product(s, row + s, to), product(s, row + 2 * s, to));
    forces[r->held + i / 3] = tac_vec3_sub(forces[r->held + i / 3], by);
  }
}

/* Computes tac_response_predict for a body without coordinates. The block C_SL does not include the effect of springs
 * (tac_response_hold); the block C_LL does. */
static void predict_sites(tacResponse *r, bool whole, tacVec3 *once, tacVec3 *next) {
  const tacBodyTable *table = r->body->table;
  void *self = r->body->self;
  if (r->count > r->held) { /* the motion of the sites in the first step changes the spring forces */
    if (whole)
      table->predict(self, r->step, whole, r->count, r->sites, r->acts, r->once, r->next);
    else
      for (int i = r->held; i < r->count; ++i) r->once[i] = moved_by(r, i, 0, r->held, r->acts);
    hold_springs(r, r->once, r->acts);
  }
  table->predict(self, r->step, whole, r->count, r->sites, r->acts, r->once, r->next);
  memcpy(once, r->once, (size_t)r->held * sizeof *once);
  memcpy(next, r->next, (size_t)r->held * sizeof *next);
  if (r->count == r->held) return;
  /* The springs also respond to the motion in the second step. */
  memset(r->acts, 0, (size_t)r->count * sizeof *r->acts);
  hold_springs(r, r->next, r->acts);
  for (int i = 0; i < r->held; ++i) next[i] = tac_vec3_add(next[i], moved_by(r, i, r->held, r->count, r->acts));
}

void tac_response_predict(tacResponse *r, bool whole, const tacVec3 *forces, tacVec3 *once, tacVec3 *next) {
  double d[TAC_BODY_MOST_COORDINATES + 6] = {0.0}, then[TAC_BODY_MOST_COORDINATES + 6];
  size_t n = (size_t)r->n;
  if (n == 0) {
    memcpy(r->acts, forces, (size_t)r->held * sizeof *forces);
    for (int i = r->held; i < r->count; ++i) r->acts[i] = whole ? r->forces[i] : tac_vec3(0.0, 0.0, 0.0);
    predict_sites(r, whole, once, next);
    return;
  }
  tacDense drag = {r->n, r->n, r->n, r->drag}, factor = factor_of(r);
  if (whole) memcpy(d, r->load, n * sizeof *d);
  move(r, forces, d);
  tac_dense_loop_gemv(&drag, d, then);
  for (size_t i = 0; whole && i < n; ++i) then[i] -= r->impetus[i];
  tac_dense_loop_cholesky_solve(&factor, then);
  for (int i = 0; i < r->held; ++i) {
    once[i] = place_by(r, i, d);
    next[i] = place_by(r, i, then);
  }
}
