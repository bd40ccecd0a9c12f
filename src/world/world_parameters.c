/* Parameters that may change while the world runs. */
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "world/islands/contact_response.h"
#include "world/pairs/pair.h"
#include "world/request.h"

/* Indices of the parameters that every body has, counted after the parameters of its kind. */
enum { FRICTION, TOUCH, OF_EVERY };

static int own_count(const tacWorldBody *body) {
  return tac_body_describe(&body->body).parameters;
}

/* Returns the number of parameters of a body. A body whose kind reports a stiffness has no parameter `touch`. */
static int count_of(const tacWorldBody *body) {
  return own_count(body) + (body->body.table->stiffness != NULL ? OF_EVERY - 1 : OF_EVERY);
}

int tac_world_parameter_count(const tacWorld *world) {
  if (world == NULL) return 0;
  int count = 0;
  for (int b = 0; b < world->body_count; ++b) count += count_of(&world->bodies[b]);
  return count + TAC_PAIR_PARAMETERS * world->pair_count;
}

/* Finds the body that owns a parameter, and converts `*index` to the index among that body's parameters. NULL if the
 * parameter belongs to a pair. */
static tacWorldBody *parameter_owner(const tacWorld *world, int *index) {
  for (int b = 0; b < world->body_count && *index >= 0; ++b) {
    tacWorldBody *body = &world->bodies[b];
    int count = count_of(body);
    if (*index < count) return body;
    *index -= count;
  }
  return NULL;
}

static tacParameter parameter_of(const tacWorldBody *body, int index) {
  int own = own_count(body);
  tacParameter parameter = {.in_tick = true};
  if (index < own) {
    parameter = body->body.table->parameter(body->body.self, index);
  } else if (index == own + FRICTION) {
    parameter.label = "friction";
    parameter.unit = "";
    parameter.value = body->feel.friction;
  } else {
    parameter.label = "touch";
    parameter.unit = "N/m";
    parameter.value = body->feel.stiffness;
  }
  tacParameter named = parameter;
  snprintf(named.name, sizeof named.name, "%.70s.%.80s", body->name, index < own ? parameter.name : parameter.label);
  return named;
}

static tacStatus set_of(tacWorldBody *body, int index, double value, tacError *error) {
  int own = own_count(body);
  tacError reason;
  if (index < own) {
    tacStatus status = body->body.table->set_parameter(body->body.self, index, value, &reason);
    return status == TAC_OK ? TAC_OK : tac_error_set(error, status, "body %s: %.400s", body->name, reason.text);
  }
  double least = index == own + FRICTION ? 0.0 : 1e-9;
  if (!(value >= least && value <= 1e9))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "%s %g must be between %g and 1e9", parameter_of(body, index).name,
                         value, least);
  if (index == own + FRICTION)
    body->feel.friction = value;
  else
    body->feel.stiffness = value;
  return TAC_OK;
}

/* Returns a parameter of a pair. `index` counts the parameters of all pairs. */
static tacParameter pair_parameter(const tacWorld *world, int index) {
  static const struct {
    const char *label, *unit;
  } names[TAC_PAIR_PARAMETERS] = {[TAC_PAIR_STIFFNESS] = {"stiffness", "N/m"},
                                  [TAC_PAIR_FRICTION] = {"friction", ""},
                                  [TAC_PAIR_NODES] = {"nodes", ""},
                                  [TAC_PAIR_CONTACT] = {"contact", ""}};
  const tacPair *pair = &world->contact_pairs[index / TAC_PAIR_PARAMETERS];
  int own = index % TAC_PAIR_PARAMETERS;
  tacParameter p = {.label = names[own].label, .unit = names[own].unit, .value = pair->values[own], .in_tick = true};
  snprintf(p.name, sizeof p.name, "%.64s-%.64s.%s", world->bodies[pair->points].name, world->bodies[pair->field].name,
           p.label);
  return p;
}

tacParameter tac_world_parameter(const tacWorld *world, int index) {
  if (index < 0 || index >= tac_world_parameter_count(world)) return (tacParameter){.label = "", .unit = ""};
  const tacWorldBody *body = parameter_owner(world, &index);
  return body != NULL ? parameter_of(body, index) : pair_parameter(world, index);
}

int tac_world_find_parameter(const tacWorld *world, const char *name) {
  if (world == NULL || name == NULL) return -1;
  int first = 0;
  for (int b = 0; b < world->body_count; ++b) {
    const tacWorldBody *body = &world->bodies[b];
    int count = count_of(body);
    for (int i = 0; i < count; ++i)
      if (strcmp(parameter_of(body, i).name, name) == 0) return first + i;
    first += count;
  }
  for (int i = 0; i < TAC_PAIR_PARAMETERS * world->pair_count; ++i)
    if (strcmp(pair_parameter(world, i).name, name) == 0) return first + i;
  return -1;
}

tacStatus tac_world_change_parameter(tacWorld *world, int index, double value, tacError *error) {
  int own = index;
  if (index < 0 || index >= tac_world_parameter_count(world))
    return tac_error_set(error, TAC_ERR_ARGUMENT, "parameter %d does not exist; the world has %d parameters", index,
                         tac_world_parameter_count(world));
  tacWorldBody *body = parameter_owner(world, &own);
  if (body == NULL) {
    double least = own % TAC_PAIR_PARAMETERS == TAC_PAIR_FRICTION ? 0.0 : 1e-9;
    if (!(value >= least && value <= 1e9))
      return tac_error_set(error, TAC_ERR_ARGUMENT, "%s %g must be between %g and 1e9", pair_parameter(world, own).name,
                           value, least);
    tac_pair_set_value(&world->contact_pairs[own / TAC_PAIR_PARAMETERS], own % TAC_PAIR_PARAMETERS, value);
    return TAC_OK;
  }
  tac_world_forget_pairs(world);
  tac_compliance_memory_forget(world->compliances);
  return set_of(body, own, value, error);
}

/* ---- host requests ---- */

static tacStatus push(tacWorld *world, const tacRequest *request, tacError *error) {
  const tacWorldBody *body = &world->bodies[request->index];
  if (world->push_count == TAC_WORLD_MOST_PUSHES)
    return tac_error_set(error, TAC_ERR_ARGUMENT, "too many external forces in one step (limit %d)",
                         TAC_WORLD_MOST_PUSHES);
  /* The force acts at the surface point nearest to the requested position. */
  tacVec3 p = tac_frame_from_world(&body->frame, request->at);
  tacSurfacePoint nearest = tac_body_surface_start(body->surface, &body->body, p);
  tac_body_surface_nearest(body->surface, &body->body, p, &nearest);
  world->pushes[world->push_count++] = (tacPush){
      .body = request->index, .site = tac_site_on_surface(nearest), .at = request->at, .force = request->force};
  return TAC_OK;
}

tacStatus tac_request_apply(tacWorld *world, const tacRequest *request, tacError *error) {
  if (request->kind == TAC_REQUEST_PARAMETER)
    return tac_world_change_parameter(world, request->index, request->value, error);
  if (request->kind == TAC_REQUEST_PUSH) return push(world, request, error);
  tacFrame *frame = &world->bodies[request->index].frame;
  frame->position = request->at;
  frame->orientation = request->turn;
  frame->linear = request->linear;
  frame->angular = request->angular;
  return TAC_OK;
}
