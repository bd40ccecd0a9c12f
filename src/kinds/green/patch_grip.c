#include "kinds/green/patch_grip.h"

#include <stdlib.h>
#include <string.h>
#include <tactus/green.h>
#include "base/memory/array.h"
#include "kinds/green/capacitance.h"
#include "kinds/green/green.h"

/* Limits of the motion per step for a pad that holds vertices. A hand exceeds neither limit within a millisecond. */
static const double most_jump = 1.0;  /* largest translation, in radii of the pad */
static const double least_cos = 0.97; /* cosine of half the largest rotation angle, 0.5 rad */
/* largest distance of a pad from the body's centre, in diagonals of the body's bounding box */
static const double farthest = 1e3;
/* Tolerances of a pressing pad. `slight_tension`: tension, relative to the largest traction. `slight_depth`: depth,
 * relative to the radius. `slight_excess`: tangential traction beyond friction, relative to the traction. `rim`:
 * distance up to which the pad holds a sliding vertex, in radii. `look`: distance up to which new vertices are
 * searched, in radii. */
static const double slight_tension = 1e-7, slight_depth = 1e-7, slight_excess = 1e-9, rim = 1.25, look = 1.5;

/* minimum sine of the angle between a pad's axis and a surface that faces the pad */
static const double least_slope = 1e-6;

typedef enum { EMPTY, WAITING, HELD, LEAVING, FADING } State; /* states of a slot; a LEAVING vertex is still held */

typedef struct {
  State state;
  int vertex;
  bool slipping;
  tacVec3 place, offset; /* position l_j and offset d_j in the pad's frame, m */
  int blend;             /* remaining ticks until the offset factor s_j is zero */
  int fade;              /* remaining ticks until the traction of a released vertex is zero */
  tacVec3 load;          /* traction at release, Pa */
  tacVec3 traction;
} Slot;

typedef struct {
  bool taken, released;
  tacPad def;
  tacPadPose pose, next; /* poses in the last step and in the next step */
} Pad;

struct tacPatchGrip {
  tacArrays arrays;
  const tacGreen *green;
  tacCapacitance *capacitance;
  tacPatchGripDef def;
  double stiffness;
  const tacVec3 *position;
  const double *area;
  int vertex_count, slot_count;
  tacVec3 middle;
  double diagonal;
  bool *elastic;   /* [vertex] true if the vertex is free and has columns */
  tacVec3 *normal; /* [vertex] outward normal, not normalised */
  int *first, *neighbour;
  int *owner; /* [vertex] 1 + the slot of the vertex; 0 if none */

  Pad *pads;
  Slot *slots; /* [pad][most_vertices] slots */

  /* ---- work arrays for one search and one step ---- */
  int most_reached;
  int *reached, *chosen;
  double *distance2;
  bool *marked; /* [vertex] true if reached by the search */
  tacVec3 *value;
};

/* ---- creation ---- */

tacPatchGripDef tac_patch_grip_def_default(void) {
  return (tacPatchGripDef){
      .most_pads = 2, .most_vertices = 32, .most_switches = 4, .most_work = 2e5, .blend_ticks = 20};
}

void tac_patch_grip_destroy(tacPatchGrip *g) {
  if (g == NULL) return;
  tac_capacitance_destroy(g->capacitance);
  tac_arrays_free(&g->arrays);
  free(g);
}

static tacStatus allocate(tacPatchGrip *g, int triangles, tacError *error) {
  size_t vertices = (size_t)g->vertex_count, reached = (size_t)g->most_reached;
  g->elastic = tac_arrays_add(&g->arrays, vertices, sizeof *g->elastic);
  g->normal = tac_arrays_add(&g->arrays, vertices, sizeof *g->normal);
  g->first = tac_arrays_add(&g->arrays, vertices + 2, sizeof *g->first);
  g->neighbour = tac_arrays_add(&g->arrays, 6 * (size_t)triangles, sizeof *g->neighbour);
  g->owner = tac_arrays_add(&g->arrays, vertices, sizeof *g->owner);
  g->pads = tac_arrays_add(&g->arrays, (size_t)g->def.most_pads, sizeof *g->pads);
  g->slots = tac_arrays_add(&g->arrays, (size_t)g->slot_count, sizeof *g->slots);
  g->reached = tac_arrays_add(&g->arrays, reached, sizeof *g->reached);
  g->chosen = tac_arrays_add(&g->arrays, reached, sizeof *g->chosen);
  g->distance2 = tac_arrays_add(&g->arrays, reached, sizeof *g->distance2);
  g->marked = tac_arrays_add(&g->arrays, vertices, sizeof *g->marked);
  g->value = tac_arrays_add(&g->arrays, reached, sizeof *g->value);
  return tac_arrays_status(&g->arrays, "a patch grip", error);
}

/* Lists the neighbours of each vertex along edges (twice for inner edges). Computes the normals and the extent of the
 * body. */
static void describe_surface(tacPatchGrip *g, const tacTriMesh *mesh) {
  int *end = g->first + 1; /* after the lists are filled, end[v] is the end of the list of v */
  for (int t = 0; t < mesh->triangle_count; ++t) {
    const int *v = mesh->triangles[t].v;
    const tacVec3 *x = mesh->vertices;
    tacVec3 normal = tac_vec3_cross(tac_vec3_sub(x[v[1]], x[v[0]]), tac_vec3_sub(x[v[2]], x[v[0]]));
    for (int i = 0; i < 3; ++i) {
      g->normal[v[i]] = tac_vec3_add(g->normal[v[i]], normal);
      end[v[i] + 1] += 2;
    }
  }
  for (int v = 0; v < g->vertex_count; ++v) end[v + 1] += end[v];
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) {
      const int *v = mesh->triangles[t].v;
      g->neighbour[end[v[i]]++] = v[(i + 1) % 3];
      g->neighbour[end[v[i]]++] = v[(i + 2) % 3];
    }
  tacBox box = tac_trimesh_box(mesh);
  g->middle = tac_box_centre(box);
  g->diagonal = tac_vec3_norm(tac_box_size(box));
}

tacStatus tac_patch_grip_create(const tacGreen *green, const tacPatchGripDef *def, tacPatchGrip **grip,
                                tacError *error) {
  *grip = NULL;
  if (def->most_pads < 1 || def->most_vertices < 1 || def->most_pads > TAC_PATCH_MOST / def->most_vertices)
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "too many vertices for a patch grip: %d pads with %d vertices "
                         "each; at most %d in total, and at least 1 each",
                         def->most_pads, def->most_vertices, (int)TAC_PATCH_MOST);
  if (def->most_switches < 1 || def->blend_ticks < 1 || !(def->most_work >= 0.0))
    return tac_error_set(error, TAC_ERR_ARGUMENT,
                         "a patch grip needs at least one switch per tick, one blend tick "
                         "and a work limit of 0 or more");
  TAC_OWN(tacPatchGrip, g) = NULL;
  TAC_TRY(TAC_ARRAY(g, 1, "a patch grip", error));
  const tacTriMesh *mesh = tac_green_surface(green);
  g->green = green;
  g->def = *def;
  g->stiffness = 1.0;
  g->position = mesh->vertices;
  g->area = tac_green_area(green);
  g->vertex_count = mesh->vertex_count;
  g->slot_count = def->most_pads * def->most_vertices;
  g->most_reached = 8 * TAC_PATCH_MOST;
  TAC_TRY(allocate(g, mesh->triangle_count, error));
  TAC_TRY(tac_capacitance_create(green, g->slot_count, g->slot_count, &g->capacitance, error));
  describe_surface(g, mesh);
  for (int v = 0; v < g->vertex_count; ++v)
    g->elastic[v] = !tac_green_fixed(green)[v] && tac_green_column(green, v) != NULL && g->area[v] > 0.0;
  *grip = tac_give(&g);
  return TAC_OK;
}

/* ---- slots ---- */

static Slot *slots_of(const tacPatchGrip *g, int pad) {
  return g->slots + (size_t)pad * (size_t)g->def.most_vertices;
}

static Pad *pad_of(const tacPatchGrip *g, const Slot *slot) {
  return &g->pads[(slot - g->slots) / g->def.most_vertices];
}

static Slot *owner_of(const tacPatchGrip *g, int vertex) {
  return &g->slots[g->owner[vertex] - 1];
}

static bool is_held(const Slot *slot) {
  return slot->state == HELD || slot->state == LEAVING;
}

static int count_state(const tacPatchGrip *g, int pad, State state) {
  int count = 0;
  for (int i = 0; i < g->def.most_vertices; ++i) count += slots_of(g, pad)[i].state == state;
  return count;
}

static void vacate(tacPatchGrip *g, Slot *slot) {
  g->owner[slot->vertex] = 0;
  *slot = (Slot){.state = EMPTY};
}

static void await(tacPatchGrip *g, int pad, int vertex, tacVec3 place) {
  Slot *slot = slots_of(g, pad);
  for (int i = 0; i < g->def.most_vertices; ++i, ++slot) {
    if (slot->state != EMPTY) continue;
    *slot = (Slot){.state = WAITING, .vertex = vertex, .place = place};
    g->owner[vertex] = 1 + (int)(slot - g->slots);
    return;
  }
}

/* Returns l_j + s_j d_j: the position of a held vertex in the pad's frame. */
static tacVec3 local_point(const tacPatchGrip *g, const Slot *slot) {
  return tac_vec3_mad(slot->place, (double)slot->blend / g->def.blend_ticks, slot->offset);
}

/* Returns the position of a held vertex in the asset's frame. */
static tacVec3 point_of(const tacPatchGrip *g, const Slot *slot) {
  const tacPadPose *pose = &pad_of(g, slot)->pose;
  return tac_vec3_add(pose->centre, tac_quat_rotate(pose->turn, local_point(g, slot)));
}

static void prescribe_place(tacPatchGrip *g, const Slot *slot) {
  tacVec3 moved = tac_vec3_sub(point_of(g, slot), g->position[slot->vertex]);
  tac_capacitance_prescribe(g->capacitance, slot->vertex, moved);
}

/* Transforms a point from the asset's frame to the pad's frame. */
static tacVec3 to_pad(const tacPadPose *pose, tacVec3 y) {
  return tac_quat_rotate(tac_quat_conjugate(pose->turn), tac_vec3_sub(y, pose->centre));
}

void tac_patch_grip_reset(tacPatchGrip *g) {
  for (int i = 0; i < g->slot_count; ++i)
    if (g->slots[i].state != EMPTY) vacate(g, &g->slots[i]);
  memset(g->pads, 0, (size_t)g->def.most_pads * sizeof *g->pads);
  tac_capacitance_reset(g->capacitance);
}

bool tac_patch_grip_set_stiffness(tacPatchGrip *g, double factor) {
  if (!tac_capacitance_scale(g->capacitance, factor)) return false;
  g->stiffness = factor;
  return true;
}

/* ---- search of vertices ---- */

static tacVec3 pad_axis(const Pad *pad) {
  return tac_quat_rotate(pad->pose.turn, tac_vec3(0.0, 0.0, 1.0));
}

static tacVec3 displacement_at(const tacPatchGrip *g, int vertex) {
  tacVec3 u;
  if (g->owner[vertex] > 0 && is_held(owner_of(g, vertex)))
    return tac_vec3_sub(point_of(g, owner_of(g, vertex)), g->position[vertex]);
  tac_capacitance_at(g->capacitance, 1, &vertex, &u);
  return u;
}

/* True if a vertex faces a pad. Despite rounding errors, a side parallel to the pad's axis does not count as facing. */
static bool faces(const tacPatchGrip *g, int vertex, tacVec3 axis) {
  return tac_vec3_dot(g->normal[vertex], axis) < -least_slope * tac_vec3_norm(g->normal[vertex]);
}

/* Returns the elastic vertex that faces the pad and is nearest to `point` in the undeformed body; -1 if there is
 * none. */
static int nearest(const tacPatchGrip *g, tacVec3 axis, tacVec3 point) {
  int best = -1;
  double least = INFINITY;
  for (int v = 0; v < g->vertex_count; ++v) {
    double distance2 = tac_vec3_norm2(tac_vec3_sub(g->position[v], point));
    if (distance2 < least && g->elastic[v] && faces(g, v, axis)) {
      least = distance2;
      best = v;
    }
  }
  return best;
}

static void reach(tacPatchGrip *g, int vertex, double distance2, int *count) {
  g->marked[vertex] = true;
  g->distance2[*count] = distance2;
  g->reached[(*count)++] = vertex;
}

/* Writes at most `most` elastic vertices into `chosen`, nearest first. The vertices face the pad, lie within a sphere,
 * are connected to the vertex under the pad, and have no slot. The surface near the pad is approximated to first order
 * by the undeformed surface, translated like the vertex under the pad. */
static int choose(tacPatchGrip *g, int pad, double radius, int most) {
  const Pad *p = &g->pads[pad];
  tacVec3 axis = pad_axis(p), centre = p->pose.centre;
  int seed = -1, reached = 0, chosen = 0;
  double least = INFINITY, radius2 = radius * radius;
  const Slot *slot = slots_of(g, pad);
  for (int i = 0; i < g->def.most_vertices; ++i, ++slot)
    if (is_held(slot) && tac_vec3_norm2(slot->place) < least) {
      least = tac_vec3_norm2(slot->place);
      seed = slot->vertex;
    }
  if (seed < 0) seed = nearest(g, axis, centre);
  if (seed < 0) return 0;
  tacVec3 middle = tac_vec3_sub(centre, displacement_at(g, seed));
  if (least == INFINITY) { /* other pads may have moved the surface */
    seed = nearest(g, axis, middle);
    middle = tac_vec3_sub(centre, displacement_at(g, seed));
    if (!(tac_vec3_norm2(tac_vec3_sub(g->position[seed], middle)) <= radius2)) return 0;
  }
  reach(g, seed, tac_vec3_norm2(tac_vec3_sub(g->position[seed], middle)), &reached);
  for (int done = 0; done < reached && chosen < most; ++done) {
    int next = done;
    for (int i = done + 1; i < reached; ++i)
      if (g->distance2[i] < g->distance2[next]) next = i;
    int vertex = g->reached[next];
    g->reached[next] = g->reached[done];
    g->distance2[next] = g->distance2[done];
    g->reached[done] = vertex;
    if (g->elastic[vertex] && g->owner[vertex] == 0) g->chosen[chosen++] = vertex;
    for (int i = g->first[vertex]; i < g->first[vertex + 1] && reached < g->most_reached; ++i) {
      int other = g->neighbour[i];
      double distance2 = tac_vec3_norm2(tac_vec3_sub(g->position[other], middle));
      if (!g->marked[other] && distance2 <= radius2 && faces(g, other, axis)) reach(g, other, distance2, &reached);
    }
  }
  for (int i = 0; i < reached; ++i) g->marked[g->reached[i]] = false;
  return chosen;
}

/* Computes the present positions of the chosen vertices in the pad's frame. */
static void locate(tacPatchGrip *g, const Pad *pad, int count) {
  tac_capacitance_at(g->capacitance, count, g->chosen, g->value);
  for (int i = 0; i < count; ++i)
    g->value[i] = to_pad(&pad->pose, tac_vec3_add(g->position[g->chosen[i]], g->value[i]));
}

/* ---- taking, moving and releasing ---- */

/* True if a pose is finite and near the body, and its quaternion has about unit length. Normalises the quaternion. */
static bool accept_pose(const tacPatchGrip *g, tacPadPose *pose) {
  double norm = tac_quat_norm(pose->turn);
  if (!tac_vec3_finite(pose->centre) || !(fabs(norm - 1.0) < 1e-3)) return false;
  if (!(tac_vec3_distance(pose->centre, g->middle) <= farthest * g->diagonal)) return false;
  pose->turn = tac_quat_normalise(pose->turn);
  return true;
}

bool tac_patch_grip_take(tacPatchGrip *g, int pad, const tacPad *def, tacPadPose pose) {
  if (pad < 0 || pad >= g->def.most_pads || g->pads[pad].taken || !accept_pose(g, &pose)) return false;
  if (!(def->radius > 0.0) || !isfinite(def->radius) || !(def->friction >= 0.0)) return false;
  g->pads[pad] = (Pad){.taken = true, .def = *def, .pose = pose, .next = pose};
  if (def->hold == TAC_PAD_PRESS) return true;
  int count = choose(g, pad, def->radius, g->def.most_vertices);
  locate(g, &g->pads[pad], count);
  for (int i = 0; i < count; ++i) await(g, pad, g->chosen[i], g->value[i]);
  g->pads[pad].taken = count > 0;
  return count > 0;
}

bool tac_patch_grip_move(tacPatchGrip *g, int pad, tacPadPose pose) {
  if (pad < 0 || pad >= g->def.most_pads || !g->pads[pad].taken || !accept_pose(g, &pose)) return false;
  Pad *p = &g->pads[pad];
  bool holds = count_state(g, pad, HELD) + count_state(g, pad, LEAVING) > 0;
  if (p->released) return false;
  if (holds && (tac_vec3_distance(pose.centre, p->pose.centre) > most_jump * p->def.radius ||
                fabs(tac_quat_dot(pose.turn, p->pose.turn)) < least_cos))
    return false;
  p->next = pose;
  return true;
}

void tac_patch_grip_release(tacPatchGrip *g, int pad) {
  if (pad < 0 || pad >= g->def.most_pads || !g->pads[pad].taken) return;
  g->pads[pad].released = true;
  g->pads[pad].next = g->pads[pad].pose; /* vertices that are still held do not move */
  for (Slot *slot = slots_of(g, pad); slot < slots_of(g, pad + 1); ++slot) {
    if (slot->state == WAITING) vacate(g, slot);
    if (slot->state == HELD) slot->state = LEAVING;
  }
}

/* ---- one step ---- */

/* Frees a held vertex under its traction. The vertex retains its position and traction, so the solution does not
 * change. */
static void leave(tacPatchGrip *g, Slot *slot) {
  if (!tac_capacitance_switch(g->capacitance, slot->vertex)) return; /* the next tick tries again */
  tac_capacitance_prescribe(g->capacitance, slot->vertex, slot->traction);
  slot->load = slot->traction;
  slot->fade = g->def.blend_ticks;
  slot->state = FADING;
  slot->slipping = false;
}

static void join(tacPatchGrip *g, Slot *slot) {
  const Pad *pad = pad_of(g, slot);
  tacVec3 u = displacement_at(g, slot->vertex);
  tacVec3 q = to_pad(&pad->pose, tac_vec3_add(g->position[slot->vertex], u));
  if (!tac_capacitance_switch(g->capacitance, slot->vertex)) {
    vacate(g, slot);
    return;
  }
  if (pad->def.hold == TAC_PAD_PRESS) slot->place = tac_vec3(q.x, q.y, 0.0);
  slot->offset = tac_vec3_sub(q, slot->place);
  slot->blend = g->def.blend_ticks;
  slot->state = HELD;
  prescribe_place(g, slot);
}

/* Switches some vertices: first frees released vertices, then takes new ones. The loop alternates between the pads. */
static void switch_some(tacPatchGrip *g) {
  int tried = 0, refactored = tac_capacitance_refactored(g->capacitance);
  double work = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < g->slot_count; ++i) {
      Slot *slot = &slots_of(g, i % g->def.most_pads)[i / g->def.most_pads];
      if (slot->state != (pass == 0 ? LEAVING : WAITING)) continue;
      if (tried > 0) work += tac_capacitance_cost(g->capacitance).update;
      if (tried == g->def.most_switches || work > g->def.most_work) return;
      if (tac_capacitance_refactored(g->capacitance) != refactored) return;
      ++tried;
      if (pass == 0)
        leave(g, slot);
      else
        join(g, slot);
    }
}

/* Moves the pads and their vertices, and reduces the fading tractions. */
static void follow(tacPatchGrip *g) {
  for (int p = 0; p < g->def.most_pads; ++p) {
    Pad *pad = &g->pads[p];
    if (!pad->taken) continue;
    pad->pose = pad->next;
    bool whole = pad->released && count_state(g, p, LEAVING) > 0; /* some vertices are not free yet */
    bool used = !pad->released;
    for (Slot *slot = slots_of(g, p); slot < slots_of(g, p + 1); ++slot) {
      if (is_held(slot)) {
        if (slot->blend > 0) --slot->blend;
        prescribe_place(g, slot);
      } else if (slot->state == FADING) {
        if (!whole) --slot->fade;
        slot->traction = tac_vec3_scale((double)slot->fade / g->def.blend_ticks, slot->load);
        tac_capacitance_prescribe(g->capacitance, slot->vertex, slot->traction);
        if (slot->fade == 0) vacate(g, slot);
      }
      used = used || slot->state != EMPTY;
    }
    pad->taken = used;
  }
}

static void solve(tacPatchGrip *g) {
  const int *switched = tac_capacitance_switched(g->capacitance);
  tac_capacitance_solve(g->capacitance);
  tac_capacitance_at_switched(g->capacitance, g->value);
  for (int i = 0; i < tac_capacitance_switched_count(g->capacitance); ++i)
    owner_of(g, switched[i])->traction = g->value[i];
}

/* Returns the change of the traction at switched vertex i per displacement of switched vertex j, Pa/m. */
static tacMat3 block(const tacPatchGrip *g, int i, int j) {
  tacMat3 k;
  tac_capacitance_stiffness(g->capacitance, i, j, k.m);
  return k;
}

/* Applies Coulomb's law in one Gauss-Seidel sweep over the vertices whose tangential traction t exceeds mu N. Each
 * vertex slides in its pad's plane until t = mu N, with the other vertices at rest and the normal traction N constant.
 * The slip is -(1 - mu N / t) K_tt^-1 t, which lowers the elastic energy. Sweeps of later ticks remove the remaining
 * excess. */
static void slide(tacPatchGrip *g) {
  const int *switched = tac_capacitance_switched(g->capacitance);
  int count = tac_capacitance_switched_count(g->capacitance);
  bool slid = false;
  for (int i = 0; i < count; ++i) {
    Slot *slot = owner_of(g, switched[i]);
    const Pad *pad = pad_of(g, slot);
    slot->slipping = false;
    if (slot->state != HELD || pad->def.hold != TAC_PAD_PRESS) continue;
    tacMat3 turn = tac_quat_to_mat3(pad->pose.turn);
    tacVec3 q = tac_mat3_mul_vec(tac_mat3_transpose(turn), slot->traction);
    double tangential = hypot(q.x, q.y), most = pad->def.friction * q.z;
    if (!(q.z > 0.0) || !(tangential - most > slight_excess * tac_vec3_norm(q))) continue;
    tacMat3 k = tac_mat3_mul(tac_mat3_transpose(turn), tac_mat3_mul(block(g, i, i), turn));
    double share = (1.0 - most / tangential) / (k.m[0][0] * k.m[1][1] - k.m[0][1] * k.m[1][0]);
    tacVec3 step =
        tac_vec3(-share * (k.m[1][1] * q.x - k.m[0][1] * q.y), -share * (k.m[0][0] * q.y - k.m[1][0] * q.x), 0.0);
    if (!(tac_vec3_norm(step) <= pad->def.radius)) continue;
    slot->place = tac_vec3_add(slot->place, step);
    slot->slipping = slid = true;
    step = tac_mat3_mul_vec(turn, step);
    for (int j = 0; j < count; ++j) {
      Slot *other = owner_of(g, switched[j]);
      other->traction = tac_vec3_add(other->traction, tac_mat3_mul_vec(block(g, j, i), step));
    }
    prescribe_place(g, slot);
  }
  if (slid) solve(g);
}

/* Applies Signorini's law at a pressing pad: decides which vertices the pad releases and takes in the next tick. */
static void judge(tacPatchGrip *g, int pad) {
  const Pad *p = &g->pads[pad];
  tacVec3 axis = pad_axis(p);
  double largest = 0.0;
  for (Slot *slot = slots_of(g, pad); slot < slots_of(g, pad + 1); ++slot) {
    if (slot->state == WAITING) vacate(g, slot); /* waiting vertices are tested again below */
    if (is_held(slot)) largest = fmax(largest, tac_vec3_norm(slot->traction));
  }
  for (Slot *slot = slots_of(g, pad); slot < slots_of(g, pad + 1); ++slot)
    if (slot->state == HELD && (tac_vec3_dot(axis, slot->traction) < -slight_tension * largest ||
                                hypot(slot->place.x, slot->place.y) > rim * p->def.radius))
      slot->state = LEAVING;
  int count = choose(g, pad, look * p->def.radius, g->def.most_vertices);
  locate(g, p, count);
  for (int i = 0; i < count; ++i)
    if (g->value[i].z < -slight_depth * p->def.radius && hypot(g->value[i].x, g->value[i].y) <= p->def.radius)
      await(g, pad, g->chosen[i], g->value[i]);
}

void tac_patch_grip_step(tacPatchGrip *g) {
  switch_some(g);
  follow(g);
  solve(g);
  slide(g);
  for (int pad = 0; pad < g->def.most_pads; ++pad)
    if (g->pads[pad].taken && !g->pads[pad].released && g->pads[pad].def.hold == TAC_PAD_PRESS) judge(g, pad);
}

/* ---- outputs ---- */

tacPadReply tac_patch_grip_reply(const tacPatchGrip *g, int pad) {
  tacPadReply reply = {0};
  if (pad < 0 || pad >= g->def.most_pads) return reply;
  const Pad *p = &g->pads[pad];
  reply.in_use = p->taken;
  for (const Slot *slot = slots_of(g, pad); slot < slots_of(g, pad + 1); ++slot) {
    reply.waiting += slot->state == WAITING;
    reply.held += slot->state == HELD;
    reply.leaving += slot->state == LEAVING || slot->state == FADING;
    reply.slipping += slot->slipping;
    if (!is_held(slot) && slot->state != FADING) continue;
    tacVec3 force = tac_vec3_scale(g->area[slot->vertex], slot->traction);
    tacVec3 arm = tac_quat_rotate(p->pose.turn, local_point(g, slot));
    reply.force = tac_vec3_add(reply.force, force);
    reply.torque = tac_vec3_add(reply.torque, tac_vec3_cross(arm, force));
  }
  return reply;
}

/* Sums J_i^T a_i K_ij J_j over the pads' vertices, with du_j = J_j (dc, dw) = dc + dw x r_j. Adds the symmetric part of
 * (dw x r_i) x f_i = (r_i f_i^T - (f_i . r_i) I) dw. */
void tac_patch_grip_stiffness(const tacPatchGrip *g, int first, int count, tacVec3 about, double stiffness[6][6]) {
  memset(stiffness, 0, 36 * sizeof(double));
  const int *switched = tac_capacitance_switched(g->capacitance);
  /* indices of the pads' vertices among the switched vertices */
  int places[TAC_PATCH_MOST], used = 0;
  tacMat3 arms[TAC_PATCH_MOST], turning = tac_mat3_zero();
  for (int i = 0; i < tac_capacitance_switched_count(g->capacitance); ++i) {
    const Slot *slot = owner_of(g, switched[i]);
    const Pad *pad = pad_of(g, slot);
    int number = (int)(pad - g->pads);
    if (number < first || number - first >= count || pad->released) continue;
    tacVec3 r = tac_vec3_sub(point_of(g, slot), about), f = tac_vec3_scale(g->area[slot->vertex], slot->traction);
    double along = tac_vec3_dot(f, r);
    arms[used] = tac_mat3_skew(r);
    turning = tac_mat3_add(turning, tac_mat3_sub(tac_mat3_outer(r, f), tac_mat3_diagonal(along, along, along)));
    places[used++] = i;
  }
  for (int i = 0; i < used; ++i) {
    tacMat3 sum[2] = {tac_mat3_zero(), tac_mat3_zero()}; /* sum over j of K_ij J_j */
    for (int j = 0; j < used; ++j) {
      tacMat3 k = block(g, places[i], places[j]);
      sum[0] = tac_mat3_add(sum[0], k);
      sum[1] = tac_mat3_sub(sum[1], tac_mat3_mul(k, arms[j]));
    }
    for (int side = 0; side < 2; ++side) {
      tacMat3 force = tac_mat3_scale(g->area[switched[places[i]]], sum[side]), torque = tac_mat3_mul(arms[i], force);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          stiffness[r][3 * side + c] += force.m[r][c];
          stiffness[3 + r][3 * side + c] += torque.m[r][c];
        }
    }
  }
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) stiffness[3 + r][3 + c] += 0.5 * (turning.m[r][c] + turning.m[c][r]);
}

int tac_patch_grip_refactored(const tacPatchGrip *g) {
  return tac_capacitance_refactored(g->capacitance);
}

void tac_patch_grip_snapshot(const tacPatchGrip *g, tacPatchSnapshot *snapshot) {
  *snapshot = (tacPatchSnapshot){.stiffness = g->stiffness};
  for (const Slot *slot = g->slots; slot < g->slots + g->slot_count; ++slot) {
    if (!is_held(slot) && slot->state != FADING) continue;
    snapshot->loads[snapshot->count++] = (tacPatchLoad){
        .vertex = slot->vertex,
        .pad = (int)(pad_of(g, slot) - g->pads),
        .slot = (int)(slot - g->slots),
        .state = slot->state != HELD ? TAC_PATCH_LEAVING : (slot->slipping ? TAC_PATCH_SLIPPING : TAC_PATCH_HELD),
        .traction = slot->traction,
    };
  }
}

/* Adds to y the rows `begin` to `end` - 1 of the columns of all loads, multiplied by the tractions and by `scale`. */
static void add_rows(const tacPatchSnapshot *snapshot, const tacGreen *green, double scale, int begin, int end,
                     double *restrict y) {
  size_t rows = (size_t)tac_green_row_count(green);
  for (int i = 0; i < snapshot->count; ++i) {
    const double *restrict column = tac_green_column(green, snapshot->loads[i].vertex);
    tacVec3 p = tac_vec3_scale(scale, snapshot->loads[i].traction);
    for (int r = begin; r < end; ++r)
      y[r - begin] += p.x * column[r] + p.y * column[rows + (size_t)r] + p.z * column[2 * rows + (size_t)r];
  }
}

/* The columns belong to the baked stiffness. Displacements scale with 1 / stiffness. Tractions and stresses do not
 * depend on the stiffness. */
void tac_patch_snapshot_add(const tacPatchSnapshot *snapshot, const tacGreen *green, tacVec3 *displacements,
                            tacVec3 *tractions, double *sensors) {
  int vertices = tac_green_surface(green)->vertex_count, first = 3 * vertices, rows = tac_green_row_count(green);
  const bool *fixed = tac_green_fixed(green);
  double soft = 1.0 / snapshot->stiffness;
  if (displacements != NULL) {
    add_rows(snapshot, green, soft, 0, first, &displacements->x);
    for (int v = 0; v < vertices; ++v) /* rows of fixed vertices are tractions */
      if (fixed[v]) displacements[v] = tac_vec3(0.0, 0.0, 0.0);
  }
  for (int v = 0; tractions != NULL && v < vertices; ++v)
    if (fixed[v]) add_rows(snapshot, green, 1.0, 3 * v, 3 * v + 3, &tractions[v].x);
  for (int i = 0; tractions != NULL && i < snapshot->count; ++i) {
    tacVec3 *at = &tractions[snapshot->loads[i].vertex];
    *at = tac_vec3_add(*at, snapshot->loads[i].traction);
  }
  for (int i = 0; sensors != NULL && i < tac_green_sensor_count(green); ++i) {
    int begin = tac_green_sensor_row(green, i),
        end = i + 1 < tac_green_sensor_count(green) ? tac_green_sensor_row(green, i + 1) : rows;
    bool stress = tac_green_sensor(green, i)->kind == TAC_SENSOR_STRESS;
    add_rows(snapshot, green, stress ? 1.0 : soft, begin, end, sensors + (begin - first));
  }
}
