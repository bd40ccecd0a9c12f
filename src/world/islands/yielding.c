#include "world/islands/yielding.h"

#include <string.h>
#include "math/dense/dense.h"
#include "world/tools/point_tool.h"

/* What is held against a wall by nodes that never move gives way by so much of what the softest site does: W has no zeros. */
static const double least_share = 1e-6;

bool tac_yielding_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena) {
  int n = 3 * count, s = 3 * (count - first), l = 3 * first;
  tacArenaMark mark = tac_arena_mark(arena);
  double *system = tac_arena_array(arena, (size_t)s * (size_t)s, sizeof *system);
  double *gc = tac_arena_array(arena, (size_t)s * (size_t)l + 1, sizeof *gc);
  int *pivot = tac_arena_array(arena, (size_t)s + 1, sizeof *pivot);
  bool solved = system != NULL && gc != NULL && pivot != NULL;
  /* 1 + K C_SS, by columns. */
  for (int col = 0; solved && col < s; ++col)
    for (int i = 0; i < s; ++i) {
      const double *row = k[i / 3].m[i % 3];
      double sum = i == col ? 1.0 : 0.0;
      for (int a = 0; a < 3; ++a) sum += row[a] * c[(l + i / 3 * 3 + a) * n + l + col];
      system[i + col * s] = sum;
    }
  tacDense matrix = {s, s, s, system};
  solved = solved && tac_dense_loop_lu(&matrix, pivot);
  for (int col = 0; solved && col < s; ++col) { /* columns of G */
    double *x = g + col * s;
    memset(x, 0, (size_t)s * sizeof *x);
    for (int a = 0; a < 3; ++a) x[col / 3 * 3 + a] = k[col / 3].m[a][col % 3];
    tac_dense_loop_lu_solve(&matrix, pivot, x);
  }
  for (int i = 0; solved && i < s; ++i)
    for (int j = 0; j < i; ++j) g[i * s + j] = g[j * s + i] = 0.5 * (g[i * s + j] + g[j * s + i]);
  for (int i = 0; solved && i < s; ++i) /* G C_SL */
    for (int j = 0; j < l; ++j) {
      double sum = 0.0;
      for (int a = 0; a < s; ++a) sum += g[i * s + a] * c[(l + a) * n + j];
      gc[i * l + j] = sum;
    }
  for (int i = 0; solved && i < l; ++i)
    for (int j = 0; j < l; ++j) {
      double sum = 0.0;
      for (int a = 0; a < s; ++a) sum += c[i * n + l + a] * gc[a * l + j];
      c[i * n + j] -= sum;
    }
  tac_arena_release(arena, mark);
  return solved;
}

void tac_yielding_prepare(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    tacBodyStep step = {.length = world->period * body->turn.every, .patches = body->fingers.patches};
    if (tac_world_body_yields(body)) body->body.table->give_way(body->body.self, &step, 0, NULL, NULL);
  }
}

/* ---- where forces act ---- */

static tacVec3 into(const tacWorldBody *body, tacVec3 v) {
  return tac_quat_rotate(tac_quat_conjugate(body->frame.orientation), v);
}

static void put(double *to, tacVec3 v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static bool add(tacYielding *y, int most, const tacSite *site, tacVec3 force) {
  if (y->count >= most) return false;
  y->sites[y->count] = *site;
  y->forces[y->count++] = force;
  return true;
}

static bool springs_of(tacWorld *world, int b, tacYielding *y, int most, tacTickReport *report) {
  tacWorldBody *body = &world->bodies[b];
  tacMat3 turn = tac_quat_to_mat3(body->frame.orientation);
  for (int t = 0; t < world->tool_count; ++t) {
    tacToolSpring s;
    if (world->tools[t].body != b || !tac_point_tool_spring(world, t, &s)) continue;
    double damper = s.damping / body->step.length;
    tacMat3 k = tac_mat3_add(s.stiffness, tac_mat3_diagonal(damper, damper, damper));
    if (!add(y, most, &s.site, into(body, s.force))) {
      ++report->saturated;
      break;
    }
    y->springs[y->count - 1 - y->held] = tac_mat3_mul(tac_mat3_transpose(turn), tac_mat3_mul(k, turn));
  }
  return y->count > y->held;
}

static bool begin(tacWorld *world, int b, tacTickReport *report) {
  tacWorldBody *body = &world->bodies[b];
  tacYielding *y = &body->yielding;
  const tacBodyTable *table = body->body.table;
  int most = tac_body_describe(&body->body).sites, tools = 0; /* those that touch it have their sites in any case */
  size_t room = (size_t)most;
  *y = (tacYielding){0};
  y->sites = tac_arena_array(&world->arena, room, sizeof *y->sites);
  y->forces = tac_arena_array(&world->arena, room, sizeof *y->forces);
  y->motion = tac_arena_array(&world->arena, room, sizeof *y->motion);
  y->c = tac_arena_array(&world->arena, 9 * room * room, sizeof *y->c);
  y->g = tac_arena_array(&world->arena, (size_t)(9 * TAC_MOST_TOOLS * TAC_MOST_TOOLS), sizeof *y->g);
  y->springs = tac_arena_array(&world->arena, TAC_MOST_TOOLS, sizeof *y->springs);
  y->base = tac_arena_array(&world->arena, 3 * TAC_MOST_TOOLS, sizeof *y->base);
  if (y->sites == NULL || y->forces == NULL || y->motion == NULL || y->c == NULL || y->g == NULL ||
      y->springs == NULL || y->base == NULL)
    return false;
  for (int t = 0; t < world->tool_count; ++t) tools += world->tools[t].body == b;
  for (int i = 0; i < world->contacts.count; ++i) {
    tacSetContact *c = &world->contacts.list[i];
    for (int side = 0; side < 2; ++side) {
      if (c->body[side] != b) continue;
      bool there =
          add(y, most - tools, &c->site[side], into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force)));
      c->answer[side] = there ? y->count - 1 : -1;
      report->saturated += !there;
    }
  }
  y->contacts = y->count;
  for (int i = 0; i < world->push_count; ++i)
    if (world->pushes[i].body == b)
      report->saturated += !add(y, most - tools, &world->pushes[i].site, into(body, world->pushes[i].force));
  for (int i = 0; i < world->told_count; ++i)
    if (world->told[i].body == b)
      report->saturated += !add(y, most, &world->told[i].site, into(body, world->told[i].force));
  y->held = y->count;
  bool springs = springs_of(world, b, y, most, report);
  body->step.springs = y->count - y->held;
  body->step.spring = &y->springs[0].m[0][0];
  body->step.patches = body->fingers.patches;
  table->begin_step(body->body.self, &body->step, y->count, y->sites, y->forces, y->motion, y->c);
  double softest = 0.0;
  int n = 3 * y->count;
  for (int i = 0; i < n; ++i) softest = softest > y->c[i * (n + 1)] ? softest : y->c[i * (n + 1)];
  for (int i = 0; i < n; ++i) y->c[i * (n + 1)] += least_share * softest;
  if (springs && !tac_yielding_hold(y->count, y->held, y->c, y->springs, y->g, &world->arena))
    memset(y->g, 0, 9 * TAC_MOST_TOOLS * TAC_MOST_TOOLS * sizeof *y->g); /* springs keep the forces that they have */
  return true;
}

/* Forces of springs where others are as they were guessed: f0 - G (C f0 + motion - C guess). Here guess = f0. */
static void settle_springs(tacYielding *y) {
  int s = 3 * (y->count - y->held), l = 3 * y->held, n = 3 * y->count;
  for (int i = 0; i < s; ++i) {
    const double *row = y->g + i * s;
    double sum = 0.0;
    for (int a = 0; a < s; ++a) {
      const tacVec3 *m = &y->motion[y->held + a / 3];
      sum += row[a] * (a % 3 == 0 ? m->x : a % 3 == 1 ? m->y : m->z);
    }
    y->base[i] = -sum; /* beyond f0 */
  }
  for (int i = 0; i < l; ++i) { /* what that does to the others */
    double sum = 0.0;
    for (int a = 0; a < s; ++a) sum += y->c[i * n + l + a] * y->base[a];
    tacVec3 *m = &y->motion[i / 3];
    *(i % 3 == 0 ? &m->x : i % 3 == 1 ? &m->y : &m->z) += sum;
  }
}

/* From the motion under the guessed forces to that under none of the contacts'. */
static void take_off_guess(tacYielding *y) {
  int n = 3 * y->count;
  for (int i = 0; i < y->contacts; ++i) {
    double sum[3] = {0.0};
    for (int j = 0; j < y->contacts; ++j) {
      const double f[3] = {y->forces[j].x, y->forces[j].y, y->forces[j].z};
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) sum[r] += y->c[(3 * i + r) * n + 3 * j + k] * f[k];
    }
    y->motion[i] = tac_vec3_sub(y->motion[i], tac_vec3(sum[0], sum[1], sum[2]));
  }
}

/* Those that point tools touch are not asked: their springs would have to be eliminated again. */
static bool may_know_better(const tacWorldBody *body) {
  const tacYielding *y = &body->yielding;
  return tac_world_body_yields(body) && body->body.table->move_again != NULL && y->contacts > 0 && y->count == y->held;
}

bool tac_yielding_begin(tacWorld *world, tacTickReport *report) {
  bool again = false;
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    if (!tac_world_body_yields(body)) continue;
    if (!begin(world, b, report)) { /* cannot happen: the room was measured */
      body->yielding = (tacYielding){.count = -1};
      ++report->saturated;
      continue;
    }
    settle_springs(&body->yielding);
    take_off_guess(&body->yielding);
    again = again || may_know_better(body);
  }
  return again;
}

/* Forces of the contacts, as they are now, among those of all sites; `change` [3 contacts], NULL: not wanted: since the last time. */
static void take_forces(const tacWorld *world, int b, double *change) {
  const tacWorldBody *body = &world->bodies[b];
  const tacYielding *y = &body->yielding;
  for (int i = 0; i < world->contacts.count; ++i)
    for (int side = 0; side < 2; ++side) {
      const tacSetContact *c = &world->contacts.list[i];
      if (c->body[side] != b || c->answer[side] < 0) continue;
      tacVec3 force = into(body, side == 0 ? c->force : tac_vec3_scale(-1.0, c->force));
      if (change != NULL) put(change + 3 * c->answer[side], tac_vec3_sub(force, y->forces[c->answer[side]]));
      y->forces[c->answer[side]] = force;
    }
}

void tac_yielding_again(tacWorld *world) {
  for (int b = 0; b < world->body_count; ++b) {
    tacWorldBody *body = &world->bodies[b];
    const tacBodyTable *table = body->body.table;
    tacYielding *y = &body->yielding;
    if (!may_know_better(body)) continue;
    take_forces(world, b, NULL);
    if (!table->move_again(body->body.self, &body->step, y->forces, y->motion)) continue;
    take_off_guess(y);
  }
}

static void end(tacWorld *world, int b, tacTickReport *report) {
  tacWorldBody *body = &world->bodies[b];
  tacYielding *y = &body->yielding;
  int s = 3 * (y->count - y->held), l = 3 * y->contacts, n = 3 * y->count, first = 3 * y->held;
  tacArenaMark mark = tac_arena_mark(&world->arena);
  double *change = tac_arena_array(&world->arena, (size_t)l + 1, sizeof *change);
  double *at = tac_arena_array(&world->arena, (size_t)s + 1, sizeof *at);
  memset(at, 0, ((size_t)s + 1) * sizeof *at);
  take_forces(world, b, change);
  for (int i = 0; i < s; ++i) /* springs: base - G C_SL change */
    for (int j = 0; j < l; ++j) at[i] += y->c[(first + i) * n + j] * change[j];
  for (int i = 0; i < s; ++i) {
    double sum = y->base[i];
    for (int a = 0; a < s; ++a) sum -= y->g[i * s + a] * at[a];
    tacVec3 *f = &y->forces[y->held + i / 3];
    *(i % 3 == 0 ? &f->x : i % 3 == 1 ? &f->y : &f->z) += sum;
  }
  tac_arena_release(&world->arena, mark);
  tacBodyFinish done = body->body.table->end_step(body->body.self, &body->step, y->forces);
  report->limited += done.limited;
  report->refused += done.refused;
}

void tac_yielding_end(tacWorld *world, tacTickReport *report) {
  for (int b = 0; b < world->body_count; ++b)
    if (tac_world_body_yields(&world->bodies[b]) && world->bodies[b].yielding.count >= 0) end(world, b, report);
}

tacVec3 tac_yielding_motion(const tacWorldBody *body, int index) {
  return tac_quat_rotate(body->frame.orientation, body->yielding.motion[index]);
}

tacMat3 tac_yielding_compliance(const tacWorldBody *body, int at, int by) {
  tacMat3 block;
  int n = 3 * body->yielding.count;
  for (int r = 0; r < 3; ++r) memcpy(block.m[r], body->yielding.c + (3 * at + r) * n + 3 * by, sizeof block.m[r]);
  return block;
}

size_t tac_yielding_room(const tacWorld *world) {
  size_t bytes = 0, tools = TAC_MOST_TOOLS;
  for (int b = 0; b < world->body_count; ++b) {
    if (!tac_world_body_yields(&world->bodies[b])) continue;
    size_t most = (size_t)tac_body_describe(&world->bodies[b].body).sites;
    bytes += most * (sizeof(tacSite) + 2 * sizeof(tacVec3)) +
             (9 * most * most + 9 * tools * tools + 3 * tools) * sizeof(double) + tools * sizeof(tacMat3) +
             16 * TAC_ARENA_ALIGNMENT;
    /* Of `hold`, here and where local problems are built, with as many springs as sites; of `end`. */
    bytes += (32 * most * most + 64 * most) * sizeof(double) + 3 * most * sizeof(int) + 20 * TAC_ARENA_ALIGNMENT;
  }
  return bytes;
}
