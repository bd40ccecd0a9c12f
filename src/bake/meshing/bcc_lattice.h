/* The points of a body-centred cubic lattice: corners and centres of cubes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tactus/base.h>
#include "base/error.h"

#define TAC_BCC_BITS 14                       /* of a coordinate */
#define TAC_BCC_MOST_POINTS ((size_t)1 << 28) /* 16 GiB */

/* In halves of a cube's side: corners have three even coordinates, centres three odd ones. */
typedef struct tacBccCoord {
  int x, y, z;
} tacBccCoord;

typedef struct tacBccPoint {
  tacVec3 place;
  double value;             /* of the implicit function */
  uint64_t key;             /* packed coordinates */
  signed char sign;         /* -1 inside, 0 on the surface, 1 outside */
  bool near_surface;        /* on the surface, or with a neighbour on the other side */
  unsigned char cube_count; /* finest cubes that have it as a corner or centre */
} tacBccPoint;

typedef struct tacBccLattice {
  tacVec3 origin; /* place of (0, 0, 0) */
  double half;    /* half of a cube's side, metres */
  size_t point_count, room;
  tacBccPoint *points;
  size_t slot_count; /* a power of two: an open-addressed table of point numbers, -1 where free */
  int *slots;
} tacBccLattice;

void tac_bcc_lattice_free(tacBccLattice *lattice); /* a zeroed struct is allowed */
tacBccCoord tac_bcc_coord(const tacBccPoint *point);
/* -1 where the point has not been added. */
int tac_bcc_lattice_find(const tacBccLattice *lattice, tacBccCoord at);
/* Finds the point or adds it, inside and without a value. */
tacStatus tac_bcc_lattice_add(tacBccLattice *lattice, tacBccCoord at, int *point, tacError *error);

/* The lattice's edges: neighbours 0..7 along the diagonals of cubes ("short", sqrt(3)/2 of a side), 8..13 along the axes
 * ("long", one side). */
enum { TAC_BCC_SHORT_NEIGHBOURS = 8, TAC_BCC_NEIGHBOURS = 14 };
tacBccCoord tac_bcc_neighbour(tacBccCoord at, int which);
