#include "kinds/green/green_body.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "base/lanes.h"
#include "base/log.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "elastic/reference/reference_problem.h"
#include "kinds/green/green.h"
#include "kinds/green/green_columns.h"
#include "kinds/green/pressure_mask.h"
#include "math/geometry/svd3.h"

enum { ROW_BLOCK = 1024 }; /* number of rows summed together, small enough for the first-level cache */

typedef struct Vertex {
  tacVertexStiffness haptic;
  tacMat3 stiffness;    /* elastic stiffness K^E at stiffness factor 1, N/m */
  tacMat3 compliance;   /* inverse of `stiffness`, m/N */
  double eigenvalue[3]; /* eigenvalues of `stiffness`, N/m, descending */
  tacVec3 eigenvector[3];
  bool elastic;
} Vertex;

struct tacGreenBody {
  tacArrays arrays;
  const tacGreen *green;
  tacSurfaceWalk surface;
  double rigid_stiffness;
  double stiffest; /* largest eigenvalue over all vertices, N/m; INFINITY if any vertex is not elastic */
  /* factor on the stiffness; set by the stepping thread, read by threads that show the surface */
  _Atomic double factor;
  Vertex *vertices;
  tacPressureMasks masks;
  /* [vertex] response zeta_i of each elastic vertex i, m/N, as 3 columns of row_count floats. The response is the sum
   * over j of rho^i_j xi_j (section 6.2.1). Single precision halves the memory traffic, which limits the evaluation of
   * the surface. */
  float **zeta;
  tacGreenColumns *columns; /* thread that computes `zeta` on demand; NULL if there is no such thread */
  int row_count;
};

/* Marks the elastic vertices. An elastic vertex is free and has columns in the asset. Only elastic vertices belong to
 * masks. */
static tacStatus mark_elastic(tacGreenBody *body, tacError *error) {
  const int *column_vertex = tac_green_column_vertex(body->green);
  const bool *fixed = tac_green_fixed(body->green);
  int count = 0;
  for (int c = 0; c < tac_green_column_count(body->green); ++c) {
    int v = column_vertex[c];
    body->vertices[v].elastic = !fixed[v];
    count += !fixed[v];
  }
  return count > 0 ? TAC_OK
                   : tac_error_set(error, TAC_ERR_ARGUMENT,
                                   "the Green's functions have no column of a free vertex, so the body cannot be "
                                   "touched; bake columns of free vertices");
}

static tacStatus build_masks(tacGreenBody *body, double radius, const tacFingertip *tip, tacError *error) {
  const tacTriMesh *mesh = body->surface.mesh;
  TAC_MEMORY(bool, elastic) = NULL;
  TAC_TRY(TAC_ARRAY(elastic, (size_t)mesh->vertex_count, "pressure masks", error));
  for (int v = 0; v < mesh->vertex_count; ++v) elastic[v] = body->vertices[v].elastic;
  if (tip != NULL)
    return tac_pressure_masks_of_fingertip(tip, tac_green_area(body->green), elastic, &body->masks, error);
  return tac_pressure_masks_create(mesh, tac_green_area(body->green), elastic, radius, &body->masks, error);
}

static tacMat3 symmetric(tacMat3 a) {
  return tac_mat3_scale(0.5, tac_mat3_add(a, tac_mat3_transpose(a)));
}

/* Computes the eigenvalues of a symmetric matrix, ascending by magnitude, and the eigenvectors from the SVD A = U
 * diag(s) V^T. Column u_i equals v_i, or -v_i if the eigenvalue is negative. LAPACK is not used, since its results
 * depend on the library and the processor. A run must be bitwise reproducible. */
static void eigen(tacMat3 a, double values[3], tacVec3 vectors[3]) {
  tacSvd3 svd = tac_svd3(a);
  for (int i = 0; i < 3; ++i) {
    vectors[i] = tac_mat3_column(svd.v, 2 - i);
    values[i] = copysign(svd.s[2 - i], tac_vec3_dot(tac_mat3_column(svd.u, 2 - i), vectors[i]));
  }
}

/* Adds the displacement of the vertex `moved` per unit force, spread by the mask of `vertex` and scaled by `share`.
 * Returns false if a block is not stored. */
static bool add_response(const tacGreenBody *body, int moved, int vertex, double share, tacMat3 *compliance) {
  const tacPressureMasks *masks = &body->masks;
  for (int k = masks->first[vertex]; k < masks->first[vertex + 1]; ++k) {
    tacMat3 block;
    if (!tac_green_block(body->green, moved, masks->vertex[k], block.m)) return false;
    *compliance = tac_mat3_add(*compliance, tac_mat3_scale(share * masks->density[k], block));
  }
  return true;
}

/* Computes the compliance w^T C w + C_loc of the patch that a fingertip presses at a vertex. w: weights of the patch.
 * C: compliance of the patch's vertices. C_loc: local compliance of the fingertip. */
static bool touch_compliance(const tacGreenBody *body, const tacFingertip *tip, int vertex, tacMat3 *compliance) {
  const tacPressureMasks *masks = &body->masks;
  const double *area = tac_green_area(body->green);
  tacVec3 n = body->surface.vertex_normal[vertex];
  tacDent dent = tip->dent[vertex];
  for (int k = masks->first[vertex]; k < masks->first[vertex + 1]; ++k) {
    int moved = masks->vertex[k];
    if (!add_response(body, moved, vertex, area[moved] * masks->density[k], compliance)) return false;
  }
  *compliance = tac_mat3_add(*compliance, tac_mat3_diagonal(dent.across, dent.across, dent.across));
  *compliance = tac_mat3_add(*compliance, tac_mat3_scale(dent.normal - dent.across, tac_mat3_outer(n, n)));
  return true;
}

/* Computes K^E_i (32). The compliance, sum over j of rho_j Xi_ij, is asymmetric through discretisation errors. Only its
 * symmetric part is used, so that a closed loading loop at a fixed contact does no work. */
static tacStatus build_stiffness(tacGreenBody *body, const tacFingertip *tip, int vertex, int *odd_count,
                                 tacError *error) {
  Vertex *v = &body->vertices[vertex];
  tacMat3 compliance = tac_mat3_zero();
  if (!(tip != NULL ? touch_compliance(body, tip, vertex, &compliance)
                    : add_response(body, vertex, vertex, 1.0, &compliance)))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the Green's functions only store blocks nearer than the %s of vertex %d; bake them with a "
                         "near_radius of at least the %s",
                         tip != NULL ? "patch" : "mask radius", vertex, tip != NULL ? "patch's diameter" : "mask's");
  compliance = symmetric(compliance);
  double values[3];
  eigen(compliance, values, v->eigenvector);
  bool positive = values[0] > 0.0 && values[1] > 0.0 && values[2] > 0.0;
  if (!positive || !tac_mat3_inverse(compliance, &v->stiffness)) {
    v->elastic = false; /* the mesh is too coarse for boundary elements */
    ++*odd_count;
  } else {
    v->stiffness = symmetric(v->stiffness);
    v->compliance = compliance;
    for (int i = 0; i < 3; ++i) v->eigenvalue[i] = 1.0 / values[i];
  }
  return TAC_OK;
}

/* Computes the rendered stiffness K^H of the vertices and the gradient of K^H. The gradient is constant in a triangle.
 * At a vertex, the gradient is the area-weighted mean over the triangles. */
static void update_haptic(tacGreenBody *body) {
  const tacTriMesh *mesh = body->surface.mesh;
  const double *area = tac_green_area(body->green);
  double k = body->rigid_stiffness, factor = tac_green_body_stiffness(body);
  for (int i = 0; i < mesh->vertex_count; ++i) {
    Vertex *v = &body->vertices[i];
    v->haptic.value = v->elastic ? tac_mat3_scale(factor, v->stiffness) : tac_mat3_diagonal(k, k, k);
    for (int e = 0; e < 3 && v->elastic; ++e) {
      double excess = factor * v->eigenvalue[e] - k;
      if (excess <= 0.0) continue;
      tacMat3 part = tac_mat3_outer(v->eigenvector[e], v->eigenvector[e]);
      v->haptic.value = tac_mat3_sub(v->haptic.value, tac_mat3_scale(excess, part));
    }
    for (int axis = 0; axis < 3; ++axis) v->haptic.gradient[axis] = tac_mat3_zero();
  }
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 n = body->surface.face_normal[t];
    tacMat3 sum[3] = {tac_mat3_zero(), tac_mat3_zero(), tac_mat3_zero()};
    for (int i = 0; i < 3; ++i) {
      /* Twice the area times the gradient of the barycentric weight of corner i. */
      tacVec3 g = tac_vec3_cross(n, tac_vec3_sub(mesh->vertices[v[(i + 2) % 3]], mesh->vertices[v[(i + 1) % 3]]));
      const tacMat3 *value = &body->vertices[v[i]].haptic.value;
      sum[0] = tac_mat3_add(sum[0], tac_mat3_scale(g.x, *value));
      sum[1] = tac_mat3_add(sum[1], tac_mat3_scale(g.y, *value));
      sum[2] = tac_mat3_add(sum[2], tac_mat3_scale(g.z, *value));
    }
    /* The area of a vertex is a third of the total area of its triangles. */
    for (int i = 0; i < 3; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        tacMat3 *gradient = &body->vertices[v[i]].haptic.gradient[axis];
        *gradient = tac_mat3_add(*gradient, tac_mat3_scale(1.0 / (6.0 * area[v[i]]), sum[axis]));
      }
  }
}

static void build_zeta(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  tacGreenBody *body = context;
  const tacPressureMasks *masks = &body->masks;
  size_t rows = (size_t)body->row_count;
  for (size_t i = begin; i < end; ++i) {
    if (body->zeta[i] == NULL) continue;
    for (size_t first = 0; first < 3 * rows; first += ROW_BLOCK) {
      size_t count = 3 * rows - first < ROW_BLOCK ? 3 * rows - first : ROW_BLOCK;
      double sum[ROW_BLOCK] = {0.0};
      for (int k = masks->first[i]; k < masks->first[i + 1]; ++k) {
        const double *column = tac_green_column(body->green, masks->vertex[k]) + first;
        for (size_t r = 0; r < count; ++r) sum[r] += masks->density[k] * column[r];
      }
      for (size_t r = 0; r < count; ++r) body->zeta[i][first + r] = (float)sum[r];
    }
  }
}

/* Rejects responses that are NaN or overflow single precision (3e38). */
static tacStatus check_responses(const float *zeta, size_t count, tacError *error) {
  for (size_t i = 0; i < count; ++i)
    if (!isfinite(zeta[i]))
      return tac_error_set(error, TAC_ERR_ARGUMENT,
                           "a response overflows because the Green's functions are too "
                           "large; check their units");
  return TAC_OK;
}

static tacStatus build_responses(tacGreenBody *body, tacError *error) {
  size_t n = (size_t)body->surface.mesh->vertex_count, elastic = 0;
  size_t size = 3 * (size_t)body->row_count;
  bool whole = tac_green_storage(body->green) == TAC_GREEN_WHOLE;
  for (size_t i = 0; whole && i < n; ++i) elastic += body->vertices[i].elastic;
  body->zeta = tac_arrays_add(&body->arrays, n, sizeof *body->zeta);
  float *memory = tac_arrays_add(&body->arrays, elastic * size, sizeof *memory);
  TAC_TRY(tac_arrays_status(&body->arrays, "the body's responses", error));
  if (!whole) return TAC_OK;
  elastic = 0;
  for (size_t i = 0; i < n; ++i)
    if (body->vertices[i].elastic) body->zeta[i] = memory + size * elastic++;
  TAC_TRY(tac_parallel_for(0, n, 16, build_zeta, body, NULL, NULL, error));
  return check_responses(memory, elastic * size, error);
}

static tacStatus create(const tacGreen *green, double mask_radius, const tacFingertip *tip, double rigid_stiffness,
                        tacGreenBody **result, tacError *error) {
  *result = NULL;
  if (!(mask_radius >= 0.0 && isfinite(mask_radius)))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the mask radius is %g m; it must be 0 (single vertices) or "
                         "positive",
                         mask_radius);
  if (!(rigid_stiffness > 0.0 && isfinite(rigid_stiffness)))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the rigid stiffness is %g N/m; it must be positive",
                         rigid_stiffness);
  TAC_OWN(tacGreenBody, body) = NULL;
  TAC_TRY(TAC_ARRAY(body, 1, "a body", error));
  body->green = green;
  body->rigid_stiffness = rigid_stiffness;
  atomic_init(&body->factor, 1.0);
  body->row_count = tac_green_row_count(green);
  const tacTriMesh *mesh = tac_green_surface(green);
  int odd_count = 0;
  TAC_TRY(tac_surface_walk_create(mesh, &body->surface, error));
  body->vertices = tac_arrays_add(&body->arrays, (size_t)mesh->vertex_count, sizeof *body->vertices);
  TAC_TRY(tac_arrays_status(&body->arrays, "a body's vertices", error));
  TAC_TRY(mark_elastic(body, error));
  TAC_TRY(build_masks(body, mask_radius, tip, error));
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (body->vertices[v].elastic) TAC_TRY(build_stiffness(body, tip, v, &odd_count, error));
  if (odd_count > 0)
    tac_log(TAC_LOG_WARNING,
            "%d vertices have a compliance that is not positive definite and use the rigid stiffness instead; use a "
            "larger mask or a more regular mesh",
            odd_count);
  for (int v = 0; v < mesh->vertex_count; ++v)
    body->stiffest = fmax(body->stiffest, body->vertices[v].elastic ? body->vertices[v].eigenvalue[0] : INFINITY);
  update_haptic(body);
  TAC_TRY(build_responses(body, error));
  *result = tac_give(&body);
  return TAC_OK;
}

tacStatus tac_green_body_create(const tacGreen *green, double mask_radius, double rigid_stiffness, tacGreenBody **body,
                                tacError *error) {
  return create(green, mask_radius, NULL, rigid_stiffness, body, error);
}

tacStatus tac_green_body_create_touched(const tacGreen *green, const tacFingertip *tip, double rigid_stiffness,
                                        tacGreenBody **body, tacError *error) {
  return create(green, 0.0, tip, rigid_stiffness, body, error);
}

tacStatus tac_green_body_compute_on_demand(tacGreenBody *body, tacReferenceProblem *problem, size_t most_bytes,
                                           tacError *error) {
  if (tac_green_storage(body->green) == TAC_GREEN_WHOLE) return TAC_OK;
  if (tac_reference_problem_surface(problem)->vertex_count != body->surface.mesh->vertex_count ||
      tac_reference_problem_row_count(problem) != body->row_count)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the factored problem has %d vertices, but the Green's functions have %d; both must belong "
                         "to the same body",
                         tac_reference_problem_surface(problem)->vertex_count, body->surface.mesh->vertex_count);
  const tacPressureMasks *masks = &body->masks;
  return tac_green_columns_create(problem, masks->first, masks->vertex, masks->density, most_bytes, &body->columns,
                                  error);
}

void tac_green_body_forget_on_demand(tacGreenBody *body) {
  tac_green_columns_destroy(body->columns);
  body->columns = NULL;
}

void tac_green_body_destroy(tacGreenBody *body) {
  if (body == NULL) return;
  tac_green_columns_destroy(body->columns);
  tac_surface_walk_destroy(&body->surface);
  tac_pressure_masks_free(&body->masks);
  tac_arrays_free(&body->arrays);
  free(body);
}

const tacGreen *tac_green_body_green(const tacGreenBody *body) {
  return body->green;
}

const tacSurfaceWalk *tac_green_body_surface(const tacGreenBody *body) {
  return &body->surface;
}

double tac_green_body_rigid_stiffness(const tacGreenBody *body) {
  return body->rigid_stiffness;
}

void tac_green_body_set_stiffness(tacGreenBody *body, double factor) {
  atomic_store_explicit(&body->factor, factor, memory_order_relaxed);
  update_haptic(body);
}

double tac_green_body_stiffness(const tacGreenBody *body) {
  return atomic_load_explicit(&body->factor, memory_order_relaxed);
}

int tac_green_body_mask(const tacGreenBody *body, int vertex, const int **vertices, const double **density) {
  const tacPressureMasks *masks = &body->masks;
  *vertices = masks->vertex + masks->first[vertex];
  *density = masks->density + masks->first[vertex];
  return body->vertices[vertex].elastic ? masks->first[vertex + 1] - masks->first[vertex] : 0;
}

tacMat3 tac_green_body_elastic_stiffness(const tacGreenBody *body, int vertex) {
  const Vertex *v = &body->vertices[vertex];
  double k = body->rigid_stiffness;
  return v->elastic ? tac_mat3_scale(tac_green_body_stiffness(body), v->stiffness) : tac_mat3_diagonal(k, k, k);
}

const tacVertexStiffness *tac_green_body_haptic_stiffness(const tacGreenBody *body, int vertex) {
  return &body->vertices[vertex].haptic;
}

double tac_green_body_most_stiffness(const tacGreenBody *body) {
  return fmin(tac_green_body_stiffness(body) * body->stiffest, body->rigid_stiffness);
}

static const tacGreenBody *mask_of(const tacGreenBody *body, const tacPointForce *force) {
  return force->by_mask != NULL ? force->by_mask : body;
}

double tac_green_body_error_estimate(const tacGreenBody *body, int count, const tacPointForce *forces) {
  const tacGreenErrorEstimate *error_estimate = tac_green_error_estimate(body->green);
  const tacTriMesh *mesh = body->surface.mesh;
  double sum = 0.0;
  if (!(error_estimate->power > 0.0)) return -1.0;
  for (int i = 0; i < count; ++i) {
    const tacSurfacePoint *at = &forces[i].at;
    const tacGreenBody *by = mask_of(body, &forces[i]);
    tacVec3 f = forces[i].force, moved = {0.0, 0.0, 0.0};
    double square = tac_vec3_norm2(f), along = tac_vec3_dot(f, body->surface.face_normal[at->triangle]);
    if (!(square > 0.0)) continue;
    for (int k = 0; k < 3; ++k) {
      const Vertex *v = &by->vertices[mesh->triangles[at->triangle].v[k]];
      if (v->elastic) moved = tac_vec3_mad(moved, at->weight[k], tac_mat3_mul_vec(v->compliance, f));
    }
    double share = fmin(1.0, along * along / square); /* fraction of the squared force along the normal */
    sum += tac_vec3_norm(moved) * (share / error_estimate->length[along > 0.0 ? TAC_GREEN_OUT : TAC_GREEN_IN] +
                                   (1.0 - share) / error_estimate->length[TAC_GREEN_ACROSS]);
  }
  return sum > 0.0 ? pow(sum / tac_green_body_stiffness(body), error_estimate->power) : 0.0;
}

/* Returns the response to a force at an elastic vertex; NULL if the response is not in memory. */
static const float *zeta_of(const tacGreenBody *body, int vertex) {
  return body->columns != NULL ? tac_green_columns_find(body->columns, vertex) : body->zeta[vertex];
}

/* Computes the compliance between two surface points, with barycentric weights phi:
 *     u(at) = sum_i phi_i(at) sum_k phi_k(by) zeta_k[row i] f. */
static bool response(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 *result) {
  const int *moved = body->surface.mesh->triangles[at.triangle].v,
            *loaded = body->surface.mesh->triangles[by.triangle].v;
  const bool *fixed = tac_green_fixed(body->green);
  size_t rows = (size_t)body->row_count;
  tacMat3 sum = tac_mat3_zero();
  for (int k = 0; k < 3; ++k) {
    if (!body->vertices[loaded[k]].elastic || by.weight[k] == 0.0) continue;
    const float *zeta = zeta_of(body, loaded[k]);
    if (zeta == NULL) return false;
    for (int i = 0; i < 3; ++i) {
      double weight = at.weight[i] * by.weight[k];
      if (weight == 0.0 || fixed[moved[i]]) continue; /* rows of fixed vertices are tractions */
      const float *x = zeta + 3 * (size_t)moved[i], *y = x + rows, *z = y + rows;
      for (int r = 0; r < 3; ++r) {
        sum.m[r][0] += weight * (double)x[r];
        sum.m[r][1] += weight * (double)y[r];
        sum.m[r][2] += weight * (double)z[r];
      }
    }
  }
  *result = sum;
  return true;
}

bool tac_green_body_compliance(const tacGreenBody *body, tacSurfacePoint at, tacSurfacePoint by, tacMat3 *compliance) {
  return tac_green_body_compliance_between(body, at, body, by, compliance);
}

bool tac_green_body_compliance_between(const tacGreenBody *at_mask, tacSurfacePoint at, const tacGreenBody *by_mask,
                                       tacSurfacePoint by, tacMat3 *compliance) {
  tacMat3 there, back;
  if (!response(by_mask, at, by, &there)) return false;
  bool same = at_mask == by_mask && at.triangle == by.triangle && at.weight[0] == by.weight[0] &&
              /* at the same point with the same mask, both directions are equal */
              at.weight[1] == by.weight[1] && at.weight[2] == by.weight[2];
  if (same)
    back = there;
  else if (!response(at_mask, by, at, &back))
    return false;
  *compliance = tac_mat3_scale(0.5 / tac_green_body_stiffness(by_mask), tac_mat3_add(there, tac_mat3_transpose(back)));
  return true;
}

/* Computes sum[i] += z0[i] f.x + z1[i] f.y + z2[i] f.z. */
TAC_LANES_BODY void add_columns_lanes(const int doubles, size_t count, const float *restrict z0,
                                      const float *restrict z1, const float *restrict z2, const float f[3],
                                      float *restrict sum) {
  (void)doubles;
  const float x = f[0], y = f[1], z = f[2];
  for (size_t i = 0; i < count; ++i) sum[i] += z0[i] * x + z1[i] * y + z2[i] * z;
}
TAC_LANES_KERNEL(static, add_columns,
                 (size_t count, const float *z0, const float *z1, const float *z2, const float f[3], float *sum), count,
                 z0, z1, z2, f, sum)

TAC_LANES_BODY void widen_lanes(const int doubles, size_t count, const float *restrict from, double *restrict to) {
  (void)doubles;
  for (size_t i = 0; i < count; ++i) to[i] = (double)from[i];
}
TAC_LANES_KERNEL(static, widen, (size_t count, const float *from, double *to), count, from, to)

/* Adds the reactions of the support to a force at the mask of `zeta`. Rows of fixed vertices are tractions per unit
 * force. */
static void add_reactions(const tacGreenBody *body, const float *zeta, tacVec3 force, tacVec3 *tractions) {
  const bool *fixed = tac_green_fixed(body->green);
  size_t rows = (size_t)body->row_count;
  for (int v = 0; v < body->surface.mesh->vertex_count; ++v) {
    if (!fixed[v]) continue;
    const float *z = zeta + 3 * (size_t)v;
    double sum[3];
    for (int r = 0; r < 3; ++r)
      sum[r] =
          (double)z[r] * force.x + (double)z[rows + (size_t)r] * force.y + (double)z[2 * rows + (size_t)r] * force.z;
    tractions[v] = tac_vec3_add(tractions[v], tac_vec3(sum[0], sum[1], sum[2]));
  }
}

void tac_green_body_tractions(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *tractions) {
  const tacTriMesh *mesh = body->surface.mesh;
  for (int v = 0; v < mesh->vertex_count; ++v) tractions[v] = tac_vec3(0.0, 0.0, 0.0);
  for (int c = 0; c < count; ++c)
    for (int k = 0; k < 3; ++k) {
      const int *vertices;
      const double *density;
      int v = mesh->triangles[forces[c].at.triangle].v[k];
      tacVec3 force = tac_vec3_scale(forces[c].at.weight[k], forces[c].force);
      const tacGreenBody *by = mask_of(body, &forces[c]);
      int loaded = tac_green_body_mask(by, v, &vertices, &density);
      for (int j = 0; j < loaded; ++j) tractions[vertices[j]] = tac_vec3_mad(tractions[vertices[j]], density[j], force);
      const float *zeta = loaded > 0 ? zeta_of(by, v) : NULL;
      if (zeta != NULL) add_reactions(body, zeta, force, tractions);
    }
}

int tac_green_body_deform(const tacGreenBody *body, int count, const tacPointForce *forces, tacVec3 *displacement,
                          double *sensors) {
  const tacTriMesh *mesh = body->surface.mesh;
  const bool *fixed = tac_green_fixed(body->green);
  size_t rows = (size_t)body->row_count, surface_rows = 3 * (size_t)mesh->vertex_count;
  double factor = tac_green_body_stiffness(body);
  int missing = 0;
  for (size_t begin = displacement != NULL ? 0 : surface_rows; begin < (sensors != NULL ? rows : surface_rows);) {
    size_t end = begin + 3 * (ROW_BLOCK / 3);
    if (begin < surface_rows && end > surface_rows) end = surface_rows;
    if (end > rows) end = rows;
    float sum[ROW_BLOCK] = {0.0f};
    missing = 0;
    for (int c = 0; c < count; ++c)
      for (int k = 0; k < 3; ++k) {
        int v = mesh->triangles[forces[c].at.triangle].v[k];
        const tacGreenBody *by = mask_of(body, &forces[c]);
        if (!by->vertices[v].elastic || forces[c].at.weight[k] == 0.0) continue;
        const float *zeta = zeta_of(by, v);
        if (zeta == NULL) {
          ++missing;
          continue;
        }
        /* Displacements scale with 1 / stiffness, but stresses at sensors do not. */
        double scale = forces[c].at.weight[k] / (begin < surface_rows ? factor : 1.0);
        float f[3] = {(float)(scale * forces[c].force.x), (float)(scale * forces[c].force.y),
                      (float)(scale * forces[c].force.z)};
        add_columns(end - begin, zeta + begin, zeta + rows + begin, zeta + 2 * rows + begin, f, sum);
      }
    if (begin < surface_rows) {
      widen(end - begin, sum, &displacement[begin / 3].x);
      for (size_t i = begin / 3; i < end / 3; ++i)
        if (fixed[i]) displacement[i] = tac_vec3(0.0, 0.0, 0.0);
    } else {
      widen(end - begin, sum, sensors + (begin - surface_rows));
    }
    begin = end;
  }
  for (int s = 0; sensors != NULL && s < tac_green_sensor_count(body->green); ++s)
    if (tac_green_sensor(body->green, s)->kind == TAC_SENSOR_DISPLACEMENT)
      for (int r = 0; r < 3; ++r)
        sensors[(size_t)tac_green_sensor_row(body->green, s) - surface_rows + (size_t)r] /= factor;
  return missing;
}
