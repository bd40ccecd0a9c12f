#include "collide/field_meeting.h"

#include <math.h>
#include <string.h>
#include "asset/distance_field.h"
#include "collide/face_minimum.h"
#include "collide/shell_points.h"
#include "math/geometry/float4.h"
#include "math/geometry/vec3.h"

enum {
  ROOM = 4096, /* maximum number of queued parts */
  BLOCK = 64,  /* number of places evaluated together */
  WAYS = 16    /* maximum number of sphere-tracing steps through the other body */
};
#define OPPOSED 0.5 /* least cosine between face normal and gradient for a face on the far side of the other body */
#define LONGEST 3.0 /* maximum length of a path through the other body, relative to the largest depth on the path */

/* A part of the body that may be near the field: a child box of a tree, or a node of a shell. The queue returns the
 * part with the lowest bound first. */
typedef struct Part {
  double bound, value;
  int32_t index, level;
} Part;

typedef struct Search {
  tacFieldGather gather;
  Part *heap; /* [ROOM] queue of parts */
  int waiting;
} Search;

size_t tac_field_meeting_room(void) {
  return ROOM * sizeof(Part) + TAC_FIELD_GATHER_CELLS * sizeof(int32_t) + 256;
}

/* ---- queue of parts ---- */

static bool before(const Part *x, const Part *y) {
  return x->bound < y->bound || (x->bound == y->bound && x->index < y->index);
}

static bool push(Search *s, Part part) {
  if (s->waiting == ROOM) return false;
  int at = s->waiting++;
  for (; at > 0 && before(&part, &s->heap[(at - 1) / 2]); at = (at - 1) / 2) s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = part;
  return true;
}

static Part pop(Search *s) {
  Part top = s->heap[0], moved = s->heap[--s->waiting];
  int at = 0;
  for (int child; (child = 2 * at + 1) < s->waiting; at = child) {
    if (child + 1 < s->waiting && before(&s->heap[child + 1], &s->heap[child])) ++child;
    if (!before(&s->heap[child], &moved)) break;
    s->heap[at] = s->heap[child];
  }
  s->heap[at] = moved;
  return top;
}

/* ---- leaves ---- */

static tacSurfacePoint at_corner(int triangle, int corner) {
  tacSurfacePoint on = {.triangle = triangle};
  on.weight[corner] = 1.0;
  return on;
}

/* Corrects the gap and the normal of a place that has passed the middle of the other body. The gradient would push the
 * place out on the far side. The corrected normal is opposite to the face normal. So the place returns to the side from
 * which it entered. */
static void turn_back(tacFieldGather *s, tacFieldCandidate *c, tacVec3 face) {
  const tacFieldSearch *with = s->with;
  tacVec3 gradient, normal = tac_vec3_scale(-1.0, face);
  tac_field_gather_gradient(s, c->at, &gradient);
  if (!(tac_vec3_dot(gradient, face) > OPPOSED * tac_vec3_norm(gradient))) return;
  double way = 0.0, value = c->gap, deepest = -c->gap;
  for (int i = 0; i < WAYS && value < -1e-3 * with->depth; ++i) {
    way += fmax(-value, 1e-3 * with->depth);
    value = tac_distance_field_value(with->field, tac_vec3_mad(c->at, way, normal));
    deepest = fmax(deepest, -value);
    ++s->found->cost;
  }
  if (way > LONGEST * deepest) return; /* the path runs along the other body, not through it */
  c->gap = -way;
  c->normal = normal;
}

/* Tests the listed points on a triangle, and stores the least value of these points in `s->listed`. */
static void look_at_listed(tacFieldGather *s, int triangle, const tacVec3 corners[3]) {
  const tacBodyPoints *points = s->points;
  s->listed = INFINITY;
  if (points->listed_count == 0) return;
  int first = points->first_listed[points->rank[triangle]], end = points->first_listed[points->rank[triangle] + 1];
  for (int k = first; k < end; ++k) {
    int point = points->on_triangle[k];
    const double *w = points->listed[point].weight;
    tacVec3 x = tac_vec3_scale(w[0], corners[0]);
    x = tac_vec3_mad(tac_vec3_mad(x, w[1], corners[1]), w[2], corners[2]);
    double value;
    tac_field_gather_look_truly(s, 1, &x, &value);
    s->listed = fmin(s->listed, value);
    if (tac_body_points_is_vertex(points, point)) continue;
    tac_field_gather_offer(
        s, (tacFieldCandidate){
               .feature = TAC_FEATURE_POINT, .index = point, .on = points->listed[point], .at = x, .gap = value});
  }
}

static void look_at_corners(tacFieldGather *s, int triangle, const tacVec3 corners[3], bool all) {
  const tacBodySurface *surface = s->surface;
  const int *v = surface->mesh->triangles[triangle].v;
  tacVec3 x[3];
  double values[3];
  int own[3], count = 0;
  for (int i = 0; i < (all ? 3 : 1); ++i) {
    if (all && surface->triangles_of[surface->first_triangle[v[i]]] != triangle) continue;
    x[count] = corners[i];
    own[count++] = i;
  }
  if (count == 0) return;
  tac_field_gather_look_truly(s, count, x, values);
  for (int i = 0; i < count; ++i)
    tac_field_gather_offer(s, (tacFieldCandidate){.feature = TAC_FEATURE_VERTEX,
                                                  .index = v[own[i]],
                                                  .on = at_corner(triangle, own[i]),
                                                  .at = x[i],
                                                  .gap = values[i]});
}

/* Tests vertices, listed points and faces of triangles. If `all` is false, tests one corner of the first triangle
 * instead. */
static void look_at_triangles(tacFieldGather *s, int count, const int *triangles, bool all) {
  tacVec3 corners[TAC_BOX_TREE_LEAF][3], centres[TAC_BOX_TREE_LEAF] = {{0.0, 0.0, 0.0}};
  double radii[TAC_BOX_TREE_LEAF] = {0.0}, bounds[TAC_BOX_TREE_LEAF], apart[TAC_BOX_TREE_LEAF];
  double *until = s->with->slack != NULL ? s->with->slack->triangles : NULL;
  int left[TAC_BOX_TREE_LEAF], own = 0;
  for (int k = 0; k < count; ++k)
    if (!all || until == NULL || !tac_field_gather_skips(s, until[triangles[k]])) left[own++] = triangles[k];
  triangles = left;
  count = own;
  for (int k = 0; k < count; ++k) {
    const int *v = s->surface->mesh->triangles[triangles[k]].v;
    for (int i = 0; i < 3; ++i)
      corners[k][i] = tac_field_gather_into(s, tac_body_points_vertex(s->points, s->body, v[i]));
    radii[k] = tac_field_gather_ball_around(&corners[k][0], &corners[k][1], &corners[k][2], &centres[k]);
  }
  unsigned near = 1u;
  if (all) near = tac_field_gather_near_balls(s, count, centres, radii, bounds, apart);
  for (int k = 0; k < count; ++k) {
    if ((near >> k & 1u) == 0) {
      if (until != NULL && all) until[triangles[k]] = tac_field_gather_until(s, apart[k]);
      continue;
    }
    if (s->points->corners) look_at_corners(s, triangles[k], corners[k], all);
    if (all) look_at_listed(s, triangles[k], corners[k]);
    if (all && s->points->faces && s->with->faces) tac_face_minimum_look(s, triangles[k], corners[k], centres[k]);
  }
}

/* ---- batches of places ---- */

/* Returns the normal of a triangle at rest, in the field's frame. In a strongly compressed, folded surface the present
 * normals are arbitrary. */
static tacVec3 face_of(const tacFieldGather *s, int triangle) {
  const tacTriMesh *mesh = s->surface->mesh;
  const int *v = mesh->triangles[triangle].v;
  tacVec3 a = mesh->vertices[v[0]], e1 = tac_vec3_sub(mesh->vertices[v[1]], a),
          e2 = tac_vec3_sub(mesh->vertices[v[2]], a);
  return tac_mat3_mul_vec(s->with->turn, tac_vec3_unit(tac_vec3_cross(e1, e2)));
}

static tacFieldCandidate of_place(const tacFieldGather *s, tacBodyPlace place) {
  if (place.of == TAC_PLACE_SHELL) return (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = place.index};
  if (place.of == TAC_PLACE_LISTED)
    return (tacFieldCandidate){
        .feature = TAC_FEATURE_POINT, .index = place.index, .on = s->points->listed[place.index]};
  return (tacFieldCandidate){
      .feature = TAC_FEATURE_VERTEX, .index = place.index, .on = tac_body_surface_at_vertex(s->surface, place.index)};
}

typedef struct Batch {
  int count;
  tacVec3 x[BLOCK + 1];
  tacBodyPlace place[BLOCK + 1];
  double apart; /* least distance of a place from the margin plus the level (tacFieldSlack), m */
} Batch;

static void look_at_batch(tacFieldGather *s, Batch *batch) {
  double values[BLOCK], least = tac_field_gather_look_truly(s, batch->count, batch->x, values);
  batch->apart = fmin(batch->apart, tac_field_gather_apart(s, least));
  for (int i = 0; i < batch->count; ++i) {
    if (!(values[i] < s->with->margin)) continue;
    tacFieldCandidate c = of_place(s, batch->place[i]);
    c.at = batch->x[i];
    c.gap = values[i];
    if (c.gap < -s->with->depth) turn_back(s, &c, face_of(s, c.on.triangle));
    tac_field_gather_offer(s, c);
  }
  batch->count = 0;
}

/* Adds a place, given in the body's frame, to the batch if the place is inside the searched box. */
static inline void add_to_batch(tacFieldGather *s, Batch *batch, tacVec3 at, tacBodyPlace place) {
  if (batch->count == BLOCK) look_at_batch(s, batch);
  batch->x[batch->count] = tac_field_gather_into(s, at);
  batch->place[batch->count] = place;
  if (tac_field_gather_in_box(&s->with->box, batch->x[batch->count]))
    ++batch->count;
  else
    batch->apart = fmin(batch->apart, tac_field_gather_apart_box(s, batch->x[batch->count]));
}

/* Tests the listed points and vertices of a leaf. Returns how far they are apart from the margin. */
static double look_at_leaf(tacFieldGather *s, int first, int count) {
  const tacBodyPoints *points = s->points;
  const tacBodySurface *surface = s->surface;
  Batch batch = {.apart = INFINITY};
  int begin = points->listed_count > 0 ? points->first_listed[first] : 0;
  int end = points->listed_count > 0 ? points->first_listed[first + count] : 0;
  for (int k = begin; k < end; ++k) {
    int point = points->on_triangle[k];
    if (tac_body_points_is_vertex(points, point)) continue;
    const tacSurfacePoint *on = &points->listed[point];
    const int *v = surface->mesh->triangles[on->triangle].v;
    tacVec3 at = points->above != NULL ? points->above[point] : tac_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) at = tac_vec3_mad(at, on->weight[i], tac_body_points_vertex(points, s->body, v[i]));
    add_to_batch(s, &batch, at, (tacBodyPlace){TAC_PLACE_LISTED, point});
  }
  for (int k = first; points->corners && k < first + count; ++k) {
    int triangle = surface->tree->order[k];
    const int *v = surface->mesh->triangles[triangle].v;
    for (int i = 0; i < 3; ++i)
      if (surface->triangles_of[surface->first_triangle[v[i]]] == triangle)
        add_to_batch(s, &batch, tac_body_points_vertex(points, s->body, v[i]), (tacBodyPlace){TAC_PLACE_VERTEX, v[i]});
  }
  if (batch.count > 0) look_at_batch(s, &batch);
  return batch.apart;
}

/* ---- trees of boxes ---- */

typedef struct Tree {
  const tacBoxTree *tree;
  const tacBoxTreeNode *nodes;
  bool of_points;
  double (*until)[TAC_BOX_TREE_WIDTH]; /* [node] slack of each child; NULL: none */
} Tree;

static double look_at_points(tacFieldGather *s, int count, const int *points) {
  tacVec3 x[TAC_BOX_TREE_LEAF];
  double values[TAC_BOX_TREE_LEAF];
  for (int i = 0; i < count; ++i) x[i] = tac_field_gather_into(s, tac_pointshell_point(s->points->shell, points[i]));
  double least = tac_field_gather_look_truly(s, count, x, values);
  for (int i = 0; i < count; ++i)
    tac_field_gather_offer(
        s, (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = points[i], .at = x[i], .gap = values[i]});
  return tac_field_gather_apart(s, least);
}

/* Tests all items of a leaf. If `all` is false, tests only one item below the child `c` of the node. */
static void look_at_box(tacFieldGather *s, const Tree *in, int node, int c, bool all) {
  while (in->nodes[node].count[c] == 0) {
    node = in->nodes[node].first[c];
    c = 0;
  }
  const int *items = in->tree->order + in->nodes[node].first[c];
  int count = all ? in->nodes[node].count[c] : 1;
  double apart = INFINITY;
  if (all && !in->of_points && !s->with->faces) {
    apart = look_at_leaf(s, in->nodes[node].first[c], count);
  } else {
    for (int k = 0; k < count; k += TAC_BOX_TREE_LEAF) {
      int some = count - k < TAC_BOX_TREE_LEAF ? count - k : TAC_BOX_TREE_LEAF;
      if (in->of_points)
        apart = fmin(apart, look_at_points(s, some, items + k));
      else
        look_at_triangles(s, some, items + k, all);
    }
    if (!in->of_points) return; /* triangles have their own slack */
  }
  if (all && in->until != NULL) in->until[node][c] = s->with->slack->moved + apart - s->points->loose;
}

static void open_node(Search *s, const Tree *in, int number) {
  tacFieldGather *gather = &s->gather;
  const tacBoxTreeNode *node = &in->nodes[number];
  tacVec3 centres[TAC_BOX_TREE_WIDTH] = {{0.0, 0.0, 0.0}};
  double radii[TAC_BOX_TREE_WIDTH] = {0.0}, bounds[TAC_BOX_TREE_WIDTH], apart[TAC_BOX_TREE_WIDTH];
  double size = 1.0 / in->tree->scale, *until = in->until != NULL ? in->until[number] : NULL;
  int count = 0, child[TAC_BOX_TREE_WIDTH];
  for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
    double half2 = 0.0;
    if (until != NULL && tac_field_gather_skips(gather, until[c])) continue;
    for (int axis = 0; axis < 3; ++axis) half2 += (double)node->half[axis][c] * (double)node->half[axis][c];
    tacVec3 local = {(double)node->centre[0][c], (double)node->centre[1][c], (double)node->centre[2][c]};
    centres[count] = tac_field_gather_into(gather, tac_vec3_mad(in->tree->origin, size, local));
    radii[count] = size * sqrt(half2) * (1.0 + 1e-6);
    child[count++] = c;
  }
  if (count == 0) return;
  unsigned near = tac_field_gather_near_balls(gather, count, centres, radii, bounds, apart);
  for (int k = 0; k < count; ++k) {
    int c = child[k];
    if ((near >> k & 1u) == 0) {
      if (until != NULL) until[c] = tac_field_gather_until(gather, apart[k]);
      continue;
    }
    if (push(s, (Part){bounds[k], 0.0, TAC_BOX_TREE_WIDTH * number + c, 0})) continue;
    look_at_box(gather, in, number, c, false);
    ++gather->found->lost;
  }
}

static void search_tree(Search *s, Tree in) {
  tacFieldFound *found = s->gather.found;
  open_node(s, &in, 0);
  while (s->waiting > 0) {
    Part part = pop(s);
    int node = part.index / TAC_BOX_TREE_WIDTH, c = part.index % TAC_BOX_TREE_WIDTH;
    bool all = found->cost < TAC_FIELD_MEETING_COST;
    if (all && in.nodes[node].count[c] == 0) {
      open_node(s, &in, in.nodes[node].first[c]);
      continue;
    }
    look_at_box(&s->gather, &in, node, c, all);
    found->lost += !all;
  }
}

/* ---- tree of a deforming shell ---- */

typedef struct Shell {
  const tacPointshellView *view;
  tacShellPose pose;
  double q[TAC_BODY_MOST_COORDINATES];
  float size[TAC_BODY_MOST_COORDINATES + 3]; /* |q|, rounded up; padded with zeros to a multiple of four */
  double moved;                              /* upper bound of the displacement of a point from rest, m */
} Shell;

static double ball_of(const Shell *shell, int level, int point) {
  const tacPointshellView *view = shell->view;
  double radius = (double)view->nodes[level][point].radius;
  if (level == view->level_count - 1) return 0.0;
  if (view->growth[level] == NULL) return radius;
  const float *by = view->growth[level] + (size_t)view->stride * (size_t)point;
  tacFloat4 growth = tac_float4(0.0f);
  for (int j = 0; j < view->stride; j += 4) growth += tac_float4_load(by + j) * tac_float4_load(shell->size + j);
  return (radius + (double)growth[0] + (double)growth[1] + (double)growth[2] + (double)growth[3]) * 1.00002;
}

/* Adds a point as a candidate if `is_new` is set. Queues its node if the points below the node may be near. */
static void look_at_node(Search *search, const Shell *shell, int level, int point, tacVec3 at, double value,
                         bool is_new) {
  tacFieldGather *s = &search->gather;
  if (is_new)
    tac_field_gather_offer(s,
                           (tacFieldCandidate){.feature = TAC_FEATURE_SHELL, .index = point, .at = at, .gap = value});
  if (level == shell->view->level_count - 1) return;
  double bound, radius = ball_of(shell, level, point);
  bool near = s->with->look == NULL ? tac_field_gather_is_near(s, value, radius)
                                    : tac_field_gather_near_balls(s, 1, &at, &radius, &bound, NULL) != 0;
  if (!near) return;
  if (!push(search, (Part){value - radius, value, point, level})) ++s->found->lost;
}

/* Tests the points from `first` to `end` - 1 of a level. Computes the deformed position only if the position at rest is
 * near the searched box. */
static void look_at_level(Search *search, const Shell *shell, int level, int first, int end) {
  tacFieldGather *s = &search->gather;
  const tacPointshellNode *nodes = shell->view->nodes[shell->view->level_count - 1], *own = shell->view->nodes[level];
  for (int next = first; next < end;) {
    int32_t points[BLOCK];
    tacVec3 at[BLOCK];
    double values[BLOCK];
    int count = 0;
    for (; next < end && count < BLOCK; ++next) {
      tacVec3 rest = {(double)own[next].x, (double)own[next].y, (double)own[next].z};
      points[count] = next;
      count += tac_field_gather_meets_box(s, tac_field_gather_into(s, rest), (double)own[next].radius + shell->moved);
    }
    tac_shell_place_points(shell->view, nodes, &shell->pose, points, count, count, at);
    int left = 0;
    for (int i = 0; i < count; ++i) {
      if (!tac_field_gather_meets_box(s, at[i], ball_of(shell, level, points[i]))) continue;
      points[left] = points[i];
      at[left++] = at[i];
    }
    tac_field_gather_look_truly(s, left, at, values);
    for (int i = 0; i < left; ++i) look_at_node(search, shell, level, points[i], at[i], values[i], true);
  }
}

static void search_shell(Search *search) {
  tacFieldGather *s = &search->gather;
  s->loose = 0.0; /* the balls already include the deformation */
  Shell shell = {.view = tac_pointshell_view(s->points->shell)};
  const double *q = tac_body_describe(s->body).points_q;
  for (int j = 0; q != NULL && j < shell.view->r; ++j) {
    shell.q[j] = q[j];
    shell.size[j] = nextafterf(fabsf((float)q[j]), INFINITY);
    shell.moved += shell.view->reach[j] * fabs(q[j]) * (1.0 + 1e-6);
  }
  shell.pose = (tacShellPose){s->with->turn, s->with->shift, shell.q};
  int first = 0; /* first searched level: the finest level with at most TAC_BODY_POINTS_FEW points */
  while (first + 1 < shell.view->level_count && shell.view->sizes[first + 1] <= TAC_BODY_POINTS_FEW) ++first;
  look_at_level(search, &shell, first, 0, shell.view->sizes[first]);
  while (search->waiting > 0) {
    Part part = pop(search);
    if (s->found->cost >= TAC_FIELD_MEETING_COST) {
      ++s->found->lost;
      continue;
    }
    int level = part.level + 1;
    const tacPointshellNode *node = &shell.view->nodes[part.level][part.index];
    int32_t point = part.index;
    tacVec3 at;
    tac_shell_place_points(shell.view, shell.view->nodes[shell.view->level_count - 1], &shell.pose, &point, 1, 1, &at);
    look_at_node(search, &shell, level, part.index, at, part.value, false);
    look_at_level(search, &shell, level, node->first_child, node[1].first_child);
  }
}

/* ---- bodies with few places ---- */

static void search_few(tacFieldGather *s) {
  const tacBodyPoints *points = s->points;
  Batch batch = {.apart = INFINITY};
  for (int i = 0; i < points->few; ++i) add_to_batch(s, &batch, points->places[i], points->who[i]);
  if (batch.count > 0) look_at_batch(s, &batch);
}

void tac_field_meeting_find(const tacBodyPoints *points, const tacBody *body, const tacBodySurface *surface,
                            const tacFieldSearch *search, tacArena *arena, tacFieldCandidate *candidates,
                            tacFieldFound *found) {
  tacArenaMark mark = tac_arena_mark(arena);
  Part *heap = tac_arena_array(arena, ROOM, sizeof *heap);
  int32_t *cells = tac_arena_array(arena, TAC_FIELD_GATHER_CELLS, sizeof *cells);
  *found = (tacFieldFound){0};
  Search s = {.gather = {.points = points,
                         .body = body,
                         .surface = surface,
                         .with = search,
                         .candidates = candidates,
                         .found = found,
                         .loose = points->loose + points->late,
                         .cells = cells},
              .heap = heap};
  if (search->reach != NULL) s.gather.reach_of_margin = tac_field_reach_at(search->reach, search->margin);
  if (cells != NULL && points->few > 0 && !(search->faces && points->faces)) {
    search_few(&s.gather);
    tac_arena_release(arena, mark);
    return;
  }
  tac_field_gather_begin(&s.gather);
  tacFieldSlack *slack = search->slack;
  bool whole = points->shell == NULL || (points->faces && search->faces);
  if (cells != NULL && whole && (points->faces || points->listed_count > 0))
    search_tree(&s, (Tree){surface->tree, points->nodes, false, slack != NULL ? slack->boxes : NULL});
  if (cells != NULL && points->point_tree != NULL)
    search_tree(&s, (Tree){points->point_tree, points->point_tree->nodes, true, slack != NULL ? slack->points : NULL});
  else if (cells != NULL && points->shell != NULL)
    search_shell(&s);
  tac_arena_release(arena, mark);
}
