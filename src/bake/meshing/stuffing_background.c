#include "bake/meshing/stuffing_background.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/progress.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"

/* Finest cubes between the box and the octree's end: points near the surface have all of their cubes. */
#define PADDING 3

/* ---- an octree of cubes, addressed by integer coordinates ---- */

typedef enum CubeState {
  CUBE_OUTSIDE, /* no point of it is inside */
  CUBE_INSIDE,  /* no point of it is outside or on the surface */
  CUBE_SAMPLED  /* of the finest level; its corners and centre are lattice points with values */
} CubeState;

typedef struct CubeNode {
  int children;        /* the first of eight; 0 for a leaf */
  unsigned char state; /* CubeState of a leaf */
  bool at_surface;     /* a sampled cube that must stay as small as it is */
} CubeNode;

/* A cube of level l has sides of 2^l finest cubes, and its lowest corner at (x, y, z) finest cubes. The root, node 0, has
 * level `depth`. */
typedef struct Cube {
  int x, y, z, level;
} Cube;

typedef struct Octree {
  int depth;
  size_t node_count, room;
  CubeNode *nodes;
} Octree;

static tacStatus octree_init(Octree *tree, int depth, tacError *error) {
  *tree = (Octree){.depth = depth};
  TAC_TRY(tac_array_reserve((void **)&tree->nodes, &tree->room, 1, sizeof *tree->nodes, "octree", error));
  tree->nodes[0] = (CubeNode){0};
  tree->node_count = 1;
  return TAC_OK;
}

/* Gives a leaf eight children of its own state. */
static tacStatus octree_split(Octree *tree, int node, tacError *error) {
  if (tree->node_count > INT_MAX - 8)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "more than %d octree nodes; use a larger size", INT_MAX);
  TAC_TRY(tac_array_reserve((void **)&tree->nodes, &tree->room, tree->node_count + 8, sizeof *tree->nodes, "octree",
                            error));
  for (int c = 0; c < 8; ++c) tree->nodes[tree->node_count + (size_t)c] = (CubeNode){.state = tree->nodes[node].state};
  tree->nodes[node].children = (int)tree->node_count;
  tree->node_count += 8;
  return TAC_OK;
}

static Cube cube_child(Cube cube, int which) {
  int side = 1 << (cube.level - 1);
  return (Cube){cube.x + (which & 1) * side, cube.y + (which >> 1 & 1) * side, cube.z + (which >> 2) * side,
                cube.level - 1};
}

static int child_at(Cube cube, int level) {
  return (cube.x >> level & 1) | (cube.y >> level & 1) << 1 | (cube.z >> level & 1) << 2;
}

/* The node of `cube`, or the leaf that contains it; `*level` is its level. -1 outside the root. */
static int octree_find(const Octree *tree, Cube cube, int *level) {
  if ((cube.x | cube.y | cube.z) < 0 || (cube.x | cube.y | cube.z) >> tree->depth != 0) return -1;
  int node = 0, at = tree->depth;
  while (at > cube.level && tree->nodes[node].children != 0) node = tree->nodes[node].children + child_at(cube, --at);
  *level = at;
  return node;
}

/* Splits leaves until `cube` has a node of its own. */
static tacStatus octree_make(Octree *tree, Cube cube, int *node, tacError *error) {
  int at = cube.level;
  *node = octree_find(tree, cube, &at);
  if (*node < 0) return tac_error_set(error, TAC_ERR_ARGUMENT, "no octree cube at %d, %d, %d", cube.x, cube.y, cube.z);
  while (at > cube.level) {
    TAC_TRY(octree_split(tree, *node, error));
    *node = tree->nodes[*node].children + child_at(cube, --at);
  }
  return TAC_OK;
}

/* Calls `visit` for every node, parents first or children first; stops at the first error. */
typedef tacStatus (*CubeVisit)(int node, Cube cube, void *context, tacError *error);
static tacStatus walk_from(Octree *tree, int node, Cube cube, bool children_first, CubeVisit visit, void *context,
                           tacError *error) {
  if (!children_first) TAC_TRY(visit(node, cube, context, error));
  for (int c = 0; c < 8 && tree->nodes[node].children != 0; ++c)
    TAC_TRY(
        walk_from(tree, tree->nodes[node].children + c, cube_child(cube, c), children_first, visit, context, error));
  return children_first ? visit(node, cube, context, error) : TAC_OK;
}

/* ---- the background ---- */

/* A finest cube whose corners (in the order of the bits x, y, z) and centre are lattice points. */
typedef struct SampledCube {
  Cube cube;
  int points[9];
} SampledCube;

typedef struct Candidate {
  Cube cube;
  int node;
  unsigned char decision; /* CubeState; CUBE_SAMPLED: look closer */
} Candidate;

typedef struct Background {
  const tacStuffingDomain *domain;
  tacBccLattice *lattice;
  tacBackgroundTets *tets;
  Octree tree;
  size_t cube_count, cube_room;
  SampledCube *cubes;
  size_t candidate_count, candidate_room;
  Candidate *candidates;
  size_t pending_count, pending_room;
  Cube *pending;    /* leaves whose neighbours may be too large */
  size_t first_new; /* point */
  size_t filled;    /* nodes that fill_leaf has seen */
} Background;

double tac_stuffing_domain_value(const tacStuffingDomain *domain, tacVec3 p) {
  tacVec3 nearest = tac_vec3_min(tac_vec3_max(p, domain->box.lower), domain->box.upper);
  double outside = tac_vec3_distance(p, nearest);
  if (outside > 0.0) return outside;
  double value = domain->function(p, domain->user);
  return isnan(value) ? INFINITY : value;
}

tacStatus tac_stuffing_report(const tacStuffingDomain *domain, double fraction, tacError *error) {
  return tac_progress_report(domain->progress, "tetrahedra", fraction, error);
}

/* ---- sampling: which cubes does the surface meet, and what are the values at their points ---- */

static tacVec3 cube_place(const Background *b, double x, double y, double z) {
  return tac_vec3_mad(b->lattice->origin, b->domain->size, tac_vec3(x, y, z));
}

static unsigned char decide_cube(const Background *b, Cube cube) {
  const tacStuffingDomain *domain = b->domain;
  int side = 1 << cube.level;
  tacVec3 lower = cube_place(b, cube.x, cube.y, cube.z);
  tacVec3 upper = cube_place(b, cube.x + side, cube.y + side, cube.z + side);
  tacBox box = domain->box;
  if (lower.x > box.upper.x || lower.y > box.upper.y || lower.z > box.upper.z || upper.x < box.lower.x ||
      upper.y < box.lower.y || upper.z < box.lower.z)
    return CUBE_OUTSIDE;
  tacVec3 centre = tac_vec3_mix(lower, upper, 0.5);
  tacVec3 nearest = tac_vec3_min(tac_vec3_max(centre, box.lower), box.upper);
  if (!isfinite(domain->slope) || tac_vec3_distance(centre, nearest) > 0.0) return CUBE_SAMPLED;
  double value = domain->function(centre, domain->user);
  double reach = domain->slope * 0.5 * sqrt(3.0) * domain->size * side;
  if (value > reach) return CUBE_OUTSIDE;
  bool in_box = lower.x >= box.lower.x && lower.y >= box.lower.y && lower.z >= box.lower.z && upper.x <= box.upper.x &&
                upper.y <= box.upper.y && upper.z <= box.upper.z;
  return value < -reach && in_box ? CUBE_INSIDE : CUBE_SAMPLED;
}

static void decide_candidates(size_t begin, size_t end, int thread, void *context) {
  Background *b = context;
  (void)thread;
  for (size_t i = begin; i < end; ++i) b->candidates[i].decision = decide_cube(b, b->candidates[i].cube);
}

static tacStatus add_candidate(Background *b, Cube cube, int node, tacError *error) {
  tacStatus status = tac_array_reserve((void **)&b->candidates, &b->candidate_room, b->candidate_count + 1,
                                       sizeof *b->candidates, "octree cubes", error);
  if (status == TAC_OK) b->candidates[b->candidate_count++] = (Candidate){.cube = cube, .node = node};
  return status;
}

/* Makes a finest cube one with values at its points, unless it is already. */
static tacStatus sample_cube(Background *b, Cube cube, int *node, tacError *error) {
  TAC_TRY(octree_make(&b->tree, cube, node, error));
  if (b->tree.nodes[*node].state == CUBE_SAMPLED) return TAC_OK;
  TAC_TRY(tac_array_reserve((void **)&b->cubes, &b->cube_room, b->cube_count + 1, sizeof *b->cubes, "surface cubes",
                            error));
  b->tree.nodes[*node].state = CUBE_SAMPLED;
  b->cubes[b->cube_count++] = (SampledCube){.cube = cube};
  return TAC_OK;
}

/* Level by level from the root: leaves that are surely inside or outside, and sampled cubes. */
static tacStatus descend(Background *b, tacError *error) {
  TAC_TRY(add_candidate(b, (Cube){0, 0, 0, b->tree.depth}, 0, error));
  size_t first = 0;
  for (int level = b->tree.depth; first < b->candidate_count; --level) {
    size_t end = b->candidate_count;
    /* Items begin at `first`; the function sees them through the whole array. */
    Background view = *b;
    view.candidates = b->candidates + first;
    TAC_TRY(
        tac_parallel_for(b->domain->thread_count, end - first, 64, decide_candidates, &view, NULL, "octree", error));
    double share = TAC_STUFFING_OCTREE_DONE / (b->tree.depth + 1), before = share * (b->tree.depth - level);
    for (; first < end; ++first) {
      if (first % TAC_STUFFING_REPORT_EVERY == 0)
        TAC_TRY(tac_stuffing_report(b->domain, before + share * (double)first / (double)end, error));
      Candidate candidate = b->candidates[first];
      if (candidate.decision != CUBE_SAMPLED) {
        b->tree.nodes[candidate.node].state = candidate.decision;
      } else if (level == 0) {
        TAC_TRY(sample_cube(b, candidate.cube, &candidate.node, error));
      } else {
        TAC_TRY(octree_split(&b->tree, candidate.node, error));
        for (int c = 0; c < 8; ++c)
          TAC_TRY(add_candidate(b, cube_child(candidate.cube, c), b->tree.nodes[candidate.node].children + c, error));
      }
    }
  }
  free(b->candidates);
  b->candidates = NULL;
  b->candidate_count = b->candidate_room = 0;
  return TAC_OK;
}

static Cube shifted(Cube cube, int dx, int dy, int dz) {
  int side = 1 << cube.level;
  return (Cube){cube.x + dx * side, cube.y + dy * side, cube.z + dz * side, cube.level};
}

/* The leaf that is or contains `cube`: its state, or -1 where there is none (the cube is divided, or off the tree). */
static int leaf_state(const Background *b, Cube cube) {
  int level, node = octree_find(&b->tree, cube, &level);
  return node >= 0 && b->tree.nodes[node].children == 0 ? b->tree.nodes[node].state : -1;
}

/* A function that is no distance may have leaves inside and outside side by side: divide the smaller one along the other,
 * down to sampled cubes. */
static tacStatus separate_leaf(int node, Cube cube, void *context, tacError *error) {
  Background *b = context;
  int state = b->tree.nodes[node].state;
  if (b->tree.nodes[node].children != 0 || state == CUBE_SAMPLED) return TAC_OK;
  int opposite = state == CUBE_INSIDE ? CUBE_OUTSIDE : CUBE_INSIDE;
  for (int d = 0; d < 27; ++d) {
    if (d == 13 || leaf_state(b, shifted(cube, d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1)) != opposite) continue;
    return cube.level > 0 ? octree_split(&b->tree, node, error) : sample_cube(b, cube, &node, error);
  }
  return TAC_OK;
}

static bool is_corner(tacBccCoord at) {
  return at.x % 2 == 0;
}

/* The finest cubes around a corner (8), or the cube of a centre and those beside it (7). */
static int cubes_around(tacBccCoord at, Cube cubes[8]) {
  if (is_corner(at)) {
    for (int c = 0; c < 8; ++c) cubes[c] = (Cube){at.x / 2 - (c & 1), at.y / 2 - (c >> 1 & 1), at.z / 2 - (c >> 2), 0};
    return 8;
  }
  Cube own = {at.x / 2, at.y / 2, at.z / 2, 0};
  cubes[0] = own;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      cubes[1 + 2 * axis + side] =
          shifted(own, (axis == 0) * (2 * side - 1), (axis == 1) * (2 * side - 1), (axis == 2) * (2 * side - 1));
  return 7;
}

/* All tetrahedra at the point must be of the finest, regular kind. */
static tacStatus mark_near_surface(Background *b, int point, tacError *error) {
  if (b->lattice->points[point].near_surface) return TAC_OK;
  b->lattice->points[point].near_surface = true;
  Cube cubes[8];
  int count = cubes_around(tac_bcc_coord(&b->lattice->points[point]), cubes);
  for (int i = 0; i < count; ++i) {
    int node;
    TAC_TRY(sample_cube(b, cubes[i], &node, error));
    b->tree.nodes[node].at_surface = true;
  }
  return TAC_OK;
}

static tacStatus compare_points(Background *b, int p, int q, tacError *error) {
  int p_sign = b->lattice->points[p].sign, q_sign = b->lattice->points[q].sign;
  if (p_sign == q_sign && p_sign != 0) return TAC_OK;
  if (p_sign == 0 || q_sign != 0) TAC_TRY(mark_near_surface(b, p, error));
  return q_sign == 0 || p_sign != 0 ? mark_near_surface(b, q, error) : TAC_OK;
}

/* Looks for changes of sign along the lattice edges in the cube and to the centres beside it. */
static tacStatus compare_cube(Background *b, size_t index, tacError *error) {
  SampledCube sampled = b->cubes[index];
  int centre = sampled.points[8];
  for (int c = 0; c < 8; ++c) {
    TAC_TRY(compare_points(b, centre, sampled.points[c], error));
    for (int axis = 0; axis < 3; ++axis)
      if (!(c >> axis & 1)) TAC_TRY(compare_points(b, sampled.points[c], sampled.points[c | 1 << axis], error));
  }
  tacBccCoord at = tac_bcc_coord(&b->lattice->points[centre]);
  for (int n = TAC_BCC_SHORT_NEIGHBOURS; n < TAC_BCC_NEIGHBOURS; ++n) {
    int beside = tac_bcc_lattice_find(b->lattice, tac_bcc_neighbour(at, n));
    if (beside >= 0) TAC_TRY(compare_points(b, centre, beside, error));
  }
  return TAC_OK;
}

/* A corner that contradicts a leaf beside it, which was passed over as inside or outside, makes it a sampled cube. */
static tacStatus contradict_leaves(Background *b, size_t point, tacError *error) {
  tacBccCoord at = tac_bcc_coord(&b->lattice->points[point]);
  int sign = b->lattice->points[point].sign;
  if (!is_corner(at) || b->lattice->points[point].cube_count == 8) return TAC_OK;
  Cube cubes[8];
  int count = cubes_around(at, cubes);
  for (int i = 0; i < count; ++i) {
    int state = leaf_state(b, cubes[i]), node;
    if ((state == CUBE_INSIDE && sign >= 0) || (state == CUBE_OUTSIDE && sign <= 0))
      TAC_TRY(sample_cube(b, cubes[i], &node, error));
  }
  return TAC_OK;
}

static tacStatus add_points(Background *b, SampledCube *sampled, tacError *error) {
  for (int i = 0; i < 9; ++i) {
    Cube cube = sampled->cube;
    tacBccCoord at = i == 8
                         ? (tacBccCoord){2 * cube.x + 1, 2 * cube.y + 1, 2 * cube.z + 1}
                         : (tacBccCoord){2 * (cube.x + (i & 1)), 2 * (cube.y + (i >> 1 & 1)), 2 * (cube.z + (i >> 2))};
    TAC_TRY(tac_bcc_lattice_add(b->lattice, at, &sampled->points[i], error));
    ++b->lattice->points[sampled->points[i]].cube_count;
  }
  return TAC_OK;
}

static void evaluate_points(size_t begin, size_t end, int thread, void *context) {
  Background *b = context;
  (void)thread;
  for (size_t p = b->first_new + begin; p < b->first_new + end; ++p) {
    tacBccPoint *point = &b->lattice->points[p];
    point->value = tac_stuffing_domain_value(b->domain, point->place);
    point->sign = (signed char)((point->value > 0.0) - (point->value < 0.0));
  }
}

/* Gives values to the points of sampled cubes, and samples more cubes until every change of sign has all of its cubes. */
static tacStatus sample_surface(Background *b, tacError *error) {
  for (size_t done = 0; done < b->cube_count;) {
    size_t end = b->cube_count;
    b->first_new = b->lattice->point_count;
    for (size_t i = done; i < end; ++i) TAC_TRY(add_points(b, &b->cubes[i], error));
    const tacProgress progress = tac_progress_part(&(tacProgressPart){
        done == 0 ? b->domain->progress : NULL, TAC_STUFFING_OCTREE_DONE, TAC_STUFFING_SAMPLES_DONE, "tetrahedra"});
    TAC_TRY(tac_parallel_for(b->domain->thread_count, b->lattice->point_count - b->first_new, 256, evaluate_points, b,
                             &progress, "samples", error));
    for (size_t p = b->first_new; p < b->lattice->point_count; ++p) TAC_TRY(contradict_leaves(b, p, error));
    for (; done < end; ++done) {
      double share = TAC_STUFFING_SIGNS_DONE - TAC_STUFFING_SAMPLES_DONE;
      if (done % TAC_STUFFING_REPORT_EVERY == 0)
        TAC_TRY(tac_stuffing_report(b->domain, TAC_STUFFING_SAMPLES_DONE + share * (double)done / (double)b->cube_count,
                                    error));
      TAC_TRY(compare_cube(b, done, error));
    }
  }
  free(b->cubes);
  b->cubes = NULL;
  b->cube_count = b->cube_room = 0;
  return TAC_OK;
}

/* ---- grading: large leaves inside, none beside one of less than half its size ---- */

static tacStatus merge_children(int node, Cube cube, void *context, tacError *error) {
  Background *b = context;
  CubeNode *nodes = b->tree.nodes;
  (void)error;
  if (nodes[node].children == 0) {
    if (nodes[node].state != CUBE_SAMPLED || nodes[node].at_surface) return TAC_OK;
    int centre = tac_bcc_lattice_find(b->lattice, (tacBccCoord){2 * cube.x + 1, 2 * cube.y + 1, 2 * cube.z + 1});
    nodes[node].state = b->lattice->points[centre].sign < 0 ? CUBE_INSIDE : CUBE_OUTSIDE;
    return TAC_OK;
  }
  if (cube.level > b->domain->levels) return TAC_OK;
  for (int c = 0; c < 8; ++c) {
    const CubeNode *child = &nodes[nodes[node].children + c];
    if (child->children != 0 || child->state != CUBE_INSIDE) return TAC_OK;
  }
  nodes[node].children = 0;
  nodes[node].state = CUBE_INSIDE;
  return TAC_OK;
}

static tacStatus split_large_leaf(int node, Cube cube, void *context, tacError *error) {
  Background *b = context;
  const CubeNode *leaf = &b->tree.nodes[node];
  bool large = leaf->children == 0 && leaf->state == CUBE_INSIDE && cube.level > b->domain->levels;
  return large ? octree_split(&b->tree, node, error) : TAC_OK;
}

static tacStatus push_pending(Background *b, Cube cube, tacError *error) {
  tacStatus status = tac_array_reserve((void **)&b->pending, &b->pending_room, b->pending_count + 1, sizeof *b->pending,
                                       "octree cubes", error);
  if (status == TAC_OK) b->pending[b->pending_count++] = cube;
  return status;
}

/* Splits leaves that share a face or an edge with `cube` and are more than twice as large. */
static tacStatus split_neighbours(Background *b, Cube cube, tacError *error) {
  for (int d = 0; d < 27; ++d) {
    int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
    if (abs(dx) + abs(dy) + abs(dz) == 0 || abs(dx) + abs(dy) + abs(dz) == 3) continue;
    for (;;) {
      Cube beside = shifted(cube, dx, dy, dz);
      int level, node = octree_find(&b->tree, beside, &level);
      if (node < 0 || level <= cube.level + 1 || b->tree.nodes[node].state != CUBE_INSIDE) break;
      TAC_TRY(octree_split(&b->tree, node, error));
      Cube split = {beside.x >> level << level, beside.y >> level << level, beside.z >> level << level, level};
      for (int c = 0; c < 8; ++c) TAC_TRY(push_pending(b, cube_child(split, c), error));
    }
  }
  return TAC_OK;
}

static tacStatus balance_leaf(int node, Cube cube, void *context, tacError *error) {
  Background *b = context;
  if (b->tree.nodes[node].children != 0 || b->tree.nodes[node].state == CUBE_OUTSIDE) return TAC_OK;
  TAC_TRY(split_neighbours(b, cube, error));
  while (b->pending_count > 0) {
    cube = b->pending[--b->pending_count];
    if (leaf_state(b, cube) >= 0) TAC_TRY(split_neighbours(b, cube, error));
  }
  return TAC_OK;
}

/* ---- tetrahedra between the centres and faces of leaves ---- */

static tacStatus add_tet(Background *b, tacBccCoord c0, tacBccCoord c1, tacBccCoord c2, tacBccCoord c3,
                         tacError *error) {
  const tacBccCoord corners[4] = {c0, c1, c2, c3};
  tacTet tet;
  bool has_inside = false;
  for (int i = 0; i < 4; ++i) {
    TAC_TRY(tac_bcc_lattice_add(b->lattice, corners[i], &tet.v[i], error));
    has_inside |= b->lattice->points[tet.v[i]].sign < 0;
  }
  if (!has_inside) return TAC_OK;
  int d[3][3];
  for (int i = 0; i < 3; ++i) {
    d[i][0] = corners[i + 1].x - c0.x;
    d[i][1] = corners[i + 1].y - c0.y;
    d[i][2] = corners[i + 1].z - c0.z;
  }
  int64_t volume = (int64_t)d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                   (int64_t)d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                   (int64_t)d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
  if (volume < 0) {
    int swapped = tet.v[2];
    tet.v[2] = tet.v[3];
    tet.v[3] = swapped;
  }
  tacStatus status = tac_array_reserve((void **)&b->tets->tets, &b->tets->room, b->tets->count + 1, sizeof tet,
                                       "background tetrahedra", error);
  if (status == TAC_OK) b->tets->tets[b->tets->count++] = tet;
  return status;
}

static tacBccCoord middle(tacBccCoord a, tacBccCoord b) {
  return (tacBccCoord){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

static tacBccCoord cube_centre(Cube cube) {
  int half = 1 << cube.level;
  return (tacBccCoord){2 * cube.x + half, 2 * cube.y + half, 2 * cube.z + half};
}

static bool is_divided(const Background *b, Cube cube) {
  int level, node = octree_find(&b->tree, cube, &level);
  return node >= 0 && level == cube.level && b->tree.nodes[node].children != 0;
}

/* A face of a leaf: its corners go round it; side i is between corners i and i + 1, and `beyond[i]` is the step across
 * that side within the face's plane. */
typedef struct Face {
  tacBccCoord corners[4];
  int beyond[4][3];
} Face;

static Face cube_face(Cube cube, int axis, int side) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3, width = 2 << cube.level;
  Face face = {0};
  for (int i = 0; i < 4; ++i) {
    int at[3] = {2 * cube.x, 2 * cube.y, 2 * cube.z};
    at[axis] += side * width;
    at[u] += (i == 1 || i == 2) * width;
    at[v] += (i >= 2) * width;
    face.corners[i] = (tacBccCoord){at[0], at[1], at[2]};
    face.beyond[i][i % 2 == 0 ? v : u] = i == 1 || i == 2 ? 1 : -1;
  }
  return face;
}

/* The tetrahedra between the centres of two leaves of one size and the sides of their common face, which a smaller leaf
 * beside them may have divided: body-centred cubic ones, whole or bisected. */
static tacStatus join_equal(Background *b, Cube cube, Cube beside, const Face *face, tacError *error) {
  tacBccCoord c = cube_centre(cube), d = cube_centre(beside);
  for (int i = 0; i < 4; ++i) {
    tacBccCoord p = face->corners[i], q = face->corners[(i + 1) % 4], m = middle(p, q);
    const int *step = face->beyond[i];
    bool divided = is_divided(b, shifted(cube, step[0], step[1], step[2])) ||
                   is_divided(b, shifted(beside, step[0], step[1], step[2]));
    TAC_TRY(add_tet(b, c, d, p, divided ? m : q, error));
    if (divided) TAC_TRY(add_tet(b, c, d, m, q, error));
  }
  return TAC_OK;
}

/* Towards four smaller leaves: eight quarters of body-centred cubic tetrahedra around the line to the face's centre. */
static tacStatus join_smaller(Background *b, Cube cube, const Face *face, tacError *error) {
  tacBccCoord c = cube_centre(cube), f = middle(face->corners[0], face->corners[2]);
  for (int i = 0; i < 4; ++i) {
    tacBccCoord p = face->corners[i], q = face->corners[(i + 1) % 4], m = middle(p, q);
    TAC_TRY(add_tet(b, c, f, p, m, error));
    TAC_TRY(add_tet(b, c, f, m, q, error));
  }
  return TAC_OK;
}

/* Towards a leaf twice as large: two half pyramids, divided along the diagonal that ends at the centre of the large face,
 * as the quarters on the other side are. */
static tacStatus join_larger(Background *b, Cube cube, Cube larger, int axis, const Face *face, tacError *error) {
  tacBccCoord c = cube_centre(cube), large = cube_centre(larger);
  int centre = 0;
  for (int i = 0; i < 4; ++i) {
    tacBccCoord p = face->corners[i];
    if ((axis == 0 || p.x == large.x) && (axis == 1 || p.y == large.y) && (axis == 2 || p.z == large.z)) centre = i;
  }
  tacBccCoord f = face->corners[centre], opposite = face->corners[(centre + 2) % 4];
  TAC_TRY(add_tet(b, c, f, face->corners[(centre + 1) % 4], opposite, error));
  return add_tet(b, c, f, opposite, face->corners[(centre + 3) % 4], error);
}

static tacStatus fill_leaf(int node, Cube cube, void *context, tacError *error) {
  Background *b = context;
  double share = TAC_STUFFING_BACKGROUND_DONE - TAC_STUFFING_SIGNS_DONE;
  if (b->filled++ % TAC_STUFFING_REPORT_EVERY == 0)
    TAC_TRY(tac_stuffing_report(
        b->domain, TAC_STUFFING_SIGNS_DONE + share * (double)b->filled / (double)(b->tree.node_count + 1), error));
  if (b->tree.nodes[node].children != 0 || b->tree.nodes[node].state == CUBE_OUTSIDE) return TAC_OK;
  for (int f = 0; f < 6; ++f) {
    int axis = f / 2, side = f % 2, step = 2 * side - 1;
    Cube beside = shifted(cube, (axis == 0) * step, (axis == 1) * step, (axis == 2) * step);
    int level, other = octree_find(&b->tree, beside, &level);
    if (other < 0) continue;
    Face face = cube_face(cube, axis, side);
    if (b->tree.nodes[other].children != 0) {
      TAC_TRY(join_smaller(b, cube, &face, error));
    } else if (b->tree.nodes[other].state == CUBE_OUTSIDE) {
      continue;
    } else if (level > cube.level) {
      Cube larger = {beside.x >> level << level, beside.y >> level << level, beside.z >> level << level, level};
      TAC_TRY(join_larger(b, cube, larger, axis, &face, error));
    } else if (side == 1) {
      TAC_TRY(join_equal(b, cube, beside, &face, error));
    }
  }
  return TAC_OK;
}

static tacStatus walk(Background *b, bool children_first, CubeVisit visit, tacError *error) {
  return walk_from(&b->tree, 0, (Cube){0, 0, 0, b->tree.depth}, children_first, visit, b, error);
}

static void free_background(Background *b) {
  free(b->tree.nodes);
  free(b->cubes);
  free(b->candidates);
  free(b->pending);
}

tacStatus tac_stuffing_background(const tacStuffingDomain *domain, tacBccLattice *lattice, tacBackgroundTets *tets,
                                  tacError *error) {
  *lattice = (tacBccLattice){0};
  *tets = (tacBackgroundTets){0};
  TAC_FREED(free_background, Background, b) = {.domain = domain, .lattice = lattice, .tets = tets};
  double cubes = ceil(tac_box_longest(domain->box) / domain->size) + 2 * PADDING;
  int depth = 3;
  while (ldexp(1.0, depth) < cubes) ++depth;
  /* The box in the middle of the octree. */
  double corner = -0.5 * ldexp(domain->size, depth);
  lattice->half = 0.5 * domain->size;
  lattice->origin = tac_vec3_add(tac_box_centre(domain->box), tac_vec3(corner, corner, corner));
  TAC_TRY(octree_init(&b.tree, depth, error));
  TAC_TRY(descend(&b, error));
  TAC_TRY(walk(&b, false, separate_leaf, error));
  TAC_TRY(sample_surface(&b, error));
  TAC_TRY(walk(&b, true, merge_children, error));
  TAC_TRY(walk(&b, false, split_large_leaf, error));
  TAC_TRY(walk(&b, false, balance_leaf, error));
  return walk(&b, false, fill_leaf, error);
}
