#include "couple/local_output.h"

#include <math.h>
#include <string.h>
#include "contact/contact_set.h"

/* Returns the position of the surface that presses a tip: the position of the tip plus the deflection of the spring. */
static tacVec3 surface_at(const tacLocalContact *c, tacVec3 tip, tacVec3 force) {
  const double moved[3] = {c->soft.normal * tac_vec3_dot(c->axes[0], force),
                           c->soft.across * tac_vec3_dot(c->axes[1], force),
                           c->soft.across * tac_vec3_dot(c->axes[2], force)};
  return tac_vec3_add(tip, tac_contact_vector(c->axes, moved));
}

/* Adds a contact of a tip to `output`. A tip may also have a leaving contact, which follows the current contact in the
 * list. */
static void describe_tip(const tacLocalContact *c, const tacLocalTool *tool, tacToolOutput *output) {
  tacVec3 force = tac_vec3_add(output->force, tac_contact_vector(c->axes, c->force));
  if (output->contact.state == TAC_CONTACT_NONE) {
    output->contact = c->shown;
    output->contact.state = c->state;
    output->depth = tac_vec3_distance(tool->position, c->shown.at);
  }
  output->contact.force = tac_vec3_scale(-1.0, force);
  output->force = force;
  output->proxy = output->contact.deformed = surface_at(c, tool->position, force);
}

void tac_local_output_describe(const tacLocalProblem *p, int t, const tacLocalTool *tools, tacToolOutput *output,
                               tacTickReport *report) {
  const tacLocalTool *tool = &tools[t];
  tacContact *sum = &output->contact;
  double pressed = 0.0, most = -1.0;
  bool sticks = false;
  if (tool->held.body >= 0) tac_held_body_feel(&tool->held, &tool->frame, tool->start, tool->rests, output);
  for (int i = 0; i < p->count; ++i) {
    const tacLocalContact *c = &p->contacts[i];
    int side = c->tool[0] == t ? 0 : 1;
    if (c->tool[side] != t || c->state == TAC_CONTACT_NONE) continue;
    if (c->tip && side == 0) {
      describe_tip(c, tool, output);
      continue;
    }
    /* `force` acts on the body of the other side. */
    tacVec3 force = tac_vec3_scale(side == 0 ? -1.0 : 1.0, tac_contact_vector(c->axes, c->force));
    double size = tac_vec3_norm(force);
    sum->at = tac_vec3_mad(sum->at, size, tac_local_contact_place(c, side, tools));
    sum->normal = tac_vec3_mad(sum->normal, side == 0 ? size : -size, c->axes[0]);
    sum->force = tac_vec3_add(sum->force, force);
    sum->state = TAC_CONTACT_SLIDES;
    sum->triangle = -1;
    sticks = sticks || c->state == TAC_CONTACT_STICKS;
    pressed += size;
    output->depth = fmax(output->depth, c->depth);
    if (size > most && c->body[1 - side] >= 0) most = size, sum->body = (uint32_t)c->body[1 - side];
  }
  report->contact_count += sum->state != TAC_CONTACT_NONE;
  if (pressed == 0.0) return;
  if (sticks) sum->state = TAC_CONTACT_STICKS;
  sum->at = sum->deformed = tac_vec3_scale(1.0 / pressed, sum->at);
  sum->normal = tac_vec3_unit(sum->normal);
}

/* Returns the point of force for the display. For a touching tip, the point is on the dented surface. For a tip without
 * contact, the point is the place on the body. For any other contact, the point is the place on the side of the
 * tool. */
static tacVec3 shown_place(const tacLocalContact *c, const tacLocalTool *tools, tacVec3 force) {
  if (!c->tip) return tac_local_contact_place(c, c->tool[0] >= 0 ? 0 : 1, tools);
  return c->state != TAC_CONTACT_NONE ? surface_at(c, tac_local_contact_place(c, 0, tools), force)
                                      : tac_local_contact_place(c, 1, tools);
}

int tac_local_output_contacts(const tacLocalProblem *p, const tacLocalTool *tools, int most,
                              tacShownContact *contacts) {
  int count = p->count < most ? p->count : most;
  for (int i = 0; i < count; ++i) {
    const tacLocalContact *c = &p->contacts[i];
    bool acts = c->state != TAC_CONTACT_NONE;
    tacVec3 force = acts ? tac_contact_vector(c->axes, c->force) : tac_vec3(0.0, 0.0, 0.0);
    contacts[i] = (tacShownContact){
        {c->body[0], c->body[1]}, shown_place(c, tools, force), c->axes[0], force, c->friction, c->state};
  }
  return count;
}

int tac_local_output_delassus(const tacLocalProblem *p, int most, double *w) {
  size_t kept = 3 * (size_t)p->count, rows = 3 * (size_t)(p->count < most ? p->count : most);
  for (size_t i = 0; i < rows; ++i) memcpy(w + i * rows, p->compliance + i * kept, rows * sizeof *w);
  return (int)(rows / 3);
}
