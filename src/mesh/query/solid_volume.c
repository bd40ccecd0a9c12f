#include <tactus/mesh.h>

#include <math.h>
#include <stdlib.h>
#include "base/error.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/scan_winding.h"

TAC_OWNED_TYPE(tacBoxTree, tac_box_tree_destroy)

/* Rows along x through the points (i / n, frac(g i / n)) of the box's section: a lattice of neighbouring Fibonacci numbers,
 * whose sums are off by about log n / n for boxes and n^-3/4 for what is round (Niederreiter 1992, chapter 5). */
enum { ROWS = 46368, STEP = 28657, PIECES = 96, PIECE = ROWS / PIECES };

typedef struct Row {
  const tacTriMesh *mesh;
  double y, z;
  tacCrossings crossings;
} Row;

typedef struct Scan {
  const tacTriMesh *mesh;
  const tacBoxTree *boxes;
  tacBox box;
  int sign;
  Row *rows;           /* one a thread */
  double sums[PIECES]; /* m, of the rows of a piece: in the order of the pieces they sum to the same bits */
} Scan;

static int add_crossing(int triangle, void *context) {
  Row *row = context;
  const int *v = row->mesh->triangles[triangle].v;
  const tacVec3 *p = row->mesh->vertices;
  double x;
  int winding = tac_scan_crossing(p[v[0]], p[v[1]], p[v[2]], row->y, row->z, &x);
  return winding == 0 || tac_crossings_add(&row->crossings, x, winding);
}

static int compare_crossings(const void *a, const void *b) {
  const tacCrossing *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

/* What the solid has of the row more than the signed count has: the integral of [w != 0] - sign w. */
static double excess(const tacCrossings *c, int sign) {
  double sum = 0.0;
  int winding = 0;
  if (c->count > 1) qsort(c->list, c->count, sizeof *c->list, compare_crossings);
  for (size_t i = 0; i + 1 < c->count; ++i) {
    winding += c->list[i].winding;
    sum += ((winding != 0) - sign * winding) * (c->list[i + 1].x - c->list[i].x);
  }
  return sum;
}

static void scan_pieces(size_t begin, size_t end, int thread, void *context) {
  Scan *scan = context;
  Row *row = &scan->rows[thread];
  tacVec3 size = tac_box_size(scan->box);
  for (size_t piece = begin; piece < end; ++piece)
    for (int i = (int)piece * PIECE; i < ((int)piece + 1) * PIECE && row->crossings.status == TAC_OK; ++i) {
      row->y = scan->box.lower.y + size.y * (i + 0.5) / ROWS;
      row->z = scan->box.lower.z + size.z * ((double)((int64_t)i * STEP % ROWS) + 0.5) / ROWS;
      row->crossings.count = 0;
      tacBox line = {{-INFINITY, row->y, row->z}, {INFINITY, row->y, row->z}};
      tac_box_tree_overlap(scan->boxes, line, add_crossing, row);
      scan->sums[piece] += excess(&row->crossings, scan->sign);
    }
}

tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error) {
  TAC_REQUIRE(error, volume);
  *volume = 0.0;
  TAC_REQUIRE(error, mesh);
  TAC_OWN(tacBoxTree, boxes) = NULL;
  TAC_MEMORY(Scan, scan) = NULL;
  TAC_MEMORY(Row, rows) = NULL;
  int threads = tac_parallel_core_count();
  TAC_TRY(tac_trimesh_require_closed(mesh, error));
  TAC_TRY(tac_box_tree_of_triangles(mesh, &boxes, error));
  double signed_volume = tac_trimesh_volume(mesh), sum = 0.0;
  TAC_TRY(TAC_ARRAY(scan, 1, "rows through a solid", error));
  TAC_TRY(TAC_ARRAY(rows, (size_t)threads, "rows through a solid", error));
  for (int i = 0; i < threads; ++i) rows[i].mesh = mesh;
  *scan = (Scan){mesh, boxes, tac_trimesh_box(mesh), signed_volume < 0.0 ? -1 : 1, rows, {0.0}};
  tacStatus status = tac_parallel_for(threads, PIECES, 1, scan_pieces, scan, NULL, "volume", error);
  for (int i = 0; i < threads; ++i) status = tac_crossings_end(&rows[i].crossings, status, error);
  TAC_TRY(status);
  for (int piece = 0; piece < PIECES; ++piece) sum += scan->sums[piece];
  tacVec3 size = tac_box_size(scan->box);
  *volume = fabs(signed_volume) + sum / ROWS * size.y * size.z;
  return TAC_OK;
}
