#include "couple/local_problem.h"

#include <math.h>
#include <string.h>
#include "contact/contact_set.h"
#include "contact/laws/frictional_problem.h"
#include "contact/laws/law_solver.h"
#include "math/dense/dense.h"

/* ROWS: size of the rows of a contact, which has two sides and three axes. */
enum { MOST_SWEEPS = 40, MOST_STEPS = 24, MOST_LEAVES = 20, ROWS = 2 * 3 * TAC_HELD_MOST };
static const tacContactMeasure tolerance = {1e-8, 1e-5};
/* Maximum part of a contact's force that may be outside the friction cone of the contact in the next problem. */
static const double most_cut = 0.1;
static const double most_speed = 1.0; /* maximum predicted speed of a surface, m/s */
static const double most_free = 10.0; /* maximum predicted speed of a surface without contact forces, m/s */
static const double most_tank = TAC_LOCAL_MOST_TANK, inflow = TAC_LOCAL_INFLOW, most_inflow = TAC_LOCAL_MOST_INFLOW;
/* Fraction of the energy dissipated by friction that fills the energy tank. */
static const double paid_by_friction = 0.1;
static const double most_debt = 5e-4;  /* deficit of an energy tank up to which forces are not reduced, J */
static const double grab_reach = 1e-3; /* maximum distance at which a tip may grab, m */

size_t tac_local_problem_room(void) {
  size_t most = TAC_HELD_MOST * TAC_MOST_TOOLS;
  return tac_law_solver_room_most(TAC_LOCAL_MOST, TAC_MOST_TOOLS, most, true) + TAC_LOCAL_MOST * sizeof(tacLawContact) +
         ROWS * TAC_LOCAL_MOST * sizeof(double) + 4096;
}

/* Returns the number of the jaw on a side of a contact; -1 if the side is on the held body itself. Call only for a side
 * that a tool moves. */
static int jaw_of(const tacLocalContact *c, int side, const tacLocalTool *tools) {
  const tacHeldBody *held = &tools[c->tool[side]].held;
  for (int j = 0; j < held->jaw_count; ++j)
    if (held->jaws[j].body == c->body[side]) return j;
  return -1;
}

static tacVec3 place_of(const tacLocalContact *c, int side, const tacLocalTool *tools) {
  if (c->tip && side == 0) return tools[c->tool[0]].position;
  if (c->tool[side] < 0) return c->place[side];
  const tacLocalTool *tool = &tools[c->tool[side]];
  int jaw = jaw_of(c, side, tools);
  return tac_frame_to_world(jaw >= 0 ? &tool->jaws[jaw] : &tool->frame, c->place[side]);
}

tacVec3 tac_local_contact_place(const tacLocalContact *c, int side, const tacLocalTool *tools) {
  return place_of(c, side, tools);
}

/* Computes the motion u of a contact (local_problem.h) without `fade`, for the present tools and the forces `f`. */
static void motion_of(const tacLocalProblem *p, int i, const tacLocalTool *tools, double time, const double *f,
                      double u[3]) {
  const tacLocalContact *c = &p->contacts[i];
  size_t n = 3 * (size_t)p->count;
  tac_contact_numbers(c->axes, tac_vec3_sub(place_of(c, 0, tools), place_of(c, 1, tools)), u);
  for (int k = 0; k < 3; ++k) {
    u[k] += c->rate[k] * time - c->anchor[k];
    const double *row = p->compliance + (3 * (size_t)i + (size_t)k) * n;
    for (int j = 0; j < p->count; ++j)
      for (int a = 0; a < 3; ++a) u[k] += row[3 * j + a] * (f[3 * j + a] - p->contacts[j].from[a]);
  }
}

/* Returns true if a tip grabbed the body in the step of the problem and has not released the body since. After a
 * release, a tip without contact cannot grab again until the next step. */
static bool is_held_by(const tacLocalContact *c, const tacLocalTool *tools) {
  return c->tip && c->shown.state == TAC_CONTACT_GRABBED && !tools[c->tool[0]].loosed;
}

/* ---- carried contacts ---- */

tacVec3 tac_local_problem_pressed(const tacLocalProblem *p, int contact) {
  return tac_vec3_scale(1.0 / p->ticks, p->contacts[contact].carried.impulse);
}

int tac_local_problem_heir(const tacLocalProblem *p, uint64_t key, const int32_t body[2], tacVec3 place,
                           const tacLocalTool *tools) {
  double least = INFINITY;
  int heir = -1;
  for (int i = 0; i < p->built; ++i) {
    const tacLocalContact *c = &p->contacts[i];
    if (!c->carries || c->body[0] != body[0] || c->body[1] != body[1]) continue;
    if (c->key == key) return i;
    double apart = tac_vec3_distance(place_of(c, 1, tools), place);
    if (apart < least) least = apart, heir = i;
  }
  return heir;
}

/* Moves the place of a contact's second side. `by`: motion along the axes of the contact. */
static void shift_place(tacLocalContact *c, const tacLocalTool *tools, const double by[3]) {
  tacVec3 way = tac_contact_vector(c->axes, by);
  if (c->tool[1] >= 0) {
    int jaw = jaw_of(c, 1, tools);
    const tacFrame *frame = jaw >= 0 ? &tools[c->tool[1]].jaws[jaw] : &tools[c->tool[1]].frame;
    way = tac_quat_rotate(tac_quat_conjugate(frame->orientation), way);
  }
  c->place[1] = tac_vec3_add(c->place[1], way);
}

/* Subtracts from `to` the motion at the contact i under the forces `f` [n]. `a` [3 built][n]: motion per force, m/N. */
static void next_compliance(const double *a, int n, int i, const double *f, double to[3]) {
  for (int k = 0; k < 3; ++k) {
    const double *row = a + (3 * i + k) * n;
    for (int j = 0; j < n; ++j) to[k] -= row[j] * f[j];
  }
}

/* Limits the length of a predicted motion to `most` (m). A motion that is NaN or infinite becomes zero. */
static void limit(double way[3], double most) {
  double size = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  for (int k = 0; k < 3 && !(size <= most); ++k) way[k] = isfinite(size) ? way[k] * (most / size) : 0.0;
}

/* Returns the tool whose energy tank a contact uses. */
static int payer_of(const tacLocalContact *c) {
  return c->tool[c->tool[0] >= 0 ? 0 : 1];
}

/* Corrects the places of carried contacts and their predicted motion. The true forces of the previous step are known
 * now, and replace the predicted forces. */
static void carry_on(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds) {
  double force[3 * TAC_LOCAL_BUILT] = {0.0}, change[3 * TAC_LOCAL_BUILT];
  const int past = 3 * to->past;
  for (int j = 0; j < from->count; ++j) {
    const tacLocalContact *o = &from->contacts[j];
    int i = j < from->built ? j : tac_local_problem_heir(from, o->key, o->body, place_of(o, 1, tools), tools);
    double f[3];
    if (!o->carries || i < 0 || i >= to->past) continue;
    tac_contact_numbers(from->contacts[i].axes, tac_local_problem_pressed(from, j), f);
    for (int k = 0; k < 3; ++k) force[3 * i + k] += f[k];
  }
  for (int k = 0; k < past; ++k) change[k] = force[k] - to->supposed[k];
  for (int i = 0; i < to->built; ++i) {
    tacLocalContact *c = &to->contacts[i];
    tacCarried *t = &c->carried;
    double pressed[3] = {0.0, 0.0, 0.0};
    if (!c->carries) continue;
    next_compliance(to->before, past, i, change, t->first);
    limit(t->first, most_speed * seconds);
    shift_place(c, tools, t->first);
    memcpy(t->way, t->second, sizeof t->way);
    next_compliance(to->after, past, i, change, t->way);
    next_compliance(to->before, past, i, force, pressed);
    for (int k = 0; k < 3; ++k) t->way[k] += pressed[k];
    limit(t->way, most_speed * seconds);
    for (int k = 0; k < 3; ++k) t->way[k] -= pressed[k];
    limit(t->way, most_free * seconds);
    for (int k = 0; k < 3; ++k) t->way[k] /= to->ticks;
    memset(c->from, 0, sizeof c->from);
  }
  bool pays[TAC_MOST_TOOLS] = {false};
  for (int j = 0; j < from->count; ++j) { /* predicts the part of the work that bodies will receive */
    const tacLocalContact *o = &from->contacts[j];
    int i = o->carries ? tac_local_problem_heir(to, o->key, o->body, place_of(o, 1, tools), tools) : -1;
    if (i < 0) continue;
    const tacLocalContact *c = &to->contacts[i];
    double taken = -tac_vec3_dot(tac_local_problem_pressed(from, j), tac_contact_vector(c->axes, c->carried.first));
    tools[payer_of(o)].expected += o->carried.work - taken;
    if (c->lends) to->energy += taken;
    pays[payer_of(o)] = true;
  }
  for (int t = 0; t < TAC_MOST_TOOLS; ++t)
    if (pays[t]) tools[t].tank = fmax(fmin(0.0, tools[t].tank), tools[t].tank + tools[t].expected);
}

/* Returns true if a tip's contact is at the same surface point as the contact `o`. */
static bool at_same_place(const tacLocalContact *c, const tacLocalContact *o) {
  return c->tip && o != NULL && c->shown.triangle == o->shown.triangle &&
         memcmp(c->shown.weight, o->shown.weight, sizeof c->shown.weight) == 0;
}

/* Sets the fade of a carried contact. `o`: contact of the previous problem that `c` continues; NULL: `c` is new.
 * `u`: motion for the present places and forces. If the place has changed, the tangential mismatch moves the anchor and
 * needs no fade. For a grabbing tip, the whole mismatch moves the anchor. */
static void set_fade(tacLocalContact *c, const tacLocalContact *o, const double u[3], int ticks) {
  double was[3] = {0.0, 0.0, 0.0};
  if (o != NULL) tac_contact_numbers(c->axes, tac_vec3_scale(o->gap, o->axes[0]), was);
  bool holds = o != NULL && o->state == TAC_CONTACT_GRABBED, same = at_same_place(c, o);
  for (int k = 0; k < 3; ++k) c->fade[k] = was[k] - u[k];
  if (o == NULL) c->fade[0] = fmax(0.0, -u[0]);
  for (int k = holds ? 0 : 1; k < 3 && !same; ++k) {
    c->anchor[k] -= c->fade[k];
    c->fade[k] = 0.0;
  }
  for (int k = 0; k < 3; ++k) c->carried.step[k] = c->fade[k] / ticks;
}

/* Returns true if the contact's tool has jaws. Squeezing loads the jaw motor and not the hand, so the energy of these
 * contacts' springs is not taken from a tank. */
static bool has_motor(const tacLocalContact *c, const tacLocalTool *tools) {
  return tools[payer_of(c)].held.jaw_count > 0;
}

/* Removes `energy` (J) from a tank; a negative value adds energy. The level of a tank is limited to plus or minus the
 * capacity. */
static void pay(double energy, double *tank) {
  *tank = fmax(-most_tank, fmin(most_tank, *tank - energy));
}

/* Adds `energy` (J) from the constant inflow or from friction to a tank, up to the level `most_inflow`. */
static void fill(double energy, double *tank) {
  if (*tank < most_inflow) *tank = fmin(most_inflow, *tank + energy);
}

/* Returns the compliance of the tools of a contact along the normal, m/N, if only the couplings hold the tools. The
 * rotational stiffness of a coupling is turn_stiffness / 2 (couple/coupling.h). */
static double give_of(const tacLocalContact *c, const tacLocalTool *tools) {
  double sum = 0.0;
  for (int s = 0; s < 2; ++s) {
    const tacLocalTool *tool = c->tool[s] >= 0 ? &tools[c->tool[s]] : NULL;
    if (tool == NULL || tool->held.body < 0) continue;
    const tacCouplingDef *coupling = &tool->held.coupling;
    tacVec3 place = place_of(c, s, tools), about = tac_frame_about(&tool->frame), r = tac_vec3_sub(place, about);
    sum += 1.0 / coupling->stiffness + tac_vec3_norm2(tac_vec3_cross(r, c->axes[0])) / (0.5 * coupling->turn_stiffness);
    if (coupling->trocar) { /* the tool is a lever about the pivot */
      double inside = tac_vec3_distance(place, coupling->pivot), outside = tac_vec3_distance(about, coupling->pivot);
      sum += inside * inside / (coupling->stiffness * fmax(outside * outside, 1e-6));
    }
    int jaw = jaw_of(c, s, tools);
    if (jaw >= 0) { /* adds the compliance of the jaw motor */
      double lever = tac_vec3_distance(place, tac_frame_to_world(&tool->frame, tool->held.jaws[jaw].hinge));
      sum += lever * lever * tool->held.def.jaw_angle / tool->held.def.jaw_torque;
    }
  }
  return sum;
}

/* Returns the fraction of tacCarried.step at which the hand gets at most the energy `most` (J). `given` receives the
 * energy that the hand gets. A fade also loads the contact's spring and the coupling. A fade of an open contact loads
 * spring and coupling only after the contact closes. */
static double share_of_step(const tacLocalProblem *p, int i, const tacLocalTool *tools, double most, double *given) {
  const tacLocalContact *c = &p->contacts[i];
  const double *step = c->carried.step;
  const size_t n = 3 * (size_t)p->count, at = 3 * (size_t)i;
  const double give = give_of(c, tools), least = 1e-12; /* minimum compliance, m/N */
  /* The hand gets the energy pushed s + loaded s^2, with the fraction s of the step that follows `free_way`. */
  double pushed = 0.0, loaded = 0.0, free_way = 0.0;
  most = fmax(0.0, most);
  if (has_motor(c, tools)) {
    for (int k = 0; k < 3; ++k) pushed += c->force[k] * step[k];
    double part = pushed > most ? most / pushed : 1.0;
    *given = part * pushed;
    return part;
  }
  if (c->state == TAC_CONTACT_NONE) {
    free_way = step[0] > 0.0 ? fmin(1.0, fmax(0.0, c->gap) / step[0]) : 1.0;
    loaded = 0.5 * step[0] * step[0] / fmax(least, p->compliance[at * (n + 1)] + give);
  }
  for (size_t k = 0; k < 3 && c->state != TAC_CONTACT_NONE; ++k) {
    pushed += c->force[k] * step[k];
    if (k == 0 || c->state != TAC_CONTACT_SLIDES) /* the tangential force of a sliding contact does not grow */
      loaded += 0.5 * step[k] * step[k] / fmax(least, p->compliance[(at + k) * (n + 1)] + give);
  }
  double share = 1.0 - free_way, root = sqrt(pushed * pushed + 4.0 * loaded * most);
  if (share * (pushed + share * loaded) > most) /* positive root, in the form without cancellation */
    share = pushed > 0.0 ? 2.0 * most / (pushed + root) : 0.5 * (root - pushed) / loaded;
  *given = share * (pushed + share * loaded);
  return free_way + share;
}

/* Moves the places of carried contacts by the predicted motion, and reduces the fades as far as the energy tanks
 * permit. `opens`: leaving contacts open in this tick. Call before the forces of a tick are solved. */
static void carry(tacLocalProblem *p, int tool_count, tacLocalTool *tools, double period, bool opens) {
  double left[TAC_MOST_TOOLS];
  p->lent = 1.0;
  for (int t = 0; t < tool_count; ++t) {
    fill(inflow * period, &tools[t].tank);
    left[t] = tools[t].tank;
  }
  for (int i = 0; i < p->built; ++i) {
    tacLocalContact *c = &p->contacts[i];
    tacCarried *t = &c->carried;
    memset(t->went, 0, sizeof t->went);
    if (!c->pays || p->still) continue;
    double *tank = &left[payer_of(c)], given;
    if (c->carries) shift_place(c, tools, t->way);
    double share = share_of_step(p, i, tools, *tank, &given);
    *tank -= fmax(0.0, given);
    for (int k = 0; k < 3; ++k) {
      t->went[k] = share * t->step[k];
      c->fade[k] -= t->went[k];
    }
  }
  for (int i = p->built; i < p->count; ++i)
    p->contacts[i].carried.went[0] = opens ? -p->contacts[i].rate[0] * period : 0.0;
}

/* Sums the impulses of carried contacts and the work on bodies, and moves the places by the motion under the new
 * forces. Call after the forces of a tick are solved. */
static void give(tacLocalProblem *p, tacLocalTool *tools) {
  double f[3 * TAC_LOCAL_BUILT];
  for (int i = 0; i < p->built; ++i) memcpy(f + 3 * i, p->contacts[i].force, sizeof p->contacts[i].force);
  for (int i = 0; i < p->count; ++i) {
    tacLocalContact *c = &p->contacts[i];
    tacCarried *t = &c->carried;
    if (!c->carries || p->still) continue;
    double moved[3] = {0.0, 0.0, 0.0};
    t->impulse = tac_vec3_add(t->impulse, tac_contact_vector(c->axes, c->force));
    if (i >= p->built) continue; /* the places of a leaving contact do not move */
    next_compliance(p->now, 3 * p->built, i, f, moved);
    for (int k = 0; k < 3; ++k) {
      moved[k] /= p->ticks;
      double work = -c->force[k] * (moved[k] + (c->lends ? p->lent : 1.0) * t->way[k]);
      t->work += work;
      if (c->lends) p->energy += work;
    }
    shift_place(c, tools, moved);
  }
}

/* Reduces the predicted motion of free bodies that would give the tools more than tacLocalProblem.energy. The energy is
 * convex in the fraction of the motion and not positive without motion, so that it falls at least in proportion.
 * `laws`: solution of the tick. Returns true if the motion was reduced, so that the tick must be solved again. */
static bool withhold(tacLocalProblem *p, const tacLocalTool *tools, const tacLawContact *laws) {
  double f[3 * TAC_LOCAL_BUILT], given = 0.0;
  for (int i = 0; i < p->built; ++i) memcpy(f + 3 * i, laws[i].force, sizeof laws[i].force);
  for (int i = 0; i < p->built && !p->still; ++i) {
    double moved[3] = {0.0, 0.0, 0.0};
    if (!p->contacts[i].lends) continue;
    next_compliance(p->now, 3 * p->built, i, f, moved);
    for (int k = 0; k < 3; ++k) given += f[3 * i + k] * (moved[k] / p->ticks + p->contacts[i].carried.way[k]);
  }
  const double most = fmax(0.0, p->energy);
  if (!(given > most)) return false;
  for (int i = 0; i < p->built; ++i) {
    tacLocalContact *c = &p->contacts[i];
    double back[3];
    if (!c->lends) continue;
    for (int k = 0; k < 3; ++k) back[k] = (most / given - 1.0) * c->carried.way[k];
    shift_place(c, tools, back);
  }
  p->lent = most / given;
  return true;
}

/* Limits the energy tank of each tool without contact to `most_inflow`. So a later contact cannot use the energy of an
 * earlier contact. */
static void end_credit(const tacLocalProblem *p, int tool_count, tacLocalTool *tools) {
  bool touches[TAC_MOST_TOOLS] = {false};
  for (int i = 0; i < p->count; ++i)
    if (p->contacts[i].pays && p->contacts[i].state != TAC_CONTACT_NONE) touches[payer_of(&p->contacts[i])] = true;
  for (int t = 0; t < tool_count; ++t)
    if (!touches[t]) tools[t].tank = fmin(tools[t].tank, most_inflow);
}

/* Prepares the problem for a late step: bodies do not move, and C contains only the compliance of springs. */
static void stand_still(tacLocalProblem *p) {
  size_t n = 3 * (size_t)p->count, built = 3 * (size_t)p->built;
  if (p->still) return;
  p->still = true;
  for (size_t i = 0; i < built; ++i)
    for (size_t j = 0; j < built; ++j)
      if (p->contacts[i / 3].carries && p->contacts[j / 3].carries)
        p->compliance[i * n + j] -= p->now[i * built + j] / p->ticks;
}

/* Starts a grab for each tip with the grab command whose carried contact has a gap of less than `grab_reach`. */
static void take_hold(tacLocalProblem *p, const tacLocalTool *tools) {
  const double none[3 * TAC_LOCAL_MOST] = {0.0};
  for (int i = 0; i < p->built; ++i) {
    tacLocalContact *c = &p->contacts[i];
    const tacLocalTool *tip = c->tip ? &tools[c->tool[0]] : NULL;
    if (tip == NULL || !c->carries || !tip->grab || tip->parted || tip->loosed || c->state != TAC_CONTACT_NONE)
      continue;
    double u[3];
    motion_of(p, i, tools, 0.0, none, u);
    if (!(fabs(u[0] + c->fade[0]) < grab_reach)) continue;
    for (int k = 0; k < 3; ++k) c->anchor[k] += u[k] + c->fade[k];
    memset(c->force, 0, sizeof c->force);
    c->state = TAC_CONTACT_GRABBED;
  }
}

/* ---- transition to the next problem ---- */

/* Returns true if the contact `a` may continue the contact `b`. `b` must be active, and have the same bodies and tools
 * as `a`. The force of `b` must be nearly inside the friction cone of `a`. */
static bool may_follow(const tacLocalContact *a, const tacLocalContact *b) {
  if (b->state == TAC_CONTACT_NONE || a->tip != b->tip) return false;
  for (int s = 0; s < 2; ++s)
    if (a->body[s] != b->body[s] || a->tool[s] != b->tool[s]) return false;
  if (b->state == TAC_CONTACT_GRABBED) return true;
  tacVec3 force = tac_contact_vector(b->axes, b->force);
  double f[3];
  tac_contact_numbers(a->axes, force, f);
  return sqrt(f[1] * f[1] + f[2] * f[2]) - a->friction * f[0] < most_cut * tac_vec3_norm(force);
}

/* Finds for each contact of the problem `to` the active contact of `from` that it continues; -1: no contact. This is
 * the contact with the same key, otherwise the nearest remaining contact between the same bodies. */
static void match(const tacLocalProblem *to, const tacLocalProblem *from, const tacLocalTool *tools, int *before) {
  bool used[TAC_LOCAL_MOST] = {false};
  for (int i = 0; i < to->count; ++i) {
    before[i] = -1;
    for (int j = 0; j < from->count && before[i] < 0; ++j)
      if (!used[j] && from->contacts[j].key == to->contacts[i].key && may_follow(&to->contacts[i], &from->contacts[j]))
        before[i] = j;
    if (before[i] >= 0) used[before[i]] = true;
  }
  for (int i = 0; i < to->count; ++i) {
    const tacLocalContact *c = &to->contacts[i];
    double least = INFINITY;
    if (before[i] >= 0) continue;
    for (int j = 0; j < from->count; ++j) {
      const tacLocalContact *o = &from->contacts[j];
      if (used[j] || !may_follow(c, o)) continue;
      double apart = tac_vec3_distance(place_of(c, 0, tools), place_of(o, 0, tools));
      if (apart < least) least = apart, before[i] = j;
    }
    if (before[i] >= 0) used[before[i]] = true;
  }
}

/* Returns the elastic part of the element (i, j) of C, m/N: C without the motion of bodies with inertia. */
static double spring_of(const tacLocalProblem *p, size_t i, size_t j) {
  size_t n = 3 * (size_t)p->count, built = 3 * (size_t)p->built;
  double c = p->compliance[i * n + j];
  return i < built && j < built && !p->still ? c - p->now[i * built + j] / p->ticks : c;
}

/* Adds the contact `old` of the problem `from` to `to` as a leaving contact, which opens in `seconds`.
 *
 * The opening must exceed the elastic deformation that keeps the contact closed. The bodies deform under the
 * force of the contact, and the couplings deform under the force `pressed` (N) of all opening contacts. If a tool
 * follows the surface, the contact stays closed; the speed of opening therefore doubles in each new problem. The
 * contact has the same compliance as before, including that of bodies, since a rigid contact would block the tool. */
static void let_go(tacLocalProblem *to, const tacLocalProblem *from, int old, const tacLocalTool *tools, double pressed,
                   double seconds) {
  if (to->count == TAC_LOCAL_MOST) return;
  size_t n = 3 * (size_t)to->count, m = 3 * (size_t)from->count, at = 3 * (size_t)old;
  tacLocalContact c = from->contacts[old];
  memcpy(c.from, c.force, sizeof c.from);
  c.carried = (tacCarried){0};
  c.leaves = c.leaves < MOST_LEAVES ? c.leaves + 1 : MOST_LEAVES;
  c.rate[1] = c.rate[2] = 0.0;
  c.rate[0] =
      ldexp(from->compliance[at * m + at] * fabs(c.force[0]) + give_of(&c, tools) * pressed, c.leaves) / seconds;
  /* C gets three more rows and columns, in which only the contact's own block is not zero. */
  for (size_t i = n; i-- > 0;) memmove(to->compliance + i * (n + 3), to->compliance + i * n, n * sizeof(double));
  for (size_t i = 0; i < n + 3; ++i)
    for (size_t k = 0; k < 3; ++k)
      to->compliance[i * (n + 3) + n + k] = to->compliance[(n + k) * (n + 3) + i] =
          i < n ? 0.0 : from->compliance[(at + i - n) * m + at + k];
  to->contacts[to->count++] = c;
}

/* Computes the motion of a side along the contact's axes per coordinate of the held body. The second side has the
 * opposite sign, as in u. */
static void moves_of(const tacLocalContact *c, int side, const tacLocalTool *tools, double moves[3][TAC_HELD_MOST]) {
  const double sign = side == 0 ? 1.0 : -1.0;
  const tacLocalTool *tool = &tools[c->tool[side]];
  const int jaw = jaw_of(c, side, tools);
  const tacVec3 place = place_of(c, side, tools), r = tac_vec3_sub(place, tac_frame_about(&tool->frame));
  tacVec3 closes = tac_vec3(0.0, 0.0, 0.0);
  if (jaw >= 0)
    closes = tac_vec3_cross(tac_quat_rotate(tool->frame.orientation, tool->held.jaws[jaw].axis),
                            tac_vec3_sub(place, tac_frame_to_world(&tool->frame, tool->held.jaws[jaw].hinge)));
  for (int k = 0; k < 3; ++k) {
    const tacVec3 axis = c->axes[k], turn = tac_vec3_cross(r, axis);
    const double j[TAC_HELD_MOST] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z, tac_vec3_dot(closes, axis)};
    for (int i = 0; i < TAC_HELD_MOST; ++i) moves[k][i] = sign * j[i];
  }
}

/* Adds `sign` times the load of all contacts on held bodies. The load on the angle of the jaws is excluded, since the
 * jaw motor presses at all times. */
static void add_loads(const tacLocalProblem *p, const tacLocalTool *tools, double sign,
                      double loads[TAC_MOST_TOOLS][6]) {
  for (int i = 0; i < p->count; ++i)
    for (int s = 0; s < 2; ++s) {
      const tacLocalContact *c = &p->contacts[i];
      double moves[3][TAC_HELD_MOST];
      if (c->tool[s] < 0 || tools[c->tool[s]].held.body < 0) continue;
      moves_of(c, s, tools, moves);
      for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 6; ++m) loads[c->tool[s]][m] += sign * c->force[k] * moves[k][m];
    }
}

/* Returns the energy in the springs of the contacts with `counts` that use the energy tank of `tool`, J. */
static double stored_by(const tacLocalProblem *p, int tool, const bool *counts) {
  double sum = 0.0;
  for (int i = 0; i < p->count; ++i)
    for (int j = 0; j < p->count; ++j) {
      const tacLocalContact *a = &p->contacts[i], *b = &p->contacts[j];
      if (!counts[i] || !counts[j] || payer_of(a) != tool || payer_of(b) != tool) continue;
      for (size_t r = 0; r < 3; ++r)
        for (size_t k = 0; k < 3; ++k)
          sum += 0.5 * a->force[r] * b->force[k] * spring_of(p, 3 * (size_t)i + r, 3 * (size_t)j + k);
    }
  return sum;
}

/* Balances the energy of springs at the transition to the problem `to`. The contact forces do not change, but the
 * springs may have another compliance and store more energy. The difference is taken from the energy tanks. If a tank
 * is too low, the forces are reduced. */
static void pay_springs(tacLocalProblem *to, const tacLocalProblem *from, const int *before, tacLocalTool *tools) {
  bool old[TAC_LOCAL_MOST] = {false}, now[TAC_LOCAL_MOST] = {false}, pays[TAC_MOST_TOOLS] = {false};
  for (int i = 0; i < to->built; ++i) {
    now[i] = to->contacts[i].pays && before[i] >= 0 && !has_motor(&to->contacts[i], tools);
    if (now[i]) old[before[i]] = pays[payer_of(&to->contacts[i])] = true;
  }
  for (int t = 0; t < TAC_MOST_TOOLS; ++t) {
    if (!pays[t]) continue;
    double held = stored_by(from, t, old), holds = stored_by(to, t, now), most = held + tools[t].tank + most_debt;
    if (holds > most && holds > 0.0) {
      double share = sqrt(fmax(0.0, most) / holds);
      for (int i = 0; i < to->built; ++i)
        for (int k = 0; k < 3 && now[i] && payer_of(&to->contacts[i]) == t; ++k) to->contacts[i].force[k] *= share;
      holds = fmax(0.0, most);
    }
    pay(holds - held, &tools[t].tank);
  }
}

void tac_local_problem_follow(tacLocalProblem *to, const tacLocalProblem *from, tacLocalTool *tools, double seconds) {
  int before[TAC_LOCAL_MOST];
  double f[3 * TAC_LOCAL_MOST];
  bool goes_on[TAC_LOCAL_MOST] = {false};
  match(to, from, tools, before);
  carry_on(to, from, tools, seconds);
  for (int i = 0; i < to->count; ++i)
    if (before[i] >= 0) goes_on[before[i]] = true;
  int built = to->count;
  double pressed = 0.0;
  for (int j = 0; j < from->count; ++j) {
    const tacLocalContact *o = &from->contacts[j];
    goes_on[j] = goes_on[j] || o->state == TAC_CONTACT_NONE; /* only an active contact becomes a leaving contact */
    if (!goes_on[j]) pressed += o->force[0];
  }
  for (int j = 0; j < from->count; ++j) {
    if (goes_on[j]) continue;
    if (to->count < TAC_LOCAL_MOST) before[to->count] = j;
    let_go(to, from, j, tools, pressed, seconds);
  }
  for (int i = 0; i < to->count; ++i) {
    tacLocalContact *c = &to->contacts[i];
    const tacLocalContact *o = before[i] >= 0 ? &from->contacts[before[i]] : NULL;
    for (int k = 0; k < 3; ++k)
      f[3 * i + k] = o != NULL ? tac_vec3_dot(c->axes[k], tac_contact_vector(o->axes, o->force)) : 0.0;
    memcpy(c->force, f + 3 * i, sizeof c->force);
    c->state = o != NULL ? o->state : TAC_CONTACT_NONE;
  }
  pay_springs(to, from, before, tools);
  for (int i = 0; i < to->built; ++i) memcpy(f + 3 * i, to->contacts[i].force, sizeof to->contacts[i].force);
  for (int t = 0; t < TAC_MOST_TOOLS; ++t)
    for (int m = 0; m < 6; ++m) to->missing[t][m] = from->left * from->missing[t][m];
  add_loads(from, tools, 1.0, to->missing);
  add_loads(to, tools, -1.0, to->missing);
  for (int i = 0; i < to->count; ++i) {
    tacLocalContact *c = &to->contacts[i];
    const tacLocalContact *o = before[i] >= 0 ? &from->contacts[before[i]] : NULL;
    double u[3], was[3] = {0.0, 0.0, 0.0};
    if (c->carries && i < built && at_same_place(c, o))
      tac_contact_numbers(c->axes, tac_contact_vector(o->axes, o->anchor), c->anchor);
    motion_of(to, i, tools, 0.0, f, u);
    if (c->carries && i < built) {
      double taken[3] = {0.0, 0.0, 0.0}; /* motion of bodies in the last tick, which the places already include */
      next_compliance(to->now, 3 * built, i, f, taken);
      for (int k = 0; k < 3; ++k) u[k] += taken[k] / to->ticks;
      set_fade(c, o, u, to->ticks);
      c->gap = u[0] + c->fade[0];
      continue;
    }
    if (o != NULL) tac_contact_numbers(c->axes, tac_vec3_scale(o->gap, o->axes[0]), was);
    if (i >= built) was[0] = o->gap;
    for (int k = 0; k < 3; ++k) c->fade[k] = was[k] - u[k];
    if (o == NULL && !is_held_by(c, tools)) { /* a new contact starts without force */
      c->fade[0] = fmax(0.0, -u[0]);
      c->fade[1] = c->fade[2] = 0.0;
      c->anchor[1] += u[1];
      c->anchor[2] += u[2];
    }
    c->gap = u[0] + c->fade[0];
    for (int k = 0; k < 3 && c->pays; ++k) c->carried.step[k] = c->fade[k] / to->ticks;
    if (i < built) continue;
    /* A leaving contact has no fade; the anchor is shifted instead. */
    for (int k = 0; k < 3; ++k) c->anchor[k] -= c->fade[k], c->fade[k] = 0.0;
  }
}

/* ---- a tick ---- */

/* Equations and motion of a held body and of its jaws in a tick. */
typedef struct Part {
  int tool;
  int size;                                    /* number of coordinates: six, plus one for the angle of jaws */
  double matrix[TAC_HELD_MOST][TAC_HELD_MOST]; /* matrix of the equations, then its Cholesky factor */
  double pull[TAC_HELD_MOST];                  /* motion caused by the coupling, without contacts */
  double share;                                /* factor on `pull`, 0 to 1; the angle of the jaws is not scaled */
  double faded[TAC_HELD_MOST];                 /* part of `given` that `missing` causes */
  double given[TAC_HELD_MOST];                 /* motion caused by `missing` and by pads of other tools; not scaled */
  double motion[TAC_HELD_MOST];                /* motion with contacts */
  double whole[TAC_HELD_MOST];                 /* motion with contacts for share = 1 */
} Part;

static tacDense factor_of(Part *part) {
  return (tacDense){part->size, part->size, TAC_HELD_MOST, &part->matrix[0][0]};
}

/* Computes the equations of a held body. Returns false if the body does not follow the tool. */
static bool make_part(tacLocalTool *tool, int t, double period, const double missing[6], double left, Part *part,
                      tacTickReport *report) {
  double load[TAC_HELD_MOST];
  part->tool = t;
  part->size = tac_held_body_size(&tool->held);
  if (tool->held.body < 0 || !tac_held_body_follows(&tool->held, &tool->frame, period, tool->rests)) return false;
  tac_held_body_equation(&tool->held, &tool->frame, period, part->matrix, load);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) part->matrix[i][j] += tool->stiffness[i][j];
  tacDense factor = factor_of(part);
  if (!tac_dense_loop_cholesky(&factor)) {
    ++report->refused;
    return false;
  }
  memcpy(part->pull, load, sizeof load);
  for (int i = 0; i < TAC_HELD_MOST; ++i) {
    part->faded[i] = i < 6 ? left * missing[i] : 0.0;
    part->given[i] = i < 6 ? left * missing[i] + tool->pull[i] : 0.0;
  }
  tac_dense_loop_cholesky_solve(&factor, part->pull);
  tac_dense_loop_cholesky_solve(&factor, part->faded);
  tac_dense_loop_cholesky_solve(&factor, part->given);
  part->share = 1.0;
  return true;
}

/* Returns the motion of the coordinate i without contacts. */
static double free_motion(const Part *part, int i) {
  return (i < 6 ? part->share : 1.0) * part->pull[i] + part->given[i];
}

/* Adds to `moved` the motion that a side has without contact forces. `rows` receives the motion of the side per
 * coordinate of the tool, multiplied by the inverse of the Cholesky factor. */
static void add_part(const tacLocalContact *c, int side, Part *part, const tacLocalTool *tools, double *rows,
                     double moved[3]) {
  const int n = part->size;
  double moves[3][TAC_HELD_MOST];
  moves_of(c, side, tools, moves);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < n; ++i) {
      rows[n * k + i] = moves[k][i];
      moved[k] += moves[k][i] * free_motion(part, i);
    }
  tacDense factor = factor_of(part);
  tac_dense_loop_cholesky_forward3(&factor, 0, rows);
}

/* Returns a contact in the form of the solver, for tools that only the couplings move. The force of a leaving contact
 * of a tip must not grow: the place of the contact does not move, so a hand that follows the surface would press on
 * it. */
static tacLawContact make_law(const tacLocalProblem *p, int i, const tacLocalTool *tools, double time, double left,
                              Part *parts, const int *part_of, double *rows) {
  const tacLocalContact *c = &p->contacts[i];
  const tacLocalTool *tip = c->tip ? &tools[c->tool[0]] : NULL;
  const double none[3 * TAC_LOCAL_MOST] = {0.0};
  double u[3];
  tacLawContact law = {.friction = c->friction, .part = {-1, -1}};
  motion_of(p, i, tools, time, none, u);
  for (int k = 0; k < 3; ++k) u[k] += (c->pays ? 1.0 : left) * c->fade[k];
  for (int s = 0; s < 2; ++s) {
    int part = c->tool[s] >= 0 ? part_of[c->tool[s]] : -1;
    if (part < 0) continue;
    law.part[s] = part;
    law.rows[s] = rows + ROWS / 2 * s;
    add_part(c, s, &parts[part], tools, rows + ROWS / 2 * s, u);
  }
  law.grabbed = tip != NULL && tip->grab && c->leaves == 0 && (c->state != TAC_CONTACT_NONE || is_held_by(c, tools));
  law.gap = u[0];
  if (c->tip && c->leaves > 0) law.gap = fmax(u[0], -p->compliance[3 * i * (3 * p->count + 1)] * c->force[0]);
  law.slip[0] = u[1];
  law.slip[1] = u[2];
  memcpy(law.force, c->force, sizeof law.force);
  if (tip == NULL || !tip->parted) return law;
  law.gap = 1.0; /* 1 m: a lifted tip has no contact until the next step detects a contact */
  law.grabbed = false;
  return law;
}

/* Returns the energy that friction dissipates at a contact, J. */
static double taken_by_sliding(const tacLawContact *law) {
  bool slides = law->state == TAC_CONTACT_SLIDES && law->force[0] > 0.0;
  return slides ? fmax(0.0, -law->force[1] * law->motion[1] - law->force[2] * law->motion[2]) : 0.0;
}

static void take_law(const tacLawContact *law, tacLocalContact *c) {
  bool acts = law->state != TAC_CONTACT_NONE && (law->grabbed || law->force[0] > 0.0);
  c->state = acts ? law->state : TAC_CONTACT_NONE;
  memcpy(c->force, law->force, sizeof c->force);
  c->gap = law->motion[0];
  for (int k = 1; k < 3 && (c->state == TAC_CONTACT_NONE || c->state == TAC_CONTACT_SLIDES); ++k)
    c->anchor[k] += law->motion[k]; /* the anchor moves with a sliding or open contact */
}

/* Returns the work of `missing` on a held body, J. */
static double work_of_missing(const Part *part, const double missing[6], double left) {
  double work = 0.0;
  for (int i = 0; i < 6; ++i) work += left * missing[i] * part->motion[i];
  return work;
}

/* Reduces the load `missing` of a held body if it would give more energy than a full tank, TAC_LOCAL_MOST_TANK. The work
 * is convex in the load and zero without load, so that it falls at least in proportion. Returns true if the load was
 * reduced, so that the tick must be solved again. */
static bool withhold_missing(Part *part, const tacLocalTool *tool, double missing[6], double left) {
  double work = work_of_missing(part, missing, left), most = most_tank - tool->faded;
  if (!(work > most)) return false;
  for (int i = 0; i < 6; ++i) {
    missing[i] *= most / work;
    part->given[i] -= (1.0 - most / work) * part->faded[i];
    part->faded[i] *= most / work;
  }
  return true;
}

/* Computes the motion of a held body under the coupling and the contact forces. */
static void set_motion(Part *part, int index, int count, const tacLawContact *laws) {
  double y[TAC_HELD_MOST] = {0.0};
  int n = part->size;
  for (int i = 0; i < count; ++i)
    for (int s = 0; s < 2; ++s)
      for (int k = 0; laws[i].part[s] == index && k < 3; ++k)
        for (int c = 0; c < n; ++c) y[c] += laws[i].force[k] * laws[i].rows[s][n * k + c];
  tacDense factor = factor_of(part);
  tac_dense_loop_cholesky_backward(&factor, y);
  for (int c = 0; c < n; ++c) part->motion[c] = y[c] + free_motion(part, c);
}

/* Solves for the contact forces. Sweeps are sufficient without jaws. `pinched`: jaws may pinch a body, and the jaw
 * angle couples the contacts of both jaws too strongly for sweeps alone. */
static tacContactReport solve_laws(const tacLawProblem *problem, bool pinched, tacArena *arena) {
  const tacLawSolverDef def = {.method = pinched ? TAC_CONTACT_AUTOMATIC : TAC_CONTACT_GAUSS_SEIDEL,
                               .tolerance = tolerance,
                               .most_sweeps = MOST_SWEEPS,
                               .most_steps = MOST_STEPS,
                               .form = TAC_DELASSUS_BUILT,
                               .afresh = !pinched};
  tacContactReport done = tac_law_solve(problem, &def, arena);
  done.sweeps += done.steps;
  return done;
}

/* Reduces the share of the coupling's pull if the motion with contacts exceeds the speed limits. Round 0 sets the share
 * that keeps a body without contacts within the limits. This share is too small if contacts resist the motion. So round
 * 1 interpolates linearly between this share and 1. Returns true if the share changed. */
static bool hold_back(Part *part, int round, const tacCouplingDef *coupling, double period) {
  const double most[2] = {coupling->speed_most * period, coupling->turn_most * period};
  double size = 0.0, along_whole = 0.0, whole = 0.0;
  if (round == 0) memcpy(part->whole, part->motion, sizeof part->whole);
  if (round == 1 && part->share == 1.0) return false;
  for (int k = 0; k < 2; ++k) { /* lengths are relative to the limits */
    const double *w = &part->whole[3 * k], *m = &part->motion[3 * k];
    double square = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / (most[k] * most[k]);
    size = fmax(size, sqrt(square));
    whole += square;
    along_whole += (w[0] * m[0] + w[1] * m[1] + w[2] * m[2]) / (most[k] * most[k]);
  }
  if (!(size > 1.0)) return false;
  double before = part->share, now = size * along_whole / whole; /* `now` is 1 at the limit */
  if (round == 0)
    part->share = tac_coupling_hold_back(coupling, period, part->pull, part->pull);
  else if (now < 1.0 - 1e-6)
    part->share += (1.0 - before) * (1.0 - now) / (size - now);
  return part->share != before;
}

void tac_local_problem_solve(tacLocalProblem *p, int tool_count, tacLocalTool *tools, double period, double time,
                             double seconds, tacArena *arena, tacTickReport *report) {
  Part parts[TAC_MOST_TOOLS];
  int part_of[TAC_MOST_TOOLS], sizes[TAC_MOST_TOOLS], part_count = 0;
  tacArenaMark mark = tac_arena_mark(arena);
  tacLawContact *laws = tac_arena_array(arena, (size_t)TAC_LOCAL_MOST, sizeof *laws);
  double *rows = tac_arena_array(arena, (size_t)ROWS * TAC_LOCAL_MOST, sizeof *rows);
  if (laws == NULL || rows == NULL) return; /* not reached: the arena is large enough */
  const double left = time < seconds ? 1.0 - time / seconds : 0.0, ahead = fmin(time, seconds);
  p->left = left;
  if (time > seconds - 0.5 * period) stand_still(p);
  carry(p, tool_count, tools, period, time > 0.5 * period && time < seconds + 0.5 * period);
  take_hold(p, tools);
  for (int t = 0; t < tool_count; ++t) {
    part_of[t] = -1;
    if (!make_part(&tools[t], t, period, p->missing[t], left, &parts[part_count], report)) continue;
    sizes[part_count] = parts[part_count].size;
    part_of[t] = part_count++;
  }
  tacLawProblem problem = {
      .count = p->count, .contacts = laws, .part_count = part_count, .part_size = sizes, .compliance = p->compliance};
  tacContactReport solved;
  bool again = true, pinched = false, withheld = false;
  for (int k = 0; k < part_count; ++k) pinched = pinched || sizes[k] > 6;
  for (int round = 0; again; ++round) { /* at most three rounds, and three more after `withhold` */
    for (int i = 0; i < p->count; ++i) laws[i] = make_law(p, i, tools, ahead, left, parts, part_of, rows + ROWS * i);
    solved = solve_laws(&problem, pinched, arena);
    again = false;
    for (int k = 0; k < part_count; ++k) {
      set_motion(&parts[k], k, p->count, laws);
      if (round < 2 && hold_back(&parts[k], round, &tools[parts[k].tool].held.coupling, period)) again = true;
    }
    if (again || withheld) continue;
    withheld = withhold(p, tools, laws);
    for (int k = 0; k < part_count; ++k) {
      const int t = parts[k].tool;
      if (withhold_missing(&parts[k], &tools[t], p->missing[t], left)) withheld = true;
    }
    again = withheld;
    for (int k = 0; k < part_count && again; ++k) parts[k].share = 1.0;
    if (again) round = -1;
  }
  for (int i = 0; i < p->count; ++i) {
    tacLocalContact *c = &p->contacts[i];
    double given[2] = {0.0, 0.0}; /* work of the fade with the forces before and after the tick, J */
    for (int k = 0; k < 3; ++k) given[0] += c->force[k] * c->carried.went[k];
    take_law(&laws[i], c);
    for (int k = 0; k < 3; ++k) given[1] += c->force[k] * c->carried.went[k];
    if (!c->pays) continue;
    bool motor = has_motor(c, tools);
    double *tank = &tools[payer_of(c)].tank;
    /* A leaving carried contact gives energy to the bodies, not to the hand. */
    if (i < p->built ? !p->still : !c->carries) pay(motor ? given[0] : 0.5 * (given[0] + given[1]), tank);
    if (!motor) fill(paid_by_friction * taken_by_sliding(&laws[i]), tank);
  }
  for (int k = 0; k < part_count; ++k) {
    const int t = parts[k].tool;
    double given = tools[t].faded + work_of_missing(&parts[k], p->missing[t], left) - inflow * period;
    tools[t].faded = fmax(0.0, fmin(most_tank, given));
  }
  give(p, tools);
  end_credit(p, tool_count, tools);
  for (int k = 0; k < part_count; ++k) {
    tacLocalTool *tool = &tools[parts[k].tool];
    report->limited += parts[k].share < 1.0;
    tac_held_body_move(&tool->held, &tool->frame, period, parts[k].motion, report);
    for (int j = 0; j < tool->held.jaw_count; ++j) tac_held_body_jaw(&tool->held, j, &tool->frame, &tool->jaws[j]);
  }
  report->laws += p->count;
  report->sweeps = solved.sweeps;
  report->residual = solved.residual.metres;
  report->residual_force = solved.residual.newtons;
  report->unsolved += solved.unsolved > 0;
  tac_arena_release(arena, mark);
}
