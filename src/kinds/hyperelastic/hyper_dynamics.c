#include "kinds/hyperelastic/hyper_dynamics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "elastic/nodal_rotation.h"
#include "elastic/solids/time_step.h"
#include "math/dense/vector.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"

enum {
  MOST_ITERATIONS = 40,
  MOST_HALVINGS = 14,
  WARY = 8 /* steps with a positive definite stiffness K, after K was indefinite or the motion was limited */,
  PROBE_EVERY = 32 /* steps between measurements of the error of the compliance C */
};
static const double tolerance = 1e-5;    /* limit of the relative error of the motion d in the energy norm */
static const double least_growth = 1e-4; /* tolerated relative growth of a free body's kinetic energy per step */
static const double rough = 1e-2; /* limit of the relative error, in the energy norm, of the correction in settle */
static const double least_energy = 1e-24; /* smallest energy of a motion that does not count as zero, J */

/* The symbols A, B, C, F, H, K, M, b, d, f and h are defined in hyper_dynamics.h. */
struct tacHyperDynamics {
  tacArrays arrays;
  tacHyperSolid *solid;
  tacLiveFactor *factor;
  tacNodalRotation *rotation;
  int n, elements; /* numbers of nodes and elements */
  tacFactorMode mode;
  int delay, most_sites;
  double mass_damping, stiffness_damping, stiffness; /* Rayleigh alpha, 1/s; beta, s; factor of the moduli */
  double size;                                       /* diagonal of the bounding box at rest, m */
  double rounding;                                   /* estimated rounding error of the elastic energy, J */
  bool *held, loose;                                 /* [n]: true if a node is held; `loose`: no node is held */
  double *rest, *x, *v, *mass;                       /* [3 n]: positions at rest, positions, velocities; [n]: masses */
  double *target, held_speed; /* [3 n]: targets of held nodes, m; speed limit of held nodes, m/s */
  tacSparse a;                /* matrix A of the step */
  double *masked, *used;      /* matrix A without held nodes: for the requested factor; for the factor in use */
  double *then, *posted_at;   /* [3 n]: positions of the nodes for the factor in use; for the requested factor */
  tacMat3 *turn;              /* [n]: rotation of each node since the positions `then` */
  bool turned;                /* true if `turn` rotates the factor in this step */
  /* ---- data of a step ---- */
  double h;
  double *inner, *load; /* [3 n], N: internal force F; right-hand side b without the motion of held nodes */
  tacVec3 gravity;
  double *b, *d, *r, *z, *p, *q; /* [3 n]: right-hand side b, motion d, work vectors */
  int count;                     /* number of sites */
  tacFactorSite *sites;          /* [most_sites]: sites without held nodes */
  tacVec3 *guess;                /* [most_sites]: forces whose effect the motion d includes, N */
  tacVec3 *led;                  /* [most_sites]: motion of the site that held nodes cause, m */
  tacVec3 *forces;               /* [most_sites]: final forces, N */
  int springs;                   /* number of springs, at the last sites; 0 except in tac_hyper_dynamics_end */
  const tacMat3 *spring;         /* [springs]: stiffness of each spring, N/m */
  double *change;                /* [3 most_sites]: changes of forces, N */
  double *c;                     /* [3 count][3 count]: compliance C of the step, m/N */
  /* ---- report ---- */
  int64_t step, tag, posted; /* steps so far; step of the factor in use; step of the requested factor; -1: none */
  int wary;                  /* number of next steps in which the stiffness K is made positive definite */
  double energy;             /* present elastic energy, J; NAN if unknown */
  int iterations, probed;    /* numbers of iterations of conjugate gradients; of measurements of the compliance error */
  double residual, error;    /* relative residual of conjugate gradients; relative error of the compliance */
  bool threaded;             /* true if a separate thread computes factors */
};

/* ---- creation ---- */

static tacVec3 node_of(const double *from, int i) {
  return tac_vec3(from[3 * i], from[3 * i + 1], from[3 * i + 2]);
}

static void put_node(double *to, int i, tacVec3 x) {
  to[3 * i] = x.x;
  to[3 * i + 1] = x.y;
  to[3 * i + 2] = x.z;
}

static tacStatus make_room(tacHyperDynamics *s, const tacSparse *pattern, tacError *error) {
  tacArrays *arrays = &s->arrays;
  size_t n = (size_t)s->n, entries = (size_t)tac_sparse_count(pattern), sites = (size_t)s->most_sites;
  double **vectors[] = {&s->rest, &s->x, &s->v, &s->target, &s->then, &s->posted_at, &s->b,
                        &s->d,    &s->r, &s->z, &s->p,      &s->q,    &s->inner,     &s->load};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    *vectors[i] = tac_arrays_add(arrays, 3 * n, sizeof(double));
  s->mass = tac_arrays_add(arrays, n, sizeof *s->mass);
  s->held = tac_arrays_add(arrays, n, sizeof *s->held);
  s->turn = tac_arrays_add(arrays, n, sizeof *s->turn);
  s->masked = tac_arrays_add(arrays, entries, sizeof *s->masked);
  s->used = tac_arrays_add(arrays, entries, sizeof *s->used);
  s->a = *pattern;
  s->a.value = tac_arrays_add(arrays, entries, sizeof *s->a.value);
  s->sites = tac_arrays_add(arrays, sites, sizeof *s->sites);
  s->guess = tac_arrays_add(arrays, sites, sizeof *s->guess);
  s->led = tac_arrays_add(arrays, sites, sizeof *s->led);
  s->forces = tac_arrays_add(arrays, sites, sizeof *s->forces);
  s->change = tac_arrays_add(arrays, 3 * sites, sizeof *s->change);
  s->c = tac_arrays_add(arrays, 9 * sites * sites, sizeof *s->c);
  return tac_arrays_status(arrays, "a hyperelastic body", error);
}

tacStatus tac_hyper_dynamics_create(const tacHyperDynamicsDef *def, tacHyperDynamics **dynamics, tacError *error) {
  TAC_OWN(tacHyperDynamics, s) = NULL;
  *dynamics = NULL;
  TAC_TRY(TAC_ARRAY(s, 1, "a hyperelastic body", error));
  const tacVolMesh *mesh = def->solid.mesh;
  s->n = mesh->vertex_count;
  s->elements = mesh->tet_count;
  s->mode = def->mode;
  s->delay = def->delay;
  s->most_sites = def->most_sites;
  s->mass_damping = def->mass_damping;
  s->stiffness_damping = def->stiffness_damping;
  s->stiffness = 1.0;
  TAC_TRY(tac_hyper_solid_create(&def->solid, &s->solid, error));
  const tacSparse *pattern = tac_hyper_solid_pattern(s->solid);
  TAC_TRY(make_room(s, pattern, error));
  TAC_TRY(tac_live_factor_create(pattern, 3 * s->most_sites, &s->factor, error));
  tac_hyper_solid_masses(s->solid, s->mass);
  for (int i = 0; i < s->n; ++i)
    if (!(s->mass[i] > 0.0))
      return tac_error_set(error, TAC_ERR_GEOMETRY,
                           "vertex %d belongs to no element; remove "
                           "it",
                           i);
  TAC_TRY(tac_nodal_rotation_create(pattern, s->mass, &s->rotation, error));
  tacBox box = tac_volmesh_box(mesh);
  s->size = tac_vec3_distance(box.lower, box.upper);
  for (int i = 0; i < def->solid.material_count; ++i) {
    double shear, bulk;
    const tacHyperMaterial *material = &def->solid.materials[i];
    material->law->moduli(material->parameters, &shear, &bulk);
    s->rounding = fmax(s->rounding, 1e-13 * tac_volmesh_volume(mesh) * (shear + bulk));
  }
  s->loose = true;
  for (int i = 0; i < s->n; ++i) {
    s->held[i] = def->held != NULL && def->held[i];
    s->loose = s->loose && !s->held[i];
  }
  memcpy(s->rest, mesh->vertices, 3 * (size_t)s->n * sizeof *s->rest);
  tac_hyper_dynamics_reset(s, tac_vec3(0.0, 0.0, 0.0));
  *dynamics = tac_give(&s);
  return TAC_OK;
}

void tac_hyper_dynamics_destroy(tacHyperDynamics *s) {
  if (s == NULL) return;
  tac_live_factor_destroy(s->factor);
  tac_nodal_rotation_destroy(s->rotation);
  tac_hyper_solid_destroy(s->solid);
  tac_arrays_free(&s->arrays);
  free(s);
}

/* Discards the requested factor, which is not in use yet. */
static void forget_posted(tacHyperDynamics *s) {
  if (s->posted >= 0) tac_live_factor_drop(s->factor);
  s->posted = -1;
}

void tac_hyper_dynamics_reset(tacHyperDynamics *s, tacVec3 velocity) {
  size_t bytes = 3 * (size_t)s->n * sizeof *s->x;
  forget_posted(s);
  memcpy(s->x, s->rest, bytes);
  memcpy(s->target, s->rest, bytes);
  memcpy(s->then, s->rest, bytes);
  tac_hyper_solid_load(s->solid, NULL);
  for (int i = 0; i < s->n; ++i) {
    put_node(s->v, i, s->held[i] ? tac_vec3(0.0, 0.0, 0.0) : velocity);
    s->turn[i] = tac_mat3_identity();
  }
  s->held_speed = INFINITY;
  s->step = s->count = s->iterations = s->probed = 0;
  s->tag = s->posted = -1; /* the first step computes a factor */
  s->residual = s->error = 0.0;
  s->wary = 0;
  s->energy = NAN;
}

const tacHyperSolid *tac_hyper_dynamics_solid(const tacHyperDynamics *s) {
  return s->solid;
}

const double *tac_hyper_dynamics_positions(const tacHyperDynamics *s) {
  return s->x;
}

const double *tac_hyper_dynamics_velocities(const tacHyperDynamics *s) {
  return s->v;
}

/* Discards a factor that was computed before the first step, because a parameter of the matrix A has changed. The
 * first step then computes a new factor, as after a reset. */
static void forget_first(tacHyperDynamics *s) {
  if (s->step == 0) s->tag = -1;
}

void tac_hyper_dynamics_set_stiffness(tacHyperDynamics *s, double factor) {
  s->stiffness = factor;
  s->energy = NAN;
  forget_first(s);
}

void tac_hyper_dynamics_set_damping(tacHyperDynamics *s, double stiffness_damping) {
  s->stiffness_damping = stiffness_damping;
  forget_first(s);
}

void tac_hyper_dynamics_set_held(tacHyperDynamics *s, const double *target, double speed) {
  memcpy(s->target, target, 3 * (size_t)s->n * sizeof *target);
  s->held_speed = speed;
}

/* ---- factor ---- */

tacStatus tac_hyper_dynamics_start(tacHyperDynamics *s, tacError *error) {
  tacStatus status = s->mode == TAC_FACTOR_ASYNCHRONOUS ? tac_live_factor_start(s->factor, error) : TAC_OK;
  s->threaded = status == TAC_OK && s->mode == TAC_FACTOR_ASYNCHRONOUS;
  return status;
}

void tac_hyper_dynamics_stop(tacHyperDynamics *s) {
  tac_live_factor_stop(s->factor);
  s->threaded = false;
}

bool tac_hyper_dynamics_ready(const tacHyperDynamics *s) {
  if (s->threaded) return tac_live_factor_ready(s->factor);
  return s->posted >= 0 && s->step - s->posted >= s->delay;
}

/* Stores the data of the factor that is now in use: the positions `at`, the values `masked` and the step `tag`. */
static void use(tacHyperDynamics *s, const double *at, int64_t tag) {
  double *values = s->used;
  s->used = s->masked;
  s->masked = values;
  if (at != s->then) memcpy(s->then, at, 3 * (size_t)s->n * sizeof *s->then);
  tac_nodal_rotation_begin(s->rotation, s->then);
  s->tag = tag;
}

void tac_hyper_dynamics_take(tacHyperDynamics *s) {
  if (s->posted < 0 || !tac_live_factor_ready(s->factor)) return; /* there is no complete factor */
  bool good = tac_live_factor_take(s->factor);
  if (good)
    use(s, s->posted_at, s->posted);
  else
    s->wary = WARY; /* the matrix A was not positive definite */
  s->posted = -1;
}

/* Copies A to `masked`, the input of the factorisation, and decouples the held nodes. */
static void mask(tacHyperDynamics *s) {
  const tacSparse *a = &s->a;
  for (int j = 0; j < a->cols; ++j) {
    bool held = s->held[j / 3];
    for (int k = a->column_start[j]; k < a->column_start[j + 1]; ++k) {
      int i = a->row[k];
      double value = held || s->held[i / 3] ? 0.0 : a->value[k];
      s->masked[k] = i == j ? (held ? fabs(a->value[k]) + s->mass[j / 3] / (s->h * s->h) : value) : value;
    }
  }
}

/* Computes a factor immediately: in the first step, and in each step of the mode TAC_FACTOR_EXACT. False if A is not
 * positive definite. */
static bool renew(tacHyperDynamics *s) {
  mask(s);
  bool good = tac_live_factor_update(s->factor, s->masked, s->step);
  if (good) use(s, s->x, s->step);
  return good;
}

static void post(tacHyperDynamics *s) {
  if (s->posted >= 0 || !tac_live_factor_idle(s->factor)) return;
  mask(s);
  tac_live_factor_post(s->factor, s->masked, s->step);
  memcpy(s->posted_at, s->x, 3 * (size_t)s->n * sizeof *s->posted_at);
  s->posted = s->step;
}

/* Computes the rotations of the nodes since the step of the factor, if the factor belongs to an earlier step. */
static void turn_factor(tacHyperDynamics *s) {
  s->turned = s->tag != s->step && s->mode == TAC_FACTOR_ASYNCHRONOUS;
  if (s->turned) tac_nodal_rotation_update(s->rotation, s->x, s->turn);
}

/* Computes or requests a factor, depending on the mode. False if A is not positive definite. */
static bool follow_factor(tacHyperDynamics *s) {
  bool good = true;
  if (s->tag < 0 || s->mode == TAC_FACTOR_EXACT)
    good = renew(s);
  else if (s->mode == TAC_FACTOR_ASYNCHRONOUS && s->tag != s->step)
    post(s);
  turn_factor(s);
  return good;
}

static const tacMat3 *turn_of(const tacHyperDynamics *s) {
  return s->turned ? s->turn : NULL;
}

/* ---- equations ---- */

static void clear_held(const tacHyperDynamics *s, double *x) {
  for (int i = 0; i < s->n; ++i)
    if (s->held[i]) x[3 * i] = x[3 * i + 1] = x[3 * i + 2] = 0.0;
}

/* Returns the coefficient of K in A, 1 + beta / h. */
static double factor_of_k(const tacHyperDynamics *s) {
  tacTimeStep step = tac_time_step_euler(s->h);
  return tac_time_step_of_stiffness(&step, s->stiffness_damping);
}

/* Returns the coefficient of M in A, 1 / h^2 + alpha / h. */
static double factor_of_m(const tacHyperDynamics *s) {
  tacTimeStep step = tac_time_step_euler(s->h);
  return tac_time_step_of_mass(&step, s->mass_damping);
}

/* Computes the matrix A and the vector b. Sets d to the motion of held nodes, and b to the residual for this d. If
 * `definite` is true, K is made positive definite. */
static void linearise(tacHyperDynamics *s, double h, tacVec3 gravity, bool definite) {
  int n = 3 * s->n;
  const double g[3] = {gravity.x, gravity.y, gravity.z};
  s->h = h;
  s->gravity = gravity;
  double of_k = s->stiffness * factor_of_k(s), of_m = factor_of_m(s);
  tac_hyper_solid_set_definite(s->solid, definite);
  tac_hyper_solid_evaluate(s->solid, s->x, h, s->inner, s->a.value);
  for (int k = 0; k < s->a.column_start[n]; ++k) s->a.value[k] *= of_k;
  for (int j = 0; j < n; ++j) {
    s->a.value[s->a.column_start[j]] += of_m * s->mass[j / 3]; /* first entry of the column: diagonal */
    s->inner[j] *= s->stiffness;
    s->b[j] = s->load[j] = s->mass[j / 3] * (s->v[j] / h + g[j % 3]) - s->inner[j];
  }
  bool moved = false;
  memset(s->d, 0, (size_t)n * sizeof *s->d);
  for (int i = 0; i < s->n; ++i) {
    if (!s->held[i]) continue;
    double *d = s->d + 3 * i, way = 0.0, most = s->held_speed * h;
    for (int k = 0; k < 3; ++k) {
      d[k] = s->target[3 * i + k] - s->x[3 * i + k];
      way += d[k] * d[k];
    }
    way = sqrt(way);
    for (int k = 0; k < 3 && way > most; ++k) d[k] *= most / way;
    moved = moved || way > 0.0;
  }
  if (moved) {
    tac_sparse_multiply_blocks(&s->a, s->d, s->q);
    for (int i = 0; i < n; ++i) s->b[i] -= s->q[i];
  }
}

static void spread(const tacFactorSite *site, tacVec3 force, double *to) {
  for (int k = 0; k < site->count; ++k)
    put_node(to, site->node[k], tac_vec3_mad(node_of(to, site->node[k]), site->weight[k], force));
}

static tacVec3 gather(const tacFactorSite *site, const double *from) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int k = 0; k < site->count; ++k) sum = tac_vec3_mad(sum, site->weight[k], node_of(from, site->node[k]));
  return sum;
}

/* Returns the stiffness of the spring at a site. */
static const tacMat3 *spring_of(const tacHyperDynamics *s, int site) {
  return &s->spring[site - (s->count - s->springs)];
}

/* Solves (A + H^T K H) x = r for the nodes that are not held. K is the stiffness of the springs at sites.
 * Preconditioned conjugate gradients stop if the energy of the residual is below `enough` (J), or below the squared
 * tolerance times the initial energy. Overwrites r. Returns the number of iterations. Returns -1 with the present x
 * if the curvature along a search direction is not positive. */
static int solve(tacHyperDynamics *s, double enough, double *r, double *x, double *residual) {
  int n = 3 * s->n, k = 0;
  memset(x, 0, (size_t)n * sizeof *x);
  clear_held(s, r);
  tac_live_factor_solve(s->factor, turn_of(s), r, s->z);
  double rho = tac_vector_dot(n, r, s->z), first = rho;
  *residual = 0.0;
  enough = fmax(fmax(enough, least_energy), tolerance * tolerance * first);
  if (!(rho > enough)) return 0;
  memcpy(s->p, s->z, (size_t)n * sizeof *s->p);
  while (k < MOST_ITERATIONS) {
    tac_sparse_multiply_blocks(&s->a, s->p, s->q);
    for (int i = s->count - s->springs; i < s->count; ++i)
      spread(&s->sites[i], tac_mat3_mul_vec(*spring_of(s, i), gather(&s->sites[i], s->p)), s->q);
    clear_held(s, s->q);
    double curvature = tac_vector_dot(n, s->p, s->q);
    if (!(curvature > 0.0)) {
      if (k == 0) memcpy(x, s->p, (size_t)n * sizeof *x); /* the factor alone gives this solution */
      return -1;
    }
    double step = rho / curvature;
    for (int i = 0; i < n; ++i) x[i] += step * s->p[i];
    for (int i = 0; i < n; ++i) r[i] -= step * s->q[i];
    ++k;
    tac_live_factor_solve(s->factor, turn_of(s), r, s->z);
    double next = tac_vector_dot(n, r, s->z), share = next / rho;
    rho = next;
    if (!(rho > enough)) break;
    for (int i = 0; i < n; ++i) s->p[i] = s->z[i] + share * s->p[i];
  }
  *residual = rho > 0.0 ? sqrt(rho / first) : 0.0;
  return k;
}

/* ---- sites ---- */

static void leave_out_held(const tacHyperDynamics *s, const tacFactorSite *site, tacFactorSite *to) {
  to->count = 0;
  for (int k = 0; k < site->count; ++k)
    if (!s->held[site->node[k]]) {
      to->node[to->count] = site->node[k];
      to->weight[to->count++] = site->weight[k];
    }
}

static void take_sites(tacHyperDynamics *s, int count, const tacFactorSite *sites) {
  s->count = count < s->most_sites ? count : s->most_sites;
  for (int i = 0; i < s->count; ++i) leave_out_held(s, &sites[i], &s->sites[i]);
}

static bool same_site(const tacFactorSite *a, const tacFactorSite *b) {
  for (int k = 0; k < a->count; ++k)
    if (a->node[k] != b->node[k] || a->weight[k] != b->weight[k]) return false;
  return a->count == b->count;
}

static void find_compliance(tacHyperDynamics *s, double *c) {
  tac_live_factor_columns(s->factor, turn_of(s), s->count, s->sites, s->c);
  memcpy(c, s->c, 9 * (size_t)s->count * (size_t)s->count * sizeof *c);
}

/* Copies the compliance of `sites` from C of the previous step. False if a site did not exist in the previous step. */
static bool find_again(const tacHyperDynamics *s, int count, const tacFactorSite *sites, double *c) {
  int at[TAC_HYPER_MOST_SITES], all = 3 * s->count;
  for (int i = 0; i < count; ++i) {
    tacFactorSite site;
    leave_out_held(s, &sites[i], &site);
    for (at[i] = 0; at[i] < s->count && !same_site(&site, &s->sites[at[i]]);) ++at[i];
    if (at[i] == s->count) return false;
  }
  for (int i = 0; i < 3 * count; ++i)
    for (int j = 0; j < 3 * count; ++j)
      c[i * 3 * count + j] = s->c[(3 * at[i / 3] + i % 3) * all + 3 * at[j / 3] + j % 3];
  return true;
}

/* Measures the error of C compared with A, at one site and axis. Each call takes the next site or axis. Overwrites b
 * and r. */
static void probe(tacHyperDynamics *s, const double *c) {
  int i = s->probed % s->count, axis = s->probed / s->count % 3, all = 3 * s->count;
  tacVec3 unit = tac_vec3(axis == 0, axis == 1, axis == 2);
  double residual;
  memset(s->r, 0, 3 * (size_t)s->n * sizeof *s->r);
  spread(&s->sites[i], unit, s->r);
  if (solve(s, 0.0, s->r, s->b, &residual) < 0) return;
  double exact = tac_vec3_dot(unit, gather(&s->sites[i], s->b));
  double own = c[(3 * i + axis) * (all + 1)];
  if (exact > 0.0) s->error = fabs(own - exact) / exact;
  ++s->probed;
}

static tacVec3 centre_of(const tacHyperDynamics *s, double *mass) {
  tacVec3 sum = {0.0, 0.0, 0.0};
  *mass = 0.0;
  for (int i = 0; i < s->n; ++i) {
    *mass += s->mass[i];
    sum = tac_vec3_mad(sum, s->mass[i], node_of(s->x, i));
  }
  return tac_vec3_scale(1.0 / *mass, sum);
}

/* Corrects the motion d of a body without held nodes, so that only external forces change the momentum and the angular
 * momentum. The balance of momentum is a sum over nodes,
 *     (1 / h^2 + alpha / h) sum m d = sum (m v / h + m g) + sum f.
 * The balance of angular momentum has the cross product of r with each term, where r is the position relative to the
 * centre of mass. The motion d satisfies the first balance only as accurately as A d = b + H^T f is solved, and not
 * with a rotated factor. The second balance has an error r x K d of order h. The function adds the missing rigid
 * motion t + omega x r to d. `forces` act at the sites. Returns omega. */
static tacVec3 keep_momentum(tacHyperDynamics *s, const tacVec3 *forces) {
  tacVec3 none = {0.0, 0.0, 0.0}, linear = none, angular = none, force = none;
  tacMat3 moments = tac_mat3_zero(), inverse;
  double mass, of_m = factor_of_m(s);
  if (!s->loose) return none;
  tacVec3 centre = centre_of(s, &mass);
  for (int i = 0; i < s->n; ++i) {
    tacVec3 r = tac_vec3_sub(node_of(s->x, i), centre);
    tacVec3 lacks = tac_vec3_mad(s->gravity, 1.0 / s->h, node_of(s->v, i)); /* missing force per mass, N/kg */
    lacks = tac_vec3_scale(s->mass[i], tac_vec3_mad(lacks, -of_m, node_of(s->d, i)));
    linear = tac_vec3_add(linear, lacks);
    angular = tac_vec3_add(angular, tac_vec3_cross(r, lacks));
    const double a[3] = {r.x, r.y, r.z};
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) moments.m[j][k] += s->mass[i] * ((j == k ? tac_vec3_norm2(r) : 0.0) - a[j] * a[k]);
  }
  for (int i = 0; i < s->count; ++i) {
    force = tac_vec3_add(force, forces[i]);
    angular = tac_vec3_add(angular, tac_vec3_cross(tac_vec3_sub(gather(&s->sites[i], s->x), centre), forces[i]));
  }
  tacVec3 shift = tac_vec3_scale(1.0 / (mass * of_m), tac_vec3_add(linear, force)), turn = {0.0, 0.0, 0.0};
  if (tac_mat3_inverse(moments, &inverse)) turn = tac_vec3_scale(1.0 / of_m, tac_mat3_mul_vec(inverse, angular));
  for (int i = 0; i < s->n; ++i) {
    tacVec3 more = tac_vec3_add(shift, tac_vec3_cross(turn, tac_vec3_sub(node_of(s->x, i), centre)));
    put_node(s->d, i, tac_vec3_add(node_of(s->d, i), more));
  }
  return turn;
}

/* Replaces the motion omega x r in d by a finite rotation by omega (`turn`), if the angle is large. The motion omega
 * x r would stretch the body by half the square of the angle. */
static void turn_truly(tacHyperDynamics *s, tacVec3 turn) {
  const double small = 0.1; /* angle up to which angular momentum is conserved to rounding error, rad */
  double mass, angle = tac_vec3_norm(turn);
  if (!(angle > small)) return;
  tacVec3 centre = centre_of(s, &mass);
  tacQuat q = tac_quat_from_rotation_vector(turn);
  for (int i = 0; i < s->n; ++i) {
    tacVec3 r = tac_vec3_sub(node_of(s->x, i), centre), way = tac_vec3_sub(tac_quat_rotate(q, r), r);
    put_node(s->d, i, tac_vec3_add(node_of(s->d, i), tac_vec3_sub(way, tac_vec3_cross(turn, r))));
  }
}

/* True if K resists the motion d: d.K d >= -d.M d / (10 h^2). If d.K d is more negative, as in a buckled body, A is
 * nearly singular. The motion is then far beyond the range of the quadratic model of the elastic energy. The factor
 * belongs to an earlier A, so C contains a resistance that no longer exists. Iterations between motion and contacts
 * then diverge. Overwrites q. */
static bool resists(tacHyperDynamics *s) {
  const double most_push = 0.1;
  double inertia = 0.0;
  tac_sparse_multiply_blocks(&s->a, s->d, s->q);
  for (int i = 0; i < 3 * s->n; ++i) inertia += s->mass[i / 3] * s->d[i] * s->d[i];
  return tac_vector_dot(3 * s->n, s->d, s->q) >= (1.0 - most_push) * factor_of_m(s) * inertia;
}

/* Computes the motion d under the forces `guess`. False if A is not positive definite, or if K does not resist the
 * motion. */
static bool move_freely(tacHyperDynamics *s, double h, tacVec3 gravity, bool definite) {
  int n = 3 * s->n;
  linearise(s, h, gravity, definite);
  bool good = follow_factor(s);
  if (!good && !definite) return false;
  memcpy(s->r, s->b, (size_t)n * sizeof *s->r);
  for (int i = 0; i < s->count; ++i) spread(&s->sites[i], s->guess[i], s->r);
  s->iterations = solve(s, 0.0, s->r, s->b, &s->residual);
  for (int i = 0; i < n; ++i) s->d[i] += s->b[i];
  keep_momentum(s, s->guess);
  return s->iterations >= 0 && (definite || resists(s));
}

/* Returns the displacement C f of a site under the forces f at all sites. */
static tacVec3 next_compliance_at(const tacHyperDynamics *s, int site, const tacVec3 *f) {
  double sum[3] = {0.0};
  for (int k = 0; k < 3; ++k) {
    const double *row = s->c + (3 * (size_t)site + (size_t)k) * 3 * (size_t)s->count;
    for (int j = 0; j < s->count; ++j, row += 3) sum[k] += row[0] * f[j].x + row[1] * f[j].y + row[2] * f[j].z;
  }
  return tac_vec3(sum[0], sum[1], sum[2]);
}

/* Computes the forces at all sites for the motion d. Springs have the force f0 - K u, where f0 is `guess`. Other sites
 * have the given forces. */
static void act(tacHyperDynamics *s, const tacVec3 *forces) {
  for (int i = 0; i < s->count; ++i) {
    tacVec3 u = tac_vec3_add(s->led[i], gather(&s->sites[i], s->d));
    s->forces[i] =
        i < s->count - s->springs ? forces[i] : tac_vec3_sub(s->guess[i], tac_mat3_mul_vec(*spring_of(s, i), u));
  }
}

/* Corrects the motion d by solving for the residual with A. This motion contains the factor's response to changes of
 * forces, which differs from the response of A. Without the correction, a body that has become stiffer than the
 * factor moves too far, which inverts nearly flat elements. A body that has become softer moves farther than the
 * springs assume. Then the springs supply more energy than was stored in the springs. */
static void settle(tacHyperDynamics *s, const tacVec3 *forces) {
  int n = 3 * s->n;
  double residual;
  tac_sparse_multiply_blocks(&s->a, s->d, s->q);
  for (int i = 0; i < n; ++i) s->r[i] = s->load[i] - s->q[i];
  act(s, forces);
  for (int i = 0; i < s->count; ++i) spread(&s->sites[i], s->forces[i], s->r);
  int more = solve(s, rough * rough * tac_vector_dot(n, s->d, s->q), s->r, s->b, &residual);
  for (int i = 0; i < n && more >= 0; ++i) s->d[i] += s->b[i];
  s->iterations += more > 0 ? more : 0;
}

void tac_hyper_dynamics_begin(tacHyperDynamics *s, double h, tacVec3 gravity, int count, const tacFactorSite *sites,
                              const tacVec3 *forces, tacVec3 *motion, double *c) {
  take_sites(s, count, sites);
  bool whole = s->mode == TAC_FACTOR_REST; /* in this mode, the factor gives the response to total forces */
  for (int i = 0; i < s->count; ++i) s->guess[i] = whole ? tac_vec3(0.0, 0.0, 0.0) : forces[i];
  bool wary = s->wary > 0;
  if (!move_freely(s, h, gravity, wary) && !wary) {
    move_freely(s, h, gravity, true);
    s->wary = WARY;
  }
  s->wary -= s->wary > 0;
  for (int i = 0; i < s->count; ++i) {
    motion[i] = gather(&sites[i], s->d);
    s->led[i] = tac_vec3_sub(motion[i], gather(&s->sites[i], s->d));
  }
  if (s->count == 0) return;
  find_compliance(s, c);
  for (int i = 0; whole && i < s->count; ++i) motion[i] = tac_vec3_add(motion[i], next_compliance_at(s, i, forces));
  if (s->mode != TAC_FACTOR_EXACT && s->step % PROBE_EVERY == 0) probe(s, c);
}

static double energy_at(tacHyperDynamics *s, double share) {
  for (int i = 0; i < 3 * s->n; ++i) s->p[i] = s->x[i] + share * s->d[i];
  return s->stiffness * tac_hyper_solid_energy(s->solid, s->p);
}

/* Returns the slope dW/dx . d of the elastic energy W along d, without the energy stored by viscosity. */
static double slope(tacHyperDynamics *s) {
  double e = 1e-4;
  if (tac_hyper_solid_history_size(s->solid) == 0) return tac_vector_dot(3 * s->n, s->inner, s->d);
  double ahead = energy_at(s, e), behind = energy_at(s, -e);
  return (ahead - behind) / (2.0 * e);
}

/* Returns the work d.(b + H^T f - A d) of the residual over the nodes that are not held, J. The work is 0 for the exact
 * solution. Call with q = A d. */
static double lacking(const tacHyperDynamics *s) {
  double sum = 0.0;
  for (int i = 0; i < 3 * s->n; ++i) sum += s->held[i / 3] ? 0.0 : s->d[i] * (s->load[i] - s->q[i]);
  for (int i = 0; i < s->count; ++i) sum += tac_vec3_dot(s->forces[i], gather(&s->sites[i], s->d));
  return sum;
}

/* Returns a fraction a of the motion d at which the body gains no more energy than the loads supply. Besides the work
 * of gravity, of held nodes and of the forces at sites (a f.H d), the motion a d changes the energy by
 *     e(a) - |v - a d/h|^2_M / 2 - a (1 - a) |d/h|^2_M - (a - a^2/2) d.K d - a d.B d / h - a d.(b + H^T f - A d),
 *     e(a) = W(x + a d) - W(x) - a dW.d - a^2 d.K d / 2,
 * where W is the elastic energy, and e is the growth of W beyond the quadratic model. e is of third order and
 * dominates only in large motions. The damping term is included only if d.K d is negative, so that damping adds
 * energy. If the sum is positive, shorter motions are tried: `most` times 31/32, 7/8, 1/2, 1/4 ... Returns 0 if all
 * tried motions gain energy. */
static double share_of(tacHyperDynamics *s, double most) {
  int n = 3 * s->n;
  double dd = 0.0, vd = 0.0, vv = 0.0, h = s->h;
  tac_sparse_multiply_blocks(&s->a, s->d, s->q);
  for (int i = 0; i < n; ++i) {
    double m = s->mass[i / 3], way = s->d[i] / h;
    dd += m * way * way;
    vd += m * way * s->v[i];
    vv += m * s->v[i] * s->v[i];
  }
  double all = tac_vector_dot(n, s->d, s->q), elastic = (all - factor_of_m(s) * h * h * dd) / factor_of_k(s),
         along = slope(s), taken = fmin(0.0, (factor_of_k(s) - 1.0) * elastic) + lacking(s);
  if (isnan(s->energy)) s->energy = energy_at(s, 0.0);
  double noise = 1e-9 * fabs(s->energy) + s->stiffness * s->rounding, noise_along = 1e-9 * (fabs(along) + fabs(all));
  if (s->loose) noise += least_growth * 0.5 * dd; /* a shorter motion would not conserve momentum */
  for (int i = 0; i < MOST_HALVINGS; ++i) {
    double a = most * (i == 0 ? 1.0 : i == 1 ? 31.0 / 32.0 : i == 2 ? 7.0 / 8.0 : ldexp(1.0, 2 - i));
    double energy = energy_at(s, a), beyond = energy - s->energy - a * along - 0.5 * a * a * elastic;
    double lost = 0.5 * (vv - 2.0 * a * vd + a * a * dd) + a * (1.0 - a) * dd + (a - 0.5 * a * a) * elastic + a * taken;
    if (beyond <= lost + noise + a * noise_along) {
      s->energy = energy;
      return a;
    }
  }
  return 0.0;
}

/* Adds the response of the factor to d: the effect of changing the forces from `guess` to `forces`. */
static void respond(tacHyperDynamics *s, const tacVec3 *forces) {
  for (int i = 0; i < s->count; ++i) put_node(s->change, i, tac_vec3_sub(forces[i], s->guess[i]));
  tac_live_factor_respond(s->factor, turn_of(s), s->count, s->change, s->d);
}

bool tac_hyper_dynamics_again(tacHyperDynamics *s, const tacVec3 *forces, tacVec3 *motion) {
  if (s->count == 0 || s->mode != TAC_FACTOR_ASYNCHRONOUS || s->tag == s->step) return false;
  respond(s, forces);
  settle(s, forces);
  keep_momentum(s, forces);
  for (int i = 0; i < s->count; ++i) {
    s->guess[i] = forces[i];
    motion[i] = tac_vec3_add(s->led[i], gather(&s->sites[i], s->d));
  }
  return true;
}

/* Returns the largest motion of a node along an axis, m; infinite if a motion is not finite. */
static double farthest(const tacHyperDynamics *s) {
  double far = 0.0;
  for (int i = 0; i < 3 * s->n; ++i) far = isfinite(s->d[i]) ? fmax(far, fabs(s->d[i])) : INFINITY;
  return far;
}

/* Returns the fraction of the motion d that the body makes under `forces`; 0 means that the body does not move. */
static double try_motion(tacHyperDynamics *s, const tacVec3 *forces) {
  act(s, forces);
  keep_momentum(s, s->forces);
  double far = farthest(s);
  return isfinite(far) ? share_of(s, far > s->size ? s->size / far : 1.0) : 0.0;
}

/* Solves the motion again from d = 0. If d starts from the response of the factor, few iterations may only give
 * motions that the energy test rejects. If d starts from zero, each iteration of conjugate gradients decreases the
 * energy, because the residual is orthogonal to the solution. */
static void start_over(tacHyperDynamics *s, const tacVec3 *forces) {
  for (int i = 0; i < 3 * s->n; ++i)
    if (!s->held[i / 3]) s->d[i] = 0.0;
  settle(s, forces);
}

tacBodyFinish tac_hyper_dynamics_end(tacHyperDynamics *s, const tacVec3 *forces, int springs, const tacMat3 *spring) {
  int n = 3 * s->n;
  tacBodyFinish done = {false, false};
  s->springs = s->mode == TAC_FACTOR_REST ? 0 : springs < s->count ? springs : s->count;
  s->spring = spring;
  if (s->count > 0) respond(s, forces);
  if (s->count > 0 && s->mode == TAC_FACTOR_ASYNCHRONOUS && s->tag != s->step) settle(s, forces);
  double share = try_motion(s, forces);
  if (share == 0.0) {
    start_over(s, forces);
    share = try_motion(s, forces);
    done.limited = true;
  }
  s->springs = 0;
  ++s->step;
  done.refused = share == 0.0;
  done.limited = done.limited || share < 1.0;
  if (done.limited) {
    s->wary = WARY;
    for (int i = 0; i < n; ++i) s->d[i] *= share;
    if (s->loose && !done.refused) { /* restores the rigid motion, so that only the deformation is shortened */
      turn_truly(s, keep_momentum(s, s->forces));
      s->energy = NAN;
      /* The motion is limited to the size of the body. Otherwise, very large forces would move the body very far, or
       * rotate the body by many turns in a step, which enlarges the body. */
      double far = farthest(s);
      done.refused = !isfinite(far);
      for (int i = 0; i < n && far > s->size; ++i) s->d[i] *= s->size / far;
    }
  }
  for (int i = 0; i < n && !done.refused; ++i) s->x[i] += s->d[i];
  tacTimeStep step = tac_time_step_euler(s->h);
  for (int i = 0; i < n; ++i) s->v[i] = done.refused ? 0.0 : step.v_way * s->d[i];
  if (!done.refused) tac_hyper_solid_relax(s->solid, s->x, s->h);
  return done;
}

/* Computes the compliance from the rotated factor of the previous step. This compliance is accurate enough for
 * changes of forces until the next step. */
void tac_hyper_dynamics_compliance(tacHyperDynamics *s, double h, int count, const tacFactorSite *sites, double *c) {
  if (count > s->most_sites) count = s->most_sites;
  if (s->tag < 0) { /* no step was made yet */
    linearise(s, h, tac_vec3(0.0, 0.0, 0.0), false);
    if (!follow_factor(s)) {
      linearise(s, h, tac_vec3(0.0, 0.0, 0.0), true);
      follow_factor(s);
    }
  }
  if (count == 0 || find_again(s, count, sites, c)) return;
  take_sites(s, count, sites);
  turn_factor(s); /* the body has moved since `turn` was computed */
  find_compliance(s, c);
}

/* Solves A d = r with A of the last step. If `roughly` is true, the factor replaces A. */
static void go(tacHyperDynamics *s, bool roughly, double *r, double *d) {
  double residual;
  clear_held(s, r);
  if (roughly)
    tac_live_factor_solve(s->factor, turn_of(s), r, d);
  else
    solve(s, 0.0, r, d, &residual);
}

/* Predicts the motions of the next two steps under the same forces. d is the motion of the next step. The motion d'
 * of the second step follows from A d' = (2 M / h^2 + B / h) d - M v / h, where v is the present velocity. */
void tac_hyper_dynamics_predict(tacHyperDynamics *s, double h, tacVec3 gravity, bool whole, int count,
                                const tacFactorSite *sites, const tacVec3 *forces, tacVec3 *first, tacVec3 *second) {
  int n = 3 * s->n;
  const double g[3] = {gravity.x, gravity.y, gravity.z};
  double of_k = factor_of_k(s), of_m = factor_of_m(s), drag = (of_k - 1.0) / of_k;
  if (whole) tac_hyper_solid_evaluate(s->solid, s->x, h, s->inner, NULL);
  for (int i = 0; i < n; ++i)
    s->r[i] = whole ? s->mass[i / 3] * (s->v[i] / h + g[i % 3]) - s->stiffness * s->inner[i] : 0.0;
  for (int i = 0; i < count; ++i) spread(&sites[i], forces[i], s->r);
  go(s, !whole, s->r, s->b);
  for (int i = 0; i < count; ++i) first[i] = gather(&sites[i], s->b);
  tac_sparse_multiply_blocks(&s->a, s->b, s->q);
  for (int i = 0; i < n; ++i) {
    double mass = s->mass[i / 3], resists = drag * (s->q[i] - of_m * mass * s->b[i]); /* damping force beta K d / h */
    s->r[i] = mass * ((of_m + 1.0 / (h * h)) * s->b[i] - (whole ? s->v[i] / h : 0.0)) + resists;
  }
  go(s, !whole, s->r, s->d);
  for (int i = 0; i < count; ++i) second[i] = gather(&sites[i], s->d);
}

/* ---- state ---- */

/* A saved state contains, in this order: x; v; the positions for the factor in use and for the requested factor; the
 * rotations of nodes; the numbers below; the values of A for both factors; the history of viscosity. Loading a state
 * recomputes the factors from the values, so that the body continues bitwise equal. */
enum { STEP, TAG, POSTED, WARILY, PROBED, LENGTH, ITERATIONS, RESIDUAL, ERROR, NUMBERS };
enum { VECTORS = 4 };

static size_t entries_of(const tacHyperDynamics *s) {
  return (size_t)tac_sparse_count(&s->a);
}

int tac_hyper_dynamics_state_size(const tacHyperDynamics *s) {
  return (3 * VECTORS + 4) * s->n + NUMBERS + 2 * (int)entries_of(s) + tac_hyper_solid_history_size(s->solid);
}

void tac_hyper_dynamics_save(const tacHyperDynamics *s, double *state) {
  size_t n = 3 * (size_t)s->n, entries = entries_of(s);
  const double *vectors[VECTORS] = {s->x, s->v, s->then, s->posted_at};
  for (int i = 0; i < VECTORS; ++i, state += n) memcpy(state, vectors[i], n * sizeof *state);
  tac_nodal_rotation_save(s->rotation, state);
  state += 4 * (size_t)s->n;
  const double numbers[NUMBERS] = {[STEP] = (double)s->step,     [TAG] = (double)s->tag,   [POSTED] = (double)s->posted,
                                   [WARILY] = s->wary,           [PROBED] = s->probed,     [LENGTH] = s->h,
                                   [ITERATIONS] = s->iterations, [RESIDUAL] = s->residual, [ERROR] = s->error};
  memcpy(state, numbers, sizeof numbers);
  state += NUMBERS;
  memcpy(state, s->used, entries * sizeof *state);
  memcpy(state + entries, s->masked, entries * sizeof *state);
  tac_hyper_solid_save(s->solid, state + 2 * entries);
}

bool tac_hyper_dynamics_load(tacHyperDynamics *s, const double *state) {
  size_t n = 3 * (size_t)s->n, entries = entries_of(s);
  int size = tac_hyper_dynamics_state_size(s);
  for (int i = 0; i < size; ++i)
    if (!isfinite(state[i])) return false;
  const double *last = state + VECTORS * n, *numbers = last + 4 * (size_t)s->n, *values = numbers + NUMBERS;
  double step = numbers[STEP], tag = numbers[TAG], posted = numbers[POSTED];
  bool makes_sense = step >= 0.0 && step < 9e15 && tag >= -1.0 && tag <= step && posted >= -1.0 && posted <= step &&
                     numbers[WARILY] >= 0.0 && numbers[WARILY] <= WARY && numbers[PROBED] >= 0.0 &&
                     numbers[PROBED] < 1e9 && numbers[LENGTH] >= 0.0 && fabs(numbers[ITERATIONS]) < 1e9;
  if (!makes_sense) return false;
  forget_posted(s);
  double *vectors[VECTORS] = {s->x, s->v, s->then, s->posted_at};
  for (int i = 0; i < VECTORS; ++i) memcpy(vectors[i], state + (size_t)i * n, n * sizeof *state);
  s->step = (int64_t)step;
  s->wary = (int)numbers[WARILY];
  s->probed = (int)numbers[PROBED];
  s->h = numbers[LENGTH];
  s->iterations = (int)numbers[ITERATIONS];
  s->residual = numbers[RESIDUAL];
  s->error = numbers[ERROR];
  s->energy = NAN;
  s->count = 0;
  s->tag = s->posted = -1;
  tac_hyper_solid_load(s->solid, values + 2 * entries);
  if (tag >= 0.0 && tac_live_factor_update(s->factor, values, (int64_t)tag)) {
    memcpy(s->masked, values, entries * sizeof *values);
    use(s, s->then, (int64_t)tag);
    tac_nodal_rotation_load(s->rotation, last);
  }
  memcpy(s->masked, values + entries, entries * sizeof *values);
  if (posted >= 0.0 && s->tag >= 0) {
    tac_live_factor_post(s->factor, s->masked, (int64_t)posted);
    s->posted = (int64_t)posted;
  }
  return true;
}

void tac_hyper_dynamics_numbers(const tacHyperDynamics *s, double numbers[4]) {
  numbers[0] = (double)(s->step - (s->tag >= 0 ? s->tag : s->step));
  numbers[1] = s->error;
  numbers[2] = s->iterations;
  numbers[3] = tac_hyper_solid_inverted(s->solid, s->x);
}

static double kinetic_energy(const tacHyperDynamics *s) {
  double sum = 0.0;
  for (int i = 0; i < 3 * s->n; ++i) sum += 0.5 * s->mass[i / 3] * s->v[i] * s->v[i];
  return sum;
}

double tac_hyper_dynamics_energy(const tacHyperDynamics *s) {
  return s->loose || tac_vec3_norm2(s->gravity) > 0.0 ? NAN : s->energy + kinetic_energy(s);
}

void tac_hyper_dynamics_report(const tacHyperDynamics *s, tacHyperelasticReport *report) {
  tacLiveFactorReport factor = tac_live_factor_report(s->factor);
  report->nodes = s->n;
  report->elements = s->elements;
  report->factor_age = (int)(s->step - (s->tag >= 0 ? s->tag : s->step));
  report->factors = factor.taken;
  report->failures = factor.failed;
  report->factor_seconds = factor.seconds;
  report->iterations = s->iterations;
  report->residual = s->residual;
  report->compliance_error = s->error;
  report->inverted = tac_hyper_solid_inverted(s->solid, s->x);
  report->energy = kinetic_energy(s) + s->stiffness * tac_hyper_solid_energy(s->solid, s->x);
}
