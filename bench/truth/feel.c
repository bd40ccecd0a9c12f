#include "bench/truth/feel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/world.h>
#include "base/clock.h"
#include "base/histogram.h"
#include "base/memory/array.h"
#include "bench/truth/high_pass.h"
#include "bench/truth/rough_hand.h"
#include "bench/truth/truth.h"
#include "couple/workspace.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "mesh/query/triangle_point.h"
#include "scene/tool_device.h"
#include "world/pairs/pair.h"
#include "world/world.h"
#include "world/world_interpenetration.h"
#include "world/world_parts.h"

static const double pressed_by = 2e-3;       /* m */
static const double slow = 0.05, fast = 0.2; /* m/s */
static const double mu = 0.3;
static const double least_felt = 0.02;      /* N: less is no contact to judge */
static const double encoder = 55e-6;        /* m */
static const double longest_way = 10e-3;    /* m to each side */
static const double least_way = 1.0 / 16.0; /* s: no hand goes to and fro more often than eight times a second */
static const double hold_time = 1.0;        /* s */
static const double rest_time = 2.0;        /* s: in which what came to swing as it was touched comes to rest */
static const double least_within = 1e-4;    /* m: a tip that is deeper in a body presses it, */
static const double least_rounded = 0.1;    /* of the radius of a fingertip: and by so much more */

/* A way along the surface, found without friction: places of the hand 2 mm deep; the normal, outward, along which it is pushed there; and of a
 * point tool the touched place and that normal in the body's own frame, at rest. */
enum { HALF = 500, PLACES = 2 * HALF + 1 };
typedef struct Track {
  tacVec3 at[PLACES], normal[PLACES], place[PLACES], out[PLACES];
  int from, to; /* that were in contact when the way was found, the latter included */
} Track;

typedef struct Hand {
  const tacScene *scene;
  tacWorld *world;
  tacFeel *feel;
  double period;
  tacToolInput inputs[TAC_MOST_TOOLS];
  tacToolOutput outputs[TAC_MOST_TOOLS];
  tacHistogram ticks;
  tacVec3 home, contact, normal, along; /* where contact began; outward; unit, across the normal */
  double reach;                         /* m: of a slide to each side */
  Track track;
  bool may_leave; /* the body is free */
  tacWorldInterpenetration *within;
  double *state; /* of a moment that is looked at */
} Hand;

/* ---- the world ---- */

static void set_friction(tacWorld *world, double value) {
  for (int i = 0; i < tac_world_parameter_count(world); ++i)
    if (strcmp(tac_world_parameter(world, i).label, "friction") == 0) tac_world_set_parameter(world, i, value, NULL);
}

static void step(Hand *h) {
  tacTickReport report;
  int64_t begin = tac_clock_thread();
  tac_world_step(h->world, h->inputs, h->outputs, &report);
  tac_histogram_add(&h->ticks, fmax(0.0, tac_clock_seconds(tac_clock_thread() - begin) - report.within));
}

static void keep_place(Hand *h, double seconds) {
  for (double t = 0.0; t < seconds; t += h->period) step(h);
}

static void move_to(Hand *h, tacVec3 to, double speed) {
  tacVec3 from = h->inputs[0].position;
  int ticks = (int)ceil(tac_vec3_distance(from, to) / speed / h->period);
  for (int i = 1; i <= ticks; ++i) {
    h->inputs[0].position = tac_vec3_mad(from, (double)i / ticks, tac_vec3_sub(to, from));
    step(h);
  }
}

static tacStatus open_world(Hand *h, tacError *error) {
  tacStatus status = tac_truth_world(h->scene, &h->world, error);
  if (status != TAC_OK) return status;
  h->period = tac_world_period(h->world);
  for (int t = 0; t < tac_world_tool_count(h->world); ++t)
    h->inputs[t] = (tacToolInput){.position = tac_rough_home(h->world, t), .orientation = {1.0, 0.0, 0.0, 0.0}};
  h->home = h->inputs[0].position;
  return TAC_OK;
}

/* ---- the way to a body ---- */

static bool is_target(const tacWorld *world, int body) {
  const tacHeldBody *held = &world->tools[0].held;
  bool paired = false;
  if (world->bodies[body].holder >= 0) return false;
  for (int p = 0; held->body >= 0 && p < world->pair_count; ++p) {
    tacPairDef pair = tac_world_pair(world, p);
    int a = (int)pair.points.index, b = (int)pair.field.index;
    paired = paired || (a == body && b == held->body) || (b == body && a == held->body);
  }
  return held->body < 0 || paired || world->bodies[body].def.free || world->pair_count == 0;
}

/* Of a few of its vertices, the place that is nearest to p. */
static double nearest_to(const tacTriMesh *mesh, const tacFrame *frame, tacVec3 p, tacVec3 *at) {
  int every = 1 + mesh->triangle_count / 3000;
  double least = INFINITY;
  *at = p;
  for (int t = 0; t < mesh->triangle_count; t += every) {
    const int *v = mesh->triangles[t].v;
    tacVec3 sum = tac_vec3_add(mesh->vertices[v[0]], tac_vec3_add(mesh->vertices[v[1]], mesh->vertices[v[2]]));
    tacVec3 q = tac_frame_to_world(frame, tac_vec3_scale(1.0 / 3.0, sum));
    double away = tac_vec3_distance(p, q);
    if (away < least) least = away, *at = q;
  }
  return least;
}

/* From the tool, as it is, to the nearest place that it may touch. */
static bool find_way(Hand *h, tacVec3 *way) {
  const tacWorld *world = h->world;
  const tacHeldBody *held = &world->tools[0].held;
  const tacWorldBody *own = held->body >= 0 ? &world->bodies[held->body] : NULL;
  int count = own != NULL ? own->surface->mesh->vertex_count : 1, every = 1 + count / 300, to = -1;
  double least = INFINITY;
  for (int b = 0; b < world->body_count; ++b) {
    if (!is_target(world, b)) continue;
    for (int v = 0; v < count; v += every) {
      tacVec3 p = own != NULL ? tac_frame_to_world(&own->frame, own->surface->mesh->vertices[v]) : h->home, at;
      double away = nearest_to(world->bodies[b].surface->mesh, &world->bodies[b].frame, p, &at);
      if (away >= least) continue;
      least = away;
      *way = tac_vec3_sub(at, p);
      to = b;
    }
  }
  if (to < 0) return false;
  h->reach = fmin(longest_way, 0.15 * world->bodies[to].surface->radius);
  return true;
}

/* The axis across the normal along which the touched body is longest. */
static tacVec3 find_along(const Hand *h) {
  const tacWorldBody *body = &h->world->bodies[h->outputs[0].contact.body];
  tacBox box = tac_box_empty();
  const tacTriMesh *mesh = body->surface->mesh;
  for (int v = 0; v < mesh->vertex_count; ++v)
    box = tac_box_add(box, tac_frame_to_world(&body->frame, mesh->vertices[v]));
  tacVec3 size = tac_vec3_sub(box.upper, box.lower), best = {0.0, 0.0, 0.0};
  const tacVec3 axes[3] = {{size.x, 0.0, 0.0}, {0.0, size.y, 0.0}, {0.0, 0.0, size.z}};
  for (int i = 0; i < 3; ++i) {
    tacVec3 across = tac_vec3_mad(axes[i], -tac_vec3_dot(axes[i], h->normal), h->normal);
    if (tac_vec3_norm2(across) > tac_vec3_norm2(best)) best = across;
  }
  return tac_vec3_unit(best);
}

static bool feels(const Hand *h) {
  return h->outputs[0].contact.state != TAC_CONTACT_NONE && tac_vec3_norm(h->outputs[0].force) >= 0.25 * least_felt;
}

/* Comes to the body without friction, so that the force is along the normal. False: it met nothing. */
static bool come(Hand *h) {
  tacVec3 way, from = h->inputs[0].position;
  const double most_beyond = 0.02;
  set_friction(h->world, 0.0);
  keep_place(h, 0.3);
  if (!find_way(h, &way)) return false;
  tacVec3 to = tac_vec3_unit(way);
  double length = tac_vec3_norm(way) + most_beyond;
  for (int times = 0; times < 2; ++times) { /* the second time slowly: 5 um in a tick */
    for (double at = 0.0; at < length; at += (times == 0 ? 0.1 : 0.005) * h->period) {
      h->inputs[0].position = tac_vec3_mad(from, at, to);
      step(h);
      if (h->outputs[0].contact.state != TAC_CONTACT_NONE) break;
    }
    if (h->outputs[0].contact.state == TAC_CONTACT_NONE) return false;
    h->contact = h->inputs[0].position;
    from = tac_vec3_mad(h->contact, -1e-3, to);
    length = 0.01;
    if (times == 0) move_to(h, from, slow);
  }
  move_to(h, tac_vec3_mad(h->contact, 0.5 * pressed_by, to), 0.02);
  keep_place(h, 0.3);
  if (!feels(h)) keep_place(h, rest_time); /* it swung away as it was touched, and comes back */
  if (!feels(h)) return false;
  h->normal = tac_vec3_unit(h->outputs[0].force);
  h->along = find_along(h);
  h->may_leave = h->world->bodies[h->outputs[0].contact.body].def.free;
  return true;
}

/* ---- what it feels ---- */

/* The moment as a picture would show it. */
static tacStatus look(Hand *h, tacSeenWithin *seen, tacError *error) {
  tacSnapshot moment = {.tick = 1, .tool_count = tac_world_tool_count(h->world), .state = h->state};
  memcpy(moment.output, h->outputs, sizeof moment.output);
  tac_world_state(h->world, h->state);
  return tac_world_interpenetration_at(h->within, &moment, seen, error);
}

/* Whether the hand has this body. */
static bool has_body(const tacHeldBody *held, int body) {
  bool has = held->body == body;
  for (int j = 0; j < held->jaw_count; ++j) has = has || held->jaws[j].body == body;
  return has;
}

/* A hand presses while its point or its body is inside of a body as that is now: what swings away from the hand is not pressed. Where a fingertip
 * touches, the mean over its patch, lies below edges, by a part of its radius. */
static tacStatus count_lost(Hand *h, tacError *error) {
  if (h->outputs[0].contact.state != TAC_CONTACT_NONE || isnan(h->feel->lost)) return TAC_OK;
  const tacWorldTool *tool = &h->world->tools[0];
  double within = 0.0, least = least_within + (tool->held.body < 0 ? least_rounded * tool->radius : 0.0);
  tacSeenWithin seen;
  TAC_TRY(look(h, &seen, error));
  for (int i = 0; i < seen.tip_count; ++i)
    if (seen.tips[i].tool == 0) within = fmax(within, seen.tips[i].depth);
  for (int i = 0; i < seen.count && tool->held.body >= 0; ++i)
    if (has_body(&tool->held, seen.bodies[i].body[0]) || has_body(&tool->held, seen.bodies[i].body[1]))
      within = fmax(within, seen.bodies[i].is.depth);
  h->feel->lost += within > least;
  return TAC_OK;
}

/* Takes its best parabola off y, by Legendre's polynomials on equal distances. Returns the sum of squares of what is left. */
static double beyond_parabola(int count, double *y) {
  double c[3] = {0.0}, size[3] = {0.0}, sum = 0.0;
  for (int turn = 0; turn < 2; ++turn)
    for (int i = 0; i < count; ++i) {
      double x = count > 1 ? 2.0 * i / (count - 1) - 1.0 : 0.0, third = (count + 1.0) / (3.0 * fmax(1.0, count - 1.0));
      const double p[3] = {1.0, x, x * x - third};
      for (int k = 0; k < 3; ++k) {
        if (turn == 0)
          c[k] += p[k] * y[i], size[k] += p[k] * p[k];
        else if (count > 3)
          y[i] -= p[k] * c[k] / size[k];
      }
      if (turn > 0) sum += y[i] * y[i];
    }
  return sum;
}

/* What a point tool touches: a place of the body itself, however that has moved. */
static tacVec3 touched_place(const Hand *h) {
  const tacContact *c = &h->outputs[0].contact;
  const tacTriMesh *mesh = h->world->bodies[c->body].surface->mesh;
  tacVec3 sum = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3 && c->triangle >= 0; ++i)
    sum = tac_vec3_mad(sum, c->weight[i], mesh->vertices[mesh->triangles[c->triangle].v[i]]);
  return sum;
}

/* A direction of the world in the touched body's frame. */
static tacVec3 to_touched(const Hand *h, tacVec3 v) {
  return tac_quat_rotate(tac_quat_conjugate(h->world->bodies[h->outputs[0].contact.body].frame.orientation), v);
}

static void note(Hand *h, int i, tacVec3 at) {
  tacVec3 n = tac_vec3_unit(h->outputs[0].force);
  h->track.at[i] = at;
  h->track.normal[i] = n;
  h->track.place[i] = touched_place(h);
  h->track.out[i] = to_touched(h, n);
}

/* From the middle to one side, across the force, until contact ends. */
static int trace(Hand *h, int side) {
  Track *track = &h->track;
  tacVec3 at = track->at[HALF], way = tac_vec3_scale(side, h->along);
  double ds = h->reach / HALF;
  int last = HALF, pause = (int)fmax(1.0, ds / (0.4 * slow * h->period));
  move_to(h, at, slow);
  for (int i = HALF + side; i >= 0 && i < PLACES; i += side) {
    if (!(tac_vec3_norm(h->outputs[0].force) > 0.25 * least_felt)) break;
    tacVec3 n = tac_vec3_unit(h->outputs[0].force);
    way = tac_vec3_mad(way, -tac_vec3_dot(way, n), n);
    if (h->outputs[0].contact.state == TAC_CONTACT_NONE || !(tac_vec3_norm(way) > 0.5)) break;
    way = tac_vec3_unit(way);
    at = tac_vec3_mad(at, ds, way);
    h->inputs[0].position = at;
    for (int k = 0; k < pause; ++k) step(h);
    note(h, i, at);
    last = i;
  }
  return last;
}

static double distance_along(const Track *track) {
  double sum = 0.0;
  for (int i = track->from; i < track->to; ++i) sum += tac_vec3_distance(track->at[i], track->at[i + 1]);
  return sum;
}

static bool find_track(Hand *h) {
  const double shortest = 2e-3; /* m */
  note(h, HALF, tac_vec3_mad(h->contact, -pressed_by, h->normal));
  h->track.to = trace(h, 1);
  h->track.from = trace(h, -1);
  int edge = (h->track.to - h->track.from) / 20; /* the last places may be round an edge */
  if (h->track.to < PLACES - 1) h->track.to -= edge;
  if (h->track.from > 0) h->track.from += edge;
  return h->track.to > h->track.from && distance_along(&h->track) >= shortest;
}

/* Of slides to and fro at a speed: what is felt in the middle half of each way. Where friction turns round is left out, and both directions
 * pass the same places, so that a tilt of the surface does not count. */
typedef struct Slides {
  int64_t count;
  double normal, along; /* N: means; along: against the motion */
  int64_t slid;
  double
      mu; /* mean of tangential over normal force, where it slides or friction is beyond mu: what rolls or sticks tells no threshold */
  double ripple, high; /* N rms: of the normal force; above 100 Hz */
} Slides;

/* The place at a share of the way, and the direction of the way there. */
static tacVec3 place_of(const Track *track, double share, tacVec3 *normal, tacVec3 *along) {
  double x = track->from + share * (track->to - track->from);
  int i = (int)fmin(x, track->to - 1);
  tacVec3 step = tac_vec3_sub(track->at[i + 1], track->at[i]);
  *normal = track->normal[i];
  *along = tac_vec3_unit(step);
  return tac_vec3_mad(track->at[i], x - i, step);
}

/* What contacts of a held body would do by Coulomb's law at its threshold, in the directions in which they act. */
typedef struct Threshold {
  tacVec3 force, normal, friction; /* N: sums; of normal parts; and of mu times their sizes along what is tangential */
  double pressed, slides;          /* N: sums of the sizes of normal parts: of all; of contacts that slide */
} Threshold;

static void add_contact(Threshold *sum, tacVec3 force, tacVec3 normal, bool slides) {
  double size = tac_vec3_dot(force, normal);
  tacVec3 across = tac_vec3_mad(force, -size, normal);
  sum->force = tac_vec3_add(sum->force, force);
  sum->normal = tac_vec3_mad(sum->normal, size, normal);
  if (tac_vec3_norm2(across) > 0.0) sum->friction = tac_vec3_mad(sum->friction, mu * fabs(size), tac_vec3_unit(across));
  sum->pressed += fabs(size);
  if (slides) sum->slides += fabs(size);
}

static void add_contacts(Threshold *sum, const tacWorld *world, int body) {
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    double sign = c->body[0] == body ? 1.0 : c->body[1] == body ? -1.0 : 0.0;
    if (sign != 0.0) add_contact(sum, tac_vec3_scale(sign, c->force), c->axes[0], c->state == TAC_CONTACT_SLIDES);
  }
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    double sign = pair->points == body ? 1.0 : pair->field == body ? -1.0 : 0.0;
    for (int i = 0; !pair->laws && sign != 0.0 && i < pair->count; ++i)
      add_contact(sum, tac_vec3_scale(sign, pair->springs[i].force), pair->at[i].normal, pair->slides[i]);
  }
}

/* Of a point, by the normal without friction where it touches; of a body, by the normals of its contacts: where several bear at once
 * they need not be parallel. At two rates those are not known in a tick, but their mean is. Through a trocar a hand feels them by a lever: what
 * the body bears counts. */
static double mu_felt(const Hand *h, bool *slides) {
  const Track *track = &h->track;
  const tacToolOutput *output = &h->outputs[0];
  const tacHeldBody *held = &h->world->tools[0].held;
  tacVec3 f = output->force, n = output->contact.normal;
  *slides = output->contact.state == TAC_CONTACT_SLIDES;
  if (output->contact.state == TAC_CONTACT_NONE) return 0.0;
  if (held->body >= 0 && h->world->simulation == NULL) {
    Threshold sum = {.pressed = 0.0};
    add_contacts(&sum, h->world, held->body);
    for (int j = 0; j < held->jaw_count; ++j) add_contacts(&sum, h->world, held->jaws[j].body);
    double size2 = tac_vec3_norm2(sum.friction);
    *slides = sum.slides > 0.99 * sum.pressed;
    if (held->def.trocar) f = sum.force;
    return size2 > 0.0 ? mu * tac_vec3_dot(tac_vec3_sub(f, sum.normal), sum.friction) / size2 : 0.0;
  }
  if (held->def.trocar) f = tac_vec3_scale(-1.0, output->contact.force);
  if (held->body < 0) {
    tacVec3 place = touched_place(h);
    int nearest = track->from;
    for (int i = track->from; i <= track->to; ++i)
      if (tac_vec3_distance(track->place[i], place) < tac_vec3_distance(track->place[nearest], place)) nearest = i;
    n = track->out[nearest];
    f = to_touched(h, f);
  }
  double normal = fabs(tac_vec3_dot(f, n));
  return normal > 0.0 ? tac_vec3_norm(tac_vec3_mad(f, -tac_vec3_dot(f, n), n)) / normal : 0.0;
}

/* The share of a way after a share of its time: its first and last quarters take a third of the time each, in which a hand sets off and stops. */
static double share_after(double time) {
  double s = 1.5 * time;
  return s < 0.5 ? s * s : s < 1.0 ? s - 0.25 : 1.0 - (1.5 - s) * (1.5 - s);
}

static tacStatus slide(Hand *h, double speed, int ways, Slides *s, tacError *error) {
  const Track *track = &h->track;
  int ticks = (int)(fmax(least_way, 1.5 * distance_along(track) / speed) / h->period), from = ticks / 3,
      to = ticks - from;
  double *felt = tac_array_create((size_t)ticks + 1, sizeof *felt, "forces", error);
  tacHighPass high = tac_high_pass_begin(100.0, h->period);
  tacStatus status = TAC_OK;
  *s = (Slides){0};
  if (felt == NULL) return TAC_ERR_MEMORY;
  move_to(h, track->at[track->from], slow);
  keep_place(h, 0.1);
  for (int w = 0; w < ways; ++w) {
    double sign = w % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < ticks; ++i) {
      double share = share_after((i + 0.5) / ticks); /* the same places to and fro */
      tacVec3 normal, along;
      h->inputs[0].position = place_of(track, w % 2 == 0 ? share : 1.0 - share, &normal, &along);
      step(h);
      if (status == TAC_OK) status = count_lost(h, error);
      tacVec3 f = h->outputs[0].force;
      double square = tac_high_pass_square(&high, f);
      if (i < from || i >= to) continue;
      felt[i - from] = tac_vec3_dot(f, normal);
      s->normal += felt[i - from];
      s->along -= sign * tac_vec3_dot(f, along);
      bool slides;
      double felt_mu = mu_felt(h, &slides);
      if (slides || felt_mu > mu) s->mu += felt_mu, ++s->slid;
      s->high += square;
      ++s->count;
    }
    s->ripple += beyond_parabola(to - from, felt);
  }
  double n = fmax(1.0, (double)s->count);
  s->normal /= n;
  s->along /= n;
  s->mu = s->slid > s->count / 20 ? s->mu / (double)s->slid : NAN;
  s->ripple = sqrt(s->ripple / n);
  s->high = sqrt(s->high / n);
  free(felt);
  return status;
}

static tacStatus look_at_depth(Hand *h, tacError *error) {
  tacSeenWithin seen;
  TAC_TRY(look(h, &seen, error));
  h->feel->depth = 0.0;
  for (int i = 0; i < seen.count; ++i) h->feel->depth = fmax(h->feel->depth, seen.bodies[i].is.depth);
  return TAC_OK;
}

static tacStatus press_and_slide(Hand *h, tacError *error) {
  tacFeel *feel = h->feel;
  Slides s;
  move_to(h, tac_vec3_mad(h->contact, -pressed_by, h->normal), 0.02);
  feel->lost = h->may_leave ? NAN : 0.0;
  feel->normal = 0.0;
  int ticks = (int)(hold_time / h->period);
  for (int i = 0; i < ticks; ++i) {
    step(h);
    TAC_TRY(count_lost(h, error));
    feel->normal += tac_vec3_dot(h->outputs[0].force, h->normal) / ticks;
  }
  tacStatus status = look_at_depth(h, error);
  if (status != TAC_OK || !find_track(h)) return status;
  status = slide(h, fast, 8, &s, error);
  if (status != TAC_OK || !(s.normal > least_felt)) return status;
  feel->drag = fabs(s.along / s.normal);
  set_friction(h->world, mu);
  status = slide(h, slow, 4, &s, error);
  if (status != TAC_OK || !(s.normal > least_felt)) return status;
  feel->ripple = s.ripple / s.normal;
  feel->threshold = fabs(s.mu / mu - 1.0);
  status = slide(h, fast, 8, &s, error);
  if (status == TAC_OK && s.normal > least_felt) feel->rough = s.high;
  return status;
}

/* ---- holding still ---- */

/* Pressed, at three depths that are a third of a count apart: where a hand comes to rest within a count is chance. */
enum { HOLDS = 3, HELD_TICKS = 10000 };

static tacVec3 held_at(const Hand *h, int hold) {
  return tac_vec3_mad(h->contact, -(pressed_by + hold * encoder / HOLDS), h->normal);
}

/* s: when the hand has come to the body and that has come to rest; each hold lasts two seconds, of which the second counts. */
static double begin_of_holds(const Hand *h) {
  return 0.3 + tac_vec3_distance(h->home, held_at(h, 0)) / 0.1 + rest_time;
}

static tacStatus open_operator(const Hand *h, const tacWorkspaceDef *workspace, tacDevice *device, tacError *error) {
  const tacSceneTool *tool = tac_scene_file_tool(&h->scene->file, 0);
  const double turn[4] = {1.0, 0.0, 0.0, 0.0}, no_limit = 1e9;
  tacTrajectoryPoint points[2 + 2 * HOLDS];
  for (int i = 0; i < 2; ++i) points[i] = tac_rough_point(workspace, 0.3 * i, h->home, turn, 0);
  for (int i = 0; i < 2 * HOLDS; ++i) { /* from one to the next in 0.1 s */
    double time = begin_of_holds(h) + 2.0 * hold_time * (i / 2) +
                  (i % 2 == 1 ? 2.0 * hold_time
                   : i > 0    ? 0.1
                              : -rest_time);
    points[2 + i] = tac_rough_point(workspace, time, held_at(h, i / 2), turn, 0);
  }
  tacOperatorDef def;
  tacTrajectory *trajectory = NULL;
  tacStatus status = tool->device.kind == TAC_SCENE_DEVICE_OPERATOR
                         ? tac_tool_device_operator(h->scene, &tool->device, &def, error)
                         : tac_operator_def_preset("premium-6", &def, error);
  def.repeats = false;
  def.info.resolution = encoder;
  def.info.force_limit = no_limit;
  if (def.info.dof == 6) def.info.torque_limit = no_limit;
  if (status == TAC_OK) status = tac_trajectory_create(2 + 2 * HOLDS, points, false, &trajectory, error);
  if (status == TAC_OK) status = tac_device_operator_open(&def, trajectory, h->period, device, error);
  return status;
}

static void read_and_write(Hand *h, tacDevice *device, tacWorkspace *w) {
  tacDeviceState state;
  device->driver->read(device->self, &state);
  const double *p = state.orientation;
  tac_workspace_move(w, state.position, tac_quat(p[0], p[1], p[2], p[3]), false);
  const double turned[4] = {w->orientation.w, w->orientation.x, w->orientation.y, w->orientation.z};
  h->inputs[0].position = w->position;
  memcpy(h->inputs[0].orientation, turned, sizeof turned);
  step(h);
  device->driver->write(device->self, tac_workspace_to_device(w, h->outputs[0].force),
                        tac_workspace_to_device(w, h->outputs[0].torque));
}

/* In a new world, with the friction that the scene has. */
static tacStatus hold_still(Hand *h, tacError *error) {
  tacDevice devices[TAC_MOST_TOOLS] = {{0}};
  tacWorkspaceDef of[TAC_MOST_TOOLS];
  tac_world_destroy(h->world);
  h->world = NULL;
  tacStatus status = open_world(h, error);
  if (status == TAC_OK) status = tac_scene_devices(h->scene, devices, of, error);
  if (status != TAC_OK) return status;
  for (int t = 0; t < tac_world_tool_count(h->world); ++t) tac_device_close(&devices[t]);
  status = open_operator(h, &of[0], &devices[0], error);
  if (status != TAC_OK) return status;
  const double *q = of[0].orientation;
  tacWorkspace w =
      tac_workspace_begin(of[0].scale, of[0].centre, of[0].device_centre, tac_quat(q[0], q[1], q[2], q[3]), h->period);
  tac_workspace_set_count(&w, encoder); /* as the servo has it */
  for (double t = 0.0; t < begin_of_holds(h); t += h->period) read_and_write(h, &devices[0], &w);
  for (int hold = 0; hold < HOLDS; ++hold) {
    double felt[HELD_TICKS], least = INFINITY, most = -INFINITY;
    int count = 0;
    for (double t = 0.0; t < 2.0 * hold_time; t += h->period) {
      read_and_write(h, &devices[0], &w);
      if (t < hold_time || count == HELD_TICKS) continue;
      felt[count++] = tac_vec3_dot(h->outputs[0].force, h->normal);
      most = fmax(most, felt[count - 1]);
    }
    if (!(most > least_felt)) continue;
    least = INFINITY, most = -INFINITY;
    beyond_parabola(count, felt);
    for (int i = 0; i < count; ++i) least = fmin(least, felt[i]), most = fmax(most, felt[i]);
    h->feel->tremor = fmax(isnan(h->feel->tremor) ? 0.0 : h->feel->tremor, most - least);
  }
  tac_device_close(&devices[0]);
  return TAC_OK;
}

tacStatus tac_feel_measure(const tacScene *scene, tacFeel *feel, tacError *error) {
  *feel = (tacFeel){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  Hand *h = tac_array_create(1, sizeof *h, "a hand", error);
  if (h == NULL) return TAC_ERR_MEMORY;
  *h = (Hand){.scene = scene, .feel = feel};
  tacStatus status = open_world(h, error);
  bool touches = status == TAC_OK && tac_world_tool_count(h->world) > 0 && h->world->tools[0].pad.body < 0 && come(h);
  if (touches) {
    h->state = tac_array_create((size_t)tac_world_state_size(h->world) + 1, sizeof *h->state, "a state", error);
    status = h->state != NULL ? tac_world_interpenetration_create(h->world, &h->within, error) : TAC_ERR_MEMORY;
  }
  if (touches && status == TAC_OK) status = press_and_slide(h, error);
  tac_world_interpenetration_destroy(h->within);
  if (touches) feel->tick = tac_histogram_percentile(&h->ticks, 0.99);
  if (touches && status == TAC_OK && feel->normal > least_felt) status = hold_still(h, error);
  tac_world_destroy(h->world);
  free(h->state);
  free(h);
  return status;
}
