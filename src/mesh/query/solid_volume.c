#include <tactus/trimesh.h>

#include <math.h>
#include <stdlib.h>
#include "base/memory/array.h"
#include "base/threads/parallel.h"
#include "math/geometry/vec3.h"
#include "mesh/query/scan_winding.h"
#include "mesh/query/triangle_tree.h"

/* Rows along x through the points (i / n, frac(g i / n)) of the box's section: a lattice of neighbouring Fibonacci numbers,
 * whose sums are off by about log n / n for boxes and n^-3/4 for what is round (Niederreiter 1992, chapter 5). */
enum { ROWS = 46368, STEP = 28657, PIECES = 96, PIECE = ROWS / PIECES };

typedef struct Crossing {
  double x;
  int winding;
} Crossing;

typedef struct Row {
  const tacTriMesh *mesh;
  double y, z;
  Crossing *crossings;
  size_t count, room;
  tacStatus status;
  tacError error;
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
  if (winding == 0) return 1;
  row->status = tac_array_reserve((void **)&row->crossings, &row->room, row->count + 1, sizeof *row->crossings,
                                  "crossings of a row", &row->error);
  if (row->status != TAC_OK) return 0;
  row->crossings[row->count++] = (Crossing){x, winding};
  return 1;
}

static int compare_crossings(const void *a, const void *b) {
  const Crossing *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

/* What the solid has of the row more than the signed count has: the integral of [w != 0] - sign w. */
static double excess(Row *row, int sign) {
  double sum = 0.0;
  int winding = 0;
  if (row->count > 1) qsort(row->crossings, row->count, sizeof *row->crossings, compare_crossings);
  for (size_t i = 0; i + 1 < row->count; ++i) {
    winding += row->crossings[i].winding;
    sum += ((winding != 0) - sign * winding) * (row->crossings[i + 1].x - row->crossings[i].x);
  }
  return sum;
}

static void scan_pieces(size_t begin, size_t end, int thread, void *context) {
  Scan *scan = context;
  Row *row = &scan->rows[thread];
  tacVec3 size = tac_box_size(scan->box);
  for (size_t piece = begin; piece < end; ++piece)
    for (int i = (int)piece * PIECE; i < ((int)piece + 1) * PIECE && row->status == TAC_OK; ++i) {
      row->y = scan->box.lower.y + size.y * (i + 0.5) / ROWS;
      row->z = scan->box.lower.z + size.z * ((double)((int64_t)i * STEP % ROWS) + 0.5) / ROWS;
      row->count = 0;
      tacBox line = {{-INFINITY, row->y, row->z}, {INFINITY, row->y, row->z}};
      tac_box_tree_overlap(scan->boxes, line, add_crossing, row);
      scan->sums[piece] += excess(row, scan->sign);
    }
}

tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error) {
  *volume = 0.0;
  tacTriangleTree *tree = NULL;
  int threads = tac_parallel_core_count();
  Scan *scan = NULL;
  tacStatus status = tac_trimesh_require_closed(mesh, error);
  if (status == TAC_OK) status = tac_triangle_tree_create(mesh, &tree, error);
  if (status != TAC_OK) return status;
  double signed_volume = tac_trimesh_volume(mesh), sum = 0.0;
  scan = tac_array_create(1, sizeof *scan, "rows through a solid", error);
  Row *rows = tac_array_create((size_t)threads, sizeof *rows, "rows through a solid", error);
  status = TAC_ERR_MEMORY;
  if (scan == NULL || rows == NULL) goto done;
  for (int i = 0; i < threads; ++i) rows[i].mesh = mesh;
  scan->mesh = mesh;
  scan->boxes = tac_triangle_tree_boxes(tree);
  scan->box = tac_trimesh_box(mesh);
  scan->sign = signed_volume < 0.0 ? -1 : 1;
  scan->rows = rows;
  status = tac_parallel_for(threads, PIECES, 1, scan_pieces, scan, NULL, "volume", error);
  for (int i = 0; i < threads; ++i)
    if (status == TAC_OK && rows[i].status != TAC_OK)
      status = tac_error_set(error, rows[i].status, "%s", rows[i].error.text);
  if (status != TAC_OK) goto done;
  for (int piece = 0; piece < PIECES; ++piece) sum += scan->sums[piece];
  tacVec3 size = tac_box_size(scan->box);
  *volume = fabs(signed_volume) + sum / ROWS * size.y * size.z;
done:
  for (int i = 0; rows != NULL && i < threads; ++i) free(rows[i].crossings);
  free(rows);
  free(scan);
  tac_triangle_tree_destroy(tree);
  return status;
}
