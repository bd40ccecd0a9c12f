#include "world/islands/meeting.h"

#include <math.h>
#include <string.h>
#include "asset/contact_field.h"
#include "asset/deformed_pose.h"
#include "asset/distance_field.h"
#include "collide/contact_clusters.h"
#include "collide/field_meeting.h"
#include "collide/surface_meeting.h"
#include "world/islands/contact_response.h"
#include "world/pairs/pair.h"

enum { MOST_FOUND = 2 * TAC_FIELD_MEETING_CANDIDATES };
#define NEAR_PART 0.2
/* minimum depth of a contact inside a face, below the corners of the face, relative to the face's size */
#define SAG 1e-6
/* maximum size of a triangle that is searched as a whole, relative to the radius of the field's body */
#define PIECE 0.5
/* maximum detected depth, relative to the radius of the smaller body; deeper points have passed through the body */
#define OVERLAP 0.1
static const double most_stiffness = 1e9; /* maximum stiffness of a soft contact, N/m */

/* True if a body deforms. A rigid body can rest on four contacts, but a soft body sags between contacts. */
static bool is_soft(const tacWorldBody *body) {
  return body->size > 0 || tac_world_body_complies(body) || tac_world_body_yields(body);
}

bool tac_meeting_by_features(const tacWorldBody *a, const tacWorldBody *b) {
  const int few = 64; /* maximum number of vertices of a coarse mesh */
  const tacBodySurface *one = a->surface, *other = b->surface;
  bool thin = fmin(one->thickness, other->thickness) < fmax(a->points.spacing, b->points.spacing);
  bool coarse = one->mesh->vertex_count <= few && other->mesh->vertex_count <= few;
  return !is_soft(a) && !is_soft(b) && (thin || (coarse && fmax(one->thickness, other->thickness) < INFINITY));
}

/* Two bodies that are tested for contact. */
typedef struct Meeting {
  int a, b;     /* indices of the bodies; `b` is -1 for the floor */
  uint64_t key; /* unique key of the two bodies */
  double friction;
  double softness, share; /* softness of the contacts, m/N; factor on the gap, 1 without damping */
  bool one_way;           /* true if only points of `a` are tested, against the field of `b` */
  const tacLawsDef *laws;
  tacFieldSlack *slack; /* memory of earlier searches; NULL: none */
} Meeting;

/* A contact candidate within the margin. */
typedef struct Found {
  int direction; /* 0: point of `a` in the field of `b`; 1: point of `b` in the field of `a` */
  int index;     /* index in Scan.places or Scan.surfaces */
  tacVec3 at;    /* m, frame of the field's body */
} Found;

/* Working memory of contact detection, and the candidates for contact between two bodies. */
typedef struct Scan {
  tacWorld *world;
  int count;
  bool soft; /* true if one of the two bodies deforms */
  /* true for contacts solved by the contact laws; false for near contacts of a pair with penalty springs */
  bool laws;
  /* margins for the motion in one tick, and in a step without strong acceleration, m */
  double touching, usual;
  int lost;                        /* number of searches that exceeded their limit */
  tacFieldReach floor;             /* search radius for contact with the floor */
  Found *found;                    /* [MOST_FOUND] */
  tacContactCandidate *candidates; /* [MOST_FOUND] */
  double *work;                    /* [MOST_FOUND] */
  tacFieldCandidate *places[2];    /* [TAC_FIELD_MEETING_CANDIDATES] for each direction */
  tacVec3 *vertices;               /* [TAC_BODY_POINTS_VERTICES], working memory */
  tacSetContact *contacts;         /* [TAC_MEETING_MOST] */
  tacSurfaceCandidate *surfaces;   /* [MOST_FOUND] */
} Scan;

size_t tac_meeting_room(void) {
  return MOST_FOUND * (sizeof(Found) + sizeof(tacContactCandidate) + sizeof(double) + sizeof(tacFieldCandidate) +
                       sizeof(tacSurfaceCandidate)) +
         TAC_BODY_POINTS_VERTICES * sizeof(tacVec3) + TAC_MEETING_MOST * sizeof(tacSetContact) +
         tac_field_meeting_room() + 512;
}

/* ---- field of the other body ---- */

typedef struct Against {
  const tacWorldBody *body; /* body that owns the field; NULL for the floor */
  const tacDistanceField *field;
  const tacFieldReach *reach;      /* search radius for contact with `field` */
  const tacDeformedPose *deformed; /* deformed field; used instead of `field` if not NULL */
  tacBox box;                      /* bounding box of the field's body, body's frame */
} Against;

static bool against(const Scan *s, int b, Against *to) {
  const tacWorld *world = s->world;
  *to = (Against){0};
  if (b < 0) {
    to->field = world->floor_field;
    to->reach = &s->floor;
    to->box = (tacBox){tac_vec3(-INFINITY, -INFINITY, -INFINITY), tac_vec3(INFINITY, INFINITY, INFINITY)};
    return true;
  }
  const tacWorldBody *body = &world->bodies[b];
  const tacBodyDescription is = tac_body_describe(&body->body);
  to->body = body;
  to->deformed = is.deformed_field != NULL ? is.deformed_field->deformed : NULL;
  to->field = to->deformed == NULL ? body->points.field : NULL;
  to->reach = &body->points.reach;
  /* The box must contain the whole ball, since a rigid surface may be open and its field may belong to a larger
   * shape. */
  tacVec3 centre = body->points.centre;
  to->box = to->deformed != NULL ? body->points.box : tac_box_expand((tacBox){centre, centre}, body->points.radius);
  return to->deformed != NULL || to->field != NULL;
}

/* Returns the rest position of the point x of a body, body's frame. Writes the surface site whose displacement moves x.
 * `triangle`: result of the previous search, which speeds up this search. */
static tacVec3 pull_back(const tacWorldBody *body, tacVec3 x, int *triangle, tacSite *site) {
  tacVec3 rest = x;
  if (!tac_world_body_complies(body)) return rest;
  for (int i = 0; i < 2; ++i) {
    tacSurfacePoint nearest;
    tac_proximity_distance_from(&body->fingers.proximity, rest, *triangle, &nearest);
    *triangle = nearest.triangle;
    *site = tac_site_on_surface(nearest);
    if (!(body->displaced.most > 0.0)) break;
    rest = tac_vec3_sub(x, tac_contact_response_displacement(body, site));
  }
  return rest;
}

/* Returns the field value at x. Writes the gradient, the site at which a force acts, and the material place at x. All
 * values are in the frame of the field's body. */
static double look(const Against *to, tacVec3 x, tacVec3 *gradient, tacSite *site, tacSite *place) {
  if (to->deformed == NULL) {
    int triangle = -1;
    *site = (tacSite){TAC_SITE_FRAME, 0, x};
    if (to->body != NULL) x = pull_back(to->body, x, &triangle, site);
    *place = (tacSite){TAC_SITE_FRAME, 0, x};
    return tac_distance_field_gradient(to->field, x, gradient);
  }
  tacDeformedAnswer answer = tac_deformed_pose_gradient(to->deformed, x, NULL);
  *gradient = answer.gradient;
  *site = (tacSite){TAC_SITE_FIELD, answer.domain << 16 | answer.proxy,
                    tac_deformed_pose_pull_back(to->deformed, answer.domain, answer.proxy, x)};
  *place = *site;
  return answer.value;
}

/* Returns the maximum speed of a vertex in the body's frame, m/s; 0 if the body does not report a speed. */
static double own_speed(const tacWorldBody *body) {
  return tac_body_bounds(&body->body).fastest;
}

/* Returns half of the largest distance between a point of the body and its reference point, m. The reference point of a
 * jaw is the grasp of its tool. */
static double reach_of(const tacWorldBody *body) {
  return body->surface->radius +
         (body->jaw.carrier >= 0 ? 0.5 * tac_vec3_distance(body->frame.about, body->surface->centre) : 0.0);
}

static bool frame_moves(const tacWorldBody *body) {
  return body->moves.frame > 0 || body->holder >= 0;
}

/* Returns the maximum speed of any point of the body, m/s. Ignores deformation whose speed the body does not report. */
static double speed_of(const tacWorldBody *body) {
  if (body == NULL) return 0.0;
  double speed = own_speed(body);
  if (!frame_moves(body)) return speed;
  return speed + tac_vec3_norm(body->frame.linear) + 2.0 * reach_of(body) * tac_vec3_norm(body->frame.angular);
}

/* Returns the maximum closing speed of two bodies, m/s. Ignores deformation whose speed a body does not report. */
static double approach_of(const tacWorldBody *a, const tacWorldBody *b) {
  tacVec3 apart = a->frame.linear;
  double turns = reach_of(a) * tac_vec3_norm(a->frame.angular);
  if (!frame_moves(a)) apart = tac_vec3(0.0, 0.0, 0.0), turns = 0.0;
  if (b != NULL && frame_moves(b)) {
    apart = tac_vec3_sub(apart, b->frame.linear);
    turns += reach_of(b) * tac_vec3_norm(b->frame.angular);
  }
  return tac_vec3_norm(apart) + 2.0 * turns + own_speed(a) + (b != NULL ? own_speed(b) : 0.0);
}

/* Returns the distance within which two bodies may touch before the next detection, m. The distance covers the present
 * closing speed and an acceleration of 40 m/s^2 by a hand. `usual`: the distance if the acceleration lasts only one
 * step. If ticks solve the contacts of a held body, the acceleration may last for the whole prediction time. */
static double margin_of(const Scan *s, int a, int b, double h, double speed, double *usual) {
  bool laws = s->laws && tac_world_leads(s->world, a, b);
  /* prediction time, s; duration of the acceleration, s */
  double ahead = s->world->look_ahead * h, quickens = laws ? ahead : h;
  *usual = ahead * speed + 20.0 * h * h;
  return ahead * speed + 20.0 * quickens * quickens;
}

static double value_at(const Against *to, tacVec3 x) {
  return to->deformed != NULL ? tac_deformed_pose_value(to->deformed, x) : tac_distance_field_value(to->field, x);
}

/* Returns the displacement of a body's point that is subtracted from the free motion, world frame. For fixed and held
 * bodies the displacement is computed from W, so that the difference vanishes at rest. For free bodies in steps of one
 * tick, it is the true displacement, which determines their rebound. */
static tacVec3 moved(const tacWorld *world, int b, const tacSite *site) {
  const tacWorldBody *body = b >= 0 ? &world->bodies[b] : NULL;
  if (body == NULL) return tac_vec3(0.0, 0.0, 0.0);
  tacVec3 u = body->frame.mode == TAC_FRAME_FREE && world->simulate_every == 1
                  ? tac_contact_response_displacement(body, site)
                  : tac_contact_response_displacement_by_w(world, b, site);
  return tac_quat_rotate(body->frame.orientation, u);
}

/* Sets the members that all types of contacts need: position, gap, friction, softness, key and displacement. */
static void complete(const Scan *s, const Meeting *m, int index, double gap, tacSetContact *c) {
  c->at = s->candidates[index].place;
  c->gap = gap * m->share;
  c->friction = m->friction;
  c->softness = m->softness;
  c->restitution = m->laws->restitution;
  c->key = s->candidates[index].key;
  c->moved = tac_vec3_sub(moved(s->world, c->body[0], &c->site[0]), moved(s->world, c->body[1], &c->site[1]));
}

/* Builds the contact of a chosen candidate. False if the contact has no normal. */
static bool make_contact(const Scan *s, const Meeting *m, int index, tacSetContact *c) {
  const Found *found = &s->found[index];
  const tacFieldCandidate *from = &s->places[found->direction][found->index];
  int points = found->direction == 0 ? m->a : m->b, field = found->direction == 0 ? m->b : m->a;
  Against to;
  tacVec3 gradient;
  tacSite site, place;
  against(s, field, &to);
  double value = look(&to, found->at, &gradient, &site, &place), slope = tac_vec3_norm(gradient);
  bool of_face = tac_vec3_norm2(from->normal) > 0.0;
  if (!(slope > 0.0) && !of_face) return false;
  tacVec3 normal = of_face ? from->normal : tac_vec3_scale(1.0 / slope, gradient);
  tacSite own = from->feature == TAC_FEATURE_SHELL ? (tacSite){TAC_SITE_SHELL, from->index, {0.0, 0.0, 0.0}}
                                                   : tac_site_on_surface(from->on);
  *c = (tacSetContact){.body = {points, field},
                       .site = {own, site},
                       .place = place,
                       .wanders = from->feature >= TAC_FEATURE_EDGE,
                       .axes = {to.body != NULL ? tac_quat_rotate(to.body->frame.orientation, normal) : normal}};
  complete(s, m, index, of_face ? from->gap : value, c);
  return true;
}

static uint64_t key_of(int a, int b) {
  return ((uint64_t)(a + 1) << 20 | (uint64_t)(b + 2)) + 1;
}

/* Returns the key of two surface features, unique among all pairs of bodies. */
static uint64_t surface_key(const Meeting *m, uint64_t key) {
  return m->key * 0x9e3779b97f4a7c15u ^ key * 0xc2b2ae3d27d4eb4fu;
}

/* Returns the number of the world step (tacWorld.tick) in which the pair was last tested. Each step of body `a` tests
 * the pair. */
static int64_t last_met(const tacWorld *world, const Meeting *m) {
  return world->tick - world->bodies[m->a].turn.every;
}

/* True if the contact with this key was chosen in the pair's last test. */
static bool knows(const tacWorld *world, const Meeting *m, uint64_t key) {
  return tac_contact_set_knows(&world->contacts, key, last_met(world, m));
}

static void offer(Scan *s, Found found, const tacFrame *frame, const tacContactCandidate *candidate) {
  s->found[s->count] = found;
  s->candidates[s->count] = *candidate;
  s->candidates[s->count++].place = tac_frame_to_world(frame, found.at);
}

/* Context of the callbacks of a search. */
typedef struct Asking {
  const tacWorld *world;
  const Meeting *meeting;
  const Against *to;
  int direction;
  int *triangle; /* last triangle found by pull_back */
} Asking;

/* Returns the key of a place. The order of keys is the order of points, and decides between equal candidates. */
static uint64_t place_key(const Meeting *m, int direction, tacFieldFeature feature, int index, int part) {
  if (feature <= TAC_FEATURE_VERTEX && index < 1 << 21)
    return m->key << 24 | (uint64_t)direction << 23 | (uint64_t)feature << 21 | (uint64_t)index;
  uint64_t of_feature = (uint64_t)feature << 60 | (uint64_t)direction << 59 | (uint64_t)part << 36 | (uint64_t)index;
  return surface_key(m, of_feature);
}

static bool knows_place(const void *context, tacFieldFeature feature, int index, int part) {
  const Asking *asking = context;
  return knows(asking->world, asking->meeting, place_key(asking->meeting, asking->direction, feature, index, part));
}

static double look_displaced(const void *context, tacVec3 x, tacVec3 *gradient) {
  const Asking *asking = context;
  const Against *to = asking->to;
  tacSite site;
  x = pull_back(to->body, x, asking->triangle, &site);
  return gradient != NULL ? tac_distance_field_gradient(to->field, x, gradient)
                          : tac_distance_field_value(to->field, x);
}

/* True if detection must search the deepest place of each face, in addition to the points of the body `of`. This place
 * moves in each step. So in steps of many ticks only the points are used, if their spacing is small compared with the
 * body `in`. */
static bool has_gaps(const tacWorld *world, const tacWorldBody *of, const tacWorldBody *in) {
  /* Spacing relative to the radius of `in`. With this spacing, round shapes are at most 0.6 % deeper between points. */
  const double most = 0.15;
  return world->simulate_every == 1 || in == NULL || of->points.spacing > most * in->surface->radius;
}

/* Finds the points of the body `points` within the margin of the body `field`, in the frame of the field's body.
 * `to.box` bounds the present deformed surface. So a point within the margin is inside the box expanded by the
 * margin. */
static void scan(Scan *s, const Meeting *m, int points, int field, int direction) {
  const tacWorldBody *of = &s->world->bodies[points];
  const tacBodyPoints *p = &of->points;
  Against to;
  if (!against(s, field, &to)) return;
  tacFrame floor = {.orientation = tac_quat_identity()};
  const tacFrame *frame = to.body != NULL ? &to.body->frame : &floor;
  double h = s->world->period * of->turn.every;
  double tick = s->world->tick_period, speed = approach_of(of, to.body), least = 1e-3 * of->surface->radius;
  double usual, margin = margin_of(s, m->a, m->b, h, speed, &usual) + least;
  s->usual = usual + least;
  s->touching = tick * speed + 20.0 * tick * tick + least;
  int triangle = -1;
  Asking asking = {s->world, m, &to, direction, &triangle};
  tacFieldSearch search = {
      .turn = tac_quat_to_mat3(tac_quat_mul(tac_quat_conjugate(frame->orientation), of->frame.orientation)),
      .shift = tac_frame_from_world(frame, of->frame.position),
      .margin = margin,
      .box = tac_box_expand(to.box, margin), /* the box includes the displacement */
      .field = to.field,
      .reach = to.deformed == NULL ? to.reach : NULL,
      .deformed = to.deformed,
      .context = &asking,
      .knows = knows_place,
      .sag = SAG,
      .faces = m->one_way && !s->soft && has_gaps(s->world, of, to.body),
      .depth = m->one_way && tac_world_body_complies(of) && !is_soft(to.body) ? least : INFINITY,
      .slack = m->slack,
      .piece = to.body != NULL ? PIECE * to.body->surface->radius : INFINITY};
  if (to.body != NULL && to.body->displaced.most > 0.0) {
    search.swelling = to.body->displaced.most;
    search.look = look_displaced;
  }
  tacVec3 middle = tac_vec3_add(tac_mat3_mul_vec(search.turn, p->centre), search.shift);
  if (to.body == NULL && value_at(&to, middle) > p->radius + margin) return;
  tacVec3 inside = tac_vec3_min(tac_vec3_max(middle, search.box.lower), search.box.upper);
  if (tac_vec3_distance(middle, inside) > p->radius) return;
  tacFieldFound found;
  tac_field_meeting_find(p, &of->body, of->surface, &search, &s->world->arena, s->places[direction], &found);
  s->lost += found.lost > 0;
  for (int i = 0; i < found.count; ++i) {
    const tacFieldCandidate *c = &s->places[direction][i];
    offer(s, (Found){direction, i, c->at}, frame,
          &(tacContactCandidate){.normal = tac_vec3(0.0, 0.0, 1.0), /* constant: candidates differ only by place */
                                 .gap = c->gap,
                                 .key = place_key(m, direction, c->feature, c->index, c->part),
                                 .kept = c->kept,
                                 .least = !s->soft && c->feature >= TAC_FEATURE_EDGE});
  }
}

/* ---- surfaces ---- */

static bool by_surfaces(const Scan *s, const Meeting *m) {
  if (m->b < 0) return false;
  const tacWorldBody *a = &s->world->bodies[m->a], *b = &s->world->bodies[m->b];
  /* Only surface detection can test two bodies without fields. At least one of these bodies has step compliance. */
  bool left = (tac_world_body_yields(a) || tac_world_body_yields(b)) && !tac_world_body_has_field(a) &&
              !tac_world_body_has_field(b);
  bool sharp = !m->one_way && tac_meeting_by_features(a, b);
  return (left || sharp || m->laws->detect == TAC_DETECT_SURFACES) && a->boxes != NULL && b->boxes != NULL;
}

/* Finds contact candidates between the surfaces of both bodies. */
static void scan_surfaces(Scan *s, const Meeting *m) {
  const tacWorldBody *a = &s->world->bodies[m->a], *b = &s->world->bodies[m->b];
  double h = s->world->period * a->turn.every, tick = s->world->tick_period, speed = approach_of(a, b);
  double size = fmin(a->surface->radius, b->surface->radius), least = 1e-3 * size, usual;
  tacSurfaceSearch search = {
      .turn = tac_quat_to_mat3(tac_quat_mul(tac_quat_conjugate(b->frame.orientation), a->frame.orientation)),
      .shift = tac_frame_from_world(&b->frame, a->frame.position),
      .alarm = margin_of(s, m->a, m->b, h, speed, &usual) + least,
      .depth = OVERLAP * size};
  s->touching = tick * speed + 20.0 * tick * tick + least;
  s->usual = usual + least;
  tacVec3 middle = tac_vec3_add(tac_mat3_mul_vec(search.turn, a->points.centre), search.shift);
  if (tac_vec3_distance(middle, b->points.centre) > a->points.radius + b->points.radius + search.alarm) return;
  tacSurfaceFound found = tac_surface_meeting_find(a->boxes, b->boxes, &search, MOST_FOUND, s->surfaces);
  for (int i = 0; i < found.count; ++i) {
    const tacSurfaceCandidate *c = &s->surfaces[i];
    uint64_t key = surface_key(m, c->key);
    offer(s, (Found){0, i, c->place_a}, &b->frame,
          &(tacContactCandidate){.normal = tac_quat_rotate(b->frame.orientation, c->normal),
                                 .gap = c->gap,
                                 .key = key,
                                 .kept = knows(s->world, m, key)});
  }
}

static bool make_surface_contact(const Scan *s, const Meeting *m, int index, tacSetContact *c) {
  const tacSurfaceCandidate *from = &s->surfaces[s->found[index].index];
  *c = (tacSetContact){.body = {m->a, m->b},
                       .site = {tac_site_on_surface(from->on_a), tac_site_on_surface(from->on_b)},
                       .place = tac_site_on_surface(from->on_b),
                       .axes = {s->candidates[index].normal},
                       .wanders = from->touch != TAC_TOUCH_VERTEX_FACE};
  complete(s, m, index, from->gap, c);
  return true;
}

/* Updates the vertices and bounding boxes of a body's surface to the present positions. */
static void follow_surface(tacWorldBody *body) {
  const tacBodyTable *table = body->body.table;
  const tacTriMesh *mesh = body->surface->mesh;
  if (body->displaced.by != NULL)
    for (int v = 0; v < mesh->vertex_count; ++v) body->skin[v] = tac_vec3_add(mesh->vertices[v], body->displaced.by[v]);
  else if (table->bounds == NULL)
    return; /* the body does not deform */
  else if (tac_body_looks(&body->body)->vertices != NULL && body->points.state_size > 0)
    table->looks->vertices(body->body.self, body->points.state, body->skin);
  else
    for (int v = 0; v < mesh->vertex_count; ++v) body->skin[v] = table->vertex(body->body.self, v);
  tac_surface_boxes_follow(body->boxes, body->skin);
}

/* Moves near candidates to the front and returns their number. In a long step the margin is wide, and most candidates
 * do not touch. If some candidates can touch within one tick, these candidates are near, and candidates beyond the
 * margin `usual` are dropped. Otherwise a candidate is near if its gap is similar to the smallest gap. */
static int bring_near(Scan *s) {
  double least = INFINITY, most = 0.0;
  int first = 0;
  for (int i = 0; i < s->count; ++i) {
    least = fmin(least, s->candidates[i].gap);
    most = fmax(most, s->candidates[i].gap);
  }
  double within = least < s->touching ? s->touching : least + NEAR_PART * most;
  for (int i = 0; i < s->count; ++i) {
    if (s->candidates[i].gap > within) continue;
    tacContactCandidate candidate = s->candidates[i];
    Found found = s->found[i];
    s->candidates[i] = s->candidates[first];
    s->found[i] = s->found[first];
    s->candidates[first] = candidate;
    s->found[first++] = found;
  }
  if (!(least < s->touching)) return first;
  int all = s->count;
  s->count = first;
  for (int i = first; i < all; ++i) {
    if (s->candidates[i].gap > s->usual) continue;
    s->candidates[s->count] = s->candidates[i];
    s->found[s->count++] = s->found[i];
  }
  return first;
}

int tac_meeting_patch(const tacLawsDef *laws, tacMeetingBodies bodies) {
  static const int usual[] = {TAC_MEETING_UNYIELDING, TAC_MEETING_CONTACTS, TAC_MEETING_COMPLIANT,
                              TAC_MEETING_YIELDING};
  return laws->patch > 0 ? laws->patch : usual[bodies];
}

static bool one_is(bool (*is)(const tacWorldBody *body), const tacWorld *world, int a, int b) {
  return is(&world->bodies[a]) || (b >= 0 && is(&world->bodies[b]));
}

tacMeetingBodies tac_meeting_bodies(const tacWorld *world, int a, int b, bool pair) {
  if (one_is(tac_world_body_yields, world, a, b)) return TAC_MEET_YIELDING;
  if (pair && one_is(tac_world_body_complies, world, a, b)) return TAC_MEET_COMPLIANT;
  return pair || one_is(is_soft, world, a, b) ? TAC_MEET_SOFT : TAC_MEET_UNYIELDING;
}

/* Finds the contacts between two bodies and reduces their candidates to a few contacts [TAC_MEETING_MOST]. Returns the
 * number of contacts. */
static int find_contacts(Scan *s, const Meeting *m, tacSetContact *contacts) {
  tacWorld *world = s->world;
  bool surfaces = by_surfaces(s, m);
  s->count = 0;
  s->soft = one_is(is_soft, world, m->a, m->b);
  if (surfaces) {
    scan_surfaces(s, m);
  } else {
    scan(s, m, m->a, m->b, 0);
    if (!m->one_way && m->b >= 0) scan(s, m, m->b, m->a, 1);
  }
  if (s->count == 0) return 0;
  double size = world->bodies[m->a].surface->radius;
  if (m->b >= 0) size = fmin(size, world->bodies[m->b].surface->radius);
  tacContactClusters clusters = tac_contact_clusters_default(2.0 * size);
  int chosen[TAC_CONTACT_CLUSTERS_MOST], found = 0;
  int most = tac_meeting_patch(m->laws, tac_meeting_bodies(world, m->a, m->b, m->one_way));
  /* The deepest point of a rigid body is always chosen, so that the body does not rock. */
  if (!s->soft) clusters.gap_tolerance = 1e-5 * size;
  int first = s->world->look_ahead > 1.0 ? bring_near(s) : s->count;
  int others = s->count - first;
  bool complies =
      m->one_way && one_is(tac_world_body_complies, world, m->a, m->b) && !tac_world_leads(world, m->a, m->b);
  for (int i = 0; complies && i < first; ++i)
    if (s->candidates[i].kept)
      s->candidates[i].load = tac_contact_set_load(&world->contacts, s->candidates[i].key, last_met(world, m));
  int count = (complies ? tac_contact_clusters_support : tac_contact_clusters_choose)(&clusters, most, first,
                                                                                      s->candidates, s->work, chosen);
  bool (*make)(const Scan *s, const Meeting *m, int index, tacSetContact *c) =
      surfaces ? make_surface_contact : make_contact;
  for (int i = 0; i < count; ++i) found += make(s, m, chosen[i], &contacts[found]);
  if (others == 0) return found;
  count = tac_contact_clusters_choose(&clusters, TAC_MEETING_FARTHER, others, s->candidates + first, s->work, chosen);
  for (int i = 0; i < count; ++i) found += make(s, m, first + chosen[i], &contacts[found]);
  return found;
}

static int meet(Scan *s, const Meeting *m) {
  int count = find_contacts(s, m, s->contacts);
  for (int i = 0; i < count; ++i) tac_contact_set_add(&s->world->contacts, &s->contacts[i], last_met(s->world, m));
  return count > 0;
}

/* ---- pairs of bodies to test ---- */

/* Sets the softness of a penalty contact with stiffness k and damping c. Its force is
 *     f = k depth - c v
 * with the depth and the separation speed v at the end of a step of length h. For a motion d and the normal n this is
 *     f = -(k + c / h) d.n - k gap. */
static void soften(const tacWorld *world, Meeting *m) {
  const tacWorldBody *a = &world->bodies[m->a], *b = m->b >= 0 ? &world->bodies[m->b] : NULL;
  m->softness = 0.0;
  m->share = 1.0;
  if (world->method == TAC_METHOD_SIGNORINI) return;
  double k = a->def.contact_stiffness, c = a->def.contact_damping, h = world->period * a->turn.every;
  if (b != NULL && b->def.free) {
    k = fmin(k, b->def.contact_stiffness);
    c = fmin(c, b->def.contact_damping);
  }
  k = fmin(k, most_stiffness);
  m->softness = 1.0 / (k + c / h);
  m->share = k * m->softness;
}

/* Returns the body whose steps trigger the test of two bodies: the free body. Of two free bodies it is the body with
 * the longer step. */
static int decider(const tacWorld *world, int a, int b) {
  const tacWorldBody *one = &world->bodies[a], *other = &world->bodies[b];
  if (!one->def.free) return b;
  if (!other->def.free || one->turn.every >= other->turn.every) return a;
  return b;
}

static void meet_free(Scan *s, int a, int b, tacTickReport *report) {
  tacWorld *world = s->world;
  int first = b >= 0 ? decider(world, a, b) : a, second = first == a ? b : a;
  bool leads = tac_world_leads(world, a, b);
  if ((!world->bodies[first].turn.due && !leads) || (b >= 0 && tac_pair_of(world, a, b) >= 0)) return;
  Meeting m = {.a = first, .b = second, .key = key_of(first, second), .laws = &world->laws};
  m.friction = second >= 0 ? fmin(world->bodies[first].feel.friction, world->bodies[second].feel.friction)
                           : world->floor.friction;
  soften(world, &m);
  report->touching += meet(s, &m);
}

static Scan begin(tacWorld *world) {
  size_t n = MOST_FOUND;
  Scan s = {.world = world};
  if (world->floor_field != NULL) s.floor = tac_field_reach(world->floor_field);
  s.found = tac_arena_array(&world->arena, n, sizeof *s.found);
  s.candidates = tac_arena_array(&world->arena, n, sizeof *s.candidates);
  s.work = tac_arena_array(&world->arena, n, sizeof *s.work);
  for (int i = 0; i < 2; ++i)
    s.places[i] = tac_arena_array(&world->arena, TAC_FIELD_MEETING_CANDIDATES, sizeof *s.places[i]);
  s.vertices = tac_arena_array(&world->arena, TAC_BODY_POINTS_VERTICES, sizeof *s.vertices);
  s.surfaces = tac_arena_array(&world->arena, n, sizeof *s.surfaces);
  s.contacts = tac_arena_array(&world->arena, TAC_MEETING_MOST, sizeof *s.contacts);
  return s;
}

/* Updates the points of a body to its present shape. */
static void follow(const Scan *s, int b) {
  tacWorldBody *body = &s->world->bodies[b];
  if (body->displaced.by != NULL)
    tac_body_points_displace(&body->points, body->surface, body->displaced.by, body->displaced.most);
  else
    tac_body_points_follow(&body->points, &body->body, body->surface, s->vertices);
  if (body->boxes != NULL) follow_surface(body);
}

static Meeting meeting_of(const tacPair *pair) {
  return (Meeting){.a = pair->points,
                   .b = pair->field,
                   .key = key_of(pair->points, pair->field),
                   .one_way = true,
                   .laws = &pair->def.laws,
                   .slack = pair->slack,
                   .friction = pair->values[TAC_PAIR_FRICTION],
                   .share = 1.0,
                   .softness = pair->def.method == TAC_METHOD_PENALTY ? 1.0 / pair->values[TAC_PAIR_STIFFNESS] : 0.0};
}

int tac_meeting_look(tacWorld *world, const tacPair *pair, tacSetContact *contacts) {
  tacArenaMark mark = tac_arena_mark(&world->arena);
  Scan s = begin(world);
  Meeting m = meeting_of(pair);
  follow(&s, pair->points);
  follow(&s, pair->field);
  int count = s.work != NULL ? find_contacts(&s, &m, contacts) : 0;
  tac_arena_release(&world->arena, mark);
  return count;
}

/* True if two contacts press one point of a body between two parts of a tool, as in the corner of a hinge. The parts do
 * not yield there, so no motion satisfies both contacts, and their forces would be unbounded. */
static bool wedged(const tacWorld *world, const tacSetContact *a, const tacSetContact *b) {
  const double least_opposed = 0.5;
  return a->body[0] == b->body[0] && a->body[1] != b->body[1] && b->body[1] >= 0 &&
         a->site[0].index == b->site[0].index && tac_vec3_distance(a->site[0].at, b->site[0].at) == 0.0 &&
         world->bodies[a->body[1]].holder == world->bodies[b->body[1]].holder && a->gap + b->gap < 0.0 &&
         tac_vec3_dot(a->axes[0], b->axes[0]) < -least_opposed;
}

/* Removes the shallower of two wedged contacts. */
static void drop_wedged(tacWorld *world) {
  tacContactSet *set = &world->contacts;
  for (int i = 0; i < set->count; ++i) {
    int holder = set->list[i].body[1] >= 0 ? world->bodies[set->list[i].body[1]].holder : -1;
    if (holder < 0 || world->tools[holder].held.jaw_count == 0) continue;
    for (int j = i + 1; j < set->count; ++j) {
      if (!wedged(world, &set->list[i], &set->list[j])) continue;
      if (set->list[i].gap > set->list[j].gap) set->list[i] = set->list[j];
      memmove(&set->list[j], &set->list[j + 1], (size_t)(set->count - j - 1) * sizeof *set->list);
      --set->count;
      --j;
    }
  }
}

/* Detects the contacts of all bodies. `leads`: true for the contacts that ticks solve; false for all others. */
static void detect(tacWorld *world, bool leads, tacTickReport *report) {
  tacArenaMark mark = tac_arena_mark(&world->arena);
  Scan s = begin(world);
  s.laws = true;
  tac_contact_response_displace(world); /* needs the contacts of the previous step */
  if (!leads) tac_contact_set_begin(&world->contacts);
  for (int b = 0; b < world->body_count; ++b) follow(&s, b);
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    const tacWorldBody *a = &world->bodies[pair->points], *b = &world->bodies[pair->field];
    bool is_led = tac_world_leads(world, pair->points, pair->field);
    if (!pair->laws || is_led != leads || !(is_led || a->turn.due || b->turn.due)) continue;
    Meeting m = meeting_of(pair);
    meet(&s, &m);
  }
  if (world->broad_phase != NULL) {
    for (int b = 0; b < world->body_count; ++b) {
      const tacWorldBody *body = &world->bodies[b];
      double h = world->period * body->turn.every;
      tac_broad_phase_set_ball(world->broad_phase, b, tac_frame_to_world(&body->frame, body->points.centre),
                               1.01 * body->points.radius + 2.0 * h * speed_of(body) + 20.0 * h * h);
    }
    tacBroadPhasePairs near = tac_broad_phase_find(world->broad_phase);
    report->saturated += near.lost > 0;
    for (int i = 0; i < near.count; ++i) {
      int a = near.pairs[i].a, b = near.pairs[i].b;
      if (tac_world_leads(world, a, b) == leads) meet_free(&s, a, b, report);
    }
    for (int b = 0; world->has_floor && b < world->body_count; ++b)
      if (world->bodies[b].def.free && tac_world_leads(world, b, -1) == leads) meet_free(&s, b, -1, report);
  }
  drop_wedged(world);
  report->saturated += (world->contacts.lost > 0) + s.lost;
  tac_arena_release(&world->arena, mark);
}

void tac_meeting_detect(tacWorld *world, tacTickReport *report) {
  detect(world, false, report);
}

int tac_meeting_detect_led(tacWorld *world, tacTickReport *report) {
  int first = world->contacts.count;
  if (world->contacts.capacity == 0) return 0;
  detect(world, true, report);
  tac_contact_set_remember(&world->contacts, world->tick);
  return first;
}
