#include "app/cli/report/depth_trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/distance_field.h>
#include <tactus/pointshell.h>
#include <tactus/world.h>
#include "app/cli/mesh/report_text.h"
#include "asset/deformed_field.h"
#include "bake/points/pointshell_bake.h"
#include "base/error.h"
#include "base/memory/array.h"
#include "base/text.h"
#include "math/geometry/vec3.h"
#include "record/recorded_world.h"
#include "world/pair_look.h"
#include "world/world.h"
#include "world/world_interpenetration.h"

enum { MOMENTS = 60, LEAST_MOMENTS = 12, TRIANGLES = 60000 /* of all bodies: with more there are fewer moments */ };
static const double state_spacing = 0.02; /* s between two states of a recording */

/* What is inside what: two bodies, or the tip of a tool in a body. */
typedef struct Entry {
  int a, b; /* of bodies; of a tip the tool and the body */
  bool is_tip;
  int64_t deepest; /* index of the record */
  double least;    /* m: below this it is on the surface, as pictures go: 0.1 thousandths of the smaller body */
  tacTrueDepth depth;
} Entry;

typedef struct Reader {
  tacRecording *recording;
  tacWorld *world;
  const tacProgress *progress;
  tacArrays arrays; /* looks, state and extremes */
  tacWorldInterpenetration *within;
  tacPairLook **looks; /* of pairs, as far as they were needed and can be looked at */
  double *state;
  bool changes;      /* parameters were set while it ran */
  int64_t followed;  /* records whose parameters are set */
  int64_t *extremes; /* [2 tools] records of the largest force and of the deepest contact; -1: none */
  int planned, done;
  Entry *entries;
  int count;
  size_t capacity;
} Reader;

void tac_depth_trace_destroy(tacDepthTrace *trace) {
  if (trace == NULL) return;
  free(trace->depths);
  free(trace);
}

static void close_reader(Reader *r) {
  for (int p = 0; r->looks != NULL && p < tac_world_pair_count(r->world); ++p) tac_pair_look_destroy(r->looks[p]);
  tac_world_interpenetration_destroy(r->within);
  tac_arrays_free(&r->arrays);
  free(r->entries);
}

static tacStatus find_extremes(Reader *r, tacError *error) {
  int tools = tac_world_tool_count(r->world);
  TAC_MEMORY(double, most) = tac_array_create(2 * (size_t)tools, sizeof *most, "moments of a run", error);
  if (most == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < 2 * tools; ++i) r->extremes[i] = -1;
  for (int64_t k = 0; k < tac_recording_tick_count(r->recording); ++k) {
    tacTickRecord record;
    TAC_TRY(tac_recording_tick(r->recording, k, &record, error));
    r->changes |= record.parameter != 0;
    for (int i = 0; i < 2 * tools; ++i) {
      const tacToolOutput *output = &record.tool[i / 2].output;
      double value = i % 2 == 0 ? tac_vec3_norm(output->force) : output->depth;
      if (!(value > most[i])) continue;
      most[i] = value;
      r->extremes[i] = k;
    }
  }
  return TAC_OK;
}

/* Parameters that were set until then decide how surfaces look. */
static tacStatus follow_parameters(Reader *r, int64_t index, tacError *error) {
  if (!r->changes) return TAC_OK;
  if (index < r->followed) {
    TAC_TRY(tac_recording_begin(r->recording, r->world, error));
    r->followed = 0;
  }
  for (; r->followed <= index; ++r->followed) {
    tacTickRecord record;
    TAC_TRY(tac_recording_tick(r->recording, r->followed, &record, error));
    TAC_TRY(tac_recording_change(&record, r->world, error));
  }
  return TAC_OK;
}

static double voxel_of(const tacWorld *world, tacBodyId id) {
  const tacDeformedField *deformed = tac_world_body_deformed_field(world, id);
  const tacDistanceField *field =
      deformed != NULL ? tac_deformed_field_domain(deformed, 0) : tac_world_body_field(world, id);
  const tacGrid *grid = field != NULL ? tac_distance_field_grid(field) : NULL;
  return grid != NULL ? grid->spacing : 0.0;
}

static double spacing_of(const tacPointshell *shell) {
  tacPointshellSpacing spacing = {0};
  int finest = shell != NULL ? tac_pointshell_level_count(shell) - 1 : -1;
  if (finest < 0 || tac_pointshell_size(shell, finest) < 2 ||
      tac_pointshell_spacing(shell, finest, &spacing, NULL) != TAC_OK)
    return 0.0;
  return spacing.mean;
}

static double longest_side(const tacWorld *world, int body) {
  return tac_box_longest(tac_trimesh_box(tac_world_body_surface(world, tac_world_body(world, body))));
}

static void name_body(const tacWorld *world, tacBodyId id, char name[64]) {
  snprintf(name, 64, "%s", tac_world_body_name(world, id));
}

/* What a contact of this kind may miss: 5 % of the smaller body, and of pairs no more than points and voxels resolve. */
static void describe(const Reader *r, int pair, Entry *e) {
  const tacWorld *world = r->world;
  tacTrueDepth *d = &e->depth;
  d->is_tip = e->is_tip;
  d->seen = -1.0;
  if (e->is_tip)
    snprintf(d->first, sizeof d->first, "%s", tac_world_tool_name(world, e->a));
  else
    name_body(world, tac_world_body(world, e->a), d->first);
  name_body(world, tac_world_body(world, e->b), d->second);
  double smaller = e->is_tip ? longest_side(world, e->b) : fmin(longest_side(world, e->a), longest_side(world, e->b));
  e->least = 1e-4 * smaller;
  d->allowed = 0.05 * smaller;
  if (pair < 0) return;
  tacPairDef def = tac_world_pair(world, pair);
  name_body(world, def.points, d->points);
  name_body(world, def.field, d->field);
  d->spacing = spacing_of(tac_world_body_shell(world, def.points));
  d->voxel = voxel_of(world, def.field);
  if (d->spacing > 0.0) d->allowed = fmin(d->allowed, 2.0 * d->voxel + d->spacing);
}

static Entry *entry_of(Reader *r, int a, int b, bool is_tip, int pair, tacError *error) {
  for (int i = 0; i < r->count; ++i)
    if (r->entries[i].a == a && r->entries[i].b == b && r->entries[i].is_tip == is_tip) return &r->entries[i];
  if (tac_array_reserve((void **)&r->entries, &r->capacity, (size_t)r->count + 1, sizeof *r->entries, "depths",
                        error) != TAC_OK)
    return NULL;
  Entry *e = &r->entries[r->count++];
  *e = (Entry){.a = a, .b = b, .is_tip = is_tip, .deepest = -1};
  describe(r, pair, e);
  return e;
}

/* What the contact of two bodies makes of a moment: its points, or, where it has none, the tool that holds one of them. */
static double seen_by_contact(Reader *r, const tacBodiesWithin *found, const tacSnapshot *snapshot) {
  double most = -1.0;
  if (found->pair >= 0) {
    tacPairLook **look = &r->looks[found->pair];
    tacPairDef def = tac_world_pair(r->world, found->pair);
    bool has_points = tac_world_body_shell(r->world, def.points) != NULL && voxel_of(r->world, def.field) > 0.0;
    if (has_points && (*look != NULL || tac_pair_look_create(r->world, found->pair, look, NULL) == TAC_OK)) {
      tacPairSeen seen = tac_pair_look_at(*look, snapshot);
      most = 0.0;
      for (int i = 0; i < seen.point_count; ++i) most = fmax(most, seen.points[i].depth);
    }
  }
  for (int t = 0; most < 0.0 && t < snapshot->tool_count; ++t) {
    tacBodyId held = tac_world_tool_body(r->world, t, NULL);
    bool one = held.generation != 0 && ((int)held.index == found->body[0] || (int)held.index == found->body[1]);
    if (one) most = fmax(most, snapshot->output[t].depth);
  }
  return most;
}

static void keep(Entry *e, int64_t index, double time, double depth, double through, double seen) {
  tacTrueDepth *d = &e->depth;
  if (depth > d->depth || e->deepest < 0) {
    d->depth = depth;
    d->depth_time = time;
    d->seen = seen;
    e->deepest = index;
  }
  if (through > d->through && through > depth) {
    d->through = through;
    d->through_time = time;
  }
}

/* The record nearest to one whose state is stored. Between two states each number is interpolated, which is no state where they
 * say which triangle is pressed. */
static tacStatus stored_near(Reader *r, int64_t *index, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(r->recording);
  int64_t every = (int64_t)fmax(1.0, round(state_spacing / info->period)),
          last = tac_recording_tick_count(r->recording) - 1;
  tacTickRecord record;
  if (info->state_size == 0) return TAC_OK;
  TAC_TRY(tac_recording_tick(r->recording, *index, &record, error));
  int64_t past = record.tick % every;
  *index += past <= *index && (2 * past <= every || *index + every - past > last) ? -past : every - past;
  if (*index > last) *index = last;
  return TAC_OK;
}

static tacStatus look(Reader *r, int64_t index, tacError *error) {
  if (r->progress != NULL && r->progress->report != NULL &&
      !r->progress->report("depths", (double)r->done / (double)r->planned, r->progress->user))
    return tac_error_set(error, TAC_ERR_CANCELLED, "measuring the interpenetration was cancelled");
  tacSnapshot snapshot;
  tacSeenWithin seen;
  TAC_TRY(stored_near(r, &index, error));
  TAC_TRY(follow_parameters(r, index, error));
  TAC_TRY(tac_recording_snapshot(r->recording, r->world, index, r->state, &snapshot, error));
  TAC_TRY(tac_world_interpenetration_at(r->within, &snapshot, &seen, error));
  ++r->done;
  double time = (double)snapshot.tick * tac_recording_info(r->recording)->period;
  for (int i = 0; i < seen.count; ++i) {
    const tacBodiesWithin *found = &seen.bodies[i];
    Entry *e = entry_of(r, found->body[0], found->body[1], false, found->pair, error);
    if (e == NULL) return TAC_ERR_MEMORY;
    keep(e, index, time, found->is.depth, found->is.through, seen_by_contact(r, found, &snapshot));
  }
  for (int i = 0; i < seen.tip_count; ++i) {
    const tacTipWithin *found = &seen.tips[i];
    Entry *e = entry_of(r, found->tool, found->body, true, -1, error);
    if (e == NULL) return TAC_ERR_MEMORY;
    /* In contact, the tip is shown where it touches. */
    keep(e, index, time, found->depth, 0.0, 0.0);
  }
  return TAC_OK;
}

/* The one that is farthest from what its contact saw. */
static const Entry *worst_of(const Reader *r) {
  const Entry *worst = NULL;
  for (int i = 0; i < r->count; ++i)
    if (worst == NULL || r->entries[i].depth.depth - fmax(0.0, r->entries[i].depth.seen) >
                             worst->depth.depth - fmax(0.0, worst->depth.seen))
      worst = &r->entries[i];
  return worst;
}

static int halvings(double step, double least) {
  int count = 0;
  for (; step > least && count < 12; step *= 0.5) ++count;
  return count;
}

static tacStatus look_at_all(Reader *r, tacError *error) {
  const tacWorld *world = r->world;
  int64_t ticks = tac_recording_tick_count(r->recording);
  int triangles = 0, tools = tac_world_tool_count(world);
  for (int b = 0; b < tac_world_body_count(world); ++b)
    triangles += tac_world_body_surface(world, tac_world_body(world, b))->triangle_count;
  int moments = (int)fmin(MOMENTS, fmax(LEAST_MOMENTS, (double)MOMENTS * TRIANGLES / fmax(1.0, triangles)));
  if (moments > ticks) moments = (int)ticks;
  double step = (double)ticks / (double)moments,
         least = fmax(1.0, state_spacing / tac_recording_info(r->recording)->period);
  r->planned = moments + 2 * tools + 2 * halvings(step, least);
  for (int i = 0; i < moments; ++i) TAC_TRY(look(r, (int64_t)((i + 0.5) * step), error));
  for (int i = 0; i < 2 * tools; ++i)
    if (r->extremes[i] >= 0) TAC_TRY(look(r, r->extremes[i], error));
  for (int n = halvings(step, least); n > 0; --n) {
    const Entry *worst = worst_of(r);
    step *= 0.5;
    if (worst == NULL) break;
    int64_t at = worst->deepest, before = at - (int64_t)step, after = at + (int64_t)step;
    if (before >= 0) TAC_TRY(look(r, before, error));
    if (after < ticks) TAC_TRY(look(r, after, error));
  }
  if (r->progress != NULL && r->progress->report != NULL) r->progress->report("depths", 1.0, r->progress->user);
  return TAC_OK;
}

static int by_missed(const void *one, const void *other) {
  const tacTrueDepth *a = one, *b = other;
  double x = fmax(a->depth, a->through) - fmax(0.0, a->seen), y = fmax(b->depth, b->through) - fmax(0.0, b->seen);
  return (x < y) - (x > y);
}

static tacStatus collect(const Reader *r, tacDepthTrace **result, tacError *error) {
  TAC_OWN(tacDepthTrace, trace) = tac_array_create(1, sizeof *trace, "depths", error);
  if (trace == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(TAC_ARRAY(trace->depths, (size_t)r->count, "depths", error));
  trace->moments = r->done;
  for (int i = 0; i < r->count; ++i)
    if (r->entries[i].depth.depth > r->entries[i].least) trace->depths[trace->count++] = r->entries[i].depth;
  qsort(trace->depths, (size_t)trace->count, sizeof *trace->depths, by_missed);
  *result = tac_give(&trace);
  return TAC_OK;
}

tacStatus tac_depth_trace_create(tacRecording *recording, tacWorld *world, const tacProgress *progress,
                                 tacDepthTrace **trace, tacError *error) {
  *trace = NULL;
  TAC_FREED(close_reader, Reader, r) = {.recording = recording, .world = world, .progress = progress};
  r.looks = tac_arrays_add(&r.arrays, (size_t)tac_world_pair_count(world), sizeof *r.looks);
  r.state = tac_arrays_add(&r.arrays, (size_t)tac_world_state_size(world), sizeof *r.state);
  r.extremes = tac_arrays_add(&r.arrays, 2 * (size_t)tac_world_tool_count(world), sizeof *r.extremes);
  TAC_TRY(tac_arrays_status(&r.arrays, "the depths of a run", error));
  TAC_TRY(tac_world_interpenetration_create(world, &r.within, error));
  TAC_TRY(tac_recording_begin(recording, world, error));
  TAC_TRY(find_extremes(&r, error));
  if (tac_recording_tick_count(recording) > 0) TAC_TRY(look_at_all(&r, error));
  TAC_TRY(follow_parameters(&r, tac_recording_tick_count(recording) - 1, error));
  return collect(&r, trace, error);
}

double tac_true_depth_missed(const tacTrueDepth *d) {
  double missed = fmax(d->depth, d->through) - fmax(0.0, d->seen);
  return missed > d->allowed ? missed : 0.0;
}

void tac_true_depth_describe(const tacTrueDepth *d, char *text, size_t size) {
  char seen[64] = "", through[96] = "";
  if (d->seen >= 0.0 && !d->is_tip)
    snprintf(seen, sizeof seen, " (contact detected %.20s)", d->seen > 0.0 ? tac_text_length(d->seen).text : "nothing");
  if (d->through > 1.02 * d->depth)
    snprintf(through, sizeof through, ", came out on the far side by %.20s at %.3g s", tac_text_length(d->through).text,
             d->through_time);
  snprintf(text, size, d->is_tip ? "tip of %s in %s %.20s at %.3g s%s%s" : "%s and %s %.20s at %.3g s%s%s", d->first,
           d->second, tac_text_length(d->depth).text, d->depth_time, seen, through);
}

void tac_true_depth_advise(const tacTrueDepth *d, char *text, size_t size) {
  char voxels[128] = "";
  if (d->voxel > 0.0)
    snprintf(voxels, sizeof voxels, ", voxels of %s are %.20s", d->field, tac_text_length(d->voxel).text);
  if (d->spacing > 0.0)
    snprintf(
        text, size,
        "contact missed most of it: points of %s are %.20s apart%s; use points on the thinner body, or more points%s",
        d->points, tac_text_length(d->spacing).text, voxels, d->voxel > 0.0 ? " and a finer field" : "");
  else if (d->is_tip)
    snprintf(text, size,
             "it was inside without a contact: either it entered faster than contact detects, or it was inside at the "
             "start");
  else
    snprintf(text, size, "contact missed most of it; use finer surfaces, more contacts (patch) or a slower motion");
}

void tac_depth_trace_print(const tacDepthTrace *trace) {
  for (int i = 0; i < trace->count; ++i) {
    char text[300];
    tac_true_depth_describe(&trace->depths[i], text, sizeof text);
    tac_report_line("true interpenetration", "%s", text);
  }
}

void tac_depth_trace_warn(const tacDepthTrace *trace, tacConsole *console) {
  for (int i = 0; i < trace->count; ++i) {
    char what[300], advice[400];
    if (tac_true_depth_missed(&trace->depths[i]) == 0.0) continue;
    tac_true_depth_describe(&trace->depths[i], what, sizeof what);
    tac_true_depth_advise(&trace->depths[i], advice, sizeof advice);
    tac_console_warn(console, "%s: %s", what, advice);
  }
}
