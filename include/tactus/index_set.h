/* A named list of vertices or elements of a mesh. */
#ifndef TACTUS_INDEX_SET_H
#define TACTUS_INDEX_SET_H

typedef struct tacIndexSet {
  char *name;   /* owned, never NULL, unique within its list */
  int count;    /* may be 0 */
  int *indices; /* owned, ascending, without repetition, counted from 0 */
} tacIndexSet;

#endif
