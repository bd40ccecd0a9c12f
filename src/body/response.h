/* Response of a body to forces at sites, in one form for all kinds, whether they implement coordinates or step
 * compliance.
 *
 * In a step the site i moves by
 *     u_i = free_i + sum_j C_ij f_j,
 * and in the next one, under the same forces, by free'_i + sum_j D_ij f_j (docs/rates.md). For a body with coordinates
 *     A d = b + sum J^T f,   C = J A^-1 J^T,   A d' = Q d - M v / h,   Q = 2 M / h^2 + B / h = -h dA/dh,   M v / h = -h db/dh,
 * by implicit Euler, A = M / h^2 + B / h + K. Q and M v / h are derived from equations of slightly shorter and longer
 * steps. Coordinates of a free frame are included. Springs at further sites hold the body to fixed places; they enter
 * A, or are eliminated from C.
 *
 * Tick phase: memory comes from an arena. Places, forces and C are in the body's frame. */
#pragma once

#include "base/memory/arena.h"
#include "body/body.h"
#include "body/frame.h"
#include "math/geometry/mat3.h"

typedef struct tacResponse {
  const tacBody *body;
  const tacFrame *frame; /* of a free body; NULL: the body is not free */
  const tacBodyStep *step;
  tacArena *arena;
  int most, count; /* capacity; number of sites */
  int held;        /* sites before this index belong to forces, the rest to springs */
  tacSite *sites;
  tacVec3 *forces; /* N, present values */
  double *c;       /* C [3 count][3 count], symmetric */
  /* For bodies with coordinates, n including those of the frame: */
  int n;
  double *matrix, *load;  /* A, replaced by its Cholesky factor; b, with spring forces */
  double *motion;         /* d under `forces` */
  double *drag, *impetus; /* Q and M v / h; NULL: only one step wanted */
  double *rows, *half;    /* J [3 count][n], and (L^-1 J^T)^T */
  /* For bodies without coordinates, springs at the last sites: */
  tacMat3 *springs;            /* [count - held], N/m */
  double *g;                   /* tac_response_hold */
  tacVec3 *acts, *once, *next; /* work memory */
} tacResponse;

/* Load phase: arena bytes for bodies with up to n coordinates; 0: without coordinates. */
size_t tac_response_room(int most, int n);
/* Sets up the equations of a step of the body, and with `two` also those of the next step. False: no room, or not
 * finite. */
bool tac_response_begin(tacResponse *r, const tacBody *body, const tacFrame *frame, const tacBodyStep *step, int most,
                        bool two, tacArena *arena);
/* J [3][n] of a site at the position `at`. */
void tac_response_jacobian(const tacResponse *r, const tacSite *site, tacVec3 at, double *j);
/* Adds a site where a force acts. Returns its index, -1: no room. Add all of them before springs. */
int tac_response_add_site(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force);
/* Adds a spring: f = force - k u. False: no room. */
bool tac_response_add_spring(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force, const tacMat3 *k);
/* Computes C and d. False: A is not positive definite. */
bool tac_response_solve(tacResponse *r);
/* C of the sites i and j, m/N. */
tacMat3 tac_response_compliance(const tacResponse *r, int i, int j);
/* Velocity of a site under the present forces, m/s. */
tacVec3 tac_response_speed(const tacResponse *r, int site);
/* Predicts the motion of the first `held` sites, m, in this step (`once`) and the next step (`next`). `forces` [held]
 * act in both steps. `whole`: motion from the present state; false: only the effect of these forces. */
void tac_response_foresee(tacResponse *r, bool whole, const tacVec3 *forces, tacVec3 *once, tacVec3 *next);

/* tacBodyTable.place of any site, m. */
tacVec3 tac_response_place(const tacBody *body, const tacPatch *patches, const tacSite *site);
/* tacBodyTable.rows of any site, [3][n]; `patches` as in tacBodyStep. */
void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows);
/* The same rows as floats, [3][*stride], for a body with n coordinates and the shell `points`; not for patches. The
 * result is in the memory of the shell or in `room` [3][TAC_BODY_MOST_COORDINATES + 4]. Rows are zero-padded after
 * n. */
const float *tac_response_float_rows(const tacBody *body, int n, const tacPointshell *points, const tacSite *site,
                                     float *room, int *stride);
/* Velocity of any site of any kind, m/s: from tacBodyTable.velocity, or from the rates of its coordinates; zero if a
 * body has neither. */
tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site);

/* Holds the sites [first, count) of a compliance c [3 count][3 count] to fixed places by springs k [count - first]
 * (N/m): the compliance of the other sites becomes C_LL - C_LS G C_SL with G = (1 + K C_SS)^-1 K, [3 (count - first)]
 * squared, symmetric. False, unchanged: no room in the arena. */
bool tac_response_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena);
