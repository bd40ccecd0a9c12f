#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/body.h>
#include <tactus/distance_field.h>

#include "asset/deformed_domain.h"
#include "asset/deformed_field.h"
#include "asset/deformed_pose.h"
#include "asset/load_bases.h"
#include "asset/near_proxies.h"
#include "asset/proxy_map.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/dense/vector.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacDeformedPose, tac_deformed_pose_destroy)

#define FARTHEST 1e4    /* m: no reach is told beyond */
#define TOUCHING (-1.0) /* a reach less than any radius: something may be in contact */

/* In spacings of proxies: how far places may be apart that have a list of proxies in common, and how far beyond them
 * the list holds. Larger: fewer lists, but longer ones. Where a list tells less than ENOUGH of what is asked beyond the
 * radius, another is made. For a few places none is made: all proxies are measured. */
#define WIDEST 1.0
#define ROOM 0.25
#define ENOUGH 0.5
enum { FEW = 2 };

/* ---- a moment ---- */

typedef struct {
  tacProxyMap *proxies;
  tacProxyList all;
  double spacing; /* m: of proxies at rest, roughly */
} DomainPose;

struct tacDeformedPose {
  tacArrays arrays; /* of the domains */
  const tacDeformedField *field;
  tacVec3 centre; /* of a ball that holds every place where a value can be negative */
  double radius;
  DomainPose domains[TAC_DEFORMED_DOMAINS];
  tacLoadBases *bases; /* NULL: the body at rest is the only base */
};

/* A ball of material places. */
typedef struct {
  tacVec3 centre;
  double radius;
} MaterialBall;

/* What holds the solid as proxy i has it: of the domain at rest, or of a deformation that takes part. */
static MaterialBall ball_at_rest(const tacDeformedDomain *domain) {
  return (MaterialBall){domain->centre, domain->radius};
}
static MaterialBall ball_of_load(const tacDeformedPose *pose, int slot, int index) {
  const tacLoadMap *map = &pose->bases->active[slot]->maps[index];
  return (MaterialBall){map->centre, map->radius};
}
static int load_count(const tacDeformedPose *pose) {
  return pose->bases != NULL ? pose->bases->count : 0;
}

static void bound_image(tacDeformedPose *pose, const tacDeformedDomain *domain, int index, const tacProxyMap *proxy,
                        MaterialBall ball, tacBox *box) {
  tacVec3 centre = tac_proxy_map_image(domain, proxy, index, ball.centre);
  if (box != NULL)
    *box = tac_box_add(*box, centre);
  else if (!proxy->sound)
    pose->radius = INFINITY;
  else
    pose->radius = fmax(pose->radius, tac_vec3_distance(centre, pose->centre) +
                                          tac_proxy_map_norm(proxy->f) * ball.radius * (1.0 + 1e-12));
}

/* The ball around the images, under each proxy, of the balls that hold the domain's solid. Without bound where a
 * proxy's F is not what it inverts. */
static void bound_images(tacDeformedPose *pose) {
  tacBox box = tac_box_empty();
  pose->radius = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int d = 0; d < pose->field->domain_count; ++d) {
      const tacDeformedDomain *domain = &pose->field->domains[d];
      for (int i = 0; i < domain->count; ++i) {
        const tacProxyMap *proxy = &pose->domains[d].proxies[i];
        bound_image(pose, domain, i, proxy, ball_at_rest(domain), pass == 0 ? &box : NULL);
        for (int s = 0; s < load_count(pose); ++s)
          bound_image(pose, domain, i, proxy, ball_of_load(pose, s, i), pass == 0 ? &box : NULL);
      }
    }
    if (pass == 0) pose->centre = tac_box_centre(box);
  }
}

/* How far certificates of a proxy reach less than before. tac_deformed_pose_look tells of each proxy i the larger of
 * two bounds: how far x is from places where i takes part in the value, R_i, and from those where its own value is
 * negative, N_i.
 *
 * R_i is made of distances to proxies, and becomes smaller by no more than the largest motion of any proxy (see there).
 *
 * N_i is the image of the solid N under X -> p + F (X - P). A place of the new image lies from that of the same X in
 * the old one by |dp + dF (X - P)| <= |dp + dF (C - P)| + |dF| rho, where the ball of C and rho holds N. So distances
 * to N_i become smaller by no more than that. Where F is not inverted as it is, N_i can be anything: no bound by it is
 * told, and none can be lost; where it becomes so, all may be.
 *
 * With loads the solid is another in each deformation that takes part, N_is, in material places as the proxy has them
 * then, and reaches are told of all of them: the most that any loses. Weights do not matter. One that did not take part
 * before was not asked: all may be lost. */
static double lost_reach(const tacDeformedDomain *domain, int index, const tacProxyMap *before, const tacProxyMap *now,
                         MaterialBall ball) {
  double moved = tac_vec3_distance(before->at, now->at);
  if (!before->sound) return moved;
  if (!now->sound) return FARTHEST;
  tacMat3 change = tac_mat3_sub(now->f, before->f);
  tacVec3 centre = tac_vec3_sub(tac_proxy_map_image(domain, now, index, ball.centre),
                                tac_proxy_map_image(domain, before, index, ball.centre));
  return fmax(moved, tac_vec3_norm(centre) + tac_proxy_map_norm(change) * ball.radius);
}

/* From reaches of the deformations that take part to those here: |F* G| is how fast a place moves there. */
static void turn_loads(tacDeformedPose *pose, int index) {
  const tacProxyMap *proxy = &pose->domains[0].proxies[index];
  for (int s = 0; s < load_count(pose); ++s) {
    const tacMat3 f = pose->bases->active[s]->maps[index].f;
    pose->bases->to_reaches[s * pose->bases->proxies + index] =
        proxy->sound ? (1.0 - 1e-12) / tac_proxy_map_norm(tac_mat3_mul(f, proxy->inverse)) : 0.0;
  }
}

double tac_deformed_pose_set(tacDeformedPose *pose, const double *q) {
  const tacDeformedField *field = pose->field;
  double lost = pose->bases != NULL && tac_load_bases_set(pose->bases, q) ? FARTHEST : 0.0;
  for (int d = 0; d < field->domain_count; ++d)
    for (int i = 0; i < field->domains[d].count; ++i) {
      tacProxyMap now = tac_proxy_map_at(&field->domains[d], field->r, i, q), *proxy = &pose->domains[d].proxies[i];
      lost = fmax(lost, lost_reach(&field->domains[d], i, proxy, &now, ball_at_rest(&field->domains[d])));
      for (int s = 0; s < load_count(pose); ++s)
        lost = fmax(lost, lost_reach(&field->domains[d], i, proxy, &now, ball_of_load(pose, s, i)));
      *proxy = now;
      pose->domains[d].all.at[i] = now.at;
      turn_loads(pose, i);
    }
  bound_images(pose);
  return fmin(lost * (1.0 + 1e-12), FARTHEST);
}

const tacLoadField *tac_deformed_pose_loads(const tacDeformedPose *pose) {
  return pose->bases != NULL ? pose->bases->field : NULL;
}

const tacDeformedField *tac_deformed_pose_field(const tacDeformedPose *pose) {
  return pose->field;
}

void tac_deformed_pose_destroy(tacDeformedPose *pose) {
  if (pose == NULL) return;
  tac_load_bases_destroy(pose->bases);
  tac_arrays_free(&pose->arrays);
  free(pose);
}

tacStatus tac_deformed_pose_create(const tacDeformedField *field, tacDeformedPose **result, tacError *error) {
  return tac_deformed_pose_create_loaded(field, NULL, result, error);
}

tacStatus tac_deformed_pose_create_loaded(const tacDeformedField *field, const tacLoadField *loads,
                                          tacDeformedPose **result, tacError *error) {
  *result = NULL;
  TAC_OWN(tacDeformedPose, pose) = NULL;
  TAC_TRY(TAC_ARRAY(pose, 1, "a deformed field", error));
  pose->field = field;
  if (loads != NULL) TAC_TRY(tac_load_bases_create(loads, field, &pose->bases, error));
  for (int d = 0; d < field->domain_count; ++d) {
    DomainPose *at = &pose->domains[d];
    size_t count = (size_t)field->domains[d].count;
    at->proxies = tac_arrays_add(&pose->arrays, count, sizeof *at->proxies);
    at->all.index = tac_arrays_add(&pose->arrays, count, sizeof *at->all.index);
    at->all.at = tac_arrays_add(&pose->arrays, count, sizeof *at->all.at);
    TAC_TRY(tac_arrays_status(&pose->arrays, "proxies", error));
    tacBox box = tac_box_empty();
    for (; at->all.count < field->domains[d].count; ++at->all.count) {
      at->all.index[at->all.count] = at->all.count;
      box = tac_box_add(box, field->domains[d].positions[at->all.count]);
    }
    at->spacing = tac_vec3_distance(box.lower, box.upper) / sqrt((double)at->all.count);
  }
  const double rest[TAC_BODY_MOST_COORDINATES] = {0.0};
  tac_deformed_pose_set(pose, rest);
  *result = tac_give(&pose);
  return TAC_OK;
}

/* ---- values ---- */

static int neighbour_count(const tacDeformedPose *pose, int d) {
  int k = pose->field->nearest, count = pose->field->domains[d].count;
  return k < count ? k : count;
}

/* Farther away floats overflow, and nothing is. */
static bool is_place(tacVec3 x) {
  return fabs(x.x) + fabs(x.y) + fabs(x.z) < 1e15;
}

static inline tacVec3 pull_back(const tacProxyMap *proxy, tacVec3 x) {
  return tac_vec3_add(proxy->origin, tac_mat3_mul_vec(proxy->inverse, x));
}

static inline bool inside(tacBox box, tacVec3 p) {
  return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y && p.z >= box.lower.z &&
         p.z <= box.upper.z;
}

static double rest_gradient(const tacDeformedDomain *domain, tacVec3 p, tacVec3 *gradient) {
  if (__builtin_expect(inside(domain->box, p), 1)) return tac_distance_field_gradient(domain->field, p, gradient);
  tacVec3 q = tac_vec3_min(tac_vec3_max(p, domain->box.lower), domain->box.upper), out = tac_vec3_sub(p, q);
  double away = tac_vec3_norm(out), value = tac_distance_field_gradient(domain->field, q, gradient) - away;
  tacVec3 direction = tac_vec3_unit(out);
  if (value > away + domain->boundary) {
    /* q moves along with p where p is between the box's faces. */
    tacVec3 along =
        tac_vec3(out.x == 0.0 ? gradient->x : 0.0, out.y == 0.0 ? gradient->y : 0.0, out.z == 0.0 ? gradient->z : 0.0);
    *gradient = tac_vec3_sub(along, direction);
    return value;
  }
  *gradient = direction;
  return away + domain->boundary;
}

/* Where places are at rest. The field there is not continuous at its box. Outside, the larger of two bounds of the
 * distance is taken, d(nearest place of the box) - d_box and d_box + d_boundary (3.14), which on the box is the field's
 * own value. */
typedef struct {
  int count;
  tacVec3 at[TAC_NEAR_POOL];  /* the nearest place of the box */
  double away[TAC_NEAR_POOL]; /* d_box squared */
} Rest;

static inline void add_rest(const tacDeformedDomain *domain, const DomainPose *at, int count, const int *index,
                            tacVec3 x, Rest *rest) {
  const tacBox box = domain->box;
  tacVec3 *places = rest->at + rest->count;
  double *away = rest->away + rest->count;
  for (int i = 0; i < count; ++i) {
    tacVec3 p = pull_back(&at->proxies[index[i]], x);
    tacVec3 q = tac_vec3_min(tac_vec3_max(p, box.lower), box.upper);
    places[i] = q;
    away[i] = tac_vec3_norm2(tac_vec3_sub(p, q));
  }
  rest->count += count;
}

static void rest_values(const tacDeformedDomain *domain, const Rest *rest, double *values) {
  double farthest = 0.0;
  tac_distance_field_values(domain->field, rest->count, rest->at, values);
  for (int i = 0; i < rest->count; ++i) farthest = fmax(rest->away[i], farthest);
  for (int i = 0; farthest > 0.0 && i < rest->count; ++i) {
    double away = sqrt(rest->away[i]);
    if (away > 0.0) values[i] = fmax(values[i] - away, away + domain->boundary);
  }
}

/* See looks below. */
static inline double own_reach(const tacDeformedDomain *domain, const tacProxyMap *proxy, double value) {
  return tac_field_reach_at(&domain->reach, value) * proxy->to_reaches;
}

/* Own values of proxies with loads, and how far away negative ones are at least: those of the body at rest and of all
 * deformations that take part, each where its proxies have the material place that x has now. So in a deformation that
 * was baked it is the distance that was baked, and elsewhere proxies only bridge the way from it. */
static void loaded_values(const tacDeformedPose *pose, const Rest *rest, const int *index, const tacVec3 *material,
                          double *values, double *reaches) {
  const tacDeformedDomain *domain = &pose->field->domains[0];
  const double weight = pose->bases->rest;
  if (weight > 0.0) rest_values(domain, rest, values);
  for (int i = 0; i < rest->count; ++i) {
    reaches[i] = weight > 0.0 ? own_reach(domain, &pose->domains[0].proxies[index[i]], values[i]) : INFINITY;
    values[i] = weight > 0.0 ? weight * values[i] : 0.0;
  }
  tac_load_bases_add(pose->bases, domain->positions, rest->count, index, material, values, reaches);
}

/* (3.16), (3.17). With f_0 the value of the nearest proxy, and all weights times s = d_min, so that s = 0 does no harm:
 * d = f_0 + sum s a_i (f_i - f_0) / W, s a_i = s / d_i - s / rho, W = 1 - s / rho + sum s a_i over the others,
 * W >= 1 - 1 / TAC_PROXY_TIE. */
static double mix(const tacNearProxies *taking, int place) {
  const double tiny = 1e-300, least = taking->least[place]; /* tiny: quotients stay finite */
  const double *squared = taking->squared, *values = taking->values;
  const int first = taking->first[place];
  double at_most = sqrt(least / fmax(taking->most[place], tiny)), weights = 1.0 - at_most, sum = 0.0;
  for (int i = first + 1; i < taking->first[place + 1]; ++i) {
    double weight = sqrt(least / fmax(squared[i], tiny)) - at_most;
    weights += weight;
    sum += weight * (values[i] - values[first]);
  }
  return values[first] + sum / weights;
}

/* Finds what takes part at places from the first on, as many as there is room for. Returns their number. */
static int take_places(const tacDeformedPose *pose, int d, const tacProxyList *list, int count, const tacVec3 *x,
                       tacNearProxies *taking) {
  const tacDeformedDomain *domain = &pose->field->domains[d];
  const DomainPose *at = &pose->domains[d];
  const int k = neighbour_count(pose, d);
  Rest rest;
  int taken = 0;
  rest.count = taking->first[0] = 0;
  while (taken < count && taken < TAC_NEAR_PLACES && rest.count + 2 * list->count <= TAC_NEAR_POOL) {
    const int two = taken + 1 < count && taken + 1 < TAC_NEAR_PLACES ? 2 : 1;
    tac_near_proxies_add(list, k, two, x + taken, taken, taking);
    for (int lane = 0; lane < two; ++lane, ++taken)
      add_rest(domain, at, taking->first[taken + 1] - rest.count, taking->index + rest.count, x[taken], &rest);
  }
  if (pose->bases == NULL) {
    rest_values(domain, &rest, taking->values);
    return taken;
  }
  tacVec3 material[TAC_NEAR_POOL];
  for (int place = 0; place < taken; ++place)
    for (int i = taking->first[place]; i < taking->first[place + 1]; ++i)
      material[i] = pull_back(&at->proxies[taking->index[i]], x[place]);
  loaded_values(pose, &rest, taking->index, material, taking->values, taking->reaches);
  return taken;
}

static double domain_value(const tacDeformedPose *pose, int d, tacVec3 x) {
  tacNearProxies taking;
  take_places(pose, d, &pose->domains[d].all, 1, &x, &taking);
  return mix(&taking, 0);
}

void tac_deformed_pose_values(const tacDeformedPose *pose, int count, const tacVec3 *x, double *values) {
  bool whole = true;
  for (int i = 0; i < count; ++i) {
    values[i] = INFINITY;
    whole = whole && is_place(x[i]);
  }
  for (int i = 0; !whole && i < count; ++i) values[i] = tac_deformed_pose_value(pose, x[i]);
  for (int d = 0; whole && d < pose->field->domain_count; ++d)
    for (int begin = 0, taken; begin < count; begin += taken) {
      tacNearProxies taking;
      taken = take_places(pose, d, &pose->domains[d].all, count - begin, x + begin, &taking);
      for (int i = 0; i < taken; ++i) values[begin + i] = fmin(values[begin + i], mix(&taking, i));
    }
}

double tac_deformed_pose_value(const tacDeformedPose *pose, tacVec3 x) {
  const tacDeformedField *field = pose->field;
  double least = INFINITY;
  if (!is_place(x)) return INFINITY;
  for (int d = 0; d < field->domain_count; ++d) least = fmin(least, domain_value(pose, d, x));
  return least;
}

/* Adds what a change of the proxy does: `pushed` is the derivative by p, `turned` that by F. */
static void add_rows(const tacDeformedDomain *domain, int r, int index, tacVec3 pushed, const tacMat3 *turned,
                     double *by_q) {
  const double *row = domain->modes + (size_t)(TAC_PROXY_ROWS * r) * (size_t)index;
  double factor[TAC_PROXY_ROWS] = {pushed.x, pushed.y, pushed.z};
  if (turned != NULL) memcpy(factor + 3, turned->m, sizeof turned->m);
  for (int i = 0; i < (turned != NULL ? TAC_PROXY_ROWS : 3); i += 3, row += 3 * r)
    tac_vector_add3(r, row, factor + i, by_q);
}

/* The derivative of g . G (x - p) by F. G = t A + (1 - t) I with A = F^-1 and dA = -A dF A; t is linear in sigma = 1 /
 * |A|, for which d sigma = sigma^3 <A^T A A^T, dF>. */
static tacMat3 derivative_by_gradient(const tacProxyMap *proxy, tacVec3 x, tacVec3 g) {
  tacVec3 y = tac_vec3_sub(x, proxy->at);
  tacMat3 inverse = proxy->inverse;
  double share = proxy->sound ? 1.0 : tac_proxy_map_share(proxy->f, &inverse);
  if (share == 0.0) return tac_mat3_zero();
  tacMat3 turned = tac_mat3_outer(tac_mat3_mul_vec(tac_mat3_transpose(inverse), g),
                                  tac_vec3_scale(-share, tac_mat3_mul_vec(inverse, y)));
  if (proxy->sound) return turned;
  double sigma = 1.0 / tac_mat3_norm(inverse);
  double slope = sigma * sigma * sigma / (TAC_PROXY_SOUND - TAC_PROXY_SINGULAR) *
                 tac_vec3_dot(g, tac_vec3_sub(tac_mat3_mul_vec(inverse, y), y));
  tacMat3 transposed = tac_mat3_transpose(inverse);
  return tac_mat3_add(turned, tac_mat3_scale(slope, tac_mat3_mul(transposed, tac_mat3_mul(inverse, transposed))));
}

/* As loaded_values for one proxy; the gradient by the material place. */
static double own_gradient(const tacDeformedPose *pose, int d, int index, tacVec3 material, tacVec3 *gradient) {
  const tacDeformedDomain *domain = &pose->field->domains[d];
  if (pose->bases == NULL) return rest_gradient(domain, material, gradient);
  const double weight = pose->bases->rest, value = weight > 0.0 ? rest_gradient(domain, material, gradient) : 0.0;
  *gradient = weight > 0.0 ? tac_vec3_scale(weight, *gradient) : tac_vec3(0.0, 0.0, 0.0);
  return weight * value + tac_load_bases_gradient(pose->bases, domain->positions[index], index, material, gradient);
}

/* A proxy that takes part. */
typedef struct {
  int index;
  double distance, a; /* d_i, 1 / d_i - 1 / rho */
  double value;
  tacVec3 gradient; /* by the material place */
} Share;

/* d = f_0 + s B / W, B = sum a_i (f_i - f_0), and dd = sum w_i df_i + sum (f_i - d) / (sum a) da_i, where da_i = -dd_i /
 * d_i^2 + d rho / rho^2; for the nearest proxy (f_0 - d) is -s B / W, which cancels its 1 / s. */
static tacDeformedAnswer domain_gradient(const tacDeformedPose *pose, int d, tacVec3 x, double *by_q) {
  const tacDeformedDomain *domain = &pose->field->domains[d];
  const DomainPose *at = &pose->domains[d];
  int r = pose->field->r;
  tacNearProxies taking;
  Share shares[TAC_DEFORMED_PROXIES];
  taking.first[0] = 0;
  tac_near_proxies_add(&at->all, neighbour_count(pose, d), 1, &x, 0, &taking);
  const bool tied = taking.kth[0] < taking.most[0];
  double s = sqrt(taking.least[0]), most = fmax(sqrt(taking.most[0]), 1e-150), a = 0.0, b = 0.0;
  for (int c = 0; c < taking.first[1]; ++c) {
    Share *share = &shares[c];
    share->index = taking.index[c];
    share->distance = sqrt(fmax(taking.squared[c], 1e-300)); /* 1 / d^2 stays finite */
    share->a = 1.0 / share->distance - 1.0 / most;
    share->value = own_gradient(pose, d, share->index, pull_back(&at->proxies[share->index], x), &share->gradient);
    if (c == 0) continue;
    a += share->a;
    b += share->a * (share->value - shares[0].value);
  }
  int count = s > 0.0 ? taking.first[1] : 1; /* at a proxy: its value, without those of others */
  double w = s > 0.0 ? 1.0 - s / most + s * a : 1.0, slope = s > 0.0 ? b / (w * w) : 0.0;
  tacDeformedAnswer answer = {
      .value = shares[0].value + (s > 0.0 ? s * b / w : 0.0), .domain = d, .proxy = shares[0].index};
  double by_most = 0.0; /* derivative by rho */
  if (s > 0.0) {
    by_most = -s * s * slope;
    for (int c = 1; c < count; ++c) by_most += s / w * (shares[c].value - answer.value);
    by_most /= most * most;
    if (tied) slope += TAC_PROXY_TIE * by_most;
  }
  if (by_q != NULL) memset(by_q, 0, (size_t)r * sizeof *by_q);
  for (int c = 0; c < count; ++c) {
    const tacProxyMap *proxy = &at->proxies[shares[c].index];
    double distance = shares[c].distance;
    double weight = c > 0 ? s / w * shares[c].a : s > 0.0 ? (1.0 - s / most) / w : 1.0;
    double by_distance = c > 0 ? -s / w * (shares[c].value - answer.value) / (distance * distance) : slope;
    tacVec3 g = tac_vec3_scale(weight, shares[c].gradient);
    tacVec3 sum = tac_vec3_mad(tac_mat3_mul_vec(tac_mat3_transpose(proxy->inverse), g), by_distance,
                               tac_vec3_unit(tac_vec3_sub(x, proxy->at)));
    answer.gradient = tac_vec3_add(answer.gradient, sum);
    if (by_q == NULL) continue;
    tacMat3 turned = derivative_by_gradient(proxy, x, g);
    add_rows(domain, r, shares[c].index, tac_vec3_scale(-1.0, sum), &turned, by_q);
  }
  if (!tied && count > 1) {
    int last = 0;
    double off = INFINITY;
    for (int i = 0; i < domain->count && off > 0.0; ++i) {
      double is_off = fabs(tac_vec3_norm2(tac_vec3_sub(at->proxies[i].at, x)) - taking.kth[0]);
      if (is_off >= off) continue;
      off = is_off;
      last = i;
    }
    tacVec3 sum = tac_vec3_scale(by_most, tac_vec3_unit(tac_vec3_sub(x, at->proxies[last].at)));
    answer.gradient = tac_vec3_add(answer.gradient, sum);
    if (by_q != NULL) add_rows(domain, r, last, tac_vec3_scale(-1.0, sum), NULL, by_q);
  }
  return answer;
}

tacDeformedAnswer tac_deformed_pose_gradient(const tacDeformedPose *pose, tacVec3 x, double *by_q) {
  const tacDeformedField *field = pose->field;
  int nearest = 0;
  double least = INFINITY;
  if (!is_place(x)) {
    if (by_q != NULL) memset(by_q, 0, (size_t)field->r * sizeof *by_q);
    return (tacDeformedAnswer){.value = INFINITY};
  }
  for (int d = 0; field->domain_count > 1 && d < field->domain_count; ++d) {
    double value = domain_value(pose, d, x);
    if (value < least) {
      least = value;
      nearest = d;
    }
  }
  return domain_gradient(pose, nearest, x, by_q);
}

/* ---- looks ---- */

/* A value at y is a mean of those of the proxies that take part there: it can be negative only where one of theirs is.
 * Let y be within R of x. Proxy i takes part at y only where (see tacProxyBall)
 *   R > R_i = min((d_i - d_k) / 2, (d_i - TAC_PROXY_TIE d_min) / (1 + TAC_PROXY_TIE)).
 * Its value at y is that of the field at rest at X_i(y), with |X_i(y) - X_i(x)| <= |G_i| R: negative only if |G_i| R is
 * at least what tac_field_reach_at tells of X_i(x). Hence a negative value is no nearer than the least, over i, of the
 * larger of both bounds. Only proxies with R_i below the least so far need to be looked at. Where proxies move by m at
 * most, all distances do, and R_i by (m + m) / 2 or (m + TAC_PROXY_TIE m) / (1 + TAC_PROXY_TIE), which is m.
 *
 * Outside the grid's box, values at rest are the larger of two. tac_field_reach_at may be told either: (3.14) is what it
 * is made for. And where q is the nearest place of the box, places in the box are no nearer to p than to q; negative
 * values beside the box are only where it tells 0 of all values on faces. */

/* The least of `best` and of the proxies that are listed and do not take part at x (those that hardly do, too). */
static double reach_of_others(const tacDeformedPose *pose, int d, const tacProxyList *listed, tacVec3 x,
                              const tacNearProxies *taking, int place, double best) {
  const tacDeformedDomain *domain = &pose->field->domains[d];
  const DomainPose *at = &pose->domains[d];
  const tacProxyList list = *listed;
  const double least = sqrt(taking->least[place]), kth = sqrt(taking->kth[place]);
  const double limit = tac_proxy_limit(least, kth, best), from = taking->most[place] * (1.0 - 1e-12);
  double squared[TAC_DEFORMED_PROXIES], values[TAC_DEFORMED_PROXIES], reaches[TAC_DEFORMED_PROXIES];
  int count = 0, others[TAC_DEFORMED_PROXIES];
  for (int i = 0; i < list.count; ++i) {
    squared[count] = tac_vec3_norm2(tac_vec3_sub(list.at[i], x));
    others[count] = list.index[i];
    count += (squared[count] >= from) & (squared[count] < limit * limit);
  }
  Rest rest;
  rest.count = 0;
  add_rest(domain, at, count, others, x, &rest);
  if (pose->bases == NULL) {
    rest_values(domain, &rest, values);
    for (int i = 0; i < count; ++i) reaches[i] = own_reach(domain, &at->proxies[others[i]], values[i]);
  } else {
    tacVec3 material[TAC_DEFORMED_PROXIES] = {x};
    for (int i = 0; i < count; ++i) material[i] = pull_back(&at->proxies[others[i]], x);
    loaded_values(pose, &rest, others, material, values, reaches);
  }
  for (int i = 0; i < count; ++i) {
    double own = reaches[i];
    if (own >= best) continue;
    double distance = sqrt(squared[i]);
    double begin = fmin((distance - kth) / 2.0, (distance - TAC_PROXY_TIE * least) / (1.0 + TAC_PROXY_TIE));
    best = fmin(best, fmax(own, begin));
  }
  return best;
}

static inline double largest_bound(double radius, double more) {
  return fmin(radius + more, FARTHEST);
}

static inline bool is_free(double reach, double radius) {
  return reach > 0.0 && reach >= radius;
}

/* Some places that are near to each other. */
typedef struct {
  int count;
  int which[TAC_NEAR_PLACES];
  tacVec3 x[TAC_NEAR_PLACES];
  tacVec3 centre;
  double radius; /* of a ball in which `list` has all that take part: larger than one that holds the places */
  const tacProxyList *list;
  tacProxyBall ball;
} Group;

/* What is asked of places, and what is found. */
typedef struct {
  const tacDeformedPose *pose;
  int d; /* domain */
  int count;
  const tacVec3 *x;
  const double *radii;
  double more;
  tacDeformedLook *looks; /* in the meantime: reach is that of the ball around all images */
} Asked;

/* From place `begin` on, without those that are far away. Returns where the next group begins. */
static int find_group(const Asked *asked, int begin, Group *group) {
  const DomainPose *at = &asked->pose->domains[asked->d];
  const double widest = WIDEST * at->spacing;
  tacBox box = tac_box_empty();
  group->count = 0;
  for (; begin < asked->count && group->count < TAC_NEAR_PLACES; ++begin) {
    tacVec3 x = asked->x[begin];
    if (asked->looks[begin].reach >= largest_bound(asked->radii[begin], asked->more) || !is_place(x)) continue;
    tacBox wider = tac_box_add(box, x);
    if (group->count > 0 && !(tac_vec3_norm2(tac_vec3_sub(wider.upper, wider.lower)) < widest * widest)) break;
    box = wider;
    group->which[group->count] = begin;
    group->x[group->count++] = x;
  }
  group->list = &at->all;
  group->radius = INFINITY;
  group->centre = tac_box_centre(box);
  if (group->count <= FEW) return begin;
  group->radius = 0.5 * tac_vec3_distance(box.lower, box.upper) * (1.0 + 1e-12) + ROOM * at->spacing;
  tac_proxy_ball_list(&asked->pose->domains[asked->d].all, neighbour_count(asked->pose, asked->d), group->centre,
                      group->radius, &group->ball);
  group->list = &group->ball.listed;
  return begin;
}

/* Adds what the domain says of a place. */
static void look_at_place(const Asked *asked, const Group *group, int place, const tacNearProxies *taking, int taken) {
  const tacDeformedDomain *domain = &asked->pose->field->domains[asked->d];
  const DomainPose *at = &asked->pose->domains[asked->d];
  const tacVec3 x = group->x[place];
  const double radius = asked->radii[group->which[place]];
  tacDeformedLook *look = &asked->looks[group->which[place]];
  double best = look->bound;
  for (int i = taking->first[taken]; i < taking->first[taken + 1]; ++i)
    best =
        fmin(best, asked->pose->bases != NULL ? taking->reaches[i]
                                              : own_reach(domain, &at->proxies[taking->index[i]], taking->values[i]));
  if (is_free(best, radius)) {
    double room = group->radius - tac_vec3_distance(x, group->centre);
    if (room >= radius + ENOUGH * asked->more) {
      best = reach_of_others(asked->pose, asked->d, group->list, x, taking, taken, fmin(best, room));
    } else {
      tacProxyBall own;
      tac_proxy_ball_list(&asked->pose->domains[asked->d].all, neighbour_count(asked->pose, asked->d), x, best, &own);
      best = reach_of_others(asked->pose, asked->d, &own.listed, x, taking, taken, best);
    }
  }
  look->bound = best;
  if (is_free(best, radius)) return;
  double value = mix(taking, taken);
  if (!(value < look->value)) return;
  look->value = value;
  look->domain = asked->d;
  look->proxy = taking->index[taking->first[taken]];
}

void tac_deformed_pose_look(const tacDeformedPose *pose, int count, const tacVec3 *x, const double *radii, double more,
                            tacDeformedLook *looks) {
  for (int i = 0; i < count; ++i) {
    double far = tac_vec3_distance(x[i], pose->centre) - pose->radius;
    looks[i] = (tacDeformedLook){.reach = far, .bound = largest_bound(radii[i], more), .value = INFINITY};
  }
  Asked asked = {pose, 0, count, x, radii, more, looks};
  for (; asked.d < pose->field->domain_count; ++asked.d)
    for (int begin = 0; begin < count;) {
      Group group;
      tacNearProxies taking;
      begin = find_group(&asked, begin, &group);
      for (int done = 0, taken; done < group.count; done += taken) {
        taken = take_places(pose, asked.d, group.list, group.count - done, group.x + done, &taking);
        for (int i = 0; i < taken; ++i) look_at_place(&asked, &group, done + i, &taking, i);
      }
    }
  for (int i = 0; i < count; ++i) {
    double far = fmin(looks[i].reach, largest_bound(radii[i], more)), bound = looks[i].bound;
    looks[i].reach = fmax(far, is_free(bound, radii[i]) ? bound : TOUCHING);
    looks[i].bound = fmax(far, bound);
  }
}

/* ---- forces ---- */

const double *tac_deformed_pose_modes(const tacDeformedPose *pose, int domain, int proxy) {
  return pose->field->domains[domain].modes + (size_t)(TAC_PROXY_ROWS * pose->field->r) * (size_t)proxy;
}
tacVec3 tac_deformed_pose_pull_back(const tacDeformedPose *pose, int domain, int proxy, tacVec3 x) {
  return pull_back(&pose->domains[domain].proxies[proxy], x);
}
tacVec3 tac_deformed_pose_push_forward(const tacDeformedPose *pose, int domain, int proxy, tacVec3 material) {
  return tac_proxy_map_image(&pose->field->domains[domain], &pose->domains[domain].proxies[proxy], proxy, material);
}
tacVec3 tac_deformed_pose_pull_back_at(const tacDeformedPose *pose, int domain, int proxy, const double *q, tacVec3 x) {
  tacProxyMap map = tac_proxy_map_at(&pose->field->domains[domain], pose->field->r, proxy, q);
  return pull_back(&map, x);
}
tacVec3 tac_deformed_pose_pull_normal(const tacDeformedPose *pose, int domain, int proxy, tacVec3 normal) {
  return tac_mat3_mul_vec(tac_mat3_transpose(pose->domains[domain].proxies[proxy].f), normal);
}
tacVec3 tac_deformed_pose_push_normal(const tacDeformedPose *pose, int domain, int proxy, tacVec3 material) {
  return tac_mat3_mul_vec(tac_mat3_transpose(pose->domains[domain].proxies[proxy].inverse), material);
}
