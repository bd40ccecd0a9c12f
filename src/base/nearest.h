/* The valid name that is nearest to a mistyped one. */
#pragma once

/* Start with {given}, offer the valid ones, read `best`. */
typedef struct tacNearest {
  const char *given;
  const char *best; /* NULL until something is offered */
  int distance;
} tacNearest;
void tac_nearest_offer(tacNearest *nearest, const char *name);
