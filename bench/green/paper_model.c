#include "bench/green/paper_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include <tactus/meshing.h>
#include "base/memory/array.h"
#include "math/geometry/vec3.h"
#include "math/random.h"
#include "mesh/edge_table.h"
#include "mesh/repair/loop_subdivision.h"
#include "mesh/repair/relaxation.h"
#include "mesh/repair/simplify.h"

enum { RING = 4, MOST_RINGS = 5 };

/* A cage: pole 0, `rings` of four vertices, each turned by an eighth against the one before, and the last pole. Faces outward
 * where the rings run counter-clockwise seen from the last pole. */
typedef struct Cage {
  int rings;
  tacVec3 pole[2], at[MOST_RINGS][RING];
} Cage;

static tacStatus build_cage(const Cage *cage, tacTriMesh **mesh, tacError *error) {
  int last = RING * cage->rings + 1, t = 0;
  tacStatus status = tac_trimesh_create(last + 1, 2 * RING * cage->rings, mesh, error);
  if (status != TAC_OK) return status;
  tacTriangle *triangles = (*mesh)->triangles;
  (*mesh)->vertices[0] = cage->pole[0];
  (*mesh)->vertices[last] = cage->pole[1];
  for (int i = 0; i < RING; ++i) triangles[t++] = (tacTriangle){{0, 1 + (i + 1) % RING, 1 + i}};
  for (int k = 0; k < cage->rings; ++k)
    for (int i = 0; i < RING; ++i) {
      int here = 1 + RING * k, next = here + RING, j = (i + 1) % RING;
      (*mesh)->vertices[here + i] = cage->at[k][i];
      if (k + 1 == cage->rings) {
        triangles[t++] = (tacTriangle){{last, here + i, here + j}};
      } else if (k % 2 == 0) { /* vertex i of the next ring is between i and j of this one */
        triangles[t++] = (tacTriangle){{here + i, here + j, next + i}};
        triangles[t++] = (tacTriangle){{here + j, next + j, next + i}};
      } else {
        triangles[t++] = (tacTriangle){{here + i, next + j, next + i}};
        triangles[t++] = (tacTriangle){{here + i, here + j, next + j}};
      }
    }
  return TAC_OK;
}

static double ring_angle(int ring, int i) {
  return M_PI_2 * i + M_PI_4 * (ring % 2);
}

/* A lump, 80 mm wide and 75 mm high, that stands on its lower cap: the triangles around the lower pole. */
static Cage nodule_cage(void) {
  const double radius = 0.055;
  Cage cage = {.rings = 2, .pole = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.08}}};
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < RING; ++i)
      cage.at[k][i] = tac_vec3(radius * cos(ring_angle(k, i)), radius * sin(ring_angle(k, i)), k == 0 ? 0.0 : 0.07);
  return cage;
}

/* Rings across a circular centre line, not evenly: edges differ by a factor of 4 in length. 91 mm long. */
static Cage kidney_cage(void) {
  const double along[5] = {-65.0, -50.0, -35.0, 20.0, 55.0}, radius[5] = {0.024, 0.030, 0.031, 0.030, 0.024};
  const double degree = M_PI / 180.0, centre = TAC_PAPER_KIDNEY_RADIUS, pole = 85.0 * degree;
  Cage cage = {.rings = 5,
               .pole = {{centre * cos(pole), -centre * sin(pole), 0.0}, {centre * cos(pole), centre * sin(pole), 0.0}}};
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < RING; ++i) {
      double angle = -ring_angle(k, i), r = centre + radius[k] * cos(angle);
      cage.at[k][i] = tac_vec3(r * cos(along[k] * degree), r * sin(along[k] * degree), radius[k] * sin(angle));
    }
  return cage;
}

static tacStatus subdivided(const Cage *cage, int level, bool limit, tacTriMesh **mesh, tacError *error) {
  tacTriMesh *coarse = NULL;
  tacStatus status = build_cage(cage, &coarse, error);
  if (status == TAC_OK) status = tac_loop_subdivide(coarse, level, limit, mesh, error);
  tac_trimesh_destroy(coarse);
  return status;
}

static tacStatus simplified(const char *shape, int vertices, tacTriMesh **mesh, tacError *error) {
  tacTriMesh *fine = NULL, *coarse = NULL;
  tacStatus status = tac_shape_build(shape, 0.0, NULL, &fine, error);
  if (status == TAC_OK) status = tac_trimesh_simplify(fine, vertices, &coarse, error);
  if (status == TAC_OK) status = tac_trimesh_relax(coarse, fine, mesh, error);
  tac_trimesh_destroy(fine);
  tac_trimesh_destroy(coarse);
  return status;
}

static tacStatus mean_edge(const tacTriMesh *mesh, double *mean, tacError *error) {
  tacEdgeTable table;
  tacStatus status = tac_edge_table_create(mesh, &table, error);
  if (status != TAC_OK) return status;
  double sum = 0.0;
  for (int e = 0; e < table.edge_count; ++e)
    sum += tac_vec3_distance(mesh->vertices[table.edges[e].a], mesh->vertices[table.edges[e].b]);
  *mean = sum / table.edge_count;
  tac_edge_table_free(&table);
  return TAC_OK;
}

static void fix_below(const tacTriMesh *mesh, tacVec3 axis, double limit, bool *fixed) {
  for (int v = 0; v < mesh->vertex_count; ++v) fixed[v] = tac_vec3_dot(axis, mesh->vertices[v]) < limit;
}

/* The triangles that came from those around pole 0 (triangle t of a level came from t / 4 of the one before). */
static void fix_first_cap(const tacTriMesh *mesh, int level, bool *fixed) {
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c)
      if (t >> 2 * level < RING) fixed[mesh->triangles[t].v[c]] = true;
}

tacStatus tac_paper_model_create(tacPaperModelName name, int level, tacPaperModel *model, tacError *error) {
  static const char *const names[TAC_PAPER_MODELS] = {"nodule", "kidney", "spatula", "banana seat"};
  static const double young[TAC_PAPER_MODELS] = {20e3, 20e3, 1.5e9, 15e3};
  const tacVec3 x = {1.0, 0.0, 0.0}, z = {0.0, 0.0, 1.0};
  *model = (tacPaperModel){.name = names[name], .young = young[name], .poisson = 0.4};
  Cage cage = name == TAC_PAPER_NODULE ? nodule_cage() : kidney_cage();
  tacStatus status = name == TAC_PAPER_SPATULA ? simplified("spatula", 620, &model->surface, error)
                     : name == TAC_PAPER_SEAT
                         ? simplified("banana-seat", 546, &model->surface, error)
                         : subdivided(&cage, level, name == TAC_PAPER_KIDNEY, &model->surface, error);
  if (status == TAC_OK) status = mean_edge(model->surface, &model->mean_edge, error);
  if (status == TAC_OK) {
    model->fixed =
        tac_array_create((size_t)model->surface->vertex_count, sizeof *model->fixed, "fixed vertices", error);
    if (model->fixed == NULL) status = TAC_ERR_MEMORY;
  }
  if (status != TAC_OK) {
    tac_paper_model_free(model);
    return status;
  }
  switch (name) {
    case TAC_PAPER_NODULE: fix_first_cap(model->surface, level, model->fixed); break;
    case TAC_PAPER_KIDNEY: fix_below(model->surface, z, -0.008, model->fixed); break;
    case TAC_PAPER_SPATULA:
      fix_below(model->surface, x, 0.028, model->fixed); /* the handle */
      break;
    default: fix_below(model->surface, z, 0.007, model->fixed); /* supports and shell */
  }
  for (int v = 0; v < model->surface->vertex_count; ++v) model->free_count += !model->fixed[v];
  return TAC_OK;
}

tacStatus tac_paper_model_roughen(tacPaperModel *model, tacError *error) {
  const tacTriMesh *old = model->surface;
  tacEdgeTable edges = {0};
  tacTriMesh *mesh = NULL;
  tacStatus status = tac_edge_table_create(old, &edges, error);
  if (status != TAC_OK) return status;
  int *split_side = tac_array_create((size_t)old->triangle_count, sizeof *split_side, "split triangles", error);
  int *chosen = tac_array_create((size_t)edges.edge_count, sizeof *chosen, "split edges", error);
  bool *fixed = NULL;
  int count = 0, t = old->triangle_count;
  status = split_side != NULL && chosen != NULL ? TAC_OK : TAC_ERR_MEMORY;
  tacRandom random = tac_random_seed(7);
  for (int i = 0; i < old->triangle_count && status == TAC_OK; ++i) split_side[i] = -1;
  for (int e = 0; e < edges.edge_count && status == TAC_OK; ++e) {
    const int *side = &edges.sides[edges.edges[e].first];
    if (tac_random_uniform(&random, 0.0, 1.0) > 0.5 || split_side[side[0] / 3] >= 0 || split_side[side[1] / 3] >= 0)
      continue;
    split_side[side[0] / 3] = side[0] % 3;
    split_side[side[1] / 3] = side[1] % 3;
    chosen[count++] = e;
  }
  if (status == TAC_OK)
    status = tac_trimesh_create(old->vertex_count + count, old->triangle_count + 2 * count, &mesh, error);
  if (status == TAC_OK) {
    fixed = tac_array_create((size_t)mesh->vertex_count, sizeof *fixed, "fixed vertices", error);
    if (fixed == NULL) status = TAC_ERR_MEMORY;
  }
  if (status == TAC_OK) {
    memcpy(mesh->vertices, old->vertices, (size_t)old->vertex_count * sizeof *old->vertices);
    memcpy(mesh->triangles, old->triangles, (size_t)old->triangle_count * sizeof *old->triangles);
    memcpy(fixed, model->fixed, (size_t)old->vertex_count * sizeof *fixed);
    for (int k = 0; k < count; ++k) {
      const tacEdge *edge = &edges.edges[chosen[k]];
      int middle = old->vertex_count + k;
      mesh->vertices[middle] = tac_vec3_mix(old->vertices[edge->a], old->vertices[edge->b], 0.5);
      fixed[middle] = model->fixed[edge->a] && model->fixed[edge->b];
      model->free_count += !fixed[middle];
      for (int s = 0; s < 2; ++s) { /* triangle a b c with the side a b becomes a m c and m b c */
        int side = edges.sides[edge->first + s], i = side % 3;
        tacTriangle *triangle = &mesh->triangles[side / 3];
        mesh->triangles[t] = *triangle;
        mesh->triangles[t++].v[i] = middle;
        triangle->v[(i + 1) % 3] = middle;
      }
    }
    tac_trimesh_destroy(model->surface);
    free(model->fixed);
    model->surface = mesh;
    model->fixed = fixed;
    status = mean_edge(mesh, &model->mean_edge, error);
  } else {
    tac_trimesh_destroy(mesh);
  }
  free(split_side);
  free(chosen);
  tac_edge_table_free(&edges);
  return status;
}

void tac_paper_model_free(tacPaperModel *model) {
  tac_trimesh_destroy(model->surface);
  free(model->fixed);
  *model = (tacPaperModel){0};
}

tacStatus tac_paper_model_bake(const tacPaperModel *model, tacGreen **green, tacError *error) {
  tacMaterial material;
  *green = NULL;
  tacStatus status = tac_material_isotropic(1000.0, model->young, model->poisson, &material, error);
  if (status != TAC_OK) return status;
  tacGreenDef def = tac_green_def_default();
  def.error_estimate_loads = 0; /* not of interest here */
  def.problem.method = TAC_BOUNDARY_ELEMENTS;
  def.problem.accept_thin = true; /* the spatula has the paper's 620 vertices, which are too few for it */
  def.problem.surface = model->surface;
  def.problem.material_count = 1;
  def.problem.materials = &material;
  def.problem.fixed = model->fixed;
  return tac_green_bake(&def, NULL, green, error);
}
