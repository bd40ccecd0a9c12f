#include "bench/truth/force_gauge.h"

#include <math.h>
#include "math/geometry/vec3.h"
#include "world/tools/point_tool.h"

static const double settling = 0.1; /* s after the hand came to rest, in which the blow decays */
/* m: what a body may move of itself, or give way, in a tick; where a point touches it, that is measured as well. */
static const double least_own_motion = 1e-3;

tacForceGauge tac_force_gauge_begin(const tacWorld *world, int tool, const tacRoughPath *path) {
  double period = tac_world_period(world);
  return (tacForceGauge){.world = world,
                         .tool = tool,
                         .path = path,
                         .period = period,
                         .high_force = tac_high_pass_begin(100.0, period),
                         .high_torque = tac_high_pass_begin(100.0, period)};
}

/* The stiffness that the tool's force has at most against its hand, N/m: its coupling's, or that of the body that it touches. */
static double stiffness_of(const tacForceGauge *gauge, const tacToolOutput *output) {
  const tacWorldTool *tool = &gauge->world->tools[gauge->tool];
  if (tool->held.body >= 0) return tool->held.coupling.stiffness;
  if (tool->pad.body >= 0) return tool->pad.coupling.stiffness;
  int body = (int)output->contact.body;
  return output->contact.state != TAC_CONTACT_NONE
             ? tac_world_body_most_stiffness(gauge->world, tac_world_body(gauge->world, body))
             : 0.0;
}

static bool releases(const tacForceGauge *g, const tacToolInput *input, const tacToolOutput *output) {
  if (g->output.contact.state == TAC_CONTACT_NONE) return false;
  return output->contact.state == TAC_CONTACT_NONE || output->contact.body != g->output.contact.body ||
         g->world->tools[g->tool].contacts != g->contacts || /* it slipped off, and at once came upon another place */
         input->grab != g->input.grab || input->lifted != g->input.lifted;
}

static tacSurfacePoint point_of(const tacContact *contact) {
  return (tacSurfacePoint){contact->triangle, {contact->weight[0], contact->weight[1], contact->weight[2]}};
}

/* Where the body is now that the tool touched as `contact` says, there; world frame. */
static tacVec3 place_of(const tacWorld *world, const tacContact *contact) {
  const tacWorldBody *body = &world->bodies[contact->body];
  tacSite site = tac_site_on_surface(point_of(contact));
  return tac_frame_to_world(&body->frame, tac_body_place(&body->body, &site));
}

/* What the place that a point tool touched a tick ago has moved since, m; where a contact begins, what the place that it begins at moved in
 * this tick and the one before, in which the surface came to the hand. */
static double own_motion(const tacForceGauge *g, const tacToolOutput *output) {
  const tacContact *now = &output->contact;
  if (!tac_world_tool_is_point(&g->world->tools[g->tool])) return 0.0;
  if (g->output.contact.state != TAC_CONTACT_NONE)
    return tac_vec3_distance(place_of(g->world, &g->output.contact), g->place);
  if (now->state == TAC_CONTACT_NONE) return 0.0;
  const tacWorldBody *body = &g->world->bodies[now->body];
  return 2.0 * g->period * body->turn.every * tac_point_tool_surface_speed(body, point_of(now));
}

static void look_at_step(tacForceGauge *g, const tacToolInput *input, const tacToolOutput *output) {
  double step = tac_vec3_distance(output->force, g->output.force);
  double k = fmax(stiffness_of(g, output), stiffness_of(g, &g->output));
  double own = own_motion(g, output);
  double bound = k * (tac_vec3_distance(input->position, g->input.position) + fmax(own, least_own_motion));
  g->own_motion_most = fmax(g->own_motion_most, own);
  g->step_most = fmax(g->step_most, step);
  if (!releases(g, input, output) && bound > 0.0) g->step_ratio = fmax(g->step_ratio, step / bound);
}

/* Whether what the hand feels is all that bears the body: not through a trocar, whose pivot bears as well. */
static bool bears(const tacForceGauge *g) {
  const tacHeldBody *held = &g->world->tools[g->tool].held;
  return held->body >= 0 && !held->coupling.trocar;
}

static void end_jam(tacForceGauge *g) {
  const double least = 0.05; /* N: mean of what is compared */
  if (bears(g) && g->rest_sizes > least / g->period * settling)
    g->unborne = fmax(g->unborne, tac_vec3_norm(g->rest) / g->rest_sizes);
  g->rest = tac_vec3(0.0, 0.0, 0.0);
  g->rest_sizes = 0.0;
}

void tac_force_gauge_add(tacForceGauge *g, const tacToolInput *input, const tacToolOutput *output, tacVec3 on_held,
                         double size) {
  double f = tac_high_pass_square(&g->high_force, output->force);
  double t = tac_high_pass_square(&g->high_torque, output->torque);
  double time = (double)g->ticks * g->period;
  if (g->ticks++ > 0) look_at_step(g, input, output);
  g->force_sum += f;
  g->torque_sum += t;
  g->force_most = fmax(g->force_most, tac_vec3_norm(output->force));
  g->depth_most = fmax(g->depth_most, output->depth);
  const tacRoughPath *path = g->path;
  for (; g->jam < path->jam_count && path->jams[g->jam].to < time; ++g->jam) end_jam(g);
  g->settled = g->jam < path->jam_count && time >= path->jams[g->jam].from + settling;
  if (g->settled) {
    g->jammed_sum += f;
    g->jammed_torque_sum += t;
    ++g->jammed;
    g->rest = tac_vec3_add(g->rest, tac_vec3_sub(on_held, output->force));
    g->rest_sizes += size + tac_vec3_norm(output->force);
  }
  g->input = *input;
  g->output = *output;
  g->contacts = g->world->tools[g->tool].contacts;
  if (output->contact.state != TAC_CONTACT_NONE && tac_world_tool_is_point(&g->world->tools[g->tool]))
    g->place = place_of(g->world, &output->contact);
}
