#include "app/cli/report/xy_path.h"

#include <math.h>
#include <stdlib.h>

void tac_xy_path_begin(tacArrays *arrays, int64_t count, int stretches, tacXyPath *path) {
  *path = (tacXyPath){.count = count, .stretches = count < stretches ? (int)count : stretches, .lifted = true};
  path->stretch = tac_arrays_add(arrays, (size_t)path->stretches, sizeof *path->stretch);
}

void tac_xy_path_lift(tacXyPath *path) {
  path->lifted = true;
}

void tac_xy_path_add(tacXyPath *path, int64_t index, double x, double y) {
  if (!isfinite(x) || !isfinite(y) || index < 0 || index >= path->count) return;
  int at = (int)((double)index * path->stretches / (double)path->count);
  tacXyStretch *stretch = &path->stretch[at < path->stretches ? at : path->stretches - 1];
  tacXyPoint point = {x, y, index}, *farthest = stretch->farthest;
  stretch->begins |= path->lifted;
  path->lifted = false;
  if (!stretch->used || x < farthest[0].x) farthest[0] = point;
  if (!stretch->used || x > farthest[1].x) farthest[1] = point;
  if (!stretch->used || y < farthest[2].y) farthest[2] = point;
  if (!stretch->used || y > farthest[3].y) farthest[3] = point;
  stretch->used = true;
}

static int compare_times(const void *a, const void *b) {
  const tacXyPoint *p = a, *q = b;
  return p->at < q->at ? -1 : p->at > q->at;
}

int tac_xy_path_points(const tacXyPath *path, double *x, double *y) {
  int count = 0;
  for (int i = 0; i < path->stretches; ++i) {
    tacXyStretch stretch = path->stretch[i];
    if (!stretch.used) continue;
    qsort(stretch.farthest, 4, sizeof *stretch.farthest, compare_times);
    if (stretch.begins && count > 0) {
      x[count] = NAN;
      y[count++] = NAN;
    }
    for (int k = 0; k < 4; ++k) {
      if (k > 0 && stretch.farthest[k].at == stretch.farthest[k - 1].at) continue;
      x[count] = stretch.farthest[k].x;
      y[count++] = stretch.farthest[k].y;
    }
  }
  return count;
}
