#include "elastic/solids/finite_strain.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "elastic/elements/quadrature.h"
#include "elastic/elements/strain.h"
#include "elastic/laws/st_venant_kirchhoff.h"
#include "elastic/solids/assembly.h"
#include "math/geometry/mat3.h"

struct tacFiniteStrain {
  tacSolid solid;
  int degree;                 /* see tac_quadrature_points; the energy has 4 */
  int brick_points;           /* of a brick */
  tacQuadraturePoint *points; /* one a tetrahedron, then brick_points a brick */
  int *places;                /* 4 x 4 a tetrahedron, then 8 x 8 a brick: see Element.place */
  tacSparse pattern;          /* K(0) */
};

/* One element's part of the arrays. */
typedef struct Element {
  int count; /* of corners */
  const int *vertices;
  int point_count;
  tacQuadraturePoint *points;
  int *place; /* [a * count + b]: of the entry (3 vertices[a], 3 vertices[b]) of the stiffness matrix */
  const tacMaterial *material;
} Element;

static Element get_element(const tacFiniteStrain *strain, int e) {
  const tacVolMesh *mesh = strain->solid.mesh;
  size_t tets = (size_t)(e < mesh->tet_count ? e : mesh->tet_count), bricks = (size_t)e - tets;
  return (Element){.count = tac_element_corner_count(mesh, e),
                   .vertices = tac_element_vertices(mesh, e),
                   .point_count = e < mesh->tet_count ? 1 : strain->brick_points,
                   .points = strain->points + tets + (size_t)strain->brick_points * bricks,
                   .place = strain->places + 16 * tets + 64 * bricks,
                   .material = tac_solid_material(&strain->solid, e)};
}

/* ---- at a quadrature point ---- */

typedef struct State {
  tacMat3 deformation; /* F = I + G */
  double strain[6];    /* Green's, with engineering shears */
  double stress[6];    /* S = C E */
} State;

/* G = sum_a u_a g_a^T */
static tacMat3 displacement_gradient(const Element *element, const tacQuadraturePoint *point, const double *u) {
  tacMat3 g = tac_mat3_zero();
  for (int a = 0; a < element->count; ++a) {
    const double *at = u + 3 * (size_t)element->vertices[a];
    for (int i = 0; i < 3; ++i) {
      g.m[i][0] += at[i] * point->gradient[a].x;
      g.m[i][1] += at[i] * point->gradient[a].y;
      g.m[i][2] += at[i] * point->gradient[a].z;
    }
  }
  return g;
}

static tacMat3 deformation(const Element *element, const tacQuadraturePoint *point, const double *u) {
  return tac_mat3_add(tac_mat3_identity(), displacement_gradient(element, point, u));
}

static tacLame lame_of(const tacMaterial *material) {
  return (tacLame){material->stiffness[0][1], material->stiffness[3][3]};
}

static State get_state(const Element *element, const tacQuadraturePoint *point, const double *u) {
  static const int row[6] = {0, 1, 2, 1, 2, 0}, col[6] = {0, 1, 2, 2, 0, 1};
  tacMat3 g = displacement_gradient(element, point, u);
  State state = {.deformation = tac_mat3_add(tac_mat3_identity(), g)};
  for (int k = 0; k < 6; ++k) { /* from G rather than F: small strains keep their digits */
    int i = row[k], j = col[k];
    double square = g.m[0][i] * g.m[0][j] + g.m[1][i] * g.m[1][j] + g.m[2][i] * g.m[2][j];
    state.strain[k] = k < 3 ? g.m[i][i] + 0.5 * square : g.m[i][j] + g.m[j][i] + square;
  }
  if (element->material->isotropic)
    tac_st_venant_kirchhoff_stress(lame_of(element->material), state.strain, state.stress);
  else
    tac_strain_stress(element->material->stiffness, state.strain, state.stress);
  return state;
}

/* S g */
static tacVec3 traction(const double s[6], tacVec3 g) {
  return tac_vec3(s[0] * g.x + s[5] * g.y + s[4] * g.z, s[5] * g.x + s[1] * g.y + s[3] * g.z,
                  s[4] * g.x + s[3] * g.y + s[2] * g.z);
}

/* ---- stiffness of an element ---- */

/* k[a][b], a <= b: the 3 x 3 block of corners a and b. */
typedef double Blocks[8][8][3][3];

/* blocks += weight (B^T C B + (g_a . S g_b) I) for an isotropic C. */
static void add_isotropic(int count, const tacQuadraturePoint *point, tacMat3 f, tacLame law, const double s[6],
                          Blocks k) {
  double h[8][3];
  for (int a = 0; a < count; ++a) {
    tacVec3 pushed = tac_mat3_mul_vec(f, point->gradient[a]);
    memcpy(h[a], (const double[]){pushed.x, pushed.y, pushed.z}, sizeof h[a]);
  }
  tacLame weighted = {law.lambda * point->weight, law.mu * point->weight};
  tacMat3 square = tac_mat3_scale(weighted.mu, tac_mat3_mul(f, tac_mat3_transpose(f)));
  for (int b = 0; b < count; ++b) {
    tacVec3 g = point->gradient[b], t = tac_vec3_scale(point->weight, traction(s, g));
    for (int a = 0; a <= b; ++a) {
      double geometric = tac_vec3_dot(point->gradient[a], t);
      tac_st_venant_kirchhoff_add(weighted, h[a], h[b], tac_vec3_dot(point->gradient[a], g), &square, k[a][b]);
      for (int i = 0; i < 3; ++i) k[a][b][i][i] += geometric;
    }
  }
}

/* The same for any C: the columns of B_a(u) are what displacements of corner a along the axes make of the strain. */
static void add_anisotropic(int count, const tacQuadraturePoint *point, tacMat3 f, const double c[6][6],
                            const double s[6], Blocks k) {
  double strain[8][3][6];
  for (int a = 0; a < count; ++a) {
    tacVec3 g = point->gradient[a];
    for (int i = 0; i < 3; ++i) {
      double *e = strain[a][i];
      e[0] = f.m[i][0] * g.x;
      e[1] = f.m[i][1] * g.y;
      e[2] = f.m[i][2] * g.z;
      e[3] = f.m[i][1] * g.z + f.m[i][2] * g.y;
      e[4] = f.m[i][2] * g.x + f.m[i][0] * g.z;
      e[5] = f.m[i][0] * g.y + f.m[i][1] * g.x;
    }
  }
  for (int b = 0; b < count; ++b) {
    tacVec3 t = tac_vec3_scale(point->weight, traction(s, point->gradient[b]));
    for (int j = 0; j < 3; ++j) {
      double stress[6];
      tac_strain_stress(c, strain[b][j], stress);
      for (int n = 0; n < 6; ++n) stress[n] *= point->weight;
      for (int a = 0; a <= b; ++a)
        for (int i = 0; i < 3; ++i)
          for (int n = 0; n < 6; ++n) k[a][b][i][j] += strain[a][i][n] * stress[n];
    }
    for (int a = 0; a <= b; ++a)
      for (int i = 0; i < 3; ++i) k[a][b][i][i] += tac_vec3_dot(point->gradient[a], t);
  }
}

/* Both triangles from the upper one: symmetric to the bit, since elements add up in the same order everywhere. */
static void scatter(const tacFiniteStrain *strain, const Element *element, Blocks k, double *value) {
  const int *start = strain->pattern.column_start;
  for (int b = 0; b < element->count; ++b) {
    int column = 3 * element->vertices[b], stride = start[column + 1] - start[column];
    for (int a = 0; a < element->count; ++a) {
      double *at = value + element->place[a * element->count + b];
      for (int j = 0; j < 3; ++j, at += stride)
        for (int i = 0; i < 3; ++i) at[i] += a < b || (a == b && i <= j) ? k[a][b][i][j] : k[b][a][j][i];
    }
  }
}

static void add_point(const Element *element, const tacQuadraturePoint *point, tacMat3 f, const tacMaterial *material,
                      const double s[6], Blocks k) {
  if (material->isotropic)
    add_isotropic(element->count, point, f, lame_of(material), s, k);
  else
    add_anisotropic(element->count, point, f, material->stiffness, s, k);
}

/* ---- interface ---- */

static void fill_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const tacFiniteStrain *strain = context;
  for (size_t e = begin; e < end; ++e) {
    Element element = get_element(strain, (int)e);
    /* None is inverted: the assembly has refused those. */
    tac_quadrature_points(strain->solid.mesh, (int)e, strain->degree, element.points);
    for (int a = 0; a < element.count; ++a)
      for (int b = 0; b < element.count; ++b)
        element.place[a * element.count + b] =
            tac_sparse_find(&strain->pattern, 3 * element.vertices[a], 3 * element.vertices[b]);
  }
}

static tacStatus check_materials(const tacSolid *solid, tacError *error) {
  for (int e = 0; solid->material_of != NULL && e < tac_element_count(solid->mesh); ++e)
    if (solid->material_of[e] < 0 || solid->material_of[e] >= solid->material_count)
      return tac_error_set(error, TAC_ERR_ARGUMENT, "element %d has material %d, but there are only %d materials", e,
                           solid->material_of[e], solid->material_count);
  return TAC_OK;
}

static tacStatus create(const tacSolid *solid, int degree, tacFiniteStrain **strain, tacError *error) {
  *strain = NULL;
  TAC_OWN(tacFiniteStrain, made) = tac_array_create(1, sizeof *made, "finite strains", error);
  if (made == NULL) return TAC_ERR_MEMORY;
  made->solid = *solid;
  made->degree = degree;
  made->brick_points = degree > 2 ? 27 : 8;
  size_t tets = (size_t)solid->mesh->tet_count, bricks = (size_t)solid->mesh->brick_count;
  TAC_TRY(check_materials(solid, error));
  TAC_TRY(tac_assembly_stiffness(solid->mesh, solid->materials, solid->material_of, &made->pattern, error));
  TAC_TRY(TAC_ARRAY(made->points, tets + (size_t)made->brick_points * bricks, "quadrature points", error));
  TAC_TRY(TAC_ARRAY(made->places, 16 * tets + 64 * bricks, "places of a matrix", error));
  tac_parallel_do((size_t)tac_element_count(solid->mesh), 64, fill_elements, made);
  *strain = tac_give(&made);
  return TAC_OK;
}

tacStatus tac_finite_strain_create(const tacSolid *solid, tacFiniteStrain **strain, tacError *error) {
  return create(solid, 4, strain, error);
}

tacStatus tac_finite_strain_create_rough(const tacSolid *solid, tacFiniteStrain **strain, tacError *error) {
  return create(solid, 2, strain, error);
}

void tac_finite_strain_destroy(tacFiniteStrain *strain) {
  if (strain == NULL) return;
  tac_sparse_destroy(&strain->pattern);
  free(strain->points);
  free(strain->places);
  free(strain);
}

const tacSparse *tac_finite_strain_pattern(const tacFiniteStrain *strain) {
  return &strain->pattern;
}

/* ---- loops over elements ---- */

enum { WINDOW = 1024, GRAIN = 16 };

/* What threads compute of the elements of a window; it is added up in one order. */
typedef struct Window {
  const tacFiniteStrain *strain;
  const double *u;
  int first;
  double *energy;               /* [WINDOW]; NULL: not wanted */
  double (*force)[8][3];        /* [WINDOW] of corners; NULL: not wanted */
  double (*blocks)[8][8][3][3]; /* [WINDOW]; NULL: not wanted */
} Window;

static double element_energy(const Element *element, const double *u) {
  double energy = 0.0;
  for (int p = 0; p < element->point_count; ++p) {
    State state = get_state(element, &element->points[p], u);
    for (int i = 0; i < 6; ++i) energy += 0.5 * element->points[p].weight * state.strain[i] * state.stress[i];
  }
  return energy;
}

static void element_force(const Element *element, const double *u, double force[8][3]) {
  memset(force, 0, 8 * sizeof *force);
  for (int p = 0; p < element->point_count; ++p) {
    const tacQuadraturePoint *point = &element->points[p];
    State state = get_state(element, point, u);
    for (int a = 0; a < element->count; ++a) {
      tacVec3 f = tac_mat3_mul_vec(state.deformation, traction(state.stress, point->gradient[a]));
      force[a][0] += point->weight * f.x;
      force[a][1] += point->weight * f.y;
      force[a][2] += point->weight * f.z;
    }
  }
}

static void element_stiffness(const Element *element, const double *u, Blocks k) {
  memset(k, 0, sizeof(Blocks));
  for (int p = 0; p < element->point_count; ++p) {
    State state = get_state(element, &element->points[p], u);
    add_point(element, &element->points[p], state.deformation, element->material, state.stress, k);
  }
}

static void compute_elements(size_t begin, size_t end, int thread, void *context) {
  (void)thread;
  const Window *w = context;
  for (size_t i = begin; i < end; ++i) {
    Element element = get_element(w->strain, w->first + (int)i);
    if (w->energy != NULL) w->energy[i] = element_energy(&element, w->u);
    if (w->force != NULL) element_force(&element, w->u, w->force[i]);
    if (w->blocks != NULL) element_stiffness(&element, w->u, w->blocks[i]);
  }
}

/* The next window; how many elements it has, 0 after the last. */
static int next_window(Window *w) {
  int left = tac_element_count(w->strain->solid.mesh) - w->first, count = left < WINDOW ? left : WINDOW;
  if (count > 0) tac_parallel_do((size_t)count, GRAIN, compute_elements, w);
  return count;
}

double tac_finite_strain_energy(const tacFiniteStrain *strain, const double *u) {
  double energy = 0.0, of_element[WINDOW];
  Window w = {.strain = strain, .u = u, .energy = of_element};
  for (int count; (count = next_window(&w)) > 0; w.first += count)
    for (int i = 0; i < count; ++i) energy += of_element[i];
  return energy;
}

void tac_finite_strain_force(const tacFiniteStrain *strain, const double *u, double *force) {
  double of_corner[WINDOW][8][3];
  Window w = {.strain = strain, .u = u, .force = of_corner};
  memset(force, 0, 3 * (size_t)strain->solid.mesh->vertex_count * sizeof *force);
  for (int count; (count = next_window(&w)) > 0; w.first += count)
    for (int i = 0; i < count; ++i) {
      Element element = get_element(strain, w.first + i);
      for (int a = 0; a < element.count; ++a)
        for (int axis = 0; axis < 3; ++axis)
          force[3 * (size_t)element.vertices[a] + (size_t)axis] += of_corner[i][a][axis];
    }
}

void tac_finite_strain_stiffness(const tacFiniteStrain *strain, const double *u, double *value) {
  memset(value, 0, (size_t)tac_sparse_count(&strain->pattern) * sizeof *value);
  int elements = tac_element_count(strain->solid.mesh);
  Window w = {.strain = strain, .u = u};
  w.blocks = malloc((size_t)(elements < WINDOW ? elements : WINDOW) * sizeof *w.blocks);
  for (int count; w.blocks != NULL && (count = next_window(&w)) > 0; w.first += count)
    for (int i = 0; i < count; ++i) {
      Element element = get_element(strain, w.first + i);
      scatter(strain, &element, w.blocks[i], value);
    }
  free(w.blocks);
  for (int e = w.first; e < elements; ++e) { /* there was no memory for a window */
    Element element = get_element(strain, e);
    Blocks k;
    element_stiffness(&element, u, k);
    scatter(strain, &element, k, value);
  }
}

void tac_finite_strain_damping(const tacFiniteStrain *strain, const double *phi, const double *psi, const double *u,
                               double *value) {
  static const double no_stress[6] = {0};
  memset(value, 0, (size_t)tac_sparse_count(&strain->pattern) * sizeof *value);
  for (int n = 0; n < tac_element_count(strain->solid.mesh); ++n) {
    Element element = get_element(strain, n);
    ptrdiff_t material = element.material - strain->solid.materials;
    tacMaterial viscous = {.isotropic = true};
    viscous.stiffness[0][1] = phi[material];
    viscous.stiffness[3][3] = psi[material];
    Blocks k = {0};
    for (int p = 0; p < element.point_count; ++p)
      add_point(&element, &element.points[p], deformation(&element, &element.points[p], u), &viscous, no_stress, k);
    scatter(strain, &element, k, value);
  }
}

int tac_finite_strain_inverted(const tacFiniteStrain *strain, const double *u) {
  for (int n = 0; n < tac_element_count(strain->solid.mesh); ++n) {
    Element element = get_element(strain, n);
    for (int p = 0; p < element.point_count; ++p)
      if (!(tac_mat3_det(deformation(&element, &element.points[p], u)) > 0.0)) return n;
  }
  return -1;
}
