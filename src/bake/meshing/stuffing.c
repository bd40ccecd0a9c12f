#include <tactus/meshing.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/mesh.h>
#include "asset/distance_field.h"
#include "bake/meshing/stuffing.h"
#include "bake/meshing/stuffing_background.h"
#include "bake/meshing/volume_fit.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/thickness.h"
#include "mesh/query/triangle_tree.h"
#include "mesh/trimesh.h"

#define MOST_SIZES 2000.0 /* along the longest side of the box */
#define MOST_LEVELS 16
#define MOST_ELEMENTS 20000000 /* of tac_stuffing_fill_to_volume */
#define LEAST_SIZE 1e-3        /* of the longest side, likewise */
#define ELEMENTS_OF_AREA 26.0  /* for each size x size of the surface, at least */
#define SAMPLE_ALL (1 << 21)   /* cubes that are all sampled where the function may be no distance */

/* A cut nearer than this fraction of its edge's length to a lattice point moves the point (Labelle and Shewchuk 2007,
 * table 1: these two bound the dihedral angles to 10.78..164.74 degrees). */
#define ALPHA_LONG 0.24999
#define ALPHA_SHORT 0.41189

/* Bound on the evaluations that place a cut on its edge. */
#define ROOT_STEPS 40

typedef struct Cut {
  int inside, outside; /* lattice points */
  bool on_long_edge;
  int vertex; /* of the result, -1 until used */
  double t;   /* from inside to outside, in (0, 1) */
  tacVec3 place;
} Cut;

typedef struct Cutter {
  const tacStuffingDomain *domain;
  tacBccLattice *lattice;
  size_t cut_count, cut_room;
  Cut *cuts; /* in the order of their inside points */
  tacArrays arrays;
  int *first_cut;  /* of each lattice point as inside point */
  int *first_back; /* of each lattice point in `back`: cuts in the order of their outside points */
  int *back;
  int *vertex_of; /* vertex of the result for a lattice point, -1 until used */
  tacVolMesh *mesh;
  size_t vertex_room, tet_room;
} Cutter;

/* ---- cut points ---- */

static tacStatus find_cut_edges(Cutter *cutter, tacError *error) {
  tacBccLattice *lattice = cutter->lattice;
  for (size_t p = 0; p < lattice->point_count; ++p) {
    cutter->first_cut[p] = (int)cutter->cut_count;
    if (!lattice->points[p].near_surface || lattice->points[p].sign >= 0) continue;
    tacBccCoord at = tac_bcc_coord(&lattice->points[p]);
    for (int n = 0; n < TAC_BCC_NEIGHBOURS; ++n) {
      int q = tac_bcc_lattice_find(lattice, tac_bcc_neighbour(at, n));
      if (q < 0 || lattice->points[q].sign <= 0) continue;
      if (cutter->cut_count == INT_MAX) return tac_error_set(error, TAC_ERR_ARGUMENT, "too many cut edges");
      TAC_TRY(tac_array_reserve((void **)&cutter->cuts, &cutter->cut_room, cutter->cut_count + 1, sizeof *cutter->cuts,
                                "cut points", error));
      cutter->cuts[cutter->cut_count++] =
          (Cut){.inside = (int)p, .outside = q, .on_long_edge = n >= TAC_BCC_SHORT_NEIGHBOURS, .vertex = -1, .t = 0.5};
    }
  }
  cutter->first_cut[lattice->point_count] = (int)cutter->cut_count;
  return TAC_OK;
}

static tacStatus index_by_outside(Cutter *cutter, tacError *error) {
  size_t points = cutter->lattice->point_count;
  cutter->back = tac_arrays_add(&cutter->arrays, cutter->cut_count, sizeof *cutter->back);
  TAC_TRY(tac_arrays_status(&cutter->arrays, "cut points", error));
  /* first_back[q + 2] counts, then first_back[q + 1] is the end of q's cuts while they are placed. */
  for (size_t c = 0; c < cutter->cut_count; ++c) ++cutter->first_back[cutter->cuts[c].outside + 2];
  for (size_t q = 2; q < points + 2; ++q) cutter->first_back[q] += cutter->first_back[q - 1];
  for (size_t c = 0; c < cutter->cut_count; ++c)
    cutter->back[cutter->first_back[cutter->cuts[c].outside + 1]++] = (int)c;
  return TAC_OK;
}

/* The Illinois form of false position (an end that stays twice counts half), with bisection where three steps do not halve
 * the bracket: the function may be anything that is negative at one end and positive at the other. */
static double find_zero(const tacStuffingDomain *domain, const tacBccPoint *inside, const tacBccPoint *outside) {
  double a = 0.0, b = 1.0, fa = inside->value, fb = outside->value, t = 0.5, width = 1.0;
  double tolerance = 1e-6 * fmin(fb - fa, domain->size);
  int moved = 0; /* the end that moved last: -1 is a, 1 is b */
  for (int step = 0; step < ROOT_STEPS && b - a > 1e-7; ++step) {
    bool slow = step % 3 == 2 && b - a > 0.5 * width;
    if (step % 3 == 2) width = b - a;
    t = a + (b - a) * (fa / (fa - fb));
    if (slow || !(t > a && t < b)) t = 0.5 * (a + b);
    double f = tac_stuffing_domain_value(domain, tac_vec3_mix(inside->place, outside->place, t));
    if (fabs(f) <= tolerance) break;
    if (f < 0.0) {
      a = t;
      fa = f;
      if (moved < 0) fb *= 0.5;
      moved = -1;
    } else {
      b = t;
      fb = f;
      if (moved > 0) fa *= 0.5;
      moved = 1;
    }
  }
  return t;
}

static void place_cuts(size_t begin, size_t end, int thread, void *context) {
  Cutter *cutter = context;
  (void)thread;
  for (size_t c = begin; c < end; ++c) {
    Cut *cut = &cutter->cuts[c];
    const tacBccPoint *inside = &cutter->lattice->points[cut->inside];
    const tacBccPoint *outside = &cutter->lattice->points[cut->outside];
    cut->t = find_zero(cutter->domain, inside, outside);
    cut->place = tac_vec3_mix(inside->place, outside->place, cut->t);
  }
}

/* ---- warping ---- */

/* Moves the lattice point onto its nearest cut, where one violates it. Its other cuts then no longer exist, as the point is
 * on the surface: a later point sees fewer cuts. */
static void warp_point(Cutter *cutter, size_t p) {
  tacBccPoint *points = cutter->lattice->points;
  bool inside = points[p].sign < 0;
  const int *first = inside ? cutter->first_cut : cutter->first_back;
  const Cut *nearest = NULL;
  double least = INFINITY;
  for (int i = first[p]; i < first[p + 1]; ++i) {
    const Cut *cut = &cutter->cuts[inside ? i : cutter->back[i]];
    if (points[inside ? cut->outside : cut->inside].sign == 0) continue;
    double t = inside ? cut->t : 1.0 - cut->t;
    double length = cut->on_long_edge ? 1.0 : 0.5 * sqrt(3.0);
    if (t >= (cut->on_long_edge ? ALPHA_LONG : ALPHA_SHORT) || t * length >= least) continue;
    least = t * length;
    nearest = cut;
  }
  if (nearest == NULL) return;
  points[p].place = nearest->place;
  points[p].sign = 0;
}

/* ---- stencils ---- */

/* Gives a lattice point or a cut its number in the result. */
static tacStatus add_vertex(Cutter *cutter, int *vertex, tacVec3 place, tacError *error) {
  tacVolMesh *mesh = cutter->mesh;
  if (*vertex >= 0) return TAC_OK;
  if (mesh->vertex_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "too many vertices; use a larger size");
  TAC_TRY(tac_array_reserve((void **)&mesh->vertices, &cutter->vertex_room, (size_t)mesh->vertex_count + 1,
                            sizeof *mesh->vertices, "vertices", error));
  *vertex = mesh->vertex_count;
  mesh->vertices[mesh->vertex_count++] = place;
  return TAC_OK;
}

/* Corners of a stencil: 0..3 are the tetrahedron's own points, CUT(i, j) is the cut between inside point i and outside
 * point j. */
#define CUT(i, j) (4 + 4 * (i) + (j))

typedef struct Stencil {
  int points[4];    /* inside ones first, then those on the surface, then outside ones; positive volume */
  int vertices[20]; /* of the result: [0..3] points, [CUT(i, j)] cuts */
} Stencil;

static Cut *find_cut(Cutter *cutter, int inside, int outside) {
  int c = cutter->first_cut[inside];
  while (cutter->cuts[c].outside != outside) ++c;
  return &cutter->cuts[c];
}

static tacStatus add_tet(Cutter *cutter, const Stencil *stencil, int a, int b, int c, int d, tacError *error) {
  tacVolMesh *mesh = cutter->mesh;
  if (mesh->tet_count == INT_MAX)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "too many tetrahedra; use a larger size");
  tacStatus status = tac_array_reserve((void **)&mesh->tets, &cutter->tet_room, (size_t)mesh->tet_count + 1,
                                       sizeof *mesh->tets, "tetrahedra", error);
  const int *v = stencil->vertices;
  if (status == TAC_OK) mesh->tets[mesh->tet_count++] = (tacTet){{v[a], v[b], v[c], v[d]}};
  return status;
}

static bool is_long_edge(const Cutter *cutter, const Stencil *stencil, int i, int j) {
  tacBccCoord a = tac_bcc_coord(&cutter->lattice->points[stencil->points[i]]);
  tacBccCoord b = tac_bcc_coord(&cutter->lattice->points[stencil->points[j]]);
  return (a.x - b.x) % 2 == 0;
}

/* A face with inside points i, j and outside point k leaves a quadrilateral. Its diagonal starts at i where this is true,
 * at j elsewhere, whichever tetrahedron asks: where i-j is a long edge, at the one of even parity; elsewhere
 * one of the cut edges is long, and the diagonal ends at its cut. The three quadrilaterals of a tetrahedron are then never
 * cyclic, which could not be filled. */
static bool diagonal_starts_at(const Cutter *cutter, const Stencil *stencil, int i, int j, int k) {
  if (is_long_edge(cutter, stencil, i, j)) {
    tacBccCoord at = tac_bcc_coord(&cutter->lattice->points[stencil->points[i]]);
    return (at.x + at.y + at.z) / 2 % 2 == 0;
  }
  return is_long_edge(cutter, stencil, j, k);
}

/* 0 1 inside, 2 on the surface, 3 outside: a pyramid. */
static tacStatus fill_pyramid(Cutter *cutter, const Stencil *s, tacError *error) {
  bool at_0 = diagonal_starts_at(cutter, s, 0, 1, 3);
  TAC_TRY(add_tet(cutter, s, 0, 1, 2, at_0 ? CUT(1, 3) : CUT(0, 3), error));
  return at_0 ? add_tet(cutter, s, 0, CUT(1, 3), 2, CUT(0, 3), error)
              : add_tet(cutter, s, CUT(0, 3), 1, 2, CUT(1, 3), error);
}

/* 0 1 2 inside, 3 outside: a prism. Point i is one at which both diagonals start. */
static tacStatus fill_prism(Cutter *cutter, const Stencil *s, tacError *error) {
  int i = 0;
  while (!diagonal_starts_at(cutter, s, i, (i + 1) % 3, 3) || !diagonal_starts_at(cutter, s, i, (i + 2) % 3, 3)) ++i;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  bool at_j = diagonal_starts_at(cutter, s, j, k, 3);
  TAC_TRY(add_tet(cutter, s, i, CUT(j, 3), CUT(k, 3), CUT(i, 3), error));
  TAC_TRY(add_tet(cutter, s, i, j, k, at_j ? CUT(k, 3) : CUT(j, 3), error));
  return at_j ? add_tet(cutter, s, i, j, CUT(k, 3), CUT(j, 3), error)
              : add_tet(cutter, s, i, CUT(j, 3), k, CUT(k, 3), error);
}

static double cut_distance2(const Cutter *cutter, const Stencil *s, int a, int b) {
  const tacVec3 *vertices = cutter->mesh->vertices;
  return tac_vec3_norm2(tac_vec3_sub(vertices[s->vertices[a]], vertices[s->vertices[b]]));
}

/* i j inside, k l outside, in an even order: a wedge between the edge i-j and four cuts. */
static tacStatus fill_wedge(Cutter *cutter, const Stencil *s, int i, int j, int k, int l, tacError *error) {
  bool k_at_i = diagonal_starts_at(cutter, s, i, j, k), l_at_i = diagonal_starts_at(cutter, s, i, j, l);
  if (!k_at_i && !l_at_i) return fill_wedge(cutter, s, j, i, l, k, error);
  TAC_TRY(add_tet(cutter, s, i, j, k_at_i ? CUT(j, k) : CUT(i, k), l_at_i ? CUT(j, l) : CUT(i, l), error));
  if (k_at_i && l_at_i) {
    /* The quadrilateral on the surface is free: its shorter diagonal. */
    if (cut_distance2(cutter, s, CUT(j, k), CUT(i, l)) < cut_distance2(cutter, s, CUT(i, k), CUT(j, l))) {
      TAC_TRY(add_tet(cutter, s, i, CUT(j, k), CUT(i, l), CUT(j, l), error));
      return add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(i, l), error);
    }
    TAC_TRY(add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(j, l), error));
    return add_tet(cutter, s, i, CUT(i, k), CUT(i, l), CUT(j, l), error);
  }
  if (k_at_i) {
    TAC_TRY(add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(i, l), error));
    return add_tet(cutter, s, j, CUT(j, k), CUT(i, l), CUT(j, l), error);
  }
  TAC_TRY(add_tet(cutter, s, i, CUT(i, k), CUT(i, l), CUT(j, l), error));
  return add_tet(cutter, s, j, CUT(j, k), CUT(i, k), CUT(j, l), error);
}

/* Puts inside points first and outside ones last without changing the orientation: among four points two have the same
 * sign, and swapping them makes an odd permutation even. */
static void sort_by_sign(const tacBccPoint *points, int v[4]) {
  bool odd = false;
  for (int pass = 0; pass < 4; ++pass)
    for (int i = 0; i < 3; ++i) {
      if (pass < 3 ? points[v[i]].sign <= points[v[i + 1]].sign : !odd || points[v[i]].sign != points[v[i + 1]].sign)
        continue;
      int swapped = v[i];
      v[i] = v[i + 1];
      v[i + 1] = swapped;
      odd = !odd;
    }
}

static tacStatus cut_tet(Cutter *cutter, tacTet tet, tacError *error) {
  const tacBccPoint *points = cutter->lattice->points;
  Stencil s = {.points = {tet.v[0], tet.v[1], tet.v[2], tet.v[3]}};
  sort_by_sign(points, s.points);
  int inside = 0, outside = 0;
  for (int i = 0; i < 4; ++i) {
    inside += points[s.points[i]].sign < 0;
    outside += points[s.points[i]].sign > 0;
  }
  if (inside == 0) return TAC_OK;
  for (int i = 0; i < 4 - outside; ++i) {
    int point = s.points[i];
    TAC_TRY(add_vertex(cutter, &cutter->vertex_of[point], points[point].place, error));
    s.vertices[i] = cutter->vertex_of[point];
  }
  for (int i = 0; i < inside; ++i) {
    for (int j = 4 - outside; j < 4; ++j) {
      Cut *cut = find_cut(cutter, s.points[i], s.points[j]);
      TAC_TRY(add_vertex(cutter, &cut->vertex, cut->place, error));
      s.vertices[CUT(i, j)] = cut->vertex;
    }
  }
  if (inside == 1 && outside > 0)
    return add_tet(cutter, &s, 0, outside > 2 ? CUT(0, 1) : 1, outside > 1 ? CUT(0, 2) : 2, CUT(0, 3), error);
  if (inside == 2 && outside == 1) return fill_pyramid(cutter, &s, error);
  if (inside == 2 && outside == 2) return fill_wedge(cutter, &s, 0, 1, 2, 3, error);
  if (inside == 3 && outside == 1) return fill_prism(cutter, &s, error);
  return add_tet(cutter, &s, 0, 1, 2, 3, error);
}

static void free_cutter(Cutter *cutter) {
  tac_volmesh_destroy(cutter->mesh);
  free(cutter->cuts);
  tac_arrays_free(&cutter->arrays);
}

/* Finds where the function is zero on the lattice's edges, moves lattice points that lie too close to such a cut onto it
 * (`lattice` changes), and cuts the background along the surface. An empty result is TAC_ERR_GEOMETRY. */
static tacStatus cut_background(const tacStuffingDomain *domain, tacBccLattice *lattice,
                                const tacBackgroundTets *background, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  size_t points = lattice->point_count;
  TAC_FREED(free_cutter, Cutter, cutter) = {.domain = domain, .lattice = lattice};
  TAC_TRY(tac_volmesh_create(0, 0, 0, &cutter.mesh, error));
  cutter.first_cut = tac_arrays_add(&cutter.arrays, points + 1, sizeof(int));
  cutter.first_back = tac_arrays_add(&cutter.arrays, points + 2, sizeof(int));
  cutter.vertex_of = tac_arrays_add(&cutter.arrays, points, sizeof(int));
  TAC_TRY(tac_arrays_status(&cutter.arrays, "cut points", error));
  TAC_TRY(find_cut_edges(&cutter, error));
  TAC_TRY(index_by_outside(&cutter, error));
  const tacProgress progress = tac_progress_part(
      &(tacProgressPart){domain->progress, TAC_STUFFING_BACKGROUND_DONE, TAC_STUFFING_CUTS_DONE, "tetrahedra"});
  TAC_TRY(tac_parallel_for(domain->thread_count, cutter.cut_count, 64, place_cuts, &cutter, &progress, "cut points",
                           error));
  for (size_t p = 0; p < points; ++p) {
    cutter.vertex_of[p] = -1;
    if (lattice->points[p].near_surface && lattice->points[p].sign != 0) warp_point(&cutter, p);
  }
  for (size_t t = 0; t < background->count; ++t) {
    double share = 1.0 - TAC_STUFFING_CUTS_DONE;
    if (t % TAC_STUFFING_REPORT_EVERY == 0)
      TAC_TRY(
          tac_stuffing_report(domain, TAC_STUFFING_CUTS_DONE + share * (double)t / (double)background->count, error));
    TAC_TRY(cut_tet(&cutter, background->tets[t], error));
  }
  TAC_TRY(tac_stuffing_report(domain, 1.0, error));
  if (cutter.mesh->tet_count == 0)
    return tac_error_set(error, TAC_ERR_GEOMETRY,
                         "no tetrahedra fit inside: the size of %g m must be well below the thickness of the "
                         "thinnest part",
                         domain->size);
  *mesh = tac_give(&cutter.mesh);
  return TAC_OK;
}

/* ---- the whole ---- */

tacStuffingDef tac_stuffing_def_default(void) {
  return (tacStuffingDef){.size = 0.0, .levels = 3, .thread_count = 0};
}

static void free_tets(tacBackgroundTets *background) {
  free(background->tets);
}

static tacStatus fill(tacImplicitFn function, void *user, double slope, tacBox box, const tacStuffingDef *def,
                      const tacProgress *progress, tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  double longest = tac_box_longest(box);
  if (!(def->size > 0.0) || !isfinite(def->size))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the size of tetrahedra is %g; it must be positive", def->size);
  if (def->levels < 0 || def->levels > MOST_LEVELS)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the levels of grading must be 0 to %d, not %d", MOST_LEVELS,
                         def->levels);
  if (!tac_vec3_finite(box.lower) || !tac_vec3_finite(box.upper) || box.lower.x > box.upper.x ||
      box.lower.y > box.upper.y || box.lower.z > box.upper.z)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the box to fill is empty or not finite");
  if (longest / def->size > MOST_SIZES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "the size of %g is too small for a box of %g; use at least %g",
                         def->size, longest, longest / MOST_SIZES);
  tacStuffingDomain domain = {.function = function,
                              .user = user,
                              .box = box,
                              .slope = slope,
                              .size = def->size,
                              .levels = def->levels,
                              .thread_count = def->thread_count,
                              .progress = progress};
  TAC_FREED(tac_bcc_lattice_free, tacBccLattice, lattice) = {0};
  TAC_FREED(free_tets, tacBackgroundTets, background) = {0};
  TAC_TRY(tac_stuffing_background(&domain, &lattice, &background, error));
  return cut_background(&domain, &lattice, &background, mesh, error);
}

tacStatus tac_stuffing_fill_implicit(tacImplicitFn function, void *user, tacBox box, const tacStuffingDef *def,
                                     const tacProgress *progress, tacVolMesh **mesh, tacError *error) {
  tacVec3 cubes = tac_vec3_scale(1.0 / def->size, tac_box_size(box));
  double slope = (cubes.x + 1.0) * (cubes.y + 1.0) * (cubes.z + 1.0) <= SAMPLE_ALL ? INFINITY : 4.0;
  return fill(function, user, slope, box, def, progress, mesh, error);
}

static double solid_distance(tacVec3 p, void *user) {
  return tac_triangle_tree_signed_distance(user, p);
}

static void free_solid(tacTriangleTree **solid) {
  tac_triangle_tree_destroy(*solid);
}

tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress,
                            tacVolMesh **mesh, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, surface, def);
  TAC_FREED(free_solid, tacTriangleTree *, solid) = NULL;
  TAC_TRY(tac_trimesh_require_closed(surface, error));
  TAC_TRY(tac_triangle_tree_create(surface, &solid, error));
  return fill(solid_distance, solid, 1.0, tac_trimesh_box(surface), def, progress, mesh, error);
}

static double field_value(tacVec3 p, void *user) {
  return tac_distance_field_value(user, p);
}

tacStatus tac_stuffing_fill_field(const tacDistanceField *field, const tacStuffingDef *def, const tacProgress *progress,
                                  tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  const tacGrid *grid = tac_distance_field_grid(field);
  if (grid == NULL)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "only a grid field has a box to fill; sample the "
                         "field first");
  tacVec3 size = tac_vec3_scale(grid->spacing, tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1));
  /* Each component of a trilinear gradient is a mean of differences of samples, at most 1 for a distance: the interpolant
   * changes by at most sqrt(3) of the way. */
  return fill(field_value, (void *)(uintptr_t)field, 2.0, (tacBox){grid->origin, tac_vec3_add(grid->origin, size)}, def,
              progress, mesh, error);
}

/* Progress that names the size, as each attempt starts again from nothing. */
typedef struct Attempt {
  const tacProgress *progress;
  double size;
  char text[64];
} Attempt;

static bool report_attempt(const char *what, double fraction, void *user) {
  Attempt *attempt = user;
  if (attempt->progress == NULL || attempt->progress->report == NULL) return true;
  snprintf(attempt->text, sizeof attempt->text, "%s, size %.3g", what, attempt->size);
  return attempt->progress->report(attempt->text, fraction, attempt->progress->user);
}

/* Elements three times as large as a body is thick lose most of it, and plates and bars have their volume only from about 1.2
 * times on. Where half of the area is that thin even for the last size that would be tried, there is nothing to try. */
static tacStatus refuse_hopeless(const tacTriMesh *surface, tacError *error) {
  double half;
  TAC_TRY(tac_thickness_of_share(surface, 0.5, &half, error));
  double longest = tac_box_longest(tac_trimesh_box(surface));
  double most = 0.5 * MOST_ELEMENTS / ELEMENTS_OF_AREA;
  double finest = fmax(LEAST_SIZE * longest, sqrt(tac_trimesh_area(surface) / most)) / 1.3;
  if (half > finest / 3.0) return TAC_OK;
  return tac_error_set(
      error, TAC_ERR_GEOMETRY,
      "the body is too thin to fill: half of the surface is thinner than %.3g m, and the finest tetrahedra tried are "
      "%.3g m; leave thin parts out, or choose a size",
      half, finest);
}

tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def,
                                      const tacProgress *progress, tacVolMesh **mesh, double *size, tacError *error) {
  TAC_REQUIRE(error, mesh);
  *mesh = NULL;
  TAC_REQUIRE(error, surface, def, size);
  TAC_FREED(tac_volume_fit_discard, tacVolumeFit, fit) = {0};
  TAC_FREED(free_solid, tacTriangleTree *, solid) = NULL;
  TAC_TRY(tac_trimesh_require_closed(surface, error));
  TAC_TRY(tac_triangle_tree_create(surface, &solid, error));
  TAC_TRY(tac_volume_fit_begin(surface, tolerance, true, &fit, error));
  TAC_TRY(refuse_hopeless(surface, error));
  tacBox box = tac_trimesh_box(surface);
  double longest = tac_box_longest(box), elements = 0.0;
  tacStuffingDef attempt = *def;
  /* Between surface and volume: the number of elements grows with 1.3^2 to 1.3^3 from one size to the next. */
  for (attempt.size = 0.1 * longest;
       !fit.done && attempt.size >= LEAST_SIZE * longest && 2.0 * elements < MOST_ELEMENTS; attempt.size /= 1.3) {
    Attempt reported = {.progress = progress, .size = attempt.size};
    tacVolMesh *filled = NULL;
    tacStatus status =
        fill(solid_distance, solid, 1.0, box, &attempt, &(tacProgress){report_attempt, &reported}, &filled, error);
    if (status == TAC_ERR_GEOMETRY) continue; /* nothing inside yet */
    TAC_TRY(status);
    elements = filled->tet_count;
    if (tac_volume_fit_wants(&fit, tac_volmesh_volume(filled), elements))
      TAC_TRY(tac_volume_fit_offer(&fit, filled, attempt.size, error));
    else
      tac_volmesh_destroy(filled);
  }
  return tac_volume_fit_end(&fit, mesh, size, error);
}
