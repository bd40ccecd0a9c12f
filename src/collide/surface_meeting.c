#include "collide/surface_meeting.h"

#include <float.h>

typedef enum Feature { VERTEX, EDGE, FACE } Feature;

/* A point of the surface that is locally nearest to a vertex of the other body, in the frame of the surface. */
typedef struct Minimum {
  Feature feature;
  int index; /* index of the vertex, edge or triangle */
  tacSurfacePoint at;
  tacVec3 place, normal; /* position, and unit normal out of the surface */
  double gap;
  bool facing; /* true if the normal opposes the normal of the vertex */
} Minimum;

typedef struct Look {
  tacSurfaceBoxes *a, *b; /* bodies of the search: features of a are tested against the surface of b */
  tacMat3 turn;           /* rotation from a's frame to b's frame */
  tacVec3 shift;
  float turn4[3][3], size4[3][3], shift4[3]; /* `turn`, absolute values of `turn`, and `shift`, as floats */
  bool turned;                               /* true in the second search, where a and b are exchanged */
  double alarm, depth, reach, touching;
  double distance; /* search distance plus rounding errors of doubles, m */
  /* `margin`: search distance plus rounding errors of floats, m. `rounding`: rounding error of float coordinates, m. */
  float margin, rounding;
  int capacity;
  int64_t found;
  /* [capacity] candidates; if the array is full, a heap with the candidate to discard next at the top */
  tacSurfaceCandidate *kept;
  bool chained; /* true if the chains hold all pairs of near leaves; see `chain` */
  int chains, chains_end;
  int minimum_count;
  Minimum minima[TAC_MEETING_MINIMA];
} Look;

/* ---- kept candidates ---- */

static bool before(const tacSurfaceCandidate *x, const tacSurfaceCandidate *y) {
  return x->gap < y->gap || (x->gap == y->gap && x->key < y->key);
}

static void sink(tacSurfaceCandidate *heap, int count, int at) {
  tacSurfaceCandidate moved = heap[at];
  for (;;) {
    int child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && before(&heap[child], &heap[child + 1])) ++child;
    if (!before(&moved, &heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

static void keep(Look *look, const tacSurfaceCandidate *candidate) {
  int64_t n = look->found++;
  if (n < look->capacity) {
    look->kept[n] = *candidate;
    return;
  }
  if (look->capacity == 0) return;
  if (n == look->capacity)
    for (int i = look->capacity / 2 - 1; i >= 0; --i) sink(look->kept, look->capacity, i);
  if (!before(candidate, &look->kept[0])) return;
  look->kept[0] = *candidate;
  sink(look->kept, look->capacity, 0);
}

static tacVec3 into_b(const Look *look, tacVec3 p) {
  return tac_vec3_add(tac_mat3_mul_vec(look->turn, p), look->shift);
}

static tacVec3 turned_back(const Look *look, tacVec3 v) {
  const double(*m)[3] = look->turn.m;
  return tac_vec3(m[0][0] * v.x + m[1][0] * v.y + m[2][0] * v.z, m[0][1] * v.x + m[1][1] * v.y + m[2][1] * v.z,
                  m[0][2] * v.x + m[1][2] * v.y + m[2][2] * v.z);
}

static tacVec3 into_a(const Look *look, tacVec3 p) {
  return turned_back(look, tac_vec3_sub(p, look->shift));
}

static tacSurfacePoint at_vertex(const tacSurfaceBoxes *s, int vertex) {
  tacSurfacePoint at = {s->vertex_side[vertex] / 3, {0.0, 0.0, 0.0}};
  at.weight[s->vertex_side[vertex] % 3] = 1.0;
  return at;
}

static tacSurfacePoint on_edge(const tacSurfaceBoxes *s, int edge, double part) {
  tacSurfacePoint at = {s->edges[edge].triangle[0], {0.0, 0.0, 0.0}};
  int start = (s->edges[edge].opposite[0] + 1) % 3;
  at.weight[start] = 1.0 - part;
  at.weight[(start + 1) % 3] = part;
  return at;
}

/* Returns the key of a pair of features. If two vertices overlap, each vertex may have a contact with its own key. */
static uint64_t key_of(const Look *look, Feature of_a, int a, Feature of_b, int b, bool overlap) {
  uint64_t kind = look->turned ? 3u * of_b + of_a : 3u * of_a + of_b;
  if (look->turned && overlap && of_a == VERTEX && of_b == VERTEX) kind = 9;
  uint64_t first = (uint64_t)(look->turned ? b : a), second = (uint64_t)(look->turned ? a : b);
  return kind << 60 | first << 30 | second;
}

/* ---- boxes ---- */

/* A box in the frame of a tree, enlarged by a margin. */
typedef struct Reach {
  float centre[3], half[3];
} Reach;

/* Sets bit c of the result if the box of child c overlaps `reach`. */
static unsigned in_reach(const tacBoxTreeNode *node, const Reach *reach) {
  tacInt4 near = {-1, -1, -1, -1};
  for (int axis = 0; axis < 3; ++axis) {
    tacFloat4 d = tac_float4_abs(tac_float4_load(node->centre[axis]) - tac_float4(reach->centre[axis]));
    near &= d <= tac_float4_load(node->half[axis]) + tac_float4(reach->half[axis]);
  }
  return tac_int4_bits(near);
}

static bool leaf_in_reach(const tacSurfaceBoxes *s, int leaf, const Reach *reach) {
  const tacBoxTreeNode *node = &s->tree->nodes[s->leaves[leaf].box / TAC_BOX_TREE_WIDTH];
  int c = s->leaves[leaf].box % TAC_BOX_TREE_WIDTH;
  bool near = true;
  for (int axis = 0; axis < 3; ++axis)
    near &= fabsf(node->centre[axis][c] - reach->centre[axis]) <= node->half[axis][c] + reach->half[axis];
  return near;
}

/* Returns the box around the segment from p to q, enlarged by `margin`. */
static Reach reach_around(tacVec3 p, tacVec3 q, float margin) {
  tacVec3 middle = tac_vec3_mix(p, q, 0.5), half = tac_vec3_sub(q, middle);
  return (Reach){{(float)middle.x, (float)middle.y, (float)middle.z},
                 {fabsf((float)half.x) + margin, fabsf((float)half.y) + margin, fabsf((float)half.z) + margin}};
}

/* ---- a vertex against the surface ---- */

/* True if the vertex is the point nearest to q on all edges around the vertex. */
static bool sees_vertex(const tacSurfaceBoxes *s, int vertex, tacVec3 q) {
  tacVec3 p = s->vertices[vertex], away = tac_vec3_sub(q, p);
  for (int k = s->star_first[vertex]; k < s->star_first[vertex + 1]; ++k) {
    const int *v = s->mesh->triangles[s->star[k] / 3].v;
    for (int i = 1; i < 3; ++i) {
      tacVec3 e = tac_vec3_sub(s->vertices[v[(s->star[k] + i) % 3]], p);
      if (tac_vec3_dot(away, e) > TAC_MEETING_BORDER * tac_vec3_norm2(e)) return false;
    }
  }
  return true;
}

static void add_minimum(Look *look, const Minimum *minimum) {
  if (look->minimum_count < TAC_MEETING_MINIMA) {
    look->minima[look->minimum_count++] = *minimum;
    return;
  }
  int farthest = 0;
  for (int i = 1; i < TAC_MEETING_MINIMA; ++i)
    if (fabs(look->minima[i].gap) > fabs(look->minima[farthest].gap)) farthest = i;
  if (fabs(minimum->gap) < fabs(look->minima[farthest].gap)) look->minima[farthest] = *minimum;
}

/* Adds a minimum on an edge or at a vertex. The normal is along the line to p. At distance zero, the normal is the
 * pseudo-normal. */
static void add_border(Look *look, Minimum minimum, tacVec3 p, tacVec3 pseudo) {
  tacVec3 away = tac_vec3_sub(p, minimum.place);
  double distance = tac_vec3_norm(away);
  minimum.normal = pseudo;
  minimum.gap = tac_vec3_dot(away, pseudo);
  if (distance > look->touching) {
    double side = minimum.gap < 0.0 ? -1.0 : 1.0;
    minimum.gap = side * distance;
    minimum.normal = tac_vec3_scale(side / distance, away);
  }
  add_minimum(look, &minimum);
}

/* Adds a minimum on an edge or at a vertex for a point above an adjacent face. Within the border tolerance, the point
 * may be nearer to this face than to the border. Then the direction to the border would be arbitrary, so the face
 * normal is used. */
static void add_above_face(Look *look, Minimum minimum, tacVec3 p, tacVec3 normal) {
  minimum.normal = normal;
  minimum.gap = tac_vec3_dot(tac_vec3_sub(p, minimum.place), normal);
  add_minimum(look, &minimum);
}

/* Returns a face at `vertex` whose corner contains the projection of the direction `away`, or -1 if there is none. */
static int face_below(tacSurfaceBoxes *s, int vertex, tacVec3 away) {
  for (int k = s->star_first[vertex]; k < s->star_first[vertex + 1]; ++k) {
    const tacSurfaceFace *face = tac_surface_boxes_face(s, s->star[k] / 3);
    double w1 = tac_vec3_dot(face->dual[0], away), w2 = tac_vec3_dot(face->dual[1], away);
    const double w[3] = {-w1 - w2, w1, w2};
    int corner = s->star[k] % 3;
    double next = w[(corner + 1) % 3], last = w[(corner + 2) % 3];
    if (next >= 0.0 && last >= 0.0 && next + last > 0.0) return s->star[k] / 3;
  }
  return -1;
}

static void look_at_edge(Look *look, tacVec3 p, int number) {
  tacSurfaceBoxes *b = look->b;
  const tacSurfaceEdge *edge = &b->edges[number];
  tacVec3 start = b->vertices[edge->vertex[0]], e = tac_vec3_sub(b->vertices[edge->vertex[1]], start);
  double part = tac_vec3_dot(tac_vec3_sub(p, start), e) / tac_vec3_norm2(e);
  if (!(part > TAC_MEETING_BORDER && part < 1.0 - TAC_MEETING_BORDER)) return;
  tacVec3 place = tac_vec3_mad(start, part, e);
  if (!(tac_vec3_norm2(tac_vec3_sub(p, place)) <= look->reach * look->reach)) return;
  if (edge->triangle[1] >= 0) {
    const tacSurfaceFace *face = tac_surface_boxes_face(b, edge->triangle[1]);
    tacVec3 d = tac_vec3_sub(p, b->vertices[b->mesh->triangles[edge->triangle[1]].v[0]]);
    double w1 = tac_vec3_dot(face->dual[0], d), w2 = tac_vec3_dot(face->dual[1], d);
    double inside = edge->opposite[1] == 1 ? w1 : edge->opposite[1] == 2 ? w2 : 1.0 - w1 - w2;
    if (inside > TAC_MEETING_BORDER && tac_vec3_norm2(face->normal) > 0.0) return;
  }
  tacVec3 pseudo = tac_surface_boxes_edge_normal(b, number);
  Minimum minimum = {EDGE, number, on_edge(b, number, part), place, pseudo, 0.0, false};
  const tacSurfaceRidge *ridge = tac_surface_boxes_ridge(b, number);
  for (int side = 0; side < 2 && edge->triangle[side] >= 0; ++side)
    if (tac_vec3_dot(tac_vec3_sub(p, place), ridge->inward[side]) > 0.0) {
      add_above_face(look, minimum, p, ridge->normal[side]);
      return;
    }
  add_border(look, minimum, p, pseudo);
}

static void look_at_vertex(Look *look, tacVec3 p, int vertex) {
  tacSurfaceBoxes *b = look->b;
  tacVec3 place = b->vertices[vertex];
  if (!(tac_vec3_norm2(tac_vec3_sub(p, place)) <= look->reach * look->reach) || !sees_vertex(b, vertex, p)) return;
  tacVec3 pseudo = tac_surface_boxes_vertex_normal(b, vertex);
  Minimum minimum = {VERTEX, vertex, at_vertex(b, vertex), place, pseudo, 0.0, false};
  int below = face_below(b, vertex, tac_vec3_sub(p, place));
  if (below >= 0)
    add_above_face(look, minimum, p, tac_surface_boxes_face(b, below)->normal);
  else
    add_border(look, minimum, p, pseudo);
}

/* Tests a triangle, and the edges and vertices that the triangle owns. */
static void look_at_triangle(Look *look, tacVec3 p, int t) {
  tacSurfaceBoxes *b = look->b;
  const int *v = b->mesh->triangles[t].v;
  const tacSurfaceFace *face = tac_surface_boxes_face(b, t);
  tacVec3 d = tac_vec3_sub(p, b->vertices[v[0]]);
  double gap = tac_vec3_dot(face->normal, d);
  if (!(fabs(gap) <= look->reach)) return;
  double w[3] = {0.0, tac_vec3_dot(face->dual[0], d), tac_vec3_dot(face->dual[1], d)};
  w[0] = 1.0 - w[1] - w[2];
  double least = w[0] < w[1] ? w[0] : w[1];
  if (w[2] < least) least = w[2];
  bool flat = tac_vec3_norm2(face->normal) > 0.0;
  /* A convex edge is never the nearest feature to a point inside the body. Such a minimum belongs to both adjacent
   * faces, and meet_vertex chooses one of them. */
  if (flat && (least > TAC_MEETING_BORDER || (gap < -look->touching && least >= -TAC_MEETING_BORDER))) {
    Minimum minimum = {FACE, t, {t, {w[0], w[1], w[2]}}, tac_vec3_mad(p, -gap, face->normal), face->normal, gap, false};
    for (int i = 0; i < 3 && least < 0.0; ++i) minimum.at.weight[i] = fmin(fmax(w[i], 0.0), 1.0);
    add_minimum(look, &minimum);
    if (least > TAC_MEETING_BORDER) return;
  }
  for (int s = 0; s < 3; ++s) {
    if (b->owned_edge[t][s] >= 0 && (!flat || w[(s + 2) % 3] <= TAC_MEETING_BORDER))
      look_at_edge(look, p, b->owned_edge[t][s]);
    if (b->vertex_side[v[s]] == 3 * t + s) look_at_vertex(look, p, v[s]);
  }
}

static void keep_minimum(Look *look, int vertex, tacVec3 p, const Minimum *m) {
  tacSurfacePoint own = at_vertex(look->a, vertex);
  tacSurfaceCandidate candidate = {.gap = m->gap};
  candidate.key = key_of(look, VERTEX, vertex, m->feature, m->index, m->gap < -look->touching);
  if (look->turned) { /* the frame of b is the frame of a in the search request */
    candidate.on_a = m->at;
    candidate.on_b = own;
    candidate.place_a = into_a(look, m->place);
    candidate.place_b = look->a->vertices[vertex];
    candidate.normal = turned_back(look, tac_vec3_scale(-1.0, m->normal));
    candidate.touch = TAC_TOUCH_FACE_VERTEX;
  } else {
    candidate.on_a = own;
    candidate.on_b = m->at;
    candidate.place_a = p;
    candidate.place_b = m->place;
    candidate.normal = m->normal;
    candidate.touch = TAC_TOUCH_VERTEX_FACE;
  }
  keep(look, &candidate);
}

/* Adds a candidate for a pair of vertices once, and only if each vertex is the point nearest to the other vertex. */
static void keep_vertices(Look *look, int vertex, tacVec3 p, Minimum *m) {
  if (look->turned || !sees_vertex(look->a, vertex, into_a(look, m->place))) return;
  if (tac_vec3_norm(tac_vec3_sub(p, m->place)) <= look->touching) {
    tacVec3 own = tac_mat3_mul_vec(look->turn, tac_surface_boxes_vertex_normal(look->a, vertex));
    tacVec3 other = tac_surface_boxes_vertex_normal(look->b, m->index);
    m->normal = tac_vec3_unit(tac_vec3_sub(other, own));
    m->gap = tac_vec3_dot(m->normal, tac_vec3_sub(p, m->place));
    m->facing = tac_vec3_dot(m->normal, own) < 0.0 && tac_vec3_dot(m->normal, other) > 0.0;
  }
  if (m->facing) keep_minimum(look, vertex, p, m);
}

/* Chooses the normal at a touched edge, since any direction between the two face normals is valid. Selects the face
 * normal or pseudo-normal that is most opposed to the normal of the vertex. */
static void face_on_edge(Look *look, tacVec3 p, tacVec3 own, Minimum *m) {
  tacVec3 away = tac_vec3_sub(p, m->place);
  if (!(tac_vec3_norm(away) <= look->touching)) return;
  const int *triangles = look->b->edges[m->index].triangle;
  for (int side = 0; side < 2 && triangles[side] >= 0; ++side) {
    tacVec3 normal = tac_surface_boxes_face(look->b, triangles[side])->normal;
    if (tac_vec3_dot(normal, own) < tac_vec3_dot(m->normal, own)) m->normal = normal;
  }
  m->gap = tac_vec3_dot(m->normal, away);
}

static void meet_vertex(Look *look, int vertex, int count, const int *near) {
  tacVec3 p = into_b(look, look->a->vertices[vertex]);
  Reach reach = reach_around(p, p, look->margin);
  look->minimum_count = 0;
  for (int i = 0; i < count; ++i) {
    if (!leaf_in_reach(look->b, near[i], &reach)) continue;
    const tacSurfaceSlab *slab = tac_surface_boxes_slab(look->b, near[i]);
    double height = tac_vec3_dot(slab->normal, p);
    if (height > slab->high + look->distance || height < slab->low - look->distance) continue;
    const tacSurfaceLeaf *leaf = &look->b->leaves[near[i]];
    for (int k = leaf->triangle; k < leaf[1].triangle; ++k) look_at_triangle(look, p, look->b->leaf_triangles[k]);
  }
  if (look->minimum_count == 0) return;
  tacVec3 own = tac_mat3_mul_vec(look->turn, tac_surface_boxes_vertex_normal(look->a, vertex));
  const Minimum *nearest = NULL, *way_out = NULL;
  for (int i = 0; i < look->minimum_count; ++i) {
    Minimum *m = &look->minima[i];
    if (m->feature == EDGE) face_on_edge(look, p, own, m);
    m->facing = tac_vec3_dot(m->normal, own) < 0.0 && tac_vec3_norm2(m->normal) > 0.0;
    /* A touched face that does not face the vertex cannot decide whether the vertex is inside. An example is a pair of
     * coplanar side faces above an overlap. */
    bool decides = m->facing || fabs(m->gap) > look->touching;
    if (decides && (nearest == NULL || fabs(m->gap) < fabs(nearest->gap))) nearest = m;
  }
  bool inside = nearest != NULL && nearest->gap < -look->touching;
  for (int i = 0; i < look->minimum_count; ++i) {
    Minimum *m = &look->minima[i];
    if (m->gap < -look->touching) {
      if (!inside || !m->facing || m->gap < -look->depth) continue;
      bool better = way_out == NULL || m->gap > way_out->gap ||
                    (m->gap == way_out->gap &&
                     (m->feature > way_out->feature || (m->feature == way_out->feature && m->index < way_out->index)));
      if (better) way_out = m;
    } else if (m->gap > look->alarm) {
      continue;
    } else if (m->feature == VERTEX) {
      keep_vertices(look, vertex, p, m);
    } else if (!inside && m->facing) {
      keep_minimum(look, vertex, p, m);
    }
  }
  if (way_out != NULL) keep_minimum(look, vertex, p, way_out);
}

/* ---- two edges ---- */

/* True if the path from a point to a point of an edge crosses a triangle that does not contain the edge. All positions
 * are in the frame of the surface. */
static bool crosses(const Look *look, tacSurfaceBoxes *s, const tacSurfaceEdge *edge, tacVec3 from, tacVec3 to) {
  Reach reach = reach_around(from, to, look->rounding);
  int stack[TAC_BOX_TREE_STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    int at = stack[--top];
    const tacBoxTreeNode *node = &s->tree->nodes[at];
    unsigned bits = in_reach(node, &reach);
    for (int c = 0; c < TAC_BOX_TREE_WIDTH; ++c) {
      if ((bits >> c & 1u) == 0) continue;
      if (node->count[c] == 0) {
        stack[top++] = node->first[c];
        continue;
      }
      const tacSurfaceLeaf *leaf = &s->leaves[s->leaf_of[at][c]];
      for (int k = leaf->triangle; k < leaf[1].triangle; ++k) {
        int t = s->leaf_triangles[k];
        if (t == edge->triangle[0] || t == edge->triangle[1]) continue;
        const tacSurfaceFace *face = tac_surface_boxes_face(s, t);
        tacVec3 d0 = tac_vec3_sub(from, s->vertices[s->mesh->triangles[t].v[0]]);
        double h0 = tac_vec3_dot(face->normal, d0), h1 = h0 + tac_vec3_dot(face->normal, tac_vec3_sub(to, from));
        /* the path may lie in the triangle's plane */
        if (!(fmin(h0, h1) < -look->touching && fmax(h0, h1) > look->touching)) continue;
        tacVec3 d = tac_vec3_mad(d0, h0 / (h0 - h1), tac_vec3_sub(to, from));
        double w1 = tac_vec3_dot(face->dual[0], d), w2 = tac_vec3_dot(face->dual[1], d);
        if (w1 >= 0.0 && w2 >= 0.0 && w1 + w2 <= 1.0) return true;
      }
    }
  }
  return false;
}

static bool within_cone(const tacSurfaceRidge *ridge, tacVec3 normal) {
  return tac_vec3_dot(ridge->inward[0], normal) <= TAC_MEETING_TILT &&
         tac_vec3_dot(ridge->inward[1], normal) <= TAC_MEETING_TILT;
}

/* True if the direction opposite to the normal points into the body, between the two faces. */
static bool behind(const tacSurfaceRidge *ridge, tacVec3 normal) {
  return tac_vec3_dot(ridge->normal[0], normal) >= -TAC_MEETING_TILT &&
         tac_vec3_dot(ridge->normal[1], normal) >= -TAC_MEETING_TILT;
}

/* Tests two sharp edges. `p`: ends of the edge of a, in b's frame. */
static void meet_edges(Look *look, int edge_a, const tacVec3 p[2], int edge_b) {
  tacSurfaceBoxes *a = look->a, *b = look->b;
  const tacSurfaceEdge *other = &b->edges[edge_b];
  tacVec3 q0 = b->vertices[other->vertex[0]], q1 = b->vertices[other->vertex[1]];
  tacVec3 u = tac_vec3_sub(p[1], p[0]), v = tac_vec3_sub(q1, q0), w = tac_vec3_sub(p[0], q0);
  tacVec3 cross = tac_vec3_cross(u, v);
  double uu = tac_vec3_norm2(u), vv = tac_vec3_norm2(v), uv = tac_vec3_dot(u, v), cc = tac_vec3_norm2(cross);
  if (!(cc > TAC_MEETING_PARALLEL * TAC_MEETING_PARALLEL * uu * vv) || !(cc >= DBL_MIN)) return;
  double height = tac_vec3_dot(cross, w);
  if (!(height * height <= look->reach * look->reach * cc)) return;
  double uw = tac_vec3_dot(u, w), vw = tac_vec3_dot(v, w);
  double s = (uv * vw - vv * uw) / cc, t = (uu * vw - uv * uw) / cc;
  double low = TAC_MEETING_BORDER, high = 1.0 - TAC_MEETING_BORDER;
  if (!(s > low && s < high && t > low && t < high)) return;
  const tacSurfaceRidge *own = tac_surface_boxes_ridge(a, edge_a), *ridge = tac_surface_boxes_ridge(b, edge_b);
  if (!ridge->sharp) return;
  tacVec3 outward = tac_vec3_sub(ridge->outward, tac_mat3_mul_vec(look->turn, own->outward));
  double sign = tac_vec3_dot(outward, cross) < 0.0 ? -1.0 : 1.0, size = sqrt(cc);
  double gap = sign * height / size;
  if (!(gap <= look->alarm && gap >= -look->depth)) return;
  tacVec3 normal = tac_vec3_scale(sign / size, cross);
  tacVec3 back = turned_back(look, tac_vec3_scale(-1.0, normal));
  if (!within_cone(ridge, normal) || !within_cone(own, back)) return;
  tacVec3 place_a = tac_vec3_mad(p[0], s, u), place_b = tac_vec3_mad(q0, t, v);
  if (gap < -look->touching) {
    if (!behind(ridge, normal) || !behind(own, back)) return;
    tacVec3 from = into_a(look, place_b), to = into_a(look, place_a);
    if (crosses(look, b, other, place_a, place_b)) return;
    if (crosses(look, a, &a->edges[edge_a], from, to)) return;
  }
  tacSurfaceCandidate candidate = {.touch = TAC_TOUCH_EDGE_EDGE, .normal = normal, .gap = gap};
  candidate.on_a = on_edge(a, edge_a, s);
  candidate.on_b = on_edge(b, edge_b, t);
  candidate.place_a = place_a;
  candidate.place_b = place_b;
  candidate.key = key_of(look, EDGE, edge_a, EDGE, edge_b, false);
  keep(look, &candidate);
}

/* True if the boxes of two segments are more than `reach` apart along any axis. `sum` and `size` are the sum and the
 * absolute difference of the ends of the first segment. The code has no branches, since they would be mispredicted. */
static bool boxes_apart(tacVec3 sum, tacVec3 size, tacVec3 q0, tacVec3 q1, double reach) {
  return (fabs(sum.x - q0.x - q1.x) > size.x + fabs(q1.x - q0.x) + 2.0 * reach) |
         (fabs(sum.y - q0.y - q1.y) > size.y + fabs(q1.y - q0.y) + 2.0 * reach) |
         (fabs(sum.z - q0.z - q1.z) > size.z + fabs(q1.z - q0.z) + 2.0 * reach);
}

static void meet_edge(Look *look, int number, int count, const int *near) {
  const tacSurfaceEdge *edge = &look->a->edges[number];
  const tacSurfaceBoxes *b = look->b;
  const tacVec3 p[2] = {into_b(look, look->a->vertices[edge->vertex[0]]),
                        into_b(look, look->a->vertices[edge->vertex[1]])};
  tacVec3 sum = tac_vec3_add(p[0], p[1]);
  tacVec3 size = tac_vec3(fabs(p[1].x - p[0].x), fabs(p[1].y - p[0].y), fabs(p[1].z - p[0].z));
  Reach reach = reach_around(p[0], p[1], look->margin);
  for (int i = 0; i < count; ++i) {
    if (!leaf_in_reach(look->b, near[i], &reach)) continue;
    const tacSurfaceSlab *slab = tac_surface_boxes_slab(look->b, near[i]);
    double h0 = tac_vec3_dot(slab->normal, p[0]), h1 = tac_vec3_dot(slab->normal, p[1]);
    if (fmin(h0, h1) > slab->high + look->distance || fmax(h0, h1) < slab->low - look->distance) continue;
    if (!tac_surface_boxes_ridge(look->a, number)->sharp) return;
    const tacSurfaceLeaf *leaf = &b->leaves[near[i]];
    for (int k = leaf->edge; k < leaf[1].edge; ++k) {
      const int *q = b->edges[k].vertex;
      if (!boxes_apart(sum, size, b->vertices[q[0]], b->vertices[q[1]], look->distance)) meet_edges(look, number, p, k);
    }
  }
}

/* True if the heights of all corners of a leaf along `normal` are above `high`, or if all heights are below `low`.
 * `normal` is in the frame of the leaf's surface. */
static bool is_beside(const tacSurfaceBoxes *s, int leaf, tacVec3 normal, double low, double high) {
  const int *corners = s->leaf_corners + s->leaves[leaf].corner;
  int count = s->leaves[leaf + 1].corner - s->leaves[leaf].corner;
  bool above = tac_vec3_dot(normal, s->vertices[corners[0]]) > high;
  for (int k = 0; k < count; ++k) {
    double height = tac_vec3_dot(normal, s->vertices[corners[k]]);
    if (!(above ? height > high : height < low)) return false;
  }
  return true;
}

/* True if the slab of one leaf separates this leaf from the other leaf. */
static bool leaves_apart(Look *look, int leaf_a, int leaf_b) {
  const tacSurfaceSlab *slab = tac_surface_boxes_slab(look->b, leaf_b);
  double shift = tac_vec3_dot(slab->normal, look->shift), distance = look->distance;
  tacVec3 normal = turned_back(look, slab->normal);
  if (is_beside(look->a, leaf_a, normal, slab->low - shift - distance, slab->high - shift + distance)) return true;
  slab = tac_surface_boxes_slab(look->a, leaf_a);
  normal = tac_mat3_mul_vec(look->turn, slab->normal);
  shift = tac_vec3_dot(normal, look->shift);
  return is_beside(look->b, leaf_b, normal, slab->low + shift - distance, slab->high + shift + distance);
}

/* Stores a pair of leaves for the second search. The leaves of a near each leaf of b form a chain in the memory of a.
 * The end of this memory lists the leaves of b that have a chain. */
static void chain(Look *look, int leaf_a, int leaf_b) {
  int *room = look->a->near, *head = &look->b->pairs[leaf_b];
  if (look->chains_end - look->chains < 3) look->chained = false;
  if (!look->chained) return;
  if (*head < 0) room[--look->chains_end] = leaf_b;
  room[look->chains] = leaf_a;
  room[look->chains + 1] = *head;
  *head = look->chains;
  look->chains += 2;
}

static void meet_vertices(Look *look, int number, int count, const int *near) {
  const tacSurfaceLeaf *leaf = &look->a->leaves[number];
  for (int k = leaf->vertex; k < leaf[1].vertex; ++k) meet_vertex(look, look->a->leaf_vertices[k], count, near);
}

/* Tests a leaf of a. `near`: children of b's nodes that are leaves; replaced by leaf numbers. */
static void meet_leaf(Look *look, int number, int count, int *near) {
  int left = 0;
  for (int i = 0; i < count; ++i) {
    int leaf = look->b->leaf_of[near[i] / TAC_BOX_TREE_WIDTH][near[i] % TAC_BOX_TREE_WIDTH];
    if (leaves_apart(look, number, leaf)) continue;
    near[left++] = leaf;
    if (!look->turned) chain(look, number, leaf);
  }
  if (left == 0) return;
  meet_vertices(look, number, left, near);
  if (look->turned) return; /* the first search has tested all pairs of edges */
  for (int k = look->a->leaves[number].edge; k < look->a->leaves[number + 1].edge; ++k) meet_edge(look, k, left, near);
}

/* ---- leaves ---- */

static Reach reach_of(const Look *look, const tacBoxTreeNode *node, int c) {
  Reach reach;
  for (int i = 0; i < 3; ++i) {
    reach.centre[i] = look->shift4[i];
    reach.half[i] = look->margin;
    for (int j = 0; j < 3; ++j) {
      reach.centre[i] += look->turn4[i][j] * node->centre[j][c];
      reach.half[i] += look->size4[i][j] * node->half[j][c];
    }
  }
  return reach;
}

/* Selects the children within `reach` from `count` children of b's nodes (4 * node + child). Replaces inner nodes by
 * their children within `reach`, and by leaves if `to_leaves`. Returns the number of entries in `near`. The array
 * `near` may directly follow the array `from`. */
static int narrow(const Look *look, const Reach *reach, int count, const int *from, bool to_leaves, int *near) {
  const tacBoxTreeNode *nodes = look->b->tree->nodes;
  int n = 0;
  for (int i = 0; i < count; ++i) {
    const tacBoxTreeNode *node = &nodes[from[i] / TAC_BOX_TREE_WIDTH];
    int c = from[i] % TAC_BOX_TREE_WIDTH;
    if (node->count[c] > 0) {
      near[n] = from[i];
      n += leaf_in_reach(look->b, look->b->leaf_of[from[i] / TAC_BOX_TREE_WIDTH][c], reach);
      continue;
    }
    int stack[TAC_BOX_TREE_STACK], top = 0;
    stack[top++] = node->first[c];
    while (top > 0) {
      int at = stack[--top];
      unsigned bits = in_reach(&nodes[at], reach);
      for (int k = 0; k < TAC_BOX_TREE_WIDTH; ++k) {
        if ((bits >> k & 1u) == 0) continue;
        if (to_leaves && nodes[at].count[k] == 0)
          stack[top++] = nodes[at].first[k];
        else
          near[n++] = TAC_BOX_TREE_WIDTH * at + k;
      }
    }
  }
  return n;
}

static void meet_node(Look *look, int number, int count, int *near) {
  const tacBoxTreeNode *node = &look->a->tree->nodes[number];
  for (int c = 0; c < TAC_BOX_TREE_WIDTH && node->count[c] >= 0; ++c) {
    Reach reach = reach_of(look, node, c);
    bool leaf = node->count[c] > 0;
    int left = narrow(look, &reach, count, near, leaf, near + count);
    if (left == 0) continue;
    if (leaf)
      meet_leaf(look, look->a->leaf_of[number][c], left, near + count);
    else
      meet_node(look, node->first[c], left, near + count);
  }
}

static void place(Look *look) {
  float size = look->a->extent + look->b->extent;
  for (int i = 0; i < 3; ++i) {
    look->shift4[i] = (float)(i == 0 ? look->shift.x : i == 1 ? look->shift.y : look->shift.z);
    size += fabsf(look->shift4[i]);
    for (int j = 0; j < 3; ++j) {
      look->turn4[i][j] = (float)look->turn.m[i][j];
      look->size4[i][j] = fabsf(look->turn4[i][j]);
    }
  }
  look->rounding = 16.0f * FLT_EPSILON * size;
  look->margin = (float)look->reach * (1.0f + FLT_EPSILON) + look->rounding;
  look->distance = look->reach + 1e-12 * (double)size;
}

static void meet(Look *look) {
  int root_count = 0;
  const tacBoxTreeNode *root = &look->b->tree->nodes[0];
  for (int c = 0; c < TAC_BOX_TREE_WIDTH && root->count[c] >= 0; ++c) look->b->near[root_count++] = c;
  meet_node(look, 0, root_count, look->b->near);
}

/* Does the second search with the chains if they hold all pairs, and clears them. Since a and b are exchanged, a chain
 * lists the leaves of b near a leaf of a. */
static void meet_chained(Look *look) {
  const int *room = look->b->near;
  int *near = look->b->listed;
  for (int i = look->b->near_most - 1; i >= look->chains_end; --i) {
    int count = 0, *head = &look->a->pairs[room[i]];
    for (int at = *head; at >= 0; at = room[at + 1]) near[count++] = room[at];
    *head = -1;
    if (look->chained) meet_vertices(look, room[i], count, near);
  }
  if (!look->chained) meet(look);
}

tacSurfaceFound tac_surface_meeting_find(tacSurfaceBoxes *a, tacSurfaceBoxes *b, const tacSurfaceSearch *search,
                                         int capacity, tacSurfaceCandidate *candidates) {
  Look look = {.a = a, .b = b, .turn = search->turn, .shift = search->shift, .alarm = search->alarm};
  look.depth = search->depth;
  look.reach = fmax(search->alarm, search->depth);
  look.touching = TAC_MEETING_TOUCHING * look.reach;
  look.capacity = capacity;
  look.kept = candidates;
  look.chained = true;
  look.chains_end = a->near_most;
  place(&look);
  meet(&look);
  look.a = b;
  look.b = a;
  look.turned = true;
  look.shift = tac_vec3_scale(-1.0, turned_back(&look, search->shift));
  look.turn = tac_mat3_transpose(search->turn);
  place(&look);
  meet_chained(&look);
  int count = look.found < capacity ? (int)look.found : capacity;
  return (tacSurfaceFound){count, (int)(look.found - count < INT32_MAX ? look.found - count : INT32_MAX)};
}
