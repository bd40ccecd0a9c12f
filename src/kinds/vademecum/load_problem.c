#include "kinds/vademecum/load_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "elastic/law_material.h"
#include "kinds/reduced/reduced_polynomial.h"
#include "kinds/vademecum/vademecum_def.h"
#include "math/geometry/vec3.h"

/* ---- checks of the definition ---- */

static tacStatus read_material(const tacLawMaterial *from, tacHyperMaterial *to, tacError *error) {
  TAC_TRY(tac_law_material_read(from, to, error));
  if (strcmp(from->law, "st-venant-kirchhoff") != 0 && strcmp(from->law, "neo-hookean") != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "vademecums support st-venant-kirchhoff and neo-hookean, but not %s; use one of these laws",
                         from->law);
  if (from->term_count != 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "a vademecum contains only static equilibria; omit the viscosity");
  return TAC_OK;
}

static tacStatus check_numbers(const tacVademecumDef *def, tacError *error) {
  if (!(def->load > 0.0) || !isfinite(def->load))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the largest load is %g N; it must be positive", def->load);
  if (!(def->accuracy >= 1e-6 && def->accuracy <= 0.5))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the accuracy is %g; it must be between 1e-6 and 0.5", def->accuracy);
  if (!(def->residual >= 1e-12 && def->residual < 1.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the residual is %g; it must be at least 1e-12 and below 1",
                         def->residual);
  if (def->mode_most < 1 || def->mode_most > TAC_BODY_MOST_COORDINATES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "wrong number of modes (%d); 1 to %d are possible", def->mode_most,
                         TAC_BODY_MOST_COORDINATES);
  if (def->path_most < 1 || def->sample_count < 1)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "there are %d loads to follow and %d to check; at least 1 of each "
                         "is needed",
                         def->path_most, def->sample_count);
  if (!(def->patch >= 0.0) || !isfinite(def->patch))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "the patch radius of the loads is %g m; it must be 0 (single "
                         "nodes) or positive",
                         def->patch);
  if (!tac_vec3_finite(def->direction))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the direction of the loads has NaN or infinite values");
  return TAC_OK;
}

tacStatus tac_load_problem_check(const tacVademecumDef *def, tacError *error) {
  const tacVolMesh *mesh = def->mesh;
  if (mesh == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "a vademecum needs a volume mesh");
  TAC_TRY(tac_volmesh_validate(mesh, error));
  if (mesh->tet_count < 1 || mesh->brick_count > 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "a vademecum supports only tetrahedra; the mesh has %d tetrahedra "
                         "and %d bricks",
                         mesh->tet_count, mesh->brick_count);
  tacHyperMaterial material;
  TAC_TRY(read_material(&def->material, &material, error));
  TAC_TRY(check_numbers(def, error));
  int held = 0;
  for (int v = 0; def->fixed != NULL && v < mesh->vertex_count; ++v) held += def->fixed[v];
  if (held < 3)
    return tac_error_set(
        error, TAC_ERR_ARGUMENT,
        "only %d of %d nodes are fixed, so a load moves the body as a whole and there is no equilibrium; fix at "
        "least three nodes that are not on a line",
        held, mesh->vertex_count);
  return TAC_OK;
}

/* ---- creation ---- */

static tacStatus make_loads(tacLoadProblem *p, tacError *error) {
  const tacVademecumDef *def = p->def;
  TAC_TRY(tac_volmesh_surface(def->mesh, &p->surface, &p->vertex_of, NULL, error));
  TAC_TRY(TAC_ARRAY(p->loads, (size_t)p->surface->vertex_count, "loads", error));
  for (int v = 0; v < p->surface->vertex_count; ++v) {
    int of = p->vertex_of[v];
    if (!def->fixed[of] && (def->accessible == NULL || def->accessible[of])) p->loads[p->load_count++] = v;
  }
  if (p->load_count == 0)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "no surface node is both free and accessible, so the body cannot be loaded; fix fewer "
                         "nodes, or allow loads on more of them");
  bool any = tac_vec3_norm(def->direction) == 0.0;
  p->direction = any ? def->direction : tac_vec3_unit(def->direction);
  p->axis_count = any ? 3 : 1;
  return TAC_OK;
}

/* Adds a third of the outward area vector of each triangle to each corner. */
static void add_areas(const tacTriMesh *mesh, tacVec3 *areas) {
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    tacVec3 a = tac_vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]);
    tacVec3 area = tac_vec3_cross(a, tac_vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]]));
    for (int c = 0; c < 3; ++c) areas[v[c]] = tac_vec3_mad(areas[v[c]], 1.0 / 6.0, area);
  }
}

/* Returns the weight of `vertex` in the patch around `centre`; 0 outside the patch. If the normals at the two
 * vertices differ by 90 degrees or more, `vertex` is outside. So a patch does not extend to another side of the
 * body. */
static double patch_weight(const tacLoadProblem *p, const tacVec3 *areas, int centre, int vertex) {
  double radius = p->def->patch, away = tac_vec3_distance(p->surface->vertices[centre], p->surface->vertices[vertex]);
  if (vertex == centre && !(radius > 0.0)) return 1.0;
  if (!(away < radius) || p->def->fixed[p->vertex_of[vertex]]) return 0.0;
  if (!(tac_vec3_dot(areas[centre], areas[vertex]) > 0.0)) return 0.0;
  double share = 1.0 - away * away / (radius * radius);
  return share * share * tac_vec3_norm(areas[vertex]);
}

/* Builds the patches in two passes. The first pass counts the entries, and the second pass writes the entries. */
static tacStatus make_patches(tacLoadProblem *p, tacError *error) {
  int vertices = p->surface->vertex_count;
  TAC_MEMORY(tacVec3, areas) = NULL;
  TAC_TRY(TAC_ARRAY(areas, (size_t)vertices, "patches", error));
  TAC_TRY(TAC_ARRAY(p->patch_start, (size_t)p->load_count + 1, "patches", error));
  add_areas(p->surface, areas);
  for (int pass = 0; pass < 2; ++pass) {
    int count = 0;
    for (int s = 0; s < p->load_count; ++s) {
      int first = count;
      double sum = 0.0;
      for (int v = 0; v < vertices; ++v) {
        double weight = patch_weight(p, areas, p->loads[s], v);
        if (!(weight > 0.0)) continue;
        if (pass == 1) {
          p->patch_vertex[count] = v;
          p->patch_weight[count] = weight;
        }
        sum += weight;
        ++count;
      }
      for (int i = first; pass == 1 && i < count; ++i) p->patch_weight[i] /= sum;
      p->patch_start[s + 1] = count;
    }
    if (pass == 1) break;
    TAC_TRY(TAC_ARRAY(p->patch_vertex, (size_t)count, "patches", error));
    TAC_TRY(TAC_ARRAY(p->patch_weight, (size_t)count, "patches", error));
  }
  return TAC_OK;
}

static tacStatus make_stiffness(tacLoadProblem *p, tacError *error) {
  const tacVademecumDef *def = p->def;
  tacError reason = {0};
  const tacHyperSolidDef solid = {.mesh = def->mesh, .material_count = 1, .materials = &p->material, .thread_count = 1};
  TAC_TRY(tac_hyper_solid_create(&solid, &p->solid, error));
  TAC_TRY(tac_free_lower_create(tac_hyper_solid_pattern(p->solid), def->fixed, &p->part, error));
  TAC_TRY(tac_factor_create(&p->part.matrix, &p->factor, error));
  tacStatus status = tac_factor_update(p->factor, p->part.matrix.value, &reason);
  if (status == TAC_ERR_SINGULAR)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "the fixed nodes do not hold the whole body; fix nodes of every piece, not all on one line "
                         "(%.200s)",
                         reason.text);
  if (status != TAC_OK) return tac_error_set(error, status, "%s", reason.text);
  int vertices = def->mesh->vertex_count;
  TAC_MEMORY(double, mass) = NULL;
  TAC_TRY(TAC_ARRAY(mass, (size_t)vertices, "masses", error));
  TAC_TRY(TAC_ARRAY(p->mass, 3 * (size_t)vertices, "masses", error));
  tac_hyper_solid_masses(p->solid, mass);
  for (int v = 0; v < 3 * vertices; ++v) p->mass[v] = mass[v / 3];
  return TAC_OK;
}

tacStatus tac_load_problem_create(const tacVademecumDef *def, tacLoadProblem *problem, tacError *error) {
  *problem = (tacLoadProblem){0};
  TAC_FREED(tac_load_problem_destroy, tacLoadProblem, made) = {.def = def};
  TAC_TRY(tac_load_problem_check(def, error));
  TAC_TRY(read_material(&def->material, &made.material, error));
  TAC_TRY(make_loads(&made, error));
  TAC_TRY(make_patches(&made, error));
  TAC_TRY(make_stiffness(&made, error));
  *problem = made;
  made = (tacLoadProblem){0};
  return TAC_OK;
}

void tac_load_problem_destroy(tacLoadProblem *problem) {
  tac_hyper_solid_destroy(problem->solid);
  tac_free_lower_destroy(&problem->part);
  tac_factor_destroy(problem->factor);
  free(problem->mass);
  tac_trimesh_destroy(problem->surface);
  free(problem->vertex_of);
  free(problem->loads);
  free(problem->patch_start);
  free(problem->patch_vertex);
  free(problem->patch_weight);
  *problem = (tacLoadProblem){0};
}

/* ---- queries ---- */

tacVec3 tac_load_problem_axis(const tacLoadProblem *problem, int axis) {
  if (problem->axis_count == 1) return problem->direction;
  return tac_vec3(axis == 0, axis == 1, axis == 2);
}

void tac_load_problem_add(const tacLoadProblem *problem, int load, tacVec3 force, double *forces) {
  for (int i = problem->patch_start[load]; i < problem->patch_start[load + 1]; ++i) {
    double *to = forces + 3 * (size_t)problem->vertex_of[problem->patch_vertex[i]], weight = problem->patch_weight[i];
    to[0] += weight * force.x;
    to[1] += weight * force.y;
    to[2] += weight * force.z;
  }
}

void tac_load_problem_project(const tacLoadProblem *problem, const tacReduced *shape, const double *u, double *q) {
  size_t n = (size_t)tac_reduced_size(shape);
  const double *basis = tac_reduced_basis(shape);
  memset(q, 0, n * sizeof *q);
  for (size_t i = 0; i < problem->part.size; ++i, basis += n) {
    double weight = problem->mass[i] * u[i];
    for (size_t k = 0; weight != 0.0 && k < n; ++k) q[k] += weight * basis[k];
  }
}

double tac_load_problem_norm(const tacLoadProblem *problem, const double *u) {
  double sum = 0.0;
  for (size_t i = 0; i < problem->part.size; ++i) sum += problem->mass[i] * u[i] * u[i];
  return sqrt(sum);
}

tacStatus tac_load_problem_spread(const tacLoadProblem *problem, int count, int *chosen, tacError *error) {
  const tacLoadProblem *p = problem;
  const tacVec3 *x = p->surface->vertices;
  TAC_MEMORY(double, away) = NULL;
  TAC_TRY(TAC_ARRAY(away, (size_t)p->load_count, "loads", error));
  for (int s = 0; s < p->load_count; ++s) {
    away[s] = INFINITY;
    for (int v = 0; v < p->surface->vertex_count; ++v)
      if (p->def->fixed[p->vertex_of[v]]) away[s] = fmin(away[s], tac_vec3_distance(x[p->loads[s]], x[v]));
  }
  for (int i = 0; i < count; ++i) {
    int best = -1;
    for (int s = 0; s < p->load_count; ++s)
      if (best < 0 || away[s] > away[best]) best = s;
    chosen[i] = best;
    for (int s = 0; s < p->load_count; ++s) {
      double distance = tac_vec3_distance(x[p->loads[s]], x[p->loads[best]]);
      away[s] = i == 0 ? distance : fmin(away[s], distance);
    }
    away[best] = -1.0;
  }
  return TAC_OK;
}
