#include "world/tools/fingertip_touch.h"

#include <math.h>

/* Limits of the stiffness of a fingertip's spring: maximum ratio to the `touch` stiffness of the body, and the default
 * stiffness limit of green bodies, N/m. On a soft body the spring may be stiffer than `touch`, so that spring and body
 * in series are as stiff as the material. */
static const double most_times = 4.0, most_stiffness = 1500.0;
static const double slip = 1e-3;        /* accuracy of the friction force relative to the normal force */
static const double least_force = 1e-6; /* minimum driving force at which a patch slides, N */
static const double most_slope = 0.5;   /* maximum tangent of the angle between a contact's axis and the normal */
static const double same_place = 1e-6;  /* distance at which two positions count as equal, m */
enum { MOST_TURNS = 4, MOST_SLIDES = 4, MOST_HALVINGS = 2, MOST_CROSSINGS = 32 };

double tac_fingertip_most_stiffness(const tacWorldBody *body) {
  double touch = body->feel.stiffness;
  return fmax(touch, fmin(most_times * touch, most_stiffness));
}

/* ---- load phase ---- */

/* Lists the different fingertip radii of the world, and numbers the tools by radius (tacWorldTool.tip). */
static void number_radii(tacWorld *world) {
  world->radius_count = 0;
  for (int t = 0; t < world->tool_count; ++t) {
    tacWorldTool *tool = &world->tools[t];
    int k = 0;
    tool->tip = 0;
    if (tool->radius == 0.0) continue;
    while (k < world->radius_count && world->radii[k] != tool->radius) ++k;
    if (k == world->radius_count) world->radii[world->radius_count++] = tool->radius;
    tool->tip = k + 1;
  }
}

/* Prepares one body. Tools touch an open surface at points, since a walk over the surface is not possible. */
static tacStatus prepare_body(const tacWorld *world, tacWorldBody *body, tacError *error) {
  const tacBodyTable *table = body->body.table;
  if (tac_world_body_complies(body)) {
    TAC_TRY(tac_surface_walk_round(&body->fingers.walk, error));
    for (int k = 0; k < world->radius_count && table->meet_fingertip != NULL; ++k)
      TAC_TRY(table->meet_fingertip(body->body.self, k + 1, world->radii[k], error));
    return TAC_OK;
  }
  if (world->radius_count == 0 || (body->size == 0 && !tac_world_body_yields(body))) return TAC_OK;
  tacStatus status = tac_surface_walk_create(body->surface->mesh, &body->fingers.walk, error);
  if (status == TAC_ERR_GEOMETRY) return TAC_OK;
  TAC_TRY(status);
  TAC_TRY(TAC_ARRAY(body->fingers.tips, (size_t)world->radius_count, "fingertips", error));
  for (int k = 0; k < world->radius_count; ++k)
    TAC_TRY(tac_fingertip_create(&body->body, &body->fingers.walk, world->radii[k], &body->fingers.tips[k], error));
  return TAC_OK;
}

tacStatus tac_fingertip_prepare(tacWorld *world, tacError *error) {
  number_radii(world);
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    tacError reason;
    body->fingers.patches = body->step.patches = world->patches;
    tacStatus status = prepare_body(world, body, &reason);
    if (status != TAC_OK) return tac_error_set(error, status, "body %s: %.400s", body->name, reason.text);
  }
  return TAC_OK;
}

void tac_fingertip_forget(const tacWorld *world, tacWorldBody *body) {
  for (int k = 0; body->fingers.tips != NULL && k < world->radius_count; ++k)
    tac_fingertip_destroy(&body->fingers.tips[k]);
  free(body->fingers.tips);
  body->fingers.tips = NULL;
  if (!tac_world_body_complies(body)) tac_surface_walk_destroy(&body->fingers.walk);
}

/* ---- contact patch ---- */

/* Contact patch on the deformed body, body's frame. */
typedef struct Press {
  tacPatch patch;
  tacVec3 place, normal;
  tacMat3 map;       /* derivative dp/dx of the patch position, for motion along the rest surface */
  tacDent soft;      /* normal and tangential compliance C of the spring, m/N */
  tacVec3 change[2]; /* derivatives of the normal and of the tangential compliance by x, 1/N */
} Press;

/* Returns the compliance of the spring, m/N. Spring and body in series are as stiff as a half space of the material,
 * but not stiffer than `touch`. `dent`: compliance that the body does not resolve. `most`: compliance of the half
 * space. */
static double soften(const tacWorldBody *body, double dent, double most) {
  return fmax(dent + fmax(0.0, 1.0 / body->feel.stiffness - most), 1.0 / tac_fingertip_most_stiffness(body));
}

static void look(const tacWorldBody *body, const tacWorldTool *tool, tacSurfacePoint at, Press *press) {
  const tacFingertip *tip = &body->fingers.tips[tool->tip - 1];
  const tacBodyTable *table = body->body.table;
  tacVec3 gradient[TAC_PATCH_VERTICES], zero = {0.0, 0.0, 0.0};
  tacPatch *patch = &press->patch;
  tac_fingertip_patch(tip, at, patch, gradient);
  double young, poisson, scale = 1.0; /* `scale` corrects the compliances if the material has changed */
  if (tip->young > 0.0 && table->material(body->body.self, 0, &young, &poisson)) scale = tip->young / young;
  press->place = press->change[0] = press->change[1] = zero;
  press->map = tac_mat3_zero();
  tacDent dent = {0.0, 0.0}, most = dent;
  for (int i = 0; i < patch->count; ++i) {
    int v = patch->vertex[i];
    double w = patch->weight[i];
    tacVec3 x = tac_vec3_add(table->vertex(body->body.self, v), tip->sag[v]);
    press->place = tac_vec3_mad(press->place, w, x);
    press->map = tac_mat3_add(press->map, tac_mat3_outer(x, gradient[i]));
    dent.normal += w * scale * tip->dent[v].normal;
    dent.across += w * scale * tip->dent[v].across;
    most.normal += w * scale * tip->most[v].normal;
    most.across += w * scale * tip->most[v].across;
    press->change[0] = tac_vec3_mad(press->change[0], scale * tip->dent[v].normal, gradient[i]);
    press->change[1] = tac_vec3_mad(press->change[1], scale * tip->dent[v].across, gradient[i]);
  }
  press->soft = (tacDent){soften(body, dent.normal, most.normal), soften(body, dent.across, most.across)};
  tacVec3 n = tip->walk->face_normal[at.triangle], rough = fabs(n.x) < 0.7 ? tac_vec3(1, 0, 0) : tac_vec3(0, 1, 0);
  tacVec3 first = tac_vec3_unit(tac_vec3_cross(n, rough)), second = tac_vec3_cross(n, first);
  tacVec3 out = tac_vec3_cross(tac_mat3_mul_vec(press->map, first), tac_mat3_mul_vec(press->map, second));
  press->normal = tac_vec3_norm2(out) > 1e-12 ? tac_vec3_unit(out) : n;
}

/* Returns the force K s. */
static tacVec3 force_of(const Press *press, tacVec3 s) {
  double along = tac_vec3_dot(press->normal, s), across = 1.0 / press->soft.across;
  return tac_vec3_mad(tac_vec3_scale(across, s), along * (1.0 / press->soft.normal - across), press->normal);
}

/* Returns the stretch C f. */
static tacVec3 stretch_of(const Press *press, tacVec3 f) {
  double along = tac_vec3_dot(press->normal, f), across = press->soft.across;
  return tac_vec3_mad(tac_vec3_scale(across, f), along * (press->soft.normal - across), press->normal);
}

static tacMat3 stiffness_of(const Press *press) {
  double across = 1.0 / press->soft.across;
  return tac_mat3_add(tac_mat3_diagonal(across, across, across),
                      tac_mat3_scale(1.0 / press->soft.normal - across, tac_mat3_outer(press->normal, press->normal)));
}

static double energy_of(const Press *press, tacVec3 y) {
  tacVec3 s = tac_vec3_sub(y, press->place);
  return 0.5 * tac_vec3_dot(s, force_of(press, s));
}

/* ---- contact ---- */

/* Returns the driving force g of the patch in the plane of the rest triangle at `at`, N. */
static tacVec3 drive(const tacWorldBody *body, const Press *press, tacSurfacePoint at, tacVec3 f) {
  double along = tac_vec3_dot(press->normal, f);
  tacVec3 n = body->fingers.walk.face_normal[at.triangle], g = tac_mat3_mul_vec(tac_mat3_transpose(press->map), f);
  g = tac_vec3_mad(g, 0.5 * along * along, press->change[0]);
  g = tac_vec3_mad(g, 0.5 * (tac_vec3_norm2(f) - along * along), press->change[1]);
  return tac_vec3_mad(g, -tac_vec3_dot(g, n), n);
}

/* Slides the patch by at most `reach` (m), until friction stops the patch. Returns true if the patch slid. */
static bool slide(const tacWorldBody *body, const tacWorldTool *tool, tacVec3 y, double reach, tacSurfacePoint *at,
                  Press *press) {
  bool slid = false;
  for (int turn = 0; turn < MOST_SLIDES && reach > 0.0; ++turn) {
    tacVec3 f = force_of(press, tac_vec3_sub(y, press->place)), g = drive(body, press, *at, f);
    double pressing = fmax(0.0, -tac_vec3_dot(f, press->normal)), pull = tac_vec3_norm(g);
    if (!(pull > least_force)) break;
    tacVec3 way = tac_vec3_scale(1.0 / pull, g);
    double stretched = tac_vec3_norm(tac_mat3_mul_vec(press->map, way)); /* present length / rest length */
    if (!(stretched > 1e-3)) break;
    double excess = pull / stretched - body->feel.friction * pressing;
    if (!(excess > slip * pressing + least_force)) break;
    double step = fmin(reach, excess * press->soft.across / stretched), held = energy_of(press, y);
    bool fell = false;
    for (int half = 0; half <= MOST_HALVINGS && !fell; ++half, step *= 0.5) {
      tacSurfacePoint to = *at;
      Press trial;
      tac_surface_walk_move(&body->fingers.walk, tac_vec3_scale(step, way), MOST_CROSSINGS, &to);
      look(body, tool, to, &trial);
      fell = energy_of(&trial, y) < held;
      if (!fell) continue;
      *at = to;
      *press = trial;
      reach -= step;
      slid = true;
    }
    if (!fell) break;
  }
  return slid;
}

bool tac_touch_ends(tacWorldTool *tool, double depth, double motion, tacVec3 pulled, double reach) {
  tacPointContact *c = &tool->point;
  bool lets_go = c->state == TAC_CONTACT_GRABBED && !tool->grab;
  if (tool->grab || lets_go) c->state = tool->grab ? TAC_CONTACT_GRABBED : TAC_CONTACT_STICKS;
  if (tool->grab || (depth > 0.0 && (lets_go || depth < TAC_MOST_ENTRY + motion)))
    tool->leaves = false;
  else if (!(depth > 0.0))
    tool->leaves = true;
  if (tool->grab || !tool->leaves || !(lets_go || tac_vec3_norm(pulled) <= reach)) return false;
  c->state = TAC_CONTACT_NONE;
  return true;
}

tacVec3 tac_touch_towards(tacVec3 from, tacVec3 to, double most) {
  double length = tac_vec3_distance(from, to);
  return length > most ? tac_vec3_mad(from, most / length, tac_vec3_sub(to, from)) : to;
}

double tac_fingertip_distance(const tacWorld *world, int b, int t, tacSurfacePoint at) {
  const tacWorldBody *body = &world->bodies[b];
  Press press;
  look(body, &world->tools[t], at, &press);
  tacVec3 y = tac_frame_from_world(&body->frame, world->tools[t].position);
  return tac_vec3_dot(press.normal, tac_vec3_sub(y, press.place));
}

/* Returns dp/dx, extended so that the rest normal n is mapped to the normal of the patch. The extension makes the
 * matrix invertible. */
static tacMat3 whole_map(const Press *press, tacVec3 n) {
  return tac_mat3_add(press->map, tac_mat3_outer(press->normal, n));
}

/* Stores the patch and its spring, normal and position for the tool. */
static void take(tacWorld *world, int b, int t, const Press *press) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacMat3 axes = tac_quat_to_mat3(body->frame.orientation);
  tool->spring = tac_mat3_mul(axes, tac_mat3_mul(stiffness_of(press), tac_mat3_transpose(axes)));
  tool->normal = tac_quat_rotate(body->frame.orientation, press->normal);
  tool->place = tac_frame_to_world(&body->frame, press->place);
  world->patches[t] = press->patch;
}

void tac_fingertip_place(tacWorld *world, int b, int t, tacSurfacePoint at, tacDent *soft) {
  Press press;
  look(&world->bodies[b], &world->tools[t], at, &press);
  take(world, b, t, &press);
  *soft = press.soft;
}

/* Solves g = 0 for the force f = -N (n + t), with the normal force N and the normal n: (dp/dx)^T t = N (dC/dx) / 2. */
tacVec3 tac_fingertip_axis(const tacWorld *world, int b, int t, tacSurfacePoint at) {
  const tacWorldBody *body = &world->bodies[b];
  Press press;
  look(body, &world->tools[t], at, &press);
  tacVec3 n = body->fingers.walk.face_normal[at.triangle];
  double pressing = -tac_vec3_dot(world->tools[t].normal, world->tools[t].point.force);
  tacMat3 back;
  if (!(pressing > 0.0) || !tac_mat3_inverse(whole_map(&press, n), &back)) return world->tools[t].normal;
  tacVec3 aside = tac_mat3_mul_vec(tac_mat3_transpose(back), press.change[0]);
  aside = tac_vec3_scale(0.5 * pressing, tac_vec3_mad(aside, -tac_vec3_dot(aside, press.normal), press.normal));
  double most = tac_vec3_norm(aside);
  if (most > most_slope) aside = tac_vec3_scale(most_slope / most, aside);
  return tac_quat_rotate(body->frame.orientation, tac_vec3_unit(tac_vec3_add(press.normal, aside)));
}

/* Uses Newton's method with the derivative dp/dx. */
void tac_fingertip_follow(const tacWorld *world, int b, int t, tacVec3 target, tacSurfacePoint *at) {
  const tacWorldBody *body = &world->bodies[b];
  tacVec3 y = tac_frame_from_world(&body->frame, target);
  for (int turn = 0; turn < MOST_TURNS; ++turn) {
    Press press;
    look(body, &world->tools[t], *at, &press);
    tacVec3 n = body->fingers.walk.face_normal[at->triangle], way = tac_vec3_sub(y, press.place);
    way = tac_vec3_mad(way, -tac_vec3_dot(way, press.normal), press.normal);
    tacMat3 back;
    if (!(tac_vec3_norm(way) > same_place) || !tac_mat3_inverse(whole_map(&press, n), &back)) return;
    tacVec3 step = tac_mat3_mul_vec(back, way);
    double length = tac_vec3_norm(step), most = 2.0 * tac_vec3_norm(way); /* `most` limits the step at folds */
    tac_surface_walk_move(&body->fingers.walk, length > most ? tac_vec3_scale(most / length, step) : step,
                          MOST_CROSSINGS, at);
  }
}

/* The depth beyond the motion in this step is the initial stretch of the spring. So the force does not jump but rises
 * at TAC_SLIDE_RATE. */
void tac_fingertip_begin(tacWorld *world, int b, int t) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  Press press;
  look(body, tool, tool->point.at, &press);
  tacVec3 s = tac_vec3_sub(tac_frame_from_world(&body->frame, tool->position), press.place);
  double length = tac_vec3_norm(s);
  if (length > tool->motion)
    tool->point.stretch = tac_quat_rotate(body->frame.orientation, tac_vec3_scale(1.0 - tool->motion / length, s));
}

/* If the tool has left the body, the contact force fades. In each step the force falls by more than K times the motion
 * of the tool. So the hand gets at most the energy that the spring stored. The contact ends when the force is zero. */
void tac_fingertip_settle(tacWorld *world, int b, int t) {
  tacWorldTool *tool = &world->tools[t];
  const tacWorldBody *body = &world->bodies[b];
  tacPointContact *c = &tool->point;
  tacQuat turn = body->frame.orientation, back = tac_quat_conjugate(turn);
  tacVec3 y = tac_frame_from_world(&body->frame, tool->position);
  Press press;
  look(body, tool, c->at, &press);
  tacVec3 s = tac_vec3_sub(y, press.place), pulled = stretch_of(&press, tac_quat_rotate(back, c->force));
  double motion = tac_vec3_distance(tac_quat_rotate(turn, s), c->stretch);
  double reach = motion + 0.5 * TAC_SLIDE_RATE * world->period * fmin(press.soft.normal, press.soft.across);
  if (tac_touch_ends(tool, -tac_vec3_dot(press.normal, s), motion, pulled, reach)) return;
  if (!tool->grab && !tool->leaves && slide(body, tool, y, reach, &c->at, &press)) c->state = TAC_CONTACT_SLIDES;
  s = tac_vec3_sub(y, press.place);
  c->stretch = tac_quat_rotate(turn, s);
  tacVec3 zero = {0.0, 0.0, 0.0}, f = force_of(&press, tac_touch_towards(pulled, tool->leaves ? zero : s, reach));
  c->force = tac_quat_rotate(turn, f);
  take(world, b, t, &press);
}
