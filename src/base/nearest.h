/* The valid name that is nearest to a mistyped one. */
#ifndef TAC_BASE_NEAREST_H
#define TAC_BASE_NEAREST_H

/* Start with {given}, offer the valid ones, read `best`. */
typedef struct tacNearest {
  const char *given;
  const char *best; /* NULL until something is offered */
  int distance;
} tacNearest;
void tac_nearest_offer(tacNearest *nearest, const char *name);

#endif
