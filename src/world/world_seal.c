/* Sealing of a world: allocation of all memory that steps need. Load phase. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "world/islands/contact_response.h"
#include "world/islands/island.h"
#include "world/islands/meeting.h"
#include "world/pairs/budget.h"
#include "world/pairs/pair.h"
#include "world/rates/local_build.h"
#include "world/rates/simulation.h"
#include "world/store.h"
#include "world/tools/fingertip_touch.h"

enum {
  MOST_CONTACTS = 16384,
  MOST_HELD = 32 /* maximum number of contacts between a held body and another body in a tick, to limit the time */
};

static bool in_laws(const tacWorld *world, int b) {
  for (int p = 0; p < world->pair_count; ++p)
    if (world->contact_pairs[p].laws && tac_pair_has(&world->contact_pairs[p], b)) return true;
  return false;
}

/* True if the body steps by implicit Euler: its contacts may be solved by the contact laws, or the body is in a pair
 * and steps are longer than ticks. With Newmark's method, contact springs that appear and disappear need a damper h K.
 * In long steps this damper would be far too strong. */
static bool steps_by_euler(const tacWorld *world, int b, bool some_are_free) {
  bool paired = false;
  for (int p = 0; p < world->pair_count; ++p) paired = paired || tac_pair_has(&world->contact_pairs[p], b);
  return some_are_free || in_laws(world, b) || (paired && world->simulate_every > 1);
}

/* Reserves `count` numbers in the state if `has` is true. Returns their offset in the state, or -1 if `has` is
 * false. */
static int take(tacWorld *world, bool has, int count) {
  int first = world->state_size;
  if (has) world->state_size += count;
  return has ? first : -1;
}

/* Computes the offsets of all bodies' data in the state. */
static void lay_out(tacWorld *world, bool meets) {
  world->state_size = 0;
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    tacBodyShownAt *shown = &body->shown;
    int own = tac_body_describe(&body->body).shown;
    bool moves = body->holder >= 0 || body->def.free || world->movable;
    shown->state = take(world, own > 0 || moves, own);
    shown->pose = take(world, moves, TAC_WORLD_OF_POSE);
    shown->presses = take(world, tac_world_body_complies(body) && (meets || in_laws(world, b)),
                          TAC_WORLD_OF_PRESS * world->most_presses);
    shown->grip =
        take(world, body->grip.patches != NULL, 1 + TAC_WORLD_OF_TRACTION * TAC_PAD_MOST_VERTICES * body->grip.pads);
    shown->load = take(world, tac_body_looks(&body->body)->covers != NULL, TAC_WORLD_OF_LOAD);
    shown->error_estimate = take(world, body->body.table->error_estimate != NULL, 1);
  }
  world->state_size += world->pair_count;
}

static bool one_yields(const tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b)
    if (tac_world_body_yields(&world->bodies[b])) return true;
  return false;
}

/* Makes all bodies step in every step of the world if any body has step compliance. A body with step compliance cannot
 * receive impulses from longer steps of other bodies. */
static void step_together(tacWorld *world) {
  for (int b = 0; one_yields(world) && b < world->body_count; ++b) tac_world_body_set_every(&world->bodies[b], 1, 0);
}

static tacStatus make_contacts(tacWorld *world, int free_count, tacError *error) {
  int64_t capacity = 0;
  int largest = TAC_MEETING_CONTACTS;
  for (int p = 0; p < world->pair_count; ++p) {
    const tacPair *pair = &world->contact_pairs[p];
    int patch = tac_meeting_patch(&pair->def.laws, tac_meeting_bodies(world, pair->points, pair->field, true));
    if (!pair->laws) continue;
    capacity += patch + TAC_MEETING_FARTHER;
    if (patch > largest) largest = patch;
  }
  if (free_count > 0) {
    int patch = tac_meeting_patch(&world->laws, one_yields(world) ? TAC_MEET_YIELDING : TAC_MEET_SOFT);
    capacity += (patch + TAC_MEETING_FARTHER) * (8 + 6 * (int64_t)free_count);
    if (patch > largest) largest = patch;
  }
  world->most_presses = 2 * largest;
  if (capacity > MOST_CONTACTS) capacity = MOST_CONTACTS;
  if (capacity == 0) return TAC_OK;
  TAC_TRY(tac_contact_set_create((int)capacity, &world->contacts, error));
  size_t coupled = 3 * (size_t)(capacity < TAC_WORLD_MOST_COUPLED ? capacity : TAC_WORLD_MOST_COUPLED);
  world->coupling.w = tac_arrays_add(&world->sealing, coupled * coupled, sizeof *world->coupling.w);
  if (free_count == 0) return TAC_OK;
  int pairs = 64 * free_count + world->body_count;
  TAC_TRY(tac_broad_phase_create(world->body_count, pairs < 262144 ? pairs : 262144, &world->broad_phase, error));
  for (int b = 0; b < world->body_count; ++b)
    tac_broad_phase_set_filter(world->broad_phase, b, world->bodies[b].def.free, 1u, ~0u);
  return TAC_OK;
}

/* Computes the reach of a body's field (tacFieldReach). The computation visits all samples, so the result is copied if
 * another body has the same field. */
static void set_reach(tacWorld *world, int b) {
  tacBodyPoints *points = &world->bodies[b].points;
  points->field = tac_body_describe(&world->bodies[b].body).field;
  for (int other = 0; points->field != NULL && other < b; ++other)
    if (world->bodies[other].points.field == points->field) {
      points->reach = world->bodies[other].points.reach;
      return;
    }
  if (points->field != NULL) points->reach = tac_field_reach(points->field);
}

/* Creates the points of all bodies, if contacts may be solved by the contact laws, or if ticks must detect the contacts
 * of tools. */
static tacStatus make_points(tacWorld *world, tacError *error) {
  bool meets = world->contacts.capacity > 0 || (world->pair_count > 0 && world->simulate_every > 1);
  for (int b = 0; meets && b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    bool complies = tac_world_body_complies(body);
    TAC_TRY(tac_body_points_create(&body->body, body->surface, tac_meeting_patch(&world->laws, TAC_MEET_SOFT),
                                   body->def.free, complies ? &body->fingers.proximity : NULL, &body->points, error));
    set_reach(world, b);
    if (!complies) continue;
    const tacPointshell *shell = tac_body_describe(&body->body).points;
    int count = shell != NULL ? tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS) : 0;
    if (body->points.listed_count < count)
      tac_log(TAC_LOG_WARNING,
              "%s: contacts test only %d of its %d points, %.2g mm apart, because the number is limited for a free "
              "quasi-static body",
              body->name, body->points.listed_count, count, 1e3 * body->points.spacing);
    if (world->compliances == NULL)
      TAC_TRY(tac_compliance_memory_create(world->contacts.capacity, &world->compliances, error));
    size_t vertices = (size_t)body->surface->mesh->vertex_count;
    body->displaced.by = tac_arrays_add(&world->sealing, vertices, sizeof *body->displaced.by);
    body->displaced.presses = tac_arrays_add(&world->sealing, 1, sizeof *body->displaced.presses);
  }
  return TAC_OK;
}

/* Creates the memory of the searches of each pair. */
static tacStatus make_slack(tacWorld *world, tacError *error) {
  for (int p = 0; p < world->pair_count; ++p) {
    tacPair *pair = &world->contact_pairs[p];
    const tacWorldBody *body = &world->bodies[pair->points];
    const tacBoxTree *tree = body->points.point_tree;
    if (body->points.nodes == NULL) continue; /* no contact laws */
    tacFieldSlack *slack = tac_arrays_add(&world->sealing, 1, sizeof *slack);
    if (slack == NULL) break;
    slack->boxes = tac_arrays_add(&world->sealing, (size_t)body->surface->tree->node_count, sizeof *slack->boxes);
    slack->triangles =
        tac_arrays_add(&world->sealing, (size_t)body->surface->mesh->triangle_count, sizeof *slack->triangles);
    if (tree != NULL) slack->points = tac_arrays_add(&world->sealing, (size_t)tree->node_count, sizeof *slack->points);
    pair->slack = slack;
  }
  return tac_arrays_status(&world->sealing, "contacts of pairs", error);
}

/* True if surface features may be tested for contact between this body and another body without a pair. */
static bool meets_by_features(const tacWorld *world, int b) {
  const tacWorldBody *body = &world->bodies[b];
  for (int other = 0; other < world->body_count; ++other) {
    const tacWorldBody *o = &world->bodies[other];
    if (other != b && (body->def.free || o->def.free) && tac_meeting_by_features(body, o)) return true;
  }
  return false;
}

/* Creates the surface data of all bodies that surface detection may test. */
static tacStatus make_skins(tacWorld *world, bool meets, tacError *error) {
  int bare = 0; /* number of bodies without a field; 0 if no body has step compliance */
  for (int b = 0; one_yields(world) && b < world->body_count; ++b) bare += !tac_world_body_has_field(&world->bodies[b]);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    bool wanted = meets && (world->laws.detect == TAC_DETECT_SURFACES || (bare > 1 && !tac_world_body_has_field(body)));
    for (int p = 0; p < world->pair_count; ++p)
      wanted = wanted || (world->contact_pairs[p].def.laws.detect == TAC_DETECT_SURFACES &&
                          tac_pair_has(&world->contact_pairs[p], b));
    wanted = wanted || (meets && meets_by_features(world, b));
    if (!wanted) continue;
    TAC_TRY(tac_surface_boxes_create(body->surface->mesh, &body->boxes, error));
    body->skin = tac_arrays_add(&world->sealing, (size_t)body->surface->mesh->vertex_count, sizeof *body->skin);
  }
  return TAC_OK;
}

static tacStatus make_grips(tacWorld *world, tacError *error) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (body->grip.pads > 0)
      TAC_TRY(body->body.table->pads->create(body->body.self, body->grip.pads, TAC_PAD_MOST_VERTICES,
                                             &body->grip.patches, error));
  }
  return TAC_OK;
}

/* If steps are longer than ticks, converts `every` of the bodies from ticks to steps, and limits the contacts of held
 * bodies. */
static void slow_down(tacWorld *world) {
  int n = world->simulate_every;
  /* In a tick, a hand feels only the contacts of the local problem, and their number is limited. A larger contact patch
   * would lose a part of its force. */
  int pairs = 0;
  for (int p = 0; p < world->pair_count; ++p) pairs += tac_pair_is_held(&world->contact_pairs[p], world->bodies);
  int most = TAC_LOCAL_BUILT / (pairs > 1 ? pairs : 1) - TAC_MEETING_FARTHER;
  if (most > MOST_HELD) most = MOST_HELD;
  if (most < TAC_MEETING_CONTACTS) most = TAC_MEETING_CONTACTS;
  for (int t = 0; n > 1 && t < world->tool_count; ++t) {
    bool wide = world->laws.patch > most || (world->laws.patch == 0 && one_yields(world));
    if (world->tools[t].held.body >= 0 && wide) world->laws.patch = most;
    for (int p = 0; p < world->pair_count; ++p) {
      tacPair *pair = &world->contact_pairs[p];
      bool held = world->bodies[pair->points].holder == t || world->bodies[pair->field].holder == t;
      if (held && tac_meeting_patch(&pair->def.laws, tac_meeting_bodies(world, pair->points, pair->field, true)) > most)
        pair->def.laws.patch = most;
    }
  }
  for (int b = 0; n > 1 && b < world->body_count; ++b) {
    int every = (world->bodies[b].def.every + n / 2) / n;
    if (every < 1) every = 1;
    tac_world_body_set_every(&world->bodies[b], every, b % every);
  }
}

void tac_world_unseal(tacWorld *world) {
  tac_simulation_destroy(world->simulation);
  world->simulation = NULL;
  tac_contact_set_destroy(&world->contacts);
  tac_compliance_memory_destroy(world->compliances);
  world->compliances = NULL;
  tac_broad_phase_destroy(world->broad_phase);
  world->broad_phase = NULL;
  tac_arena_destroy(&world->arena);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    tac_body_points_destroy(&body->points);
    tac_surface_boxes_destroy(body->boxes);
    tac_fingertip_forget(world, body);
    if (body->grip.patches != NULL) body->body.table->pads->destroy(body->grip.patches);
    body->boxes = NULL;
    body->grip.patches = NULL;
    body->displaced.by = body->skin = NULL;
    body->displaced.presses = NULL;
  }
  for (int p = 0; p < world->pair_count; ++p) world->contact_pairs[p].slack = NULL;
  tac_arrays_free(&world->sealing);
  world->coupling.w = NULL;
  world->pairs = NULL;
}

static tacStatus seal(tacWorld *world, int free_count, tacError *error) {
  size_t bodies = (size_t)world->body_count, tools = (size_t)world->tool_count,
         points = (size_t)tac_world_points(world);
  world->approaches = tac_arrays_add(&world->sealing, tools * bodies, sizeof *world->approaches);
  world->pairs = tac_arrays_add(&world->sealing, points > 0 ? points * (points - 1) / 2 : 0, sizeof *world->pairs);
  world->blocks = tac_arrays_add(&world->sealing, bodies, sizeof *world->blocks);
  world->joined = tac_arrays_add(&world->sealing, bodies, sizeof *world->joined);
  TAC_TRY(make_contacts(world, free_count, error));
  TAC_TRY(make_points(world, error));
  TAC_TRY(make_slack(world, error));
  TAC_TRY(make_skins(world, free_count > 0, error));
  TAC_TRY(make_grips(world, error));
  TAC_TRY(tac_fingertip_prepare(world, error));
  TAC_TRY(tac_arrays_status(&world->sealing, "the world's step", error));
  tac_world_forget_pairs(world);
  lay_out(world, free_count > 0);
  TAC_TRY(tac_arena_create(
      tac_island_room(world) + tac_meeting_room() + tac_local_build_room(world) + tac_contact_response_room(world),
      "the world's step", &world->arena, error));
  return world->simulate_every > 1 ? tac_simulation_create(world, &world->simulation, error) : TAC_OK;
}

tacStatus tac_world_seal(tacWorld *world, tacError *error) {
  TAC_REQUIRE(error, world);
  if (world->sealed) return tac_error_set(error, TAC_ERR_ARGUMENT, "the world is already sealed; seal it only once");
  slow_down(world);
  step_together(world);
  int free_count = 0;
  for (int b = 0; b < world->body_count; ++b) free_count += world->bodies[b].def.free;
  for (int b = 0; b < world->body_count; ++b) world->bodies[b].euler = steps_by_euler(world, b, free_count > 0);
  tacStatus status = seal(world, free_count, error);
  if (status != TAC_OK) {
    tac_world_unseal(world);
    return status;
  }
  tac_budget_prepare(world);
  tac_contact_response_prepare(world);
  tac_store_reset(world);
  world->sealed = true;
  return TAC_OK;
}
