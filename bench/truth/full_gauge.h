/* How far bodies are from the full solution, at some moments at which a hand rests: of the body that is pressed
 * hardest, the displacements of its surface beside those of its full model (bench/full_model/full_model.h) in equilibrium with
 * the same forces of contacts and tools, and with its inertia and damping (d'Alembert), both by differences of its
 * states. */
#pragma once

#include "bench/full_model/full_model.h"
#include "bench/truth/balance.h"

enum { TAC_FULL_MOST = 64 };

typedef struct tacFullGauge {
  const tacScene *scene;
  const tacWorld *world;
  int wanted;                   /* moments, */
  int64_t every;                /* ticks from one to the next, */
  int begun;                    /* and those that have come */
  bool due;                     /* one has come, and waits for a hand that rests */
  int64_t step;                 /* of the world that was looked at last */
  double *states[3];            /* of the last steps, while one is due; the last is the last */
  int kept;                     /* of them */
  tacFullModel *models;         /* [body of the scene] */
  bool *tried;                  /* [body of the scene] */
  int count;                    /* moments that were compared */
  double errors[TAC_FULL_MOST]; /* |u - full| / |full| over the surface */
  double linear[TAC_FULL_MOST]; /* likewise, of the full solution of small displacements; NAN: there is none */
  double size[TAC_FULL_MOST];   /* m: the largest displacement of the full solution */
  int failed;                   /* moments at which no full solution was found */
  int most_vertices;            /* of the models */
  double median, most;          /* of the errors, at the end */
  double linear_most;           /* NAN: none */
} tacFullGauge;

/* `count` moments, at most TAC_FULL_MOST; fewer for models of more than 5,000 vertices. */
tacStatus tac_full_gauge_create(const tacScene *scene, const tacWorld *world, double duration, int count,
                                tacFullGauge *gauge, tacError *error);
void tac_full_gauge_free(tacFullGauge *gauge); /* a zeroed struct is allowed */
/* After each tick; `settled`: a hand that touches something has stayed for a while. The snapshot's state is not
 * used. */
tacStatus tac_full_gauge_look(tacFullGauge *gauge, const tacBalance *balance, const tacSnapshot *snapshot, bool settled,
                              tacError *error);
void tac_full_gauge_end(tacFullGauge *gauge);
