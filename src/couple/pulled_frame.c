#include "couple/pulled_frame.h"

#include <math.h>
#include <string.h>
#include "couple/local_problem.h"
#include "math/dense/dense.h"

enum { MOST_TURNS = 8 };

void tac_frame_way(const tacFrame *from, const tacFrame *to, double way[6]) {
  tacVec3 x = tac_vec3_sub(tac_frame_about(to), tac_frame_about(from));
  tacVec3 turn = tac_quat_to_rotation_vector(tac_quat_mul(to->orientation, tac_quat_conjugate(from->orientation)));
  memcpy(way, (double[6]){x.x, x.y, x.z, turn.x, turn.y, turn.z}, 6 * sizeof *way);
}

static void move(tacFrame *frame, const double way[6]) {
  tacVec3 about = tac_vec3_add(tac_frame_about(frame), tac_vec3(way[0], way[1], way[2]));
  tacQuat turn = tac_quat_from_rotation_vector(tac_vec3(way[3], way[4], way[5]));
  tac_frame_place(frame, about, tac_quat_mul(turn, frame->orientation));
}

static double dot(const double a[6], const double b[6]) {
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

void tac_pulled_frame_begin(tacPulledFrame *p, int body, const tacFrame *frame) {
  *p = (tacPulledFrame){.body = body, .frame = *frame};
}

tacPull tac_pulled_frame_mean(const tacPulledFrame *p, int ticks) {
  tacPull pull = {.body = p->body};
  for (int i = 0; i < 6; ++i) pull.wrench[i] = p->impulse[i] / ticks;
  memcpy(pull.stiffness, p->stiffness, sizeof pull.stiffness);
  return pull;
}

/* Returns the normal force of a contact at the end of the motion d, N. If it is negative, the contact would pull. */
static double pushes(const tacPulledContact *c, const double d[6]) {
  return c->force[0] - c->stiffness[0] * (c->gap + dot(c->rows[0], d));
}

/* Computes the motion d of a step under `load`, with the additional stiffness `share` times `more`. Contacts only push:
 * the function adds and removes active contacts until exactly the active contacts push. Returns false if there is no
 * finite solution. */
static bool solve(const tacPulledFrame *p, const double load[6], double more[6][6], double share, double d[6]) {
  bool acts[TAC_PULLED_CONTACTS];
  for (int i = 0; i < p->count; ++i) acts[i] = p->contacts[i].force[0] > 0.0 || p->contacts[i].gap <= 0.0;
  for (int turn = 0; turn < MOST_TURNS; ++turn) {
    double factor[6][6];
    memcpy(d, load, 6 * sizeof *d);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) factor[i][j] = p->inertia[i][j] + p->springs[i][j] + share * more[i][j];
    for (int c = 0; c < p->count; ++c) {
      const tacPulledContact *x = &p->contacts[c];
      for (int k = 0; acts[c] && k < 3; ++k)
        for (int i = 0; i < 6; ++i) {
          d[i] += x->rows[k][i] * (x->force[k] - (k == 0 ? x->stiffness[0] * x->gap : 0.0));
          for (int j = 0; j < 6; ++j) factor[i][j] += x->stiffness[k] * x->rows[k][i] * x->rows[k][j];
        }
    }
    tacDense matrix = {6, 6, 6, &factor[0][0]};
    if (!tac_dense_loop_cholesky(&matrix)) return false;
    tac_dense_loop_cholesky_solve(&matrix, d);
    bool same = true;
    for (int c = 0; c < p->count; ++c) {
      bool now = pushes(&p->contacts[c], d) > 0.0;
      same = same && now == acts[c];
      acts[c] = now;
    }
    if (same) break;
  }
  for (int i = 0; i < 6; ++i)
    if (!isfinite(d[i])) return false;
  return true;
}

/* Updates the load, and the gaps and forces of contacts, for the step that follows a step with the motion d. */
static void pass(tacPulledFrame *p, const double d[6]) {
  for (int i = 0; i < 6; ++i) p->load[i] = p->steady[i] + dot(p->inertia[i], d) - dot(p->springs[i], d);
  for (int i = 0; i < p->count; ++i) {
    tacPulledContact *c = &p->contacts[i];
    double push = pushes(c, d);
    c->gap = push > 0.0 ? 0.0 : c->gap + dot(c->rows[0], d) - c->force[0] / c->stiffness[0];
    c->force[0] = fmax(0.0, push);
    for (int k = 1; k < 3; ++k) c->force[k] = push > 0.0 ? c->force[k] - c->stiffness[k] * dot(c->rows[k], d) : 0.0;
  }
}

void tac_pulled_frame_follow(tacPulledFrame *to, const tacPulledFrame *from, int ticks, double kept) {
  double mean[6], load[6], d[6] = {0.0}, apart[6];
  memcpy(to->stiffness, from->stiffness, sizeof to->stiffness);
  memcpy(to->force, from->force, sizeof to->force);
  for (int i = 0; i < 6; ++i) {
    mean[i] = from->impulse[i] / ticks;
    load[i] = to->load[i] + mean[i];
  }
  to->known = to->known && solve(to, load, to->springs, 0.0, d);
  if (to->known) {
    pass(to, d);
    move(&to->frame, d);
  }
  /* The energy that the body will receive in the step under the wrench `mean` is only predicted. */
  to->expected = to->known ? from->work - dot(mean, d) : 0.0;
  to->tank = from->tank + kept - from->expected + to->expected;
  to->tank = fmax(-TAC_LOCAL_MOST_TANK, fmin(TAC_LOCAL_MOST_TANK, to->tank));
  tac_frame_way(&from->frame, &to->frame, apart);
  tac_frame_place(&to->frame, tac_frame_about(&from->frame), from->frame.orientation);
  for (int i = 0; i < 6; ++i) to->step[i] = apart[i] / ticks;
}

/* Withholds energy from the hand while the tank is negative: the body then received more energy than predicted. The
 * body makes no motion that gives energy to the hand, until the withheld energy equals the deficit of the tank. */
static void hold_back(tacPulledFrame *p, double share) {
  double debt = -p->tank - p->withheld, gives = -dot(p->predicted, p->moved) + share * dot(p->predicted, p->step);
  if (!(debt > 0.0) || !(gives > 0.0)) return;
  double part = fmin(1.0, debt / gives);
  p->withheld += part * gives;
  for (int i = 0; i < 6; ++i) p->moved[i] -= part * (p->moved[i] - share * p->step[i]);
}

void tac_pulled_frame_go(tacPulledFrame *p, bool late, int ticks, double period, const double load[6],
                         double stiffness[6][6]) {
  double given[6], d[6];
  p->still = late;
  memcpy(p->stiffness, stiffness, sizeof p->stiffness);
  memcpy(p->predicted, load, sizeof p->predicted);
  memset(p->moved, 0, sizeof p->moved);
  if (p->tank < TAC_LOCAL_MOST_INFLOW) p->tank = fmin(TAC_LOCAL_MOST_INFLOW, p->tank + TAC_LOCAL_INFLOW * period);
  if (!p->known || late) return;
  double fade = -dot(p->force, p->step), share = fade > 0.0 && fade > p->tank ? fmax(0.0, p->tank) / fade : 1.0;
  p->tank = fmin(TAC_LOCAL_MOST_TANK, p->tank - share * fade);
  /* The motion in this tick is d / `ticks`, for the motion d of a step under the load and stiffness of the pads. */
  for (int i = 0; i < 6; ++i) given[i] = p->load[i] + load[i] - share * dot(stiffness[i], p->step) + p->owed[i];
  if (!solve(p, given, stiffness, 1.0 / ticks, d)) return;
  for (int i = 0; i < 6; ++i) p->moved[i] = d[i] / ticks + share * p->step[i];
  for (int i = 0; i < 6; ++i) p->predicted[i] -= dot(stiffness[i], p->moved);
  hold_back(p, share);
  move(&p->frame, p->moved);
  for (int i = 0; i < 6; ++i) p->moved[i] -= share * p->step[i];
}

void tac_pulled_frame_give(tacPulledFrame *p, const double wrench[6]) {
  memcpy(p->force, wrench, sizeof p->force);
  if (p->still) return;
  p->work += dot(wrench, p->moved);
  for (int i = 0; i < 6; ++i) {
    p->impulse[i] += wrench[i];
    p->owed[i] = p->known ? wrench[i] - p->predicted[i] : 0.0;
  }
}
