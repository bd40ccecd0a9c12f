#include "elastic/boundary/triangle_integral.h"

#include <string.h>
#include "base/memory/owned.h"
#include "math/dense/dense.h"
#include "math/geometry/mat3.h"

bool tac_flat_triangle(const tacVec3 corner[3], tacFlatTriangle *triangle) {
  tacVec3 side[3];
  double longest = 0.0;
  for (int s = 0; s < 3; ++s) {
    triangle->corner[s] = corner[s];
    side[s] = tac_vec3_sub(corner[(s + 1) % 3], corner[s]);
    triangle->side[s] = tac_vec3_norm(side[s]);
    longest = fmax(longest, triangle->side[s]);
  }
  tacVec3 cross = tac_vec3_cross(side[0], side[1]);
  double twice = tac_vec3_norm(cross);
  if (!(twice > 1e-6 * longest * longest) || !isfinite(twice)) return false;
  triangle->area = 0.5 * twice;
  triangle->e[0] = tac_vec3_scale(1.0 / triangle->side[0], side[0]);
  triangle->e[2] = tac_vec3_scale(1.0 / twice, cross);
  triangle->e[1] = tac_vec3_cross(triangle->e[2], triangle->e[0]);
  triangle->centroid = tac_vec3_scale(1.0 / 3.0, tac_vec3_add(corner[0], tac_vec3_add(corner[1], corner[2])));
  triangle->radius = 0.0;
  for (int s = 0; s < 3; ++s) {
    triangle->along[s][0] = tac_vec3_dot(triangle->e[0], side[s]) / triangle->side[s];
    triangle->along[s][1] = tac_vec3_dot(triangle->e[1], side[s]) / triangle->side[s];
    triangle->radius = fmax(triangle->radius, tac_vec3_distance(corner[s], triangle->centroid));
    /* The opposite side turned left by a right angle, over twice the area. */
    double *gradient = triangle->gradient[(s + 2) % 3];
    gradient[0] = -triangle->along[s][1] * triangle->side[s] / twice;
    gradient[1] = triangle->along[s][0] * triangle->side[s] / twice;
  }
  return true;
}

/* ---- closed form ----
 *
 * In the triangle's axes with the origin at the foot of x, r = (rho, d) with d constant, and N = alpha + beta . rho. So all
 * integrands are R^q times a polynomial in rho. With m the outward normal of the contour, the divergence theorem and the
 * gradient of R^q, q rho R^(q-2), give
 *   q \int rho_a f R^(q-2) = \oint m_a f R^q - \int f,a R^q,
 *   (q + 2) \int R^q = q d^2 \int R^(q-2) + sum over sides of h \int R^q,      h = m . rho on the side,
 * (as in Wilton et al. 1984 and Graglia 1993), down to integrals along the sides and the solid angle d \int R^-3. On a side
 * rho = h m + s t, R^2 = P^2 + s^2 with P^2 = h^2 + d^2.
 *
 * Every term is kept with the power of d that makes it bounded, so heights may be arbitrarily small. */

/* Integrals along one side. */
typedef struct {
  double m[2], t[2], h;
  double zero1, one1, two1; /* of 1, s, s^2 over R */
  double length1;           /* of R */
  double zero3, one3, two3; /* of d, d s, d s^2 over R^3; zero where d is */
  double angle;             /* its part of the solid angle */
} Side;

static void integrate_cubes(Side *side, double d, double p2, double s0, double s1, double r0, double r1) {
  double zero, turn = s1 / r1 - s0 / r0; /* zero = turn / P^2, without cancellation where the foot is outside */
  if (s0 >= 0.0)
    zero = 1.0 / (r0 * (r0 + s0)) - 1.0 / (r1 * (r1 + s1));
  else if (s1 <= 0.0)
    zero = 1.0 / (r1 * (r1 - s1)) - 1.0 / (r0 * (r0 - s0));
  else
    zero = turn / p2;
  side->zero3 = d * zero;
  side->one3 = d * (side->one1 / (r0 * r1));
  side->two3 = d * (side->zero1 - turn);
  double height = fabs(d);
  side->angle = atan2(side->h * s1, p2 + height * r1) - atan2(side->h * s0, p2 + height * r0);
}

static Side integrate_side(const tacFlatTriangle *triangle, int index, double rho[3][2], double d) {
  const double *a = rho[index], *b = rho[(index + 1) % 3], *t = triangle->along[index];
  Side side = {.m = {t[1], -t[0]}, .t = {t[0], t[1]}};
  double length = triangle->side[index], s0, s1;
  /* From the nearer end, so that what is small is exact; zero where x is that end. */
  if (a[0] * a[0] + a[1] * a[1] <= b[0] * b[0] + b[1] * b[1]) {
    side.h = side.m[0] * a[0] + side.m[1] * a[1];
    s0 = t[0] * a[0] + t[1] * a[1];
    s1 = s0 + length;
  } else {
    side.h = side.m[0] * b[0] + side.m[1] * b[1];
    s1 = t[0] * b[0] + t[1] * b[1];
    s0 = s1 - length;
  }
  double p2 = side.h * side.h + d * d, r0 = sqrt(p2 + s0 * s0), r1 = sqrt(p2 + s1 * s1);
  /* Infinite where x is on the side or at its end: all finite integrals have a factor zero there. */
  if (s0 >= 0.0)
    side.zero1 = r0 > 0.0 ? log((s1 + r1) / (s0 + r0)) : 0.0;
  else if (s1 <= 0.0)
    side.zero1 = r1 > 0.0 ? log((r0 - s0) / (r1 - s1)) : 0.0;
  else
    side.zero1 = p2 > 0.0 ? log((s1 + r1) / p2 * (r0 - s0)) : 0.0;
  side.one1 = length * ((s0 + s1) / (r0 + r1));
  double moment = s1 * r1 - s0 * r0;
  side.two1 = 0.5 * (moment - p2 * side.zero1);
  side.length1 = 0.5 * (moment + p2 * side.zero1);
  if (d != 0.0) integrate_cubes(&side, d, p2, s0, s1, r0, r1);
  return side;
}

/* Symmetric tensors of the plane: xx xy yy, and xxx xxy xyy yyy. */
typedef struct {
  double zero, one[2], two[3], three[4];
} Moments;

/* All that the kernels need: integrals over the triangle of
 *   1 and rho over R in `r1`; rho, rho rho, rho rho rho over R^3 in `r3` (in r3.zero: d / R^3, the solid angle);
 *   d^3, d^2 rho, d rho rho, d rho rho rho over R^5 in `r5`. */
typedef struct {
  Moments r1, r3, r5;
} PlaneIntegrals;

static PlaneIntegrals integrate_plane(const tacFlatTriangle *triangle, double rho[3][2], double d) {
  PlaneIntegrals p = {0};
  double angle = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Side s = integrate_side(triangle, k, rho, d);
    const double mx = s.m[0], my = s.m[1], tx = s.t[0], ty = s.t[1], h = s.h;
    angle += s.angle;
    p.r1.zero += h * s.zero1;
    p.r1.one[0] += mx * s.length1;
    p.r1.one[1] += my * s.length1;
    p.r3.one[0] -= mx * s.zero1;
    p.r3.one[1] -= my * s.zero1;
    double x = h * mx * s.zero1 + tx * s.one1, y = h * my * s.zero1 + ty * s.one1; /* of rho / R along the side */
    p.r3.two[0] -= mx * x;
    p.r3.two[1] -= mx * y;
    p.r3.two[2] -= my * y;
    double xx = h * mx * (h * mx * s.zero1 + 2.0 * tx * s.one1) + tx * tx * s.two1;
    double yy = h * my * (h * my * s.zero1 + 2.0 * ty * s.one1) + ty * ty * s.two1;
    p.r3.three[0] -= mx * xx;
    p.r3.three[1] -= my * xx;
    p.r3.three[2] -= mx * yy;
    p.r3.three[3] -= my * yy;
    if (d == 0.0) continue;
    p.r5.zero += h * s.zero3;
    p.r5.one[0] -= d * mx * s.zero3;
    p.r5.one[1] -= d * my * s.zero3;
    x = h * mx * s.zero3 + tx * s.one3;
    y = h * my * s.zero3 + ty * s.one3;
    p.r5.two[0] -= mx * x;
    p.r5.two[1] -= mx * y;
    p.r5.two[2] -= my * y;
    xx = h * mx * (h * mx * s.zero3 + 2.0 * tx * s.one3) + tx * tx * s.two3;
    yy = h * my * (h * my * s.zero3 + 2.0 * ty * s.one3) + ty * ty * s.two3;
    p.r5.three[0] -= mx * xx;
    p.r5.three[1] -= my * xx;
    p.r5.three[2] -= mx * yy;
    p.r5.three[3] -= my * yy;
  }
  p.r1.zero -= fabs(d) * angle;
  p.r3.zero = copysign(angle, d);
  p.r3.two[0] += p.r1.zero;
  p.r3.two[2] += p.r1.zero;
  p.r3.three[0] += 2.0 * p.r1.one[0];
  p.r3.three[3] += 2.0 * p.r1.one[1];
  p.r5.zero += p.r3.zero;
  p.r5.two[0] += p.r3.zero;
  p.r5.two[2] += p.r3.zero;
  p.r5.three[0] += 2.0 * d * p.r3.one[0];
  p.r5.three[3] += 2.0 * d * p.r3.one[1];
  double *r5 = &p.r5.zero;
  for (size_t i = 0; i < sizeof p.r5 / sizeof *r5; ++i) r5[i] /= 3.0;
  return p;
}

/* Times N = alpha + beta . rho; `more` is the factor d that m->one and m->two may differ by. */
static void contract(const Moments *m, double alpha, const double beta[2], double more, double one[2], double two[3]) {
  one[0] = alpha * m->one[0] + more * (beta[0] * m->two[0] + beta[1] * m->two[1]);
  one[1] = alpha * m->one[1] + more * (beta[0] * m->two[1] + beta[1] * m->two[2]);
  for (int i = 0; i < 3; ++i) two[i] = alpha * m->two[i] + beta[0] * m->three[i] + beta[1] * m->three[i + 1];
}

/* scale E^T L E, where the rows of E are the axes. */
static void turn(tacMat3 axes, double scale, tacMat3 local, double result[3][3]) {
  tacMat3 turned = tac_mat3_mul(tac_mat3_transpose(axes), tac_mat3_mul(tac_mat3_scale(scale, local), axes));
  memcpy(result, turned.m, sizeof turned.m);
}

void tac_triangle_integral_closed(const tacKelvin *kelvin, const tacFlatTriangle *triangle, tacVec3 x, bool in_plane,
                                  tacKelvinIntegral *integral) {
  const double c = 1.0 - 2.0 * kelvin->poisson, c4 = 3.0 - 4.0 * kelvin->poisson;
  double rho[3][2], distance2[3], d = 0.0, least = INFINITY;
  for (int a = 0; a < 3; ++a) {
    tacVec3 r = tac_vec3_sub(triangle->corner[a], x);
    rho[a][0] = tac_vec3_dot(triangle->e[0], r);
    rho[a][1] = tac_vec3_dot(triangle->e[1], r);
    distance2[a] = tac_vec3_norm2(r);
    if (distance2[a] < least && !in_plane) { /* the nearest corner gives the height with the least rounding */
      least = distance2[a];
      d = tac_vec3_dot(triangle->e[2], r);
    }
  }
  const PlaneIntegrals p = integrate_plane(triangle, rho, d);
  const tacMat3 axes = tac_mat3_transpose(tac_mat3_from_columns(triangle->e[0], triangle->e[1], triangle->e[2]));
  for (int a = 0; a < 3; ++a) {
    /* N_a is zero at the other corners; from the nearer one alpha is exactly zero where x is that corner. */
    int b = (a + 1) % 3, other = (a + 2) % 3;
    if (distance2[other] < distance2[b]) b = other;
    const double *beta = triangle->gradient[a];
    double alpha = -(beta[0] * rho[b][0] + beta[1] * rho[b][1]);
    double one3[2], two3[3], one5[2], two5[3];
    contract(&p.r3, alpha, beta, 1.0, one3, two3);
    contract(&p.r5, alpha, beta, d, one5, two5);
    double zero1 = alpha * p.r1.zero + beta[0] * p.r1.one[0] + beta[1] * p.r1.one[1];
    double zero3 = alpha * p.r3.zero + d * (beta[0] * p.r3.one[0] + beta[1] * p.r3.one[1]);
    double zero5 = alpha * p.r5.zero + d * (beta[0] * p.r5.one[0] + beta[1] * p.r5.one[1]);
    tacMat3 u = {{{c4 * zero1 + two3[0], two3[1], d * one3[0]},
                  {two3[1], c4 * zero1 + two3[2], d * one3[1]},
                  {d * one3[0], d * one3[1], c4 * zero1 + d * zero3}}};
    tacMat3 t = {{{c * zero3 + 3.0 * two5[0], 3.0 * two5[1], 3.0 * one5[0] - c * one3[0]},
                  {3.0 * two5[1], c * zero3 + 3.0 * two5[2], 3.0 * one5[1] - c * one3[1]},
                  {3.0 * one5[0] + c * one3[0], 3.0 * one5[1] + c * one3[1], c * zero3 + 3.0 * zero5}}};
    turn(axes, kelvin->u, u, integral->u[a]);
    turn(axes, -kelvin->t, t, integral->t[a]);
  }
}

/* ---- Gauss rules ---- */

/* Points in [-1, 1] and weights for the weight function (1 - x)^power, power 0 or 1, as eigenvalues of the tridiagonal
 * matrix of the recurrence of Legendre's or Jacobi's polynomials (Golub and Welsch 1969). */
static tacStatus fill_line_rule(int count, int power, double *place, double *weight, tacError *error) {
  TAC_FREED(tac_dense_destroy, tacDense, matrix) = {0};
  TAC_TRY(tac_dense_create(count, count, &matrix, error));
  for (int k = 0; k < count; ++k) {
    double *column = tac_dense_column(&matrix, k);
    column[k] = power == 0 ? 0.0 : -1.0 / ((2.0 * k + 1.0) * (2.0 * k + 3.0));
    double j = k + 1.0;
    if (k + 1 < count) column[k + 1] = power == 0 ? j / sqrt(4.0 * j * j - 1.0) : sqrt(j * (j + 1.0)) / (2.0 * j + 1.0);
  }
  TAC_TRY(tac_dense_eigen(&matrix, place, error));
  for (int k = 0; k < count; ++k) {
    double first = tac_dense_column(&matrix, k)[0];
    weight[k] = 2.0 * first * first; /* both weight functions have the integral 2 */
  }
  return TAC_OK;
}

/* The square [0, 1]^2 collapsed onto the triangle: N_1 = u, N_2 = (1 - u) v, with the weight 1 - u. */
static tacStatus fill_rule(int n, double reach, tacTriangleRule *rule, tacError *error) {
  double u[8], v[8], wu[8], wv[8];
  TAC_TRY(fill_line_rule(n, 1, u, wu, error));
  TAC_TRY(fill_line_rule(n, 0, v, wv, error));
  rule->reach = reach;
  rule->count = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double *shape = rule->shape[rule->count], *weight = rule->weight[rule->count++];
      double x = 0.5 * (1.0 + u[i]), y = 0.5 * (1.0 + v[j]);
      shape[0] = (1.0 - x) * (1.0 - y);
      shape[1] = x;
      shape[2] = (1.0 - x) * y;
      for (int a = 0; a < 3; ++a) weight[a] = 0.25 * wu[i] * wv[j] * shape[a];
    }
  return TAC_OK;
}

tacStatus tac_triangle_rules_fill(tacTriangleRules *rules, tacError *error) {
  static const int n[TAC_TRIANGLE_RULE_COUNT] = {3, 4, 5, 6, 8};
  static const double reach[TAC_TRIANGLE_RULE_COUNT] = {36.0, 12.0, 6.5, 4.0, 3.0};
  for (int i = 0; i < TAC_TRIANGLE_RULE_COUNT; ++i) TAC_TRY(fill_rule(n[i], reach[i], &rules->rule[i], error));
  return TAC_OK;
}

#define LANES TAC_TRIANGLE_BATCH
/* Integrands without N: r r / R^3 (xx yy zz yz zx xy), r r / R^5, r / R^3. 1/R and 1/R^3 are the traces. */
#define TERMS 15

void tac_triangle_integral_batch(const tacKelvin *kelvin, const tacTriangleRule *rule,
                                 const tacFlatTriangle *const triangle[LANES], tacVec3 x,
                                 tacKelvinIntegral integral[LANES]) {
  double corner[3][3][LANES];
  for (int l = 0; l < LANES; ++l)
    for (int a = 0; a < 3; ++a) {
      tacVec3 r = tac_vec3_sub(triangle[l]->corner[a], x);
      corner[a][0][l] = r.x;
      corner[a][1][l] = r.y;
      corner[a][2][l] = r.z;
    }
  double term[TERMS][TAC_TRIANGLE_RULE_MOST][LANES];
  for (int q = 0; q < rule->count; ++q) {
    const double *n = rule->shape[q];
    for (int l = 0; l < LANES; ++l) {
      double rx = n[0] * corner[0][0][l] + n[1] * corner[1][0][l] + n[2] * corner[2][0][l];
      double ry = n[0] * corner[0][1][l] + n[1] * corner[1][1][l] + n[2] * corner[2][1][l];
      double rz = n[0] * corner[0][2][l] + n[1] * corner[1][2][l] + n[2] * corner[2][2][l];
      double inverse2 = 1.0 / (rx * rx + ry * ry + rz * rz), inverse3 = inverse2 * sqrt(inverse2);
      double sx = rx * inverse3, sy = ry * inverse3, sz = rz * inverse3;
      double xx = rx * sx, yy = ry * sy, zz = rz * sz, yz = ry * sz, zx = rz * sx, xy = rx * sy;
      term[0][q][l] = xx;
      term[1][q][l] = yy;
      term[2][q][l] = zz;
      term[3][q][l] = yz;
      term[4][q][l] = zx;
      term[5][q][l] = xy;
      term[6][q][l] = xx * inverse2;
      term[7][q][l] = yy * inverse2;
      term[8][q][l] = zz * inverse2;
      term[9][q][l] = yz * inverse2;
      term[10][q][l] = zx * inverse2;
      term[11][q][l] = xy * inverse2;
      term[12][q][l] = sx;
      term[13][q][l] = sy;
      term[14][q][l] = sz;
    }
  }
  double sum[3][TERMS][LANES];
  for (int k = 0; k < TERMS; ++k) {
    double a[LANES] = {0}, b[LANES] = {0}, c[LANES] = {0};
    for (int q = 0; q < rule->count; ++q) {
      const double *weight = rule->weight[q];
      for (int l = 0; l < LANES; ++l) {
        a[l] += weight[0] * term[k][q][l];
        b[l] += weight[1] * term[k][q][l];
        c[l] += weight[2] * term[k][q][l];
      }
    }
    memcpy(sum[0][k], a, sizeof a);
    memcpy(sum[1][k], b, sizeof b);
    memcpy(sum[2][k], c, sizeof c);
  }
  static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  const double c = 1.0 - 2.0 * kelvin->poisson, c4 = 3.0 - 4.0 * kelvin->poisson;
  for (int l = 0; l < LANES; ++l) {
    const tacVec3 n = triangle[l]->e[2];
    const double normal[3] = {n.x, n.y, n.z}, u = kelvin->u * triangle[l]->area, t = -kelvin->t * triangle[l]->area;
    double d = normal[0] * corner[0][0][l] + normal[1] * corner[0][1][l] + normal[2] * corner[0][2][l];
    for (int a = 0; a < 3; ++a) {
      double(*s)[LANES] = sum[a];
      double trace1 = c4 * (s[0][l] + s[1][l] + s[2][l]), trace3 = d * c * (s[6][l] + s[7][l] + s[8][l]);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          int k = place[i][j];
          integral[l].u[a][i][j] = u * ((i == j ? trace1 : 0.0) + s[k][l]);
          integral[l].t[a][i][j] = t * ((i == j ? trace3 : 0.0) + 3.0 * d * s[6 + k][l] -
                                        c * (s[12 + i][l] * normal[j] - s[12 + j][l] * normal[i]));
        }
    }
  }
}

/* ---- stress ---- */

/* A part of a triangle: the corners' shape functions at its corners, and its share of the area. */
typedef struct {
  double shape[3][3], share;
} Part;

static tacVec3 place_in(const tacFlatTriangle *triangle, const double shape[3]) {
  const tacVec3 *c = triangle->corner;
  return tac_vec3_mad(tac_vec3_mad(tac_vec3_scale(shape[0], c[0]), shape[1], c[1]), shape[2], c[2]);
}

static void mix(const Part *part, const double weight[3], double shape[3]) {
  for (int a = 0; a < 3; ++a)
    shape[a] = weight[0] * part->shape[0][a] + weight[1] * part->shape[1][a] + weight[2] * part->shape[2][a];
}

static void add_part(const tacKelvin *kelvin, const tacTriangleRule *rule, const tacFlatTriangle *triangle, tacVec3 x,
                     const Part *part, tacStressIntegral *integral) {
  for (int q = 0; q < rule->count; ++q) {
    double shape[3], d[6][3], s[6][3];
    mix(part, rule->shape[q], shape);
    double weight = triangle->area * part->share * (rule->weight[q][0] + rule->weight[q][1] + rule->weight[q][2]);
    tacVec3 r = tac_vec3_sub(place_in(triangle, shape), x);
    tac_kelvin_stress_of_traction(kelvin, r, d);
    tac_kelvin_stress_of_displacement(kelvin, r, triangle->e[2], s);
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 3; ++j) {
          integral->d[a][i][j] += weight * shape[a] * d[i][j];
          integral->s[a][i][j] += weight * shape[a] * s[i][j];
        }
  }
}

void tac_triangle_integral_stress(const tacKelvin *kelvin, const tacTriangleRules *rules,
                                  const tacFlatTriangle *triangle, tacVec3 x, tacStressIntegral *integral) {
  enum { DEPTH = 40 };
  static const double third[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  const tacTriangleRule *rule = &rules->rule[TAC_TRIANGLE_RULE_COUNT - 1];
  memset(integral, 0, sizeof *integral);
  Part stack[3 * DEPTH + 4] = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, 1.0}};
  int top = 1;
  const double least = pow(4.0, -DEPTH);
  while (top > 0) {
    const Part part = stack[--top];
    double shape[3], radius = triangle->radius * sqrt(part.share);
    mix(&part, third, shape);
    double distance = tac_vec3_distance(place_in(triangle, shape), x);
    if (distance > rule->reach * radius || part.share <= least) {
      add_part(kelvin, rule, triangle, x, &part, integral);
      continue;
    }
    /* Quarters: three at the corners, and the one between the middles of the sides. */
    Part middle = {.share = 0.25 * part.share};
    for (int c = 0; c < 3; ++c) {
      Part *corner = &stack[top++];
      corner->share = middle.share;
      for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) corner->shape[b][a] = 0.5 * (part.shape[c][a] + part.shape[b][a]);
      memcpy(middle.shape[c], corner->shape[(c + 1) % 3], sizeof middle.shape[c]);
    }
    stack[top++] = middle;
  }
}
