#include "mesh/query/triangle_pair.h"

#include "math/geometry/vec3.h"
#include "mesh/query/orientation.h"

static bool same_place(tacVec3 a, tacVec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void drop_axis(tacVec3 p, int axis, double flat[2]) {
  flat[0] = axis == 0 ? p.y : p.x;
  flat[1] = axis == 2 ? p.y : p.z;
}

/* The closed triangle `t` of the plane, which runs in the direction `turn`, contains p. */
static bool flat_triangle_contains(double t[3][2], int turn, const double p[2]) {
  for (int i = 0; i < 3; ++i) {
    if (turn * tac_orientation_of_triangle(t[i], t[(i + 1) % 3], p) < 0) return false;
  }
  return true;
}

static bool between(double a, double b, double x) {
  return (a <= x && x <= b) || (b <= x && x <= a);
}

static bool flat_segments_intersect(const double p[2], const double q[2], const double r[2], const double s[2]) {
  int pq_r = tac_orientation_of_triangle(p, q, r), pq_s = tac_orientation_of_triangle(p, q, s);
  int rs_p = tac_orientation_of_triangle(r, s, p), rs_q = tac_orientation_of_triangle(r, s, q);
  if (pq_r * pq_s < 0 && rs_p * rs_q < 0) return true;
  if (pq_r == 0 && between(p[0], q[0], r[0]) && between(p[1], q[1], r[1])) return true;
  if (pq_s == 0 && between(p[0], q[0], s[0]) && between(p[1], q[1], s[1])) return true;
  if (rs_p == 0 && between(r[0], s[0], p[0]) && between(r[1], s[1], p[1])) return true;
  return rs_q == 0 && between(r[0], s[0], q[0]) && between(r[1], s[1], q[1]);
}

/* Segment and triangle in one plane, projected along an axis that keeps the triangle's area. */
static bool coplanar_segment_intersects(const tacVec3 t[3], tacVec3 p, tacVec3 q) {
  for (int axis = 0; axis < 3; ++axis) {
    double flat[3][2], flat_p[2], flat_q[2];
    for (int i = 0; i < 3; ++i) drop_axis(t[i], axis, flat[i]);
    int turn = tac_orientation_of_triangle(flat[0], flat[1], flat[2]);
    if (turn == 0) continue;
    drop_axis(p, axis, flat_p);
    drop_axis(q, axis, flat_q);
    if (flat_triangle_contains(flat, turn, flat_p)) return true;
    for (int i = 0; i < 3; ++i) {
      if (flat_segments_intersect(flat_p, flat_q, flat[i], flat[(i + 1) % 3])) return true;
    }
    return false;
  }
  return false;
}

/* The closed segment p q meets the closed triangle; `side_p` and `side_q` say on which side of its plane the ends are. */
static bool segment_intersects(const tacVec3 t[3], tacVec3 p, tacVec3 q, int side_p, int side_q) {
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return coplanar_segment_intersects(t, p, q);
  int lowest = 1, highest = -1;
  for (int i = 0; i < 3; ++i) {
    int turn = tac_orientation_of_tet(p, q, t[i], t[(i + 1) % 3]);
    if (turn < lowest) lowest = turn;
    if (turn > highest) highest = turn;
    if (lowest * highest < 0) return false;
  }
  return true;
}

static void sides_of_plane(const tacVec3 t[3], const tacVec3 points[3], int side[3]) {
  for (int i = 0; i < 3; ++i) side[i] = tac_orientation_of_tet(t[0], t[1], t[2], points[i]);
}

static bool apart(const int side[3]) {
  return (side[0] > 0 && side[1] > 0 && side[2] > 0) || (side[0] < 0 && side[1] < 0 && side[2] < 0);
}

/* Triangles without a common corner meet where an edge of one meets the other. */
static bool disjoint_corners_intersect(const tacVec3 a[3], const tacVec3 b[3]) {
  int side_of_a[3], side_of_b[3]; /* of b's corners, of a's corners */
  sides_of_plane(a, b, side_of_a);
  if (apart(side_of_a)) return false;
  sides_of_plane(b, a, side_of_b);
  if (apart(side_of_b)) return false;
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3;
    if (segment_intersects(a, b[i], b[j], side_of_a[i], side_of_a[j])) return true;
    if (segment_intersects(b, a[i], a[j], side_of_b[i], side_of_b[j])) return true;
  }
  return false;
}

bool tac_triangle_intersects_segment(const tacVec3 t[3], tacVec3 p, tacVec3 q) {
  int side_p = tac_orientation_of_tet(t[0], t[1], t[2], p);
  int side_q = tac_orientation_of_tet(t[0], t[1], t[2], q);
  return segment_intersects(t, p, q, side_p, side_q);
}

static bool opposite_edge_intersects(const tacVec3 t[3], const tacVec3 other[3], int corner) {
  return tac_triangle_intersects_segment(t, other[(corner + 1) % 3], other[(corner + 2) % 3]);
}

/* Triangles with the common edge p q and the third corners r and s. */
static bool folded(tacVec3 p, tacVec3 q, tacVec3 r, tacVec3 s) {
  tacVec3 edge = tac_vec3_sub(q, p);
  tacVec3 m = tac_vec3_cross(edge, tac_vec3_sub(r, p)), n = tac_vec3_cross(edge, tac_vec3_sub(s, p));
  double cosine = tac_vec3_dot(m, n);
  return cosine > 0.0 && tac_vec3_norm(tac_vec3_cross(m, n)) <= 1e-9 * cosine;
}

bool tac_triangle_pair_intersects(const tacVec3 a[3], const tacVec3 b[3]) {
  int shared = 0, sum_a = 0, sum_b = 0, corner_a = 0, corner_b = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (!same_place(a[i], b[j])) continue;
      ++shared;
      sum_a += i;
      sum_b += j;
      corner_a = i;
      corner_b = j;
    }
  }
  switch (shared) {
    case 0: return disjoint_corners_intersect(a, b);
    case 1:
      /* The intersection is convex: if it is more than the common corner, a ray from there stays in it until it leaves one
       * of the triangles through the edge opposite. */
      return opposite_edge_intersects(a, b, corner_b) || opposite_edge_intersects(b, a, corner_a);
    case 2: return folded(a[(4 - sum_a) % 3], a[(5 - sum_a) % 3], a[3 - sum_a], b[3 - sum_b]);
    default: return true;
  }
}
