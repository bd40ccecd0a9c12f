/* Making load fields, and what poses ask of them: the internal side of <tactus/distance_field.h>.
 *
 * Columns are the baked deformations, node level_count + level; -1 is the body at rest. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tactus/base.h>
#include <tactus/distance_field.h>
#include "asset/field_reach.h"
#include "base/memory/array.h"

void tac_load_field_destroy(tacLoadField *field); /* NULL is allowed */
tacStatus tac_load_field_write(const tacLoadField *field, const char *path, tacError *error);
tacStatus tac_load_field_read(const char *path, tacLoadField **field, tacError *error);
int tac_load_field_coordinates(const tacLoadField *field); /* n */
int tac_load_field_node_count(const tacLoadField *field);
int tac_load_field_vertex(const tacLoadField *field, int node);
int tac_load_field_node_of(const tacLoadField *field, int vertex); /* -1: no load acts there */
int tac_load_field_level_count(const tacLoadField *field);
double tac_load_field_level(const tacLoadField *field, int level);
const double *tac_load_field_state(const tacLoadField *field, int node, int level); /* q [n] */

typedef struct tacLoadFieldInfo {
  int nodes[3]; /* of the grid */
  tacVec3 origin;
  double spacing;
  double tolerance; /* m: of the separated form near the surface */
  double error;     /* m: what it is there, the largest */
  double steepest;  /* the largest gradient of any interpolant; 1 for a distance */
  int block_count, rank_most;
  double rank_mean;
  double bytes, bytes_dense; /* of the separated form; of all samples as 16-bit numbers */
  double bytes_bake;         /* at once */
  double seconds_distances, seconds_separation, seconds_bounds;
} tacLoadFieldInfo;
const tacLoadFieldInfo *tac_load_field_info(const tacLoadField *field);
const tacBakeChecks *tac_load_field_checks(const tacLoadField *field);

enum { TAC_LOAD_SIDE = 8, TAC_LOAD_BLOCK = TAC_LOAD_SIDE * TAC_LOAD_SIDE * TAC_LOAD_SIDE, TAC_LOAD_LANES = 8 };

/* Arrays are malloc'ed. Blocks are numbered as samples are, x first; samples of a block that the grid does not have
 * are 0. */
typedef struct tacLoadFieldParts {
  int size, node_count, level_count;
  int *vertices;   /* [node] */
  double *levels;  /* [level] */
  double *states;  /* [column][size] */
  float *rest;     /* [block][TAC_LOAD_BLOCK] */
  int *ranks;      /* [block], multiples of TAC_LOAD_LANES; their sum is `total` below */
  int16_t *shapes; /* D: [block][TAC_LOAD_BLOCK][rank] */
  int16_t *loads;  /* T: [column][total] */
  float *scales;   /* [total]: of the product of both */
  float *units;    /* [block], m: samples of one column are d_rest and whole multiples of it, no more than 32767 */
  bool compact;    /* no block is expanded */
  tacLoadFieldInfo info;
} tacLoadFieldParts;

/* Takes the arrays over on success. */
tacStatus tac_load_field_create(const tacLoadFieldParts *parts, tacLoadField **field, tacError *error);
void tac_load_field_parts_free(tacLoadFieldParts *parts);
const tacLoadFieldParts *tac_load_field_parts(const tacLoadField *field);
void tac_load_field_set_info(tacLoadField *field, const tacLoadFieldInfo *info); /* what is measured of it */
void tac_load_field_set_checks(tacLoadField *field, const tacBakeChecks *checks);

int tac_load_field_column_count(const tacLoadField *field);
int tac_load_field_block_count(const int nodes[3]);

/* A ball that holds every place with a negative value of a column. */
typedef struct tacLoadSolid {
  tacVec3 centre;
  double radius;
} tacLoadSolid;
/* What is true of every column: lower bounds of the values on the box, which is not negative, and of the way to
 * contact. */
typedef struct tacLoadBounds {
  double boundary;
  tacFieldReach reach;
  tacLoadSolid *solids; /* [column], malloc'ed */
} tacLoadBounds;
/* Takes `solids` over on success. TAC_ERR_ARGUMENT where they cannot be. */
tacStatus tac_load_field_set_bounds(tacLoadField *field, const tacLoadBounds *bounds, tacError *error);
const tacLoadBounds *tac_load_field_bounds(const tacLoadField *field);

/* What it holds, for its slices. */
struct tacLoadField {
  tacLoadFieldParts parts;
  int total;        /* of ranks */
  tacArrays arrays; /* of the next two, and of what is expanded */
  int *first;       /* [block]: the ranks before it */
  /* [block]: samples of its columns in multiples of its unit, [column][TAC_LOAD_BLOCK]; NULL where only the separated form is kept.
   * Blocks of the highest ranks are expanded when a field is made, as far as TAC_LOAD_EXPANDED bytes go: they are where values are asked
   * for, and long sums take long. */
  int16_t **expanded;
  double most_on_faces; /* at rest */
  tacLoadBounds bounds;
  tacBakeChecks checks;
};
#define TAC_LOAD_EXPANDED 268435456.0
