#include "world/tools/point_tool.h"
#include "body/response.h"
#include "contact/point_group.h"
#include "world/pairs/pair.h"
#include "world/tools/fingertip_touch.h"
#include "world/tools/tool_pair.h"

#include <math.h>
#include <string.h>

/* Maximum distance at which a free tool may grab a surface, m. */
#define GRAB_REACH 1e-3
#define SLIDE_RATE TAC_SLIDE_RATE
/* Time constant with which the force of a released contact decays, in addition to SLIDE_RATE, s. Other tools on the
 * body feel this force. Soft bodies of 50 mm come to rest in about this time. In a tick of 1 ms the force falls by 2 %.
 * A spring of stiffness K that is stretched by at most 50 mm then loses less force than K times 1 mm. */
#define FADING_TIME 0.05

/* Returns true if the contacts of tools on the body are solved with the static compliance of the body. */
static bool complies(const tacWorld *world, int b) {
  return tac_world_body_complies(&world->bodies[b]) && !tac_world_carries(world, b);
}

/* ---- compliance bodies ---- */

static tacTouched touched_of(const tacWorldBody *body, const tacWorldTool *tool) {
  return (tacTouched){body->body, &body->fingers.walk, tool->tip};
}

/* Returns the displacement of the surface at a point caused by contacts with other bodies in the previous tick, body's
 * frame, m. */
static tacVec3 moved_by_contacts(const tacWorld *world, int b, int tip, tacSurfacePoint at) {
  const tacWorldBody *body = &world->bodies[b];
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  tacSite here = tac_site_touched(&body->body, tip, at);
  for (int i = 0; i < world->contacts.count; ++i) {
    const tacSetContact *c = &world->contacts.list[i];
    for (int side = 0; side < 2; ++side) {
      tacMat3 w;
      if (c->body[side] != b || c->state == TAC_CONTACT_NONE) continue;
      if (!body->body.table->compliance(body->body.self, &here, &c->site[side], w.m)) continue;
      tacVec3 force = tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), c->force);
      sum = tac_vec3_add(sum, tac_vec3_scale(side == 0 ? 1.0 : -1.0, tac_mat3_mul_vec(w, force)));
    }
  }
  return sum;
}

/* Returns the displacement of the surface at a point caused by contacts with other bodies and by tick forces
 * (tacWorld.tick_forces), body's frame, m. */
static tacVec3 moved_by_bodies(const tacWorld *world, int b, int tip, tacSurfacePoint at) {
  const tacWorldBody *body = &world->bodies[b];
  if (body->shown.presses < 0 || world->contacts.count + world->tick_force_count == 0) return tac_vec3(0.0, 0.0, 0.0);
  tacVec3 sum = moved_by_contacts(world, b, tip, at);
  tacSite here = tac_site_touched(&body->body, tip, at);
  for (int i = 0; i < world->tick_force_count; ++i) {
    const tacPush *push = &world->tick_forces[i];
    tacMat3 w;
    if (push->body != b || !body->body.table->compliance(body->body.self, &here, &push->site, w.m)) continue;
    tacVec3 force = tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), push->force);
    sum = tac_vec3_add(sum, tac_mat3_mul_vec(w, force));
  }
  return sum;
}

static bool fades(const tacFadingContact *fading, int body) {
  return fading->body == body && fading->point.state != TAC_CONTACT_NONE;
}

/* Adds to `sum` the displacement of the point of `tool` that the force at another point, number `by`, causes. */
static void add_moved(tacWorld *world, int body, int tool, tacSurfacePoint at, int by, const tacPointContact *point,
                      tacVec3 *sum, tacTickReport *report) {
  tacMat3 w;
  bool known = tac_tool_pair_compliance(world, body, tool, at, by, point->at, &w);
  tacVec3 next = known ? tac_vec3_add(*sum, tac_mat3_mul_vec(w, point->force)) : *sum;
  if (known && tac_vec3_finite(next))
    *sum = next;
  else
    ++report->uncoupled;
}

/* Returns the displacement of the surface at a point caused by other tools and by fading contacts, m; always finite. */
static tacVec3 moved_by_tools(tacWorld *world, int body, int tool, tacSurfacePoint at, tacTickReport *report) {
  tacVec3 sum = tac_vec3(0.0, 0.0, 0.0);
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *other = &world->tools[t];
    if (t != tool && other->body == body) add_moved(world, body, tool, at, t, &other->point, &sum, report);
  }
  for (int k = 0; k < world->fading_end; ++k)
    if (fades(&world->fading[k], body))
      add_moved(world, body, tool, at, world->tool_count + k, &world->fading[k].point, &sum, report);
  return sum;
}

static tacVec3 moved_by_others(tacWorld *world, int body, int tool, tacSurfacePoint at, tacTickReport *report) {
  tacVec3 by_tools = moved_by_tools(world, body, tool, at, report);
  return tac_vec3_add(by_tools, moved_by_bodies(world, body, world->tools[tool].tip, at));
}

/* Starts a contact at the nearest point of the surface, which other tools and bodies have displaced. If this point is
 * farther from the tool than all motion in the step, the nearest point has jumped, since other tools folded the
 * surface. The tool then counts as a tool that starts inside: it gets no force until it has been outside. */
static void begin_compliant(tacWorld *world, int t, int b, tacApproach *a, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacTouched touched = touched_of(body, tool);
  tacVec3 x = tac_surface_walk_position(&body->fingers.walk, a->nearest),
          by_bodies = moved_by_bodies(world, b, tool->tip, a->nearest);
  tacVec3 moved = moved_by_tools(world, b, t, a->nearest, report);
  tacVec3 y = tac_vec3_sub(tac_frame_from_world(&body->frame, tool->position), by_bodies);
  double stiffness = tac_mat3_trace(tac_point_contact_stiffness(&touched, a->nearest)) / 3.0;
  double reach =
      (tool->grab ? GRAB_REACH : SLIDE_RATE * world->period / stiffness) + tool->motion + tac_vec3_norm(by_bodies);
  for (int other = 0; other < world->tool_count; ++other)
    if (world->tools[other].body == b) reach += world->tools[other].motion;
  if (tac_vec3_distance(y, tac_vec3_add(x, moved)) > reach) {
    a->known = false;
    return;
  }
  tool->body = b;
  tool->point = tool->start = (tacPointContact){.state = TAC_CONTACT_STICKS, .at = a->nearest, .stretch = moved};
  tool->began = world->tick;
  ++tool->contacts;
}

/* Tracks the path of a free tool relative to the undeformed body. The function subtracts two vectors from the position
 * of the tool: the displacement of the nearest point by other tools and bodies, and the offset of the rounded surface
 * from its triangles. */
static void approach_compliant(tacWorld *world, int t, int b, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 p = tac_frame_from_world(&body->frame, tool->position);
  const tacSurfaceWalk *walk = &body->fingers.walk;
  if (a->known) p = tac_vec3_sub(p, moved_by_others(world, b, t, a->nearest, report));
  if (!a->known) tac_proximity_distance(&body->fingers.proximity, p, &a->nearest);
  p = tac_vec3_sub(p, tac_surface_walk_bulge(walk, a->nearest));
  bool enters = false;
  if (!a->known) {
    /* The path of the tool is unknown. A tool that starts inside gets no force until it has been outside. */
    double distance = tac_proximity_distance(&body->fingers.proximity, p, &a->nearest);
    a->known = distance >= 0.0;
    a->clearance = distance;
  } else {
    enters = tac_proximity_enters(&body->fingers.proximity, a->from, p, &a->clearance, &a->nearest);
  }
  a->from = p;
  if (enters) {
    /* The contact starts at the point at which the tool entered. */
    begin_compliant(world, t, b, a, report);
  } else if (tool->grab && a->known && a->clearance < GRAB_REACH) {
    if (tac_proximity_distance(&body->fingers.proximity, p, &a->nearest) < GRAB_REACH)
      begin_compliant(world, t, b, a, report);
  }
}

/* Contacts of all tools on a body, including fading contacts. */
typedef struct Gathered {
  tacWorld *world;
  int body;
  int points[TAC_POINT_GROUP_MOST]; /* numbers of the points: tac_world_points */
  int64_t began[TAC_POINT_GROUP_MOST];
  tacPointGroup group;
} Gathered;
_Static_assert((int)TAC_MOST_TOOLS <= (int)TAC_POINT_GROUP_MOST, "a group has room for all tools");

static bool compliance_between(void *context, int i, tacSurfacePoint at, int j, tacSurfacePoint by,
                               tacMat3 *compliance) {
  Gathered *g = context;
  return tac_tool_pair_compliance(g->world, g->body, g->points[i], at, g->points[j], by, compliance);
}

/* Inserts a contact, sorted by the tick in which the contacts began. So a new contact does not change the mutual
 * effects of older contacts. */
static void add_member(Gathered *g, int point, int64_t began, const tacPointMember *member) {
  int at = g->group.count++;
  for (; at > 0 && g->began[at - 1] > began; --at) {
    g->points[at] = g->points[at - 1];
    g->began[at] = g->began[at - 1];
    g->group.members[at] = g->group.members[at - 1];
  }
  g->points[at] = point;
  g->began[at] = began;
  g->group.members[at] = *member;
}

/* Gathers the contacts of all tools that touch the body and of the tool `also` (-1: no tool). Then adds fading contacts
 * up to the limit of the group. If `also` is -1, these are the fading contacts at the start of the step; otherwise they
 * are the present fading contacts. */
static void gather(tacWorld *world, int b, int also, Gathered *g) {
  const tacWorldBody *body = &world->bodies[b];
  g->world = world;
  g->body = b;
  g->group.touched = (tacTouched){body->body, &body->fingers.walk, 0};
  g->group.friction = body->feel.friction;
  g->group.change = SLIDE_RATE * world->period;
  g->group.fading = fmin(1.0, world->period / FADING_TIME);
  g->group.compliance = compliance_between;
  g->group.context = g;
  g->group.lost = body->store.lost;
  g->group.count = 0;
  for (int t = 0; t < world->tool_count; ++t) {
    const tacWorldTool *tool = &world->tools[t];
    if (tool->body != b && t != also) continue;
    add_member(g, t, tool->began,
               &(tacPointMember){.start = tool->start,
                                 .y = tac_vec3_sub(tac_frame_from_world(&body->frame, tool->position),
                                                   moved_by_bodies(world, b, tool->tip, tool->start.at)),
                                 .motion = tool->motion,
                                 .tip = tool->tip,
                                 .grabbed = tool->grab,
                                 .now = tool->point});
  }
  const tacFadingContact *list = also >= 0 ? world->fading : world->fading_start;
  int end = also >= 0 ? world->fading_end : world->fading_start_end;
  for (int k = 0; k < end && g->group.count > 0 && g->group.count < TAC_POINT_GROUP_MOST; ++k) {
    const tacFadingContact *f = &list[k];
    if (!fades(f, b)) continue;
    tacVec3 y = tac_vec3_add(tac_surface_walk_position(&body->fingers.walk, f->point.at), f->point.stretch);
    add_member(g, world->tool_count + k, f->began,
               &(tacPointMember){.start = f->point, .y = y, .tip = f->tip, .fading = true, .now = f->point});
  }
}

/* Adds a fading contact. In a full list, the new contact replaces the contact with the smallest force. */
static void leave(tacWorld *world, int body, int tip, int64_t began, const tacPointContact *point) {
  int room = 0;
  tacFadingContact *list = world->fading;
  if (world->tool_count < 2 || !tac_vec3_finite(point->force) || !tac_vec3_finite(point->stretch)) return;
  while (room < world->fading_end && list[room].point.state != TAC_CONTACT_NONE) ++room;
  if (room == TAC_WORLD_MOST_FADING) {
    room = 0;
    for (int k = 1; k < TAC_WORLD_MOST_FADING; ++k)
      if (tac_vec3_norm(list[k].point.force) < tac_vec3_norm(list[room].point.force)) room = k;
  }
  list[room] = (tacFadingContact){body, tip, began, *point};
  if (room == world->fading_end) ++world->fading_end;
}

static void scatter(const Gathered *g) {
  tacWorld *world = g->world;
  int *end = &world->fading_end;
  for (int k = 0; k < *end; ++k)
    if (fades(&world->fading[k], g->body)) world->fading[k].point.state = TAC_CONTACT_NONE;
  for (int i = 0; i < g->group.count; ++i) {
    const tacPointMember *m = &g->group.members[i];
    int k = g->points[i] - world->tool_count;
    if (m->fading)
      world->fading[k] = (tacFadingContact){g->body, m->tip, g->began[i], m->now};
    else
      world->tools[g->points[i]].point = m->now;
    for (; m->fading && *end <= k; ++*end)
      if (*end < k) world->fading[*end].point.state = TAC_CONTACT_NONE;
  }
  for (int i = 0; i < g->group.count; ++i) {
    const tacPointMember *m = &g->group.members[i];
    if (m->left.state != TAC_CONTACT_NONE) leave(world, g->body, m->tip, g->began[i], &m->left);
  }
  while (*end > 0 && world->fading[*end - 1].point.state == TAC_CONTACT_NONE) --*end;
  world->bodies[g->body].store.lost = g->group.lost;
}

/* Updates the contacts of all tools on a compliance body, starting from the contacts at the start of the step. */
static void settle_compliant(tacWorld *world, int b, int *budget, tacTickReport *report) {
  Gathered g;
  gather(world, b, -1, &g);
  g.group.lost = world->bodies[b].store.lost_before;
  if (g.group.count > 0)
    tac_point_group_settle(&g.group, budget);
  else
    g.group.lost = 0.0;
  scatter(&g);
  if (g.group.count == 0) return;
  if (g.group.sweeps > report->sweeps) report->sweeps = g.group.sweeps;
  if (g.group.count > 1 && g.group.sweeps > 0) report->residual = fmax(report->residual, g.group.residual);
  report->uncoupled += g.group.uncoupled;
  report->saturated += g.group.saturated;
}

/* Handles a tool whose contact ended. The tool may be inside the body if its contact point slid off another part of the
 * body. Such a tool touches the nearest surface point at once, if the hand cannot get more energy there than it gave.
 * Otherwise the tool gets no force until it has been outside. */
static void release_compliant(tacWorld *world, int t, int b, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 y = tac_frame_from_world(&body->frame, tool->position);
  y = tac_vec3_sub(y, moved_by_others(world, b, t, tool->start.at, report));
  y = tac_vec3_sub(y, tac_surface_walk_bulge(&body->fingers.walk, tool->start.at));
  a->clearance = tac_proximity_distance(&body->fingers.proximity, y, &a->nearest);
  a->from = y;
  a->known = true;
  if (a->clearance >= 0.0) return;
  Gathered g;
  gather(world, b, t, &g);
  int member = 0;
  while (g.points[member] != t) ++member;
  if (tac_point_group_take_hold(&g.group, member, a->nearest)) {
    scatter(&g);
    tool->body = b;
    tool->began = world->tick;
    ++tool->contacts;
  } else if (g.group.members[member].now.state == TAC_CONTACT_NONE) {
    a->clearance = 0.0; /* the tool is on the surface within rounding */
  } else {
    a->known = false;
  }
}

static void place_compliant(const tacWorldBody *body, tacSurfacePoint at, tacContact *c) {
  tacVec3 position = tac_surface_walk_position(&body->fingers.walk, at);
  c->at = c->deformed = tac_frame_to_world(&body->frame, position);
  c->normal = tac_quat_rotate(body->frame.orientation, tac_surface_walk_normal(&body->fingers.walk, at));
}

static void describe_compliant(tacWorld *world, int t, tacContact *c, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  tacTouched touched = touched_of(body, tool);
  place_compliant(body, tool->point.at, c);
  c->force = tac_quat_rotate(body->frame.orientation, tool->point.force);
  tacVec3 displacement = moved_by_others(world, tool->body, t, tool->point.at, report);
  displacement = tac_vec3_add(displacement, tac_point_contact_displacement(&touched, &tool->point));
  c->deformed = tac_vec3_add(c->at, tac_quat_rotate(body->frame.orientation, displacement));
}

/* ---- all other bodies ---- */

/* Number of surface samples whose distance to a free tool is checked in a step; TURN steps check all samples. */
enum { LOOKED_AT = 16, TURN = TAC_SURFACE_MOST_SAMPLES / LOOKED_AT };
#define MOST_ENTRY TAC_MOST_ENTRY

double tac_point_tool_surface_speed(const tacWorldBody *body, tacSurfacePoint at) {
  tacSite site = tac_site_on_surface(at);
  tacVec3 velocity = tac_vec3(0.0, 0.0, 0.0);
  if (body->moves.frame > 0)
    velocity = tac_frame_velocity(&body->frame, tac_frame_to_world(&body->frame, tac_body_place(&body->body, &site)));
  tacVec3 own = tac_response_velocity(&body->body, body->fingers.patches, &site);
  return tac_vec3_norm(tac_vec3_add(velocity, tac_quat_rotate(body->frame.orientation, own)));
}

/* Searches for the nearest surface point, starting at `other`. Replaces `nearest` and `distance` if the found point is
 * nearer, and the tool is outside there or at most `entry` (m) deep. */
static void go_over(const tacWorldBody *body, tacVec3 p, tacSurfacePoint other, double entry, tacSurfacePoint *nearest,
                    double *distance) {
  double there = tac_body_surface_nearest(body->surface, &body->body, p, &other);
  if (!(fabs(there) < fabs(*distance)) || !(there > -entry)) return;
  *nearest = other;
  *distance = there;
}

/* Tracks, from step to step, the surface point that is nearest to a free tool. Also checks whether another part of the
 * surface came nearer. This search starts at the nearest point of the surface at rest, and at the nearest of some
 * samples, which change from step to step. */
static void approach_surface(tacWorld *world, int t, int b) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  const tacBodySurface *surface = body->surface;
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 p = tac_frame_from_world(&body->frame, tool->position);
  double apart = tac_vec3_distance(p, surface->centre) - tac_body_surface_bound(surface, &body->body);
  if (apart > GRAB_REACH) {
    *a = (tacApproach){.known = true, .clearance = apart, .nearest = {.triangle = -1}};
    return;
  }
  bool followed = a->known && a->nearest.triangle >= 0;
  if (!followed) a->nearest = tac_body_surface_start(surface, &body->body, p);
  double distance = tac_body_surface_nearest(surface, &body->body, p, &a->nearest);
  double step = world->period * body->turn.every; /* time between two steps of the body, s */
  double motion = tool->motion + tac_point_tool_surface_speed(body, a->nearest) * step;
  double entry = MOST_ENTRY + TURN * motion;
  tacSurfacePoint other;
  bool looks = !followed || distance > 0.0 || distance < -entry;
  if (looks && tac_body_surface_look(surface, &body->body, p, a->nearest, &other))
    go_over(body, p, other, followed ? MOST_ENTRY + motion : INFINITY, &a->nearest, &distance);
  if (looks && followed) {
    int count = surface->sample_count < LOOKED_AT ? surface->sample_count : LOOKED_AT;
    int first = (int)(world->tick * LOOKED_AT % surface->sample_count);
    double within = fabs(distance) + surface->spacing;
    int vertex = tac_body_surface_sample(surface, &body->body, p, first, count, within, true);
    if (vertex >= 0) go_over(body, p, tac_body_surface_at_vertex(surface, vertex), entry, &a->nearest, &distance);
  }
  if (tac_fingertip_presses(body, tool) && distance < 0.0) distance = tac_fingertip_distance(world, b, t, a->nearest);
  /* A tool that starts inside gets no force until it has been outside. */
  bool entered = a->known && distance < 0.0 && distance > -entry;
  a->known = distance >= 0.0;
  a->clearance = distance;
  if (tac_world_carries(world, b)) { /* the ticks detect the entry, not the step */
    a->known = a->known || entered;
    return;
  }
  if (!entered && !(tool->grab && fabs(distance) < GRAB_REACH)) return;
  tool->body = b;
  tool->point = (tacPointContact){.state = tool->grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS, .at = a->nearest};
  tool->leaves = false;
  ++tool->contacts;
  if (tac_fingertip_presses(body, tool)) {
    tac_fingertip_begin(world, b, t);
    return;
  }
  /* A contact that is detected late is deeper than the motion in this step. The excess depth is the initial
   * stretch of the spring, so that the force does not jump but rises at SLIDE_RATE. */
  motion = tool->motion + tac_point_tool_surface_speed(body, a->nearest) * step;
  tacVec3 in = tac_vec3_sub(p, tac_body_surface_point(surface, &body->body, a->nearest));
  if (-distance > motion)
    tool->point.stretch = tac_quat_rotate(body->frame.orientation, tac_vec3_scale(1.0 + motion / distance, in));
}

/* Returns a surface point in the direction from `from` to `to`, at most about `step` (m) from `from`, and nearer to `y`
 * than `from`; body's frame. If an edge or rounding prevents this, the function walks over the surface from `from`
 * toward the tool at `p`, by at most `step`. */
static tacSurfacePoint slide(const tacWorldBody *body, tacVec3 p, tacVec3 y, tacSurfacePoint from, tacSurfacePoint to,
                             double step) {
  const tacBodySurface *surface = body->surface;
  tacVec3 x = tac_body_surface_point(surface, &body->body, from), moved = {0.0, 0.0, 0.0};
  tacVec3 way = tac_vec3_sub(tac_body_surface_point(surface, &body->body, to), x);
  tacSurfacePoint at = from;
  /* If the surface bends at an edge, the first turn moves the point to the edge. */
  for (int turn = 0; turn < 2 && tac_vec3_norm(moved) < 0.5 * step; ++turn) {
    at = from;
    tac_body_surface_nearest(surface, &body->body, tac_vec3_mad(x, step, tac_vec3_unit(way)), &at);
    moved = way = tac_vec3_sub(tac_body_surface_point(surface, &body->body, at), x);
  }
  if (tac_vec3_distance(tac_vec3_add(x, moved), y) < tac_vec3_distance(x, y)) return at;
  at = from;
  tac_body_surface_slide(surface, &body->body, p, step, &at);
  return at;
}

/* Slides the contact point toward the surface point that is nearest to the tool, until friction stops the contact
 * point. On a plane this is Coulomb's law.
 *
 * If the tool has left the body, past an edge or through a thin part, the contact force f fades. In each step f falls
 * by more than k times the motion of the tool, with the spring stiffness k. So the hand gets at most the energy in the
 * spring, |f|^2 / (2 k). The contact ends when f is zero. If the tool is then deep on the inner side of the nearest
 * surface, the tool is not in the body but beyond a ridge. The tool enters again only near the surface. */
static void settle_point(const tacWorld *world, const tacWorldBody *body, tacWorldTool *tool) {
  tacPointContact *c = &tool->point;
  double touch = body->feel.stiffness;
  tacQuat turn = body->frame.orientation;
  tacVec3 y = tac_frame_from_world(&body->frame, tool->position);
  tacVec3 x = tac_body_surface_point(body->surface, &body->body, c->at);
  tacVec3 pulled = tac_vec3_scale(1.0 / touch, c->force);
  double motion = tac_vec3_distance(tac_quat_rotate(turn, tac_vec3_sub(y, x)), c->stretch);
  double reach = motion + 0.5 * SLIDE_RATE * world->period / touch; /* contacts are updated twice per step */
  tacSurfacePoint at = c->at;
  double depth = tool->grab ? 0.0 : -tac_body_surface_nearest(body->surface, &body->body, y, &at);
  if (tac_touch_ends(tool, depth, motion, pulled, reach)) return;
  if (!tool->grab) {
    tacVec3 nearest = tac_body_surface_point(body->surface, &body->body, at);
    double step = tac_vec3_distance(nearest, x) - body->feel.friction * fmax(0.0, depth);
    if (step > 0.0) {
      c->state = TAC_CONTACT_SLIDES;
      c->at = slide(body, y, tool->leaves ? nearest : y, c->at, at, fmin(step, reach));
      x = tac_body_surface_point(body->surface, &body->body, c->at);
    }
  }
  c->stretch = tac_quat_rotate(turn, tac_vec3_sub(y, x));
  c->force =
      tac_vec3_scale(touch, tac_touch_towards(pulled, tool->leaves ? tac_vec3(0.0, 0.0, 0.0) : c->stretch, reach));
}

static void settle_surface(tacWorld *world, int b) {
  for (int t = 0; t < world->tool_count; ++t)
    if (world->tools[t].body == b && world->tools[t].point.state != TAC_CONTACT_NONE) {
      if (tac_fingertip_presses(&world->bodies[b], &world->tools[t]))
        tac_fingertip_settle(world, b, t);
      else
        settle_point(world, &world->bodies[b], &world->tools[t]);
    }
}

static void place_surface(const tacWorldBody *body, tacSurfacePoint at, tacContact *c) {
  const tacTriMesh *mesh = body->surface->mesh;
  const int *v = mesh->triangles[at.triangle].v;
  tacVec3 rest = tac_vec3(0.0, 0.0, 0.0), normal = rest;
  for (int i = 0; i < 3; ++i) {
    rest = tac_vec3_mad(rest, at.weight[i], mesh->vertices[v[i]]);
    normal = tac_vec3_mad(normal, at.weight[i], tac_vec3_unit(body->body.table->vertex_normal(body->body.self, v[i])));
  }
  if (!(tac_vec3_norm2(normal) > 0.0)) normal = body->surface->normals[v[0]];
  c->at = tac_frame_to_world(&body->frame, rest);
  c->normal = tac_quat_rotate(body->frame.orientation, tac_vec3_unit(normal));
  c->deformed = tac_frame_to_world(&body->frame, tac_body_surface_point(body->surface, &body->body, at));
}

/* ---- all bodies ---- */

void tac_point_tool_approach(tacWorld *world, int t, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  for (int b = 0; b < world->body_count && tool->body < 0 && !tool->lifted && tac_world_tool_is_point(tool); ++b)
    if (complies(world, b))
      approach_compliant(world, t, b, report);
    else
      approach_surface(world, t, b);
}

void tac_point_tool_settle(tacWorld *world, int b, int *budget, tacTickReport *report) {
  if (complies(world, b)) {
    world->bodies[b].store.lost_before = world->bodies[b].store.lost;
    settle_compliant(world, b, budget, report);
    return;
  }
  if (tac_world_carries(world, b)) return;
  for (int t = 0; t < world->tool_count; ++t) {
    tacWorldTool *tool = &world->tools[t];
    if (tool->body == b && tool->point.state == TAC_CONTACT_SLIDES) tool->point.state = TAC_CONTACT_STICKS;
  }
  settle_surface(world, b);
}

void tac_point_tool_follow(tacWorld *world, int b, int *budget, tacTickReport *report) {
  if (tac_world_carries(world, b)) return;
  if (!tac_world_body_complies(&world->bodies[b]))
    settle_surface(world, b);
  else if (world->bodies[b].moves.frame > 0)
    settle_compliant(world, b, budget, report);
}

void tac_point_tool_free(tacWorld *world, int t) {
  tacWorldTool *tool = &world->tools[t];
  if (tool->body >= 0 && tool->point.state != TAC_CONTACT_NONE && complies(world, tool->body)) {
    tacPointContact left = tool->point;
    left.state = TAC_CONTACT_STICKS;
    leave(world, tool->body, tool->tip, tool->began, &left);
  }
  tool->point.state = TAC_CONTACT_NONE;
  tool->body = -1;
  for (int b = 0; b < world->body_count; ++b) *tac_world_approach(world, t, b) = (tacApproach){0};
}

void tac_point_tool_release(tacWorld *world, int t, tacTickReport *report) {
  tacWorldTool *tool = &world->tools[t];
  if (tool->body < 0 || tool->point.state != TAC_CONTACT_NONE) return;
  int b = tool->body;
  const tacWorldBody *body = &world->bodies[b];
  tool->body = -1;
  for (int other = 0; other < world->body_count; ++other) tac_world_approach(world, t, other)->known = false;
  if (complies(world, b)) {
    release_compliant(world, t, b, report);
    return;
  }
  tacApproach *a = tac_world_approach(world, t, b);
  tacVec3 p = tac_frame_from_world(&body->frame, tool->position);
  tacSurfacePoint other;
  a->nearest = tool->point.at;
  a->clearance = tac_body_surface_nearest(body->surface, &body->body, p, &a->nearest);
  if (tac_body_surface_look(body->surface, &body->body, p, a->nearest, &other))
    go_over(body, p, other, INFINITY, &a->nearest, &a->clearance);
  if (tac_fingertip_presses(body, tool) && a->clearance < 0.0)
    a->clearance = tac_fingertip_distance(world, b, t, a->nearest);
  a->known = a->clearance > -MOST_ENTRY; /* a deeper tool would get energy that it did not give */
}

bool tac_point_tool_spring(const tacWorld *world, int t, tacToolSpring *spring) {
  const tacWorldTool *tool = &world->tools[t];
  if (tool->body < 0 || tool->point.state == TAC_CONTACT_NONE || tac_world_carries(world, tool->body)) return false;
  const tacWorldBody *body = &world->bodies[tool->body];
  spring->site = tac_site_touched(&body->body, tool->tip, tool->point.at);
  spring->at = tac_frame_to_world(&body->frame, tac_body_place(&body->body, &spring->site));
  if (tac_world_body_complies(body)) {
    tacTouched touched = touched_of(body, tool);
    tacMat3 turn = tac_quat_to_mat3(body->frame.orientation), k = tac_point_contact_stiffness(&touched, tool->point.at);
    spring->force = tac_mat3_mul_vec(turn, tool->point.force);
    spring->stiffness = tac_mat3_mul(turn, tac_mat3_mul(k, tac_mat3_transpose(turn)));
    spring->damping = 0.0;
  } else if (tac_fingertip_presses(body, tool)) {
    spring->site = (tacSite){TAC_SITE_PATCH, t, {0.0, 0.0, 0.0}};
    spring->at = tool->place;
    spring->force = tool->point.force;
    spring->stiffness = tool->spring;
    spring->damping = body->def.touch_damping;
  } else {
    double touch = body->feel.stiffness;
    spring->force = tool->point.force;
    spring->stiffness = tac_mat3_diagonal(touch, touch, touch);
    spring->damping = body->def.touch_damping;
  }
  return true;
}

static void describe(tacWorld *world, int t, tacContact *c, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  c->state = tool->point.state;
  c->body = (uint32_t)tool->body;
  c->triangle = tool->point.at.triangle;
  memcpy(c->weight, tool->point.at.weight, sizeof c->weight);
  if (complies(world, tool->body)) {
    describe_compliant(world, t, c, report);
  } else {
    place_surface(body, tool->point.at, c);
    if (tac_fingertip_presses(body, tool)) c->normal = tool->normal;
    c->force = tool->point.force;
  }
}

void tac_point_tool_describe(tacWorld *world, int t, tacToolOutput *output, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  if (tool->body < 0) return;
  tacContact *c = &output->contact;
  describe(world, t, c, report);
  output->force = tac_vec3_scale(-1.0, c->force);
  output->proxy = c->deformed;
  output->depth = tac_vec3_distance(tool->position, c->at);
  ++report->contact_count;
}

/* ---- places of tools for the local problem (couple/local_problem.h) ---- */

/* Returns the body whose surface is nearest to a tool without contact; -1 if no surface is within `reach` (m). `at`
 * receives the nearest point. */
static int nearest_body(tacWorld *world, int t, double reach, tacSurfacePoint *at) {
  const tacWorldTool *tool = &world->tools[t];
  int nearest = -1;
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    const tacApproach *a = tac_world_approach(world, t, b);
    tacSurfacePoint found = a->nearest;
    if (!a->known || !(a->clearance < reach) || (!complies(world, b) && found.triangle < 0)) continue;
    tacVec3 p = tac_frame_from_world(&body->frame, tool->position);
    double distance = complies(world, b) ? tac_proximity_distance(&body->fingers.proximity, p, &found)
                                         : tac_body_surface_nearest(body->surface, &body->body, p, &found);
    if (!(fabs(distance) < reach)) continue;
    reach = fabs(distance);
    *at = found;
    nearest = b;
  }
  return nearest;
}

/* Returns the direction in which the surface pushes a touching tool without friction. This direction deviates from the
 * normal if the stiffness varies over the surface, or if the surface is not smooth. */
static tacVec3 axis_of(const tacWorld *world, int t, tacVec3 normal) {
  const tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[tool->body];
  tacVec3 axis;
  if (tool->point.state == TAC_CONTACT_GRABBED) return normal; /* a grabbing tool can pull in any direction */
  if (tac_fingertip_presses(body, tool)) return normal;
  if (complies(world, tool->body)) {
    tacTouched touched = touched_of(body, tool);
    tacVec3 smooth = tac_point_contact_smooth(&touched, &tool->point);
    axis = tac_quat_rotate(body->frame.orientation, tac_vec3_scale(-1.0, smooth));
  } else {
    tacSurfacePoint at = tool->point.at;
    tacVec3 p = tac_frame_from_world(&body->frame, tool->position);
    double distance = tac_body_surface_nearest(body->surface, &body->body, p, &at);
    tacVec3 out = tac_vec3_sub(tac_body_surface_point(body->surface, &body->body, at), p);
    axis = distance < -1e-6 ? tac_quat_rotate(body->frame.orientation, out) : normal;
  }
  axis = tac_vec3_unit(axis);
  return tac_vec3_dot(axis, normal) > 0.7 ? axis : normal;
}

/* Returns the outward direction of the surface at a tool on a body with inertia: the direction of the line between the
 * tool and the nearest surface point. For a tool on the surface, the function returns the normal of the triangle, since
 * vertex normals are tilted near edges. */
static tacVec3 way_out(const tacWorld *world, int t, int b, tacSurfacePoint at) {
  const tacWorldBody *body = &world->bodies[b];
  tacVec3 p = tac_frame_from_world(&body->frame, world->tools[t].position), corner[3];
  double distance = tac_body_surface_nearest(body->surface, &body->body, p, &at);
  tacVec3 out = tac_vec3_sub(p, tac_body_surface_point(body->surface, &body->body, at));
  if (!(fabs(distance) > 1e-5)) {
    for (int i = 0; i < 3; ++i)
      corner[i] = body->body.table->vertex(body->body.self, body->surface->mesh->triangles[at.triangle].v[i]);
    out = tac_vec3_cross(tac_vec3_sub(corner[1], corner[0]), tac_vec3_sub(corner[2], corner[0]));
  } else if (distance < 0.0) {
    out = tac_vec3_scale(-1.0, out);
  }
  return tac_vec3_unit(tac_quat_rotate(body->frame.orientation, out));
}

bool tac_point_tool_tip(tacWorld *world, int t, double reach, tacToolTip *tip, tacTickReport *report) {
  const tacWorldTool *tool = &world->tools[t];
  tacSurfacePoint at = tool->point.at;
  *tip = (tacToolTip){0};
  int b = tool->body;
  if (b >= 0) {
    describe(world, t, &tip->contact, report);
  } else {
    b = tool->lifted ? -1 : nearest_body(world, t, reach, &at);
    if (b < 0) return false;
    tip->contact.body = (uint32_t)b;
    tip->contact.triangle = at.triangle;
    memcpy(tip->contact.weight, at.weight, sizeof at.weight);
    if (complies(world, b))
      place_compliant(&world->bodies[b], at, &tip->contact);
    else
      place_surface(&world->bodies[b], at, &tip->contact);
  }
  if (tac_world_carries(world, b) && tac_world_body_complies(&world->bodies[b])) {
    /* The place includes the displacement by other bodies, but not by tools. */
    const tacWorldBody *body = &world->bodies[b];
    tacVec3 moved = tac_quat_rotate(body->frame.orientation, moved_by_contacts(world, b, tool->tip, at));
    tip->contact.deformed = tac_vec3_add(tip->contact.deformed, moved);
  }
  tip->axis = tac_world_carries(world, b) ? way_out(world, t, b, at)
              : tool->body >= 0           ? axis_of(world, t, tip->contact.normal)
                                          : tip->contact.normal;
  tip->site = tac_site_touched(&world->bodies[b].body, tool->tip, at);
  double soft = tac_world_body_complies(&world->bodies[b]) ? 0.0 : 1.0 / world->bodies[b].feel.stiffness;
  tip->soft = (tacDent){soft, soft};
  if (tac_fingertip_presses(&world->bodies[b], tool)) {
    tac_fingertip_place(world, b, t, at, &tip->soft);
    tip->contact.deformed = tool->place;
    tip->contact.normal = tip->axis = tool->normal;
    if (tool->body >= 0 && tool->point.state != TAC_CONTACT_GRABBED) tip->axis = tac_fingertip_axis(world, b, t, at);
    tip->site = (tacSite){TAC_SITE_PATCH, t, {0.0, 0.0, 0.0}};
  }
  return true;
}

bool tac_point_tool_compliance(tacWorld *world, int body, int tool, const tacSite *at, int other, const tacSite *by,
                               tacMat3 *compliance) {
  if (tool == other) {
    tacTouched touched = touched_of(&world->bodies[body], &world->tools[tool]);
    return tac_mat3_inverse(tac_point_contact_stiffness(&touched, tac_site_surface_point(at)), compliance);
  }
  return tac_tool_pair_compliance(world, body, tool, tac_site_surface_point(at), other, tac_site_surface_point(by),
                                  compliance);
}
