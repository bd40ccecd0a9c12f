#include "bake/meshing/stuffing_stencil.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

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
  Cut *cuts;       /* in the order of their inside points */
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
  TAC_TRY(TAC_ARRAY(cutter->back, cutter->cut_count, "cut points", error));
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
  tacStatus status = add_tet(cutter, s, i, CUT(j, 3), CUT(k, 3), CUT(i, 3), error);
  if (status == TAC_OK) status = add_tet(cutter, s, i, j, k, at_j ? CUT(k, 3) : CUT(j, 3), error);
  if (status != TAC_OK) return status;
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
  tacStatus status = add_tet(cutter, s, i, j, k_at_i ? CUT(j, k) : CUT(i, k), l_at_i ? CUT(j, l) : CUT(i, l), error);
  if (status != TAC_OK) return status;
  if (k_at_i && l_at_i) {
    /* The quadrilateral on the surface is free: its shorter diagonal. */
    if (cut_distance2(cutter, s, CUT(j, k), CUT(i, l)) < cut_distance2(cutter, s, CUT(i, k), CUT(j, l))) {
      status = add_tet(cutter, s, i, CUT(j, k), CUT(i, l), CUT(j, l), error);
      return status == TAC_OK ? add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(i, l), error) : status;
    }
    status = add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(j, l), error);
    return status == TAC_OK ? add_tet(cutter, s, i, CUT(i, k), CUT(i, l), CUT(j, l), error) : status;
  }
  if (k_at_i) {
    status = add_tet(cutter, s, i, CUT(j, k), CUT(i, k), CUT(i, l), error);
    return status == TAC_OK ? add_tet(cutter, s, j, CUT(j, k), CUT(i, l), CUT(j, l), error) : status;
  }
  status = add_tet(cutter, s, i, CUT(i, k), CUT(i, l), CUT(j, l), error);
  return status == TAC_OK ? add_tet(cutter, s, j, CUT(j, k), CUT(i, k), CUT(j, l), error) : status;
}

/* Puts inside points first and outside ones last without changing the orientation: among four points two have the same
 * sign, and swapping them makes an odd permutation even. */
static void sort_by_sign(const tacBccPoint *points, int v[4]) {
  bool odd = false;
  for (int pass = 0; pass < 3; ++pass)
    for (int i = 0; i < 3; ++i)
      if (points[v[i]].sign > points[v[i + 1]].sign) {
        int swapped = v[i];
        v[i] = v[i + 1];
        v[i + 1] = swapped;
        odd = !odd;
      }
  for (int i = 0; i < 3 && odd; ++i)
    if (points[v[i]].sign == points[v[i + 1]].sign) {
      int swapped = v[i];
      v[i] = v[i + 1];
      v[i + 1] = swapped;
      odd = false;
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

tacStatus tac_stuffing_cut(const tacStuffingDomain *domain, tacBccLattice *lattice, const tacBackgroundTets *background,
                           tacVolMesh **mesh, tacError *error) {
  *mesh = NULL;
  size_t points = lattice->point_count;
  Cutter cutter = {.domain = domain, .lattice = lattice};
  tacStatus status = tac_volmesh_create(0, 0, 0, &cutter.mesh, error);
  if (status != TAC_OK) return status;
  status = TAC_ERR_MEMORY;
  cutter.first_cut = tac_array_create(points + 1, sizeof(int), "cut points", error);
  cutter.first_back = tac_array_create(points + 2, sizeof(int), "cut points", error);
  cutter.vertex_of = tac_array_create(points, sizeof(int), "vertex numbers", error);
  if (cutter.first_cut == NULL || cutter.first_back == NULL || cutter.vertex_of == NULL) goto done;

  status = find_cut_edges(&cutter, error);
  if (status == TAC_OK) status = index_by_outside(&cutter, error);
  const tacProgressPart part = {domain->progress, TAC_STUFFING_BACKGROUND_DONE, TAC_STUFFING_CUTS_DONE, "tetrahedra"};
  const tacProgress progress = tac_progress_part(&part);
  if (status == TAC_OK)
    status = tac_parallel_for(domain->thread_count, cutter.cut_count, 64, place_cuts, &cutter, &progress, "cut points",
                              error);
  if (status != TAC_OK) goto done;
  for (size_t p = 0; p < points; ++p) {
    cutter.vertex_of[p] = -1;
    if (lattice->points[p].near_surface && lattice->points[p].sign != 0) warp_point(&cutter, p);
  }
  for (size_t t = 0; t < background->count && status == TAC_OK; ++t) {
    double share = 1.0 - TAC_STUFFING_CUTS_DONE;
    if (t % TAC_STUFFING_REPORT_EVERY == 0)
      status =
          tac_stuffing_report(domain, TAC_STUFFING_CUTS_DONE + share * (double)t / (double)background->count, error);
    if (status == TAC_OK) status = cut_tet(&cutter, background->tets[t], error);
  }
  if (status == TAC_OK) status = tac_stuffing_report(domain, 1.0, error);
  if (status == TAC_OK && cutter.mesh->tet_count == 0)
    status = tac_error_set(error, TAC_ERR_GEOMETRY,
                           "nothing inside: the size %g m must be well below the thickness of the thinnest part",
                           domain->size);
  if (status != TAC_OK) goto done;
  *mesh = cutter.mesh;
  cutter.mesh = NULL;
done:
  tac_volmesh_destroy(cutter.mesh);
  free(cutter.cuts);
  free(cutter.first_cut);
  free(cutter.first_back);
  free(cutter.back);
  free(cutter.vertex_of);
  return status;
}
