/* Variables that own something until the end of their block: it is destroyed there, however the block ends (TAC_TRY, return, break), after
 * that of variables that are declared later. Each must have a value before the first way out.
 *   TAC_MEMORY(double, numbers) = NULL;           a double * of malloc, or NULL
 *   TAC_OWN(tacTriangleTree, tree) = NULL;        a tacTriangleTree *, or NULL, of a type that TAC_OWNED_TYPE has named
 *   TAC_FREED(tac_dense_destroy, tacDense, a) = {0};  a tacDense that tac_dense_destroy(&a) frees
 * What goes on to another owner is given away: *made = tac_give(&tree);
 * A block with such variables has no goto that jumps over their declaration. */
#pragma once

#include <stdlib.h>
#include <string.h>

#define TAC_OWN(type, name) __attribute__((cleanup(end_##type), unused)) type *name
#define TAC_MEMORY(type, name) __attribute__((cleanup(tac_owned_free), unused)) type *name
#define TAC_FREED(free, type, name) __attribute__((cleanup(free), unused)) type name

/* How TAC_OWN destroys an object of a type: stands beside the type's destroy function, or where a file uses it. */
#define TAC_OWNED_TYPE(type, destroy)                                    \
  __attribute__((unused)) static inline void end_##type(type **object) { \
    destroy(*object);                                                    \
  }

static inline void tac_owned_free(void *pointer) {
  free(*(void **)pointer);
}

/* The pointer in the variable at `pointer`, which owns nothing from now on. */
static inline void *tac_give(void *pointer) {
  void *given, *none = NULL;
  memcpy(&given, pointer, sizeof given);
  memcpy(pointer, &none, sizeof none);
  return given;
}
