/* The elastic models of James and Pai 2001, Figure 10: their counts of vertices and what is fixed, shapes like theirs.
 *
 * The nodule and the kidney are Loop subdivisions of cages made of rings of four vertices between two poles, which gives exactly
 * the vertices and triangles of the paper's Table 2: 2 rings, 130 vertices and 256 triangles after two levels; 5 rings, 322 and
 * 640. The spatula and the seat are gallery shapes with as many vertices as theirs. */
#pragma once

#include <tactus/green.h>

typedef enum tacPaperModelName {
  TAC_PAPER_NODULE,
  TAC_PAPER_KIDNEY,
  TAC_PAPER_SPATULA,
  TAC_PAPER_SEAT
} tacPaperModelName;
enum { TAC_PAPER_MODELS = 4 };

typedef struct tacPaperModel {
  const char *name;
  tacTriMesh *surface;
  bool *fixed; /* [vertex] */
  int free_count;
  double mean_edge; /* m */
  double young, poisson;
} tacPaperModel;

/* `level` of subdivision, 2 for the paper's counts; the spatula and the seat have theirs at every level. Vertices of the nodule
 * are where subdivision puts them, as in the paper's Table 1; those of the kidney are on the limit surface, at every level the
 * same. */
tacStatus tac_paper_model_create(tacPaperModelName name, int level, tacPaperModel *model, tacError *error);
/* Makes triangles uneven from place to place without changing the shape: splits edges in the middle, chosen at random, at most
 * one of a triangle. About a third of the edges go. */
tacStatus tac_paper_model_roughen(tacPaperModel *model, tacError *error);
void tac_paper_model_free(tacPaperModel *model); /* a zeroed struct is allowed */

/* The number of the nodule's vertex at the top, at every level. */
enum { TAC_PAPER_NODULE_TOP = 9 };
/* The line that the kidney's rings are centred on: a circle about the origin in the plane z = 0. */
#define TAC_PAPER_KIDNEY_RADIUS 0.04 /* m */

/* The model's Green's functions by boundary elements, of every free vertex. */
tacStatus tac_paper_model_bake(const tacPaperModel *model, tacGreen **green, tacError *error);
