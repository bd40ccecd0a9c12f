/* Solids that a vademecum is baked of, and their full solutions, for tests. */
#pragma once

#include <tactus/material.h>
#include <tactus/reduced.h>
#include "elastic/hyper/hyper_statics.h"
#include "elastic/hyper/make_hyper.h"
#include "kinds/vademecum/vademecum.h"
#include "kinds/vademecum/vademecum_bake.h"

typedef struct Loaded {
  tacVolMesh *mesh;
  bool *fixed;
  tacHyperSolid *solid;
  tacHyperStatics *statics;
  double *rest, *mass, *force;
  int size; /* 3 vertices */
  tacVademecumDef def;
} Loaded;

/* Of tetrahedra; held at z = 0. By Young's modulus and Poisson's ratio at small strain. */
static inline Loaded *make_loaded(tacBox box, int nx, int ny, int nz, bool neo, double young, double poisson) {
  Loaded *body = calloc(1, sizeof *body);
  double mu = young / (2.0 * (1.0 + poisson)), bulk = young / (3.0 * (1.0 - 2.0 * poisson));
  body->mesh = make_tets(box, nx, ny, nz);
  body->size = 3 * body->mesh->vertex_count;
  body->fixed = calloc((size_t)body->mesh->vertex_count, sizeof *body->fixed);
  for (int v = 0; v < body->mesh->vertex_count; ++v) body->fixed[v] = body->mesh->vertices[v].z <= 0.0;
  tacHyperMaterial material = neo ? find_hyper("neo-hookean", mu, bulk, 0.0)
                                  : find_hyper("st-venant-kirchhoff", mu, bulk - 2.0 / 3.0 * mu, 0.0);
  body->solid = make_hyper_solid((tacHyperSolidDef){.mesh = body->mesh, .materials = &material});
  tac_test_ok(tac_hyper_statics_create(body->solid, body->fixed, &body->statics, &error), error);
  body->rest = make_positions(body->mesh);
  body->force = make_vector(body->mesh);
  body->mass = calloc((size_t)body->mesh->vertex_count, sizeof *body->mass);
  tac_hyper_solid_masses(body->solid, body->mass);
  body->def = tac_vademecum_def_default();
  body->def.mesh = body->mesh;
  body->def.fixed = body->fixed;
  body->def.material = (tacLawMaterial){.law = material.law->name, .density = material.density};
  memcpy(body->def.material.parameters, material.parameters, sizeof material.parameters);
  return body;
}

static inline void free_loaded(Loaded *body) {
  tac_hyper_statics_destroy(body->statics);
  tac_hyper_solid_destroy(body->solid);
  tac_volmesh_destroy(body->mesh);
  free(body->fixed);
  free(body->rest);
  free(body->mass);
  free(body->force);
  free(body);
}
TAC_OWNED_TYPE(Loaded, free_loaded)

/* The steel beam of 189 nodes (Gonzalez et al. 2015), across which 1e6 N act. */
static inline Loaded *make_loaded_beam(void) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.04, 0.04, 0.4}};
  Loaded *body = make_loaded(box, 2, 2, 20, false, 209e9, 0.3);
  body->def.direction = tac_vec3(0.0, -1.0, 0.0);
  body->def.load = 1e6;
  return body;
}

/* 12 nodes, of which 4 are fixed. */
static inline Loaded *make_loaded_tiny(bool neo) {
  const tacBox box = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.2}};
  Loaded *body = make_loaded(box, 1, 1, 2, neo, 1e4, 0.3);
  body->def.direction = tac_vec3(1.0, 0.0, 0.0);
  body->def.load = 2.0;
  body->def.sample_count = 8;
  return body;
}

/* The vertex of the mesh at a vertex of the surface. */
static inline int mesh_vertex(const Loaded *body, const tacVademecum *vademecum, int vertex) {
  tacVec3 at = tac_reduced_surface(tac_vademecum_shape(vademecum))->vertices[vertex];
  for (int v = 0; v < body->mesh->vertex_count; ++v)
    if (tac_vec3_distance(at, body->mesh->vertices[v]) == 0.0) return v;
  ck_abort_msg("no vertex there");
}

static inline double mass_norm(const Loaded *body, const double *u) {
  double sum = 0.0;
  for (int i = 0; i < body->size; ++i) sum += body->mass[i / 3] * u[i] * u[i];
  return sqrt(sum);
}

/* |a - b| / |b| */
static inline double mass_distance(const Loaded *body, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < body->size; ++i) sum += body->mass[i / 3] * (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum) / mass_norm(body, b);
}

/* u of all nodes under body->force; holds a start. */
static inline void solve_loaded(Loaded *body, double *u) {
  for (int i = 0; i < body->size; ++i) u[i] += body->rest[i];
  tac_test_ok(tac_hyper_statics_solve(body->statics, body->rest, body->force, u, NULL, NULL, &error), error);
  for (int i = 0; i < body->size; ++i) u[i] -= body->rest[i];
}

/* u = X q */
static inline void move_loaded(const Loaded *body, const tacVademecum *vademecum, const double *q, double *u) {
  int n = tac_vademecum_mode_count(vademecum);
  const double *basis = tac_reduced_basis(tac_vademecum_shape(vademecum));
  for (int i = 0; i < body->size; ++i) {
    u[i] = 0.0;
    for (int k = 0; k < n; ++k) u[i] += basis[(size_t)i * (size_t)n + (size_t)k] * q[k];
  }
}

/* A triangle and its corner at a vertex of the surface. */
static inline tacVademecumLoad vertex_load(const tacVademecum *vademecum, int vertex, tacVec3 force) {
  const tacTriMesh *surface = tac_reduced_surface(tac_vademecum_shape(vademecum));
  tacVademecumLoad load = {.force = force};
  for (int t = 0; t < surface->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (surface->triangles[t].v[c] == vertex) {
        load.triangle = t;
        load.weight[c] = 1.0;
        return load;
      }
  ck_abort_msg("no triangle there");
}

static inline tacVademecum *bake_loaded(const Loaded *body) {
  tacVademecum *vademecum = NULL;
  error = (tacError){0};
  tac_test_ok(tac_vademecum_bake(&body->def, NULL, &vademecum, &error), error);
  return vademecum;
}

static inline tacVademecumSolver *solver_of(const tacVademecum *vademecum) {
  tacVademecumSolver *solver = NULL;
  tac_test_ok(tac_vademecum_solver_create(vademecum, &solver, &error), error);
  return solver;
}
