#include "app/cli/report/run_trace.h"

#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "math/geometry/vec3.h"
#include "record/port_work.h"

static const double vibration_from = 20.0; /* Hz: hands move slower than this */

/* Columns of a curve: all of a wide page's pixels for few tools, fewer for many, so that the report stays small. */
static int column_count(int tools) {
  return tools <= 4 ? 1000 : 4000 / tools;
}

/* A window of two seconds at 1 kHz; shorter for short runs, so that several of them are averaged. */
static int window_size(int64_t ticks) {
  int size = 16;
  while (size < 2048 && 4 * size <= ticks) size *= 2;
  return size;
}

static void begin_tool(tacRunTrace *trace, tacToolTrace *tool) {
  int columns = column_count(trace->tool_count);
  tacEnvelope *envelopes[] = {&tool->force[0], &tool->force[1],   &tool->force[2], &tool->force[3],
                              &tool->torque,   &tool->force_step, &tool->energy,   &tool->friction};
  for (size_t i = 0; i < sizeof envelopes / sizeof *envelopes; ++i)
    tac_envelope_begin(&trace->arrays, trace->ticks, columns, envelopes[i]);
  tac_xy_path_begin(&trace->arrays, trace->ticks, columns, &tool->loop);
  for (int k = 0; k < 3; ++k)
    tac_spectrum_begin(&trace->arrays, window_size(trace->records), 1.0 / trace->period, &tool->spectrum[k]);
  tacExtreme none = {0.0, -1};
  tool->force_max = tool->torque_max = tool->force_step_max = tool->penetration_max = tool->energy_least = none;
}

static void take(tacExtreme *extreme, double value, int64_t tick) {
  if (value > extreme->value) *extreme = (tacExtreme){value, tick};
}

/* Numbers in a file may be anything: what no device and no scene has (not finite, above 10^9 N or m) counts as zero. */
static tacVec3 sane(tacVec3 a) {
  return tac_vec3_norm2(a) < 1e18 ? a : tac_vec3(0.0, 0.0, 0.0);
}

static tacVec3 across(tacVec3 a, tacVec3 normal) {
  return tac_vec3_mad(a, -tac_vec3_dot(a, normal), normal);
}

static bool touches(const tacContact *contact) {
  return contact->state > TAC_CONTACT_NONE && contact->state <= TAC_CONTACT_GRABBED;
}

/* What sliding from a to b takes: the tangential force, mean of both ends, along the way of x^C on the surface. */
static double sliding_work(const tacContact *a, const tacContact *b) {
  if (!touches(a) || b->state != TAC_CONTACT_SLIDES || a->body != b->body || b->triangle < 0) return 0.0;
  tacVec3 force = tac_vec3_scale(
      0.5, tac_vec3_add(across(sane(a->force), sane(a->normal)), across(sane(b->force), sane(b->normal))));
  double work = tac_vec3_dot(force, tac_vec3_sub(sane(b->at), sane(a->at)));
  return fabs(work) < 1e18 ? work : 0.0;
}

static void trace_tool(tacRunTrace *trace, int t, int64_t tick, int64_t index, const tacToolRecord *last,
                       const tacToolRecord *now) {
  tacToolTrace *tool = &trace->tool[t];
  tacVec3 force = sane(now->written);
  double size = tac_vec3_norm(force), parts[4] = {force.x, force.y, force.z, size};
  for (int k = 0; k < 4; ++k) tac_envelope_add(&tool->force[k], tick, parts[k]);
  for (int k = 0; k < 3; ++k) tac_spectrum_push(&tool->spectrum[k], parts[k]);
  if (size > tool->force_max.value && size >= trace->tool[trace->peak_tool].force_max.value) {
    trace->peak_tool = t;
    trace->peak_record = index;
  }
  take(&tool->force_max, size, tick);
  double torque = tac_vec3_norm(sane(now->written_torque));
  tac_envelope_add(&tool->torque, tick, torque);
  take(&tool->torque_max, torque, tick);
  if (last != NULL) {
    tacVec3 before = sane(last->written);
    double step = tac_vec3_distance(force, before);
    double work = -tac_port_work(last, now);
    tac_envelope_add(&tool->force_step, tick, step);
    take(&tool->force_step_max, step, tick);
    tool->energy_end += work;
    tool->work += fabs(work);
    double device_step = tac_vec3_distance(sane(now->device.position), sane(last->device.position));
    double tool_step = tac_vec3_distance(sane(now->position), sane(last->position));
    if (tool_step > 0.0 && device_step > 0.0) { /* not while indexing */
      tool->device_way += device_step;
      tool->tool_way += tool_step;
    }
    if (tool->tool_way > 0.0)
      tool->friction_end +=
          tool->device_way / tool->tool_way * sliding_work(&last->output.contact, &now->output.contact);
    if (tool->energy_end < tool->energy_least.value) tool->energy_least = (tacExtreme){tool->energy_end, tick};
  }
  tac_envelope_add(&tool->energy, tick, tool->energy_end);
  tac_envelope_add(&tool->friction, tick, tool->friction_end);

  const tacContact *contact = &now->output.contact;
  int state = touches(contact) ? (int)contact->state : TAC_CONTACT_NONE;
  int lane = (int)((double)tick * trace->lane_columns / (double)trace->ticks);
  ++tool->lanes[lane < trace->lane_columns ? lane : trace->lane_columns - 1][state];
  ++tool->state_ticks[state];
  if (state == TAC_CONTACT_NONE) {
    tac_xy_path_lift(&tool->loop);
    return;
  }
  double depth = fabs(now->output.depth) < 1e9 ? now->output.depth : 0.0, along = depth;
  if (contact->triangle >= 0)
    along = tac_vec3_dot(tac_vec3_sub(sane(contact->at), sane(now->position)), sane(contact->normal));
  tac_xy_path_add(&tool->loop, tick, along, tac_vec3_norm(sane(now->output.force)));
  take(&tool->penetration_max, depth, tick);
}

static void trace_tick(tacRunTrace *trace, int64_t tick, int64_t index, const tacTickRecord *last,
                       const tacTickRecord *now) {
  double compute = 1e-9 * (double)now->compute_ns, late = 1e-9 * (double)now->late_ns;
  tac_histogram_add(&trace->compute, compute);
  tac_histogram_add(&trace->late, late);
  tac_envelope_add(&trace->compute_time, tick, compute);
  tac_envelope_add(&trace->late_time, tick, late);
  bool by_computation = compute > trace->period, by_lateness = !by_computation && late + compute > trace->period;
  trace->missed_by_computation += by_computation;
  trace->missed_by_lateness += by_lateness;
  if (by_computation || by_lateness) tac_envelope_add(&trace->missed, tick, 1.0);
  trace->limited_force += (now->flags & TAC_TICK_LIMITED_FORCE) != 0;
  trace->limited_rate += (now->flags & TAC_TICK_LIMITED_RATE) != 0;
  trace->damped += (now->flags & TAC_TICK_DAMPED) != 0;
  trace->indexing += (now->flags & TAC_TICK_INDEXING) != 0;
  trace->taken += (now->flags & TAC_TICK_TAKEN) != 0;
  if ((now->flags & TAC_TICK_FAULT) != 0 && trace->fault_tick < 0) trace->fault_tick = tick;
  tac_envelope_add(&trace->visited, tick, now->report.visited);
  tac_envelope_add(&trace->points, tick, now->report.points);
  tac_envelope_add(&trace->level, tick, now->report.level);
  if (now->report.visited > trace->most_visited) trace->most_visited = now->report.visited;
  if (now->report.points > trace->most_points) trace->most_points = now->report.points;
  trace->degraded += now->report.degraded > 0;
  trace->saturated += now->report.saturated;
  trace->refused += now->report.refused;
  trace->uncoupled += now->report.uncoupled;
  if (now->report.sweeps > trace->most_sweeps) trace->most_sweeps = now->report.sweeps;
  if (now->report.residual > trace->most_residual && isfinite(now->report.residual))
    trace->most_residual = now->report.residual;
  tac_law_trace_add(&trace->laws, tick, &now->report);
  bool contact = false;
  for (int t = 0; t < trace->tool_count; ++t) {
    trace_tool(trace, t, tick, index, last != NULL ? &last->tool[t] : NULL, &now->tool[t]);
    contact |= touches(&now->tool[t].output.contact);
  }
  trace->contact_ticks += contact;
}

/* What follows from all ticks. */
static void finish_tool(const tacRunTrace *trace, tacToolTrace *tool) {
  const tacSpectrum *first = &tool->spectrum[0];
  double sum = 0.0;
  for (int k = 1; k <= first->size / 2; ++k)
    for (int c = 0; c < 3 && tac_spectrum_frequency(first, k) > vibration_from; ++c)
      sum += tac_spectrum_power(&tool->spectrum[c], k) * first->rate / first->size;
  tool->vibration = sqrt(sum);
  for (int s = 0; s < TAC_RUN_STATES; ++s)
    tool->state_share[s] = 100.0 * (double)tool->state_ticks[s] / (double)trace->records;
}

/* Ticks that were lost leave a gap in their numbers; numbers that make no sense are not used. */
static tacStatus measure_length(tacRecording *recording, tacTickRecord *record, tacRunTrace *trace, int64_t *first,
                                tacError *error) {
  TAC_TRY(tac_recording_tick(recording, 0, record, error));
  *first = record->tick;
  TAC_TRY(tac_recording_tick(recording, trace->records - 1, record, error));
  double length = (double)record->tick - (double)*first + 1.0;
  bool sane = length >= (double)trace->records && length < 1e3 * (double)trace->records;
  trace->ticks = sane ? (int64_t)length : trace->records;
  return TAC_OK;
}

tacStatus tac_run_trace_create(tacRecording *recording, tacRunTrace **trace, tacError *error) {
  const tacRecordingInfo *info = tac_recording_info(recording);
  int64_t records = tac_recording_tick_count(recording), first = 0;
  *trace = NULL;
  if (records < 1)
    return tac_error_set(error, TAC_ERR_FORMAT, "the recording has no ticks; a report needs at least one");
  if (info->tool_count < 1 || info->tool_count > TAC_MOST_TOOLS)
    return tac_error_set(error, TAC_ERR_FORMAT, "the recording has %d tools; a report needs 1 to %d", info->tool_count,
                         TAC_MOST_TOOLS);
  if (!(info->period > 0.0 && info->period < 1e3))
    return tac_error_set(error, TAC_ERR_FORMAT, "the recording's period is %g s; it must be positive", info->period);
  TAC_MEMORY(tacTickRecord, record) = tac_array_create(2, sizeof *record, "ticks", error); /* this one and the last */
  TAC_OWN(tacRunTrace, made) = tac_array_create(1, sizeof *made, "a run's trace", error);
  if (record == NULL || made == NULL) return TAC_ERR_MEMORY;
  made->period = info->period;
  made->records = records;
  made->tool_count = info->tool_count;
  made->fault_tick = made->peak_record = -1;
  made->tool = tac_arrays_add(&made->arrays, (size_t)info->tool_count, sizeof *made->tool);
  TAC_TRY(measure_length(recording, record, made, &first, error));
  made->lane_columns = made->ticks < TAC_RUN_LANE_COLUMNS ? (int)made->ticks : TAC_RUN_LANE_COLUMNS;
  for (int t = 0; made->tool != NULL && t < made->tool_count; ++t) begin_tool(made, &made->tool[t]);
  tacEnvelope *envelopes[] = {&made->compute_time, &made->late_time, &made->missed,
                              &made->visited,      &made->points,    &made->level};
  for (size_t i = 0; i < sizeof envelopes / sizeof *envelopes; ++i)
    tac_envelope_begin(&made->arrays, made->ticks, 1000, envelopes[i]);
  tac_law_trace_begin(&made->arrays, made->ticks, &made->laws);
  TAC_TRY(tac_arrays_status(&made->arrays, "a run's trace", error));
  int64_t last_tick = -1;
  for (int64_t i = 0; i < records; ++i) {
    tacTickRecord *now = &record[i & 1];
    TAC_TRY(tac_recording_tick(recording, i, now, error));
    int64_t tick = made->ticks == records ? i : now->tick - first;
    if (tick <= last_tick || tick >= made->ticks) tick = last_tick + 1 < made->ticks ? last_tick + 1 : last_tick;
    trace_tick(made, tick, i, i > 0 && tick == last_tick + 1 ? &record[~i & 1] : NULL, now);
    last_tick = tick;
  }
  for (int t = 0; t < made->tool_count; ++t) finish_tool(made, &made->tool[t]);
  *trace = tac_give(&made);
  return TAC_OK;
}

void tac_run_trace_destroy(tacRunTrace *trace) {
  if (trace != NULL) tac_arrays_free(&trace->arrays);
  free(trace);
}
