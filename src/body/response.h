/* Motion and compliance of a body under forces at sites. The interface is the same for bodies with coordinates and for
 * bodies with step compliance.
 *
 * In a step of length h, forces f_j move the site i by
 *     u_i = free_i + sum_j C_ij f_j.
 * free_i is the motion without these forces, and C is the compliance. If the same forces act in the next step, the site
 * moves in that step by free'_i + sum_j D_ij f_j (docs/rates.md).
 *
 * A body with coordinates moves by d in the step and by d' in the next step. By implicit Euler,
 *     A d = b + sum J^T f,   A d' = Q d - M v / h,   C = J A^-1 J^T,
 *     A = M / h^2 + B / h + K,   Q = 2 M / h^2 + B / h = -h dA/dh,   M v / h = -h db/dh.
 * M, B and K are the matrices of mass, damping and stiffness. v is the velocity of the coordinates. J is the derivative
 * of the site's position by the coordinates. Q and M v / h are computed from A and b of slightly shorter and longer
 * steps. The coordinates of a free body include the six coordinates of the frame.
 *
 * Springs may connect further sites to fixed places. For a body with coordinates, the springs are added to A and b. For
 * other bodies, the sites of the springs are eliminated from C.
 *
 * Tick phase: memory comes from an arena. Frame: the body's, for positions, forces and C. */
#pragma once

#include "base/memory/arena.h"
#include "body/body.h"
#include "body/frame.h"
#include "math/geometry/mat3.h"

typedef struct tacResponse {
  const tacBody *body;
  const tacFrame *frame; /* frame of a free body; NULL if the body is not free */
  const tacBodyStep *step;
  tacArena *arena;
  int most, count; /* maximum number of sites; number of sites */
  int held;        /* number of sites with forces, which come first; the remaining sites have springs */
  tacSite *sites;
  tacVec3 *forces; /* present force at each site, N */
  double *c;       /* compliance C, [3 count][3 count], m/N, symmetric */
  /* ---- bodies with coordinates ---- */
  int n;                  /* number of coordinates, including six of a free frame; 0: the body has no coordinates */
  double *matrix, *load;  /* A, replaced by its Cholesky factor L; b, including the forces of springs */
  double *motion;         /* motion d of the coordinates under `forces` */
  double *drag, *impetus; /* Q and M v / h; NULL if the next step is not predicted */
  double *rows, *half;    /* J [3 count][n], and (L^-1 J^T)^T */
  /* ---- bodies without coordinates ---- */
  tacMat3 *springs;            /* stiffness of each spring, [count - held], N/m */
  double *g;                   /* matrix G of tac_response_hold */
  tacVec3 *acts, *once, *next; /* working memory */
} tacResponse;

/* Returns the number of arena bytes for a response with at most `most` sites. `n`: maximum number of coordinates; 0 for
 * a body without coordinates. Load phase. */
size_t tac_response_room(int most, int n);
/* Sets up the equations of a step, with at most `most` sites. `two`: also sets up the equations of the next step.
 * `frame`: frame of a free body, otherwise NULL. Returns false if the arena is full or a value is NaN or infinite. */
bool tac_response_begin(tacResponse *r, const tacBody *body, const tacFrame *frame, const tacBodyStep *step, int most,
                        bool two, tacArena *arena);
/* Computes J [3][n] for a site whose present position is `at`. */
void tac_response_jacobian(const tacResponse *r, const tacSite *site, tacVec3 at, double *j);
/* Adds a site at the position `at` (m), on which `force` (N) acts. Returns the index of the site, or -1 if there are
 * `most` sites already. Call before any spring is added. */
int tac_response_add_site(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force);
/* Adds a spring at a site: f = force - k u for the motion u of the site. Returns false if there are `most` sites
 * already. */
bool tac_response_add_spring(tacResponse *r, const tacSite *site, tacVec3 at, tacVec3 force, const tacMat3 *k);
/* Computes C, and d for a body with coordinates. Returns false if A is not positive definite, or if the springs cannot
 * be eliminated. */
bool tac_response_solve(tacResponse *r);
/* Returns the block C_ij, m/N: motion of the site i per force at the site j. */
tacMat3 tac_response_compliance(const tacResponse *r, int i, int j);
/* Returns the velocity of a site under the present forces, m/s. */
tacVec3 tac_response_speed(const tacResponse *r, int site);
/* Predicts the motion (m) of the first `held` sites in this step, `once`, and in the next step, `next`. `forces` [held]
 * (N) act in both steps. `whole`: the motion starts from the present state; otherwise the result is only the additional
 * motion caused by `forces`. */
void tac_response_predict(tacResponse *r, bool whole, const tacVec3 *forces, tacVec3 *once, tacVec3 *next);

/* Returns the present position of a site of any kind, m. `patches`: as in tacBodyStep. */
tacVec3 tac_response_place(const tacBody *body, const tacPatch *patches, const tacSite *site);
/* Computes the derivative of the position of a site of any kind by the coordinates, `rows` [3][n]. */
void tac_response_rows(const tacBody *body, const tacPatch *patches, const tacSite *site, double *rows);
/* Returns the rows of tac_response_rows as floats, [3][*stride], with zeros after the first n of each row. `points` is
 * the pointshell of the body. The site must not be a patch. The result is in the memory of the pointshell or in `room`
 * [3][TAC_BODY_MOST_COORDINATES + 4]. */
const float *tac_response_float_rows(const tacBody *body, int n, const tacPointshell *points, const tacSite *site,
                                     float *room, int *stride);
/* Returns the velocity of a site of any kind, m/s. It is computed by tacBodyTable.velocity, or else from the rates of
 * the coordinates. The velocity is zero if the body has neither. */
tacVec3 tac_response_velocity(const tacBody *body, const tacPatch *patches, const tacSite *site);

/* Adds springs `k` [count - first] (N/m) to a compliance `c` [3 count][3 count]. The springs connect the sites S, from
 * the index `first` on, to fixed places. The compliance of the other sites L becomes
 *     C_LL - C_LS G C_SL,   G = (1 + K C_SS)^-1 K.
 * `g` receives G, symmetric, with 3 (count - first) rows. Returns false and leaves `c` unchanged if the arena is full
 * or the matrix 1 + K C_SS is singular. */
bool tac_response_hold(int count, int first, double *c, const tacMat3 *k, double *g, tacArena *arena);
